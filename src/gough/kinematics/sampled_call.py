"""What all calls on samples share: checks, one sample or many through a program, and the status of each.

Such a program has an output "sound": true where the equations themselves show that the inputs are finite and the sample
is fine. That costs a fraction of them. Only samples that are not sound are looked into, by slower and exact means.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gough.errors import InputError
from gough.graph import Graph, Scalar, Vector, absolute, isfinite
from gough.kinematics.programs import kinematics_program
from gough.kinematics.status import Status, Verdict, judge
from gough.motion.columns import WRENCH
from gough.robot import Mechanism
from gough.run import Bound, Program, owned


def check_robot(robot: object) -> None:
    """Refuse what is not a robot, such as its name."""
    if not isinstance(robot, Mechanism):
        given = repr(robot) if isinstance(robot, str) else type(robot).__name__
        raise InputError(f"robot: {given} given, expected a Robot: gough.load(name or file)")


def check_finite(robot: Mechanism, given: Mapping[str, Any]) -> None:
    """Refuse numbers that are not finite, with the place of the first: sample and coordinate.

    Args:
        robot: The robot that moves.
        given: Arrays (k,) or (N, k) by name: forces, a wrench, and values per platform coordinate.
    """
    fault = not_finite(robot, given)
    if fault:
        raise InputError(fault)


def not_finite(robot: Mechanism, given: Mapping[str, Any]) -> str:
    """The first number that is not finite, in words with its place; "" where all are."""
    for name, value in given.items():
        if (good := np.isfinite(values := np.asarray(value, dtype=float))).all():
            continue
        *row, column = np.argwhere(~good)[0].tolist()
        where = f"sample {row[0]}: " if row else ""
        return f"{name}: {where}{_entry(robot, name, column)} is {values[(*row, column)]}: must be finite"
    return ""


def _entry(robot: Mechanism, name: str, column: int) -> str:
    if name == "wrench":
        return WRENCH[column]
    if name in ("force", "q"):
        return f"actuator {robot.actuator_names[column]}"
    names = robot.coordinate_names
    return names[column] if column < len(names) and name in ("x", "xd", "xdd", "guess") else f"entry {column}"


Rows = Mapping[str, Any]
Look = Callable[["Call", Rows, Rows], Verdict]
"""(call, inputs by name (B, k), outputs by name (B, ...)) -> statuses of these B samples."""

HUGE = 1e150
"""Coordinates beyond this have squares that overflow."""

_FINE = {"status": np.int64(Status.FINE), "leg": np.int64(-1), "amount": np.float64(0.0)}


class _AllFine(Mapping[str, Any]):
    """The verdict on many samples that are all fine. Each array is made when it is asked for: most never are."""

    __slots__ = ("_count", "_made")

    def __init__(self, count: int) -> None:
        self._count, self._made = count, dict[str, Any]()

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = np.full(self._count, _FINE[name])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_FINE)

    def __len__(self) -> int:
        return len(_FINE)


class Answer(NamedTuple):
    """What a call gives: values by name and "status", "leg" and "amount", (N, ...) or of one sample."""

    values: dict[str, Any]
    verdict: Mapping[str, Any]


@dataclass(frozen=True)
class Call:
    """A robot's graph with an output "sound", made ready when it is needed, and what looks into samples that are not.

    Attributes:
        robot: The robot.
        graph: Its inputs are x (n,) and other values per sample.
        look: See `Look`.
        at: Name of the input that holds the poses.
        mends: Whether `look` also finds outputs, which it puts into those it is given.
    """

    robot: Mechanism
    graph: Graph
    look: Look
    at: str = "x"
    mends: bool = False

    @cached_property
    def program(self) -> Program:
        """For many samples."""
        return Program(self.graph)

    @cached_property
    def narrow(self) -> Program:
        """For single samples: the same bits on narrow vectors, whose divisions and roots take less time."""
        return Program(self.graph, width=2)

    def __call__(self, given: dict[str, Any]) -> Answer:
        """Values of one sample or of many, NaN where a sample has no solution, but for how far its legs fall short.

        Raises:
            PoseError: A single sample has no solution.
            InputError: Wrong names or shapes, numbers that are not finite.
        """
        return self._judged(given, self._single(given) if _is_single(given) else self.program(**given))

    def with_inputs(self, given: dict[str, Any], without: Collection[str] = ()) -> tuple[Answer, dict[str, Any]]:
        """The answer, of many samples without some values, and copies of what was given that a result can keep."""
        if _is_single(given):
            return self(given), {name: owned(value) for name, value in given.items()}
        values, copies = self.program.with_inputs(given, without, as_floats=("sound",))
        sound = values["sound"]
        if sound.size and np.minimum.reduce(sound) == 1.0:
            del values["sound"]
            return Answer(values, _AllFine(len(sound))), copies
        values["sound"] = sound != 0.0
        return self._judged(given, values), copies

    def _judged(self, given: dict[str, Any], values: dict[str, Any]) -> Answer:
        sound = values.pop("sound")
        single = sound.ndim == 0
        if single and sound:
            return Answer(values, _FINE)
        if np.count_nonzero(sound) == sound.size:
            return Answer(values, _AllFine(len(sound)))
        check_finite(self.robot, given)
        verdict = self.look_into(given, values, np.atleast_1d(sound))
        lost = verdict.lost(self.robot, single, given.get(self.at))
        for name, value in values.items() if lost.any() else ():
            if value.dtype.kind == "f" and name != "short":
                value[lost] = np.nan
        told = {"status": verdict.status, "leg": verdict.leg, "amount": verdict.amount}
        return Answer(values, {name: value[0] for name, value in told.items()} if single else told)

    def _single(self, given: dict[str, Any]) -> dict[str, Any]:
        found = self.narrow.single(given)
        return self.narrow(**given) if found is None else found

    def bind(self, rows: int | None, arrays: dict[str, Any]) -> Bound:
        """The program on fixed arrays."""
        return (self.narrow if rows is None else self.program).bind(rows, **arrays)

    def look_into(self, given: Rows, values: Rows, sound: NDArray[np.bool_]) -> Verdict:
        """Statuses of N samples: FINE where they are sound (N,), NOT_FINITE where an input is not, else what is found.

        Args:
            given: Inputs by name, of N samples or of one for all.
            values: Outputs by name, of N samples, or of one without the leading axis; shortfalls found are put in.
            sound: (N,) as computed.
        """
        verdict = _all_fine(len(sound))
        inputs: dict[str, Any] = {}
        finite = np.ones(len(sound), dtype=bool)
        for spec in self.graph.inputs:
            value = np.asarray(given[spec.name], dtype=float)
            inputs[spec.name] = value if spec.shared else np.broadcast_to(value, (len(sound), *spec.shape))
            finite &= np.isfinite(value).all() if spec.shared else np.isfinite(inputs[spec.name]).all(axis=1)
        verdict.status[~finite] = Status.NOT_FINITE
        largest = np.abs(inputs[self.at]).max(axis=1)
        huge = ~sound & finite & (largest > HUGE)
        verdict.status[huge], verdict.amount[huge] = Status.OVERFLOW, largest[huge]
        rows = np.flatnonzero(~sound & finite & ~huge)
        if not len(rows):
            return verdict
        shapes = {o.name: (len(sound), *o.shape) for o in self.graph.outputs}
        outputs = {name: np.reshape(value, shapes[name])[rows] for name, value in values.items()}
        inputs = {s.name: inputs[s.name] if s.shared else inputs[s.name][rows] for s in self.graph.inputs}
        found = self.look(self, inputs, outputs)
        verdict.status[rows], verdict.leg[rows], verdict.amount[rows] = found.status, found.leg, found.amount
        for name, value in outputs.items() if self.mends else ():
            np.reshape(values[name], shapes[name])[rows] = value
        if "short" in values and found.short is not None:
            np.atleast_2d(values["short"])[rows] = found.short
        return verdict


def judged(robot: Mechanism, program: Program, given: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """Values of one sample or of many by a program with the outputs "short" and "converged", and the statuses.

    NaN where one of many samples has no solution.

    Raises:
        PoseError: A single sample has no solution.
        InputError: Wrong names or shapes, numbers that are not finite.
    """
    values = program(**given)
    check_finite(robot, given)
    short, converged = values.pop("short"), values.pop("converged")
    verdict = judge(np.atleast_2d(short), np.atleast_2d(converged), robot=robot, x=given["x"])
    single = short.ndim == 1
    lost = verdict.lost(robot, single, given["x"])
    if single:
        return values, verdict.status[0]
    for value in values.values():
        value[lost] = np.nan
    return values, verdict.status


def _is_single(given: Rows) -> bool:
    for value in given.values():
        if type(value) is np.ndarray:
            if value.ndim > 1:
                return False
        elif not _is_flat(value):
            return False
    return True


def _is_flat(value: ArrayLike) -> bool:
    try:
        return np.ndim(value) <= 1
    except ValueError:
        return False


def _all_fine(count: int) -> Verdict:
    return Verdict(np.zeros(count, dtype=np.int64), np.full(count, -1), np.zeros(count))


def all_finite(*inputs: Vector) -> Scalar:
    """Recorded: whether all numbers of these arrays are finite, and their sum too; None stands for none.

    Infinity and NaN stay what they are in a sum, which takes half the operations of looking at every number.
    """
    return isfinite(sum(value for values in inputs if values is not None for value in values))


def moderate(*values: Vector) -> Scalar:
    """Recorded: whether the sizes of all these numbers add up to something finite."""
    return sum(absolute(np.concatenate([np.ravel(v) for v in values]))) < np.inf


def too_large_or_singular(call: Call, inputs: Rows, verdict: Verdict, rows: NDArray[np.bool_]) -> Verdict:
    """The verdict with OVERFLOW or NEAR_SINGULAR in these rows (B,), whose results are not finite.

    An overflow it is where the same rates and loads scaled down to ordinary numbers give a sound sample.
    """
    if not rows.any():
        return verdict
    by_sample = {name: value for name, value in inputs.items() if value.ndim == 2}
    largest = np.concatenate([np.abs(value) for value in by_sample.values()], axis=1).max(axis=1)
    small = {name: value / np.maximum(largest, 1.0)[:, None] for name, value in by_sample.items() if name != "x"}
    too_large = rows & call.narrow(**{**inputs, **small})["sound"]
    status = np.where(rows, np.where(too_large, Status.OVERFLOW, Status.NEAR_SINGULAR), verdict.status)
    return Verdict(status, verdict.leg, np.where(too_large, largest, verdict.amount), verdict.short)


def unsound(call: Call, inputs: Rows, outputs: Rows) -> Verdict:
    """Statuses of samples whose results are not finite, or whose legs do not reach or are stretched.

    Where the legs reach, the pose is near singular, unless only the size of rates and loads is the cause.
    """
    del outputs
    found = reach(call, inputs)
    return too_large_or_singular(call, inputs, found, found.status == Status.FINE)


def reach(call: Call, inputs: Rows) -> Verdict:
    """Statuses by the legs alone: FINE where all of them close."""
    x = inputs["x"]
    raw = kinematics_program(call.robot, 0)(x=x)
    return judge(raw["short"], raw["converged"], robot=call.robot, x=x)
