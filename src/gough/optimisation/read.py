"""From an optimisation's tables to its free numbers, states, objectives and limits; every fault is one line."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from gough.analysis.limits import limit_measure
from gough.display import plain_number, table_units
from gough.errors import GoughError, GoughWarning
from gough.graph import Array
from gough.motion import State
from gough.optimisation.compliance import NOTHING, Errors
from gough.optimisation.reader import Reader
from gough.optimisation.rows import GAPS, LIMITS, MEANS, NEEDS, OF_TASK, WORST
from gough.optimisation.schema import OptimiseTable
from gough.optimisation.task_table import half_widths, loaded, shifts, sizes_and_times, states_of
from gough.optimisation.variables import Extra, Variables, variables_of
from gough.problem import problem_of, read_problem
from gough.problem.poses import at_home
from gough.robot import Mechanism, Robot
from gough.robot.checks.fault import Fault
from gough.robot.file.error_tables import sources, tables_in_si
from gough.robot.quantities import PLAIN, measure, quantity

MOST_STARTS = 10_000
CELLS = 16
"""Of the grid of a workspace's volume, along its longest side."""


@dataclass(frozen=True)
class Wanted:
    """What is asked for.

    Attributes:
        robot: Before anything is changed.
        variables: The free numbers.
        states: States of the task.
        objectives: One, or two of a front.
        limits: By name, SI units.
        functions: The user's.
        starts, seed, front: How many designs to start from, and how many a front has.
        budget: Designs looked at where no gradients exist.
        errors: What is inexact and elastic.
        box: (n, 2) of the poses, before they are moved; None for a file or a motion.
        task: Half-widths of velocities (n,), accelerations (n,) and wrenches (6,) together.
        numeric: The user's functions of a robot in plain numbers.
        regular: Whether it must be proved that no pose of the box is singular.
        units: That the file states, as `--units` takes them.
    """

    robot: Robot
    variables: Variables
    states: State
    objectives: tuple[str, ...]
    limits: Mapping[str, Any]
    functions: Mapping[str, Callable[[Robot], Any]]
    starts: int
    seed: int
    front: int
    budget: int = 400
    errors: Errors = NOTHING
    box: Array | None = None
    task: Array | None = None
    numeric: Mapping[str, Callable[[Robot], float]] = field(default_factory=dict)
    regular: bool = False
    units: str = ""

    @property
    def discrete(self) -> bool:
        """Whether gradients do not lead to the best: numbers of a list, or an objective without them."""
        levels = any(v.kind == "levels" for v in self.variables.vary)
        return levels or any(name in self.numeric for name in self.objectives)

    @property
    def about_home(self) -> str:
        """The box of coordinates stated about zero though home is elsewhere, moved to home; else nothing."""
        if self.box is None:
            return ""
        display, told = table_units(self.units), []
        for c, home, (low, high) in zip(
            self.robot.platform.coordinates, self.robot.platform.home, self.box, strict=True
        ):
            if low <= 0.0 <= high < home or home < low <= 0.0 <= high:
                size, unit = display.travel(c.turns)
                ends = " to ".join(plain_number(size * (home + end), 6) for end in (low, high))
                told.append(f"{c.name} = {ends} {unit}")
        return ", ".join(told)

    @property
    def needs(self) -> tuple[str, ...]:
        """Of the quantities per state, those that are looked at."""
        names = [NEEDS[name] for name in (*self.objectives, *self.limits) if name in NEEDS]
        return tuple(dict.fromkeys([*names, "short"]))


def wanted_of(
    given: str | Path | Mapping[str, Any],
    functions: Mapping[str, Callable[[Robot], Any]],
    states: State | None = None,
    numeric: Mapping[str, Callable[[Robot], float]] | None = None,
) -> Wanted:
    """What a file, or a dict with the same keys, asks for.

    Raises:
        RobotError: With every fault, one line each.
    """
    if isinstance(given, Mapping):
        table, problem = problem_of(OptimiseTable, given, "optimisation", "an optimisation")
    else:
        table, problem = read_problem(OptimiseTable, given, "an optimisation")
    reader = Reader(problem)
    own = {"workspace volume": workspace_volume, **(numeric or {})}
    objectives = _objectives(reader, table, (*functions, *own))
    extra = shifts(reader, table) + sizes_and_times(reader, table, objectives) + _jacobian(reader, table)
    regular = table.limits.pop("regular", False)
    if not isinstance(regular, bool):
        reader.faults.append(Fault(("limits", "regular"), "must be true or false", regular))
    limits = _limits(reader, table, functions)
    errors = _errors(reader, table, (*objectives, *limits))
    if not problem.vary and not extra:
        reader.faults.append(Fault(("vary",), "is missing: nothing varies", None, "state [[vary]] with its bounds"))
    for key, most in (("starts", MOST_STARTS), ("front", 1000), ("budget", 1_000_000)):
        if not 1 <= getattr(table, key) <= most:
            reader.faults.append(Fault((key,), f"must be a whole number from 1 to {most}", getattr(table, key)))
    task = half_widths(reader, table)
    asked = states_of(reader, table, problem, task) if states is None else loaded(problem.robot, states)
    if reader.faults:
        raise problem.place.error(reader.faults)
    length = (
        None
        if table.jacobian.length is None or isinstance(table.jacobian.length, list)
        else float(quantity(table.jacobian.length, measure("length", problem.units)))
    )
    poses = problem.poses or at_home(problem.robot)
    box = (
        None if states is not None or table.task.motion or poses.kind == "file" else np.array([poses.low, poses.high]).T
    )
    centre = asked.x.mean(axis=0) if box is None else box.mean(axis=1)
    variables = variables_of(problem.robot, problem.vary, extra, length, centre)
    counts = (table.starts, table.seed, table.front, table.budget)
    found = Wanted(
        problem.robot, variables, asked, objectives, limits, dict(functions), *counts, errors, box, task, own, regular
    )
    return replace(found, units=_stated_units(table))


