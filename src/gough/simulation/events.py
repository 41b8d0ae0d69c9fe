"""Events: a limit reached, a singularity near, a leg at the end of its reach, or whatever a user watches."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.brief import brief
from gough.kinematics.status import condition_number
from gough.simulation.system import System

Array = NDArray[np.float64]

NEAR_REACH = 1e-9
"""A leg is at the end of its reach when this much is left of it [m]."""


@dataclass(frozen=True)
class Event:
    """Something a user watches for.

    Attributes:
        name: For the report.
        function: `function(t, x, xd, q, qd)` gives a number; the event is where it passes through zero.
        stop: End the run there.
        direction: +1 only upwards, -1 only downwards, 0 both.
    """

    __repr__ = brief

    name: str
    function: Callable[..., Any]
    stop: bool = True
    direction: int = 0


@dataclass(frozen=True)
class Occurrence:
    """An event that happened.

    Attributes:
        t: When [s].
        kind: "stroke", "angle", "singularity", "reach", "slack" or "user".
        leg: Name of the leg, or "".
        text: One clause.
        stopped: The run ended there.
    """

    t: float
    kind: str
    leg: str
    text: str
    stopped: bool

    def __str__(self) -> str:
        """One line: when and what."""
        return f"t = {self.t:.6g} s: {self.text}{' (stopped)' if self.stopped else ''}"


@dataclass(frozen=True)
class Watcher:
    """What is watched in a run.

    Attributes:
        system: Whose.
        stop: End the run where a stroke ends or a singularity is near; a leg at the end of its reach always does.
        condition: Of K at which a singularity counts as near.
        user: Of the user.
    """

    system: System
    stop: bool
    condition: float
    user: tuple[Event, ...]

    def names(self) -> list[tuple[str, str, str, bool, int]]:
        """Kind, leg, text, whether it stops, and direction of each watched number, which falls to zero."""
        found: list[tuple[str, str, str, bool, int]] = []
        legs = self.system.robot.legs
        for number, _, joint in self.system.limited:
            low, high = joint.limits.stroke  # type: ignore[misc]
            unit = "m" if joint.kind == "P" else "rad"
            for bound, side in ((low, "lower"), (high, "upper")):
                text = f"leg {legs[number].name}: {joint.name} reaches the {side} end of its stroke, {bound:.6g} {unit}"
                found.append(("stroke", legs[number].name, text, self.stop, -1))
        for cone in self.system.cones:
            name = legs[cone.leg].name
            text = f"leg {name}: {cone.name} reaches its largest angle, {np.degrees(cone.largest):.4g} deg"
            found.append(("angle", name, text, self.stop, -1))
        found.append(("singularity", "", f"near a singularity: condition {self.condition:.3g}", self.stop, -1))
        for leg in legs:
            found.append(("reach", leg.name, f"leg {leg.name} is at the end of its reach", True, -1))
        for leg in legs:
            if leg.cable is not None:
                found.append(("slack", leg.name, f"cable {leg.name} goes slack", False, -1))
        return found + [("user", "", event.name, event.stop, event.direction) for event in self.user]

    def values(self, watched: dict[str, Array], readings: Callable[[], Iterable[tuple[Any, ...]]]) -> Array:
        """(N, numbers) watched at N times, in the order of `names`.

        Args:
            watched: Outputs of `System.watch`; with cables also the forces "commanded" (N, actuators).
            readings: Arguments of a user's event at each of the times.
        """
        low, high = self._strokes
        limited = watched["limited"][:, 1:]
        sides = np.stack([limited - low, high - limited], axis=2).reshape(len(limited), -1)
        angles = watched["cosines"][:, 1:] - np.cos([cone.largest for cone in self.system.cones])
        condition = np.minimum(condition_number(self.system.robot, watched["K"]), 1e300)
        near = np.log(self.condition) - np.log(condition)[:, None]
        margins = [sides, angles, near, -watched["short"] - NEAR_REACH]
        if self.system.robot.cables:
            margins.append(-watched["commanded"][:, list(self.system.robot.cables)])
        if self.user:
            margins.append(np.array([[float(event.function(*now)) for event in self.user] for now in readings()]))
        return np.hstack(margins)

    @cached_property
    def _strokes(self) -> tuple[Array, Array]:
        """Lower and upper ends of the stated strokes."""
        strokes = np.array([joint.limits.stroke for _, _, joint in self.system.limited], dtype=float).reshape(-1, 2)
        return strokes[:, 0], strokes[:, 1]
