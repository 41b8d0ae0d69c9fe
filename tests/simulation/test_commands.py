"""`gough simulate` and `gough modes`."""

import json

import numpy as np
import pytest

import gough
from tests.cli.running import outcome

PLANAR = ("simulate", "planar3rrr", "--for", "0.2")


def test_a_run_writes_tables_and_plots(capsys, tmp_path):
    code, out, err = outcome(capsys, *PLANAR, "--mismatch", "platform.mass=1.2x", "--out", str(tmp_path / "run"))
    assert (code, err) == (0, "")
    assert out.startswith("planar3rrr, computed torque: 0.2 s in ")
    assert {path.name for path in (tmp_path / "run").iterdir()} == {
        "run.csv",
        "run.json",
        "path.png",
        "force.png",
        "energy.png",
    }
    assert json.loads((tmp_path / "run" / "run.json").read_text())["complete"] is True


def test_an_ensemble_writes_its_spread(capsys, tmp_path):
    code, out, _ = outcome(
        capsys, *PLANAR, "--ensemble", "20", "--vary", "platform.mass=5%", "--out", str(tmp_path), "--full-history"
    )
    assert code == 0
    assert out.startswith("planar3rrr, computed torque: 20 robots, 200 steps of 0.001 s; ")
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"robots.csv", "statistics.csv", "ensemble.json", "spread.png", "history.csv"}
    assert len((tmp_path / "robots.csv").read_text().splitlines()) == 21


def test_a_stroke_that_ends_is_exit_code_1(capsys, tmp_path):
    code, _, err = outcome(capsys, "simulate", "stewart", "--controller", "none", "--for", "2", "--out", str(tmp_path))
    assert code == 1
    assert err.startswith("gough: t = 0.")
    assert err.endswith("leg 1: P reaches the lower end of its stroke, 1.8 m (stopped)\n")
    assert (tmp_path / "run.csv").read_text().startswith("# complete: false (leg 1: P reaches")


@pytest.mark.parametrize("slip", ["0.5deg/s", "0.05deg/s"])
def test_friction_that_holds_lets_creep_below_the_slip_speed(slip, capsys, tmp_path):
    """Where coulomb v / sqrt(v^2 + slip^2) carries the weight."""
    gough.load("delta").replace({"legs.actuator.coulomb": 40.0}).write(tmp_path / "dry.toml")
    robot = gough.load(tmp_path / "dry.toml")
    given = ("simulate", str(tmp_path / "dry.toml"), "--controller", "none", "--for", "0.05", "--slip", slip)
    assert outcome(capsys, *given, "--out", str(tmp_path))[0] == 0
    rows = np.genfromtxt(tmp_path / "run.csv", delimiter=",", names=True, comments="#")
    x = [rows[name][-1] for name in "xyz"]
    load = gough.inverse_dynamics(robot, x).force
    assert np.abs(load).max() < 40.0
    speed = np.radians(float(slip[:-5])) * load / np.sqrt(40.0**2 - load**2)
    assert [rows[f"qd_{name}"][-1] for name in robot.actuator_names] == pytest.approx(-speed, rel=1e-4)


LINES = [
    (("--slip", "0"), 2, "--slip 0: must be a positive number"),
    (("--for", "-1"), 2, "--for -1: must be a positive number"),
    (("--controller", "pid"), 2, "--controller pid: must be computed-torque, pd, feedforward or none"),
    (("--vary", "platform.mass=5%"), 2, "--vary: needs --ensemble"),
    (
        ("--vary", "platform.mass=5", "--ensemble", "3"),
        2,
        "--vary platform.mass=5: must be path=share, e.g. platform.mass=5%",
    ),
    (("--mismatch", "platform.mas=1.2x"), 2, "platform.mas: no such number in the robot (did you mean platform.mass?)"),
    (
        ("--mismatch", "platform.mass"),
        2,
        "--mismatch platform.mass: must be path=factor or path=value, e.g. platform.mass=1.2x",
    ),
    (("--delay", "1e-3"), 2, "--delay 1e-3: needs --sample-time"),
    (("--encoder", "0.1deg"), 2, "--encoder 0.1deg: needs --sample-time"),
    (("--encoder", "0", "--sample-time", "1e-3"), 2, "--encoder 0: must be a positive number"),
    (
        ("--encoder", "1e-3", "--noise", "0,1", "--sample-time", "1e-3"),
        2,
        "noise: with a resolution rates are differences",
    ),
    (("--out", "/nowhere/at/all"), 2, "--out /nowhere/at/all: no such folder /nowhere/at"),
    (("--bandwidth", "0"), 2, "--bandwidth 0: must be a positive number"),
    (("--noise", "-1", "--sample-time", "1e-3"), 2, "noise: position -1 given, must be a standard deviation: finite, "),
    (("--ensemble", "1000000000000"), 2, "count 1e+12: needs about 6.66 PiB of memory, "),
    (("--ensemble", "0"), 2, "--ensemble 0: must be a whole number from 1 on"),
]


