"""A problem from a file, a text or a dict; every fault is one line with file, line and key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from gough.kinematics import load
from gough.problem.poses import Poses, poses_of
from gough.problem.schema import ProblemTable
from gough.problem.vary import Varied, varied_of
from gough.robot import Robot
from gough.robot.checks.fault import Fault, Place
from gough.robot.file.read import catalogue
from gough.robot.file.reader import file_units, read_tables
from gough.robot.file.toml_tables import read_text, tables_of
from gough.robot.file.units import Units
from gough.robot.names import did_you_mean

Model = TypeVar("Model", bound=ProblemTable)


@dataclass(frozen=True)
class Problem:
    """A robot, the numbers that vary, and poses.

    Attributes:
        robot: In nominal numbers.
        vary: In the order of the file.
        poses: None where none are stated.
        units: Units of numbers without one.
        place: For messages on what else the file states.
        folder: That names of files start from.
    """

    robot: Robot
    vary: tuple[Varied, ...]
    poses: Poses | None
    units: Units
    place: Place
    folder: Path


def read_problem(model: type[Model], path: str | Path, what: str) -> tuple[Model, Problem]:
    """Tables of a file and the problem they state; `what` the file describes, for messages.

    Raises:
        RobotError: With every fault of the file, one line each.
    """
    return problem_of(model, read_text(path), str(path), what, Path(path).parent)


def problem_of(
    model: type[Model],
    given: str | Mapping[str, Any],
    source: str,
    what: str,
    folder: str | Path = ".",
    later: list[Fault] | None = None,
) -> tuple[Model, Problem]:
    """Tables of a TOML text, or of a dict with the same keys, and the problem they state.

    Args:
        model: Model of the file, with more keys than a problem has.
        given: In a dict the robot may be one.
        source: For messages.
        what: It describes.
        folder: That names of files start from.
        later: Takes the faults of numbers that vary and of poses, for the caller to raise with more.

    Raises:
        RobotError: With every fault, one line each.
    """
    machine = given.get("robot") if isinstance(given, Mapping) else None
    if isinstance(given, Mapping) and isinstance(machine, Robot):
        given = {**given, "robot": machine.name}
    tables, place = tables_of(given, source, what)
    found = read_tables(model, tables, place)
    robot = machine if isinstance(machine, Robot) else _robot(found.robot, Path(folder), place)
    size = file_units(tables)
    vary, faults = varied_of(robot, found.vary, size)
    poses = None
    if found.poses is not None:
        poses, more = poses_of(robot, found.poses, size, Path(folder))
        faults += more
    if faults and later is None:
        raise place.error(faults)
    if later is not None:
        later += faults
    return found, Problem(robot, vary, poses, size, place, Path(folder))


def _robot(name: str, folder: Path, place: Place) -> Robot:
    """The robot of a catalogue name, or of a file in the folder of the problem."""
    if name in catalogue():
        return load(name)
    if not (folder / name).exists():
        hint = did_you_mean(name, catalogue(), listed=False)
        raise place.error([Fault(("robot",), "no such robot in the catalogue, nor a file", name, hint)])
    return load(folder / name)
