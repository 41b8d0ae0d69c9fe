"""Values of options: numbers, samples, loads."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from gough.errors import InputError
from gough.motion import Motion, parse_units
from gough.robot import Robot
from gough.robot.quantities import PLAIN, Measure, QuantityError, has_unit, measure, quantity, shown

MOST_SAMPLES = 10_000_000
LARGEST = 1e12
"""Of any number; squares of forces must not overflow."""


def samples_of(motion: Motion, times: str | None, samples: str | None, units: str, default: Any) -> Any:
    """What `Motion.sampled` takes: a number of samples, or times [s].

    Raises:
        InputError: Both are given, or either is out of range.
    """
    if times is None:
        if samples is None:
            return default
        try:
            count = float(samples if "_" not in samples else "nan")
        except ValueError:
            count = float("nan")
        if not (2 <= count <= MOST_SAMPLES and count.is_integer()):
            raise InputError(f"--samples {samples}: must be a whole number from 2 to {MOST_SAMPLES}")
        return int(count)
    if samples is not None:
        raise InputError("--times: cannot go with --samples")
    size = parse_units(units)
    found = list(quantities("--times", times, "seconds, e.g. 0,0.5,1", measure("time", size)))
    for earlier, later in pairwise(found):
        if later <= earlier:
            one, other = shown(later, "time", size, 12), shown(earlier, "time", size, 12)
            raise InputError(f"--times {times}: must increase, {one} comes after {other}")
    outside = [t for t in found if not motion.covers(t)]
    if outside:
        start, end = (shown(t, "time", size, 12) for t in (motion.start, motion.end))
        at = shown(outside[0], "time", size, 12)
        raise InputError(f"--times {times}: {at} is outside the motion {motion.name}, from {start} to {end}")
    return found


def wrench_of(text: str | None, units: str) -> list[float] | None:
    """Force [N] and moment [N m] from six numbers; None stays None."""
    if text is None:
        return None
    size = parse_units(units)
    each = [measure("force", size)] * 3 + [measure("torque", size)] * 3
    values = quantities("--wrench", text, "fx,fy,fz,mx,my,mz", *each)
    if len(values) != 6:
        raise InputError(f"--wrench {text}: must be six numbers fx,fy,fz,mx,my,mz, not {len(values)}")
    return list(values)


def carrying(robot: Robot, payload: str | None, units: str) -> Robot:
    """The robot with the payload of the option on its platform, or as it is."""
    if payload is None:
        return robot
    from gough.dynamics.payload import HEAVIEST, with_payload

    size = parse_units(units)
    each = [measure("mass", size)] + [measure("length", size)] * 3
    values = quantities("--payload", payload, "mass or mass,x,y,z", *each)
    if len(values) not in (1, 4):
        raise InputError(f"--payload {payload}: must be mass or mass,x,y,z, not {len(values)} numbers")
    if not 0.0 < values[0] <= HEAVIEST:
        raise InputError(f"--payload {payload}: the mass must be greater than 0 and at most {HEAVIEST:g} kg")
    return with_payload(robot, values[0], values[1:] or (0.0, 0.0, 0.0))


def quantities(option: str, text: str, what: str, *measures: Measure) -> Sequence[float]:
    """Finite numbers in SI units with commas between them, each with or without its unit.

    Args:
        option, text: As given.
        what: Says in messages what they are.
        measures: What each is, the last also of all that follow; plain numbers if left out.
    Raises:
        InputError: One of them is not a number, or has a unit of something else.
    """
    found = []
    for k, part in enumerate(entry.strip() for entry in text.split(",")):
        own = measures[min(k, len(measures) - 1)] if measures else PLAIN
        try:
            value = quantity(part, own)
        except QuantityError as error:
            fault = f"{part} is not a finite number" if part else "a number is missing"
            if str(error).startswith("its unit"):
                fault = f"{part}: {error}"
            elif has_unit(part):
                fault = f"{part} {error}"
            raise InputError(f"{option} {text}: {fault}; give {what}") from None
        if abs(value) > LARGEST * max(1.0, own.size):
            raise InputError(f"{option} {text}: {part} is larger than {LARGEST:g}; in SI units unless --units says so")
        found.append(value)
    return found


def positive(option: str, text: str, what: Measure) -> float:
    """A number above zero in SI units, with or without its unit.

    Raises:
        InputError: It is none.
    """
    value = _one(option, text, what)
    if not value > 0.0:
        raise InputError(f"{option} {text}: must be a positive number")
    return value


def not_negative(option: str, text: str, what: Measure) -> float:
    """A number not below zero in SI units, with or without its unit.

    Raises:
        InputError: It is none.
    """
    value = _one(option, text, what)
    if value < 0.0:
        raise InputError(f"{option} {text}: must not be negative")
    return value


def _one(option: str, text: str, what: Measure) -> float:
    try:
        return quantity(text, what)
    except QuantityError as error:
        raise InputError(f"{option} {text}: {error}") from None
