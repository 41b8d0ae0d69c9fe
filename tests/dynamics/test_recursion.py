"""The papers' recursion on legs that the short cut would take: same forces, and it says which of the two ran."""

import numpy as np
import pytest

import gough
from gough import load
from gough.dynamics import FORMULATIONS, VirtualWork, inverse_dynamics, link_recursion, virtual_work
from gough.dynamics.angeles import platform_complement
from gough.dynamics.contract import choose
from gough.dynamics.force_programs import Model, force_graph
from gough.dynamics.orthogonal_complement import leg_complement
from gough.errors import InputError
from gough.graph import count, record
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.run import Program
from tests.support.dynamic_cases import CASES, case
from tests.support.forces import forces, states

THIN = (
    *("hexapod", "stewart", "stewart rescaled", "hexapod rescaled", "SPS", "PSS", "RSS", "driven_universal"),
    *("fivebar", "ankle loaded"),
)
"""Thin legs, and legs on two spherical joints whose bodies are not thin."""


def test_these_are_all_robots_with_a_short_cut():
    assert set(THIN) == {
        name for name in CASES if len(VirtualWork().legs_by_recursion(case(name))) < len(case(name).legs)
    }


@pytest.mark.parametrize("name", THIN)
def test_recursion_and_short_cut_agree(name):
    robot = case(name)
    x, xd, xdd, wrench = states(robot, 64, 41)
    short, full = (forces(robot, VirtualWork(way), x, xd, xdd, wrench) for way in ("auto", "full"))
    assert np.isfinite(full).all()
    assert np.abs(full - short).max() <= 1e-13 * np.abs(short).max()


@pytest.mark.parametrize(("recursion", "runs"), [("full", 6), ("auto", 0)])
def test_what_runs_on_the_hexapod(monkeypatch, recursion, runs):
    robot, ran = load("hexapod"), {"recursion": 0, "short cut": 0}

    def counted(name, function):
        def wrapper(*args):
            ran[name] += 1
            return function(*args)

        return wrapper

    monkeypatch.setattr(virtual_work, "link_recursion", counted("recursion", link_recursion.link_recursion))
    monkeypatch.setattr(virtual_work, "rod_motion", counted("short cut", virtual_work.rod_motion))
    force_graph.__wrapped__(Model(robot, VirtualWork(recursion)))
    assert ran == {"recursion": runs, "short cut": 6 - runs}
    assert VirtualWork(recursion).legs_by_recursion(robot) == tuple("ABCDEF")[:runs]


def test_the_result_says_which_ran():
    robot = load("hexapod")
    x, xd, xdd, _ = states(robot, 2, 42)
    assert inverse_dynamics(robot, gough.State(x, xd, xdd), formulation="virtual_work").formulation == "virtual_work"
    assert (
        inverse_dynamics(robot, gough.State(x, xd, xdd), formulation="virtual_work_full").formulation
        == "virtual_work_full"
    )
    assert choose("virtual_work_full") == VirtualWork("full")
    assert VirtualWork("full") not in FORMULATIONS


def test_the_default_keeps_its_operations():
    """Flops as in the README; the full recursion takes more."""
    robot = load("hexapod")
    flops = [count(force_graph(Model(robot, VirtualWork(way)))).flops for way in ("auto", "full")]
    assert flops[0] == 2365
    assert flops[1] > 1.5 * flops[0]


def test_another_recursion_is_refused():
    with pytest.raises(InputError, match="recursion 'none': choose auto or full"):
        VirtualWork("none")


