"""A motion whose acceleration jumps, as rows that a table between rows can follow.

Between rows a table is the quintic with values, rates and accelerations of both. At a jump two rows stand close to each
other, half a short ramp before and after it, over which the acceleration changes evenly: the rate is the same after it,
the value differs by ramp^2 / 24 times the jump, and all that follows is moved by that. What is written is then checked
as it is read, and made slower until it fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gough.analysis.check import check
from gough.errors import NumericalError
from gough.motion import Motion, State
from gough.motion.curves import Retimed
from gough.robot import Robot

RAMP = 2e-2
"""Duration of a ramp, of that of the shorter piece beside it."""


def ramped(motion: Motion) -> State:
    """Rows before and after every breakpoint of a motion, each jump of the acceleration a short ramp."""
    edges = np.array(motion.breakpoints)
    inner = edges[1:-1]
    half = 0.5 * RAMP * np.minimum(np.diff(edges)[:-1], np.diff(edges)[1:])
    times = np.concatenate([edges[:1], np.stack([inner - half, inner + half], axis=1).ravel(), edges[-1:]])
    times[-1] = np.nextafter(edges[-1], edges[0])
    x, xd, xdd = motion.law(times)
    before, after = motion.law(np.nextafter(inner, edges[0]))[2], motion.law(inner)[2]
    # Over the ramp the motion itself keeps the one acceleration, then the other: it comes this much farther.
    short = (after - before) * (half**2 / 6.0)[:, None]
    moved = np.concatenate([np.zeros((1, x.shape[1])), np.cumsum(short, axis=0)])
    passed = np.repeat(np.arange(len(inner) + 1), 2)  # jumps before each row
    times[-1] = edges[-1]
    rows = x + moved[passed]
    return State(rows, xd, xdd, wrench=motion.wrench(times), t=times, coordinates=motion.coordinates)


def certified_rows(robot: Robot, motion: Motion, limits: Mapping[str, Any]) -> str:
    """CSV text of a motion that fits its limits, slower by what a table between its rows exceeds.

    Raises:
        NumericalError: It does not come to fit.
    """
    from gough.timing.fastest import scaled

    factor, step = 1.0, 0.0
    for _ in range(16 if isinstance(motion.law, Retimed) else 1):
        rows = ramped(motion if factor == 1.0 else scaled(motion, factor))
        read = Motion.from_samples(robot, rows)
        if check(robot, read, limits).fits:
            return rows.to_csv(robot)
        step = max(4.0 * step, 1e-7)
        factor = 1.0 + step
    raise NumericalError(
        "fastest: no sampling of the motion was found that keeps the limits; use the motion itself, or fewer cells"
    )
