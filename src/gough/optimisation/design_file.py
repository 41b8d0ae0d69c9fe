"""The robot file of a design: the robot's own file with the numbers changed, where they stand in it."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from gough.kinematics import load
from gough.optimisation.minimax import Optimum
from gough.optimisation.result import Optimised
from gough.robot import to_toml
from gough.robot.edited_text import edited_text
from gough.robot.file.read import catalogue
from gough.robot.file.small_tables import read_text, tables_of


def design_text(problem: str | Path, result: Optimised, one: Optimum) -> str:
    """TOML text of a design, in the units and the short form of the robot's file, or joint by joint in SI units.

    The explicit form is taken where a number varied does not stand in the robot's file, and where home is moved with
    the task.

    Args:
        problem: The optimisation's file.
        result: Its result.
        one: The design.
    """
    own, robot = result.wanted.robot, result.design(one)
    tables, _ = tables_of(read_text(problem, "an optimisation"), str(problem), "an optimisation")
    named = tables["robot"] if isinstance(tables["robot"], list) else [tables["robot"]]
    changes = result.changes(one)
    if "length" in changes and own.length is None:
        own = replace(own, length=changes["length"])
    for name in named:
        inside = name in catalogue()
        path = Path(problem).parent / name
        if len(named) > 1 and load(name if inside else path) != result.wanted.robot:
            continue
        entry = files("gough.robot") / "catalog" / f"{name}.toml"
        text = entry.read_text("utf-8") if inside else path.read_text("utf-8")
        edited = edited_text(text, own, changes, robot)
        if edited is not None:
            head = f"# The best design of {Path(problem).name}: {name} with other numbers, comments as they were.\n"
            return f"{head}# Changed: {', '.join(changes)}.\n{edited}"
    return to_toml(robot)
