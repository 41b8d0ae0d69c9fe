"""Velocities and accelerations of all bodies are the derivatives of their places, exactly."""

from functools import cache

import numpy as np
import pytest

import gough
from gough.errors import InputError
from gough.graph import jvp, record
from gough.kinematics.body_motion import motion_equations
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.run import Program
from tests.support.dynamic_cases import case
from tests.support.motions import motion_near_home

ROBOTS = ("stewart", "hexapod", "spatial3", "sru", "delta", "rotary", "planar3rrr", "SPS", "PSS", "RSS", "skew")


@cache
def derivatives(name):
    """p, c and R of all bodies and their first two derivatives along x + xd t + xdd t^2 / 2."""
    robot = case(name)
    ways, n = ways_of(robot), len(robot.platform.coordinates)

    def equations(x, xd, xdd):
        found = motion_equations(robot_pose(robot, ways, x), np.zeros(n), np.zeros(n))
        out = {}
        for key in ("p", "c", "R"):
            first = jvp(found[key], x, xd)
            out |= {f"{key}_d": first, f"{key}_dd": jvp(first, x, xd) + jvp(found[key], x, xdd)}
        return out

    x, xd, xdd = motion_near_home(robot, 5, 21, 0.08)
    given = {"x": x, "xd": xd, "xdd": xdd}
    exact = Program(record(equations, **dict.fromkeys(given, n)), "blocks")(**given)
    return robot, gough.body_motion(robot, gough.State(x, xd, xdd)), exact


def crossed(w):
    """(..., 3, 3) matrices of w x."""
    return np.swapaxes(np.cross(np.eye(3), w[..., None, :]), -1, -2) * -1.0


def near(found, expected):
    assert np.isfinite(found).all()
    assert found == pytest.approx(expected, abs=3e-13 * max(np.abs(expected).max(), 1.0))


@pytest.mark.parametrize("name", ROBOTS)
def test_points(name):
    """v, a of the frames' origins and v_c, a_c of the centres of mass."""
    _, found, exact = derivatives(name)
    for key, values in (("p_d", "v"), ("p_dd", "a"), ("c_d", "v_c"), ("c_dd", "a_c")):
        near(getattr(found, values), exact[key])


@pytest.mark.parametrize("name", [name for name in ROBOTS if not name.endswith("S")])
def test_turning(name):
    """dR/dt = w~ R, and its derivative."""
    _, found, exact = derivatives(name)
    W = crossed(found.w)
    near(W @ found.R, exact["R_d"])
    near((crossed(found.wd) + W @ W) @ found.R, exact["R_dd"])


@pytest.mark.parametrize("name", ["SPS", "PSS", "RSS"])
def test_legs_on_two_spherical_joints_do_not_spin(name):
    """w has no part along the rod, and turns the rod as it moves; so does wd: wd.n = -w.nd = 0."""
    robot, found, exact = derivatives(name)
    start = 1
    for leg in robot.legs:
        k = start + next(i for i, joint in enumerate(leg.joints) if joint.kind == "R" and i == _last_turn(leg))
        axis = np.array(leg.end.point) if any(leg.end.point) else np.array(leg.joints[-1].axis)
        n = found.R[:, k] @ axis / np.linalg.norm(axis)
        nd = exact["R_d"][:, k] @ axis / np.linalg.norm(axis)
        assert np.abs(np.sum(found.w[:, k] * n, axis=1)).max() < 1e-13
        near(np.cross(found.w[:, k], n), nd)
        assert np.abs(np.sum(found.wd[:, k] * n, axis=1)).max() < 1e-12
        start += len(leg.joints)


def _last_turn(leg):
    return max(i for i, joint in enumerate(leg.joints) if joint.kind == "R")


def test_in_body_axes():
    _, found, _ = derivatives("sru")
    own = found.in_body_axes()
    assert (found.axes, own.axes) == ("base", "body")
    assert own.in_body_axes() is own
    for key in ("v", "w", "a", "wd", "v_c", "a_c"):
        near(np.einsum("nkij,nkj->nki", found.R, getattr(own, key)), getattr(found, key))
    assert np.array_equal(own.p, found.p)


def test_names_and_the_platform():
    robot = gough.load("stewart")
    x = np.array(robot.platform.home)
    found = gough.body_motion(robot, gough.State(x, [0.1, 0, 0, 0, 0, 0], np.zeros(6)))
    assert found.names[:5] == ("platform", "1.U1", "1.U2", "1.P", "2.U1")
    assert found.p.shape == (19, 3)
    assert np.array_equal(found.v[0], [0.1, 0, 0])
    assert np.array_equal(found.p[0], x[:3])


def test_samples_without_a_solution():
    robot = gough.load("hexapod")
    home = np.array(robot.platform.home)
    found = gough.body_motion(robot, np.stack([home, home + 5.0]))
    assert np.isfinite(found.a[0]).all()
    assert np.isnan(found.v[1]).all()
    assert np.isnan(found.R[1]).all()
    with pytest.raises(gough.kinematics.PoseError, match="out of reach"):
        gough.body_motion(robot, home + 5.0)
    with pytest.raises(InputError, match="xdd: y is inf"):
        gough.body_motion(robot, gough.State(home, np.zeros(6), [0, np.inf, 0, 0, 0, 0]))
