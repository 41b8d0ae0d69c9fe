"""The option --limit: KIND=VALUE, with or without a unit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from gough.errors import InputError
from gough.motion import parse_units
from gough.robot import Robot
from gough.robot.file.units import Units
from gough.robot.names import did_you_mean
from gough.robot.quantities import QuantityError, has_unit, quantity


def limits_of(robot: Robot, entries: Sequence[str], units: str) -> dict[str, Any]:
    """Limits in SI units from entries such as stroke=1.8,3.3 or angle=45deg.

    Raises:
        InputError: An entry that cannot be read; one line that says what it may be.
    """
    from gough.analysis.limits import STATED

    size = parse_units(units)
    turns = {joint.turns for joint in robot.actuators}
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
    from gough.analysis.limits import limit_measure

    own = limit_measure(kind, turns == {True}, size)
    try:
        value = quantity(text, own)
    except QuantityError as error:
        raise InputError(f"--limit {entry}: {error}") from None
    if kind == "angle" and not has_unit(text) and value > math.pi + 1e-9:
        raise InputError(f"--limit {entry}: more than half a turn; for degrees write {text}deg")
    return value
