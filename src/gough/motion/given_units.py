"""Units of what people hand in: "mm,deg,ms". Rates are per second whatever the unit of time.

Moments follow from force and length as in a robot's `[units]`, N mm where lengths are in mm, unless stated too.
"""

from __future__ import annotations

from gough.motion.faults import MotionError
from gough.robot.file.units import DIMENSIONS, Units, parse, units
from gough.robot.names import did_you_mean

KNOWN = ("m", "cm", "mm", "in", "rad", "deg", "s", "ms", "min", "N", "kN", "lbf", "N m", "N mm")
_QUANTITIES = ("length", "angle", "time", "force", "torque")


def parse_units(text: str | None, place: str = "--units") -> Units:
    """Units from a list such as "mm,deg" in any order; SI and radians for what is not stated.

    Raises:
        MotionError: A unit that is not one of length, angle, time, force or moment; a quantity stated twice.
    """
    stated: dict[str, str] = {}
    for entry in [part.strip() for part in (text or "").split(",") if part.strip()]:
        found = parse(entry)
        quantity = next((q for q in _QUANTITIES if found and DIMENSIONS[q] == found[0]), None)
        if found is None or quantity is None:
            allowed = "no such unit" if found is None else "is not a unit of length, angle, time, force or moment"
            hint = did_you_mean(entry, KNOWN) if found is None else f"known: {', '.join(KNOWN)}"
            raise MotionError(place, "", entry, allowed, hint)
        if quantity in stated:
            raise MotionError(place, "", entry, f"{quantity} is stated already as {stated[quantity]}")
        stated[quantity] = entry
    return units(stated)
