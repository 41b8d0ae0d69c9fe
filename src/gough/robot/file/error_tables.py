"""`[tolerances]`, `[heat]` and `[stiffness]`, of a robot's file or of a file beside it, as values.

A number is in the units of its file, or carries its own: "0.1 mm". A file beside a robot's that states no unit takes no
plain number where the robot's file is in another unit than SI: which is meant cannot be known. What an address of the
robot measures is known once there is a robot, so these tables are read last.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path as FilePath
from typing import Any

from gough.robot.checks.fault import Fault, Path
from gough.robot.error_sources import DISTRIBUTIONS, FORMS, PAGE, POINTS, ErrorSources, leaves
from gough.robot.extent import size
from gough.robot.file.reader import Table, file_units, key_of, read_keys
from gough.robot.file.schema import HeatTable, StiffnessTable, TolerancesTable, UnitsTable
from gough.robot.file.small_tables import read_text, tables_of
from gough.robot.file.units import Units
from gough.robot.names import nearest
from gough.robot.quantities import Measure, QuantityError, has_unit, measure, quantity, stiffness
from gough.robot.values import Robot

_LENGTH, _ANGLE = measure("length").dimension, measure("angle").dimension
_FINE = {_LENGTH: ("um", "mm", "cm", "m", "in")}
"""Units of tolerances, for messages."""
_WIDEST = 0.1
"""A tolerance, of the robot's size or of a turn."""
_HEAT = {"temperature": "K", "expansion": "1/K", "scale_expansion": "1/K"}


class ErrorsFile(Table):
    """A file beside a robot's: `units`, and the same tables as a robot's file may have."""

    units = key_of(UnitsTable)
    tolerances = key_of(TolerancesTable)
    heat = key_of(HeatTable)
    stiffness = key_of(StiffnessTable)


def read_error_sources(robot: Robot, path: str | FilePath) -> ErrorSources:
    """What a TOML file with `[tolerances]`, `[heat]` and `[stiffness]` says of a robot.

    Raises:
        RobotError: One line for each fault, naming file, line and key: also a number without a unit, where the file
            states none and the robot's file is in another than the SI unit.
    """
    return _sources(robot, read_text(path, "tolerances file"), str(path), beside=True)


def error_sources(robot: Robot, given: Mapping[str, Any]) -> ErrorSources:
    """Those of tables such as {"tolerances": {"base": "0.1 mm"}}; numbers without a unit are SI unless "units" says.

    Raises:
        RobotError: Unknown tables and keys, numbers that cannot be.
    """
    return _sources(robot, given, "errors")


def _sources(robot: Robot, given: str | Mapping[str, Any], source: str, beside: bool = False) -> ErrorSources:
    tables, place = tables_of(given, source, "tolerances file") if given else ({}, None)
    if place is None:
        return ErrorSources()
    read_keys(ErrorsFile, tables, place)
    known = frozenset(tables.get("units") or ()) if beside else None
    found, faults = of_tables(robot, tables, file_units(tables), known)
    if faults:
        raise place.error(faults)
    return found


def of_tables(
    robot: Robot, tables: Mapping[str, Any], units: Units, known: frozenset[str] | None = None
) -> tuple[ErrorSources, list[Fault]]:
    """The values of tables whose form is right, and their faults at the tables' own paths.

    Args:
        robot: Whose numbers the addresses are.
        tables: By name; others than `ERROR_TABLES` are left alone.
        units: Units of numbers without one.
        known: Quantities whose units are stated, in a file other than the robot's; None where that does not matter.
    """
    reader = _Reader(robot, units, known)
    distribution, by_form, by_address = reader.tolerances(dict(tables.get("tolerances") or {}))
    heat = reader.heat(tables.get("heat") or {})
    elastic = reader.stiffness(tables.get("stiffness") or {})
    found = ErrorSources(
        by_address, by_form, distribution, heat["temperature"], heat["expansion"], elastic, heat["scale_expansion"]
    )
    return found, reader.faults


