"""Wrenches at the tool: the lever is part of the equations, in every call that takes a wrench."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import gough
from gough.dynamics import FORMULATIONS
from gough.dynamics.force_programs import Model, inverse_graph
from gough.kinematics.random_states import random_states
from tests.cli.running import outcome
from tests.codegen.compiled import Library, tool
from tests.support.spindle_heads import head_file

ROBOTS = ("stewart", "rps3", "planar4rrr", "cable8", "spatial3")
"""Six coordinates, dependent ones, more actuators than coordinates, cables, three turns."""
POINT = np.array([0.07, -0.05, 0.11])
WEAK = 0.02
"""Of the wrenches of other machines, those that cables bear."""
CLOSE = 1e-9
"""Of the largest value: condition numbers are below 1e4."""
FILE = """
name = "mill"
[units]
length = "mm"
angle = "deg"
inertia = "kg m^2"
[platform]
coordinates = {{ x = "x", y = "y", z = "z", C = "rz", B = "ry", A = "rx" }}
home = [0, 0, {home}, 0, 0, 0]
mass = 85
com = [0, 0, {com}]
inertia = [1.9, 1.9, 2.6]
[legs]
type = "UPS"
base = {{ radius = 750, half_angle = 10, z = 1500 }}
platform = {{ radius = 260, half_angle = 12, z = {above} }}
actuator = {{ stroke = [900, 1500], force = 1200 }}
[stiffness]
actuator = "150 N/um"
{tool}
"""
TIP = (0.0, 0.0, -0.18)
FORCE = (500.0, -200.0, 800.0, 3.0, 5.0, -7.0)


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    """The same machine three times: with its platform's origin in the plane of the joints, there with a tool at the
    tip below, and with its origin at the tip.
    """
    folder = tmp_path_factory.mktemp("mills")
    found = []
    table = "[tool]\nposition = [0, 0, -180]"
    for name, home, com, above, text in (
        ("joints", 430, -20, 0, ""),
        ("tool", 430, -20, 0, table),
        ("tip", 250, 160, 180, ""),
    ):
        (folder / f"{name}.toml").write_text(FILE.format(home=home, com=com, above=above, tool=text))
        found.append(folder / f"{name}.toml")
    return found


@cache
def plain(name):
    return gough.load(name)


@cache
def tooled(name):
    return plain(name).with_tool(POINT, {"axis": [0, 0, 1], "angle": "30 deg"})


@cache
def states(name):
    found = random_states(plain(name), 6, seed=3)
    if name != "cable8":
        return found
    home = np.array(plain(name).platform.home)
    x = home + 0.05 * (found.x - home) / np.abs(found.x - home).max()
    return replace(found, x=x, xd=0.1 * found.xd, xdd=0.1 * found.xdd, wrench=WEAK * found.wrench)


def by_hand(name, s):
    """(N, 6) wrenches at the platform's origin that do what those of the states do at the tool."""
    R = gough.body_motion(plain(name), gough.State(s.x, s.xd, s.xdd)).R[:, 0]
    moved = s.wrench.copy()
    moved[:, 3:] += np.cross(R @ POINT, s.wrench[:, :3])
    return moved


def close(found, expected, tolerance=CLOSE):
    assert np.isfinite(expected).any()
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * np.nanmax(np.abs(expected)))


@pytest.mark.parametrize(
    ("name", "formulation"),
    [(name, f.name) for name in ROBOTS for f in FORMULATIONS if not f.yardstick or name in ("rps3", "planar4rrr")],
)  # the graphs of Lagrange's equations are large
def test_forces_are_those_with_the_moment_added_by_hand(name, formulation):
    s = states(name)
    given = (s.x, s.xd, s.xdd)
    own = gough.inverse_dynamics(tooled(name), gough.State(*given, wrench=s.wrench), formulation=formulation)
    hand = gough.inverse_dynamics(plain(name), gough.State(*given, wrench=by_hand(name, s)), formulation=formulation)
    np.testing.assert_array_equal(own.status, hand.status)
    close(own.force, hand.force)
    close(own.base_wrench, hand.base_wrench)
    if name != "cable8":
        close(own.parts()["external"], hand.parts()["external"])


