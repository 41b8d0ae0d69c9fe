"""The best design of a machine for a task: from many starts, or a front between two objectives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gough.draws.sobol import sobol
from gough.graph import Array
from gough.optimisation.measured import Measured, States
from gough.optimisation.minimax import Optimum, minimise
from gough.optimisation.read import Wanted, wanted_of
from gough.optimisation.result import InfeasibleDesign, Optimised
from gough.optimisation.rows import Judged
from gough.robot import Robot

Progress = Callable[[int, int], None]


def optimise(
    problem: str | Path | Mapping[str, Any],
    functions: Mapping[str, Callable[[Robot], Any]] | None = None,
    states: States | None = None,
    progress: Progress | None = None,
) -> Optimised:
    """The best design.

    Args:
        problem: A file (see `gough.optimisation.schema`), or a dict with the same keys; `robot` may be a `Robot`.
        functions: From the robot, with its free numbers recorded, to a number: objectives and limits of these names.
        states: In place of the poses and the task of the problem.
        progress: Called with the number of starts done and of all.

    Raises:
        RobotError: Faults of the file, one line each.
        InfeasibleDesign: No start leads to a design that keeps all limits; says which is missed, and by how much.
    """
    wanted = wanted_of(problem, functions or {}, states)
    measured = Measured(wanted.robot, wanted.variables, wanted.needs, wanted.functions)
    judged = judged_of(wanted, measured, wanted.objectives[0])
    found = _from_starts(wanted, judged, progress)
    best = _best(found, judged)
    if not best.feasible:
        raise InfeasibleDesign(best)
    front: tuple[Optimum, ...] = ()
    if len(wanted.objectives) == 2:
        front = _front(wanted, measured, best)
    return Optimised(wanted, judged, best, tuple(found), front)


def judged_of(wanted: Wanted, measured: Measured, objective: str, caps: Mapping[str, float] | None = None) -> Judged:
    """Objective and constraints of what is wanted, other objectives kept below caps."""
    judged = Judged(measured, objective, wanted.limits, caps or {})
    size = abs(judged.value(wanted.states, wanted.variables.nominal))
    reach = bool(np.any(measured.at(wanted.states, wanted.variables.nominal)["short"][1]))
    return replace(judged, scale=size if np.isfinite(size) and size > 0.0 else 1.0, reach=reach)


def _starts(wanted: Wanted) -> Array:
    """(starts, variables): the robot's own numbers, then Sobol's points between the bounds."""
    low, high = wanted.variables.low, wanted.variables.high
    count = max(wanted.starts - 1, 0)
    points = sobol(0, count, len(low), wanted.seed, 0) if count else np.zeros((0, len(low)))
    return np.concatenate([wanted.variables.nominal[None], low + (high - low) * points])


def _from_starts(wanted: Wanted, judged: Judged, progress: Progress | None) -> list[Optimum]:
    found: list[Optimum] = []
    starts = _starts(wanted)
    for k, start in enumerate(starts):
        found.append(minimise(judged, wanted.states, start))
        if progress is not None:
            progress(k + 1, len(starts))
    return found


def _key(judged: Judged, one: Optimum) -> tuple[bool, float, float]:
    sign = -1.0 if judged.objective == "singular value" else 1.0
    return not one.feasible, 0.0 if one.feasible else one.violated, sign * one.value


def _best(found: list[Optimum], judged: Judged) -> Optimum:
    return min(found, key=lambda one: _key(judged, one))


def _front(wanted: Wanted, measured: Measured, first: Optimum) -> tuple[Optimum, ...]:
    """Designs between the best of either objective: the first one's least under caps on the second."""
    one, two = wanted.objectives
    other = judged_of(wanted, measured, two)
    last = minimise(other, wanted.states, first.p)
    near, far = other.value(wanted.states, last.p), other.value(wanted.states, first.p)
    found = [first]
    for cap in np.linspace(far, near, wanted.front)[1:]:
        judged = judged_of(wanted, measured, one, {two: float(cap)})
        tries = [minimise(judged, wanted.states, start) for start in (found[-1].p, last.p)]
        best = _best(tries, judged)
        if best.feasible:
            found.append(best)
    return tuple(found)
