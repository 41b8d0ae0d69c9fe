"""Cables with winches in simulation: slack is where the cable would have to push, not where the winch would."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from tests.dynamics.test_cables import WINCH, hung
from tests.support.robots import with_values

X, UP = np.array([0.0, 0.0, 3.0, 0.0, 0.0, 0.0]), np.array([0.0, 0.0, 0.5, 0.0, 0.0, 0.0])


def pulls(robot: gough.Robot, xdd_z: float) -> np.ndarray:
    """Forces of winches under which cables that could push would accelerate the platform, moving upwards."""
    free = with_values(robot, actuation=replace(robot.actuation, criterion="least-norm"))
    return gough.inverse_dynamics(free, gough.State(X, UP, np.array([0.0, 0.0, xdd_z, 0.0, 0.0, 0.0]))).force


def test_cables_without_winches_do_not_push() -> None:
    found = gough.simulate(hung({}), gough.State(X, UP), lambda t: np.full(8, 50.0), 0.04, samples=5)
    assert np.abs(found.xd[:, 2] - (0.5 - 9.81 * found.t)).max() <= 1e-12


@pytest.mark.parametrize("friction", [0.0, 25.0])
def test_a_platform_that_cables_would_push_falls_freely(friction: float) -> None:
    robot = hung(WINCH | {"viscous": 0.0, "coulomb": friction})
    force = pulls(robot, -10.5)
    assert gough.forward_dynamics(robot, gough.State(X, UP), force).tension.max() < 0.0
    found = gough.simulate(robot, gough.State(X, UP), lambda t: force, 0.04, samples=5)
    assert [event.kind for event in found.events] == ["slack"] * 8
    assert np.abs(found.xd[:, 2] - (0.5 - 9.81 * found.t)).max() <= 1e-12
    assert np.abs(found.balance).max() <= 1e-11 * found.kinetic.max()


def test_a_winch_that_brakes_a_cable_keeps_it_taut() -> None:
    """Lowered at a steady pace against friction, a winch may push and its cable still pulls."""
    robot = hung(WINCH | {"coulomb": 60.0})
    down = gough.inverse_dynamics(robot, gough.State(X, -UP, 0.0 * UP))
    assert down.force.min() > 0.0
    assert down.tension.min() > 15.0
    found = gough.simulate(robot, gough.State(X, -UP), lambda t: down.force, 0.01, samples=3)
    assert not found.events
    assert np.abs(found.xd[:, 2] + 0.5).max() <= 0.01 * 0.5, "poses change the tensions; friction fades at the slip"


def test_one_slack_cable_leaves_the_others_with_their_rotors() -> None:
    """The accelerations are those without the slack winch: its cable cut, the platform heavier by no rotor."""
    robot = hung(WINCH | {"coulomb": 0.0})
    force = pulls(robot, 0.0)
    force[0] += 60.0
    found = gough.simulate(robot, gough.State(X, UP), lambda t: force, 1e-3, samples=3, rtol=1e-10, atol=1e-12)
    assert [(event.kind, event.leg) for event in found.events] == [("slack", robot.legs[0].name)]
    own = 8e-5 * 33.3**2
    K = gough.inverse_kinematics(robot, X).K
    M = gough.dynamics_matrices(robot, gough.State(X, UP)).M + own * K[1:].T @ K[1:]
    moving = gough.inverse_kinematics(robot, gough.State(X, UP, 0.0 * UP))
    left = force - 3.0 * moving.joint_qd - own * moving.joint_qdd
    weight = np.array([0.0, 0.0, 12.0 * 9.81, 0.0, 0.0, 0.0])
    wanted = np.linalg.solve(M, K[1:].T @ left[1:] - weight)
    slope = (4.0 * found.xd[1] - found.xd[2] - 3.0 * found.xd[0]) / 1e-3
    assert np.abs(slope - wanted).max() <= 1e-4 * np.abs(wanted).max(), "h^2 of the difference"
