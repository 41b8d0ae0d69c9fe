"""Events: a limit reached, a singularity near, a leg at the end of its reach, or whatever a user watches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.kinematics.status import condition_number
from gough.simulate.system import System

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

    name: str
    function: Callable[..., Any]
    stop: bool = True
    direction: int = 0


@dataclass(frozen=True)
class Occurrence:
    """An event that happened.

    Attributes:
        t: When [s].
        kind: "stroke", "angle", "singularity", "reach" or "user".
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
        return found + [("user", "", event.name, event.stop, event.direction) for event in self.user]

    def values(self, watched: dict[str, Array], readings: Callable[[], tuple[Any, ...]]) -> Array:
        """The numbers watched now, in the order of `names`."""
        margins: list[float] = []
        for value, (_, _, joint) in zip(watched["limited"][1:], self.system.limited, strict=True):
            low, high = joint.limits.stroke  # type: ignore[misc]
            margins += [value - low, high - value]
        margins += [
            value - np.cos(cone.largest) for value, cone in zip(watched["cosines"][1:], self.system.cones, strict=True)
        ]
        condition = condition_number(self.system.robot, watched["K"][None])[0]
        margins.append(np.log(self.condition) - np.log(min(condition, 1e300)))
        margins += (-watched["short"] - NEAR_REACH).tolist()
        if self.user:
            now = readings()
            margins += [float(event.function(*now)) for event in self.user]
        return np.array(margins)


def crossed(before: Array, after: Array, directions: Any) -> Any:
    """Places of the numbers that pass through zero from one time to the next."""
    with np.errstate(invalid="ignore"):
        down = (before > 0.0) & ~(after > 0.0)
        up = (before < 0.0) & (after >= 0.0)
    return np.flatnonzero((down & (directions <= 0)) | (up & (directions >= 0) & (directions != -1)))
