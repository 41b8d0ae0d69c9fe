"""Measures of machines of a study, by one program whose inputs are the varied numbers of each and the sample shared by
all; tracking errors by simulating them together."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.errors import NumericalError
from gough.graph import Array, Vector, array, isfinite, logical_and, record
from gough.kinematics.robot_pose import ways_of
from gough.problem import Varied
from gough.robot import Robot, by_spec
from gough.run import Program
from gough.studies.measures import MEASURES, Sample

if TYPE_CHECKING:
    from gough.studies.study import Study

START = {"max": -np.inf, "min": np.inf, "sum": 0.0}
TOGETHER = 1024
"""Simulated robots that are stepped together."""


@by_spec(8)
def machine_program(robot: Robot, vary: tuple[Varied, ...], names: tuple[str, ...]) -> Program:
    """From x, xd, xdd and the varied numbers p, all per sample, to what each measure gathers, and what is sound.

    "sound" is whether all legs reach, and then whether each measure has a value.

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
        machine = robot.with_numbers(changes)
        sample = Sample(robot, machine, ways, x, xd, xdd)
        out: dict[str, Any] = {}
        sound: list[Any] = [sample.reached if any(not MEASURES[name].always for name in names) else 1.0 > 0.0]
        for name in names:
            measure = MEASURES[name]
            out[name] = array(measure.equations(sample))
            good: Any = True
            if not measure.always:
                good = reduce(logical_and, [isfinite(value) for value in out[name]])
            if measure.needs is not None:
                good = logical_and(good, measure.needs(sample))
            sound.append(good)
        return out | {"sound": sound}

    shapes: dict[str, Any] = {"x": n, "xd": n, "xdd": n} | ({"p": len(vary)} if vary else {})
    return Program(record(equations, **shapes))


def recorded_rows(study: Study, first: int, last: int, values: Array) -> tuple[dict[str, Array], Any, Any]:
    """(N,) of each recorded measure for machines first to last with varied values (N, k), NaN where it has no value.

    With (N,) the number of the reason for the first failure, 0 for none, and (N,) its sample, -1 for none.
    """
    names = tuple(name for name in study.measures if name in MEASURES)
    if not names:
        return {}, np.zeros(last - first, dtype=np.int64), np.full(last - first, -1, dtype=np.int64)
    losses = Losses(study, names, last - first)
    program = machine_program(study.robot, study.vary, names)
    if not study.vary:
        x = study.poses.rows(first, last)
        zeros = np.zeros(study.robot.dof)
        found = program(x=x, xd=zeros, xdd=zeros, threads=1)
        losses.add(0, found["sound"])
        return losses.without({name: MEASURES[name].finish(found[name], 1) for name in names})
    samples = study.samples()
    gathered: dict[str, Any] = {}
    with np.errstate(all="ignore"):
        for k, (x, xd, xdd) in enumerate(zip(*samples, strict=True)):
            found = program(x=x, xd=xd, xdd=xdd, p=values, threads=1)
            losses.add(k, found["sound"])
            for name in names:
                _gather(gathered, name, found[name])
        done = {name: MEASURES[name].finish(gathered[name], len(samples[0])) for name in names}
    return losses.without(done)


class Losses:
    """Which machines of a block have no value of a measure, why, and since which sample.

    Attributes:
        why: (N,) number of the reason in `Study.reasons`, from 1 on; 0 for none.
        at: (N,) number of the sample; -1 for none.
    """

    def __init__(self, study: Study, names: tuple[str, ...], machines: int) -> None:
        """None yet."""
        self.names = names
        texts = reasons_of(study.robot, names)
        self._codes = np.array([study.reasons.index(text) + 1 for text in texts], dtype=np.int64)
        self._lost = np.zeros((machines, len(texts)), dtype=bool)
        self.why = np.zeros(machines, dtype=np.int64)
        self.at = np.full(machines, -1, dtype=np.int64)

    def add(self, sample: int, sound: Any) -> None:
        """What the program says of one sample, (N, 1 + measures)."""
        lost = ~np.broadcast_to(np.asarray(sound, dtype=bool), self._lost.shape)
        new = (self.why == 0) & lost.any(axis=1)
        self.why[new] = self._codes[np.argmax(lost[new], axis=1)]
        self.at[new] = sample
        self._lost |= lost

    def without(self, done: dict[str, Array]) -> tuple[dict[str, Array], Any, Any]:
        """The columns with NaN for what is lost, reasons and samples."""
        for k, name in enumerate(self.names):
            if not MEASURES[name].always:
                done[name][self._lost[:, 0] | self._lost[:, k + 1]] = np.nan
        return done, self.why, self.at


def reasons_of(robot: Robot, names: tuple[str, ...]) -> list[str]:
    """Why recorded measures have no value: legs that do not reach, then the reason of each measure."""
    limited = robot.actuation is not None and robot.actuation.limited
    forces = "no tensions within limits" if robot.cables else "no forces within limits" if limited else "no forces"
    texts = {"forces": forces, "singular": "singular", "pose": "no pose at the nominal displacements"}
    return ["legs do not reach", *(texts.get(MEASURES[name].lacks, f"no {name}") for name in names)]


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
