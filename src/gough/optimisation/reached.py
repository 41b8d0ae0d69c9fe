"""What a design reaches of each limit over the task."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gough.analysis.leg_distances import pairs_of
from gough.graph import Array
from gough.motion import State
from gough.optimisation.measured import singular_values
from gough.optimisation.rows import BY_SHORT, GAPS, Judged


@dataclass(frozen=True)
class Reached:
    """One limit and what the design reaches of it.

    Attributes:
        name: Of the limit.
        values: The worst over all states; of strokes the least and the greatest displacement.
        limits: Stated, as many; none of displacements whose ratio or span is limited.
        unit: SI.
    """

    name: str
    values: tuple[float, ...]
    limits: tuple[float, ...]
    unit: str


def reached(judged: Judged, states: State, p: Array) -> Iterator[Reached]:
    """What a design p reaches of each of its limits."""
    robot, found = judged.measured.robot, judged.measured.at(states, p)
    turning = {joint.turns for joint in robot.actuators} == {True}
    units = {"force": "N m" if turning else "N", "power": "W", "speed": "rad/s" if turning else "m/s", "angle": "rad"}
    units |= dict.fromkeys(("stroke", "stroke_span"), "rad" if turning else "m") | {"stiffness": "N/m"}
    units |= dict.fromkeys(("distance", "pose_error", *GAPS), "m")
    gaps = judged.measured.alone(p)
    for name, limit in judged.limits.items():
        values: tuple[float, ...]
        if name in ("force", "power", "speed"):
            values = (np.abs(found[name][0]).max(),)
        elif name == "stroke" or name in BY_SHORT:
            q = found["stroke"][0]
            values = {"stroke": (q.min(), q.max()), "ratio": (q.max() / q.min(),)}.get(name, (q.max() - q.min(),))
        elif name in ("condition", "singular"):
            s, _ = singular_values(*found["K"], robot.dof)
            values = ((s[:, 0] / s[:, -1]).max() if name == "condition" else s[:, -1].min(),)
        elif name in ("stiffness", "pose_error"):
            values = (judged.value(states, p, name.replace("_", " ")),)
        elif name == "angle":
            values = (np.arccos(np.clip(found["angle"][0].min(), -1.0, 1.0)),)
        elif name == "distance":
            radii = np.array([pair.radii for pair in pairs_of(robot)])
            values = ((np.sqrt(found["distance"][0]) - radii).min(),)
        elif name in GAPS:
            values = (np.sqrt(gaps[name][0].min()),)
        else:
            values = (gaps[name][0][0],)
        if name in BY_SHORT and "stroke" not in judged.limits:
            yield Reached("displacement", (float(q.min()), float(q.max())), (), units["stroke"])
        stated = tuple(limit) if name == "stroke" else (limit,)
        yield Reached(name, tuple(map(float, values)), tuple(map(float, stated)), units.get(name, ""))
