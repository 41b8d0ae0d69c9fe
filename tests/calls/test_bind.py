"""Functions bound to arrays: the public call's numbers and statuses, nothing allocated, wrong use refused."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import gough
from gough.calls.bind import FUNCTIONS
from gough.errors import InputError
from gough.kinematics import Status
from tests.support.lanes import LARGEST, slow_if

NAMES = ["delta", "hexapod", "planar3rrr", "rotary", "spatial3", "sru", "stewart"]
OPTIONS = {
    "inverse_kinematics": {"order": 2},
    "inverse_dynamics": {"wrench": True},
    "forward_dynamics": {"wrench": True},
}


def public(function, robot, inputs, names):
    """What the public function of this name says under these names, as far as it says anything."""
    if function == "forward_kinematics":
        found = gough.forward_kinematics(robot, **inputs)
    else:
        more = [inputs["force"]] if "force" in inputs else []
        state = gough.State(**{key: value for key, value in inputs.items() if key != "force"})
        found = getattr(gough, function)(robot, state, *more)
    return {name: getattr(found, name) for name in names if hasattr(found, name)}


def filled(robot, tick, rng):
    """Ordinary numbers in the inputs, near home."""
    for name, values in tick.inputs.items():
        values[...] = rng.normal(size=values.shape)
        if name in ("x", "guess"):
            values[...] = np.array(robot.platform.home) + 0.02 * values
        if name == "q":
            values[...] = gough.inverse_kinematics(robot, robot.platform.home).q + 0.005 * values


@pytest.mark.parametrize(
    ("name", "function"),
    [
        pytest.param(name, f.name, marks=slow_if(f.name == "dynamics_matrices" and name in LARGEST))
        for name in NAMES
        for f in FUNCTIONS
    ],
)
def test_the_same_bits_as_the_public_call(name, function):
    robot, rng = gough.load(name), np.random.default_rng(5)
    if function == "joint_reactions" and name in ("delta", "planar3rrr", "spatial3"):
        with pytest.raises(InputError, match=r"^joint_reactions: .* is overconstrained or redundant"):
            gough.bind(robot, function)
        return
    for rows in (None, 9):
        tick = gough.bind(robot, function, rows, **OPTIONS.get(function, {}))
        filled(robot, tick, rng)
        status = tick()
        given = {name: values.copy() for name, values in tick.inputs.items()}
        expected = public(function, robot, given, ["status", *tick.outputs])
        assert np.array_equal(status, expected.get("status", status))
        compared = [key for key in tick.outputs if key in expected]
        assert compared
        for key in compared:
            assert np.array_equal(tick.outputs[key], expected[key], equal_nan=True), key


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.name)
def test_a_fine_sample_allocates_nothing(function):
    robot = gough.load("stewart")
    tick = gough.bind(robot, function.short or function.name)
    filled(robot, tick, np.random.default_rng(6))
    for _ in range(50):
        assert tick() is Status.FINE
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(200):
            tick()
        assert tracemalloc.get_traced_memory()[0] - before < 2000  # of the test's own loop
    finally:
        tracemalloc.stop()


def test_statuses_come_back_and_go_again():
    robot = gough.load("hexapod")
    home = np.array(robot.platform.home)
    tick = gough.bind(robot, "inverse_dynamics")
    tick.inputs["x"][:] = home + [0.0, 0.0, 9.0, 0.0, 0.0, 0.0]
    assert tick() is Status.OUT_OF_REACH
    assert np.isnan(tick.outputs["force"]).all()
    with pytest.raises(gough.kinematics.PoseError) as told:
        gough.inverse_dynamics(robot, gough.State(*(tick.inputs[name] for name in ("x", "xd", "xdd"))))
    assert tick.sentence() == str(told.value)
    assert (robot.legs[tick.leg].name, tick.amount) == (told.value.leg, told.value.amount)
    tick.inputs["x"][:] = home
    assert tick() is tick.status is Status.FINE
    assert np.isfinite(tick.outputs["force"]).all()
    tick.inputs["xd"][0] = 1e300
    assert tick() is Status.OVERFLOW
    assert tick.sentence() == "numbers overflow: the largest given is 1e+300, give smaller ones"
    tick.inputs["xd"][0] = np.nan
    assert tick() is Status.NOT_FINITE
    assert tick.sentence() == "xd: x is nan: must be finite"
    tick.inputs["xd"][0] = 0.0
    assert tick.sentence() == "an input was not a finite number"


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.name)
def test_a_sample_that_is_not_finite_leaves_nothing_stale(function):
    """Neither the status nor the numbers are those of the call before, and no error is raised."""
    robot = gough.load("stewart")
    tick = gough.bind(robot, function.name)
    filled(robot, tick, np.random.default_rng(7))
    assert tick() is Status.FINE
    first = next(iter(tick.inputs.values()))
    kept, first[0] = first.copy(), np.nan
    assert tick() is tick.status is Status.NOT_FINITE
    assert all(np.isnan(values).all() for values in tick.outputs.values())
    first[...] = kept
    assert tick() is Status.FINE


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.name)
def test_rows_that_are_not_finite_fail_alone(function):
    """All other rows have the bits and the statuses that they have without them, failures among them."""
    robot = gough.load("stewart")
    tick = gough.bind(robot, function.name, 6)
    filled(robot, tick, np.random.default_rng(7))
    first, last = next(iter(tick.inputs.values())), list(tick.inputs.values())[-1]
    first[4] = 1e200
    expected = tick().copy(), {name: values.copy() for name, values in tick.outputs.items()}
    assert expected[0][4] == Status.OVERFLOW
    first[1, 0], last[3, 1] = np.nan, -np.inf
    for _ in range(2):
        status, wrong = tick(), np.isin(np.arange(6), [1, 3])
        assert (status[wrong] == Status.NOT_FINITE).all()
        assert np.array_equal(status[~wrong], expected[0][~wrong])
        for name, values in tick.outputs.items():
            assert np.isnan(values[wrong]).all(), name
            assert np.array_equal(values[~wrong], expected[1][name][~wrong], equal_nan=True), name
    assert tick.sentence().startswith("row 1: ")
    assert tick.sentence().endswith(" is nan: must be finite")


def test_forces_that_are_nan_exceed_their_limits():
    robot = gough.load("delta")
    tick = gough.bind(robot, "inverse_dynamics")
    tick.inputs["x"][:] = [0.0, 0.0, -5.0]
    assert tick() is Status.OUT_OF_REACH
    assert "actuator A: force nan N m: must be from -400 to 400 N m" in map(str, tick.exceeded())


def test_forward_kinematics_bound_follows_paths_and_tells_where_they_fold():
    robot = gough.load("stewart")
    tick = gough.bind(robot, "fk", 3)
    x = np.array(robot.platform.home) + [0.2, 0.1, -0.1, 0.2, -0.1, 0.1]
    tick.inputs["guess"][:] = robot.platform.home
    tick.inputs["q"][:] = gough.inverse_kinematics(robot, x).q
    tick.inputs["q"][1] = 0.1
    tick.inputs["guess"][2] = x + 1e-3
    assert tick().tolist() == [Status.FINE, Status.PATH_FOLDS, Status.FINE]
    assert np.abs(tick.outputs["x"][[0, 2]] - x).max() <= 1e-13
    assert np.isnan(tick.outputs["x"][1]).all()
    assert tick.sentence().startswith("row 1: the platform is singular at ")
    alone = gough.bind(robot, "fk")
    alone.inputs["guess"][:], alone.inputs["q"][:] = robot.platform.home, tick.inputs["q"][0]
    assert alone() is Status.FINE
    assert np.array_equal(alone.outputs["x"], tick.outputs["x"][0])
    alone.inputs["q"][2] = np.inf
    assert alone() is Status.NOT_FINITE
    assert alone.sentence() == "q: actuator 3 is inf: must be finite"


@pytest.mark.parametrize("name", sorted(set(gough.catalogue()) - set(NAMES)))
def test_forward_kinematics_binds_on_dependent_and_redundant_robots_too(name):
    robot = gough.load(name)
    x = np.array(robot.platform.home) + 0.02
    tick = gough.bind(robot, "fk")
    tick.inputs["guess"][:], tick.inputs["q"][:] = robot.platform.home, gough.inverse_kinematics(robot, x).q
    assert tick() == Status.FINE
    assert np.abs(tick.outputs["x"] - x).max() <= 1e-12


def test_rows_have_a_status_each():
    robot = gough.load("hexapod")
    tick = gough.bind(robot, "ik", 4)
    tick.inputs["x"][:] = robot.platform.home
    tick.inputs["x"][2, 2] = 9.0
    assert tick().tolist() == [0, 0, Status.OUT_OF_REACH, 0]
    assert np.isnan(tick.outputs["K"][2]).all()
    assert tick.sentence().startswith("row 2: leg ")
    tick.inputs["x"][2] = tick.inputs["x"][1]
    assert tick().tolist() == [0, 0, 0, 0]


def test_the_page_on_names_has_every_array():
    page = (Path(__file__).parents[2] / "docs" / "reference" / "results.md").read_text("utf-8")
    for name in ("stewart", "cable8", "rps3"):
        robot = gough.load(name)
        for function in FUNCTIONS:
            if function.name == "joint_reactions" and name != "stewart":
                continue
            graph = function.call(robot, **OPTIONS.get(function.name, {})).graph
            names = {v.name for v in (*graph.inputs, *graph.outputs)} - {"sound"}
            assert not {own for own in names if f"`{own}`" not in page}, function.name


def test_arrays_given_are_the_ones_used():
    robot = gough.load("stewart")
    x, xd, xdd, force = np.zeros((4, 6))
    x[:] = robot.platform.home
    tick = gough.bind(robot, "inverse_dynamics", x=x, xd=xd, xdd=xdd, force=force, formulation="lagrange")
    assert tick() is Status.FINE
    assert np.array_equal(force, gough.inverse_dynamics(robot, gough.State(x, xd, xdd), formulation="lagrange").force)


@pytest.mark.parametrize(
    ("function", "given", "line"),
    [
        ("inverse_dynamic", {}, r"^function 'inverse_dynamic': choose .*did you mean inverse_dynamics"),
        (3, {}, r"^function 3: choose inverse_kinematics, ik, forward_kinematics, fk, "),
        ("ik", {"order": 3}, r"^order: 3 given, expected 0 \(x\), 1 \(x, xd\) or 2 \(x, xd, xdd\)$"),
        ("ik", {"y": np.zeros(6)}, r"^buffer y: no such input or output; there are x, "),
        ("ik", {"x": np.zeros(5)}, r"^buffer x: a float64 array in C order of shape \(6,\) is needed$"),
        ("dynamics_matrices", {"coordinates": "actuators"}, r"^coordinates 'actuators': choose platform or actuator$"),
        ("forward_dynamics", {"formulation": "virtual_work"}, r"^formulation 'virtual_work': has no mass matrix"),
    ],
)
def test_wrong_use_is_told(function, given, line):
    with pytest.raises(InputError, match=line):
        gough.bind(gough.load("stewart"), function, **given)
    with pytest.raises(InputError, match=r"^robot: 'stewart' given, expected a Robot"):
        gough.bind("stewart", "ik")


def test_the_readme_s_loop_runs(capsys):
    text = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    exec(text.split("controller's own loop")[1].split("```python\n")[1].split("```")[0], {})
    assert capsys.readouterr().out.startswith("fine [")


def test_limits_are_told_apart_from_the_status():
    robot = gough.load("stewart").replace({"legs.actuator.power": 300.0})
    tick = gough.bind(robot, "inverse_dynamics")
    tick.inputs["x"][:] = robot.platform.home
    assert tick() is Status.FINE
    assert tick.exceeded() == ()
    tick.inputs["x"][2] = 3.4
    assert tick() is Status.FINE
    found = tick.exceeded()
    ranges = [(e.quantity, e.actuator, e.low, e.high, e.row) for e in found]
    assert ranges == [("stroke", str(k), 1.8, 3.3, 0) for k in range(1, 7)]
    assert [e.value for e in found] == tick.outputs["q"].tolist()
    assert str(found[0]) == f"actuator 1: stroke {found[0].value:.6g} m: must be from 1.8 to 3.3 m"
    tick.inputs["x"][2] = 2.0
    for name, value, kinds in (("xd", 2.5, {"speed"}), ("xdd", 800.0, {"speed", "force", "power"})):
        tick.inputs[name][2] = value
        assert tick() is Status.FINE
        assert {e.quantity for e in tick.exceeded()} == kinds
    tick.inputs["xd"][2] = 0.0
    tick()
    assert {(e.quantity, e.value > 100.0) for e in tick.exceeded()} == {("force", True)}


def test_limits_of_rows_lost_samples_and_given_displacements():
    robot = gough.load("stewart")
    tick = gough.bind(robot, "ik", 3)
    tick.inputs["x"][:] = robot.platform.home
    tick.inputs["x"][1, 2] = 3.4
    tick.inputs["x"][2, 2] = 1e200
    assert tick().tolist() == [Status.FINE, Status.FINE, Status.OVERFLOW]
    assert {(e.row, e.quantity) for e in tick.exceeded()} == {(1, "stroke"), (2, "stroke")}
    forward = gough.bind(robot, "fk")
    forward.inputs["q"][:] = 3.5
    assert [(e.quantity, e.value) for e in forward.exceeded()] == [("stroke", 3.5)] * 6
    assert gough.bind(gough.load("hexapod"), "inverse_dynamics").exceeded() == ()