@pytest.mark.parametrize("name", ROBOTS)
def test_accelerations_and_reactions_are_those_with_the_moment_added_by_hand(name):
    s, hand = states(name), by_hand(name, states(name))
    force = gough.inverse_dynamics(plain(name), gough.State(s.x, s.xd, s.xdd, wrench=hand)).force
    for formulation in ("newton_euler", "orthogonal_complement", "generalized_momentum"):
        found = gough.forward_dynamics(
            tooled(name), gough.State(s.x, s.xd, wrench=s.wrench), force, formulation=formulation
        )
        close(found.xdd, s.xdd, 1e-7)
    given = (s.x, s.xd, s.xdd)
    own, other = (
        gough.joint_reactions(tooled(name), gough.State(*given, wrench=s.wrench)),
        gough.joint_reactions(plain(name), gough.State(*given, wrench=hand)),
    )
    close(own.joint_force, other.joint_force)
    close(own.joint_moment, other.joint_moment)
    own, other = (
        gough.link_wrenches(tooled(name), gough.State(*given, wrench=s.wrench)),
        gough.link_wrenches(plain(name), gough.State(*given, wrench=hand)),
    )
    close(own.F, other.F)
    close(own.M, other.M)


@pytest.mark.parametrize("name", ["stewart", "rps3"])
def test_derivatives_are_those_of_forces_whose_lever_turns(name):
    """By central differences: what is left of third order and round-off is 1e-7 of the largest."""
    robot, s, step = tooled(name), states(name), 1e-5
    x, xd, xdd, wrench = s.x[0], s.xd[0], s.xdd[0], s.wrench[0]
    wrt = ("x", "wrench", "tool.position.z")
    found = gough.force_derivatives(robot, gough.State(x, xd, xdd, wrench=wrench), wrt=wrt)

    def force(machine=robot, **changed):
        return gough.inverse_dynamics(
            machine, gough.State(**{"x": x, "xd": xd, "xdd": xdd, "wrench": wrench} | changed)
        ).force

    rows = [step * row for row in np.eye(robot.dof)]
    by_x = np.transpose([(force(x=x + row) - force(x=x - row)) / (2 * step) for row in rows])
    close(found["x"], by_x, 1e-6)
    by_wrench = np.transpose([force(wrench=wrench + row) - force(wrench=wrench - row) for row in 0.5 * np.eye(6)])
    close(found["wrench"], by_wrench)
    ends = [force(robot.replace({"tool.position.z": POINT[2] + sign * step})) for sign in (1.0, -1.0)]
    close(found["tool.position.z"], (ends[0] - ends[1]) / (2 * step), 1e-7)
    at_rest = gough.linearise(robot, gough.State(x, wrench=wrench))
    moved = [gough.linearise(robot, gough.State(x + row, wrench=wrench), at_rest.force).xdd for row in rows]
    back = [gough.linearise(robot, gough.State(x - row, wrench=wrench), at_rest.force).xdd for row in rows]
    n = robot.dof
    close(at_rest.A[n:, :n], np.transpose([(a - b) / (2 * step) for a, b in zip(moved, back, strict=True)]), 1e-5)


def test_a_tool_at_the_origin_adds_no_operation():
    """Nor does one that is only turned; and the numbers are the same to the last bit."""
    robot = plain("stewart")
    assert robot.with_tool((0.0, 0.0, 0.0)) == robot
    turned = robot.with_tool((0.0, 0.0, 0.0), {"axis": [1, 0, 0], "angle": 0.5})
    graphs = [inverse_graph(Model(r, FORMULATIONS[0], wrench=True)) for r in (robot, turned, tooled("stewart"))]
    counts = [len(graph.nodes) for graph in graphs]
    assert counts[0] == counts[1] < counts[2]
    s = states("stewart")
    own, other = (
        gough.inverse_dynamics(r, gough.State(s.x, s.xd, s.xdd, wrench=s.wrench)).force for r in (robot, turned)
    )
    np.testing.assert_array_equal(own, other)


@pytest.mark.parametrize("name", ["stewart", "rps3"])
def test_bound_calls_have_the_lever(name):
    s, robot = states(name), tooled(name)
    call = gough.bind(robot, "inverse_dynamics", wrench=True)
    for key in ("x", "xd", "xdd", "wrench"):
        call.inputs[key][:] = getattr(s, key)[0]
    call()
    close(
        call.outputs["force"],
        gough.inverse_dynamics(plain(name), gough.State(s.x, s.xd, s.xdd, wrench=by_hand(name, s))).force[0],
    )


