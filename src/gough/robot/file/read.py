"""Robots from files, texts and dicts."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path as FilePath
from typing import Any

from gough.errors import GoughWarning
from gough.files import NO_SUCH_FILE
from gough.robot.checks.all_faults import MoreChecks, doubtful_numbers, read_robot
from gough.robot.checks.fault import Fault, Place, RobotError
from gough.robot.file.reader import file_units
from gough.robot.file.toml_tables import plain_lists, read_text, tables_of
from gough.robot.names import did_you_mean
from gough.robot.robot import Robot, Source
from gough.robot.spec import Spec


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
    robot, faults = read_robot(plain_lists(spec), lambda _: source)
    if robot is None:
        raise source.place(spec).error(faults)
    return robot


def _read_tables(tables: Mapping[str, Any], place: Place, text: str, more_checks: MoreChecks | None = None) -> Robot:
    """The robot of tables, after a warning for each number that is legal but most likely a mistake."""
    legs = listed if isinstance(listed := tables.get("leg"), list) else []
    names = [leg.get("name", k + 1) if isinstance(leg, Mapping) else k + 1 for k, leg in enumerate(legs)]
    place = replace(place, names=[str(name) for name in names])
    units = file_units(tables)
    robot, faults = read_robot(tables, lambda spec: Source(place.source, text, units, spec), more_checks)
    if robot is None:
        raise place.error(faults)
    if doubts := doubtful_numbers(robot, tables):
        for line in str(place.error(doubts)).split("\n"):
            warnings.warn(line, GoughWarning, stacklevel=_depth())
    return robot


def _depth() -> int:
    """How far up the caller outside gough is, for a warning that points there."""
    frame, depth = sys._getframe(1), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__", "")).split(".")[0] == "gough":
        frame, depth = frame.f_back, depth + 1
    return depth
