"""Rotation matrices: the three ways of a file, the platform's turning coordinates, and axes given to a few digits.

An axis or a rotation given to a few digits is made exact; one that is exact already keeps its bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gough.graph import dot, exact_cos, exact_sin, norm
from gough.graph.triples import add, apply, cross, matrix, perpendicular, product, rotation_about, unit, vector
from gough.robot.leg_values import IDENTITY, Matrix, Vector
from gough.robot.mechanism import Platform

AXES: dict[str, Vector] = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def about_x(angle: float) -> Matrix:
    """R_x(angle) [rad]."""
    c, s = exact_cos(angle), exact_sin(angle)
    return ((1.0, 0.0, 0.0), (0.0, c, -s), (0.0, s, c))


def about_y(angle: float) -> Matrix:
    """R_y(angle) [rad]."""
    c, s = exact_cos(angle), exact_sin(angle)
    return ((c, 0.0, s), (0.0, 1.0, 0.0), (-s, 0.0, c))


def about_z(angle: float) -> Matrix:
    """R_z(angle) [rad]."""
    c, s = exact_cos(angle), exact_sin(angle)
    return ((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))


ABOUT = {"x": about_x, "y": about_y, "z": about_z}


def about(axis: Vector, angle: float) -> Matrix:
    """Rotation by `angle` [rad] about the direction `axis`, which need not be of unit length."""
    return rotation_about(unit(axis), exact_cos(angle), exact_sin(angle))


def rotation(stated: Mapping[str, Any] | Sequence[Sequence[Any]] | None) -> Matrix:
    """Rotation matrix of any way a file can state it.

    Args:
        stated: None (identity), three rows, `{axis, angle}`, or `{sequence, angles}`: turns about the already turned
            axes, R = R_1 R_2 R_3 [rad].
    """
    if stated is None:
        return IDENTITY
    if not isinstance(stated, Mapping):
        return matrix(stated)
    if "axis" in stated:
        return about(vector(stated["axis"]), stated["angle"])
    return turned(stated["sequence"], stated["angles"])


def turned(sequence: Sequence[str], angles: Sequence[float]) -> Matrix:
    """R_1 R_2 ... of turns about the axes named in `sequence`, each about the already turned axis [rad]."""
    result = IDENTITY
    for k, (axis, angle) in enumerate(zip(sequence, angles, strict=True)):
        turn = ABOUT[axis](angle)
        result = product(result, turn) if k else turn
    return result


def pose(platform: Platform, x: Sequence[float]) -> tuple[Vector, Matrix]:
    """p_BP (3,) [m] and R_BP of the platform at the coordinates `x`, one per platform coordinate [m or rad]."""
    slide = {c.motion: value for c, value in zip(platform.coordinates, x, strict=True)}
    t = (slide.get("x", 0.0), slide.get("y", 0.0), slide.get("z", 0.0))
    turns = [(c.motion[1], value) for c, value in zip(platform.coordinates, x, strict=True) if len(c.motion) == 2]
    p_BP = add(platform.position, apply(platform.rotation, t))
    if not turns:
        return p_BP, platform.rotation
    R = turned([axis for axis, _ in turns], [value for _, value in turns])
    return p_BP, product(platform.rotation, R)


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
