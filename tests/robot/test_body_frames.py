"""The frames of bodies in legs of known types are those that the texts of their keys state."""

import numpy as np
import pytest

import gough
from tests.support.guided_feet import lever
from tests.support.robots import build, load_tables

X, XD, XDD = [0.1], [0.0], [2.0]


def moment_per_inertia(key, axis):
    """What a moment of inertia about an axis of crank or rod adds to the motor's torque."""
    table = lever()
    one = gough.inverse_dynamics(load_tables(table), gough.State(X, XD, XDD))
    table["leg"][1][key]["inertia"][axis] += 1e-6
    other = gough.inverse_dynamics(load_tables(table), gough.State(X, XD, XDD))
    return (other.force - one.force).item() / 1e-6, one


def test_the_crank_turns_about_its_z_axis():
    robot = load_tables(lever())
    rate = gough.inverse_kinematics(robot, gough.State(X, XD, XDD)).qdd.item()
    for axis in (0, 1):
        assert moment_per_inertia("crank", axis)[0] == 0.0
    assert moment_per_inertia("crank", 2)[0] == pytest.approx(rate, rel=1e-6)  # a difference of 1e-6 in about 1e-1


@pytest.mark.parametrize("kind", ["RSS", "RRS", "RUU"])
def test_axes_of_crank_and_rod(kind):
    table = lever()
    table["leg"][1] |= {"type": kind, "platform": [-0.038, 0.030 if kind == "RRS" else 0.026, 0.008]}
    robot = build(table)
    home = np.array(robot.platform.home)
    bodies = gough.body_motion(robot, home)
    first = 1 + len(robot.legs[0].joints)
    second = first + (1 if kind[1] == "R" else 2)
    (crank_p, rod_p), (crank_R, rod_R) = bodies.p[[first, second]], bodies.R[[first, second]]
    base = np.array([-0.002, 0.030, 0.185])
    np.testing.assert_allclose(crank_p, base, atol=1e-15)
    np.testing.assert_allclose(crank_R[:, 2], [0, 1, 0], atol=1e-15)
    np.testing.assert_allclose(base + 0.035 * crank_R[:, 0], rod_p, atol=1e-15)
    if kind[1] == "R":
        np.testing.assert_allclose(rod_R[:, 2], [0, 1, 0], atol=1e-15)
    else:
        tip = np.array([-0.038, 0.026, 0.008])
        np.testing.assert_allclose(rod_p + 0.178 * rod_R[:, 0], tip, atol=1e-15)
