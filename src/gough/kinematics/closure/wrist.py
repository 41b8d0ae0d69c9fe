"""Legs that guide the platform about one or two axes: R or R R behind each other, passive, with a rigid end.

The platform's orientation says all turns; where its coordinates leave the leg's end elsewhere, the leg does not close.
Driven joints are left to Newton's method, which counts their whole turns from home.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from gough.graph import Scalar, Vector, absolute, array, cross, dot, is_zero, less_equal, maximum
from gough.kinematics.chain import Coordinate, Turn, end_point, joint_rotation, parent_frame
from gough.kinematics.closure.angles import across, turns_of
from gough.kinematics.closure.closed_form import kinds_of, sign_and_posture
from gough.kinematics.closure.newton import REACHED
from gough.kinematics.closure.shape import unmoved
from gough.kinematics.leg import Closure, build_links
from gough.robot import Leg


@dataclass(frozen=True, slots=True)
class WristForm:
    """The closed form: one passive hinge, or two across each other."""

    name: ClassVar[str] = "wrist"
    postures: ClassVar[int] = 1

    @classmethod
    def fit(cls, leg: Leg) -> Self | None:
        """The form, if a leg of plain numbers is of this shape."""
        if kinds_of(leg) not in ("R", "RR") or leg.end.kind != "rigid":
            return None
        if any(joint.mimic or joint.actuated for joint in leg.joints):
            return None
        return cls() if across(*unmoved(leg).axes) else None

    def close(self, leg: Leg, p_end: Vector, R_end: Vector) -> Closure:
        """See `close_wrist`."""
        return close_wrist(leg, p_end, R_end)


def close_wrist(leg: Leg, p_end: Vector, R_end: Vector) -> Closure:
    """Closure with the leg's end at p_end (3,) and the end frame at R_end, both in B."""
    links = unmoved(leg, 0)
    R_0 = joint_rotation(parent_frame(leg, 0, [])[0], leg.joints[0])
    R_last = R_end @ array(leg.end.rotation).T
    Q = R_0.T @ R_last @ links.R[-1].T
    a = links.axes[0]
    turns: tuple[Turn, ...]
    if len(leg.joints) == 1:
        turns, twisted = (_turn_about(a, Q),), Q @ a - a
    else:
        turns, twisted = turns_of(a, links.axes[1], Q), array([dot(a, Q @ links.axes[1])])
    coordinates: dict[int, Coordinate] = dict(enumerate(turns))
    off = np.concatenate([end_point(leg, build_links(leg, coordinates)[0]) - p_end, twisted])
    axes = [R_0 @ a, R_last @ array(leg.joints[-1].axis)][: len(turns)]

    def solve(_v: Vector, w: Vector) -> dict[int, Any]:
        return {k: dot(axis, w) for k, axis in enumerate(axes)}

    def transposed(efforts: dict[int, Any]) -> tuple[Any, Any]:
        return np.zeros(3), sum((axis * efforts[k] for k, axis in enumerate(axes)), np.zeros(3))

    short = 0.0 if sign_and_posture(leg)[0] > 0 else np.inf  # there is one assembly, branch 1
    return Closure(coordinates, solve, short, _closes(off), transposed=transposed)


def _turn_about(a: Vector, Q: Vector) -> Turn:
    """Turn of the rotation Q about the unit axis a."""
    twice = sum(cross(unit, Q[:, k]) for k, unit in enumerate(np.eye(3)))
    return Turn((Q[0, 0] + Q[1, 1] + Q[2, 2] - 1.0) * 0.5, dot(a, twice) * 0.5)


def _closes(off: Vector) -> Scalar:
    """Whether nothing is left open: plainly so where the platform's own coordinates are the turns."""
    if is_zero(off):
        return True
    largest: Any = 0.0
    for value in off:
        largest = maximum(largest, absolute(value))
    return less_equal(largest, REACHED)
