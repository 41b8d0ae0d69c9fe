"""Where the legs of a robot end for given displacements: each on a sphere about a point of its own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from gough.graph import array, cos, record, sin
from gough.kinematics.chain import Coordinate, Slide, Turn
from gough.kinematics.forward.distance_equations import DistanceLeg, distance_legs
from gough.robot import Robot
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

    robot: Robot
    legs: tuple[DistanceLeg, ...]
    b: Any
    program: Program

    def jacobians(self, q: Any, p: Any, R: Any) -> tuple[Any, Any]:
        """Derivatives of the equations by the platform's twist (N, legs, 6) and by the displacements (N, legs).

        Args:
            q: (N, actuators) displacements.
            p, R: (N, 3), (N, 3, 3) poses of the platform in B.
        """
        at = self.program(q=q)
        arm = np.einsum("nij,lj->nli", R, self.b)
        span = p[:, None] + arm - at["A"]
        by_twist = np.concatenate([span, np.cross(arm, span)], axis=2)
        return by_twist, -(span * at["rate"]).sum(axis=2) - at["half_slope"]


@lru_cache(maxsize=64)
def leg_spheres(robot: Robot) -> LegSpheres | None:
    """The legs of a robot as spheres; None where they are not of this kind."""
    legs = distance_legs(robot)
    if legs is None:
        return None
    joints = [robot.legs[leg.number].joints[leg.joint] for leg in legs]

    def equations(q: Any) -> dict[str, Any]:
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