class _Reader:
    """Reads the tables of one robot, one after the other, and collects their faults.

    Attributes:
        faults: Those found so far.
    """

    def __init__(self, robot: Robot, units: Units, known: frozenset[str] | None) -> None:
        """Of a robot; units of numbers without one, and of which quantities they are stated."""
        self.faults: list[Fault] = []
        self._robot, self._units, self._known = robot, units, known

    def tolerances(self, stated: dict[str, Any]) -> tuple[str, dict[str, float], dict[str, float]]:
        """The distribution of half widths, those by form and those by address."""
        distribution = stated.pop("distribution", "uniform")
        if distribution not in DISTRIBUTIONS:
            self._fault(("tolerances", "distribution"), 'must be "uniform" or "normal"', distribution)
        by_form = {}
        for key in FORMS:
            if key in stated:
                what = _of_form(self._robot, key, self._units)
                if isinstance(what, str):
                    self._fault(("tolerances", key), what, stated[key])
                else:
                    by_form[key] = self._number(("tolerances", key), stated[key], what)
        return distribution, by_form, self._by_address({k: v for k, v in stated.items() if k not in FORMS})

    def _by_address(self, stated: dict[str, Any]) -> dict[str, float]:
        """Half widths by address of the robot."""
        found: dict[str, float] = {}
        given = leaves(stated, ("tolerances",))
        # Patterns first: what is stated of one leg holds against what is stated of all.
        for path, value in sorted(given, key=lambda entry: "*" not in ".".join(map(str, entry[0]))):
            address = ".".join(str(part) for part in path[1:])
            for one in _matching(self._robot, address):
                what = _of_address(self._robot, one, self._units)
                if isinstance(what, str):
                    self._fault(path, "no such number in the robot", None, what)
                elif one in found and "*" in address:
                    self._fault(path, f"{one} is stated twice")
                else:
                    found[one] = self._number(path, value, what)
        return found

    def heat(self, stated: Mapping[str, Any]) -> dict[str, float]:
        """Change of temperature [K] and expansion of the machine and of scales [1/K], 0 where nothing is stated."""
        found = dict.fromkeys(_HEAT, 0.0)
        for key, value in stated.items():
            text = value.removesuffix(_HEAT[key]).strip() if isinstance(value, str) else value
            found[key] = self._number(("heat", key), text, Measure())
        grows = bool(found["expansion"] or found["scale_expansion"])
        if bool(found["temperature"]) != grows and not any(f.path[0] == "heat" for f in self.faults):
            self._fault(("heat",), "needs both temperature [K] and expansion [1/K]")
        return found

    def stiffness(self, stated: Mapping[str, Any]) -> dict[str, float]:
        """Stiffnesses by their key [N/m or N m/rad]."""
        return {
            key: self._number(("stiffness", key), value, _of_stiffness(self._robot, key, self._units), positive=True)
            for key, value in stated.items()
        }

    def _number(self, path: Path, value: object, what: Measure, positive: bool = False) -> float:
        """The number at a path, SI; 1 where it is none."""
        try:
            found = quantity(value, what._replace(units=_FINE.get(what.dimension, what.units)))
        except QuantityError as error:
            self._fault(path, str(error), value)
            return 1.0
        if found and not has_unit(value) and (doubt := self._doubt(path, value, what)):
            self._fault(path, *doubt)
        elif found < 0.0:
            self._fault(path, "must not be negative", value)
        elif path[0] == "tolerances" and (fault := _too_wide(self._robot, found, what)):
            unit = self._meant(found / what.size) if what.dimension == _LENGTH else "deg"
            self._fault(path, fault, value, "" if has_unit(value) else f'write "{value} {unit}"?')
        elif positive and found == 0.0:
            self._fault(path, "must be positive; leave it out for what is rigid", value)
        return found

    def _doubt(self, path: Path, value: object, what: Measure) -> tuple[str, object, str] | None:
        """Why a number without a unit may mean two things, the number and how to write it; None where it does not."""
        from gough.robot.settings import unit_name

        if self._known is None:
            return None
        name = next((n for n in ("length", "angle") if what.dimension == measure(n).dimension), "")
        if path[0] == "stiffness":
            own = _of_stiffness(self._robot, str(path[1]), self._robot.units)
        else:
            own = measure(name, self._robot.units) if name else what
        stated = name in self._known if name else bool(self._known)
        if stated or math.isclose(own.size, 1.0):
            return None
        unit = unit_name(own, own.size)
        where = f'[units] {name} = "{unit}"' if name and unit else "[units]"
        hint = f'write "{value} {unit}"' if unit else "write it with its unit"
        return f"has no unit, and the robot's file is in {unit or 'others than SI'}", value, f"{hint}, or {where} above"

    def _meant(self, number: float) -> str:
        """The unit of length that a tolerance too wide may have been meant in: the robot's own, mm or um."""
        from gough.robot.settings import unit_name

        own = measure("length", self._robot.units)
        likely = {unit_name(own, own.size) or "mm": own.size, "mm": 1e-3}
        small = 0.1 * _WIDEST * size(self._robot)
        return next((unit for unit, length in likely.items() if number * length <= small), "um")

    def _fault(self, *parts: Any) -> None:
        self.faults.append(Fault(*parts))


