"""Where functions of time pass through zero within a step, also those that pass and come back.

They are looked at in a few points of the step. The polynomial through these says where a function comes close to zero
and turns round; there its true extreme is searched for, and zeros are bracketed by what was really found.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Functions = Callable[[Any], Array]
"""Times (N,) -> values (N, k) of k functions; what is not finite counts as below zero."""

POINTS = 7
"""Of a step, both ends included: the extremes of a Chebyshev polynomial."""
FINE = 49
"""Points at which the polynomial is looked at."""
CLOSE = 0.2
"""Share of its span in a step that a function may keep from zero where it turns round, to be searched."""


def crossings(
    functions: Functions, t0: float, t1: float, first: Array, directions: Any
) -> tuple[list[tuple[int, float]], Array]:
    """Place and time of every zero within (t0, t1], the first first, and the values (k,) at t1.

    Args:
        functions: Smooth within the step.
        t0, t1: Its ends.
        first: (k,) values at t0.
        directions: (k,) +1 only upwards, -1 only downwards, 0 both.
    """
    nodes, fine, through = _grid()
    times = t0 + (t1 - t0) * nodes
    times[-1] = t1
    given = np.vstack([first, functions(times[1:])])
    values = _finite(given)
    between = through @ values
    found = []
    for k in _suspects(values, between):
        turns = _turns(functions, k, t0 + (t1 - t0) * fine, between[:, k], float(np.ptp(values[:, k])))
        knots = sorted([*zip(times.tolist(), values[:, k].tolist(), strict=True), *turns])
        for (a, at_a), (b, at_b) in pairwise(knots):
            if passes(at_a, at_b, int(directions[k])):
                found.append((k, _zero(functions, k, (a, at_a), (b, at_b))))
    return sorted(found, key=lambda item: (round(item[1], 9), item[0])), given[-1]


def _suspects(values: Array, between: Array) -> list[int]:
    """Places of the functions whose values change sign, or whose polynomial comes close to zero at all."""
    changing = (values.min(axis=0) <= 0.0) & (values.max(axis=0) >= 0.0)
    close = np.abs(between).min(axis=0) < CLOSE * np.ptp(values, axis=0)
    return np.flatnonzero(changing | close).tolist()


def passes(before: float, after: float, direction: int) -> bool:
    """Whether a function passes through zero on the way from one value to the next."""
    down, up = before > 0.0 >= after, before < 0.0 <= after
    return (down and direction <= 0) or (up and direction >= 0)


def _turns(functions: Functions, k: int, times: Array, guess: Array, span: float) -> list[tuple[float, float]]:
    """Times and values of function k where it comes close to zero, or beyond it, and turns round."""
    from scipy.optimize import minimize_scalar

    found = []
    close = np.abs(guess[1:-1]) < CLOSE * span
    for sign in (1.0, -1.0):
        here = sign * guess
        for j in np.flatnonzero(close & (here[1:-1] < here[:-2]) & (here[1:-1] <= here[2:])) + 1:
            best = minimize_scalar(
                lambda t, sign=sign: sign * _at(functions, k, t),
                bounds=(times[j - 1], times[j + 1]),
                method="bounded",
                options={"xatol": 1e-9 * (times[j + 1] - times[j - 1])},
            )
            found.append((float(best.x), sign * float(best.fun)))
    return found


def _zero(functions: Functions, k: int, a: tuple[float, float], b: tuple[float, float]) -> float:
    """Time of the zero of function k between two known points."""
    from scipy.optimize import brentq

    if a[1] * b[1] >= 0.0:
        return b[0]
    known = dict((a, b))
    return float(brentq(lambda t: known[t] if t in known else _at(functions, k, t), a[0], b[0], xtol=1e-13))


def _at(functions: Functions, k: int, t: float) -> float:
    return float(_finite(functions(np.array([t])))[0, k])


def _finite(values: Array) -> Array:
    return np.where(np.isfinite(values), values, -1.0)


@cache
def _grid() -> tuple[Array, Array, Array]:
    """Nodes and fine points on (0, 1), and the matrix from values at the nodes to the polynomial at the fine points."""
    nodes = (1.0 - np.cos(np.pi * np.arange(POINTS) / (POINTS - 1))) / 2.0
    fine = np.linspace(0.0, 1.0, FINE)
    chebyshev = np.polynomial.chebyshev.chebvander
    return (
        nodes,
        fine,
        chebyshev(2.0 * fine - 1.0, POINTS - 1) @ np.linalg.inv(chebyshev(2.0 * nodes - 1.0, POINTS - 1)),
    )
