"""Measures of machines of a study, by one program whose inputs are the varied numbers of each and the sample shared by
all; tracking errors by simulating them together."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.errors import NumericalError
from gough.graph import Array, Vector, array, isfinite, logical_and, record
from gough.kinematics.robot_pose import ways_of
from gough.problem import Varied
from gough.robot import Robot
from gough.run import Program
from gough.studies.measures import MEASURES, Sample

if TYPE_CHECKING:
    from gough.studies.study import Study

START = {"max": -np.inf, "min": np.inf, "sum": 0.0}
TOGETHER = 1024
"""Simulated robots that are stepped together."""


@lru_cache(maxsize=8)
def machine_program(robot: Robot, vary: tuple[Varied, ...], names: tuple[str, ...]) -> Program:
    """From x, xd, xdd and the varied numbers p, all per sample, to what each measure gathers, and whether it is sound.

    Args:
        robot: In nominal numbers.
        vary: Whose values are p, in this order.
        names: Names of measures.
    """
    free = tuple(path for one in vary for path in one.changes(0.0))
    ways = ways_of(robot, free=free)
    n = robot.dof

    def equations(x: Vector, xd: Vector, xdd: Vector, p: Vector = None) -> dict[str, Any]:
        changes: dict[str, Any] = {}
        for one, value in zip(vary, () if p is None else p, strict=True):
            changes |= one.changes(value)
        machine = robot.replace(changes) if changes else robot
        sample = Sample(robot, machine, ways, x, xd, xdd)
        out: dict[str, Any] = {}
        sound: Any = True
        for name in names:
            measure = MEASURES[name]
            values = array(measure.equations(sample))
            out[name] = values
            if not measure.always:
                sound = logical_and(sound, sample.reached)
                for value in values:
                    sound = logical_and(sound, isfinite(value))
            if measure.needs is not None:
                sound = logical_and(sound, measure.needs(sample))
        return out | {"sound": [sound]}

    shapes: dict[str, Any] = {"x": n, "xd": n, "xdd": n} | ({"p": len(vary)} if vary else {})
    return Program(record(equations, **shapes))


def recorded_rows(study: Study, first: int, last: int, values: Array) -> tuple[dict[str, Array], Any]:
    """(N,) of each recorded measure for machines first to last with varied values (N, k), and (N,) which are sound."""
    names = tuple(name for name in study.measures if name in MEASURES)
    if not names:
        return {}, np.ones(last - first, dtype=bool)
    program = machine_program(study.robot, study.vary, names)
    if not study.vary:
        x = study.poses.rows(first, last)
        zeros = np.zeros(study.robot.dof)
        found = program(x=x, xd=zeros, xdd=zeros, threads=1)
        done = {name: MEASURES[name].finish(found[name], 1) for name in names}
        return done, found["sound"][:, 0]
    samples = study.samples()
    gathered: dict[str, Any] = {}
    sound = np.ones(last - first, dtype=bool)
    with np.errstate(all="ignore"):
        for x, xd, xdd in zip(*samples, strict=True):
            found = program(x=x, xd=xd, xdd=xdd, p=values, threads=1)
            sound &= found["sound"][:, 0]
            for name in names:
                _gather(gathered, name, found[name])
        done = {name: MEASURES[name].finish(gathered[name], len(samples[0])) for name in names}
    return done, sound


def _gather(gathered: dict[str, Any], name: str, values: Array) -> None:
    if name not in gathered:
        gathered[name] = values.copy()
        return
    match MEASURES[name].gather:
        case "max":
            np.maximum(gathered[name], values, out=gathered[name])
        case "min":
            np.minimum(gathered[name], values, out=gathered[name])
        case _:
            gathered[name] += values


def tracking_errors(study: Study, first: int, values: Array) -> Array:
    """(N,) largest distance from the motion at the history's times, by `simulate_many`; NaN for a robot that diverged.

    Args:
        study: With a motion.
        first: Number of the first machine.
        values: (N, k) of the varied numbers.
    """
    from gough.simulation import simulate_many

    found = []
    for begin in range(0, len(values), TOGETHER):
        part = values[begin : begin + TOGETHER]
        changes: dict[str, Any] = {}
        for k, one in enumerate(study.vary):
            changes |= one.changes(part[:, k])
        try:
            done = simulate_many(
                study.robot,
                input=study.controller,
                count=len(part),
                step=study.simulated.step,
                vary=changes,
                seed=study.drawing.seed,
                first=first + begin,
                threads=1,
            )
            found.append(np.where(done.diverged >= 0, np.nan, done.worst_error))
        except NumericalError:
            found.append(np.full(len(part), np.nan))
    return np.concatenate(found)
