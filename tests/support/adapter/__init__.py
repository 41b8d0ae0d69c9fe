"""Questions of the snapshot, answered by the public names of today's gough.

Only this package imports gough. Each module answers the questions of a group and lists them in its `TABLE`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import gough
from tests.support.questions import Answer, States

ERRORS: tuple[tuple[type[BaseException], str], ...] = (
    (gough.ReachError, "out of reach"),
    (gough.PoseError, "no pose"),
    (gough.UnboundedError, "unbounded"),
    (gough.InfeasibleError, "infeasible"),
    (gough.InfeasibleDesign, "infeasible"),
    (gough.MotionError, "motion refused"),
    (gough.RobotError, "robot refused"),
    (gough.PathError, "address refused"),
    (gough.InputError, "input refused"),
    (gough.ResourceError, "too large"),
    (gough.NumericalError, "not solved"),
    (gough.GoughError, "refused"),
    (NotImplementedError, "not supported"),
    (ImportError, "package missing"),
    (TypeError, "wrong type"),
    (ValueError, "wrong value"),
    (OSError, "file"),
)
"""Classes of exceptions in neutral words; the first that fits counts."""


def load_robot(text: str) -> gough.Robot:
    """The robot of a file's text."""
    return gough.loads(text)


def kind_of_error(error: BaseException) -> str:
    """The class of an exception in neutral words."""
    for kind, words in ERRORS:
        if isinstance(error, kind):
            return words
    return f"failed: {type(error).__name__}"


STATUS = {
    gough.Status.NOT_FINITE: "not finite",
    gough.Status.FINE: "fine",
    gough.Status.NEAR_SINGULAR: "near singular",
    gough.Status.OUT_OF_REACH: "out of reach",
    gough.Status.NOT_CONVERGED: "not converged",
    gough.Status.OTHER_BRANCH: "other branch",
    gough.Status.PATH_FOLDS: "path folds",
    gough.Status.GUESS_OUT_OF_REACH: "guess out of reach",
    gough.Status.OVERFLOW: "overflow",
    gough.Status.INFEASIBLE: "infeasible",
}
"""Statuses of samples in neutral words."""


def verdict(values: Any) -> Answer:
    """An answer of words, truth values or counts, compared for equality."""
    return Answer(np.asarray(values), "verdict", "verdict")


def status_words(status: Any) -> Answer:
    """Statuses as neutral words."""
    return verdict([STATUS[gough.Status(int(value))] for value in np.ravel(status)])


def leg_names(robot: gough.Robot, leg: Any) -> Answer:
    """Names of legs by their indices; empty for -1."""
    return verdict(["" if index < 0 else robot.legs[index].name for index in np.ravel(leg).astype(int)])


@dataclass(frozen=True)
class Sizes:
    """Floors of scales on a machine: 1e-3 of natural sizes, from its stored length L [m] and weight W [N].

    Arrays that mix lengths with angles, or forces with moments, have the smaller of both floors.
    """

    length: float
    force: float
    moment: float
    rate: float
    acceleration: float
    power: float

    @classmethod
    def of(cls, states: States) -> Sizes:
        """Floors of the machine with these states."""
        length = float(states["length"])
        weight = float(states["weight"]) or 1.0
        small, frequency = min(length, 1.0), (9.81 / length) ** 0.5
        return cls(
            length=1e-3 * small,
            force=1e-3 * weight * small,
            moment=1e-3 * weight * length,
            rate=1e-3 * small * frequency,
            acceleration=1e-3 * small * frequency**2,
            power=1e-3 * weight * length * frequency,
        )


def each(calls: Mapping[str, Callable[[], Mapping[str, Answer]]]) -> dict[str, Answer]:
    """Fields of several calls, in one; a call that raises has the field "NAME_error" instead, and the others remain."""
    fields: dict[str, Answer] = {}
    for name, call in calls.items():
        try:
            fields |= call()
        except Exception as error:
            fields[f"{name}_error"] = verdict(kind_of_error(error))
    return fields