def measure_of_error(robot: Robot, path: Path, units: Units) -> Measure | None:
    """What the number at a path of these tables measures, in these units; None where that cannot be said."""
    table, key = path[0], ".".join(str(part) for part in path[1:])
    if table == "stiffness":
        return _of_stiffness(robot, key, units)
    if table != "tolerances" or key == "distribution":
        return None
    what = _of_form(robot, key, units) if key in FORMS else _of_address(robot, key, units)
    return None if isinstance(what, str) else what


def _of_stiffness(robot: Robot, key: str, units: Units) -> Measure:
    """What a key of `[stiffness]` measures."""
    turns = bool(robot.actuators) and all(joint.turns for joint in robot.actuators)
    return stiffness(key == "tilt" or (key == "actuator" and turns), units)


def _of_form(robot: Robot, key: str, units: Units) -> Measure | str:
    """What one of `FORMS` measures, or why that cannot be said."""
    turns = {joint.turns for joint in robot.actuators}
    if key not in POINTS and len(turns) > 1:
        return f"{robot.name} has actuators that slide and that turn: use addresses"
    return measure("angle" if key not in POINTS and turns == {True} else "length", units)


def _too_wide(robot: Robot, half: float, what: Measure) -> str:
    """Why a half width cannot be meant; empty where it can."""
    if what.dimension == _LENGTH and half > _WIDEST * (size(robot) or math.inf):
        return f"{half:g} m is more than a tenth of the robot's size"
    return "is more than a tenth of a turn" if what.dimension == _ANGLE and half > _WIDEST * 2.0 * math.pi else ""


def _matching(robot: Robot, address: str) -> list[str]:
    """The addresses that one with `*` for any part stands for; itself where it stands for none."""
    from gough.robot.addresses import paths
    from gough.robot.candidates import patterns

    meant = [*patterns(address)]
    if "*" not in address and len(meant) == 1:
        return [address]
    own = {path: path.split(".") for path in paths(robot)}
    for parts in (one.split(".") for one in meant):
        fits = [path for path, has in own.items() if len(has) == len(parts) and all(map(fnmatchcase, has, parts))]
        if fits:
            return fits
    return [address]


def _of_address(robot: Robot, address: str, units: Units) -> Measure | str:
    """What the number at an address measures; where there is none, a hint."""
    from gough.robot.addresses import PathError, measure_at, paths, value_at

    try:
        value_at(robot, address)
        own = measure_at(robot, address) or Measure()
    except PathError:
        if hint := _hint_of_a_leg(robot, address):
            return hint
        # legs.rod.length is near leg.1.rod.length and something else: one number, common to all legs.
        table = address.partition(".")[0]
        near = nearest(address, (*FORMS, "distribution")) or nearest(
            address, [path for path in paths(robot) if table not in ("leg", "legs") or path.startswith(f"{table}.")]
        )
        return f"did you mean {near}?" if near else f"use an address of the robot, or {', '.join(FORMS)}"
    for name in ("length", "angle"):
        if own.dimension == measure(name).dimension:
            return measure(name, units)
    return own


def _hint_of_a_leg(robot: Robot, address: str) -> str:
    """The numbers of one leg, where an address has a key of `[legs]`, which is common to all; else empty."""
    from gough.robot.addresses import PathError, set_by

    table, _, rest = address.partition(".")
    leg, _, key = rest.partition(".")
    if table != "leg" or not key:
        return ""
    try:
        moved = set_by(robot, f"legs.{key}")
    except PathError:
        return ""
    alike = [path.split(".", 2)[2] for path, by in moved.items() if abs(by - 1.0) < 1e-6 and path.startswith("leg.")]
    own = next((f"leg.{leg}.{last}" for last in alike if alike.count(last) == len(robot.legs)), "")
    common = f"legs.{key} is one number, common to all legs"
    return f"did you mean {own}? {common}" if own else f"{common}; those of single legs: {PAGE}"
