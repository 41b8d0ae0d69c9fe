"""Neutral questions about a robot: what is computed, how an answer transforms, and how two answers are compared.

The snapshot (`tools/snapshot.py`) and the lanes of `tests/crossing` put the same questions. This file does not import
gough: the functions that answer are in `tests/support/adapter`, one module per group, and only these change when gough
renames something. Keys ("inverse_dynamics/force/stewart"), words and stored numbers stay as they are.
"""

from __future__ import annotations

import importlib
import pkgutil
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
States = Mapping[str, Array]

GROUPS = ("arrays", "searches", "runs", "exports", "data", "design", "papers", "files", "commands")
NO_MACHINE = "none"
"""The machine of questions that need no robot (papers, bad files): their functions get None."""
ROUND_OFF = 1e-11
"""Largest change that counts as round-off, relative to the scale of the output (see tools/snapshot.py)."""
FAILED = ("failed: ", "more than ", "package missing")
"""How words of errors begin that compare nothing: they would be the same before and after."""
_ADAPTER = "tests.support.adapter"


@dataclass(frozen=True)
class Answer:
    """One array, how it changes when the description of the machine changes, and how two of them are compared.

    kind: invariant, actuator, coordinate, joint, body, vector, wrench, length, verdict, names ...
    policy: "bits"; "round-off"; "solver 1e-8", with its tolerance; "verdict", equal; "names", equal as sets.
    size: floor of the scale of the comparison, 1e-3 of the quantity's natural size on that machine (length L, weight W,
        W L, L/s ...), so that values that cancel raise no false alarm; 0: only the sample's own largest value.
    """

    value: Array
    kind: str = "invariant"
    policy: str = "round-off"
    size: float = 0.0

    def __post_init__(self) -> None:
        tolerance(self.policy)
        value = np.asarray(self.value)
        if value.dtype.kind not in "fibUS":
            raise TypeError(f"an answer is an array of floats, integers, truth values or words, not of {value.dtype}")
        object.__setattr__(self, "value", value)


@dataclass(frozen=True)
class Question:
    """One question, put to each of its machines.

    name: neutral key, such as "inverse_dynamics".
    group: one of GROUPS.
    machines: names of machines; None: all of the snapshot; (NO_MACHINE,): the question needs no robot.
    honours: parts of the operating condition that the answer depends on: payload, wrench, wrench_point, base, gravity,
        limits, motor, tolerances, stiffness ...
    answer: "module:function" inside tests.support.adapter. The function takes (robot, states) and returns
        dict[str, Answer]. Besides the stored arrays, states has "name" and "text" (the robot file), as str arrays.
    seconds: processor time that the question may take; after it, the answer is "more than N s".
    """

    name: str
    group: str
    machines: tuple[str, ...] | None
    honours: frozenset[str]
    answer: str
    seconds: float = 30.0

    def __post_init__(self) -> None:
        if self.group not in GROUPS:
            raise ValueError(f"unknown group {self.group!r}; groups: {', '.join(GROUPS)}")

    def asks(self, machine: str) -> bool:
        """True if the question is put to this machine."""
        return machine != NO_MACHINE if self.machines is None else machine in self.machines


def tolerance(policy: str) -> float:
    """Largest relative change that the policy allows: 0 for bits, verdicts and names."""
    if policy in ("bits", "verdict", "names"):
        return 0.0
    if policy == "round-off":
        return ROUND_OFF
    word, _, number = policy.partition(" ")
    if word != "solver" or not 0.0 < float(number) < 1.0:
        raise ValueError(f"unknown policy {policy!r}")
    return float(number)


class _TimeIsUp(BaseException):
    """Raised by the timer in a question that takes too long; no handler of `Exception` catches it."""


@contextmanager
def _processor_time(seconds: float) -> Iterator[None]:
    """Interrupt the block after this much processor time, so that a busy machine does not change an answer."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise _TimeIsUp

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def answers(question: Question, machine: Any, states: States) -> dict[str, Answer]:
    """Answers by field; an exception is the answer "error", its class in neutral words.

    Args:
        question: The question.
        machine: The loaded robot, or the text of its file; None for a question without a machine.
        states: The fixed arrays of that machine.
    """
    adapter = importlib.import_module(_ADAPTER)
    module, _, function = question.answer.partition(":")
    call = getattr(importlib.import_module(f"{_ADAPTER}.{module}"), function)
    try:
        robot = adapter.load_robot(machine) if isinstance(machine, str) else machine
        with _processor_time(question.seconds):
            found: dict[str, Answer] = call(robot, states)
    except _TimeIsUp:
        return {"error": Answer(np.array(f"more than {question.seconds:g} s"), "verdict", "verdict")}
    except Exception as error:
        return {"error": Answer(np.array(adapter.kind_of_error(error)), "verdict", "verdict")}
    return found


def failures(found: Mapping[str, Answer]) -> list[str]:
    """Calls that ended by an exception that is none of gough's, by a warning where warnings are errors, or too late."""
    errors = {name: str(answer.value) for name, answer in found.items() if name.endswith("error")}
    return [f"{name}: {words}" for name, words in errors.items() if words.startswith(FAILED)]


@cache
def _all_questions() -> dict[str, Question]:
    """The tables `TABLE` of all modules of the adapter, by the name of the question."""
    merged: dict[str, Question] = {}
    folder = Path(__file__).parent / "adapter"
    for module in sorted(found.name for found in pkgutil.iter_modules([str(folder)])):
        table: dict[str, Question] = getattr(importlib.import_module(f"{_ADAPTER}.{module}"), "TABLE", {})
        if twice := merged.keys() & table.keys():
            raise ValueError(f"questions of two modules: {', '.join(sorted(twice))}")
        merged |= table
    return merged


QUESTIONS: dict[str, Question]


def __getattr__(name: str) -> dict[str, Question]:
    """QUESTIONS, merged when first used, because the modules of the adapter import this one."""
    if name == "QUESTIONS":
        return _all_questions()
    raise AttributeError(name)
