"""The capacity margin is the largest further wrench that can be balanced in any direction, in every command.

The reference uses the definition alone: forces that balance a wrench of unit size come from inverse dynamics with and
without it, and how much of it fits between the limits is the size of a row, or a linear program where actuators share.
"""

import json
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial import ConvexHull

import gough
from gough import Actuation
from tests.cli.running import outcome
from tests.support import lanes
from tests.support.dependent_machines import body, random_machine
from tests.support.robots import build, with_values

CASES = lanes.size(60, 6)
CATALOGUE = ("ankle", "delta", "hexapod", "planar3rrr", "planar4rrr", "rps3", "spatial3", "stewart", "tricept")


def limited(robot, most):
    """The robot with a limit of force or torque of all actuators; no dry friction, which has two values at rest."""
    legs = []
    for leg in robot.legs:
        joints = (
            replace(j, limits=replace(j.limits, force=most), coulomb=0.0) if j.actuated else j for j in leg.joints
        )
        legs.append(replace(leg, joints=tuple(joints)))
    return with_values(robot, legs=tuple(legs))


def two_axes(seed):
    """Two driven hinges in series whose axes do not meet, in each other or in the origin of the platform."""
    rng = np.random.default_rng([seed, 7])
    offset, point = 0.1 * rng.normal(size=(2, 3))
    limits = {"actuated": True, "force": 50.0}
    joint = [
        {"name": "pitch", "type": "R", "axis": [0, 1, 0], "body": body(rng, 0.05), **limits},
        {"name": "roll", "type": "R", "axis": [1, 0, 0], "offset": offset.tolist(), **limits},
    ]
    platform = {
        "coordinates": {"x": "x", "y": "y", "z": "z", "pitch": "ry", "roll": "rx"},
        "dependent": ["x", "y", "z"],
        "home": [*(offset + point).tolist(), 0.0, 0.0],
        "mass": 2.0,
        "com": (0.05 * rng.normal(size=3)).tolist(),
        "inertia": [0.01, 0.012, 0.02],
    }
    leg = {"name": "arm", "joint": joint, "end": {"type": "rigid", "point": point.tolist()}}
    return build({"name": "two_axes", "length": float(rng.uniform(0.05, 0.5)), "platform": platform, "leg": [leg]})


@cache
def rotating(seed):
    """A machine that only rotates: cranks and rods on skew axes of a shank, two motors or three, or two in series."""
    if seed % 3 == 2:
        return two_axes(seed)
    robot = limited(random_machine("ankle", seed), 20.0)
    if seed % 3 == 1:
        return with_values(robot, actuation=None)
    third = replace(robot.legs[1], name="third")
    end = replace(third.end, platform_point=tuple(np.array(third.end.platform_point) + [0.0, -0.02, 0.004]))
    legs = (*robot.legs, replace(third, end=end))
    return with_values(robot, legs=legs, actuation=Actuation("bounded"))


def states(robot, count, seed, size=0.1):
    rng = np.random.default_rng([seed, 70])
    x = np.array(robot.platform.home) + size * np.array(spread(robot)) * rng.uniform(-1.0, 1.0, (count, robot.dof))
    return x, 0.3 * rng.normal(size=x.shape), rng.normal(size=x.shape)


def spread(robot):
    length = np.linalg.norm([leg.end.platform_point for leg in robot.legs], axis=1).max()
    return [1.0 if c.turns else float(length) for c in robot.platform.coordinates]


def unit_wrenches(robot):
    """(w, 6) force and moment of size 1: forces and moments over the length, or moments alone where all turns."""
    moments = np.concatenate([np.zeros((3, 3)), np.eye(3)], axis=1)
    if all(c.turns for c in robot.platform.coordinates):
        return moments
    if robot.length is not None:
        length = robot.length
    else:
        ends = np.array([leg.end.platform_point for leg in robot.legs])
        length = np.sqrt(((ends - ends.mean(axis=0)) ** 2).sum(axis=1).mean()) or 1.0
    return np.concatenate([np.concatenate([np.eye(3), np.zeros((3, 3))], axis=1), length * moments])


def smallest(robot, x, xd, xdd, limits):
    """The largest t with which forces balance what is needed and t times any wrench of unit size, by its definition."""
    free = robot if robot.actuation is None else with_values(robot, actuation=Actuation("least-norm"))
    found = gough.inverse_dynamics(free, gough.State(x, xd, xdd))
    own, K = found.force, found.K
    wrenches = unit_wrenches(robot)
    added = np.stack(
        [gough.inverse_dynamics(free, gough.State(x, xd, xdd, wrench=wrench)).force - own for wrench in wrenches],
        axis=1,
    )
    low, high = np.array(limits).T
    if K.shape[0] == K.shape[1]:  # forces are unique: each actuator bounds t by the size of its row
        return float((np.minimum(high - own, own - low) / np.linalg.norm(added, axis=1)).min())
    # Generalised forces of wrenches of unit size are an ellipsoid: on its axes distances are sizes of wrenches.
    U, sizes, V = np.linalg.svd(K.T @ added)
    n = K.shape[1]
    to_wrench = (U / sizes).T
    corners = np.array(list(product(*limits))) @ K @ to_wrench.T
    hull = ConvexHull(corners).equations
    left = -(hull[:, :-1] @ to_wrench @ K.T @ own + hull[:, -1])
    # Linear programs agree: in the direction of the nearest facet no larger wrench can be balanced, in others it can.
    towards = V[:n].T @ hull[left.argmin(), :-1]
    assert reach(K, own, added, limits, towards) == pytest.approx(left.min(), rel=1e-7)
    for direction in np.random.default_rng(3).normal(size=(20, n)):
        unit = V[:n].T @ (direction / np.linalg.norm(direction))
        assert reach(K, own, added, limits, unit) >= left.min() * (1.0 - 1e-7)
    return float(left.min())


