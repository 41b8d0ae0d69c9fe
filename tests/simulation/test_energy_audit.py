"""A simulation whose energy does not balance says so: a warning in Python, exit code 3 of the command."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.dynamics.newton_euler import NewtonEuler
from tests.cli.running import outcome


@pytest.fixture
def wrong_bias(monkeypatch):
    """Equations of motion whose forces of weight and rates are too large by a hundredth."""
    right = NewtonEuler.bias
    monkeypatch.setattr(NewtonEuler, "bias", lambda self, *arguments: right(self, *arguments) * 1.01)


def other_gravity(value):
    """A robot that no other test has recorded programs of."""
    return gough.load("spatial3").replace({"gravity.2": value})


@pytest.mark.parametrize("name", ["spatial3", "stewart", "fivebar"])
def test_a_right_simulation_is_balanced_with_a_margin(name):
    """No warning (warnings are errors here), and a thousandth of what is allowed; for a robot at rest too."""
    robot = gough.load(name)
    for force in (None, gough.inverse_dynamics(robot, robot.home).force):
        run = gough.simulate(robot, None, None if force is None else (lambda _t, f=force: f), 0.1, samples=11)
        assert run.balanced
        assert run.imbalance == ""
        assert np.abs(run.balance).max() <= 1e-3 * run.allowed_balance


def test_what_is_allowed_follows_the_tolerances():
    robot = gough.load("spatial3")
    fine, coarse = (gough.simulate(robot, None, None, 0.2, samples=11, rtol=rtol) for rtol in (1e-10, 1e-6))
    assert fine.allowed_balance < coarse.allowed_balance
    assert fine.balanced
    assert coarse.balanced


def test_too_coarse_an_integration_warns():
    robot = gough.load("spatial3")
    start, coarse = gough.State(robot.home, np.full(3, 0.5)), {"method": "RK45", "rtol": 0.1, "atol": 0.1}
    with pytest.warns(gough.GoughWarning, match=r"energy balance off by .* J allowed: .* try a smaller rtol"):
        run = gough.simulate(robot, start, gough.Springs(1e4), 1.0, on_limit="continue", **coarse)
    assert not run.balanced
    assert run.imbalance in run.to_csv()


def test_a_wrong_equation_of_motion_warns(wrong_bias):
    with pytest.warns(gough.GoughWarning, match="energy balance off by") as caught:
        run = gough.simulate(other_gravity(-9.7), None, None, 0.1, samples=11)
    assert not run.balanced
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert len(str(caught[0].message).splitlines()) == 1


def test_the_command_warns_once_and_exits_with_3(capsys, wrong_bias, tmp_path):
    options = ("--controller", "none", "--for", "0.1", "--set", "gravity.2=-9.6", "--out", str(tmp_path / "run"))
    code, out, err = outcome(capsys, "simulate", "spatial3", *options)
    assert code == 3
    (line,) = [line for line in err.splitlines() if "energy" in line]
    assert line.startswith("gough: warning: energy balance off by")
    assert "run.csv" in out
    assert "energy balance off by" in (tmp_path / "run" / "run.csv").read_text()
