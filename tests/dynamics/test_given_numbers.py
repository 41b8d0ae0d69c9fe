"""What calls do with the numbers they are given: own copies, nothing that is not finite, overflow told as that."""

from __future__ import annotations

import re
from dataclasses import fields

import numpy as np
import pytest

import gough
from gough.errors import InputError
from gough.kinematics import PoseError, Status

CALLS = {
    "inverse_kinematics": ("x", "xd", "xdd"),
    "inverse_dynamics": ("x", "xd", "xdd", "wrench"),
    "forward_dynamics": ("x", "xd", "force", "wrench"),
    "dynamics_matrices": ("x", "xd"),
    "joint_reactions": ("x", "xd", "xdd", "wrench"),
    "force_derivatives": ("x", "xd", "xdd", "wrench"),
    "angeles_terms": ("x", "xd"),
    "body_motion": ("x", "xd", "xdd"),
    "link_wrenches": ("x", "xd", "xdd", "wrench"),
}


def motion(robot, names, rows=None):
    """Inputs by name at home, at rest."""
    n = len(robot.platform.coordinates)
    sizes = {"x": n, "xd": n, "xdd": n, "wrench": 6, "force": n}
    given = {name: np.zeros(sizes[name]) for name in names}
    given["x"] = np.array(robot.platform.home)
    return given if rows is None else {name: np.tile(value, (rows, 1)) for name, value in given.items()}


def called(name, robot, inputs):
    """What a function finds at inputs by name."""
    more = [inputs["force"]] if "force" in inputs else []
    return getattr(gough, name)(robot, gough.State(**{k: v for k, v in inputs.items() if k != "force"}), *more)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("machine", ["planar3rrr", "stewart"])
def test_numbers_that_are_not_finite_are_refused_also_where_they_do_not_enter(machine, name):
    """A planar robot does not feel a force across its plane, nor any robot at rest what gravity alone decides."""
    robot = gough.load(machine)
    for rows in (None, 11):
        for given in CALLS[name]:
            for column in range(motion(robot, CALLS[name])[given].size):
                inputs = motion(robot, CALLS[name], rows)
                inputs[given][..., column].flat[-1:] = np.nan if column % 2 else -np.inf
                last = "" if rows is None else "sample 10: "
                with pytest.raises(InputError, match=f"^{given}: {last}.* is (nan|-inf): must be finite$"):
                    called(name, robot, inputs)


@pytest.mark.parametrize("name", CALLS)
def test_results_own_their_numbers(name):
    """Also where an input is an output, and where it came as float64 in C order."""
    robot = gough.load("stewart")
    for rows in (None, 3, 3000):
        inputs = motion(robot, CALLS[name], rows)
        found = called(name, robot, inputs)
        values = found if isinstance(found, dict) else {f.name: getattr(found, f.name) for f in fields(found)}
        for key, value in values.items():
            for each in value.values() if isinstance(value, dict) else [value]:
                shared = [np.may_share_memory(each, v) for v in inputs.values()] if type(each) is np.ndarray else []
                assert not any(shared), (name, key)


def test_parts_stay_what_they_were_when_the_caller_writes_on():
    robot = gough.load("stewart")
    x, xd, xdd, wrench, time = *np.zeros((3, 4, 6)), np.ones(6), np.arange(4.0)
    x += np.array(robot.platform.home)
    found = gough.inverse_dynamics(robot, gough.State(x, xd, xdd, wrench=wrench, t=time))
    before = found.parts()
    x[:], xd[:], wrench[:], time[:] = 9.0, 9.0, 9.0, 9.0
    after = found.parts()
    assert all(np.array_equal(before[key], after[key]) for key in before)
    assert found.t.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert (found.wrench == 1.0).all()


LARGE = [
    ("inverse_kinematics", "xd", 1e308, 1e308),
    ("inverse_kinematics", "xdd", -1.7e308, 1.7e308),
    ("inverse_dynamics", "xd", 1e200, 1e200),
    ("inverse_dynamics", "wrench", 1e308, 1e308),
    ("inverse_dynamics", "x", 1e200, 1e200),
    ("forward_dynamics", "force", 1e308, 1e308),
    ("forward_dynamics", "xd", 1e170, 1e170),
    ("forward_dynamics", "x", 1e160, 1e160),
    ("inverse_kinematics", "x", -1e200, 1e200),
    ("dynamics_matrices", "x", 1e160, 1e160),
]


@pytest.mark.parametrize("given", ["q", "guess"])
@pytest.mark.parametrize("name", ["stewart", "delta", "planar3rrr"])
def test_an_overflow_of_forward_kinematics(name, given):
    """Of robots that slide, that turn, and whose paths have no certificate; alone, beside others, and bound."""
    robot = gough.load(name)
    home = np.array(robot.platform.home)
    numbers = {"q": gough.inverse_kinematics(robot, home).q, "guess": home}
    bad = numbers | {given: numbers[given].copy()}
    bad[given][1] = -1e300
    with pytest.raises(PoseError, match=r"^forward kinematics: numbers overflow: the largest given is 1e\+300, ") as e:
        gough.forward_kinematics(robot, **bad)
    assert e.value.status == Status.OVERFLOW
    assert e.value.amount == 1e300
    many = {key: np.tile(value, (3, 1)) for key, value in numbers.items()}
    many[given][1] = bad[given]
    found = gough.forward_kinematics(robot, **many)
    assert found.status.tolist() == [Status.FINE, Status.OVERFLOW, Status.FINE]
    assert np.isnan(found.x[1]).all()
    np.testing.assert_allclose(found.x[[0, 2]], [home, home], atol=1e-12)
    tick = gough.bind(robot, "fk")
    for key, value in bad.items():
        tick.inputs[key][:] = value
    assert tick() == Status.OVERFLOW
    assert tick.sentence() == "numbers overflow: the largest given is 1e+300, give smaller ones"


@pytest.mark.parametrize(("name", "given", "value", "told"), LARGE)
def test_an_overflow_is_told_as_that(name, given, value, told):
    robot = gough.load("stewart")
    one = motion(robot, CALLS[name])
    one[given][:3] = value
    line = f"numbers overflow: the largest given is {told:.4g}, give smaller ones"
    with pytest.raises(PoseError, match=f"^{re.escape(line)}$") as e:
        called(name, robot, one)
    assert e.value.status == Status.OVERFLOW
    many = motion(robot, CALLS[name], 9)
    many[given][4, :3] = value
    found = called(name, robot, many)
    assert (found.status == np.where(np.arange(9) == 4, Status.OVERFLOW, Status.FINE)).all()
    if name == "inverse_dynamics":
        assert found.status_text[4] == "overflow"
        assert np.isnan(found.force[4]).all()
        assert np.isfinite(found.force[:4]).all()


def test_an_overflow_at_a_singular_pose_is_near_singular_first():
    robot = gough.load("stewart")
    x = np.array([[0.0, 0.0, 0.0, 0.0, 0.0, 0.0]])  # the platform in the plane of its base joints
    for rate in (0.1, 1e200):
        found = gough.inverse_dynamics(robot, gough.State(x, np.full((1, 6), rate), np.zeros((1, 6))))
        assert found.status[0] in (Status.NEAR_SINGULAR, Status.OUT_OF_REACH)
