"""The law of motion controllers: seven stretches of constant jerk, from rest to rest."""

from __future__ import annotations

import numpy as np

from gough.motion.curves import Pieces

SIGNS = np.array([1.0, 0.0, -1.0, 0.0, -1.0, 0.0, 1.0])
"""Of the jerk, stretch by stretch."""


def s_curve(jerk: float, steady: float, begin: float = 0.0, start: float = 0.0) -> Pieces:
    """From `start` to `start` + 1 in one unit of time from `begin` on.

    Args:
        jerk: Share of the time of each of the four stretches in which the acceleration changes, up to 1/4.
        steady: Share of the time at constant speed; with 4 jerk at most 1. The rest is constant acceleration.
    """
    push = 0.5 * (1.0 - 4.0 * jerk - steady)
    steps = np.array([jerk, push, jerk, steady, jerk, push, jerk])
    signs, steps = SIGNS[steps > 1e-12], steps[steps > 1e-12]
    state, rows = np.zeros(3), []
    for sign, h in zip(signs, steps, strict=True):
        s, v, a = state
        rows.append([s, v, a / 2.0, sign / 6.0])
        state = np.array([s + v * h + a * h**2 / 2 + sign * h**3 / 6, v + a * h + sign * h**2 / 2, a + sign * h])
    coefficients = np.array(rows).T / state[0]
    coefficients[0] += start
    return Pieces(begin + np.concatenate([[0.0], np.cumsum(steps)]), coefficients[:, :, None])
