"""The lecture's terms of single legs: J_J, I_J, C_J of any robot, and u, zeta, Y, Z of the example."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import gough
from gough.dynamics.angeles import example_terms, has_twist_relation, leg_inertia, leg_jacobian, platform_complement
from gough.dynamics.contract import effort as effort_of
from gough.dynamics.orthogonal_complement import OrthogonalComplement, leg_complement
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import array, factor, jvp, record, solve
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.run import Program
from tests.support.dynamic_cases import case
from tests.support.motions import motion_near_home
from tests.support.readings import with_bodies

ROBOTS = ("sru", "spatial3", "hexapod", "SPS", "RSS")


@cache
def terms(name):
    """J, I, C, L, their rates along the motion and the sums over the legs, of all legs; x, xd, xdd."""
    robot = case(name)
    ways, n = ways_of(robot), len(robot.platform.coordinates)

    def equations(x, xd, xdd):
        pose = robot_pose(robot, ways, x)
        motion = RobotMotion(pose, xd, np.zeros(n))
        out = {"T": platform_complement(pose)}
        for k, leg in enumerate(pose.legs):
            L, (I, C) = leg_complement(pose, k), leg_inertia(motion, k)
            J = leg_jacobian(leg, pose.platform.p_BP)
            out |= {f"L {k}": L, f"I {k}": I, f"C {k}": C, f"J {k}": J}
            out |= {f"Ld {k}": jvp(L, x, xd), f"Id {k}": jvp(I, x, xd)}
        return out

    x, xd, xdd = motion_near_home(robot, 3, 31, 0.08)
    given = {"x": x, "xd": xd, "xdd": xdd}
    return robot, given, Program(record(equations, **dict.fromkeys(given, n)), "blocks")(**given)


def turned(matrices):
    return np.swapaxes(matrices, -1, -2)


def applied(matrix, vector):
    return np.einsum("nij,nj->ni", matrix, vector)


@pytest.mark.parametrize("name", ROBOTS)
def test_J(name):
    """J_J theta_d = t_M, or the velocity of the leg's end."""
    robot, given, found = terms(name)
    rates = gough.inverse_kinematics(robot, gough.State(given["x"], given["xd"])).joint_qd
    moves = gough.body_motion(robot, gough.State(**given))
    v, w, start = moves.v[:, 0], moves.w[:, 0], 0
    for k, leg in enumerate(robot.legs):
        own = applied(found[f"J {k}"], rates[:, start : start + len(leg.joints)])
        start += len(leg.joints)
        r = np.einsum("nij,j->ni", moves.R[:, 0], np.array(leg.end.platform_point))
        expected = v + np.cross(w, r) if leg.end.kind == "spherical" else np.concatenate([v, w], axis=1)
        assert own == pytest.approx(expected, abs=1e-13 * max(np.abs(expected).max(), 1.0))


def test_L_is_J_inverse_times_T():
    _, _, found = terms("sru")
    for k in range(6):
        own = np.linalg.solve(found[f"J {k}"], found["T"])
        assert own == pytest.approx(found[f"L {k}"], abs=1e-12 * np.abs(own).max())


@pytest.mark.parametrize("name", ROBOTS)
def test_I_and_C(name):
    """I is symmetric, Id - 2 C skew, and the sums over the legs are the legs' parts of M and N."""
    robot, given, found = terms(name)
    M = N = 0.0
    for k in range(len(robot.legs)):
        L, Ld, I, C, Id = (found[f"{key} {k}"] for key in ("L", "Ld", "I", "C", "Id"))
        size = np.abs(Id).max() + np.abs(C).max()
        assert np.abs(I - turned(I)).max() <= 1e-14 * np.abs(I).max()
        assert np.abs(Id - C - turned(C)).max() <= 1e-12 * size
        M, N = M + turned(L) @ I @ L, N + turned(L) @ (I @ Ld + C @ L)
    expected = own_matrices(name, given["x"], given["xd"])
    assert pytest.approx(expected["M"], abs=1e-12 * np.abs(M).max()) == M
    assert applied(N, expected["qd"]) == pytest.approx(expected["Nqd"], abs=1e-11 * np.abs(expected["Nqd"]).max())