def reach(K, own, added, limits, direction):
    """The largest t with forces within limits that balance what is needed and t times a wrench: a linear program."""
    A = np.concatenate([K.T, -(K.T @ (added @ direction))[:, None]], axis=1)
    return linprog([*np.zeros(len(own)), -1.0], A_eq=A, b_eq=K.T @ own, bounds=[*limits, (None, None)]).x[-1]


def bounds(robot):
    return [(-joint.limits.force, joint.limits.force) for joint in robot.actuators]


@pytest.mark.parametrize("seed", range(CASES))
def test_margin_of_a_rotating_machine_is_the_largest_moment_it_can_balance(seed):
    robot = rotating(seed)
    for state in zip(*states(robot, 3, seed), strict=True):
        found = gough.inverse_dynamics(robot, gough.State(*state))
        assert found.margin == pytest.approx(smallest(robot, *state, bounds(robot)), rel=1e-7)


@pytest.mark.parametrize("name", CATALOGUE)
def test_margin_of_a_catalogue_robot_is_the_largest_wrench_it_can_balance(name):
    robot = limited(gough.load(name), 60.0)
    for state in zip(*states(robot, 2, 5), strict=True):
        found = gough.inverse_dynamics(robot, gough.State(*state))
        assert found.margin == pytest.approx(smallest(robot, *state, bounds(robot)), rel=1e-7)


@pytest.mark.parametrize("seed", range(2, 3 * lanes.size(10, 2), 3))
def test_margin_of_axes_with_their_own_motors_is_what_their_torques_leave(seed):
    robot = two_axes(seed)
    for state in zip(*states(robot, 5, seed, 1.0), strict=True):
        found = gough.inverse_dynamics(robot, gough.State(*state))
        assert found.margin == pytest.approx(50.0 - np.abs(found.force).max(), rel=1e-12)


def test_margin_of_a_rotating_machine_does_not_depend_on_the_length():
    robot = rotating(0)
    x, xd, xdd = states(robot, 4, 1)
    own = gough.inverse_dynamics(robot, gough.State(x, xd, xdd)).margin
    other = gough.inverse_dynamics(with_values(robot, length=3.0), gough.State(x, xd, xdd)).margin
    np.testing.assert_allclose(own, other, rtol=1e-12)


@pytest.mark.parametrize("machine", [lambda: gough.load("ankle"), lambda: rotating(1)])
def test_a_margin_that_ends_a_workspace_is_that_of_inverse_dynamics(machine):
    robot = machine()
    home = np.array(robot.platform.home)
    limit = 0.99 * float(gough.inverse_dynamics(robot, home).margin)
    travel = gough.workspace(robot, home, limits={"margin": limit}, travel_only=True).travel
    ends = [(row.axis, *end) for row in travel for end in ((row.low, row.low_limits), (row.high, row.high_limits))]
    ended = [(axis, end) for axis, end, limits in ends if [one.kind for one in limits] == ["margin"]]
    assert len(ended) == 3
    for axis, end in ended:
        x = home.copy()
        x[robot.coordinate_names.index(axis)] = end
        assert float(gough.inverse_dynamics(robot, x).margin) == pytest.approx(limit, rel=1e-8)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_least_margin_of_a_check_is_that_of_inverse_dynamics(seed):
    robot = rotating(seed)
    target = dict(zip(robot.coordinate_names, (np.array(robot.platform.home) + 0.02).tolist(), strict=True))
    motion = gough.Motion.to(robot, target, 2.0)
    dense = gough.inverse_dynamics(robot, motion(np.linspace(0.0, 2.0, 2001))).margin
    found = next(f for f in gough.check(robot, motion, {"margin": 0.1}).findings if f.kind == "margin")
    assert found.turns
    # Between samples it is lower by less than neighbouring samples differ.
    assert found.value == pytest.approx(dense.min(), abs=np.abs(np.diff(dense)).max())


def test_the_least_margin_of_an_envelope_is_that_of_inverse_dynamics():
    robot = rotating(0)
    home = np.array(robot.platform.home)
    ends = [np.array(end) for end in product(*((value, value + 0.02) for value in home.tolist()))]
    pose = {name: [value, value + 0.02] for name, value in zip(robot.coordinate_names, home.tolist(), strict=True)}
    found = gough.size(robot, gough.envelope_of(robot, {"pose": pose}), seeds=(1,), power=6)
    least = min(float(gough.inverse_dynamics(robot, x).margin) for x in ends)
    assert found.margin.value <= least * (1.0 + 1e-12)
    x = np.array(found.margin.pose)
    assert found.margin.value == pytest.approx(float(gough.inverse_dynamics(robot, x).margin), rel=1e-9)


def test_the_command_states_the_margin_of_a_rotating_machine_as_a_torque(capsys):
    words = ("check", "ankle", "--motion", "step", "--limit", "margin=30 N m")
    code, out, _ = outcome(capsys, *words)
    assert code == 0
    assert next(line for line in out.splitlines() if line.startswith("force margin")).split()[-1] == "m"
    _, out, _ = outcome(capsys, *words, "--format", "json")
    row = next(f for f in json.loads(out)["findings"] if f["kind"] == "margin")
    robot = gough.load("ankle")
    t = np.linspace(0.0, 0.8, 801)
    found = gough.inverse_dynamics(robot, gough.Motion.named(robot, "step")(t))
    # The least margin lies at the end of a move, which is one of the samples.
    assert row["value"] == pytest.approx(found.margin.min(), rel=1e-6)
