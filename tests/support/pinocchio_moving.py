"""A robot on a base whose pose and rates are prescribed, as Pinocchio sees it: the tree on a free-flyer."""

from functools import cache

import numpy as np
import pinocchio as pin

from tests.dynamics.test_springs import sprung
from tests.support.dynamic_cases import case
from tests.support.forces import states
from tests.support.pinocchio_dependent import oracle_of
from tests.support.pinocchio_dynamics import Oracle, _rod
from tests.support.pinocchio_reactions import ReactionOracle
from tests.support.pinocchio_tree import build_tree


class MovingOracle(Oracle):
    """Forces on a base whose pose and rates are prescribed; keeps what the base needs of the floor."""

    def __init__(self, robot):
        super().__init__(robot)
        self.moving = build_tree(self.tree.robot, moving=True)
        self.floor = []

    def put(self, pose, rates, accelerations):
        """Place, twist and spatial acceleration of the base, in its own axes."""
        self.base = pose, rates, accelerations

    def carried(self, q, v, a):
        """Configuration, rates and accelerations of the tree on its base."""
        pose, rates, accelerations = self.base
        full = [np.concatenate(pair) for pair in ((pose, q), (rates, v), (accelerations, a))]
        self._stop_spins(*full)
        return full

    def needed(self, q, v, a):
        tau = pin.rnea(self.moving.model, self.moving.data, *self.carried(q, v, a))
        self.floor.append(tau[:6])
        return tau[6:]

    def _stop_spins(self, q, v, a):
        """Legs on two spherical joints do not turn with the base about themselves: nothing makes them."""
        model, data = self.moving.model, self.moving.data
        for k in self.free:
            joint = self.moving.joints[k][self.turn[k] + 1]
            place, u = model.joints[joint].idx_v, _rod(self.robot.legs[k], self.turn[k])
            pin.forwardKinematics(model, data, q, v, a)
            v[place] -= u @ data.v[joint].angular
            pin.forwardKinematics(model, data, q, v, a)
            a[place] -= u @ data.a[joint].angular


class MovingReactionOracle(ReactionOracle, MovingOracle):
    """Reactions on such a base."""

    def recursion(self, model, q, v, a, outer):
        """Efforts and forces through the joints, whose numbers are those of the tree on a base that stands still."""
        if model is self.bare:
            return super().recursion(model, q, v, a, outer)
        moved = pin.StdVec_Force()
        moved.extend([outer[0], *outer])
        tau = pin.rnea(self.moving.model, self.moving.data, *self.carried(q, v, a), moved)
        return tau[6:], list(self.moving.data.f)[1:]


def random_base(robot, rng):
    """Pose, twist and spatial acceleration of a base for `put`, and the nine numbers that gough takes."""
    R, p, v0 = pin.exp3(rng.normal(size=3)), rng.normal(size=3), rng.normal(size=3)
    w, wd, a = rng.normal(size=3), 3.0 * rng.normal(size=3), 4.0 * rng.normal(size=3)
    spatial = np.concatenate([a - np.cross(w, v0), wd])
    prescribed = pin.SE3ToXYZQUAT(pin.SE3(R, p)), np.concatenate([v0, w]), spatial
    return prescribed, np.concatenate([R.T @ np.array(robot.gravity) - a, w, wd])


@cache
def expected(name):
    """States of a robot, base motions (N, 9), forces and base wrenches by Pinocchio."""
    robot = case(name) if not name.startswith("sprung") else sprung(name.split()[1])
    given = states(robot, 4, 51, size=0.05)
    x, xd, xdd, wrench = given
    rng = np.random.default_rng(5)
    bases, forces, floors = [], [], []
    oracle = oracle_of(robot, MovingOracle)
    moving = oracle.inner if robot.platform.dependent else oracle
    for k in range(len(x)):
        prescribed, own = random_base(robot, rng)
        moving.put(*prescribed)
        bases.append(own)
        one = slice(k, k + 1)
        forces.append(oracle.forces(x[one], xd[one], xdd[one], wrench[one])[0])
        floors.append(moving.floor[-1])
    return robot, given, np.array(bases), np.array(forces), np.array(floors)
