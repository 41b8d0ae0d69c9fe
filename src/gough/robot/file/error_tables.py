"""`[tolerances]`, `[heat]` and `[stiffness]`, of a robot's file or of a file beside it, as values.

A number is in the units of its file, or carries its own: "0.1 mm". What an address of the robot measures is known once
there is a robot, so these tables are read last.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Any

from gough.robot.checks.fault import Fault, Path
from gough.robot.error_sources import DISTRIBUTIONS, FORMS, POINTS, ErrorSources, leaves
from gough.robot.file.fields import Table
from gough.robot.file.schema import HeatTable, StiffnessTable, TolerancesTable, UnitsTable
from gough.robot.file.small_tables import file_units, held_against, read_text, tables_of
from gough.robot.file.units import Units
from gough.robot.names import nearest
from gough.robot.quantities import Measure, QuantityError, measure, quantity, stiffness
from gough.robot.values import Robot

_HEAT = {"temperature": "K", "expansion": "1/K"}


class ErrorsFile(Table):
    """A file beside a robot's: `units`, and the same tables as a robot's file may have."""

    units: UnitsTable = UnitsTable()
    tolerances: TolerancesTable | None = None
    heat: HeatTable | None = None
    stiffness: StiffnessTable | None = None


def read_error_sources(robot: Robot, path: str | FilePath) -> ErrorSources:
    """What a TOML file with `[tolerances]`, `[heat]` and `[stiffness]` says of a robot.

    Raises:
        RobotError: One line for each fault, naming file, line and key.
    """
    return _sources(robot, read_text(path, "tolerances file"), str(path))


def error_sources(robot: Robot, given: Mapping[str, Any]) -> ErrorSources:
    """Those of tables such as {"tolerances": {"base": "0.1 mm"}}; numbers without a unit are SI unless "units" says.

    Raises:
        RobotError: Unknown tables and keys, numbers that cannot be.
    """
    return _sources(robot, given, "errors")


def _sources(robot: Robot, given: str | Mapping[str, Any], source: str) -> ErrorSources:
    tables, place = tables_of(given, source, "tolerances file") if given else ({}, None)
    if place is None:
        return ErrorSources()
    held_against(ErrorsFile, tables, place)
    found, faults = of_tables(robot, tables, file_units(tables))
    if faults:
        raise place.error(faults)
    return found


def of_tables(robot: Robot, tables: Mapping[str, Any], units: Units) -> tuple[ErrorSources, list[Fault]]:
    """The values of tables whose form is right, and their faults at the tables' own paths.

    Args:
        robot: Whose numbers the addresses are.
        tables: By name; others than `ERROR_TABLES` are left alone.
        units: Units of numbers without one.
    """
    faults: list[Fault] = []

    def number(path: Path, value: object, what: Measure, positive: bool = False) -> float:
        try:
            found = quantity(value, what)
        except QuantityError as error:
            faults.append(Fault(path, str(error), value))
            return 1.0
        if found < 0.0:
            faults.append(Fault(path, "must not be negative", value))
        elif positive and found == 0.0:
            faults.append(Fault(path, "must be positive; leave it out for what is rigid", value))
        return found

    stated = dict(tables.get("tolerances") or {})
    distribution = stated.pop("distribution", "uniform")
    if distribution not in DISTRIBUTIONS:
        faults.append(Fault(("tolerances", "distribution"), 'must be "uniform" or "normal"', distribution))
    by_form = {}
    for key in FORMS:
        if key in stated:
            what = _of_form(robot, key, units)
            if isinstance(what, str):
                faults.append(Fault(("tolerances", key), what, stated[key]))
            else:
                by_form[key] = number(("tolerances", key), stated[key], what)
    by_address = {}
    for path, value in leaves({key: value for key, value in stated.items() if key not in FORMS}, ("tolerances",)):
        address = ".".join(str(part) for part in path[1:])
        measured = _of_address(robot, address, units)
        if isinstance(measured, str):
            faults.append(Fault(path, "no such number in the robot", None, measured))
        else:
            by_address[address] = number(path, value, measured)
    heat = dict.fromkeys(_HEAT, 0.0)
    for key, value in (tables.get("heat") or {}).items():
        text = value.removesuffix(_HEAT[key]).strip() if isinstance(value, str) else value
        heat[key] = number(("heat", key), text, Measure())
    if bool(heat["temperature"]) != bool(heat["expansion"]) and not any(f.path[0] == "heat" for f in faults):
        faults.append(Fault(("heat",), "needs both temperature [K] and expansion [1/K]"))
    turns = bool(robot.actuators) and all(joint.turns for joint in robot.actuators)
    elastic = {
        key: number(("stiffness", key), value, stiffness(key == "tilt" or (key == "actuator" and turns), units), True)
        for key, value in (tables.get("stiffness") or {}).items()
    }
    return ErrorSources(by_address, by_form, distribution, heat["temperature"], heat["expansion"], elastic), faults


def _of_form(robot: Robot, key: str, units: Units) -> Measure | str:
    """What one of `FORMS` measures, or why that cannot be said."""
    turns = {joint.turns for joint in robot.actuators}
    if key not in POINTS and len(turns) > 1:
        return f"{robot.name} has actuators that slide and that turn: use addresses"
    return measure("angle" if key not in POINTS and turns == {True} else "length", units)


def _of_address(robot: Robot, address: str, units: Units) -> Measure | str:
    """What the number at an address measures; where there is none, a hint."""
    from gough.robot.addresses import PathError, measure_at, value_at

    try:
        value_at(robot, address)
        own = measure_at(robot, address) or Measure()
    except PathError as error:
        near = nearest(address, (*FORMS, "distribution")) or error.nearest
        return f"did you mean {near}?" if near else f"use an address of the robot, or {', '.join(FORMS)}"
    for name in ("length", "angle"):
        if own.dimension == measure(name).dimension:
            return measure(name, units)
    return own
