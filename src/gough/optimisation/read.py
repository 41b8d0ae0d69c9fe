"""From an optimisation's tables to its free numbers, states, objectives and limits; every fault is one line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from gough.analysis.limits import limit_measure
from gough.graph import Array
from gough.motion.column_names import WRENCH
from gough.optimisation.measured import States
from gough.optimisation.rows import LIMITS, MEANS, NEEDS, WORST
from gough.optimisation.schema import OptimiseTable
from gough.optimisation.variables import Extra, Variables, variables_of
from gough.problem import Problem, problem_of, read_problem
from gough.problem.poses import at_home
from gough.robot import Robot
from gough.robot.checks.fault import Fault
from gough.robot.names import did_you_mean
from gough.robot.quantities import PLAIN, Measure, QuantityError, measure, quantity

MOST_STATES = 200_000
MOST_STARTS = 10_000


@dataclass(frozen=True)
class Wanted:
    """What is asked for.

    Attributes:
        robot: Before anything is changed.
        variables: The free numbers.
        states: Of the task.
        objectives: One, or two of a front.
        limits: By name, SI units.
        functions: The user's.
        starts, seed, front: How many designs to start from, and how many a front has.
    """

    robot: Robot
    variables: Variables
    states: States
    objectives: tuple[str, ...]
    limits: Mapping[str, Any]
    functions: Mapping[str, Callable[[Robot], Any]]
    starts: int
    seed: int
    front: int

    @property
    def needs(self) -> tuple[str, ...]:
        """Of the quantities per state, those that are looked at."""
        names = [NEEDS[name] for name in (*self.objectives, *self.limits) if name in NEEDS]
        return tuple(dict.fromkeys([*names, "short"]))


@dataclass
class _Reader:
    """Numbers with their units, and the faults met."""

    problem: Problem
    faults: list[Fault] = field(default_factory=list)

    def number(self, path: tuple[Any, ...], value: Any, what: Measure) -> float:
        try:
            return quantity(value, what)
        except QuantityError as error:
            self.faults.append(Fault(path, str(error), value))
            return 1.0

    def pair(self, path: tuple[Any, ...], value: Any, what: Measure) -> tuple[float, float]:
        if not isinstance(value, (list, tuple)) or len(value) != 2:
            self.faults.append(Fault(path, "must be [least, greatest]", value))
            return 0.0, 1.0
        low, high = (self.number(path, end, what) for end in value)
        if not low < high:
            self.faults.append(Fault(path, "must be [least, greatest], the least first", value))
            return 0.0, 1.0
        return low, high

    def known(self, path: tuple[Any, ...], name: str, names: Any, what: str) -> bool:
        if name in names:
            return True
        self.faults.append(Fault((*path, name), f"no such {what}", None, did_you_mean(name, list(names))))
        return False


def wanted_of(
    given: str | Path | Mapping[str, Any],
    functions: Mapping[str, Callable[[Robot], Any]],
    states: States | None = None,
) -> Wanted:
    """What a file, or a dict with the same keys, asks for.

    Raises:
        RobotError: With every fault, one line each.
    """
    if isinstance(given, Mapping):
        table, problem = problem_of(OptimiseTable, given, "optimisation", "an optimisation")
    else:
        table, problem = read_problem(OptimiseTable, given, "an optimisation")
    reader = _Reader(problem)
    extra = _shifts(reader, table) + _jacobian(reader, table)
    limits = _limits(reader, table, functions)
    objectives = _objectives(reader, table, functions)
    if not problem.vary and not extra:
        reader.faults.append(Fault(("vary",), "is missing: no number is free", None, "state [[vary]] with its bounds"))
    for k, varied in enumerate(problem.vary):
        if varied.kind == "levels":
            reader.faults.append(
                Fault(("vary", k), "must have bounds: an optimisation moves a number freely between them")
            )
    for key, most in (("starts", MOST_STARTS), ("front", 1000)):
        if not 1 <= getattr(table, key) <= most:
            reader.faults.append(Fault((key,), f"must be a whole number from 1 to {most}", getattr(table, key)))
    asked = _states(reader, table, problem) if states is None else states
    if reader.faults:
        raise problem.place.error(reader.faults)
    length = (
        None
        if table.jacobian.length is None or isinstance(table.jacobian.length, list)
        else float(quantity(table.jacobian.length, measure("length", problem.units)))
    )
    variables = variables_of(problem.robot, problem.vary, extra, length)
    counts = (table.starts, table.seed, table.front)
    return Wanted(problem.robot, variables, asked, objectives, limits, dict(functions), *counts)


def _objectives(reader: _Reader, table: OptimiseTable, functions: Mapping[str, Any]) -> tuple[str, ...]:
    names = table.minimise if isinstance(table.minimise, list) else [table.minimise]
    known = (*WORST, *MEANS, *functions)
    if not 1 <= len(names) <= 2:
        reader.faults.append(Fault(("minimise",), "must be one objective, or two of a front", table.minimise))
    for name in names:
        if name not in known:
            reader.faults.append(Fault(("minimise",), "no such objective", name, did_you_mean(str(name), list(known))))
    return tuple(names)


def _limits(reader: _Reader, table: OptimiseTable, functions: Mapping[str, Any]) -> dict[str, Any]:
    robot, units = reader.problem.robot, reader.problem.units
    turning = {joint.turns for joint in robot.actuators} == {True}
    found: dict[str, Any] = {}
    for name, value in table.limits.items():
        path = ("limits", name)
        if not reader.known(("limits",), name, (*LIMITS, *functions), "limit"):
            continue
        if name == "stroke":
            found[name] = reader.pair(path, value, limit_measure("stroke", turning, units))
            continue
        if name.endswith("_gap"):
            what = measure("length", units)
        else:
            what = limit_measure(name, turning, units) if name in ("force", "power", "speed") else PLAIN
        number = reader.number(path, value, what)
        least = 1.0 if name in ("ratio", "condition") else 0.0
        if name not in functions and not number > least:
            reader.faults.append(Fault(path, f"must be greater than {least:g}", value))
        found[name] = number
    return found


def _shifts(reader: _Reader, table: OptimiseTable) -> list[Extra]:
    robot, found = reader.problem.robot, []
    for name, value in table.task.shift.items():
        if reader.known(("task", "shift"), name, robot.coordinate_names, "coordinate"):
            turns = robot.platform.coordinates[robot.coordinate_names.index(name)].turns
            what = measure("angle" if turns else "length", reader.problem.units)
            low, high = reader.pair(("task", "shift", name), value, what)
            found.append(Extra(f"task.{name}", low, high, 0.0, "rad" if turns else "m"))
    return found


def _jacobian(reader: _Reader, table: OptimiseTable) -> list[Extra]:
    robot, found, what = reader.problem.robot, [], measure("length", reader.problem.units)
    if isinstance(table.jacobian.length, list):
        low, high = reader.pair(("jacobian", "length"), table.jacobian.length, what)
        found.append(Extra("length", low, high, 0.5 * (low + high)))
    elif (
        table.jacobian.length is not None and not reader.number(("jacobian", "length"), table.jacobian.length, what) > 0
    ):
        reader.faults.append(Fault(("jacobian", "length"), "must be greater than 0", table.jacobian.length))
    for name, value in table.jacobian.reference.items():
        if reader.known(("jacobian", "reference"), name, ("x", "y", "z"), "axis"):
            low, high = reader.pair(("jacobian", "reference", name), value, what)
            found.append(Extra(f"reference.{name}", low, high, min(max(0.0, low), high)))
    if table.jacobian.reference and robot.dof < 6:
        reader.faults.append(
            Fault(("jacobian", "reference"), f"is for platforms with six motions; {robot.name} has fewer")
        )
    return found


def _states(reader: _Reader, table: OptimiseTable, problem: Problem) -> States:
    robot, units, task = problem.robot, problem.units, table.task
    poses = problem.poses or at_home(robot)
    if poses.count > MOST_STATES:
        reader.faults.append(Fault(("poses",), f"are {poses.count}, at most {MOST_STATES} for an optimisation"))
        return States(*(np.zeros((0, robot.dof)),) * 3, np.zeros((0, 6)))
    x = poses.rows(0, poses.count)
    if task.corners:
        if poses.kind == "file":
            reader.faults.append(Fault(("task", "corners"), "goes with a box or a grid of poses"))
        x = np.concatenate([x, corners(np.array(poses.low), np.array(poses.high))])
    turns = [c.turns for c in robot.platform.coordinates]
    rng = np.random.default_rng(task.seed)
    drawn = rng.uniform(-1.0, 1.0, (len(x), 2 * robot.dof + 6))
    scale = np.zeros(2 * robot.dof + 6)
    for order, (key, values) in enumerate((("velocity", task.velocity), ("acceleration", task.acceleration)), 1):
        for name, value in values.items():
            if reader.known(("task", key), name, robot.coordinate_names, "coordinate"):
                k = robot.coordinate_names.index(name)
                what = measure("angle" if turns[k] else "length", units, order)
                scale[(order - 1) * robot.dof + k] = reader.number(("task", key, name), value, what)
    for name, value in task.wrench.items():
        if reader.known(("task", "wrench"), name, WRENCH, "component"):
            k = WRENCH.index(name)
            what = measure("force" if k < 3 else "torque", units)
            scale[2 * robot.dof + k] = reader.number(("task", "wrench", name), value, what)
    drawn = drawn * scale
    n = robot.dof
    return States(x, drawn[:, :n].copy(), drawn[:, n : 2 * n].copy(), drawn[:, 2 * n :].copy())


def corners(low: Array, high: Array) -> Array:
    """(2^k, n) corners of a box; a coordinate that stays has one."""
    ends = [[a] if a == b else [a, b] for a, b in zip(low, high, strict=True)]
    return np.array(list(product(*ends)))