def test_exported_c_has_the_lever(tmp_path):
    tool("gcc")
    s, hand = states("stewart"), by_hand("stewart", states("stewart"))
    library = Library(tooled("stewart"), tmp_path, ["gcc", "-O1"], functions=("inverse", "forward", "reactions"))
    given = {"x": s.x, "xd": s.xd, "xdd": s.xdd, "wrench": s.wrench}
    force = gough.inverse_dynamics(plain("stewart"), gough.State(s.x, s.xd, s.xdd, wrench=hand)).force
    close(library("inverse", given)["force"], force)
    close(library("forward", given | {"force": force})["xdd"], s.xdd, 1e-7)
    reactions = gough.joint_reactions(plain("stewart"), gough.State(s.x, s.xd, s.xdd, wrench=hand))
    close(library("reactions", given)["joint_force"].ravel(), reactions.joint_force.ravel())


@pytest.mark.parametrize("controller", ["computed torque", "feedforward", "springs"])
def test_simulated_work_is_that_of_the_force_along_the_path_of_the_tool(controller):
    """The energy balance closes, and a controller that knows the tool follows the motion under the wrench."""
    robot = tooled("stewart")
    motion = gough.Motion.to(robot, "z=2.05,psi=15deg,theta=-10deg", 0.3).with_wrench(
        [20.0, -15.0, 30.0, 1.0, 2.0, 3.0]
    )
    if controller == "springs":
        start = gough.State(robot.home, [0.0, 0.0, 0.1, 0.5, -1.0, 0.8])
        wrench = np.array([20.0, -15.0, 30.0, 0.0, 0.0, 0.0])
        run = gough.simulate(robot, start, gough.Springs(0.0, 0.0), 0.2, samples=5, wrench=wrench)
        stated = gough.Convention("fixed-xyz")
        place = np.array([stated.stated(robot, x)[:3] for x in run.x])
        assert np.abs(run.x[-1, 3:] - run.x[0, 3:]).max() > 0.1
        np.testing.assert_allclose(run.work, (place - place[0]) @ wrench[:3], atol=1e-6)
    else:
        law = gough.ComputedTorque(bandwidth=5) if controller == "computed torque" else gough.Feedforward(bandwidth=5)
        run = gough.simulate(robot, None, gough.Controller(law, motion), samples=5)
        np.testing.assert_allclose(run.x, run.reference, atol=1e-6)
    assert np.abs(run.balance).max() <= max(run.allowed_balance, 1e-6)


def test_the_load_on_a_lower_platform_is_not_shifted_by_its_own_tool():
    lower, upper = plain("stewart"), plain("planar3rrr")
    position = (0.05, -0.03, 0.2)
    s, u = states("stewart"), random_states(upper, 6, seed=5)
    given = gough.State(s.x, s.xd, s.xdd), gough.State(u.x, u.xd, u.xdd, wrench=s.wrench)
    own = gough.stack_dynamics(gough.Stack("tower", lower, upper, position), *given)
    with_lower = gough.stack_dynamics(gough.Stack("tower", tooled("stewart"), upper, position), *given)
    np.testing.assert_array_equal(with_lower.lower.force, own.lower.force)
    with_upper = gough.stack_dynamics(gough.Stack("tower", lower, upper.with_tool(POINT), position), *given)
    assert np.abs(with_upper.upper.force - own.upper.force).max() > 1e-3
    assert np.abs(with_upper.lower.force - own.lower.force).max() > 1e-3


def test_forces_are_those_of_the_machine_whose_origin_is_the_tool(machines):
    _, robot, tip = map(gough.load, machines)
    x = np.array([[0.05, -0.03, 0.25, 0.2, 0.15, -0.1], [0.0, 0.0, 0.25, 0.0, 0.0, 0.3]])
    above = x.copy()
    for k, row in enumerate(x):
        c, b, a = row[3:]
        R = (
            np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
            @ np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
            @ np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
        )
        above[k, :3] = row[:3] - R @ TIP
    at_tip = gough.inverse_dynamics(tip, gough.State(x, wrench=np.tile(FORCE, (2, 1)))).force
    at_tool = gough.inverse_dynamics(robot, gough.State(above, wrench=np.tile(FORCE, (2, 1)))).force
    np.testing.assert_allclose(at_tool, at_tip, rtol=1e-12)
    stated = gough.Convention("fixed-xyz")
    np.testing.assert_allclose([stated.stated(robot, row)[:3] for row in above], x[:, :3], atol=1e-15)


