"""What actuators can give the platform, as recorded equations: whether what it needs is within the zonotope of it.

As `gough.dynamics.sharing.margin` has it: forces within limits give the platform K^T tau, a sum of segments. Each facet
lies across a direction u that n - 1 rows of K are orthogonal to, a vector of their minors; what is needed is inside
where sum of |K_i u| half_i - |u (Q - K^T middle)| is positive for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from typing import Any

from gough.graph import Scalar, Vector, absolute, array, dot, minimum, sqrt, where

FLAT = 1e-20
"""Rows whose minors, squared and added, are below this of the product of their squares span no facet."""


def available(K: Vector, Q: Vector, limits: Sequence[tuple[float, float]], least: float = 0.0) -> Scalar:
    """Positive where forces within the limits give Q (n,) and as much as `least` more in any direction.

    Args:
        K: (m, n) actuator rates per rate of the platform.
        Q: (n,) what the platform needs.
        limits: Least and largest force of each actuator.
        least: How far inside Q must be, in its units.
    """
    m = len(K)
    middle = array([0.5 * (low + high) for low, high in limits])
    half = [0.5 * (high - low) for low, high in limits]
    off = Q - K.T @ middle
    squares = [dot(row, row) for row in K]
    facets = []
    for rows, u in normals(K).items():
        reach = sum(absolute(dot(u, K[i])) * half[i] for i in range(m) if i not in rows)
        size = dot(u, u)
        inside = reach - absolute(dot(u, off)) - (least * sqrt(size) if least else 0.0)
        spanned = reduce(lambda a, b: a * b, (squares[i] for i in rows), 1.0)
        facets.append(where(size > FLAT * spanned, inside, 1.0))
    return reduce(minimum, facets)


def normals(K: Vector) -> dict[tuple[int, ...], Vector]:
    """For each n - 1 rows of K (m, n) a vector that is orthogonal to them: their minors, by shared smaller ones."""
    m, n = K.shape
    minors: dict[tuple[Any, Any], Any] = {((), ()): 1.0}
    for size in range(1, n):
        larger: dict[tuple[Any, Any], Any] = {}
        for rows in combinations(range(m), size):
            for columns in combinations(range(n), size):
                value: Any = 0.0
                for place, k in enumerate(columns):
                    term = K[rows[-1], k] * minors[rows[:-1], columns[:place] + columns[place + 1 :]]
                    value = value + term if (size - 1 + place) % 2 == 0 else value - term
                larger[rows, columns] = value
        minors = larger
    every = tuple(range(n))
    return {
        rows: array([(-1.0) ** k * minors[rows, every[:k] + every[k + 1 :]] for k in range(n)])
        for rows in combinations(range(m), n - 1)
    }
