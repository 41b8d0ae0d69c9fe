"""Robots from files, texts and dicts."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path as FilePath
from typing import Any

from gough.errors import GoughWarning
from gough.files import read_bounded
from gough.robot.checks.fault import Fault, Path, Place
from gough.robot.file.reader import file_units
from gough.robot.names import did_you_mean
from gough.robot.robot import Robot, Source
from gough.robot.spec import Spec

LARGEST = 4_000_000


def catalogue() -> list[str]:
    """Names of the robots that come with gough."""
    folder = files("gough.robot") / "catalog"
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


MoreChecks = Callable[[Robot], list[Fault]]


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
    return _read(FilePath(name_or_path), name)


def loads(text: str, source: str = "robot", more_checks: MoreChecks | None = None) -> Robot:
    """The robot a TOML text describes; `source` names the text in messages."""
    from gough.robot.file.toml_tables import toml_tables

    tables, lines = toml_tables(text, source, needs="a robot needs name, [platform] and [legs] or [[leg]]")
    if "lower" in tables and "upper" in tables and "platform" not in tables:
        hint = "gough stack has ik, inverse, check and view of both; other questions are for one robot"
        raise Place(source).error([Fault((), "is a stack of two robots, not a robot", hint=hint)])
    return _warned(_read_tables(tables, source, lines, text, more_checks), tables, lines)


def build(tables: Mapping[str, Any], source: str = "robot") -> Robot:
    """The robot of a dict with the same keys and units as a file's tables."""
    plain = plain_lists(tables)
    return _warned(_read_tables(plain, source, {}, ""), plain, {})


def robot_of_spec(spec: Spec, source: Source) -> Robot:
    """The robot of a spec that was a robot's before some of its values were changed.

    Raises:
        RobotError: With every fault, one line each.
    """
    from gough.robot.checks.all_faults import read_robot

    robot, faults = read_robot(plain_lists(spec), lambda _: source)
    if robot is None:
        raise source.place(spec).error(faults)
    return robot


def _read_tables(
    tables: Mapping[str, Any],
    source: str,
    lines: Mapping[Path, int],
    text: str,
    more_checks: MoreChecks | None = None,
) -> Robot:
    from gough.robot.checks.all_faults import read_robot

    robot, faults = read_robot(tables, lambda spec: Source(source, text, file_units(tables), spec), more_checks)
    if robot is None:
        names = [str(leg.get("name", k + 1)) for k, leg in enumerate(_legs(tables))]
        raise Place(source, lines, names, tables).error(faults)
    return robot


def _warned(robot: Robot, tables: Mapping[str, Any], lines: Mapping[Path, int]) -> Robot:
    """The robot, after a warning for each number that is legal but most likely a mistake."""
    from gough.robot.checks.body_faults import small_inertias
    from gough.robot.checks.leg_faults import strong_friction
    from gough.robot.file.motor_file import fast_curves

    machine, spec = robot.expanded, robot.spec
    doubts = [*small_inertias(machine, spec, tables.get("units", {})), *strong_friction(machine, spec)]
    if "motor" in spec:
        doubts += fast_curves(spec["motor"], tables["motor"], ("motor",))
    if doubts:
        place = Place(robot.source.name, lines, [leg.name for leg in machine.legs], tables)
        for line in str(place.error(doubts)).split("\n"):
            warnings.warn(line, GoughWarning, stacklevel=_depth())
    return robot


def _depth() -> int:
    """How far up the caller outside gough is, for a warning that points there."""
    frame, depth = sys._getframe(1), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__", "")).split(".")[0] == "gough":
        frame, depth = frame.f_back, depth + 1
    return depth


def _legs(tables: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    legs = tables.get("leg", [])
    return [leg if isinstance(leg, Mapping) else {} for leg in legs] if isinstance(legs, list) else []


def plain_lists(value: object) -> Any:
    """Tuples and arrays as lists, so that Python values pass where a file's would."""
    if isinstance(value, Mapping):
        return {key: plain_lists(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_lists(entry) for entry in value]
    if hasattr(value, "tolist"):
        return plain_lists(value.tolist())
    return value


def _read(path: FilePath, text: str) -> str:
    place = Place(text)
    try:
        if not text:
            raise FileNotFoundError
        if path.is_dir():
            raise place.error([Fault((), "is a folder", hint="name the .toml file in it")])
        if path.exists() and path.stat().st_size > LARGEST:
            found = f"{path.stat().st_size / 1e6:.1f} MB"
            raise place.error([Fault((), f"too large for a robot: {found}, at most {LARGEST / 1e6:.0f} MB")])
        return read_bounded(path, LARGEST).decode("utf-8-sig")
    except FileNotFoundError:
        hint = did_you_mean(text, catalogue())
        raise place.error([Fault((), "no such file or catalogue robot", hint=hint)]) from None
    except UnicodeDecodeError as error:
        raise place.error([Fault((), f"is not UTF-8 text (byte {error.start})", hint="save it as UTF-8")]) from None
    except ValueError:
        raise place.error([Fault((), "cannot be a file's name")]) from None
    except OSError as error:
        raise place.error([Fault((), f"cannot be read: {(error.strerror or 'error').lower()}")]) from None