def test_the_lever_is_that_of_the_pose_where_a_motion_is_timed_anew(machines):
    joints, robot, _ = map(gough.load, machines)
    motion = gough.Motion.to(robot, {"x": 0.1, "B": 0.3, "A": -0.2}, 1.0).with_wrench(FORCE)
    moved = gough.move(robot, motion, {"platform_speed": 0.1, "force": 5000.0}, jerk=100.0).motion
    t = np.linspace(0.0, moved.duration, 5)
    np.testing.assert_array_equal(moved.wrench(t), np.tile(FORCE, (5, 1)))
    s = moved.sample(t)
    R = gough.body_motion(joints, gough.State(s.x, s.xd, s.xdd)).R[:, 0]
    hand = np.tile(FORCE, (5, 1))
    hand[:, 3:] += np.cross(R @ TIP, FORCE[:3])
    found = gough.inverse_dynamics(robot, moved.sample(t)).force
    np.testing.assert_allclose(
        found, gough.inverse_dynamics(joints, gough.State(s.x, s.xd, s.xdd, wrench=hand)).force, rtol=1e-12
    )


def test_workspace_with_the_force_at_the_tip(machines):
    joints, robot, tip = map(gough.load, machines)
    given = {"limits": {"force": 500.0}, "only": ["stroke", "force"], "wrench": FORCE, "travel_only": True}
    own, lever, without = (gough.workspace(machine, **given).travel for machine in (tip, robot, joints))
    spans = [[(way.low - way.at, way.high - way.at) for way in ways] for ways in (own, lever, without)]
    np.testing.assert_allclose(spans[1], spans[0], rtol=1e-9)
    assert np.abs(np.subtract(spans[1], spans[2])[:3]).max() > 1e-3


def test_sizes_of_an_envelope_have_the_lever_of_the_wrench_and_not_of_the_payload(machines):
    _, robot, tip = map(gough.load, machines)
    found = []
    for machine, z, below in ((robot, 0.43, 0.18), (tip, 0.25, 0.0)):  # a payload of 10 kg in the tip
        about = 10.0 * below**2
        payload = {"mass": [10.0, 10.0], "mz": [-10.0 * below] * 2, "xx": [about] * 2, "yy": [about] * 2}
        tables = {
            "pose": {"z": [z - 0.02, z + 0.02]}, "velocity": {"z": 0.2}, "acceleration": {"z": 2.0},
            "wrench": {"fx": [-300.0, 500.0], "mz": [0.0, 20.0]}, "payload": payload,
        }  # fmt: skip
        found.append(gough.size(machine, gough.envelope_of(machine, tables), seeds=(1,)).force)
    np.testing.assert_allclose(found[0], found[1], rtol=1e-9)


def test_platforms_with_dependent_coordinates(tmp_path):
    robot = gough.load(head_file(tmp_path))
    x = robot.home
    own = gough.inverse_dynamics(robot.with_tool((0.0, 0.0, 0.1)), gough.State(x, wrench=(100.0, 0, 0, 0, 0, 0))).force
    R = gough.body_motion(robot, x).R[0]
    moment = np.cross(R @ [0.0, 0.0, 0.1], [100.0, 0, 0])
    assert abs(moment[1]) > 1.0
    hand = gough.inverse_dynamics(robot, gough.State(x, wrench=(100.0, 0, 0, *moment))).force
    np.testing.assert_allclose(own, hand, rtol=1e-12)


def test_commands(capsys, machines):
    joints, robot, tip = map(str, machines)
    load = ("--wrench", "500,-200,800,3,5,-7")
    by_option = outcome(capsys, "accuracy", joints, *load, "--tool", "0,0,-180mm")[1]
    by_file = outcome(capsys, "accuracy", robot, *load)[1]
    other = outcome(capsys, "accuracy", tip, *load)[1]
    assert by_option == by_file
    assert by_option.splitlines()[-1].split(":")[1] == other.splitlines()[-1].split(":")[1]
    to = ("--to", "x=10mm", "--duration", "1s")
    # The option stands for the table of the file, which it replaces.
    forces = [outcome(capsys, "inverse", file, *to, *load, "--format", "csv", *option)[1] for file, option in (
        (joints, ("--tool", "0,0,-180", "--units", "mm")), (robot, ("--units", "mm")),
        (tip, ("--tool", "0,0,-0.18")), (robot, ("--tool", "0,0,0")), (joints, ()),
    )]  # fmt: skip
    assert forces[0] == forces[1]
    assert forces[3] == forces[4]
    code, _, err = outcome(capsys, "check", joints, *to, *load, "--tool", "0,0")
    assert (code, err) == (2, "gough: error: --tool 0,0: must be three numbers x,y,z, not 2\n")
    line = "gough: error: --tool 0,0,-99: is more than 50 times the robot's size from the platform's origin"
    code, _, err = outcome(capsys, "check", joints, *to, *load, "--tool", "0,0,-99")
    assert (code, err) == (2, f"{line} (millimetres? say --units mm)\n")
