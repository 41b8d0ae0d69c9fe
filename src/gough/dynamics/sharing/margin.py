"""How far what the platform needs is within what the actuators can give: the signed distance to the zonotope's facets.

Forces within limits give the platform K^T tau: a zonotope, the sum of one segment per actuator. Each facet lies across
a direction u that n - 1 rows of K are orthogonal to. With the middles and half-widths of the limits, c = K^T middle and
h(u) = sum of |K_i u| half_i, what is needed is inside by h(u) - |u (Q - c)| there; the least over all such u is the
margin. It is negative outside, where no forces within the limits do.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gough.dynamics.sharing.shares import force_limits
from gough.errors import InputError
from gough.graph import Array
from gough.kinematics.programs import characteristic_length
from gough.robot import Robot

_MOST = 2_000
"""Facets worked on at once: what is between stays in the processor's cache."""
_FLAT = 1e-3
"""Rows of unit length that span less than this are too nearly dependent for their minors to have all digits."""


def margins(robot: Robot, K: Array, Q: Array) -> Array:
    """(N,) signed margin [N] of generalised forces Q (N, n) at Jacobians K (N, m, n): moments over the robot's length.

    Raises:
        InputError: An actuator has no force limit.
    """
    limits = force_limits(robot)
    without = [
        name for name, (low, high) in zip(robot.actuator_names, limits, strict=True) if low is None or high is None
    ]
    if without:
        raise InputError(f"margin: actuator {without[0]} has no force limit; every actuator needs one")
    turning = np.array([c.turns for c in robot.platform.coordinates])
    slides = not turning.all()
    scale = np.where(turning & slides, characteristic_length(robot), 1.0)
    K, Q = np.asarray(K, dtype=float) / scale, np.asarray(Q, dtype=float) / scale
    low, high = np.array(limits, dtype=float).T
    rows = np.array(list(combinations(range(len(limits)), K.shape[2] - 1)), dtype=int)
    step = max(1, _MOST // max(1, len(rows)))
    found = np.full(len(K), np.nan)
    good = np.flatnonzero(np.isfinite(K).all(axis=(1, 2)) & np.isfinite(Q).all(axis=1))
    for start in range(0, len(good), step):
        at = good[start : start + step]
        found[at] = _margins(K[at], Q[at], low, high, rows)
    return found


def _margins(K: Array, Q: Array, low: Array, high: Array, rows: Array) -> Array:
    u = normals(K, rows)
    along = u @ K.transpose(0, 2, 1)
    reach = np.abs(along) @ (0.5 * (high - low))
    away = (u @ Q[:, :, None])[:, :, 0] - along @ (0.5 * (high + low))
    return (reach - np.abs(away)).min(axis=1)


def normals(K: Array, rows: Array) -> Array:
    """(N, F, n) unit vectors, each orthogonal to n - 1 rows (F, n - 1) of K (N, m, n); `rows` are all combinations.

    The components are minors of n - 1 columns, which share the minors of fewer rows: much cheaper than a decomposition
    for each combination, which remains for rows that are nearly dependent.
    """
    n = K.shape[2]
    if n == 1:
        return np.ones((len(K), 1, 1))
    lengths = np.linalg.norm(K, axis=2, keepdims=True)
    unit = np.divide(K, lengths, out=np.zeros_like(K), where=lengths > 0.0).transpose(1, 2, 0).copy()
    minors = unit
    for size in range(2, n):
        before, last, expansion = _expansions(K.shape[1], n, size)
        minors = sum(sign * unit[last, columns] * minors[before, rest] for sign, columns, rest in expansion)
    # The columns left out come in falling order.
    u = (minors[:, ::-1] * (-1.0) ** np.arange(n)[:, None]).transpose(2, 0, 1)
    span = np.linalg.norm(u, axis=2, keepdims=True)
    flat = span[:, :, 0] < _FLAT
    u = u / np.where(flat[:, :, None], 1.0, span)
    if flat.any():
        sample, facet = np.nonzero(flat)
        across = K[sample[:, None], rows[facet]].transpose(0, 2, 1)
        u[sample, facet] = np.linalg.qr(across, mode="complete")[0][:, :, -1]
    return u


Expansion = tuple[float, NDArray[np.intp], NDArray[np.intp]]


@lru_cache(maxsize=64)
def _expansions(m: int, n: int, size: int) -> tuple[NDArray[np.intp], NDArray[np.intp], list[Expansion]]:
    """Laplace's expansion of all minors of `size` rows and columns of an (m, n) matrix along their last rows.

    Returns:
        before: (R, 1) which combination the other rows are.
        last: (R, 1) the last row.
        terms: For each place in the last row its sign, its column and which combination the other columns are.
    """
    rows, columns = list(combinations(range(m), size)), list(combinations(range(n), size))
    row_place = {chosen: k for k, chosen in enumerate(combinations(range(m), size - 1))}
    column_place = {chosen: k for k, chosen in enumerate(combinations(range(n), size - 1))}
    before = np.array([[row_place[chosen[:-1]]] for chosen in rows])
    last = np.array([[chosen[-1]] for chosen in rows])
    terms = [
        (
            (-1.0) ** (size - 1 - j),
            np.array([chosen[j] for chosen in columns]),
            np.array([column_place[chosen[:j] + chosen[j + 1 :]] for chosen in columns]),
        )
        for j in range(size)
    ]
    return before, last, terms


def least_excess(robot: Robot, K: Array, Q: Array) -> Array:
    """(N, m) forces with K^T force = Q that exceed their limits least: a linear program per sample; NaN where none."""
    from scipy.optimize import linprog

    limits = force_limits(robot)
    m = len(limits)
    rows, bounds = [], []
    for k, (low, high) in enumerate(limits):
        for limit, sign in ((low, -1.0), (high, 1.0)):
            if limit is not None:
                row = np.zeros(m + 1)
                row[k], row[m] = sign, -1.0
                rows.append(row)
                bounds.append(sign * limit)
    cost = np.append(np.zeros(m), 1.0)
    found = np.full((len(K), m), np.nan)
    for k in range(len(K)):
        equations = np.concatenate([np.asarray(K[k]).T, np.zeros((K.shape[2], 1))], axis=1)
        if np.isfinite(equations).all() and np.isfinite(Q[k]).all():
            program = linprog(cost, np.array(rows), bounds, equations, Q[k], bounds=(None, None))
            found[k] = program.x[:m] if program.status == 0 else np.nan
    return found
