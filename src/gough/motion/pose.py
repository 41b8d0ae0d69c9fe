"""Poses, rates and durations as people write them: `x=0.1,psi=5deg` (the rest at home), or all
in order, `0.1,0,2,5deg,0,0`.

Numbers without a unit are in the units stated, metres and radians otherwise; with one they are read beside any: mm, cm,
m, in; deg, rad; for rates with /s, for accelerations with /s^2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gough.motion.conventions import OWN, Convention, NoSuchPose, Value
from gough.motion.curves import LAWS, Values
from gough.motion.faults import LARGEST_TURN, MotionError, too_far
from gough.robot import Mechanism
from gough.robot.file.units import DIMENSIONS, Units, parse, size_of, units
from gough.robot.names import did_you_mean
from gough.robot.quantities import PLAIN, Measure, QuantityError, has_unit, measure, quantity
from gough.robot.quantities import shown as shown_in

KNOWN = ("m", "cm", "mm", "in", "rad", "deg", "s", "ms", "min", "N", "kN", "lbf", "kgf", "N m", "N mm", "kgf cm")
_QUANTITIES = ("length", "angle", "time", "force", "torque")


def parse_units(text: str | None, place: str = "--units") -> Units:
    """Units from a list such as "mm,deg" in any order; SI and radians for what is not stated.

    Rates are per second whatever the unit of time. Moments follow from force and length as in a robot's `[units]`, N mm
    where lengths are in mm, unless stated too.

    Raises:
        MotionError: A unit that is not one of length, angle, time, force or moment; a quantity stated twice.
    """
    stated: dict[str, str] = {}
    for entry in [part.strip() for part in (text or "").split(",") if part.strip()]:
        found = parse(entry)
        quantity = next((q for q in _QUANTITIES if size_of(entry, DIMENSIONS[q]) is not None), None)
        if found is None or quantity is None:
            allowed = "no such unit" if found is None else "is not a unit of length, angle, time, force or moment"
            hint = did_you_mean(entry, KNOWN) if found is None else f"known: {', '.join(KNOWN)}"
            raise MotionError(place, "", entry, allowed, hint)
        if quantity in stated:
            raise MotionError(place, "", entry, f"{quantity} is stated already as {stated[quantity]}")
        stated[quantity] = entry
    return units(stated)


_SHOWN = 10
"""Number of values shown of a list of the wrong length."""


PoseLike: TypeAlias = str | Mapping[str, Any] | Sequence[Any] | NDArray[Any]
"""A pose: "z=2.1,psi=5deg", values by name, or one for each coordinate; any number may be a text with its unit."""


class Entry(NamedTuple):
    """A value as given, for which coordinate, and how it is shown in messages."""

    name: str
    value: Any
    text: str


def parse_pose(
    robot: Mechanism,
    pose: PoseLike,
    place: str = "pose",
    units: Units | None = None,
    convention: Convention = OWN,
    near: Sequence[float] | None = None,
) -> Values:
    """Platform coordinates [m or rad]; those not named are at home.

    Args:
        robot: The robot whose coordinates they are.
        pose: "home", "0,0,2.5,0,0,15deg", "z=2.5,phi=15deg", a mapping of names, or (n,) numbers; any number may be a
            text with its unit.
        place: Option or argument, for messages.
        units: Units of numbers without one; SI and radians if left out.
        convention: In which the values are stated.
        near: (n,) coordinates to which angles of another convention come nearest; home if left out.
    Raises:
        MotionError: Names, count, numbers or units are wrong; the robot has no such pose.
    """
    size = units or Units()
    entries = _entries(pose, place, convention.values(robot), follows=robot.dependent_names)
    values = _values(entries, convention.values(robot), convention.stated(robot, robot.platform.home), place, size)
    whole = pose if isinstance(pose, str) else ", ".join(entry.text for entry in entries)
    try:
        rows = convention.solved_rows(robot, np.array([values]), near=near, units=size)
    except NoSuchPose as error:
        raise MotionError(f"{place} {whole}", "", None, error.reason) from None
    x = tuple(float(v) for v in rows[0][0])
    for k, coordinate in enumerate(robot.platform.coordinates):
        if coordinate.turns:
            continue
        own = any(has_unit(entry.value) for entry in entries if entry.name == coordinate.name)
        if (fault := too_far(robot, k, x[k], own or size.length != 1.0)) is not None:
            hint = fault[2]
            if hint and not place.startswith("--"):
                hint = f'millimetres? write "{coordinate.name}={x[k]:.12g}mm"'
            raise MotionError(f"{place} {whole}", "", None, f"{coordinate.name} {fault[1]}", hint)
    return x


def stated_values(robot: Mechanism, pose: PoseLike, place: str, units: Units, convention: Convention) -> Values:
    """The values of a pose in its convention [m or rad]; those not named are at home."""
    home = convention.stated(robot, robot.platform.home)
    return parse_values(convention.values(robot), home, pose, place, units, follows=robot.dependent_names)


def parse_rates(
    robot: Mechanism, text: PoseLike, order: int, place: str, units: Units | None = None, convention: Convention = OWN
) -> Values:
    """Rates (order 1) or accelerations (order 2) of a convention's values; those not named are zero.

    Raises:
        MotionError: As `parse_pose`.
    """
    stated, follows = convention.values(robot), robot.dependent_names
    given = {} if isinstance(text, str) and not text.strip() else text
    return parse_values(stated, (0.0,) * len(stated), given, place, units or Units(), order, follows=follows)


def parse_values(
    stated: Sequence[Value],
    rest: Sequence[float],
    given: PoseLike,
    place: str,
    units: Units,
    order: int = 0,
    noun: str = "coordinate",
    follows: Sequence[str] = (),
) -> Values:
    """The values given by name or all in order [m or rad, per s, per s^2]; those not named are as in `rest`.

    Args:
        stated: Names and motions.
        rest: One for each.
        given: As `parse_pose` takes a pose.
        place: Option or argument, for messages.
        units: Units of numbers without one.
        order: Of the derivative.
        noun: What the names are of, for messages.
        follows: Names that have no value of their own.

    Raises:
        MotionError: As `parse_pose`.
    """
    return _values(_entries(given, place, stated, noun, follows), stated, rest, place, units, order)


def _values(
    entries: Sequence[Entry],
    stated: Sequence[Value],
    rest: Sequence[float],
    place: str,
    units: Units,
    order: int = 0,
) -> Values:
    values, known = {value.name: own for value, own in zip(stated, rest, strict=True)}, {v.name: v for v in stated}
    for entry in entries:
        value, before = known[entry.name], values[entry.name]
        values[entry.name] = number_of(value, entry, order, place, units)
        if not order and value.turns and not has_unit(entry.value):
            _check_turn(entry, values[entry.name] - before, place, units)
    return tuple(values.values())


def _entries(
    pose: PoseLike, place: str, stated: Sequence[Value], noun: str = "coordinate", follows: Sequence[str] = ()
) -> list[Entry]:
    """The values given, each for a coordinate that is there and `follows` no other, none twice."""
    names = [value.name for value in stated]
    if isinstance(pose, str):
        return _entries_of_text(pose, place, names, noun, follows)
    if isinstance(pose, Mapping):
        entries = [Entry(str(name), value, f"{name}={value}") for name, value in pose.items()]
        check_names(entries, place, names, noun, follows)
        return entries
    values = list(pose) if np.iterable(pose) else [pose]
    _check_count(values, ", ".join(map(str, values[:_SHOWN])), place, names, noun)
    return [Entry(name, value, f"{name}={value}") for name, value in zip(names, values, strict=True)]


def _entries_of_text(text: str, place: str, names: Sequence[str], noun: str, follows: Sequence[str]) -> list[Entry]:
    if text.strip() == "home":
        return []
    if not text.strip():
        raise MotionError(place, "", None, f"is empty; give {', '.join(names)} in this order, or some by name, or home")
    if "=" not in text:
        values = [part.strip() for part in (text.split(",") if "," in text else text.split())]
        if len(values) == 1 and values[0] in names:
            raise MotionError(f"{place} {text}", "", None, f"the value is missing; e.g. {text}=0")
        _check_count(values, text, place, names, noun)
        return [Entry(name, value, value) for name, value in zip(names, values, strict=True)]
    entries = split_text(text, place, names)
    check_names(entries, place, names, noun, follows)
    return entries


def split_text(text: str, place: str, names: Sequence[str]) -> list[Entry]:
    """The entries of a text name=value,name=value; `names` are for messages.

    Raises:
        MotionError: A part without a name.
    """
    entries = []
    for part in re.split(r"\s*,\s*|\s+(?=[^\s=,]+\s*=)", text.strip()):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals:
            allowed = f"must be name=value like the others, e.g. {names[0]}={part or '0'}"
            raise MotionError(f"{place} {part}", "", None, allowed)
        entries.append(Entry(name, value, part))
    return entries


def _check_count(values: Sequence[Any], text: str, place: str, names: Sequence[str], noun: str) -> None:
    if len(values) != len(names):
        several = "1 value" if len(values) == 1 else f"{len(values)} values"
        needed = f"{len(names)} {noun}{'' if len(names) == 1 else 's'}"
        example = f"{names[0]}={values[0] if values else '0.1'}"
        allowed = f"{several} for {needed}; give {', '.join(names)} in this order, or some by name ({example})"
        raise MotionError(f"{place} {text}".strip(), "", None, allowed)


def check_names(entries: Sequence[Entry], place: str, names: Sequence[str], noun: str, follows: Sequence[str]) -> None:
    """Refuse a name that is none of `names`, or is given twice.

    Raises:
        MotionError: The first of them.
    """
    for k, entry in enumerate(entries):
        if entry.name in follows:
            hint = "leave it out; where it starts at home is platform.home in the file"
            raise MotionError(f"{place} {entry.text}", "", None, f"{entry.name} follows {', '.join(names)}", hint)
        if entry.name not in names:
            hint = did_you_mean(entry.name, names)
            raise MotionError(f"{place} {entry.text}", "", None, f"no {noun} {entry.name}", hint)
        if entry.name in [earlier.name for earlier in entries[:k]]:
            raise MotionError(f"{place} {entry.text}", "", None, f"{entry.name} is given twice")


def number_of(value: Value, entry: Entry, order: int, place: str, units: Units) -> float:
    """One number with or without a unit, in SI units and radians.

    Raises:
        MotionError: It is none, or its unit is one of something else.
    """
    turns = value.turns
    what: Measure = PLAIN if value.motion == "q" else measure("angle" if turns else "length", units, order)
    try:
        return quantity(entry.value, what)
    except QuantityError as error:
        reason = str(error)
        if reason.startswith("its unit"):
            reason = f"{value.name} {'turns' if turns else 'slides'}, so {reason}"
        elif reason.startswith("is a plain"):
            reason = f"{value.name} {reason}"
        raise MotionError(f"{place} {entry.text}", "", None, reason) from None


def _check_turn(entry: Entry, away: float, place: str, units: Units) -> None:
    """Refuse a plain number of more than a turn: degrees taken for radians."""
    if abs(away) > LARGEST_TURN:
        number = str(entry.value).strip()
        hint = f"; for degrees write {number}deg (or {number}rad)" if units.angle == 1.0 else " from home"
        raise MotionError(f"{place} {entry.text}", "", None, f"more than a turn{hint}")


SHORTEST, LONGEST = 1e-6, 1e9
"""Of a motion [s]; its accelerations must not overflow."""


def duration_of(value: float | str, units: Units | None = None, place: str = "duration") -> float:
    """A positive duration [s] from a number or a text with or without a unit.

    Raises:
        MotionError: It is no positive time, or too short or too long to be one.
    """
    try:
        time = quantity(value, measure("time", units))
    except QuantityError as error:
        reason = str(error) if str(error).startswith("its unit") else "must be a positive number"
        shown = float(value) if isinstance(value, float) else value
        raise MotionError(place, "", shown, reason, "e.g. 2 or 500ms") from None
    given = value if isinstance(value, str) and has_unit(value) else float(value)
    if not time > 0.0:
        raise MotionError(place, "", given, "must be a positive number", "e.g. 2 or 500ms")
    if not SHORTEST <= time <= LONGEST:
        low, high = (shown_in(end, "time", units) for end in (SHORTEST, LONGEST))
        raise MotionError(place, "", given, f"must be between {low} and {high}")
    return time


def law_of(name: str, place: str = "law") -> str:
    """The name of a law of `LAWS`.

    Raises:
        MotionError: It is none of them.
    """
    if not isinstance(name, str) or name not in LAWS:
        raise MotionError(place, "", str(name), "no such law", did_you_mean(str(name), list(LAWS)))
    return name
