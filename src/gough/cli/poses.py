"""Platform coordinates and their rates from the command line: `x=0.1,psi=5deg` or `0.1,0,2,5deg,0,0`.

Numbers are in metres and radians unless a unit follows: mm, cm, m, in; deg, rad; for rates with /s, for accelerations
with /s^2.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from gough.errors import InputError
from gough.kinematics.conventions import OWN, Convention, Value
from gough.motion.plausible import too_far
from gough.robot import Robot
from gough.robot.names import did_you_mean
from gough.robot.units import Units, parse

_VALUE = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([A-Za-z].*)?")
SI = Units()
_PER = ("", "/s", "/s^2")


def parse_pose(
    robot: Robot, text: str, option: str = "--pose", units: Units = SI, convention: Convention = OWN
) -> tuple[float, ...]:
    """Platform coordinates [m or rad]; those not named are at home.

    Args:
        robot: Whose.
        text: Values with or without units, by name or all in order.
        option: For messages.
        units: Of values without one.
        convention: In which the values are stated.

    Raises:
        InputError: The text cannot be read; one line that says what it may be.
    """
    home = convention.stated(robot, robot.platform.home)
    values = _parse(convention.values(robot), text, home, 0, option, units)
    x = convention.solved(robot, values)
    for k, coordinate in enumerate(robot.platform.coordinates):
        if coordinate.motion[0] != "r" and (fault := too_far(robot, k, x[k], units.length != 1.0)) is not None:
            raise InputError(f"{option} {text}: {coordinate.name} {fault[1]}" + (f" ({fault[2]})" if fault[2] else ""))
    return x


def parse_rates(robot: Robot, text: str, order: int, option: str, units: Units = SI) -> tuple[float, ...]:
    """Rates (order 1) or accelerations (order 2) of the platform coordinates; those not named are zero.

    Raises:
        InputError: As `parse_pose`.
    """
    coordinates = OWN.values(robot)
    return _parse(coordinates, text, (0.0,) * len(coordinates), order, option, units)


def _parse(
    coordinates: Sequence[Value], text: str, rest: tuple[float, ...], order: int, option: str, units: Units
) -> tuple[float, ...]:
    if text.strip() in ("", "home"):
        return rest
    entries = [entry.strip() for entry in _entries(text)]
    named = ["=" in entry for entry in entries]
    names = [c.name for c in coordinates]
    if not any(named):
        if len(entries) == 1 and entries[0] in names:
            raise InputError(f"{option} {text}: the value is missing; e.g. {text}=0")
        if len(entries) != len(coordinates):
            raise InputError(
                f"{option} {text}: {len(entries)} values for {len(coordinates)} coordinates; give {', '.join(names)} "
                f"in this order, or some by name ({names[0]}={entries[0]})"
            )
        return tuple(
            _value(c, entry, entry, order, option, units) for c, entry in zip(coordinates, entries, strict=True)
        )
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
        found[name] = _value(coordinates[names.index(name)], value, entry, order, option, units)
    return tuple(found.values())


def _entries(text: str) -> list[str]:
    """The parts of a list, with or without commas."""
    if "=" in text:
        return re.split(r"\s*,\s*|\s+(?=[^\s=,]+\s*=)", text.strip())
    return text.split(",") if "," in text else text.split()


def _value(coordinate: Value, text: str, entry: str, order: int, option: str, size: Units) -> float:
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
        if coordinate.motion == "q":
            return number
        scale = (size.angle if turns else size.length) / size.time**order
        if turns and order == 0 and scale == 1.0 and abs(number) > 2 * math.pi:
            raise InputError(f"{option} {entry}: more than a turn; for degrees write {match[1]}deg (or {match[1]}rad)")
        return number * scale
    if coordinate.motion == "q":
        raise InputError(f"{option} {entry}: {coordinate.name} is a plain number, without a unit")
    found = parse(unit.strip())
    if found is None or found[0] != ((0, 0, -order, 1) if turns else (1, 0, -order, 0)):
        motion = "turns" if turns else "slides"
        raise InputError(f"{option} {entry}: {coordinate.name} {motion}, so its unit must be {listed}, not {unit}")
    return number * found[1]
