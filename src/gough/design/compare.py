"""Two machines, or two settings of one, on the same motion: what differs most comes first."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from gough.accuracy.elastic import elasticity
from gough.accuracy.pose_errors import pose_errors, sources_of
from gough.analysis.along_motion import Path
from gough.analysis.check import check, edges_of, singular_times
from gough.analysis.extremes import extremes, extremes_at, first_largest, pieces_of
from gough.design.common_coordinates import for_other
from gough.design.demand import demand
from gough.errors import InputError, NumericalError
from gough.graph import Array
from gough.kinematics.programs import characteristic_length
from gough.motion import Motion
from gough.robot import Mechanism, Robot
from gough.table import Result, records

SAME = 1e-9
INSTANTS = 21
"""Of the motion, at which stiffness and errors are looked at."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure of both machines.

    Attributes:
        what: In words.
        unit: Of the values; "deg" and such are never used: SI units and radians.
        first, second: The values, the worst over the actuators.
        who: Names of the actuators they belong to; empty for the whole machine.
        relative: (second - first) of the larger of the two.
    """

    what: str
    unit: str
    first: float
    second: float
    who: tuple[str, str]
    relative: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


class Comparison(Result):
    """Two robots on one motion.

    Attributes:
        names: Of the two.
        motion: Name of the motion.
        differences: Largest first; those equal to round-off last.
        fits: Whether the motion fits the limits of each; None where it states none.
        violated: What is violated of each.
        smoothing: One line on how the motion was smoothed, if requested.
        base: Name of the base's motion, empty where it stands still.
        elsewhere: Coordinates of the second's home that differ from the first's: name, unit and value.
        duration: Of the motion [s].
        sampled: Number of times looked at; 0 where the largest values are found between samples too.
        held: For each, coordinates that it holds at home since the other has none of that name.
    """

    names: tuple[str, str]
    motion: str
    differences: tuple[Difference, ...] = records()
    fits: tuple[bool | None, bool | None]
    violated: tuple[tuple[str, ...], tuple[str, ...]]
    smoothing: str = ""
    base: str = ""
    elsewhere: tuple[tuple[str, str, float], ...] = ()
    duration: float = 0.0
    sampled: int = 0
    held: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    FACTS = ("names", "motion", "fits", "violated", "smoothing", "base", "elsewhere", "duration", "sampled", "held")
    INDEX, DRAWN, LAYOUT, UNDER = "what", ("relative",), "rows", "differences"


def compare(
    first: Robot,
    second: Robot,
    motion: Motion,
    names: tuple[str, str] | None = None,
) -> Comparison:
    """Two robots on the same motion.

    Args:
        first, second: Any two; the motion moves only coordinates that both have, and all others are held at home.
        motion: One of the first robot, with wrench and base.
        names: For the table; the robots' own if left out.

    Raises:
        InputError: The motion moves coordinates that the second has not.
        ReachError: A leg of one of them cannot follow.
    """
    moved = Motion.of(first, motion)
    try:
        both = ((first, moved), (second, for_other(moved, first, second)))
    except InputError as error:
        raise InputError(f"compare: {error}") from None
    (a, sampled), (b, _) = (_figures(robot, own) for robot, own in both)
    differences = []
    for key in a:
        what, unit = key
        if key not in b:
            continue
        (x, one), (y, other) = a[key], b[key]
        size = max(abs(x), abs(y))
        relative = (y - x) / size if size > 0.0 else 0.0
        differences.append(Difference(what, unit, x, y, (one, other), float(relative)))
    differences.sort(key=lambda d: -abs(d.relative) if abs(d.relative) > SAME else 1.0)
    checks = [_check(robot, own) for robot, own in both]
    return Comparison(
        names or (first.name, second.name),
        moved.name,
        tuple(differences),
        (checks[0][0], checks[1][0]),
        (checks[0][1], checks[1][1]),
        moved.smoothing,
        "" if moved.base is None else moved.base.name,
        _elsewhere(first, second),
        moved.duration,
        sampled,
        (_alone(first, second), _alone(second, first)),
    )


def _alone(robot: Mechanism, other: Mechanism) -> tuple[str, ...]:
    """Coordinates of a robot that another has not."""
    return tuple(name for name in robot.coordinate_names if name not in other.coordinate_names)


def _elsewhere(first: Mechanism, second: Mechanism) -> tuple[tuple[str, str, float], ...]:
    length, home = characteristic_length(first), dict(zip(first.coordinate_names, first.platform.home, strict=True))
    return tuple(
        (c.name, "rad" if c.turns else "m", there)
        for c, there in zip(second.platform.coordinates, second.platform.home, strict=True)
        if c.name in home and abs(there - home[c.name]) > SAME * (1.0 if c.turns else length)
    )


def _check(robot: Robot, motion: Motion) -> tuple[bool | None, tuple[str, ...]]:
    try:
        result = check(robot, motion)
    except InputError:
        return None, ()
    return result.fits, result.violated


def _figures(robot: Robot, motion: Motion) -> tuple[dict[tuple[str, str], tuple[float, str]], int]:
    """Value and actuator by name and unit, and at how many times; 0 for all."""
    found = demand(robot, motion)
    kinds = {joint.kind for joint in robot.actuators}
    turning = kinds == {"R"}
    force, speed, travel = ("N m", "rad/s", "rad") if turning else ("N", "m/s", "m")
    rows: dict[tuple[str, str], tuple[float, str]] = {}

    def worst(what: str, unit: str, values: Array, at: int | None = None) -> None:
        k = first_largest(np.abs(values), np.arange(len(values), dtype=float)) if at is None else at
        rows[what, unit] = (float(abs(values[k])), found.actuators[k])

    worst("peak force", force, found.force, found.strongest("force"))
    worst("rms force", force, found.rms_force)
    worst("peak speed", speed, found.qd, found.strongest("qd"))
    worst("peak power", "W", found.power, found.strongest("power"))
    rows["energy delivered", "J"] = (float(found.energy.sum()), "")
    rows["energy regenerated", "J"] = (float(found.regenerated.sum()), "")
    path = Path(robot, replace(motion, base=None))  # shape and strokes, which the base does not change

    def shape(t: Array, inside: Array) -> Array:
        values = path.singular_values(t)
        raw = path.drive(t, inside)
        with np.errstate(divide="ignore"):
            condition = values[:, :1] / values[:, -1:]
        return np.concatenate([condition, values[:, -1:], raw["q"]], axis=1)

    columns = ["condition", "singular", *["q"] * len(robot.actuators)]
    if motion.analytic:
        low, high = extremes(shape, pieces_of(shape, list(motion.breakpoints), kinds=columns))
        edges_of(path)
    else:
        times = np.linspace(motion.start, motion.end, found.sampled)
        low, high = extremes_at(times, shape(times, times))
    rows["largest condition number", ""] = (high[0].value, "")
    rows["smallest singular value", ""] = (low[1].value, "")
    worst("stroke used", travel, np.array([b.value - a.value for a, b in zip(low[2:], high[2:], strict=True)]))
    rows["moving mass", "kg"] = (float(sum(body.mass for body in robot.bodies)), "")
    rows["characteristic length", "m"] = (characteristic_length(robot), "")
    rows["singularities passed", ""] = (float(sum(len(times) for times in singular_times(path))), "")
    return rows | _stated_errors(robot, motion), found.sampled


def _stated_errors(robot: Robot, motion: Motion) -> dict[tuple[str, str], tuple[float, str]]:
    """Least stiffness and largest errors of the platform's origin at instants of the motion, as its file states them.

    There are none where the motion passes a singular pose.
    """
    x, rows = motion.law(np.linspace(motion.start, motion.end, INSTANTS))[0], {}
    try:
        if robot.errors.stiffness:
            C = np.array([elasticity(robot, x=row).compliance[:3, :3] for row in x])
            rows["least stiffness", "N/m"] = (float(1.0 / np.linalg.eigvalsh(C)[:, -1].max()), "")
        if sources_of(robot):
            position, rotation = pose_errors(robot, x=x).rms.max(axis=0).tolist()
            rows["position error, rms", "m"], rows["rotation error, rms", "rad"] = (position, ""), (rotation, "")
    except NumericalError:
        return {}
    return rows
