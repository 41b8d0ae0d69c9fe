"""The equations that tell the dependent coordinates: what legs with few joints ask of the platform.

A leg constrains the platform if its independent joints are fewer than the equations of its end: 3 of a point, 6 of a
frame. If all its joints move it in one plane, with the unit normal e, its end on the platform stays there:
e.(p_end - b) = 0. Of any other such leg the joints are unknown too, and its closure error is zero. Where the legs hold
the platform more than once, as many independent equations as there are unknowns are picked at home; the others hold
with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import array, dot
from gough.kinematics.closure.close import end_target
from gough.kinematics.closure.closed_form import main_chain
from gough.kinematics.closure.newton import closure_error
from gough.kinematics.closure.shape import unmoved
from gough.kinematics.pose import platform_pose
from gough.robot import Leg, Robot

_SQUARE = 1e-9
"""Slack of parallel and perpendicular axes: files give ten digits or so."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """How dependent coordinates are found, told from a robot's plain numbers.

    Attributes:
        home: (k,) their values at home [m or rad].
        planes: For each leg that moves in a plane its index and that of a joint that turns about the normal.
        chains: Indices of the other legs that constrain the platform.
        joints: For each of these its independent coordinates at home [m or rad].
        sizes: For each unknown, dependent coordinates and then joints, how large a change of it is.
        rows: Which of the equations are solved.
    """

    home: tuple[float, ...]
    planes: tuple[tuple[int, int], ...]
    chains: tuple[int, ...]
    joints: tuple[tuple[float, ...], ...]
    sizes: tuple[float, ...]
    rows: tuple[int, ...]

    @property
    def start(self) -> Any:
        """All unknowns at home."""
        return np.array([*self.home, *(value for values in self.joints for value in values)])

    def by_leg(self, u: Any) -> dict[int, Any]:
        """The joints' part of the unknowns u for each leg of `chains`."""
        found, at = {}, len(self.home)
        for k, values in zip(self.chains, self.joints, strict=True):
            found[k] = u[at : at + len(values)]
            at += len(values)
        return found


def own_joints(leg: Leg) -> list[int]:
    """Indices of the independent joints."""
    return [k for k, joint in enumerate(leg.joints) if joint.mimic is None]


def constrains(leg: Leg) -> bool:
    """Whether a leg has fewer independent joints than its end has equations; a cable holds nothing but its length."""
    return leg.cable is None and len(own_joints(leg)) < (3 if leg.end.kind == "spherical" else 6)


def normal_joint(leg: Leg) -> int | None:
    """Of a leg of plain numbers whose end moves in a plane, a joint that turns about its normal; else None."""
    chain = main_chain(leg)
    turning = [k for k in chain if leg.joints[k].kind == "R"]
    own = own_joints(leg)
    if leg.end.kind == "rigid" or len(own) != 2 or not turning or not set(own) <= set(chain):
        return None
    axes = unmoved(leg).axes
    e = axes[turning[0]]
    for k in chain:
        off = np.cross(e, axes[k]) if k in turning else np.dot(e, axes[k])
        if np.linalg.norm(off) > _SQUARE:
            return None
    return turning[0]


def plane_of(leg: Leg, joint: int) -> tuple[Any, Any]:
    """Normal e (3,) of the plane a leg's end moves in, and a point (3,) of it, both in B."""
    links, R_B0 = unmoved(leg), array(leg.rotation)
    return R_B0 @ links.axes[joint], array(leg.position) + R_B0 @ links.end


def equations(robot: Robot, planes: tuple[tuple[int, int], ...], joints: dict[int, Any], x: Any, d: Any) -> list[Any]:
    """Closure errors of all constraining legs at coordinates x (n,), dependent ones d (k,) and these joints by leg."""
    pose = platform_pose(robot.platform.whole(), robot.platform.in_order(x, d))
    found: list[Any] = []
    for k, joint in planes:
        e, point = plane_of(robot.legs[k], joint)
        found.append(dot(e, end_target(robot.legs[k], pose)[0] - point))
    for k, u in joints.items():
        leg = robot.legs[k]
        found += [*closure_error(leg, own_joints(leg), *end_target(leg, pose), u)]
    return found
