"""What every joint transmits, by Pinocchio: loop forces from its own constraint Jacobian, then recursive Newton-Euler.

The efforts that the motion takes are what the loops (C^T lambda), the motors and friction give. Pinocchio's C says how
much of lambda that settles. The loop forces then act on the cut tree as external ones, and recursive Newton-Euler tells
the spatial force through every joint.
"""

from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from gough.kinematics import inverse_kinematics
from tests.support.pinocchio_dynamics import Oracle

NULL = 1e-10
"""Singular values of the loop equations below this share of the largest are zero."""


@dataclass(frozen=True)
class Transmitted:
    """Wrenches through the joints of one sample, in base axes about the joints' points, moments by leg and joint.

    Attributes:
        points: (3,) by (leg, joint); "end" in place of a joint for the one on the platform.
        wrenches: (6,) force and moment that the side of the base exerts.
        stresses: (6, nullity) how each unit null vector of the loop equations changes them.
        residual: What the loop equations leave over, of the largest effort.
    """

    points: dict
    wrenches: dict
    stresses: dict
    residual: float


class ReactionOracle(Oracle):
    """Reactions of one robot, sample by sample."""

    def __init__(self, robot):
        super().__init__(robot)
        self.bare = self.tree.model.copy()
        self.bare.gravity = pin.Motion.Zero()

    def reactions(self, x, xd, xdd, wrench):
        """One `Transmitted` per sample."""
        position = inverse_kinematics(self.robot, x).joint_q
        return [self._sample(*sample) for sample in zip(position, x, xd, xdd, wrench, strict=True)]

    def _sample(self, position, x, xd, xdd, wrench):
        model = self.tree.model
        q, v, a, C = self.motion(position, x, xd, xdd)
        outer = self._on_platform(wrench)
        needed, _ = self.recursion(model, q, v, a, outer)
        for joint, place in zip(self.joints, self.places, strict=True):
            needed[place] += 0.0 if joint.actuated else joint.viscous * v[place]
        motors = [place for joint, place in zip(self.joints, self.places, strict=True) if joint.actuated]
        system = np.hstack([C.T, np.eye(model.nv)[:, motors]])
        U, s, Vt = np.linalg.svd(system)
        rank = int((s > NULL * s[0]).sum())
        found = Vt[:rank].T @ ((U[:, :rank].T @ needed) / s[:rank])
        residual = float(np.abs(system @ found - needed).max() / np.abs(needed).max())
        still = np.zeros(model.nv)
        given = self._through(model, q, v, a, self._with_ends(found, outer), found)
        changes = [self._through(self.bare, q, still, still, self._with_ends(n, None), n) for n in Vt[rank:]]
        points = {key: self._point(key) for key in given}
        stresses = {key: np.array([change[key] for change in changes]).reshape(-1, 6).T for key in given}
        return Transmitted(points, given, stresses, residual)

    def _on_platform(self, wrench):
        """External forces of a wrench at the origin of P in base axes."""
        outer = pin.StdVec_Force()
        outer.extend([pin.Force.Zero()] * self.tree.model.njoints)
        R = self.tree.data.oMi[self.tree.platform].rotation
        outer[self.tree.platform] = pin.Force(R.T @ wrench[:3], R.T @ wrench[3:])
        return outer

    def _ends(self, multipliers):
        """(6,) for each leg: what its end exerts on the platform there, base axes."""
        at, found = 0, []
        for leg in self.robot.legs:
            size = 6 if leg.end.kind == "rigid" else 3
            found.append(-np.concatenate([multipliers[at : at + size], np.zeros(6 - size)]))
            at += size
        return found

    def _with_ends(self, multipliers, outer):
        """External forces of the loops on both sides of every cut, added to those given."""
        total = self._on_platform(np.zeros(6)) if outer is None else outer.copy()
        for ends, wrench in zip(self.tree.ends, self._ends(multipliers), strict=True):
            for frame, sign in zip(ends, (-1.0, 1.0), strict=True):
                joint, place = self.tree.model.frames[frame].parentJoint, self.tree.data.oMf[frame]
                aligned = pin.SE3(np.eye(3), place.translation)
                at_joint = self.tree.data.oMi[joint].actInv(aligned.act(pin.Force(sign * wrench)))
                total[joint] = total[joint] + at_joint
        return total

    def recursion(self, model, q, v, a, outer):
        """(nv,) efforts that a motion takes under external forces, and the spatial force through every joint."""
        tau = pin.rnea(model, self.tree.data, q, v, a, outer)
        return tau, list(self.tree.data.f)

    def _through(self, model, q, v, a, outer, multipliers):
        data, (_, forces) = self.tree.data, self.recursion(model, q, v, a, outer)
        found = {}
        for number, ids in enumerate(self._original()):
            for k, joint in enumerate(ids):
                R, f = data.oMi[joint].rotation, forces[joint]
                found[number, k] = np.concatenate([R @ f.linear, R @ f.angular])
        return found | {(number, "end"): wrench for number, wrench in enumerate(self._ends(multipliers))}

    def _original(self):
        """Joint ids by leg without the axes that were added for free spin."""
        return [
            [i for k, i in enumerate(ids) if number not in self.free or k != self.turn[number] + 1]
            for number, ids in enumerate(self.tree.joints)
        ]

    def _point(self, key):
        number, k = key
        if k == "end":
            return self.tree.data.oMf[self.tree.ends[number][0]].translation.copy()
        return self.tree.data.oMi[self._original()[number][k]].translation.copy()


def moved(wrench, arm):
    """Force and moment about a point from those at a point `arm` away: (6,) or (6, k)."""
    return np.concatenate([wrench[:3], wrench[3:] + np.cross(arm, wrench[:3], axisb=0, axisc=0)])


def section(found, leg, joints, point):
    """(6,) wrench of a `Transmitted` through a section about a point, and (6,) how far a unit stress changes it."""
    keys = [(leg, k) for k in joints or ("end",)]
    assert np.abs(found.points[keys[0]] - point).max() < 1e-12
    arms = [found.points[key] - point for key in keys]
    wrench = sum(moved(found.wrenches[key], arm) for key, arm in zip(keys, arms, strict=True))
    stress = sum(moved(found.stresses[key], arm) for key, arm in zip(keys, arms, strict=True))
    return wrench, np.abs(stress).max(axis=1, initial=0.0)
