"""Where the legs of a robot end for given displacements: each on a sphere about a point of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.graph import Array, Vector, array, cos, dot, norm, record, sin
from gough.kinematics.chain import Coordinate, Slide, Turn
from gough.kinematics.closure.angles import across, parallel, same
from gough.kinematics.closure.shape import unmoved
from gough.kinematics.forward.distance_equations import At, DistanceLeg, Equation, distance_legs
from gough.robot import Leg, Mechanism, by_mechanism
from gough.run import Program


@dataclass(frozen=True)
class LegSpheres:
    """The driven legs of a robot as spheres: |p + R b_i - A_i(q)|^2 = l_i(q)^2.

    Attributes:
        robot: Whose.
        legs: Their equations, in the order of the actuators.
        b: (legs, 3) ends of the legs in P [m].
        program: q (actuators,) displacements -> A (legs, 3), rate (legs, 3) dA/dq, square (legs,) l^2 and half_slope
            (legs,) d(l^2)/dq / 2.
    """

    robot: Mechanism
    legs: tuple[DistanceLeg, ...]
    b: Array
    program: Program


@by_mechanism(64)
def leg_spheres(robot: Mechanism) -> LegSpheres | None:
    """The legs of a robot as spheres; None where they are not of this kind."""
    legs = distance_legs(robot) or _hinged_legs(robot)
    if legs is None:
        return None
    joints = [robot.legs[leg.number].joints[leg.joint] for leg in legs]

    def equations(q: Vector) -> dict[str, Vector]:
        found = []
        for leg, joint, value in zip(legs, joints, q, strict=True):
            angle = value + joint.zero
            coordinate: Coordinate = Turn(cos(angle), sin(angle)) if leg.turns else Slide(angle)
            found.append(leg.at(coordinate))
        return {
            "A": array([array(at.A) for at in found]),
            "rate": array([np.zeros(3) if at.dA is None else array(at.dA) for at in found]),
            "square": array([at.square for at in found]),
            "half_slope": array([at.half_slope for at in found]),
        }

    b = np.array([robot.legs[leg.number].end.platform_point for leg in legs], dtype=float)
    return LegSpheres(robot, legs, b, Program(record(equations, q=len(legs))))


def _hinged_legs(robot: Mechanism) -> tuple[DistanceLeg, ...] | None:
    """The equations of a planar robot on legs R P R; None where it is none."""
    found = []
    for number, leg in enumerate(robot.legs):
        kinds = "".join(joint.kind for joint in leg.joints)
        driven = [k for k, joint in enumerate(leg.joints) if joint.actuated]
        chain = all(joint.parent == k - 1 and joint.mimic is None for k, joint in enumerate(leg.joints))
        if kinds != "RPR" or driven != [1] or not chain or robot.dof != 3:
            return None
        at = _hinged(leg)
        if at is None:
            return None
        arm = float(np.linalg.norm(leg.end.platform_point))
        found.append(DistanceLeg(number, 1, False, at, 0.0, 0.0, 0.0, arm))
    return tuple(found)


def _hinged(leg: Leg) -> Equation | None:
    """The distance of the second hinge of a leg R P R from the first one's axis; None where they are not parallel."""
    links = unmoved(leg)
    axis, slide, last = links.axes
    if not (across(axis, slide) and parallel(axis, last) and same(np.cross(axis, links.end - links.p[2]), 0.0, 1.0)):
        return None
    away = links.end - links.p[0]
    rise = float(axis @ away)
    flat = away - axis * rise
    R = np.array(leg.rotation, dtype=float)
    centre = np.array(leg.position, dtype=float) + R @ (links.p[0] + axis * rise)

    def at(coordinate: Slide) -> At:
        reach = flat + slide * coordinate.q
        return At(centre, None, dot(reach, reach), dot(reach, slide), norm(reach))

    return at
