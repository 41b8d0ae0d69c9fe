"""Headers of CSV files, of motions, recordings, measurements and poses: what each column is called, and its unit."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gough.motion.column_names import RATES, WRENCH
from gough.motion.conventions import Value
from gough.motion.faults import MotionError
from gough.renamed import new_column
from gough.robot.file.units import Units, size_of
from gough.robot.quantities import Measure, measure

_WITH_UNIT = re.compile(r"(.*?)\s*(?:\[\s*(.*?)\s*\]|\(\s*(.*?)\s*\))")
_SUFFIX = re.compile(r"(.+)_(mm|cm|m|deg|rad|ms|s)")


def named_columns(
    place: str, header: Sequence[str], coordinates: Sequence[str], wanted: Mapping[str, str] | None = None
) -> list[tuple[str, str]]:
    """Name and unit of each column, the unit empty where there is none; old names are made new.

    Args:
        place: Of the header, for messages.
        header: Its cells.
        coordinates: Names that may stand in any case of letters, and with their unit at the end.
        wanted: What columns with other names are.
    Raises:
        MotionError: Brackets with nothing in them.
    """
    found = []
    for cell in header:
        match = _WITH_UNIT.fullmatch(cell)
        name = match[1] if match else cell
        unit = (match[2] or match[3] or "") if match else ""
        if match and name and not unit:
            raise MotionError(place, cell, None, "has no unit in its brackets", f"write {name} [mm], or {name} alone")
        found.append(_known_name(name, unit.replace("°", "deg"), coordinates, wanted or {}))
    return found


def _known_name(name: str, unit: str, coordinates: Sequence[str], wanted: Mapping[str, str]) -> tuple[str, str]:
    """What a column is, and its unit: as wanted, or by its own name."""
    ending = _SUFFIX.fullmatch(name) if not unit and name not in coordinates else None
    bare, own_unit = (ending[1], ending[2]) if ending else (name, unit)
    for given in (name, bare):
        if given in wanted:
            return wanted[given], own_unit
    by_letters = {own.lower(): own for own in ("t", *coordinates)}
    for given, given_unit in ((name, unit), (bare, own_unit)):
        own = new_column(given, coordinates)
        own = own if own in coordinates else by_letters.get(own.lower(), own)
        if own in ("t", *coordinates):
            return own, given_unit
    return new_column(name, coordinates), unit


def names_in(header: Sequence[str]) -> list[str]:
    """Names of columns as a file has them, without units in brackets; then again without those at their end."""
    plain = [match[1] if (match := _WITH_UNIT.fullmatch(cell)) else cell for cell in header]
    return [*plain, *(match[1] for name in plain if (match := _SUFFIX.fullmatch(name)))]


def unit_size(place: str, column: str, unit: str, what: Measure, error: type[MotionError] = MotionError) -> float:
    """SI value of one unit of a column that measures `what`: its own unit from the header, or that of `what`.

    Raises:
        MotionError: Of the kind `error`: a unit of something else.
    """
    if not unit:
        return what.size
    size = size_of(unit, what.dimension)
    if size is None:
        raise error(place, f"{column} [{unit}]", None, f"its unit must be {what.listed}")
    return size


def scale_of(place: str, column: str, unit: str, stated: Sequence[Value], units: Units) -> float:
    """SI value of one unit of a column: its own unit, or that of `units`.

    Args:
        place: For messages.
        column: t, a value of `stated` with or without `xd_` or `xdd_`, or one of the wrench.
        unit: From the header; empty if it has none.
        stated: The values that columns may be.
        units: Of columns without a unit; rates are per second whatever the unit of time.
    Raises:
        MotionError: A unit of something else.
    """
    quantity, order = _quantity(column, stated)
    if not quantity:
        if unit not in ("", "1", "-"):
            raise MotionError(place, f"{column} [{unit}]", None, "has no unit", f"write {column}")
        return 1.0
    return unit_size(place, column, unit, measure(quantity, units, order))


def _quantity(column: str, stated: Sequence[Value]) -> tuple[str, int]:
    """What a column measures, and of which order; empty for components of a quaternion."""
    if column == "t":
        return "time", 0
    if column in WRENCH:
        return ("force" if column[0] == "f" else "torque"), 0
    value, order = next((v, k) for v in stated for k, rate in enumerate(RATES) if column == rate + v.name)
    if value.motion == "q":
        return "", 0
    return ("angle" if value.turns else "length"), order
