"""A sixth formulation, written here, works wherever one of gough's does: no code knows them by name or type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import gough
from gough.dynamics import GeneralizedMomentum, NewtonEuler, VirtualWork
from gough.dynamics.distribution import Demand
from gough.dynamics.generalized_forces import friction_force, wrench_force
from gough.dynamics.matrices import SolvedFor
from gough.dynamics.moving_base import across_rod, spin_rate_across_rod
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import array, cross, dot
from gough.kinematics.bodies import body_accelerations, body_poses, body_velocities
from gough.reports import operation_counts, verify


@dataclass(frozen=True)
class Gauss:
    """Gauss's principle of least constraint: the slope of sum (a - g) m (a - g) / 2 in the platform's accelerations."""

    name: ClassVar[str] = "gauss"
    solved_for: ClassVar[SolvedFor] = SolvedFor.FREE_RATES
    matrix_coordinates: ClassVar[None] = None
    yardstick: ClassVar[bool] = False

    def demand(self, motion, gravity, wrench, bodies=None):
        K = motion.pose.jacobian()
        Q = self._slope(motion, gravity, bodies)
        if wrench is not None:
            Q = Q - wrench_force(motion.pose, wrench)
        return Demand(K, Q if bodies is not None else Q - friction_force(motion), np.zeros(len(K)))

    def bias(self, motion, gravity, wrench):
        return self.demand(motion.without_acceleration(), gravity, wrench).Q

    def mass_matrix(self, pose):
        still = np.zeros(pose.platform.dof)
        columns = [self._slope(RobotMotion(pose, still, unit), np.zeros(3), None) for unit in np.eye(len(still))]
        return np.stack(columns, axis=1)

    def _slope(self, motion, gravity, bodies):
        pose = motion.pose
        counted = body_poses(pose, bodies)
        t, r = motion.twist, motion.twist_rate
        twists = body_velocities(pose, counted, t.v, t.w)
        rates = body_accelerations(pose, counted, (t.v, t.w), (r.a, r.wd))
        columns = [body_velocities(pose, counted, v, w) for v, w in pose.platform.columns]
        Q = []
        for column in columns:
            total = 0.0
            for b, (v, w), (a, wd), (da, dwd) in zip(counted, twists, rates, column, strict=True):
                if motion.base is not None:  # a base that turns adds its own accelerations
                    a, wd = motion.base.acceleration(b.c, v, a), motion.base.spin_rate(w, wd)
                    w = w + motion.base.w
                    w, wd = across_rod(b, w), spin_rate_across_rod(b, w, wd)
                I = b.tensor()
                total = total + dot(da, (a - gravity) * b.body.mass) + dot(dwd, I @ wd + cross(w, I @ w))
            Q.append(total)
        return array(Q)


ROBOTS = ["stewart", "hexapod", "delta", "planar3rrr"]


@pytest.fixture(params=ROBOTS)
def robot(request):
    return gough.load(request.param)


def state(robot):
    rng = np.random.default_rng(5)
    n = len(robot.platform.coordinates)
    return np.array(robot.platform.home) + 0.02 * rng.normal(size=n), rng.normal(size=n), rng.normal(size=n)


def test_inverse(robot):
    x, xd, xdd = state(robot)
    wrench = [1, 2, 3, 0.1, 0.2, 0.3]
    ours = gough.inverse_dynamics(robot, x, xd, xdd, wrench)
    theirs = gough.inverse_dynamics(robot, x, xd, xdd, wrench, Gauss())
    np.testing.assert_allclose(theirs.force, ours.force, rtol=1e-11, atol=1e-12 * np.abs(ours.force).max())
    parts, expected = theirs.parts(), ours.parts()
    for name, values in expected.items():
        np.testing.assert_allclose(parts[name], values, rtol=1e-9, atol=1e-11 * np.abs(ours.force).max())


def test_forward(robot):
    x, xd, xdd = state(robot)
    force = gough.inverse_dynamics(robot, x, xd, xdd, formulation=Gauss()).force
    back = gough.forward_dynamics(robot, x, xd, force, formulation=Gauss())
    np.testing.assert_allclose(back.xdd, xdd, rtol=1e-10, atol=1e-10)


def test_simulation():
    robot = gough.load("spatial3")
    runs = [gough.simulate(robot, None, None, 0.05, formulation=f, samples=3) for f in ("auto", Gauss())]
    np.testing.assert_allclose(runs[1].x, runs[0].x, rtol=0, atol=1e-11)


@pytest.mark.parametrize("formulation", ["orthogonal_complement", "generalized_momentum", "lagrange"])
def test_simulation_by_every_formulation_with_forward_dynamics(formulation):
    robot = gough.load("spatial3")
    ours = gough.simulate(robot, None, None, 0.05, samples=3)
    theirs = gough.simulate(robot, None, None, 0.05, formulation=formulation, samples=3)
    np.testing.assert_allclose(theirs.x, ours.x, rtol=0, atol=1e-11)


def test_verify_and_count():
    robot = gough.load("planar3rrr")
    certificate = verify(robot, 20, formulations=(NewtonEuler(), VirtualWork(), Gauss()))
    assert certificate.passed
    assert "gauss" in {a.run.formulation for a in certificate.agreements}
    (counted,) = operation_counts(robot, (Gauss(),))
    assert counted.formulation == "gauss"
    assert counted.total.flops > 500


def test_equal_formulations_are_one_model():
    assert VirtualWork() == VirtualWork()
    assert hash(GeneralizedMomentum()) == hash(GeneralizedMomentum())
    from gough.dynamics.force_programs import Model, inverse_program

    robot = gough.load("planar3rrr")
    assert inverse_program(Model(robot, VirtualWork())) is inverse_program(Model(robot, VirtualWork()))


def test_one_without_forward_dynamics_is_refused_by_name():
    with pytest.raises(gough.errors.InputError, match="'virtual_work': has no mass matrix; choose newton_euler"):
        gough.simulate(gough.load("planar3rrr"), None, None, 0.1, formulation=VirtualWork())
