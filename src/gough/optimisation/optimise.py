"""The best design of a machine for a task: from many starts, or a Pareto front of two objectives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gough.draws.sobol import sobol
from gough.graph import Array
from gough.motion import State
from gough.optimisation.evolution import from_anywhere
from gough.optimisation.machines import each_machine
from gough.optimisation.measured import Measured
from gough.optimisation.minimax import Optimum, minimise
from gough.optimisation.proof import proved
from gough.optimisation.read import Wanted, wanted_of
from gough.optimisation.result import InfeasibleDesign, NotProved, Optimised
from gough.optimisation.rows import Judged, sign_of
from gough.robot import Robot

Progress = Callable[[str], None]


def optimise(
    problem: str | Path | Mapping[str, Any],
    functions: Mapping[str, Callable[[Robot], Any]] | None = None,
    states: State | None = None,
    progress: Progress | None = None,
    numeric: Mapping[str, Callable[[Robot], float]] | None = None,
    prove: bool = False,
) -> Optimised:
    """The best design.

    Interrupted (Ctrl-C), it returns the best found so far, `interrupted`, if there is one that keeps all limits.

    Args:
        problem: A file (see `gough.optimisation.schema`), or a dict with the same keys; `robot` may be a `Robot`, or a
            list of machines of which the best is wanted.
        functions: From the robot, with its free numbers recorded, to a number: objectives and limits of these names,
            with exact gradients.
        states: In place of the poses and the task of the problem.
        progress: Called now and then with a few words.
        numeric: From the robot in plain numbers to a number: objectives of these names, without gradients.
        prove: Prove what can be proved of the best design: see `gough.optimisation.proof`.

    Raises:
        RobotError: Faults of the file, one line each.
        NotProved: That no pose is singular is a limit, and is not proved of the best design.
        InfeasibleDesign: No start leads to a design that keeps all limits; says which is missed, and by how much.
    """
    told = progress or (lambda words: None)
    found: list[Optimised] = []
    missed: list[InfeasibleDesign] = []
    for one in each_machine(problem):
        wanted = wanted_of(one, functions or {}, states, numeric)
        try:
            found.append(_of_one(wanted, told))
        except InfeasibleDesign as error:
            missed.append(error)
        except KeyboardInterrupt:
            if not found:
                raise
            found[-1] = replace(found[-1], interrupted=True)
        if found and found[-1].interrupted:
            break
    if not found:
        raise min(missed, key=lambda error: error.nearest.violated)
    best = min(found, key=lambda one: sign_of(one.judged.objective) * one.value)
    best = replace(best, others=tuple(one for one in found if one is not best))
    if prove or best.wanted.regular:
        told("proving")
        best = replace(best, proof=proved(best))
    if best.wanted.regular and not (best.proof is not None and best.proof.regular):
        raise NotProved(best)
    return best


def _of_one(wanted: Wanted, told: Progress) -> Optimised:
    """The best design of one machine."""
    measured = _measured(wanted)
    judged = judged_of(wanted, measured, wanted.objectives[0])
    interrupted = False
    if wanted.discrete:
        found = from_anywhere(
            wanted, judged, _measured, lambda k: told(f"{wanted.robot.name}: {k} of about {wanted.budget} designs")
        )
    else:
        found, interrupted = _from_starts(wanted, judged, told)
    best = _best(found, judged)
    if not best.feasible:
        raise InfeasibleDesign(best, wanted.about_home)
    front: tuple[Optimum, ...] = ()
    if len(wanted.objectives) == 2 and not interrupted:
        front, interrupted = _front(wanted, measured, best, told)
    return Optimised(wanted, judged, best, tuple(found), front, interrupted=interrupted)


def _measured(wanted: Wanted) -> Measured:
    return Measured(wanted.robot, wanted.variables, wanted.needs, wanted.functions)


def judged_of(wanted: Wanted, measured: Measured, objective: str, caps: Mapping[str, float] | None = None) -> Judged:
    """Objective and constraints of what is wanted, other objectives kept below caps."""
    judged = Judged(measured, objective, wanted.limits, caps or {}, errors=wanted.errors)
    numeric = objective in wanted.numeric
    size = 1.0 if numeric else abs(judged.value(wanted.states, wanted.variables.nominal))
    short, slope = measured.at(wanted.states, wanted.variables.nominal)["short"]
    reach = bool(np.any(slope) or np.any(short > 0.0))
    return replace(judged, scale=size if np.isfinite(size) and size > 0.0 else 1.0, reach=reach)


def _starts(wanted: Wanted) -> Array:
    """(starts, variables): the robot's own numbers, then Sobol's points between the bounds."""
    low, high = wanted.variables.low, wanted.variables.high
    count = max(wanted.starts - 1, 0)
    points = sobol(0, count, len(low), wanted.seed, 0) if count else np.zeros((0, len(low)))
    return np.concatenate([wanted.variables.nominal[None], low + (high - low) * points])


def _from_starts(wanted: Wanted, judged: Judged, told: Progress) -> tuple[list[Optimum], bool]:
    """Designs from all starts, and whether it was interrupted."""
    found: list[Optimum] = []
    starts = _starts(wanted)
    try:
        for k, start in enumerate(starts):
            found.append(minimise(judged, wanted.states, start))
            told(f"{wanted.robot.name}: {k + 1} of {len(starts)} starts, best {_best(found, judged).value:.6g}")
    except KeyboardInterrupt:
        if not any(one.feasible for one in found):
            raise
        return found, True
    return found, False


def _key(judged: Judged, one: Optimum) -> tuple[bool, float, float]:
    return not one.feasible, 0.0 if one.feasible else one.violated, sign_of(judged.objective) * one.value


def _best(found: list[Optimum], judged: Judged) -> Optimum:
    return min(found, key=lambda one: _key(judged, one))


def _front(wanted: Wanted, measured: Measured, first: Optimum, told: Progress) -> tuple[tuple[Optimum, ...], bool]:
    """Designs between the best of either objective, the first one's least under caps on the second; if interrupted."""
    one, two = wanted.objectives
    found = [first]
    try:
        other = judged_of(wanted, measured, two)
        tries = [minimise(other, wanted.states, start) for start in (first.p, wanted.variables.nominal)]
        last = _best(tries, other)
        near, far = other.value(wanted.states, last.p), other.value(wanted.states, first.p)
        for k, cap in enumerate(np.linspace(far, near, wanted.front)[1:]):
            told(f"{wanted.robot.name}: {k + 2} of {wanted.front} designs of the front")
            judged = judged_of(wanted, measured, one, {two: float(cap)})
            tries = [minimise(judged, wanted.states, start) for start in (found[-1].p, last.p)]
            best = _best(tries, judged)
            if best.feasible:
                found.append(best)
    except KeyboardInterrupt:
        return tuple(found), True
    return tuple(found), False
