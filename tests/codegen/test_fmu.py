"""Functional mock-up units, checked and stepped by fmpy."""

from __future__ import annotations

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


def test_inverse_has_goughs_forces(tmp_path):
    from fmpy.validation import validate_fmu

    tool("cc")
    robot = gough.load("fivebar")
    assert main(["export", "fmu", "fivebar", "--kind", "inverse", "--out", str(tmp_path / "f.fmu")]) == 0
    assert validate_fmu(str(tmp_path / "f.fmu")) == []
    motion = {"x": 0.01, "y": 0.3, "x_d": 0.5, "y_d": -0.2, "x_dd": 3.0, "y_dd": 1.0}
    found = fmpy.simulate_fmu(str(tmp_path / "f.fmu"), stop_time=0.02, step_size=0.01, start_values=motion)
    values = list(motion.values())
    want = gough.inverse_dynamics(robot, values[:2], values[2:4], values[4:]).force
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
    want = gough.inverse_dynamics(robot, robot.platform.home, np.zeros(6), np.zeros(6)).force
    got = [found[f"force_{actuator}"][-1] for actuator in robot.actuator_names]
    np.testing.assert_allclose(got, want, rtol=1e-12)


def test_what_is_refused(tmp_path, capsys, monkeypatch):
    file = tmp_path / "f.fmu"
    assert main(["export", "fmu", "delta", "--kind", "plan", "--out", str(file)]) == 2
    assert "kind 'plan': choose plant or inverse" in capsys.readouterr().err
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["export", "fmu", "fivebar", "--out", str(file)]) == 4
    assert "no C compiler" in capsys.readouterr().err
    assert not file.exists()
