"""Values of options: numbers, samples, loads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from gough.errors import InputError
from gough.motion import Motion, parse_units
from gough.robot import Robot
from gough.robot.units import Units

MOST_SAMPLES = 10_000_000
LARGEST = 1e12
"""Of any number; squares of forces must not overflow."""


def samples_of(motion: Motion, times: str | None, samples: str | None, units: str, default: int) -> Any:
    """What `Motion.sampled` takes: a number of samples, or times [s].

    Raises:
        InputError: Both are given, or either is out of range.
    """
    if times is None:
        if samples is None:
            return default
        if not samples.strip().isdecimal() or not 2 <= int(samples) <= MOST_SAMPLES:
            raise InputError(f"--samples {samples}: must be a whole number from 2 to {MOST_SAMPLES}")
        return int(samples)
    if samples is not None:
        raise InputError("--times: cannot go with --samples")
    scale = parse_units(units).time
    found = [t * scale for t in numbers("--times", times, "seconds, e.g. 0,0.5,1")]
    for earlier, later in pairwise(found):
        if later <= earlier:
            raise InputError(f"--times {times}: must increase, {later / scale:g} comes after {earlier / scale:g}")
    motion(found)
    return found


def wrench_of(text: str | None, units: str) -> list[float] | None:
    """Force [N] and moment [N m] from six numbers; None stays None."""
    if text is None:
        return None
    values = numbers("--wrench", text, "fx,fy,fz,mx,my,mz")
    if len(values) != 6:
        raise InputError(f"--wrench {text}: must be six numbers fx,fy,fz,mx,my,mz, not {len(values)}")
    size = parse_units(units)
    return [v * s for v, s in zip(values, [size.force] * 3 + [size.torque] * 3, strict=True)]


def carrying(robot: Robot, payload: str | None, units: str) -> Robot:
    """The robot with the payload of the option on its platform, or as it is."""
    if payload is None:
        return robot
    from gough.dynamics.payload import HEAVIEST, with_payload

    values = numbers("--payload", payload, "mass or mass,x,y,z")
    if len(values) not in (1, 4):
        raise InputError(f"--payload {payload}: must be mass or mass,x,y,z, not {len(values)} numbers")
    if not 0.0 < values[0] <= HEAVIEST:
        raise InputError(f"--payload {payload}: the mass must be greater than 0 and at most {HEAVIEST:g} kg")
    size: Units = parse_units(units)
    return with_payload(robot, values[0], [v * size.length for v in values[1:]] or (0.0, 0.0, 0.0))


def numbers(option: str, text: str, what: str) -> Sequence[float]:
    """Finite numbers with commas between them.

    Raises:
        InputError: One of them is not; `what` says what they are.
    """
    found = []
    for part in [entry.strip() for entry in text.split(",")]:
        try:
            value = float(part) if "_" not in part else math.nan
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            fault = f"{part} is not a finite number" if part else "a number is missing"
            raise InputError(f"{option} {text}: {fault}; give {what}")
        if abs(value) > LARGEST:
            raise InputError(f"{option} {text}: {part} is larger than {LARGEST:g}; in SI units unless --units says so")
        found.append(value)
    return found
