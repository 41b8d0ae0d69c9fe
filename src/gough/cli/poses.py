"""Platform coordinates and their rates from the command line: `x=0.1,psi=5deg` or `0.1,0,2,5deg,0,0`.

Numbers are in metres and radians unless a unit follows: mm, cm, m, in; deg, rad; for rates with /s, for accelerations
with /s^2.
"""

from __future__ import annotations

import math
import re

from gough.errors import InputError
from gough.robot import Coordinate, Robot
from gough.robot.names import did_you_mean
from gough.robot.units import parse

_VALUE = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([A-Za-z].*)?")
_PER = ("", "/s", "/s^2")


def parse_pose(robot: Robot, text: str, option: str = "--pose") -> tuple[float, ...]:
    """Platform coordinates [m or rad]; those not named are at home.

    Raises:
        InputError: The text cannot be read; one line that says what it may be.
    """
    return _parse(robot, text, robot.platform.home, 0, option)


def parse_rates(robot: Robot, text: str, order: int, option: str) -> tuple[float, ...]:
    """Rates (order 1) or accelerations (order 2) of the platform coordinates; those not named are zero.

    Raises:
        InputError: As `parse_pose`.
    """
    return _parse(robot, text, (0.0,) * len(robot.platform.coordinates), order, option)


def _parse(robot: Robot, text: str, rest: tuple[float, ...], order: int, option: str) -> tuple[float, ...]:
    coordinates = robot.platform.coordinates
    if text.strip() in ("", "home"):
        return rest
    entries = [entry.strip() for entry in _entries(text)]
    named = ["=" in entry for entry in entries]
    names = [c.name for c in coordinates]
    if not any(named):
        if len(entries) != len(coordinates):
            raise InputError(
                f"{option} {text}: {len(entries)} values for {len(coordinates)} coordinates; give {', '.join(names)} "
                f"in this order, or some by name ({names[0]}={entries[0]})"
            )
        return tuple(_value(c, entry, entry, order, option) for c, entry in zip(coordinates, entries, strict=True))
    found = dict(zip(names, rest, strict=True))
    seen: set[str] = set()
    for entry in entries:
        name, equals, value = (part.strip() for part in entry.partition("="))
        if not equals:
            raise InputError(f"{option} {entry}: must be name=value like the others, e.g. {names[0]}={entry or '0'}")
        if name not in found:
            raise InputError(f"{option} {entry}: no coordinate {name} ({did_you_mean(name, names)})")
        if name in seen:
            raise InputError(f"{option} {entry}: {name} is given twice")
        seen.add(name)
        found[name] = _value(coordinates[names.index(name)], value, entry, order, option)
    return tuple(found.values())


def _entries(text: str) -> list[str]:
    """The parts of a list, with or without commas."""
    if "=" in text:
        return re.split(r"\s*,\s*|\s+(?=[^\s=,]+\s*=)", text.strip())
    return text.split(",") if "," in text else text.split()


def _value(coordinate: Coordinate, text: str, entry: str, order: int, option: str) -> float:
    """One number with or without a unit, in SI units and radians."""
    turns = coordinate.motion.startswith("r")
    units = [f"{unit}{_PER[order]}" for unit in (("deg", "rad") if turns else ("mm", "cm", "m", "in"))]
    listed = f"{', '.join(units[:-1])} or {units[-1]}"
    match = _VALUE.fullmatch(text)
    if match is None:
        raise InputError(f"{option} {entry}: {text or 'nothing'} is not a number, with or without a unit ({listed})")
    number, unit = float(match[1]), match[2]
    if not math.isfinite(number):
        raise InputError(f"{option} {entry}: must be finite")
    if unit is None:
        if turns and order == 0 and abs(number) > 2 * math.pi:
            raise InputError(f"{option} {entry}: more than a turn; for degrees write {match[1]}deg (or {match[1]}rad)")
        return number
    size = parse(unit.strip())
    if size is None or size[0] != ((0, 0, -order, 1) if turns else (1, 0, -order, 0)):
        motion = "turns" if turns else "slides"
        raise InputError(f"{option} {entry}: {coordinate.name} {motion}, so its unit must be {listed}, not {unit}")
    return number * size[1]