def _stated_units(table: OptimiseTable) -> str:
    given = {name: unit for name, unit in vars(table.units).items() if unit is not None}
    return ",".join(
        [given[name] for name in ("length", "angle", "force") if name in given] + [given.get("torque", "N m")]
    )


def workspace_volume(robot: Mechanism) -> float:
    """Volume, area or range of the platform's places at its orientation at home [m^3, m^2 or m]; 0 if at none."""
    from gough.workspaces.conditions import conditions_of
    from gough.workspaces.region import region_of
    from gough.workspaces.volume import volume_of

    try:
        return volume_of(region_of(robot, conditions_of(robot), np.array(robot.platform.home)), CELLS).measure
    except GoughError:
        return 0.0


def _errors(reader: Reader, table: OptimiseTable, names: tuple[str, ...]) -> Errors:
    robot = reader.problem.robot
    given = {key: dict(getattr(table, key)) for key in ("stiffness", "tolerances") if getattr(table, key)}
    found, faults = tables_in_si(robot.spec, robot.expanded, given, reader.problem.units)
    stated = sources(robot.spec, found)
    reader.faults.extend(faults)
    if "stiffness" not in given:
        stated = replace(stated, stiffness=robot.errors.stiffness)
    if "tolerances" not in given:
        own = {name: getattr(robot.errors, name) for name in ("by_form", "by_address", "distribution")}
        stated = replace(stated, **own)
    if "stiffness" in names and "actuator" not in stated.stiffness:
        reader.faults.append(Fault(("stiffness", "actuator"), "is missing: no stiffness is stated", None, '"20 MN/m"'))
    others = [name for name in stated.stiffness if name != "actuator"]
    if "stiffness" in names and others:
        line = f"stiffness counts that of actuators alone: [stiffness] {', '.join(others)} left out"
        warnings.warn(line, GoughWarning, stacklevel=2)
    if {"pose error", "pose_error"} & set(names):
        if robot.dof < 6 or any(sum(joint.actuated for joint in leg.joints) != 1 for leg in robot.legs):
            fault = "pose error is for platforms with six motions on legs with one actuator each"
            reader.faults.append(Fault(("minimise",), fault, None, "use a function of the robot"))
        if not stated.by_form:
            reader.faults.append(Fault(("tolerances",), "is missing: no tolerance is stated", None, 'base = "0.1 mm"'))
    half = stated.by_form
    readings = sum((0.5 * half.get(form, 0.0)) ** 2 / 3.0 for form in ("encoder", "backlash"))
    actuator = stated.deviation(half.get("zero", 0.0)) ** 2 + readings
    point = sum(stated.deviation(half.get(form, 0.0)) ** 2 for form in ("base", "platform"))
    return Errors(actuator, point, float(stated.stiffness.get("actuator", 0.0)))


def _objectives(reader: Reader, table: OptimiseTable, functions: tuple[str, ...]) -> tuple[str, ...]:
    known = (*WORST, *MEANS, *OF_TASK, *functions)
    given = table.minimise if isinstance(table.minimise, list) else [table.minimise]
    names = [spelt if (spelt := name.replace("_", " ")) in known else name for name in given]
    if not 1 <= len(names) <= 2:
        reader.faults.append(Fault(("minimise",), "must be one objective, or two of a front", table.minimise))
    for name in names:
        if name not in known:
            reader.faults.append(Fault(("minimise",), "no such objective", name, f"known: {', '.join(known)}"))
    return tuple(names)


def _limits(reader: Reader, table: OptimiseTable, functions: Mapping[str, Any]) -> dict[str, Any]:
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
        if name in (*GAPS, "pose_error"):
            what = measure("length", units)
        elif name == "stiffness":
            what = measure("stiffness", units)
        else:
            known = {name: name for name in ("force", "power", "speed", "angle", "distance")} | {
                "stroke_span": "stroke"
            }
            what = limit_measure(known[name], turning, units) if name in known else PLAIN
        number = reader.number(path, value, what)
        least = 1.0 if name in ("ratio", "condition") else 0.0
        if name not in functions and not (number > least or (name == "distance" and number == 0.0)):
            reader.faults.append(Fault(path, f"must be greater than {least:g}", value))
        found[name] = number
    return found


def _jacobian(reader: Reader, table: OptimiseTable) -> list[Extra]:
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
