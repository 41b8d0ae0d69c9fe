"""The option --limit: KIND=VALUE, with or without a unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gough.errors import InputError
from gough.motion import parse_units
from gough.robot import Robot
from gough.robot.names import did_you_mean
from gough.robot.units import Units, parse

_VALUE = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([A-Za-z].*)?")
_UNITS = {
    "stroke": ("m, mm, cm, in", "rad, deg"),
    "speed": ("m/s, mm/s", "rad/s, deg/s"),
    "force": ("N, kN, lbf", "N m, N mm"),
}


def limits_of(robot: Robot, entries: Sequence[str], units: str) -> dict[str, Any]:
    """Limits in SI units from entries such as stroke=1.8,3.3 or angle=45deg.

    Raises:
        InputError: An entry that cannot be read; one line that says what it may be.
    """
    from gough.analyse.limits import STATED

    size = parse_units(units)
    turns = {joint.kind == "R" for leg in robot.legs for joint in leg.joints if joint.actuated}
    found: dict[str, Any] = {}
    for entry in entries:
        kind, equals, text = (part.strip() for part in entry.partition("="))
        if not equals or not text:
            raise InputError(f"--limit {entry}: must be KIND=VALUE, e.g. force=100 or stroke=0.1,0.4")
        if kind not in STATED:
            raise InputError(f"--limit {entry}: no limit {kind} ({did_you_mean(kind, STATED)})")
        if kind in found:
            raise InputError(f"--limit {entry}: {kind} is given twice")
        parts = [part.strip() for part in text.split(",")]
        if len(parts) != (2 if kind == "stroke" else 1):
            many = "two values, LOW,HIGH" if kind == "stroke" else "one value"
            raise InputError(f"--limit {entry}: {kind} takes {many}")
        values = [_value(kind, part, entry, turns, size) for part in parts]
        found[kind] = tuple(values) if kind == "stroke" else values[0]
    return found


def _value(kind: str, text: str, entry: str, turns: set[bool], size: Units) -> float:
    dimension, factor, listed = _measure(kind, turns, size)
    match = _VALUE.fullmatch(text)
    if match is None:
        raise InputError(f"--limit {entry}: {text or 'nothing'} is not a number{f' ({listed})' if listed else ''}")
    number, unit = float(match[1]), match[2]
    if unit is None:
        if kind == "angle" and number * factor > 3.1416:
            raise InputError(f"--limit {entry}: more than half a turn; for degrees write {text}deg")
        return number * factor
    known = parse(unit.strip())
    if known is None or known[0] != dimension:
        allowed = f"its unit must be one of {listed}" if listed else "it has no unit"
        raise InputError(f"--limit {entry}: {kind} in {unit}: {allowed}")
    return number * known[1]


def _measure(kind: str, turns: set[bool], size: Units) -> tuple[Any, float, str]:
    """Dimension, SI value of one unit of the command line, and units to name."""
    turning = turns == {True}
    travel = (0, 0, 0, 1) if turning else (1, 0, 0, 0)
    if kind == "stroke":
        return travel, size.angle if turning else size.length, _UNITS[kind][turning]
    if kind == "speed":
        rate = (travel[0], 0, -1, travel[3])
        return rate, (size.angle if turning else size.length) / size.time, _UNITS[kind][turning]
    if kind == "force":
        dimension = (2, 1, -2, 0) if turning else (1, 1, -2, 0)
        return dimension, size.torque if turning else size.force, _UNITS[kind][turning]
    if kind == "power":
        return (2, 1, -3, 0), 1.0, "W, kW"
    if kind == "angle":
        return (0, 0, 0, 1), size.angle, "rad, deg"
    if kind == "distance":
        return (1, 0, 0, 0), size.length, "m, mm, cm, in"
    return None, 1.0, ""
