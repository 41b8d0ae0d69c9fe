"""How far what the platform needs is within what the actuators can give: the signed distance to the zonotope's facets.

Forces within limits give the platform K^T tau: a zonotope, the sum of one segment per actuator. K is on orthonormal
rates (`gough.kinematics.wrench_rates`), so that distances are those of wrenches. Each facet lies across a direction u
that n - 1 rows of K are orthogonal to. With the middles and half-widths of the limits, c = K^T middle and h(u) = sum of
|K_i u| half_i, what is needed is inside by h(u) - |u (Q - c)| there; the least over all such u is the margin. It is
negative outside, where no forces within the limits do.

Where the actuators are few more than the coordinates, all facets are estimated at little cost, with what that may be
wrong by, and those that may be the least are computed anew.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.dynamics.sharing.shares import force_limits
from gough.errors import InputError
from gough.graph import Array
from gough.kinematics.wrench_rates import wrench_program
from gough.robot import Mechanism

_MOST = 5_000
"""Facets worked on at once: what is between stays in the processor's cache."""
_DIGITS = 1e-13
"""How far an estimated margin may be off, of the forces and moments that it is the difference of, before conditions."""
_FLAT = 1e-3
"""Rows of unit length that span less than this are too nearly dependent for their minors to have all digits."""


def margins(robot: Mechanism, x: Array, force: Array) -> Array:
    """(N,) signed margin [N] of what forces (N, m) give the platform at poses x (N, n).

    The forces need not keep to limits: any that give the platform what it needs have the same margin. Those of cables
    are minus their tensions, without what winches spend on rotors and friction.

    Raises:
        InputError: An actuator has no force limit.
    """
    limits = force_limits(robot)
    without = [
        name for name, (low, high) in zip(robot.actuator_names, limits, strict=True) if low is None or high is None
    ]
    if without:
        raise InputError(f"margin: actuator {without[0]} has no force limit; every actuator needs one")
    K = np.asarray(wrench_program(robot)(x=np.asarray(x, dtype=float)))
    Q = np.einsum("nij,ni->nj", K, np.asarray(force, dtype=float))
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
    half, middle = 0.5 * (high - low), 0.5 * (high + low)
    m, n = K.shape[1:]
    if m - n >= n:
        return np.asarray(_inside(K[:, None], Q[:, None], half, middle, normals(K, rows)).min(axis=1))
    near, error = _estimates(K, Q, half, middle, rows)
    least = np.where(np.isfinite(near + error), near + error, np.inf).min(axis=1)
    sample, facet = np.nonzero(~(near - error > least[:, None]))
    u = _across(K[sample[:, None], rows[facet]])
    found = np.full(len(K), np.inf)
    np.minimum.at(found, sample, _inside(K[sample], Q[sample], half, middle, u))
    return found


def _inside(K: Array, Q: Array, half: Array, middle: Array, u: Array) -> Array:
    """(..) by how much Q (.., n) is inside across unit vectors u (.., n)."""
    along = (K * u[..., None, :]).sum(axis=-1)
    away = (u * Q).sum(axis=-1) - (along * middle).sum(axis=-1)
    return np.asarray((np.abs(along) * half).sum(axis=-1) - np.abs(away))


def _estimates(K: Array, Q: Array, half: Array, middle: Array, rows: Array) -> tuple[Array, Array]:
    """(N, F) by how much Q (N, n) is inside each facet, and by how much that may be wrong.

    K u is zero in the facet's rows and orthogonal to the internal forces, the null space of K^T: with few actuators
    more than coordinates, its other entries are small minors of a basis of these, and u follows from it. They lose
    digits where K or the facet's rows are nearly dependent.
    """
    m, n = K.shape[1:]
    spare = m - n
    U, sizes, V = np.linalg.svd(K)
    others, without = _complements(m, n)
    minors = _minors(U[:, :, n:].transpose(1, 2, 0).copy(), spare)[:, 0].T
    along = np.zeros((len(K), len(rows), m))
    along[:, np.arange(len(rows))[:, None], others] = minors[:, without] * (-1.0) ** np.arange(spare + 1)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        u = along @ ((U[:, :, :n] / sizes[:, None]) @ V)
        away = (u @ Q[:, :, None])[:, :, 0] - along @ middle
        near = (np.abs(along) @ half - np.abs(away)) / np.linalg.norm(u, axis=2)
        size = np.linalg.norm(K, axis=2) @ (half + np.abs(middle)) + np.linalg.norm(Q, axis=1)
        wrong = _DIGITS * (sizes[:, 0] / sizes[:, -1]) ** 2 * size
        return near, wrong[:, None] / np.linalg.norm(along, axis=2)


@lru_cache(maxsize=64)
def _complements(m: int, n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For each facet of (m, n) matrices the rows that are not its own, and which combination they are without each.

    Returns:
        others: (F, m - n + 1).
        without: (F, m - n + 1) places among the combinations of m - n rows.
    """
    places = {chosen: k for k, chosen in enumerate(combinations(range(m), m - n))}
    others = [[k for k in range(m) if k not in own] for own in combinations(range(m), n - 1)]
    without = [[places[(*rest[:k], *rest[k + 1 :])] for k in range(len(rest))] for rest in others]
    return np.array(others), np.array(without)


def _across(A: Array) -> Array:
    """(.., n) unit vectors orthogonal to the rows of A (.., n - 1, n)."""
    return np.asarray(np.linalg.svd(A)[2][..., -1, :])


def _minors(A: Array, size: int) -> Array:
    """(C(m, size), C(n, size), N) all minors of this size of A (m, n, N)."""
    if size == 0:
        return np.ones((1, 1, A.shape[2]))
    minors: Any = A
    for k in range(2, size + 1):
        before, last, expansion = _expansions(A.shape[0], A.shape[1], k)
        minors = sum(sign * A[last, columns] * minors[before, rest] for sign, columns, rest in expansion)
    return np.asarray(minors)


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
    minors = _minors(unit, n - 1)
    # The columns left out come in falling order.
    u = (minors[:, ::-1] * (-1.0) ** np.arange(n)[:, None]).transpose(2, 0, 1)
    span = np.linalg.norm(u, axis=2, keepdims=True)
    flat = span[:, :, 0] < _FLAT
    u = u / np.where(flat[:, :, None], 1.0, span)
    if flat.any():
        sample, facet = np.nonzero(flat)
        u[sample, facet] = _across(K[sample[:, None], rows[facet]])
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


def least_excess(robot: Mechanism, K: Array, Q: Array) -> Array:
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
