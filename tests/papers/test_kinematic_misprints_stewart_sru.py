"""Misprints of the velocity equations of Lopes (002) and of the lecture after Angeles (003)."""

import numpy as np
import pytest

from gough import State, load
from gough.kinematics import inverse_kinematics
from gough.kinematics.robot_pose import robot_pose, ways_of
from tests.papers.test_kinematics import sru_motion, sru_twist_matrix, trig3
from tests.support.random_robots import odd_robot

TIMES = (0.4, 0.8, 1.2, 1.6)


def stewart_leg(t, leg=0):
    """l, v_P, n, omega_l of (30), (31), (34), with the platform's own twist."""
    robot = load("stewart")
    x, xd, xdd = trig3(t, 1.0)
    pose = robot_pose(robot, ways_of(robot), x)
    v, w = pose.platform.twist(xd)
    l = pose.platform.p_BP + pose.legs[leg].r_end - np.array(robot.legs[leg].position)
    v_P = v + np.cross(w, pose.legs[leg].r_end)
    found = inverse_kinematics(robot, State(x, xd, xdd))
    return l, v_P, l / np.linalg.norm(l), np.cross(l, v_P) / (l @ l), found, pose, (v, w)


@pytest.mark.parametrize("t", TIMES)
def test_stewart_33_holds_only_across_the_leg(t):
    """omega_l x l = v_P leaves out the leg's own stretching ld n; with it the two agree. (34) is right."""
    l, v_P, n, omega, found, _, _ = stewart_leg(t / 4)
    printed = np.cross(omega, l) - v_P
    corrected = np.cross(omega, l) + found.qd[0] * n - v_P
    assert np.abs(corrected).max() < 1e-14 * max(1.0, np.abs(v_P).max())
    np.testing.assert_allclose(printed, -found.qd[0] * n, rtol=0, atol=1e-13)
    assert np.linalg.norm(printed) > 0.5


@pytest.mark.parametrize("t", TIMES)
def test_stewart_32_has_the_unit_vector(t):
    """Velocity of the cylinder's centre: omega x b_C n; with the dotted l of the print it is something else."""
    b_C = 0.5
    l, v_P, n, omega, _, pose, (v, w) = stewart_leg(t / 4)
    twist = pose.legs[0].twists(v, w)[1]
    centre = twist.v + np.cross(twist.w, b_C * n)
    assert np.abs(np.cross(omega, b_C * n) - centre).max() < 1e-14
    speed = np.linalg.norm(centre)
    assert np.linalg.norm(np.cross(omega, b_C * v_P) - centre) > 0.2 * speed
    assert np.linalg.norm(np.cross(omega, b_C * l) - centre) > speed


def knee_rows(pose, twist_sign=-1.0, last="r6"):
    """Y and Z of the lecture: zeta qd = y.t; printed: + omega x r_1, or r_5 in u_J."""
    C = pose.platform.p_BP
    Y, Z = [], []
    for leg in pose.legs:
        e = [link.e for link in leg.links]
        r = [C - link.p for link in leg.links]
        arm6 = (r[5] if last == "r6" else r[4]) - r[0]
        u = np.cross(np.cross(e[4], r[4] - r[0]), np.cross(e[5], arm6))
        Z.append(u @ np.cross(e[3], r[3] - r[0]))
        Y.append(np.concatenate([twist_sign * np.cross(r[0], u), u]))
    return np.array(Y), np.diag(Z)


def largest_difference(robot, count=31, **printed):
    """Largest entry of T = Y^-1 Z less S K^-1 on a second of the companion's motion."""
    ways = ways_of(robot)
    worst = 0.0
    for t in np.linspace(0, 1, count):
        x = sru_motion(t)[0]
        pose = robot_pose(robot, ways, x)
        Y, Z = knee_rows(pose, **printed)
        T = sru_twist_matrix(x) @ np.linalg.inv(pose.jacobian())
        worst = max(worst, np.abs(np.linalg.solve(Y, Z) - T).max())
    return worst


def test_sru_twist_relation():
    """cdot - omega x r_1; with the plus sign of the print T is off by 1.07."""
    robot = load("sru")
    assert largest_difference(robot) < 1e-13
    assert largest_difference(robot, twist_sign=1.0) == pytest.approx(1.07, abs=0.005)


def test_sru_u_needs_r6_only_where_the_wrist_is_offset():
    """r_5 for r_6 is harmless in the lecture's machine, wrong once the axes of the universal joint do not meet."""
    assert largest_difference(load("sru"), last="r5") < 1e-13
    offset = odd_robot("arm")
    assert largest_difference(offset, 3) < 1e-12
    assert largest_difference(offset, 3, last="r5") > 1e-3


def test_sru_third_column_has_the_sixth_axis():
    """A_J J_J: the last column is e_6 x (r_6 - r_1); the print repeats the fifth."""
    robot = load("sru")
    x, xd, _ = sru_motion(0.3)
    pose = robot_pose(robot, ways_of(robot), x)
    v, w = pose.platform.twist(xd)
    for leg in pose.legs:
        rates = leg.rates(v, w)
        e, r = [link.e for link in leg.links], [pose.platform.p_BP - link.p for link in leg.links]
        known = sum(np.cross(e[k], r[k] - r[0]) * rates[k] for k in (3, 4))
        rhs = v - np.cross(w, r[0])
        assert np.abs(known + np.cross(e[5], r[5] - r[0]) * rates[5] - rhs).max() < 1e-14
        assert np.abs(known + np.cross(e[4], r[4] - r[0]) * rates[4] - rhs).max() > 1e-3
