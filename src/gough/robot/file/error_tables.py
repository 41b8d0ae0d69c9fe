"""`[tolerances]`, `[heat]` and `[stiffness]`, of a robot's file or of a file beside it, as values.

A number is in the units of its file, or carries its own: "0.1 mm". A file beside a robot's that states no unit takes no
plain number where the robot's file is in another unit than SI: which is meant cannot be known. What an address of the
robot measures is known once there is a robot, so these tables are read last.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from gough.robot.addresses import measure_of
from gough.robot.checks.fault import Fault, Path
from gough.robot.error_sources import DISTRIBUTIONS, ERROR_TABLES, FORMS, POINTS, READINGS, ErrorSources
from gough.robot.file.reader import Table, file_units, key_of, read_keys
from gough.robot.file.schema import HeatTable, StiffnessTable, TolerancesTable, UnitsTable
from gough.robot.file.toml_tables import read_text, tables_of
from gough.robot.file.units import DIMENSIONS, Units
from gough.robot.legs.expand import expand
from gough.robot.mechanism import Mechanism, size
from gough.robot.names import nearest
from gough.robot.quantities import PLAIN, Measure, QuantityError, has_unit, measure, quantity
from gough.robot.robot import Robot
from gough.robot.spec import Keys, Spec, address, complete, matches, nearest_address

_LENGTH, _ANGLE = DIMENSIONS["length"], DIMENSIONS["angle"]
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
    reader = _Reader(spec, mechanism, units, units)
    return reader.tables(tables), reader.faults


def sources(spec: Spec, tables: Mapping[str, Any]) -> ErrorSources:
    """Return tolerances, heat and stiffness of tables in SI units, a half width for each number that a pattern names.

    What is stated of one number holds against what is stated of all.
    """
    stated = dict(tables.get("tolerances") or {})
    distribution = stated.pop("distribution", DISTRIBUTIONS[0])
    by_form = {form: stated.pop(form) for form in FORMS if form in stated}
    tree = complete(spec) if stated else {}
    patterns = sorted(stated.items(), key=lambda entry: "*" not in entry[0])
    by_address = {address(tree, keys): half for pattern, half in patterns for keys in matches(spec, pattern)}
    heat = {**dict.fromkeys(_HEAT, 0.0), **(tables.get("heat") or {})}
    return ErrorSources(by_address, by_form, distribution, stiffness=dict(tables.get("stiffness") or {}), **heat)


def measure_of_error(
    spec: Spec, path: Path, units: Units | None = None, mechanism: Mechanism | None = None
) -> Measure | None:
    """Return what the number at a path of these tables measures, in these units; None where that cannot be said.

    Args:
        spec: Of the robot.
        path: Its table, and its key in one part or several.
        units: SI if left out.
        mechanism: The spec expanded, if it was.
    """
    found = _measures(spec, path, units, mechanism or expand(spec))
    return found[0] if len({what.dimension for what in found}) == 1 else None


def _measures(spec: Spec, path: Path, units: Units | None, robot: Mechanism) -> list[Measure]:
    """What each of the numbers measures that a key of these tables is for; none where it is for none."""
    table, key = path[0], ".".join(str(part) for part in path[1:])
    turning = sorted({joint.turns for joint in robot.actuators})
    if table == "stiffness":
        turns = key == "tilt" or (key == "actuator" and turning == [True])
        return [measure("stiffness", units, turns=turns)]
    if table == "heat" or key == "distribution":
        return []
    if key in POINTS:
        return [measure("length", units)]
    if key in READINGS:
        return [measure("travel", units, turns=turns) for turns in turning]
    tree = complete(spec)
    return [measure_of(tree, keys, units) or PLAIN for keys in matches(spec, key)]


def _leaves(table: Mapping[str, Any], before: Path) -> Iterator[tuple[Path, Any]]:
    """Path and value of everything in nested tables that is no table."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*before, key))
        else:
            yield (*before, key), value


