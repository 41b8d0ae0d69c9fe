"""Actuator forces of machines with dependent motion by Pinocchio: the loops of the cut tree tell what follows what.

Of gough only the positions are taken, and they must close every loop of the tree.
"""

import numpy as np

from gough import State
from gough.kinematics import inverse_kinematics
from gough.kinematics.dependent.constraint import home_platform
from gough.kinematics.programs import kinematics_program
from tests.support.pinocchio_dynamics import Oracle, shared
from tests.support.pinocchio_tree import platform_rates
from tests.support.robots import with_values


def oracle_of(robot, kind=Oracle):
    """What computes the robot's forces, by Pinocchio or another `kind` of it."""
    return DependentOracle(robot, kind) if robot.platform.dependent else kind(robot)


def in_all_coordinates(robot, x, *rates):
    """The robot as if no coordinate were dependent, and its motion in all of them, by gough."""
    if not robot.platform.dependent:
        return robot, x, *rates
    moved = inverse_kinematics(robot, State(x, *rates))
    own = zip((x, *rates), (moved.dependent, moved.dependent_xd, moved.dependent_xdd), strict=False)
    full = [np.stack(robot.platform.in_order([*a.T], [*b.T]), axis=1) for a, b in own]
    return with_values(robot, platform=home_platform(robot)), *full


class DependentOracle:
    """Forces of one robot, sample by sample.

    Attributes:
        gap: The largest gap of a loop that was met [m or rad].
        inner: What computes the forces of a motion of all coordinates.
    """

    def __init__(self, robot, kind=Oracle):
        self.robot, self.gap = robot, 0.0
        self.inner = kind(with_values(robot, platform=home_platform(robot)))
        names = [c.name for c in robot.platform.all_coordinates]
        self.own = [names.index(name) for name in robot.coordinate_names]
        self.other = [k for k in range(len(names)) if k not in self.own]

    @property
    def misfit(self):
        """The largest residual of the loop equations that was met."""
        return max(self.gap, self.inner.misfit)

    spin = 0.0

    def forces(self, x, xd, xdd, wrench=None):
        """(N, actuators) forces; wrench (N, 6) or None."""
        d = kinematics_program(self.robot, 0)(x=x)["dependent"]
        full = np.stack(self.robot.platform.in_order([*x.T], [*d.T]), axis=1)
        position = inverse_kinematics(self.robot, x).joint_q
        given = [None] * len(x) if wrench is None else wrench
        return np.array([self._force(*sample) for sample in zip(position, full, xd, xdd, given, strict=True)])

    def _force(self, position, x, xd, xdd, wrench):
        oracle, tree = self.inner, self.inner.tree
        q = tree.configuration(oracle._with_spin(position), x)
        self.gap = max(self.gap, tree.gaps(q).max())
        size = len(x)
        T = np.stack([platform_rates(oracle.robot, x, unit, np.zeros(size))[0] for unit in np.eye(size)], axis=1)
        C, _ = oracle._constraint(q, np.zeros(tree.model.nv))
        rates = self._all(C, T, xd, np.zeros(len(C)))
        units = [self._all(C, T, unit, np.zeros(len(C))) for unit in np.eye(len(xd))]
        v = oracle._solved(C, T @ rates, np.zeros(len(C)))
        C, bias = oracle._constraint(q, v)
        drift = platform_rates(oracle.robot, x, rates, np.zeros(size))[1]
        second = self._all(C, T, xdd, -bias - C[:, tree.platform_places()] @ drift)
        q, v, a, C = oracle.motion(position, x, rates, second)
        effort = oracle.needed(q, v, a)
        motors = []
        for joint, place in zip(oracle.joints, oracle.places, strict=True):
            effort[place] += joint.viscous * v[place]
            if joint.actuated:
                effort[place] += joint.coulomb * np.sign(v[place]) + joint.rotor_inertia * joint.gear**2 * a[place]
                motors.append(place)
        if wrench is not None:
            R = tree.data.oMi[tree.platform].rotation
            effort[tree.platform_places()] -= np.concatenate([R.T @ wrench[:3], R.T @ wrench[3:]])
        G = np.array([oracle._solved(C, T @ unit, np.zeros(len(C))) for unit in units])
        return shared(G[:, motors], G @ effort)

    def _all(self, C, T, own, rhs):
        """Rates of all coordinates in order, those of the independent ones being `own`, with C v = rhs."""
        platform = self.inner.tree.platform_places()
        others = [k for k in range(C.shape[1]) if k not in platform]
        matrix = np.hstack([C[:, others], C[:, platform] @ T[:, self.other]])
        target = rhs - C[:, platform] @ T[:, self.own] @ own
        found, _, rank, _ = np.linalg.lstsq(matrix, target, rcond=1e-11)
        assert rank == matrix.shape[1]
        full = np.empty(T.shape[1])
        full[self.own], full[self.other] = own, found[len(others) :]
        return full
