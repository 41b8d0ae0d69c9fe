"""Robots from files, texts and dicts."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path as FilePath
from typing import Any

from gough.robot.expand import expand
from gough.robot.faults import Fault, Path, Place
from gough.robot.names import did_you_mean
from gough.robot.values import Robot

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
        more_checks: Faults of a robot that passed the static checks (form, units, bodies, structure).

    Raises:
        RobotError: With every fault of the file, one line each.
    """
    text = str(name_or_path)
    if text in catalogue():
        return loads(
            (files("gough.robot") / "catalog" / f"{text}.toml").read_text("utf-8"), f"{text}.toml", more_checks
        )
    return loads(_read(FilePath(name_or_path), text), text, more_checks)


def loads(text: str, source: str = "robot", more_checks: MoreChecks | None = None) -> Robot:
    """The robot a TOML text describes; `source` names the text in messages."""
    from gough.robot.lines import key_lines

    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(text, source, str(error)) from None
    except RecursionError:
        raise Place(source).error([Fault((), "nested too deeply to be a robot")]) from None
    if not tables:
        raise Place(source).error([Fault((), "is empty", hint="a robot needs name, [platform] and [legs] or [[leg]]")])
    return _build(tables, source, key_lines(text), more_checks)


def build(tables: Mapping[str, Any], source: str = "robot") -> Robot:
    """The robot of a dict with the same keys and units as a file's tables."""
    return _build(_lists(tables), source, {})


def check(robot: Robot, source: str = "robot") -> Robot:
    """The robot itself, if it passes the static checks; for robots put together from the values.

    Raises:
        RobotError: With every fault, one line each.
    """
    from gough.robot.checks import robot_faults

    faults = robot_faults(robot)
    if faults:
        raise Place(source, names=[leg.name for leg in robot.legs]).error(faults)
    return robot


def _build(
    tables: Mapping[str, Any], source: str, lines: Mapping[Path, int], more_checks: MoreChecks | None = None
) -> Robot:
    from gough.robot.checks import robot_faults
    from gough.robot.document import to_document
    from gough.robot.structure import structure_faults

    place = Place(source, lines, [str(leg.get("name", k + 1)) for k, leg in enumerate(_legs(tables))], tables)
    document, faults = to_document(tables)
    if document is None:
        raise place.error(faults + _beyond_form(tables, faults))
    faults = structure_faults(document)
    if faults:
        raise place.error(faults)
    robot = expand(document)
    faults = robot_faults(robot) or (more_checks(robot) if more_checks else [])
    if faults:
        raise place.error(faults)
    return robot


def _beyond_form(tables: Mapping[str, Any], faults: list[Fault]) -> list[Fault]:
    """Wrong numbers in a file of wrong form, as far as they stand in tables whose own form is right.

    Units that are not understood, or a table that is not known (a misspelt [units], say), leave nothing to be told.
    """
    from gough.robot.checks import robot_faults
    from gough.robot.document import to_document
    from gough.robot.structure import structure_faults

    touched = {fault.path[0] for fault in faults if fault.path}
    if "units" in touched or any(isinstance(tables.get(str(part)), Mapping) for part in touched - {"platform", "legs"}):
        return []
    rest: Any = _lists(tables)
    for path in sorted((fault.path for fault in faults), key=str, reverse=True):
        _remove(rest, path)
    document, _ = to_document(rest)
    if document is None:
        return []
    more = structure_faults(document) or robot_faults(expand(document))
    return [fault for fault in more if not touched & set(fault.path[:1]) and _is_number(fault.value)]


def _remove(tables: Any, path: Path) -> None:
    """Removes the value at a path of tables and lists of tables."""
    for part in path[:-1]:
        inside = part in tables if isinstance(tables, dict) else isinstance(tables, list) and isinstance(part, int)
        tables = tables[part] if inside else None
    if isinstance(tables, dict):
        tables.pop(path[-1], None)


def _is_number(value: Any) -> bool:
    """Whether a value is a number, or a list of them."""
    if isinstance(value, (list, tuple)):
        return all(_is_number(entry) for entry in value)
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _legs(tables: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    legs = tables.get("leg", [])
    return [leg if isinstance(leg, Mapping) else {} for leg in legs] if isinstance(legs, list) else []


def _lists(value: Any) -> Any:
    """Tuples and arrays as lists, so that Python values pass where a file's would."""
    if isinstance(value, Mapping):
        return {key: _lists(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_lists(entry) for entry in value]
    if hasattr(value, "tolist"):
        return _lists(value.tolist())
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
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        hint = did_you_mean(text, catalogue())
        raise place.error([Fault((), "no such file or catalogue robot", hint=hint)]) from None
    except UnicodeDecodeError as error:
        raise place.error([Fault((), f"is not UTF-8 text (byte {error.start})", hint="save it as UTF-8")]) from None
    except ValueError:
        raise place.error([Fault((), "cannot be a file's name")]) from None
    except OSError as error:
        raise place.error([Fault((), f"cannot be read: {(error.strerror or 'error').lower()}")]) from None


def _not_toml(text: str, source: str, message: str) -> Exception:
    found = re.search(r" \(at line (\d+), column \d+\)$", message)
    line = int(found.group(1)) if found else text.count("\n") + 1
    reason = re.sub(r" \(at [^)]*\)$", "", message)
    lines: dict[Path, int] = {("toml",): line}
    return Place(source, lines).error([Fault(("toml",), f"{reason[:1].lower()}{reason[1:]}", key="not valid TOML")])