@dataclass
class _Reader:
    """Reads the tables of one robot, one after the other, and collects their faults.

    Attributes:
        spec, robot: Of the robot.
        units: Of numbers without one.
        own: Those of the robot's own file.
        known: Quantities whose units a file beside it states; None: no number has two meanings.
        faults: Those found so far.
    """

    spec: Spec
    robot: Mechanism
    units: Units
    own: Units
    known: frozenset[str] | None = None
    faults: list[Fault] = field(default_factory=list)

    def tables(self, given: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """The tables in SI units, without those that state nothing."""
        readers = (self._tolerances, self._heat, self._stiffness)
        found = {name: read(given.get(name) or {}) for name, read in zip(ERROR_TABLES, readers, strict=True)}
        return {name: table for name, table in found.items() if table}

    def _tolerances(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Half widths by form and by address or pattern, and their distribution if one is stated."""
        found: dict[str, Any] = {}
        tree, named = complete(self.spec), set[Keys]()
        paths = {".".join(map(str, path[1:])): (path, value) for path, value in _leaves(given, ("tolerances",))}
        for key, (path, value) in sorted(paths.items(), key=lambda entry: "*" not in entry[0]):
            if key == "distribution":
                found[key] = value
                if value not in DISTRIBUTIONS:
                    self._fault(path, 'must be "uniform" or "normal"', value)
                continue
            measures = _measures(self.spec, path, self.units, self.robot)
            if not measures:
                near = nearest(key, (*FORMS, "distribution")) or nearest_address(self.spec, key)
                hint = f"did you mean {near}?" if near else f"use an address of the robot, or {', '.join(FORMS)}"
                self._fault(path, "no such number in the robot", None, hint)
            elif len({what.dimension for what in measures}) > 1:
                self._fault(path, "is for numbers that measure different things: use an address for each", value)
            else:
                found[key] = self._number(path, value, measures[0])
            for keys in matches(self.spec, key) if key not in FORMS else ():
                if keys in named and "*" in key:
                    self._fault(path, f"{address(tree, keys)} is stated twice")
                named.add(keys)
        return {key: found[key] for key in paths if key in found}

    def _heat(self, stated: Mapping[str, Any]) -> dict[str, Any]:
        """Change of temperature [K] and expansion of the machine and of scales [1/K], as far as stated."""
        found = {}
        for key, value in stated.items():
            text = value.removesuffix(_HEAT[key]).strip() if isinstance(value, str) else value
            found[key] = self._number(("heat", key), text, PLAIN)
        grows = bool(found.get("expansion") or found.get("scale_expansion"))
        if bool(found.get("temperature")) != grows and not any(f.path[0] == "heat" for f in self.faults):
            self._fault(("heat",), "needs both temperature [K] and expansion [1/K]")
        return found

    def _stiffness(self, stated: Mapping[str, Any]) -> dict[str, Any]:
        """Stiffnesses by their key [N/m or N m/rad]."""
        found = {}
        for key, value in stated.items():
            path = ("stiffness", key)
            found[key] = self._number(path, value, _measures(self.spec, path, self.units, self.robot)[0])
            if found[key] == 0.0:
                self._fault(path, "must be positive; leave it out for what is rigid", value)
        return found

    def _number(self, path: Path, value: object, what: Measure) -> float:
        """The number at a path, SI; 1 where it is none."""
        try:
            found = quantity(value, what._replace(units=_FINE.get(what.dimension, what.units)))
        except QuantityError as error:
            self._fault(path, str(error), value)
            return 1.0
        if found and not has_unit(value) and (doubt := self._doubt(path, value)):
            self._fault(path, *doubt)
        elif found < 0.0:
            self._fault(path, "must not be negative", value)
        elif path[0] == "tolerances" and (fault := self._too_wide(found, what)):
            unit = self._meant(found / what.size) if what.dimension == _LENGTH else "deg"
            self._fault(path, fault, value, "" if has_unit(value) else f'write "{value} {unit}"?')
        return found

    def _doubt(self, path: Path, value: object) -> tuple[str, object, str] | None:
        """Why a number without a unit may mean two things, the number and how to write it; None where it does not."""
        own = measure_of_error(self.spec, path, self.own, self.robot)
        if self.known is None or own is None:
            return None
        name = {_LENGTH: "length", _ANGLE: "angle"}.get(own.dimension, "")
        stated = name in self.known if name else bool(self.known)
        if stated or math.isclose(own.size, 1.0):
            return None
        where = f'[units] {name} = "{own.unit}"' if name and own.unit else "[units]"
        hint = f'write "{value} {own.unit}"' if own.unit else "write it with its unit"
        return (
            f"has no unit, and the robot's file is in {own.unit or 'others than SI'}",
            value,
            f"{hint}, or {where} above",
        )

    def _meant(self, number: float) -> str:
        """The unit of length that a tolerance too wide may have been meant in: the robot's own, mm or um."""
        own = measure("length", self.own)
        likely = {own.unit or "mm": own.size, "mm": 1e-3}
        small = 0.1 * _WIDEST * size(self.robot)
        return next((unit for unit, length in likely.items() if number * length <= small), "um")

    def _too_wide(self, half: float, what: Measure) -> str:
        """Why a half width cannot be meant; empty where it can."""
        if what.dimension == _LENGTH and half > _WIDEST * (size(self.robot) or math.inf):
            return f"{half:g} m is more than a tenth of the robot's size"
        return "is more than a tenth of a turn" if what.dimension == _ANGLE and half > _WIDEST * 2.0 * math.pi else ""

    def _fault(self, *parts: Any) -> None:
        self.faults.append(Fault(*parts))