def own_matrices(name, x, xd):
    """M and N qd of the robot with a massless platform, by the bodies' twists."""
    robot = case(name)
    bare = with_bodies(robot, **{robot.platform.body.name: massless})
    n = len(robot.platform.coordinates)
    ways = ways_of(bare)
    still = np.zeros(3)

    def equations(x, xd):
        pose = robot_pose(bare, ways, x)
        K = pose.jacobian()
        qd = K @ array(xd)
        # N qd is the effort of the motion with qdd = 0
        xdd = solve(factor(K), -(jvp(K, x, xd) @ array(xd)))
        effort = effort_of(OrthogonalComplement(), RobotMotion(pose, xd, xdd), still, None, bodies_of(bare))
        return {"M": OrthogonalComplement().actuator_mass_matrix(pose, factor(K)), "Nqd": effort, "qd": qd}

    return Program(record(equations, x=n, xd=n), "blocks")(x=x, xd=xd)


def bodies_of(robot):
    """Names of all bodies: what counts without friction."""
    return {joint.body.name for leg in robot.legs for joint in leg.joints}


def massless(body):
    return replace(body, mass=0.0, com=(0.0, 0.0, 0.0), inertia=(0.0,) * 6)


def test_twist_relation():
    """Z qd = Y t_M, T = Y^-1 Z, Z = diag(zeta), u as Y's first half."""
    robot, given, found = terms("sru")
    assert has_twist_relation(robot)
    ways = ways_of(robot)
    example = Program(record(lambda x: example_terms(robot_pose(robot, ways, x)), x=6), "blocks")(x=given["x"])
    assert example["Z"] == pytest.approx(np.einsum("nk,kl->nkl", example["zeta"], np.eye(6)), abs=0)
    assert np.linalg.solve(example["Y"], example["Z"]) == pytest.approx(
        found["T"], abs=1e-12 * np.abs(found["T"]).max()
    )
    assert np.array_equal(example["Y"][..., :3], example["u"])
    moves = gough.body_motion(robot, gough.State(**given))
    twist = np.concatenate([moves.v[:, 0], moves.w[:, 0]], axis=1)
    qd = gough.inverse_kinematics(robot, gough.State(given["x"], given["xd"])).qd
    assert applied(example["Z"], qd) == pytest.approx(applied(example["Y"], twist), abs=1e-14)


def test_samples_without_a_solution():
    robot = case("spatial3")
    home, still = np.array(robot.platform.home), np.zeros(3)
    found = gough.angeles_terms(robot, gough.State(np.stack([home, home + 5.0]), still))
    for values in (found.M, found.T, found.J["A"], found.I["C"], found.L["B"]):
        assert np.isfinite(values[0]).all()
        assert np.isnan(values[1]).all()
    with pytest.raises(gough.kinematics.PoseError, match="out of reach"):
        gough.angeles_terms(robot, gough.State(home + 5.0, still))
    with pytest.raises(gough.errors.InputError, match="xd: z is nan"):
        gough.angeles_terms(robot, gough.State(home, [0.0, np.nan, 0.0]))


def test_all_by_name_on_another_robot():
    robot, given, found = terms("spatial3")
    by_name = gough.angeles_terms(robot, gough.State(given["x"], given["xd"]))
    for k, leg in enumerate(robot.legs):
        for key in ("J", "I", "C", "L"):
            assert getattr(by_name, key)[leg.name] == pytest.approx(found[f"{key} {k}"], abs=1e-14)
    assert (by_name.u, by_name.zeta, by_name.Y, by_name.Z) == (None,) * 4
    assert not has_twist_relation(robot)
