"""Controllers that act all the time on motions whose acceleration jumps."""

from __future__ import annotations

import numpy as np

import gough
from gough import Motion
from gough.motion.curves import Pieces


def test_a_jump_of_the_acceleration_costs_few_steps_and_no_accuracy():
    """The law at an instant of a jump is that of the piece which ends where a step ends, and of the next in the next.

    Bang-bang motion in twenty pieces, then a hold: its end is a jump too.
    """
    robot = gough.load("fivebar")
    knots, pulls = np.linspace(0.0, 0.2, 21), np.tile([1.0, -1.0], 10)
    x, xd, rows = np.array(robot.platform.home), np.zeros(2), []
    for pull in pulls:
        a, h = np.array([3.0, 2.0]) * pull, knots[1]
        rows.append([x, xd, a / 2])
        x, xd = x + xd * h + a * h**2 / 2, xd + a * h
    curve = Pieces(knots, np.array(rows).transpose(1, 0, 2))
    motion = Motion("bang-bang", robot.coordinate_names, 0.0, 0.2, curve)
    run = gough.simulate(robot, None, gough.Controller(gough.ComputedTorque(), motion), 0.25, on_limit="continue")
    assert run.complete
    assert np.abs(run.error).max() <= 1e-12
    assert run.steps < 4 * len(knots)

    def own(t, q, qd):
        wanted = gough.inverse_dynamics(robot, motion(t)) if t <= motion.end else hold
        return wanted.force + 50.0 * (wanted.q - q) + 5.0 * (wanted.qd - qd)

    hold = gough.inverse_dynamics(robot, motion(motion.end).x)
    run = gough.simulate(robot, None, gough.Custom(own, motion=motion), 0.25, on_limit="continue")
    assert np.abs(run.error).max() <= 1e-9
    assert run.steps < 6 * len(knots)
