"""Robots from files, texts and dicts, checked stage by stage: each stage needs a file that has passed those before it.

1. Form: unknown and missing keys, values of the wrong kind; then numbers out of bounds and keys that do not go
   together, table by table (`Reader`).
2. Structure: number and places of legs; then what legs of each type need and may have, and their bodies.
3. Mechanism: geometry at home, names, drives and springs of the expanded robot.
4. Kinematics: reach at home and mobility.
5. Tolerances, heat and stiffness, whose keys are addresses of the robot.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path as FilePath
from typing import Any

from gough.errors import GoughWarning
from gough.files import NO_SUCH_FILE
from gough.robot.checks.bodies import small_inertias
from gough.robot.checks.fault import Fault, Place, RobotError
from gough.robot.checks.legs import leg_faults, ring_faults, strong_friction
from gough.robot.checks.mechanism import mechanism_faults
from gough.robot.error_sources import ERROR_TABLES
from gough.robot.file.error_tables import tables_in_si
from gough.robot.file.motor_file import fast_curves
from gough.robot.file.reader import Reader, file_units
from gough.robot.file.schema import RobotTable
from gough.robot.file.toml_tables import plain_lists, read_text, tables_of
from gough.robot.legs.expand import expand
from gough.robot.names import did_you_mean
from gough.robot.robot import Robot, Source
from gough.robot.spec import Spec

COORDINATES = ("platform", "coordinates")

MoreChecks = Callable[[Robot], list[Fault]]
"""Faults that are found by moving a robot, which has passed all other checks."""


def catalogue() -> list[str]:
    """Names of the robots that come with gough."""
    folder = files("gough.robot") / "catalog"
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def load(name_or_path: str | FilePath, more_checks: MoreChecks | None = None) -> Robot:
    """The robot of a catalogue name or a TOML file.

    Args:
        name_or_path: A catalogue name comes first.
        more_checks: Faults found only by moving the robot.

    Raises:
        RobotError: With every fault of the file, one line each.
    """
    name = str(name_or_path)
    return loads(file_text(name_or_path), f"{name}.toml" if name in catalogue() else name, more_checks)


def file_text(name_or_path: str | FilePath) -> str:
    """The text of a catalogue robot's file, or of a TOML file.

    Raises:
        RobotError: It cannot be read.
    """
    name = str(name_or_path)
    if name in catalogue():
        return (files("gough.robot") / "catalog" / f"{name}.toml").read_text("utf-8")
    try:
        return read_text(name)
    except RobotError as error:
        (fault,) = error.faults
        if fault.allowed == NO_SUCH_FILE:
            hint = did_you_mean(name, catalogue())
            raise Place(name).error([Fault((), "no such file or catalogue robot", hint=hint)]) from None
        raise


def loads(text: str, source: str = "robot", more_checks: MoreChecks | None = None) -> Robot:
    """The robot a TOML text describes; `source` names the text in messages."""
    tables, place = tables_of(text, source, "a robot", "a robot needs name, [platform] and [legs] or [[leg]]")
    if "lower" in tables and "upper" in tables and "platform" not in tables:
        hint = "gough stack has ik, inverse, check and view of both; other questions are for one robot"
        raise Place(source).error([Fault((), "is a stack of two robots, not a robot", hint=hint)])
    return _read_tables(tables, place, text, more_checks)


def build(tables: Mapping[str, Any], source: str = "robot") -> Robot:
    """The robot of a dict with the same keys and units as a file's tables."""
    return _read_tables(*tables_of(tables, source, "a robot"), "")


def robot_of_spec(spec: Spec, source: Source) -> Robot:
    """The robot of a spec that was a robot's before some of its values were changed.

    Raises:
        RobotError: With every fault, one line each.
    """
    robot, faults = _checked_robot(plain_lists(spec), lambda _: source)
    if robot is None:
        raise source.place(spec).error(faults)
    return robot


def _read_tables(tables: Mapping[str, Any], place: Place, text: str, more_checks: MoreChecks | None = None) -> Robot:
    """The robot of tables, after a warning for each number that is legal but most likely a mistake."""
    legs = listed if isinstance(listed := tables.get("leg"), list) else []
    names = [leg.get("name", k + 1) if isinstance(leg, Mapping) else k + 1 for k, leg in enumerate(legs)]
    place = replace(place, names=[str(name) for name in names])
    units = file_units(tables)
    robot, faults = _checked_robot(tables, lambda spec: Source(place.source, text, units, spec), more_checks)
    if robot is None:
        raise place.error(faults)
    if doubts := _doubtful_numbers(robot, tables):
        for line in str(place.error(doubts)).split("\n"):
            warnings.warn(line, GoughWarning, stacklevel=_depth())
    return robot


def _checked_robot(
    tables: Mapping[str, Any], source: Callable[[Spec], Source], more_checks: MoreChecks | None = None
) -> tuple[Robot | None, list[Fault]]:
    """The robot of a file's tables and no faults; or None and the faults of the first stage that found any.

    Args:
        tables: As read from TOML, or the same built in Python; lists and dicts only.
        source: Of the robot with a spec.
        more_checks: Stage 4.
    """
    units = file_units(tables)
    reader = Reader(units)
    spec = reader.table(RobotTable, tables)
    if faults := reader.faults or reader.implausible:
        return None, faults
    spec.pop("units", None)
    stated = {name: spec.pop(name) for name in ERROR_TABLES if name in spec}
    faults = [*ring_faults(spec)] or leg_faults(spec)
    if faults:
        return None, faults
    mechanism = expand(spec)
    faults = mechanism_faults(mechanism, spec, units)
    if more_checks is not None and all(fault.path == COORDINATES for fault in faults):
        # Too few or too many actuators for the coordinates: the mobility may say which coordinates are wrong.
        moved = more_checks(Robot.from_spec(spec, Source(units=units), mechanism))
        faults = moved if any(fault.path == COORDINATES for fault in moved) else [*faults, *moved]
    if not faults and stated:
        errors, faults = tables_in_si(spec, mechanism, stated, units)
        spec |= errors
    if faults:
        return None, faults
    return Robot.from_spec(spec, source(spec), mechanism), []


def _doubtful_numbers(robot: Robot, tables: Mapping[str, Any]) -> list[Fault]:
    """Numbers of a robot's file that are legal, but most likely a mistake: inertias, friction, speeds of a motor."""
    faults = [
        *small_inertias(robot.expanded, robot.spec, tables.get("units", {})),
        *strong_friction(robot.expanded, robot.spec),
    ]
    if "motor" in robot.spec:
        faults += fast_curves(robot.spec["motor"], tables["motor"], ("motor",))
    return faults


def _depth() -> int:
    """How far up the caller outside gough is, for a warning that points there."""
    frame, depth = sys._getframe(1), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__", "")).split(".")[0] == "gough":
        frame, depth = frame.f_back, depth + 1
    return depth
