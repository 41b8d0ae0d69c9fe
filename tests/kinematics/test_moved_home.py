"""`with_home`: the same machine, read back from its file."""

import numpy as np
import pytest

import gough
from gough import loads
from gough.kinematics.kinematic_checks import kinematic_faults
from gough.kinematics.moved_home import with_home
from gough.kinematics.programs import characteristic_length
from tests.support.random_robots import moved as moved_as_a_whole
from tests.support.random_robots import turn


@pytest.mark.parametrize("name", ["cable8", "delta", "planar3rrr", "rotary", "rps3", "sru", "stewart"])
def test_the_machine_stays_the_same(name):
    robot = gough.load(name)
    step = 0.02 * characteristic_length(robot) * np.random.default_rng(0).uniform(-1.0, 1.0, robot.dof)
    x = robot.platform.home + step
    moved = loads(with_home(robot, x).to_toml())
    np.testing.assert_array_equal(moved.platform.home, x)
    own, other = (gough.inverse_kinematics(machine, x + step) for machine in (robot, moved))
    np.testing.assert_allclose(other.joint_q, own.joint_q, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(other.q, own.q, rtol=1e-13, atol=1e-14)
    forces = [gough.inverse_dynamics(machine, gough.State(x, 0 * x, 0 * x + 1.0)).force for machine in (robot, moved)]
    np.testing.assert_allclose(*forces, rtol=1e-11)


def test_translations_are_along_the_axes_of_the_platform_at_home():
    """A machine that is turned as a whole has the same displacements of its actuators."""
    robot = gough.load("stewart")
    turned = moved_as_a_whole(robot, turn(np.random.default_rng(1)), np.zeros(3))
    x = np.add(robot.platform.home, (0.1, 0.05, -0.02, 0.1, -0.2, 0.05))
    own, other = (gough.inverse_kinematics(machine, x).q for machine in (robot, turned))
    np.testing.assert_allclose(other, own, atol=1e-13)


def test_a_home_away_from_the_starts_is_one_line_that_says_what_helps():
    text = gough.load("stewart").explicit().to_toml()
    (fault,) = kinematic_faults(loads(text).replace({"platform.home.2": 2.5}))
    assert fault.path == ("platform", "home")
    assert fault.allowed == (
        "the joints of all 6 legs start at another home: P of leg 1 at 2.285 m, but at this home it is at 2.733 m"
    )
    assert fault.hint == "move the starts too, or leave start out of every joint and state branch"
    free = "\n".join(line for line in text.splitlines() if not line.startswith("start = "))
    assert kinematic_faults(loads(free).replace({"platform.home.2": 2.5})) == []
    (fault,) = kinematic_faults(loads(text).replace({"leg.1.joint.3.start": 1.0}))
    assert fault.allowed.startswith("must be within 0.1143 m of an assembly at home")
