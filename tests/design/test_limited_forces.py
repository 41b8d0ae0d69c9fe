"""Sizing over an envelope where forces keep to limits: one line why not, and what it names works instead."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough.robot import Actuation
from tests.cli.running import outcome

LINE = (
    "size: forces shared by criterion 'bounded' keep to limits and are not the sum of what causes them, so that their "
    "worst case over an envelope is not known; size or check motions instead (--motion), or state [actuation] "
    'criterion = "least-norm"'
)
ENVELOPE = {"pose": {"x": [0.0, 0.5]}, "acceleration": {"z": 1.0}}


def test_an_envelope_is_refused_in_one_line(tmp_path, capsys):
    file = tmp_path / "envelope.toml"
    file.write_text("[pose]\nx = [0.0, 0.5]\n\n[acceleration]\nz = 1.0\n")
    assert outcome(capsys, "size", "cable8", "--envelope", str(file)) == (2, "", f"gough: error: {LINE}\n")


def test_least_norm_has_a_worst_case():
    """At the largest of x and of the acceleration either way: here forces are linear in it."""
    robot = replace(gough.load("cable8"), actuation=Actuation("least-norm"), document=None)
    found = gough.size(robot, gough.envelope_of(robot, ENVELOPE), seeds=(1,), power=4)
    x = np.tile(robot.platform.home, (202, 1))
    x[:, 0] = np.tile(np.linspace(0.0, 0.5, 101), 2)
    xdd = np.zeros_like(x)
    xdd[:, 2] = np.repeat([-1.0, 1.0], 101)
    force = gough.inverse_dynamics(robot, x, 0 * x, xdd).force
    assert found.of("force-") == pytest.approx(force.min(axis=0), rel=1e-9)
