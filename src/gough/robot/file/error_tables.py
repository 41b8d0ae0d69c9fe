"""`[tolerances]`, `[heat]` and `[stiffness]`, of a robot's file or of a file beside it, as values.

A number is in the units of its file, or carries its own: "0.1 mm". A file beside a robot's that states no unit takes no
plain number where the robot's file is in another unit than SI: which is meant cannot be known. What an address of the
robot measures is known once there is a robot, so these tables are read last.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Any

from gough.robot.checks.fault import Fault, Path
from gough.robot.error_sources import DISTRIBUTIONS, ERROR_TABLES, FORMS, POINTS, ErrorSources, flat, leaves
from gough.robot.extent import size
from gough.robot.file.reader import Table, file_units, key_of, read_keys
from gough.robot.file.schema import HeatTable, StiffnessTable, TolerancesTable, UnitsTable
from gough.robot.file.toml_tables import read_text, tables_of
from gough.robot.file.units import Units
from gough.robot.mechanism import Mechanism
from gough.robot.names import nearest
from gough.robot.quantities import Measure, QuantityError, has_unit, measure, quantity, stiffness
from gough.robot.robot import Robot
from gough.robot.settings import measure_of, unit_name
from gough.robot.spec import PathError, Spec, address, complete, find

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


def error_tables(robot: Robot, given: Mapping[str, Any] | str | FilePath) -> dict[str, dict[str, Any]]:
    """Return the tables of a robot that a mapping or a TOML file beside its own states, in SI units; see `with_errors`.

    Raises:
        RobotError: One line for each fault: unknown tables and keys, numbers that cannot be; in a file a number without
            a unit, where the file states none and the robot's file is in another than the SI unit.
    """
    if isinstance(given, Mapping):
        tables, place = tables_of(given, "errors", "a tolerances file")
    else:
        text = read_text(given)
        if not text:
            return {}
        tables, place = tables_of(text, str(given), "a tolerances file")
    read_keys(ErrorsFile, tables, place)
    known = None if isinstance(given, Mapping) else frozenset(tables.get("units") or ())
    reader = _Reader(robot.spec, robot.expanded, file_units(tables), robot.units, known)
    found = reader.tables(tables)
    if reader.faults:
        raise place.error(reader.faults)
    return found


def tables_in_si(
    spec: Spec, mechanism: Mechanism, tables: Mapping[str, Any], units: Units
) -> tuple[dict[str, dict[str, Any]], list[Fault]]:
    """Return the tables of a robot's file in SI units, patterns as they are written, and their faults."""
    reader = _Reader(spec, mechanism, units, units, None)
    return reader.tables(tables), reader.faults


def sources(spec: Spec, tables: Mapping[str, Any]) -> ErrorSources:
    """Return tolerances, heat and stiffness of tables in SI units, a half width for each number that a pattern names.

    What is stated of one number holds against what is stated of all.
    """
    stated = flat(tables.get("tolerances") or {})
    distribution = stated.pop("distribution", DISTRIBUTIONS[0])
    by_form = {form: stated.pop(form) for form in FORMS if form in stated}
    by_address: dict[str, float] = {}
    tree = complete(spec) if stated else {}
    for pattern, half in sorted(stated.items(), key=lambda entry: "*" not in entry[0]):
        for keys in _found(spec, pattern):
            by_address[address(tree, keys)] = half
    heat = {**dict.fromkeys(_HEAT, 0.0), **(tables.get("heat") or {})}
    return ErrorSources(by_address, by_form, distribution, stiffness=dict(tables.get("stiffness") or {}), **heat)


def _found(spec: Spec, pattern: str) -> list[Any]:
    """Keys of the numbers that a pattern names; none where it names none."""
    try:
        return find(spec, pattern)
    except PathError:
        return []


