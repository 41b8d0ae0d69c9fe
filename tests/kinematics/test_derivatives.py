"""Identities: rates are the exact derivative of closure, accelerations that of rates, K that of displacements."""

import numpy as np
import pytest

from gough import catalogue, load
from gough.graph import dot, jacobian, jvp, record
from gough.kinematics.programs import actuator_places, equations
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.run import Program
from tests.support.motions import motion_near_home
from tests.support.random_robots import KINDS, odd_robot, random_robot

EXACT = 1e-12  # relative to the largest of its kind


def derived(robot, newton=False):
    """Program of rates, accelerations and K as recorded, and as derivatives of what they should derive from."""
    ways = ways_of(robot, newton)
    places = actuator_places(robot)

    def both(x, xd, xdd):
        out = equations(robot_pose(robot, ways, x), xd, xdd)
        position, velocity = out["joint_q"], out["joint_qd"]
        return {
            "joint_qd": velocity,
            "joint_qdd": out["joint_qdd"],
            "K": out["K"],
            "joint_qd_derived": jvp(position, x, xd),
            "joint_qdd_derived": jvp(velocity, np.concatenate([x, xd]), np.concatenate([xd, xdd])),
            "K_derived": jacobian(position[places], x),
        }

    n = len(robot.platform.coordinates)
    return Program(record(both, x=n, xd=n, xdd=n), executor="blocks")


def assert_derived(robot, newton=False):
    x, xd, xdd = motion_near_home(robot, 12, 11)
    found = derived(robot, newton)(x=x, xd=xd, xdd=xdd)
    for name in ("joint_qd", "joint_qdd", "K"):
        expected = found[f"{name}_derived"]
        assert np.isfinite(found[name]).all()
        assert np.abs(found[name] - expected).max() <= EXACT * np.abs(expected).max(), name


@pytest.mark.parametrize("newton", [False, True])
@pytest.mark.parametrize("name", catalogue())
def test_catalogue(name, newton):
    assert_derived(load(name), newton)


@pytest.mark.parametrize("kind", KINDS)
def test_random_geometry(kind):
    assert_derived(random_robot(kind, 1))


@pytest.mark.parametrize("name", ["offset_universal", pytest.param("arm", marks=pytest.mark.slow)])
def test_legs_without_a_closed_form(name):
    assert_derived(odd_robot(name))


@pytest.mark.parametrize("newton", [False, True])
@pytest.mark.parametrize("name", [*catalogue(), "RSS", "PRU", "PPa"])
def test_efforts_spread_with_the_power_of_rates(name, newton):
    """f.v + m.w = sum of efforts times rates: the transpose of the legs' own solve."""
    robot = load(name) if name in catalogue() else random_robot(name, 2)
    ways = ways_of(robot, newton)
    rng = np.random.default_rng(3)
    xs, xds, _ = motion_near_home(robot, 3, 12)
    for x, xd in zip(xs, xds, strict=True):
        pose = robot_pose(robot, ways, x)
        v, w = pose.platform.twist(xd)
        for leg in pose.legs:
            v_end = v + np.cross(w, leg.r_end)
            rates = leg.closure.solve(v_end, w)
            efforts = {k: rng.normal() for k in rates}
            f, m = leg.closure.spread(efforts)
            power = sum(efforts[k] * rates[k] for k in rates)
            size = sum(abs(efforts[k] * rates[k]) for k in rates)
            assert abs(dot(f, v_end) + dot(m, w) - power) < 1e-13 * size
