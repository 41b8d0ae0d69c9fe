"""The machines of an optimisation: one, or several of which the best is wanted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gough.errors import InputError
from gough.kinematics import load
from gough.robot import Robot
from gough.robot.addresses import expanded
from gough.robot.file.read import catalogue
from gough.robot.file.toml_tables import read_text, tables_of
from gough.robot.spec import PathError


def each_machine(given: str | Path | Mapping[str, Any]) -> list[str | Path | Mapping[str, Any]]:
    """The problem of each machine, where `robot` is a list of them; numbers that a machine has not stay out of its own.

    Raises:
        RobotError: The file cannot be read.
    """
    tables: Mapping[str, Any]
    if isinstance(given, Mapping):
        tables, folder = given, Path(".")
    else:
        tables, _ = tables_of(read_text(given), str(given), "an optimisation")
        folder = Path(given).parent
    names = tables.get("robot")
    if not isinstance(names, list):
        return [given]
    if not names:
        raise InputError(f"{given if not isinstance(given, Mapping) else 'optimisation'}: robot: must name a machine")
    return [_machine_of(tables, name, folder) for name in names]


def _machine_of(tables: Mapping[str, Any], name: Any, folder: Path) -> dict[str, Any]:
    """The tables of one machine of a list, with those numbers that it has."""
    robot = name if isinstance(name, Robot) else load(name if str(name) in catalogue() else folder / str(name))
    kept = []
    for vary in tables.get("vary", []):
        numbers = vary.get("number") if isinstance(vary, Mapping) else None
        names = numbers if isinstance(numbers, list) else [numbers]
        has = [n for n in names if isinstance(n, str) and _has(robot, n)]
        kept += [{**vary, "number": has if isinstance(numbers, list) else numbers}] if has else []
    return {**tables, "robot": robot, "vary": kept}


def _has(robot: Robot, name: str) -> bool:
    try:
        return bool(expanded(robot, name))
    except PathError:
        return False
