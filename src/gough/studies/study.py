"""`gough.Study`: an analysis stated once and run on many machines, here or on a cluster."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.brief import brief
from gough.graph import Array
from gough.kinematics.programs import characteristic_length
from gough.motion import Motion
from gough.problem import Poses, Varied
from gough.robot import Robot
from gough.studies.drawing import Drawing
from gough.studies.measures import MEASURES, unit_of
from gough.studies.reductions import Block, Reduction
from gough.studies.user_function import UserFunction

if TYPE_CHECKING:
    from gough.studies.result import StudyResult

LEAF = 4096
"""Machines of a leaf: results depend on it, so it is not an option."""
FORMAT = 1
"""Of stores and draws; another one makes another study."""


@dataclass(frozen=True)
class Simulated:
    """How machines follow the motion: see `[simulate]`."""

    controller: str = "computed-torque"
    bandwidth: float = 5.0
    step: float = 1e-3


@dataclass(frozen=True, eq=False)
class Study:
    """A study: a robot, the numbers that vary, poses or a motion, measures, and reductions of them.

    `Study.read(path)` reads it from a file, `Study.of(robot=..., vary=[...], measure=[...])` from the same keys.

    Attributes:
        robot: In nominal numbers.
        vary: Numbers that differ from machine to machine.
        poses: Poses at which each machine is measured; without `vary` each pose is a row of its own.
        motion: Motion along which each machine is measured instead, or None.
        instants: Instants of the motion.
        measures: Names, or functions.
        reductions: Reductions of the measures.
        machines: Number of rows.
        drawing: How they differ.
        functions: The user's, by name.
        simulated: For "tracking_error".
        keep_rows: Whether every row is stored.
        source: File it came from.
    """

    __repr__ = brief

    robot: Robot
    vary: tuple[Varied, ...]
    poses: Poses
    motion: Motion | None
    instants: int
    measures: tuple[str, ...]
    reductions: tuple[Reduction, ...]
    machines: int
    drawing: Drawing
    functions: tuple[UserFunction, ...] = ()
    simulated: Simulated = Simulated()
    keep_rows: bool = False
    source: str = "study"

    @classmethod
    def read(cls, path: str | Path) -> Study:
        """The study of a file.

        Raises:
            RobotError: With every fault, one line each.
        """
        from gough.studies.read import read_study

        return read_study(path)

    @classmethod
    def of(cls, folder: str | Path = ".", **tables: Any) -> Study:
        """The study of the keys that a file would have; `robot` may be a robot, a measure a function."""
        from gough.studies.read import study_of

        return study_of(tables, "study", folder)

    def run(
        self,
        client: Any = None,
        *,
        out: str | Path | None = None,
        resume: bool = False,
        chunk: int | None = None,
        on_error: str = "stop",
        progress: Callable[[int, int], None] | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> StudyResult:
        """The result, from this process or from the workers of a `dask.distributed.Client`; the bits are the same.

        Args:
            client: None computes here.
            out: Folder of the store; without one nothing is written, and rows are kept in memory.
            resume: Take what a store has of this study.
            chunk: Machines computed and stored at a time: any number below a leaf, else rounded to whole leaves.
            on_error: "stop" at a user's function that raises, or "count" the machine as failed.
            progress: Called with rows done and all.
            tell: Called with lines for the user.
        """
        from gough.studies.run import run_study

        return run_study(self, client, out, resume, chunk, on_error, progress, tell)

    @property
    def leaf(self) -> int:
        """Machines of a leaf: 4096, or the most whole rows of an index study below that."""
        return LEAF // self.drawing.row * self.drawing.row

    @property
    def leaves(self) -> int:
        """How many."""
        return -(-self.machines // self.leaf)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Numbers of the first machine of leaf `first`, and of the one after leaf `last` - 1."""
        return first * self.leaf, min(last * self.leaf, self.machines)

    @cached_property
    def _samples(self) -> tuple[Array, Array, Array]:
        if self.motion is not None:
            return self.motion.law(np.linspace(self.motion.start, self.motion.end, self.instants))
        x = self.poses.rows(0, self.poses.count)
        return x, np.zeros_like(x), np.zeros_like(x)

    def samples(self) -> tuple[Array, Array, Array]:
        """(P, n) x, xd, xdd at which each machine is looked at."""
        return self._samples

    @cached_property
    def controller(self) -> Any:
        """What the machines follow the motion with, for "tracking_error"."""
        from gough.simulation import PD, ComputedTorque, Controller, Feedforward

        assert self.motion is not None
        laws: dict[str, Any] = {"computed-torque": ComputedTorque, "pd": PD, "feedforward": Feedforward}
        return Controller(laws[self.simulated.controller](bandwidth=self.simulated.bandwidth), self.motion)

    def units(self) -> dict[str, str]:
        """SI unit of each measure and each varied number."""
        found = {name: unit_of(MEASURES[name], self.robot) for name in self.measures if name in MEASURES}
        if "tracking_error" in self.measures:
            found["tracking_error"] = " and ".join(
                sorted({"rad" if c.turns else "m" for c in self.robot.platform.coordinates})
            )
        return {one.name: one.unit for one in self.vary} | found

    def numbers_of(self, machine: int) -> dict[str, float]:
        """The varied numbers of a machine by name, or the coordinates of its pose."""
        if not self.vary:
            row = self.poses.rows(machine, machine + 1)[0]
            return dict(zip(self.robot.coordinate_names, row.tolist(), strict=True))
        values = self.drawing.values(machine, machine + 1)[0].tolist()
        return {one.name: value for one, value in zip(self.vary, values, strict=True)}

    def machine(self, number: int) -> Robot:
        """The robot that a machine is, with the length of the study's condition numbers where it is not its own."""
        changes: dict[str, Any] = {}
        for one, value in zip(self.vary, self.drawing.values(number, number + 1)[0].tolist(), strict=True):
            changes |= one.changes(value)
        found = self.robot.replace(changes) if changes else self.robot
        if self.length is None or math.isclose(characteristic_length(found), self.length, rel_tol=1e-12):
            return found
        return found.replace({"length": self.length})

    @property
    def length(self) -> float | None:
        """What condition numbers of all machines count turns by [m]; None where none are measured, or none needs it."""
        turning = {c.turns for c in self.robot.platform.coordinates}
        if not {"condition", "sigma_min"} & set(self.measures) or turning != {True, False}:
            return None
        return characteristic_length(self.robot)

    def block(self, first: int, last: int, on_error: str = "stop") -> Block:
        """What is measured of machines first to last - 1.

        Raises:
            InputError: A user's function raised, and `on_error` is "stop".
        """
        from gough.studies.machine_measures import recorded_rows, tracking_errors

        values = self.drawing.values(first, last)
        found, why, at = recorded_rows(self, first, last, values)
        for function in self.functions:
            found[function.name] = function.values(self, first, last, on_error)
        if "tracking_error" in self.measures:
            found["tracking_error"] = tracking_errors(self, first, values)
        for name, reason in self._later_reasons.items():
            why[(why == 0) & ~np.isfinite(found[name])] = self.reasons.index(reason) + 1
        return Block(first, {name: np.asarray(found[name], dtype=float) for name in self.measures}, why, at)

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """Why a machine can fail, each once."""
        from gough.studies.machine_measures import reasons_of

        recorded = tuple(name for name in self.measures if name in MEASURES)
        found = reasons_of(self.robot, recorded) if recorded else []
        return tuple(dict.fromkeys([*found, *self._later_reasons.values()]))

    @property
    def _later_reasons(self) -> dict[str, str]:
        """Of measures that are not recorded, by name."""
        found = {function.name: f"{function.name} raised, or gave no finite number" for function in self.functions}
        return found | ({"tracking_error": "diverged"} if "tracking_error" in self.measures else {})

    @cached_property
    def description(self) -> dict[str, Any]:
        """Everything that decides the bits, in plain values."""
        x, xd, xdd = self.samples() if self.vary else (np.zeros(0),) * 3
        where = hashlib.sha256(b"".join(np.ascontiguousarray(v).tobytes() for v in (x, xd, xdd))).hexdigest()
        given = self.poses.given
        return {
            "format": FORMAT,
            "robot": json.dumps(_plain(self.robot.spec), sort_keys=True),
            "vary": [_plain(one) for one in self.vary],
            "poses": _plain({k: v for k, v in vars(self.poses).items() if k != "given"}),
            "poses_file": None if given is None else hashlib.sha256(np.ascontiguousarray(given).tobytes()).hexdigest(),
            "samples": where,
            "measure": list(self.measures),
            "functions": [function.digest for function in self.functions],
            "simulate": _plain(vars(self.simulated)) if "tracking_error" in self.measures else None,
            "reduce": [[reduction.name, _plain(vars(reduction))] for reduction in self.reductions],
            "machines": self.machines,
            "seed": self.drawing.seed,
            "indices": self.drawing.indices,
            "correlation": _plain(self.drawing.factor),
            "keep": "rows" if self.keep_rows else "reductions",
        }

    @cached_property
    def digest(self) -> str:
        """Of the description."""
        return hashlib.sha256(json.dumps(self.description, sort_keys=True).encode()).hexdigest()

    @cached_property
    def test_block(self) -> str:
        """Digest of the first machines, their draws and their reductions: the same wherever the bits are."""
        from gough.studies.machine_measures import recorded_rows
        from gough.studies.reductions.contract import packed

        last = min(self.machines, 64 // self.drawing.row * self.drawing.row or self.drawing.row)
        values = self.drawing.values(0, last)
        found, why, at = recorded_rows(self, 0, last, values)
        content = hashlib.sha256(values.tobytes() + why.tobytes() + at.tobytes())
        for name, column in found.items():
            content.update(name.encode() + np.where(np.isnan(column), 0.0, column).tobytes())
        block = Block(0, {name: found.get(name, np.ones(last)) for name in self.measures}, why, at)
        for reduction in self.reductions:
            content.update(packed(reduction.leaf(block)))
        return content.hexdigest()


def _plain(value: Any) -> Any:
    """Nested plain values of dataclasses, arrays and mappings, floats by their digits."""
    if hasattr(value, "__dataclass_fields__"):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
