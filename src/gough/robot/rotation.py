"""Rotations: the three ways of a file, and the platform's turning coordinates, as matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gough.graph import exact_cos, exact_sin
from gough.graph.triples import add, apply, matrix, product, rotation_about, unit, vector
from gough.robot.values import IDENTITY, Matrix, Platform, Vector

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
