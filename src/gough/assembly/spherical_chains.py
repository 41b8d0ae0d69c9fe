"""Wrists on three legs R R R whose axes all meet: directions at given angles, as `three_legs.Spherical` solves them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.assembly.three_legs import Spherical
from gough.graph import Array, Vector, array, cos, cross, record, sin
from gough.kinematics.chain import Link, Turn, add_link, joint_rotation, parent_frame
from gough.robot import Mechanism, by_mechanism
from gough.run import Program

_MEET = 1e-9


@dataclass(frozen=True, slots=True)
class ChainDirections:
    """w_i(q), second axis of each leg; v_i, its third one in the platform; the cosine between them.

    Attributes:
        program: q (3,) -> w, rate (3, 3) and its derivative by q.
        v: (3, 3) in P.
        c: (3,) cosines.
    """

    program: Program
    v: Array
    c: Array

    def __call__(self, q: Array) -> tuple[Array, Array, Array]:
        return self.program(q=q)["w"], self.v, np.broadcast_to(self.c, q.shape)

    def jacobians(self, q: Array, R: Array) -> tuple[Array, Array]:
        """Derivatives of w.R v by the angular velocity (M, 3, 3) and by the displacements (M, 3)."""
        at = self.program(q=q)
        turned = np.einsum("nij,lj->nli", R, self.v)
        return np.cross(turned, at["w"]), (at["rate"] * turned).sum(axis=2)


@by_mechanism(32)
def spherical_chains(robot: Mechanism) -> Spherical | None:
    """The solver of a wrist; None where the robot is none."""
    platform = robot.platform
    if len(robot.legs) != 3 or [c.turns for c in platform.coordinates] != [True] * 3 or platform.dependent:
        return None
    v, c = [], []
    for leg in robot.legs:
        kinds = [joint.kind for joint in leg.joints]
        driven = [k for k, joint in enumerate(leg.joints) if joint.actuated]
        chain = all(joint.parent == k - 1 and joint.mimic is None for k, joint in enumerate(leg.joints))
        if kinds != ["R", "R", "R"] or driven != [0] or not chain or leg.end.kind != "rigid" or not _meet(robot):
            return None
        last = leg.joints[2]
        axis = np.array(last.axis, dtype=float)
        v.append(np.array(leg.end.platform_rotation) @ np.array(leg.end.rotation).T @ axis)
        c.append(float(np.array(leg.joints[1].axis) @ (np.array(last.rotation) @ axis)))

    def equations(q: Vector) -> dict[str, Vector]:
        found, rates = [], []
        for leg, value in zip(robot.legs, q, strict=True):
            links: list[Link] = []
            angle = value + leg.joints[0].zero
            add_link(leg, 0, Turn(cos(angle), sin(angle)), links)
            w = joint_rotation(parent_frame(leg, 1, links)[0], leg.joints[1]) @ array(leg.joints[1].axis)
            found.append(w)
            rates.append(cross(links[0].e, w))
        return {"w": array(found), "rate": array(rates)}

    directions = ChainDirections(Program(record(equations, q=3)), np.array(v), np.array(c))
    return Spherical(directions, np.array(platform.position, dtype=float))


def _meet(robot: Mechanism) -> bool:
    """Whether all joints of all legs are at the platform's origin, which stays, or their axes pass through it."""
    centre = np.array(robot.platform.position, dtype=float)
    for leg in robot.legs:
        R, p = np.array(leg.rotation, dtype=float), np.array(leg.position, dtype=float)
        for joint in leg.joints:
            p = p + R @ np.array(joint.offset)
            R = R @ np.array(joint.rotation)
            axis = R @ np.array(joint.axis)
            if np.linalg.norm(np.cross(axis, centre - p)) > _MEET * (1.0 + np.linalg.norm(p)):
                return False
    return True
