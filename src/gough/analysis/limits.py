"""Limits a motion is checked against: the robot's own, or stated ones in their place."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

from gough.errors import InputError
from gough.robot import Joint, Limits, Mechanism
from gough.robot.file.units import Units
from gough.robot.names import did_you_mean
from gough.robot.quantities import PLAIN, Measure, QuantityError, has_unit, measure, quantity

KINDS = (
    *("stroke", "speed", "force", "power", "joint", "angle", "distance", "condition", "singular"),
    *("parasitic", "parasitic_turn", "margin"),
    *("platform_speed", "turning_speed", "platform_acceleration", "turning_acceleration"),
)
"""What can have a limit. `joint` is the stroke of a passive joint, stated in the robot's file only."""
STATED = tuple(kind for kind in KINDS if kind != "joint")
MEANING = {
    "stroke": "displacement of an actuator: LOW,HIGH [m or rad]",
    "speed": "of an actuator [m/s or rad/s]",
    "force": "of an actuator [N or N m]",
    "power": "of an actuator, either way [W]",
    "joint": "stroke of a passive joint [m or rad]",
    "angle": "of a universal or spherical joint from straight [rad]",
    "distance": "least, between the surfaces of two legs [m]",
    "condition": "largest condition number of K",
    "singular": "smallest singular value of K",
    "margin": "least, of what the platform needs within what the actuators can give [N or N m]",
    "parasitic": "way of a dependent coordinate from home [m]",
    "parasitic_turn": "turn of a dependent coordinate from home [rad]",
    "platform_speed": "of the platform's reference point [m/s]",
    "turning_speed": "angular speed of the platform [rad/s]",
    "platform_acceleration": "of the platform's reference point [m/s^2]",
    "turning_acceleration": "angular acceleration of the platform [rad/s^2]",
}


@dataclass(frozen=True, slots=True)
class Bound:
    """The range a quantity may have; an end that is not finite is no limit."""

    low: float = -math.inf
    high: float = math.inf

    @property
    def width(self) -> float:
        """What margins are measured by: the range, or the limit's own size."""
        ends = [abs(end) for end in (self.low, self.high) if math.isfinite(end)]
        both = math.isfinite(self.low) and math.isfinite(self.high)
        return (self.high - self.low if both and self.low != -self.high else max(ends)) or 1.0


_CLOSED = ("distance", "condition", "margin")
"""Kinds whose least value is allowed."""
LimitsLike: TypeAlias = Mapping[str, Any] | Limits
"""Values by kind (the keys are `STATED`): a number, for stroke two; or those of an actuator as `gough.Limits`."""


def _by_kind(limits: Any) -> Mapping[str, Any]:
    """The limits as a mapping.

    Raises:
        InputError: They are none.
    """
    if isinstance(limits, Limits):
        return {f.name: value for f in fields(limits) if (value := getattr(limits, f.name)) is not None}
    if limits is not None and not isinstance(limits, Mapping):
        expected = 'values by kind, e.g. {"stroke": (0.1, 0.4)}, or gough.Limits'
        raise InputError(f"limits: {type(limits).__name__} given, expected {expected}")
    return limits or {}


def limit_measure(kind: str, turning: bool, units: Units | None = None) -> Measure:
    """What a limit is of, if that slides or turns; numbers without a unit are in those given, SI otherwise."""
    if kind in ("stroke", "speed"):
        return measure("angle" if turning else "length", units, order=int(kind == "speed"))
    if kind in ("force", "margin"):
        return measure("torque" if turning else "force", units)
    if kind.endswith(("_speed", "_acceleration")):
        order = 1 if kind.endswith("_speed") else 2
        return measure("angle" if kind.startswith("turning") else "length", units, order)
    known = {"power": "power", "angle": "angle", "distance": "length"}
    known |= {"parasitic": "length", "parasitic_turn": "angle"}
    return measure(known[kind], units) if kind in known else PLAIN


def only_turns(robot: Mechanism, kind: str) -> bool:
    """Whether all that a limit of this kind bounds turns: the platform's coordinates of a margin, else actuators."""
    if kind == "margin":
        return all(coordinate.turns for coordinate in robot.platform.coordinates)
    return {joint.kind for joint in robot.actuators} == {"R"}


def in_si(robot: Mechanism, limits: LimitsLike | None) -> Mapping[str, Any]:
    """The limits with those that carry their unit, "25 deg", as numbers.

    Raises:
        InputError: A unit of something else.
    """
    found: dict[str, Any] = {}
    for kind, value in _by_kind(limits).items():
        turning = only_turns(robot, kind)
        try:
            if kind == "stroke" and isinstance(value, (list, tuple)):
                own = limit_measure(kind, turning)
                found[kind] = tuple(quantity(end, own) if has_unit(end) else end for end in value)
            else:
                found[kind] = quantity(value, limit_measure(kind, turning)) if has_unit(value) else value
        except QuantityError as error:
            raise InputError(f"limit {kind}: {value}: {error}") from None
    return found


def check_limits(limits: LimitsLike | None) -> dict[str, Any]:
    """Limits stated in Python, checked.

    Raises:
        InputError: An unknown kind, or a value it cannot have.
    """
    found: dict[str, Any] = {}
    for kind, value in _by_kind(limits).items():
        if kind not in STATED:
            raise InputError(f"limit {kind}: no such limit ({did_you_mean(str(kind), STATED)})")
        if kind == "stroke":
            found[kind] = _stroke(value)
        else:
            found[kind] = _positive(kind, value)
    return found


def _stroke(value: Iterable[float | str]) -> tuple[float, float]:
    try:
        low, high = (float(end) for end in value)
    except (TypeError, ValueError):
        raise InputError(f"limit stroke: {value}: must be two numbers, low and high") from None
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InputError(f"limit stroke: {low:g}, {high:g}: must be finite, the first smaller than the second")
    return low, high


def _positive(kind: str, value: float | str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise InputError(f"limit {kind}: {value}: must be a number") from None
    least = 1.0 if kind == "condition" else 0.0
    if not (math.isfinite(number) and (number >= least if kind in _CLOSED else number > least)):
        raise InputError(
            f"limit {kind}: {number:g}: must be {'at least' if kind in _CLOSED else 'greater than'} {least:g}"
        )
    return number


def actuator_bounds(robot: Mechanism, kind: str, stated: Mapping[str, Any]) -> list[tuple[str, Bound | None]]:
    """Name and bound of each actuator for stroke, speed, force or power; None where there is no limit."""
    joints = robot.actuators
    return [(name, _bound(joint, kind, stated)) for name, joint in zip(robot.actuator_names, joints, strict=True)]


def _bound(joint: Joint, kind: str, stated: Mapping[str, Any]) -> Bound | None:
    value = stated.get(kind, getattr(joint.limits, kind))
    if value is None:
        return None
    return Bound(*value) if kind == "stroke" else Bound(-value, value)