@pytest.mark.parametrize("name", ["hexapod", "sru", "spatial3", "SPS", "PSS", "RUS"])
def test_link_wrenches_are_those_of_newton_and_euler(name):
    """F_k: m (a_c - g) of all that link k carries; M_k: the moment of these about its origin and the spin's rate."""
    robot = case(name)
    x, xd, xdd, wrench = states(robot, 4, 43)
    moves, found = (
        gough.body_motion(robot, gough.State(x, xd, xdd)),
        gough.link_wrenches(robot, gough.State(x, xd, xdd, wrench=wrench)),
    )
    assert found.names == moves.names
    bodies = [robot.platform.body, *[joint.body for leg in robot.legs for joint in leg.joints]]
    carried = carries(robot)
    for k in range(len(bodies)):
        F, M = np.zeros((2, len(x), 3))
        for b in carried[k]:
            body, R, w = bodies[b], moves.R[:, b], moves.w[:, b]
            xx, yy, zz, xy, xz, yz = body.inertia
            I = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ np.swapaxes(R, 1, 2)
            force = body.mass * (moves.a_c[:, b] - np.array(robot.gravity))
            spun = np.einsum("nij,nj->ni", I, moves.wd[:, b]) + np.cross(w, np.einsum("nij,nj->ni", I, w))
            F, M = F + force, M + spun + np.cross(moves.c[:, b] - moves.p[:, k], force)
        if k == 0:
            F, M = F - wrench[:, :3], M - wrench[:, 3:]
        size = np.abs(found.M).max() + np.abs(found.F).max()
        for ours, expected in ((found.F, F), (found.M, M)):
            in_base = np.einsum("nij,nj->ni", moves.R[:, k], ours[:, k])
            assert in_base == pytest.approx(expected, abs=1e-13 * size)


def carries(robot):
    """For the platform and every link the places of the bodies it carries, itself included."""
    found, start = [[0]], 1
    for leg in robot.legs:
        for k in range(len(leg.joints)):
            beyond = [k]
            for i, joint in enumerate(leg.joints[k + 1 :], k + 1):
                if joint.parent in beyond:
                    beyond.append(i)
            found.append([start + i for i in beyond])
        start += len(leg.joints)
    return found


def virtual_motions(robot, x):
    """T (N, 6, actuators) of the platform and L (N, joints, actuators) of all legs."""

    def equations(x):
        pose = robot_pose(robot, ways_of(robot), x)
        return {
            "T": platform_complement(pose),
            "L": np.concatenate([leg_complement(pose, k) for k in range(len(pose.legs))]),
        }

    return Program(record(equations, x=x.shape[1]), "blocks")(x=x)


@pytest.mark.parametrize("name", ["hexapod", "sru", "spatial3"])
def test_efforts_are_the_work_of_the_link_wrenches(name):
    """(21): virtual joint rates L times axis.M_k (axis.F_k for a slide), and the platform's T times its F and M."""
    robot = load(name)
    x, xd, xdd, wrench = states(robot, 4, 44)
    found, virtual = gough.link_wrenches(robot, gough.State(x, xd, xdd, wrench=wrench)), virtual_motions(robot, x)
    R = gough.body_motion(robot, gough.State(x, xd, xdd)).R[:, 0]
    held = np.concatenate([np.einsum("nij,nj->ni", R, part[:, 0]) for part in (found.F, found.M)], axis=1)
    total = np.einsum("nij,ni->nj", virtual["T"], held)
    for k, joint in enumerate(joint for leg in robot.legs for joint in leg.joints):
        through = (found.F if joint.kind == "P" else found.M)[:, k + 1] @ np.array(joint.axis)
        total = total + virtual["L"][:, k] * through[:, None]
    tau = inverse_dynamics(robot, gough.State(x, xd, xdd, wrench=wrench)).force
    assert total == pytest.approx(tau, abs=1e-12 * np.abs(tau).max())


def test_link_wrenches_of_one_pose_and_of_lost_ones():
    robot = load("hexapod")
    home = np.array(robot.platform.home)
    still = np.zeros(6)
    one = gough.link_wrenches(robot, home)
    assert one.F.shape == (19, 3)
    many = gough.link_wrenches(robot, np.stack([home, home + 5.0]))
    assert np.array_equal(many.F[0], one.F)
    assert np.isnan(many.M[1]).all()
    with pytest.raises(gough.kinematics.PoseError, match="out of reach"):
        gough.link_wrenches(robot, home + 5.0)
    with pytest.raises(InputError, match="xd: x is nan"):
        gough.link_wrenches(robot, gough.State(home, still * np.nan, still))
