"""From a `[task]` table to the states of the task and to what is free of it: place, size and time."""

from __future__ import annotations

from itertools import product

import numpy as np

from gough.graph import Array
from gough.motion import State
from gough.motion.columns import WRENCH
from gough.motion.files import find_motion
from gough.optimisation.reader import Reader
from gough.optimisation.rows import OF_TASK
from gough.optimisation.schema import OptimiseTable
from gough.optimisation.variables import Extra
from gough.problem import Problem
from gough.problem.poses import at_home
from gough.robot import Robot
from gough.robot.checks.fault import Fault
from gough.robot.quantities import PLAIN, measure

MOST_STATES = 200_000


def shifts(reader: Reader, table: OptimiseTable) -> list[Extra]:
    """Free numbers by which the whole task is moved."""
    robot, found = reader.problem.robot, []
    for name, value in table.task.shift.items():
        if reader.known(("task", "shift"), name, robot.coordinate_names, "coordinate"):
            turns = robot.platform.coordinates[robot.coordinate_names.index(name)].turns
            what = measure("angle" if turns else "length", reader.problem.units)
            low, high = reader.pair(("task", "shift", name), value, what)
            found.append(Extra(f"task.{name}", low, high, 0.0, "rad" if turns else "m"))
    return found


def sizes_and_times(reader: Reader, table: OptimiseTable, objectives: tuple[str, ...]) -> list[Extra]:
    """Size and time of the task where they are an objective."""
    found = []
    for name, default in (("largest box", (0.05, 5.0)), ("task time", (0.05, 20.0))):
        if name in objectives:
            key = OF_TASK[name].removeprefix("task.")
            stated = getattr(table.task, key)
            low, high = default if stated is None else reader.pair(("task", key), stated, PLAIN)
            if not low > 0.0:
                reader.faults.append(Fault(("task", key), "must be [least, greatest], greater than 0", stated))
            if not table.limits:
                reader.faults.append(Fault(("limits",), f"is missing: nothing bounds the {name}", None))
            found.append(Extra(OF_TASK[name], low, high, min(max(1.0, low), high), ""))
    if "task time" in objectives and not (table.task.motion or table.task.velocity or table.task.acceleration):
        reader.faults.append(Fault(("task", "motion"), "is missing: a time needs a motion, or velocities"))
    return found


def states_of(reader: Reader, table: OptimiseTable, problem: Problem, half: Array) -> State:
    """The states of the task, drawn within half-widths (2 n + 6,)."""
    robot, task, n = problem.robot, table.task, problem.robot.dof
    if task.motion is not None:
        return _along(reader, table, half[2 * n :])
    poses = problem.poses or at_home(robot)
    if poses.count > MOST_STATES:
        reader.faults.append(Fault(("poses",), f"are {poses.count}, at most {MOST_STATES} for an optimisation"))
        return State(*(np.zeros((0, robot.dof)),) * 3, wrench=np.zeros((0, 6)))
    x = poses.rows(0, poses.count)
    if task.corners:
        if poses.kind == "file":
            reader.faults.append(Fault(("task", "corners"), "goes with a box or a grid of poses"))
        x = np.concatenate([x, corners(np.array(poses.low), np.array(poses.high))])
    drawn = np.random.default_rng(task.seed).uniform(-1.0, 1.0, (len(x), 2 * n + 6)) * half
    return State(x, drawn[:, :n].copy(), drawn[:, n : 2 * n].copy(), wrench=drawn[:, 2 * n :].copy())


def loaded(robot: Robot, states: State) -> State:
    """States that all have rates, accelerations and a wrench, zero where they are not given.

    Raises:
        InputError: The base moves, or the coordinates are others.
    """
    own = State.of(robot, states).without_base("optimise").inputs(robot)
    x, xd, xdd = np.atleast_2d(own["x"], own["xd"], own["xdd"])
    wrench = np.broadcast_to(own.get("wrench", np.zeros(6)), (len(x), 6))
    return State(*np.broadcast_arrays(x, xd, xdd), wrench=wrench)


def _along(reader: Reader, table: OptimiseTable, wrench: Array) -> State:
    """States along a motion, in its own time."""
    problem, task = reader.problem, table.task
    if problem.poses is not None or task.velocity or task.acceleration:
        reader.faults.append(
            Fault(("task", "motion"), "takes the place of poses, velocity and acceleration", task.motion)
        )
    if not 2 <= task.samples <= MOST_STATES:
        reader.faults.append(Fault(("task", "samples"), f"must be from 2 to {MOST_STATES}", task.samples))
    file = problem.folder / str(task.motion)
    moved = find_motion(problem.robot, file if file.exists() else str(task.motion), place="task.motion").path()
    t = np.linspace(moved.start, moved.end, min(max(task.samples, 2), MOST_STATES))
    drawn = np.random.default_rng(task.seed).uniform(-1.0, 1.0, (len(t), 6)) * wrench
    load = moved.wrench(t)
    return State(*moved.law(t), wrench=drawn if load is None else load + drawn)


def half_widths(reader: Reader, table: OptimiseTable) -> Array:
    """(2 n + 6,) of velocities, accelerations and wrenches."""
    robot, units, task = reader.problem.robot, reader.problem.units, table.task
    turns = [c.turns for c in robot.platform.coordinates]
    half = np.zeros(2 * robot.dof + 6)
    for order, (key, values) in enumerate((("velocity", task.velocity), ("acceleration", task.acceleration)), 1):
        for name, value in values.items():
            if reader.known(("task", key), name, robot.coordinate_names, "coordinate"):
                k = robot.coordinate_names.index(name)
                what = measure("angle" if turns[k] else "length", units, order)
                half[(order - 1) * robot.dof + k] = reader.number(("task", key, name), value, what)
    for name, value in task.wrench.items():
        if reader.known(("task", "wrench"), name, WRENCH, "component"):
            k = WRENCH.index(name)
            what = measure("force" if k < 3 else "torque", units)
            half[2 * robot.dof + k] = reader.number(("task", "wrench", name), value, what)
    return half


def corners(low: Array, high: Array) -> Array:
    """(2^k, n) corners of a box; a coordinate that stays has one."""
    ends = [[a] if a == b else [a, b] for a, b in zip(low, high, strict=True)]
    return np.array(list(product(*ends)))
