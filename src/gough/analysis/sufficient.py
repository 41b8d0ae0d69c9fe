"""What the actuators would have to allow for a motion to fit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.analysis.check import SAMPLES, edges_of, sample_times
from gough.analysis.check_result import CheckResult
from gough.analysis.checked_quantities import DRIVE
from gough.analysis.extremes import extremes, extremes_at, pieces_of
from gough.graph import Array


class Sufficient(NamedTuple):
    """Limits of all actuators of one kind that a motion would keep, SI units; of a stroke both ends."""

    kind: str
    turns: bool
    low: float
    high: float


def sufficient(result: CheckResult) -> list[Sufficient]:
    """What would fit, of each kind of limit of the actuators that the motion violates; none where a leg does not reach.

    Nothing fits what has no bound, such as forces at a singular pose. Left out are forces that are shared within their
    limits: with other limits they would be others.
    """
    path, robot = result._path, result.robot
    shared = robot.actuation is not None and robot.actuation.limited
    own = {f.kind for f in result.every if not f.fits and f.owner in robot.actuator_names}
    kinds = [kind for kind in DRIVE if kind in own and not (shared and kind in ("force", "power"))]
    if result.lost is not None or not kinds:
        return []

    def signed(t: Array, inside: Array) -> Array:
        raw = path.drive(t, inside)
        return np.concatenate([raw[DRIVE[kind]] for kind in kinds], axis=1)

    if path.analytic:
        low, high = extremes(
            signed, pieces_of(signed, edges_of(path), kinds=np.repeat(kinds, len(robot.actuators)).tolist())
        )
    else:
        times = sample_times(path, SAMPLES)
        low, high = extremes_at(times, signed(times, times))
    turning = np.array([joint.turns for joint in robot.actuators])
    least, most = (np.array([e.value for e in ends]).reshape(len(kinds), -1) for ends in (low, high))
    found = []
    for kind, a, b in zip(kinds, least, most, strict=True):
        for turns in np.unique(turning):
            bottom, top = float(a[turning == turns].min()), float(b[turning == turns].max())
            if not np.isfinite([bottom, top]).all():
                continue
            found.append(Sufficient(kind, bool(turns), bottom, top if kind == "stroke" else max(top, -bottom)))
    return found