class _Reader:
    """Reads the tables of one robot, one after the other, and collects their faults.

    Attributes:
        faults: Those found so far.
    """

    def __init__(
        self, spec: Spec, mechanism: Mechanism, units: Units, own: Units, known: frozenset[str] | None
    ) -> None:
        """Of a robot: units of numbers without one, those of its own file, and of which quantities they are stated."""
        self.faults: list[Fault] = []
        self._spec, self._robot, self._units, self._own, self._known = spec, mechanism, units, own, known

    def tables(self, given: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """The tables in SI units, without those that state nothing."""
        readers = (self._tolerances, self._heat, self._stiffness)
        found = {name: read(given.get(name) or {}) for name, read in zip(ERROR_TABLES, readers, strict=True)}
        return {name: table for name, table in found.items() if table}

    def _tolerances(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Half widths by form and by address or pattern, and their distribution if one is stated."""
        found: dict[str, Any] = {}
        tree, named = complete(self._spec), set[Any]()
        paths = {".".join(map(str, path[1:])): (path, value) for path, value in leaves(given, ("tolerances",))}
        for key, (path, value) in sorted(paths.items(), key=lambda entry: "*" not in entry[0]):
            if key == "distribution":
                found[key] = value
                if value not in DISTRIBUTIONS:
                    self._fault(path, 'must be "uniform" or "normal"', value)
                continue
            what = _of_form(self._robot, key, self._units) if key in FORMS else self._of_address(tree, key, named, path)
            if isinstance(what, str):
                self._fault(path, what, value)
            elif what is not None:
                found[key] = self._number(path, value, what)
        return {key: found[key] for key in paths if key in found}

    def _of_address(self, tree: Spec, key: str, named: set[Any], path: Path) -> Measure | None:
        """What the numbers that an address or a pattern names measure; None, and a fault, where it names none."""
        numbers = _found(self._spec, key)
        if not numbers:
            near = nearest(key, (*FORMS, "distribution")) or _nearest(self._spec, key)
            hint = f"did you mean {near}?" if near else f"use an address of the robot, or {', '.join(FORMS)}"
            self._fault(path, "no such number in the robot", None, hint)
            return None
        for keys in numbers:
            if keys in named and "*" in key:
                self._fault(path, f"{address(tree, keys)} is stated twice")
        named.update(numbers)
        return _measure(tree, numbers[0], self._units)

    def _heat(self, stated: Mapping[str, Any]) -> dict[str, Any]:
        """Change of temperature [K] and expansion of the machine and of scales [1/K], as far as stated."""
        found = {}
        for key, value in stated.items():
            text = value.removesuffix(_HEAT[key]).strip() if isinstance(value, str) else value
            found[key] = self._number(("heat", key), text, Measure())
        grows = bool(found.get("expansion") or found.get("scale_expansion"))
        if bool(found.get("temperature")) != grows and not any(f.path[0] == "heat" for f in self.faults):
            self._fault(("heat",), "needs both temperature [K] and expansion [1/K]")
        return found

    def _stiffness(self, stated: Mapping[str, Any]) -> dict[str, Any]:
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
        if self._known is None:
            return None
        name = next((n for n in ("length", "angle") if what.dimension == measure(n).dimension), "")
        if path[0] == "stiffness":
            own = _of_stiffness(self._robot, str(path[1]), self._own)
        else:
            own = measure(name, self._own) if name else what
        stated = name in self._known if name else bool(self._known)
        if stated or math.isclose(own.size, 1.0):
            return None
        unit = unit_name(own, own.size)
        where = f'[units] {name} = "{unit}"' if name and unit else "[units]"
        hint = f'write "{value} {unit}"' if unit else "write it with its unit"
        return f"has no unit, and the robot's file is in {unit or 'others than SI'}", value, f"{hint}, or {where} above"

    def _meant(self, number: float) -> str:
        """The unit of length that a tolerance too wide may have been meant in: the robot's own, mm or um."""
        own = measure("length", self._own)
        likely = {unit_name(own, own.size) or "mm": own.size, "mm": 1e-3}
        small = 0.1 * _WIDEST * size(self._robot)
        return next((unit for unit, length in likely.items() if number * length <= small), "um")

    def _fault(self, *parts: Any) -> None:
        self.faults.append(Fault(*parts))


def measure_of_error(spec: Spec, mechanism: Mechanism, path: Path, units: Units) -> Measure | None:
    """Return what the number at a path of these tables measures, in these units; None where that cannot be said."""
    table, key = path[0], ".".join(str(part) for part in path[1:])
    if table == "stiffness":
        return _of_stiffness(mechanism, key, units)
    if table != "tolerances" or key == "distribution":
        return None
    if key in FORMS:
        what = _of_form(mechanism, key, units)
        return None if isinstance(what, str) else what
    found = _found(spec, key)
    return _measure(complete(spec), found[0], units) if found else None


def _measure(tree: Spec, keys: Any, units: Units) -> Measure:
    """What the number at these keys measures: a length or an angle in these units, all else in SI units."""
    own = measure_of(tree, keys) or Measure()
    for name in ("length", "angle"):
        if own.dimension == measure(name).dimension:
            return measure(name, units)
    return own


def _nearest(spec: Spec, key: str) -> str | None:
    try:
        find(spec, key)
    except PathError as error:
        return error.nearest
    return None


def _of_stiffness(robot: Mechanism, key: str, units: Units) -> Measure:
    """What a key of `[stiffness]` measures."""
    turns = bool(robot.actuators) and all(joint.turns for joint in robot.actuators)
    return stiffness(key == "tilt" or (key == "actuator" and turns), units)


def _of_form(robot: Mechanism, key: str, units: Units) -> Measure | str:
    """What one of `FORMS` measures, or why that cannot be said."""
    turns = {joint.turns for joint in robot.actuators}
    if key not in POINTS and len(turns) > 1:
        return f"{robot.name} has actuators that slide and that turn: use addresses"
    return measure("angle" if key not in POINTS and turns == {True} else "length", units)


def _too_wide(robot: Mechanism, half: float, what: Measure) -> str:
    """Why a half width cannot be meant; empty where it can."""
    if what.dimension == _LENGTH and half > _WIDEST * (size(robot) or math.inf):
        return f"{half:g} m is more than a tenth of the robot's size"
    return "is more than a tenth of a turn" if what.dimension == _ANGLE and half > _WIDEST * 2.0 * math.pi else ""