@pytest.mark.parametrize(("options", "exit_code", "line"), LINES)
def test_bad_options_get_one_line(capsys, options, exit_code, line):
    code, out, err = outcome(capsys, *PLANAR[: 2 if "--for" in options else None], *options)
    assert (code, out) == (exit_code, "")
    assert err.startswith(f"gough: error: {line}")
    assert err.count("\n") == 1


def test_modes_in_a_table_a_plot_and_json(capsys, tmp_path):
    code, out, err = outcome(capsys, "modes", "planar3rrr", "--stiffness", "1e4", "--plot", str(tmp_path / "m.png"))
    assert (code, err) == (0, "")
    assert out.splitlines()[2].split() == ["mode", "Hz", "x", "y", "phi"]
    assert (tmp_path / "m.png").read_bytes().startswith(b"\x89PNG")
    code, out, _ = outcome(capsys, "modes", "planar3rrr", "--stiffness", "1e4", "--format", "json")
    assert json.loads(out)["stable"] is True
    assert np.all(np.diff(json.loads(out)["modes"]["frequency"]) >= 0)
    code, out, err = outcome(capsys, "modes", "planar3rrr", "--stiffness", "1,2")
    line = "gough: error: --stiffness 1,2: must be one positive number for all, or 3 of them (A, B, ...)\n"
    assert (code, err) == (2, line)
    code, out, _ = outcome(capsys, "modes", "planar3rrr", "--stiffness", "1e4")
    assert out.endswith("\n\nStiffness of actuators: 10000 N m/rad.\n")
    code, out, _ = outcome(capsys, "modes", "planar3rrr", "--stiffness", "1e4,2e4,3e4", "--units", "N,mm,rad")
    assert out.endswith("\n\nStiffness of actuators: A 10000 N mm/rad, B 20000 N mm/rad, C 30000 N mm/rad.\n")


def test_an_interrupted_run_is_written_whole_and_marked(capsys, tmp_path, monkeypatch):
    from gough.simulation.run.running import Running

    calls = iter(range(400))
    rates = Running.rhs

    def interrupted(self, t, y):
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return rates(self, t, y)

    monkeypatch.setattr(Running, "rhs", interrupted)
    code, out, err = outcome(capsys, "simulate", "planar3rrr", "--out", str(tmp_path))
    assert (code, err) == (130, "gough: interrupted; what was computed is marked complete: false\n")
    assert "complete: false (interrupted)" in out
    assert (tmp_path / "run.csv").read_text().startswith("# complete: false (interrupted)\nt,x,y,phi,")
    assert json.loads((tmp_path / "run.json").read_text())["complete"] is False
    assert not list(tmp_path.glob("*.part"))


def test_an_interrupted_ensemble_is_written_whole_and_every_table_marked(capsys, tmp_path, monkeypatch):
    from gough.simulation.ensemble.steppers import LoopStepper

    calls = iter(range(50))
    step = LoopStepper.__call__

    def interrupted(self, k, c, z):
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return step(self, k, c, z)

    monkeypatch.setattr(LoopStepper, "__call__", interrupted)
    code, out, _ = outcome(capsys, *PLANAR, "--ensemble", "3", "--full-history", "--out", str(tmp_path))
    assert code == 130
    assert "50 steps of 0.001 s" in out
    for name in ("robots.csv", "statistics.csv", "history.csv"):
        assert (tmp_path / name).read_text().startswith("# complete: false (interrupted)\n"), name
    assert json.loads((tmp_path / "ensemble.json").read_text())["complete"] is False


def test_a_diverging_run_says_so_and_keeps_what_was_computed(capsys, tmp_path):
    code, out, err = outcome(capsys, "simulate", "stewart", "--step", "0.5", "--out", str(tmp_path))
    assert code == 3
    assert err.startswith("gough: error: t = ")
    assert "steps of 0.5 s are too long" in err
    assert err.count("\n") == 1
    assert (tmp_path / "robots.csv").exists()
    assert "1 diverged" in out
