"""The C of functional mock-up units, stepped by fmpy: plants move and inverses answer as gough does."""

from __future__ import annotations

from ctypes import byref, c_bool, c_double

import numpy as np
import pytest

import gough
from gough.cli import main
from tests.codegen.compiled import tool

fmpy = pytest.importorskip("fmpy")


def test_plant_falls_as_the_simulation_does(tmp_path):
    """The same machine by scipy's integrator and by the unit: errors are those of their steps."""
    from fmpy.validation import validate_fmu

    tool("cc")
    robot = gough.load("planar3rrr")
    file = gough.export_fmu(robot, tmp_path / "plant.fmu")
    assert validate_fmu(str(file)) == []
    force = np.array([0.3, -0.2, 0.1])
    start = {f"force_{name}": float(v) for name, v in zip(robot.actuator_names, force, strict=True)}
    found = fmpy.simulate_fmu(str(file), stop_time=0.2, step_size=0.01, start_values=start)
    want = gough.simulate(robot, input=lambda t: force, duration=0.2)
    last = np.array([found[name][-1] for name in robot.coordinate_names])
    assert np.abs(last - robot.platform.home).max() > 1e-4
    np.testing.assert_allclose(last, want.x[-1], atol=1e-7)
    assert found["status"][-1] == 0


def test_plant_stops_at_the_end_of_its_reach(tmp_path):
    """A delta that falls until its legs are stretched stops there, where and when the simulation does, and says so."""
    tool("cc")
    robot = gough.load("delta")
    file = str(gough.export_fmu(robot, tmp_path / "delta.fmu"))
    found = fmpy.simulate_fmu(file, stop_time=2.0, step_size=1e-3)
    want = gough.simulate(robot, input=lambda t: np.zeros(3), duration=2.0, on_limit="continue")
    assert want.events[-1].kind == "reach"
    assert want.t[-1] <= found["time"][-1] < want.t[-1] + 1e-3
    assert set(found["status"][:-1]) == {0}
    assert found["status"][-1] == gough.Status.OUT_OF_REACH
    np.testing.assert_allclose(found["z"][-1], want.x[-1, 2], atol=1e-8)
    rates = np.array([found[f"qd_{name}"] for name in robot.actuator_names])
    assert np.abs(np.diff(rates)).max() < 0.1  # no bounce: cranks keep their speed


def test_plant_holds_what_it_cannot_pass(tmp_path):
    """A simulator that goes on all the same finds the robot in that state, with its status; a reset clears it."""
    tool("cc")
    file = str(gough.export_fmu(gough.load("delta"), tmp_path / "delta.fmu"))
    description = fmpy.read_model_description(file)
    place = {v.name: v.valueReference for v in description.modelVariables}
    unit = fmpy.instantiate_fmu(fmpy.extract(file), description, "CoSimulation")

    def begin():
        unit.enterInitializationMode()
        unit.exitInitializationMode()

    begin()
    ends = [unit.doStep(0.1 * k, 0.1)[1] for k in range(20)]
    z = unit.getFloat64([place["z"]])
    assert ends == sorted(ends)
    assert ends[-1]
    assert unit.getInt32([place["status"]]) == [2]
    unit.doStep(2.0, 0.1)
    assert unit.getFloat64([place["z"]]) == z
    unit.reset()
    begin()
    assert unit.getInt32([place["status"]]) == [0]
    unit.setFloat64([place["force_A"]], [np.nan])
    with pytest.raises(fmpy.fmi1.FMICallException):
        unit.doStep(0.0, 0.1)
    assert unit.getInt32([place["status"]]) == [-1]
    assert unit.getFloat64([0]) == [0.0]
    last, flags = c_double(-1.0), [byref(c_bool()) for _ in range(3)]
    with pytest.raises(fmpy.fmi1.FMICallException):
        unit.fmi3DoStep(unit.component, 0.0, 0.1, c_bool(True), *flags, byref(last))
    assert last.value == 0.0, "no time has passed in a step that failed"
    unit.setFloat64([place["force_A"]], [0.0])
    assert unit.doStep(0.0, 0.1)[3] == pytest.approx(0.1)
    assert unit.getInt32([place["status"]]) == [0]
    unit.terminate()
    unit.freeInstance()


@pytest.mark.parametrize("name", ["rps3", "cable8", pytest.param("stewart", marks=pytest.mark.slow)])
def test_plant_goes_on(name, tmp_path):
    """Legs that reach anywhere, and those that are closed by iteration, have no end of reach to stop at."""
    tool("cc")
    robot = gough.load(name)
    found = fmpy.simulate_fmu(str(gough.export_fmu(robot, tmp_path / "f.fmu")), stop_time=0.1, step_size=0.01)
    want = gough.simulate(robot, input=lambda t: np.zeros(len(robot.actuators)), duration=0.1, on_limit="continue")
    last = np.array([found[c][-1] for c in robot.coordinate_names])
    np.testing.assert_allclose(last, want.x[-1], atol=1e-7)
    assert not found["status"].any()


def test_inverse_has_goughs_forces(tmp_path):
    from fmpy.validation import validate_fmu

    tool("cc")
    robot = gough.load("fivebar")
    assert main(["export", "fmu", "fivebar", "--kind", "inverse", "--out", str(tmp_path / "f.fmu")]) == 0
    assert validate_fmu(str(tmp_path / "f.fmu")) == []
    motion = {"x": 0.01, "y": 0.3, "x_d": 0.5, "y_d": -0.2, "x_dd": 3.0, "y_dd": 1.0}
    found = fmpy.simulate_fmu(str(tmp_path / "f.fmu"), stop_time=0.02, step_size=0.01, start_values=motion)
    values = list(motion.values())
    want = gough.inverse_dynamics(robot, gough.State(values[:2], values[2:4], values[4:])).force
    for name, force in zip(robot.actuator_names, want, strict=True):
        np.testing.assert_allclose(found[f"force_{name}"][-1], force, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["stewart", "hexapod"])
def test_six_legs_in_loops(name, tmp_path):
    """Loops over legs and angles need a macro of the C file."""
    tool("cc")
    robot = gough.load(name)
    file = gough.export_fmu(robot, tmp_path / "f.fmu", kind="inverse")
    start = dict(zip(robot.coordinate_names, map(float, robot.platform.home), strict=True))
    found = fmpy.simulate_fmu(str(file), stop_time=0.02, step_size=0.01, start_values=start)
    want = gough.inverse_dynamics(robot, robot.platform.home).force
    got = [found[f"force_{actuator}"][-1] for actuator in robot.actuator_names]
    np.testing.assert_allclose(got, want, rtol=1e-12)
