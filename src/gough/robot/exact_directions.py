"""Axes and rotations given to a few digits, made exact; those that are exact already keep their bits."""

from __future__ import annotations

from gough.graph import dot, norm
from gough.graph.triples import cross, matrix, perpendicular, unit, vector
from gough.robot.values import Matrix

EXACT = 1e-12
NEAR = 1e-6


def unit_axis(axis: list[float]) -> list[float]:
    """A vector of nearly unit length scaled to it; any other as it is."""
    off = abs(norm(vector(axis)) - 1.0)
    return list(unit(vector(axis))) if EXACT < off <= NEAR else axis


def proper(rows: list[list[float]]) -> list[list[float]]:
    """Nearly perpendicular unit rows of a right-handed frame made so; any others as they are."""
    R = matrix(rows)
    if not EXACT < skewness(R) <= NEAR or dot(cross(R[0], R[1]), R[2]) < 0:
        return rows
    x = unit(R[0])
    y = perpendicular(R[1], x)
    return [list(x), list(y), list(cross(x, y))]


def skewness(R: Matrix) -> float:
    """Largest entry of R R^T - 1."""
    return max(abs(dot(a, b) - (i == j)) for i, a in enumerate(R) for j, b in enumerate(R))
