"""Sampled controllers drive cable robots, whose slack is watched from the start on."""

import numpy as np
import pytest

import gough
from tests.cli.running import outcome


def _cable8():
    return gough.load("cable8")


def test_a_held_constant_tension_moves_cables_as_the_same_history_does():
    robot = _cable8()
    pull = -np.linspace(400.0, 600.0, 8)
    held = gough.simulate(robot, None, gough.Custom(lambda t, q, qd: pull, sample_time=0.01), 0.05)
    free = gough.simulate(robot, None, lambda t: pull, 0.05)
    assert np.abs(held.x - free.x).max() < 1e-10
    assert (held.force == pull).all()


def test_a_sampled_computed_torque_follows_on_cables():
    robot = _cable8()
    motion = gough.Motion.named(robot)
    run = gough.simulate(robot, None, gough.Controller(gough.ComputedTorque(), motion, sample_time=0.005), 0.1)
    assert run.complete
    assert np.abs(run.error).max() < 1e-3


def test_a_cable_let_go_at_a_sample_goes_slack_then():
    robot = _cable8()

    def let_go(t, q, qd):
        return np.where((np.arange(8) == 2) & (t > 0.025), 0.0, -500.0)

    run = gough.simulate(robot, None, gough.Custom(let_go, sample_time=0.01), 0.05)
    assert [(event.kind, event.leg) for event in run.events] == [("slack", robot.legs[2].name)]
    assert run.events[0].t == pytest.approx(0.03, abs=1e-9)


def test_the_command_samples_on_cables(capsys):
    code, _, told = outcome(capsys, "simulate", "cable8", "--sample-time", "10ms", "--for", "0.05")
    assert (code, told.count("Traceback")) == (0, 0), told


def test_a_sampled_run_that_starts_beyond_a_stroke_has_the_force_of_its_first_sample():
    robot = _cable8().replace({f"leg.{leg.name}.actuator.stroke": [0.1, 0.2] for leg in _cable8().legs})
    run = gough.simulate(robot, None, gough.Custom(lambda t, q, qd: np.full(8, -5.0), sample_time=0.01), 0.05)
    assert run.why.startswith("starts beyond: ")
    assert (run.force == -5.0).all()
