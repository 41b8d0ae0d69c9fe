"""Encoders of a stated resolution, and controllers of one's own beside those of gough."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.errors import InputError

STEP = 2e-3
"""[rad] coarse, so that readings stay the same at some samples and jump at others."""


class Own:
    """PD on readings of an encoder, written out."""

    def __init__(self, robot, motion, period):
        self.robot, self.motion, self.period, self.last = robot, motion, period, None
        self.read = []

    def __call__(self, t, q, qd):
        reading = np.round(q / STEP) * STEP
        rate = np.zeros(len(q)) if self.last is None else (reading - self.last) / self.period
        self.last = reading
        self.read.append(reading)
        wanted = gough.inverse_kinematics(self.robot, self.motion(t))
        return 300.0 * (wanted.q - reading) + 4.0 * (wanted.qd - rate)


@pytest.mark.parametrize("delay", ["0 s", "4 ms"])
def test_a_controller_reads_multiples_of_the_step_and_their_differences(delay):
    robot = gough.load("planar3rrr")
    motion = gough.Motion.named(robot)
    timing = {"sample_time": "2 ms", "delay": delay}
    law, noise = gough.PD(kp=300.0, kd=4.0, gravity=False), gough.Noise(resolution=STEP)
    run = gough.simulate(robot, None, gough.Controller(law, motion, noise=noise, **timing), 0.06)
    own = Own(robot, motion, 2e-3)
    same = gough.simulate(robot, None, gough.Custom(own, motion=motion, **timing), 0.06)
    moved = np.abs(np.diff(own.read, axis=0)) / STEP
    assert (moved < 0.5).any()
    assert (moved > 0.5).any()
    assert np.abs(run.force - same.force).max() <= 1e-9
    assert np.abs(run.error - same.error).max() <= 1e-12
    many = gough.simulate_many(robot, None, gough.Controller(law, motion, noise=noise, **timing), 0.06)
    assert np.abs(many.x[0] - run.x[-1]).max() <= 1e-9
    many = gough.simulate_many(robot, None, gough.Custom(_for_all(robot, motion), motion=motion, **timing), 0.06)
    assert np.abs(many.x[0] - run.x[-1]).max() <= 1e-9
    assert many.worst_error is not None


def _for_all(robot, motion):
    own = Own(robot, motion, 2e-3)
    return lambda t, q, qd: own(t, q[0], qd[0])[None]


def test_the_sample_inside_a_step_reads_so_too():
    robot = gough.load("planar3rrr")
    noise = gough.Noise("1 mrad", seed=3, resolution="0.1 deg")
    law = gough.Controller(gough.ComputedTorque(), gough.Motion.named(robot), sample_time=1e-3, noise=noise)
    many, one = gough.simulate_many(robot, None, law, 0.03), gough.simulate(robot, None, law, 0.03)
    assert np.abs(many.x[0] - one.x[-1]).max() <= 1e-9
    exact = gough.simulate(robot, None, gough.Controller(gough.ComputedTorque(), law.motion, sample_time=1e-3), 0.03)
    assert np.abs(exact.x[-1] - one.x[-1]).max() > 1e-6


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (lambda: gough.Noise(resolution=-1.0), "noise: resolution -1 given, must be finite and not negative"),
        (lambda: gough.Noise(rate=1.0, resolution=1.0), "noise: with a resolution rates are differences of readings"),
        (lambda: gough.Custom(max, delay=1e-3), "controller: a delay needs a sample time"),
        (
            lambda: gough.Noise(resolution="1 mm").steps(gough.load("delta")),
            "noise: resolution: 1 mm: its unit must be",
        ),
    ],
)
def test_what_cannot_be(make, line):
    with pytest.raises(InputError) as told:
        make()
    assert str(told.value).startswith(line)
