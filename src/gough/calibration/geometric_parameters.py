"""Geometric parameters of a robot that may differ from its file: joint points, zeros of actuators, link lengths, axes.

A parameter goes by its path in the robot's explicit form, `leg.A.position.0`. Directions of axes are turned with the
frame that carries them: `leg.A.turn.x` turns leg frame 0 about its own x axis [rad], which is zero in the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any, Literal

from gough.calibration.calibration_error import CalibrationError
from gough.graph.triples import product
from gough.kinematics.closure.closed_form import main_chain
from gough.robot import Leg, Robot
from gough.robot.addresses import number_in, paths, value_at
from gough.robot.candidates import patterns
from gough.robot.error_sources import ErrorSources
from gough.robot.extent import size
from gough.robot.file.write import explicit_document
from gough.robot.names import nearest
from gough.robot.rotation import about_x, about_y, about_z

Role = Literal["base", "platform", "zero", "length", "turn", "other"]
SHARE = 0.1
"""Standard deviation of a parameter nobody states a tolerance of, in sizes of the robot or radians: next to nothing."""
_AXES = "xyz"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number of the robot that is to be found.

    Attributes:
        path: Where it stands in the robot's explicit form, or `leg.NAME.turn.x`.
        nominal: Its value in the robot's file [m or rad].
        turns: It is an angle.
        prior: Standard deviation of its error before anything is measured [m or rad].
        role: What it is of a leg.
        leg: Index of the leg, -1 for none.
        axis: 0, 1 or 2 of a point or a turn.
    """

    path: str
    nominal: float
    turns: bool
    prior: float
    role: Role = "other"
    leg: int = -1
    axis: int = 0

    @property
    def unit(self) -> str:
        """SI unit."""
        return "rad" if self.turns else "m"

    def text(self, robot: Robot) -> str:
        """For people: "base joint of leg 1, x"."""
        if self.leg < 0:
            return self.path
        name, axis = robot.legs[self.leg].name, _AXES[self.axis]
        last = self.path.removeprefix(f"leg.{name}.")
        return {
            "base": f"base joint of leg {name}, {axis}",
            "platform": f"platform joint of leg {name}, {axis}",
            "zero": f"offset of actuator {name}",
            "length": f"link of leg {name}, {last}",
            "turn": f"turn of leg {name} about its {axis}",
        }.get(self.role, self.path)


def candidates(robot: Robot) -> list[Parameter]:
    """What a robot's legs have: joint points first, then zeros, link lengths and turns of the frames of the legs."""
    return list(_candidates(robot))


@lru_cache(maxsize=32)
def _candidates(robot: Robot) -> tuple[Parameter, ...]:
    reach = SHARE * (size(robot) or 1.0)
    found: list[Parameter] = []
    numbers = explicit_document(robot)

    def parameter(path: str, turns: bool, role: Role, leg: int, axis: int = 0) -> Parameter:
        value = number_in(numbers, path)
        assert value is not None, path
        return Parameter(path, value, turns, SHARE if turns else reach, role, leg, axis)

    for k, leg in enumerate(robot.legs):
        base, platform, zeros, lengths = _paths(leg)
        found += [parameter(path, False, "base", k, axis) for axis, path in enumerate(base)]
        found += [parameter(path, False, "platform", k, axis) for axis, path in enumerate(platform)]
        found += [parameter(path, turns, "zero", k) for path, turns in zeros]
        found += [parameter(path, False, "length", k) for path in lengths]
        if leg.cable is None:
            turned = [f"leg.{leg.name}.turn.{axis}" for axis in _AXES]
            found += [Parameter(path, 0.0, True, SHARE, "turn", k, axis) for axis, path in enumerate(turned)]
    order = ("base", "platform", "zero", "length", "turn")
    return tuple(sorted(found, key=lambda p: order.index(p.role)))


def _paths(leg: Leg) -> tuple[list[str], list[str], list[tuple[str, bool]], list[str]]:
    """Paths of a leg's base point, platform point, zeros (and whether they are angles) and link lengths."""
    own = f"leg.{leg.name}"
    if leg.cable is not None:
        lengths = [f"{own}.pulley.radius"] if leg.cable.pulley else []
        first, last = ([f"{own}.{end}.{k}" for k in range(3)] for end in ("base", "platform"))
        return first, last, [(f"{own}.actuator.zero", False)], lengths
    zeros = [(f"{own}.joint.{joint.name}.zero", joint.turns) for joint in leg.joints if joint.actuated]
    lengths = []
    for k in main_chain(leg):
        joint = leg.joints[k]
        if joint.parent >= 0:
            lengths += [f"{own}.joint.{joint.name}.offset.{i}" for i, v in enumerate(joint.offset) if v != 0.0]
    lengths += [f"{own}.end.point.{i}" for i, v in enumerate(leg.end.point) if v != 0.0]
    base, platform = ([f"{own}.{place}.{k}" for k in range(3)] for place in ("position", "end.platform_point"))
    return base, platform, zeros, lengths


def chosen(robot: Robot, wanted: Sequence[str]) -> list[Parameter]:
    """The parameters that paths or patterns name, `leg.*.position.*` or `legs.base.radius`; all with none wanted.

    Raises:
        CalibrationError: A pattern that fits no geometric number of the robot.
    """
    own = candidates(robot)
    if not wanted:
        return own
    known = {p.path: p for p in own}
    others = paths(robot)
    found: dict[str, Parameter] = {}
    for pattern in wanted:
        fits = [p for p in own if fits_pattern(p, pattern)]
        if not fits:
            fits = [
                _other(robot, path)
                for path in others
                if any(fnmatchcase(path, meant) for meant in patterns(pattern)) and is_geometry(path)
            ]
        if not fits:
            near = nearest(pattern, [*known, *others])
            hint = f"did you mean {near}?" if near else "e.g. leg.*.position.*, base, platform, zero, length, turn"
            raise CalibrationError("--parameters", pattern, None, "is no geometric number of the robot", hint)
        found |= {p.path: p for p in fits}
    return list(found.values())


def fits_pattern(parameter: Parameter, pattern: str) -> bool:
    """Whether a path, a pattern of paths or a role names a parameter."""
    return pattern == parameter.role or any(fnmatchcase(parameter.path, meant) for meant in patterns(pattern))


def with_errors(parameters: Sequence[Parameter], errors: ErrorSources) -> list[Parameter]:
    """The parameters with the priors that tolerances state, by role or by address."""
    found = []
    for p in parameters:
        half = errors.by_address.get(p.path) or errors.by_form.get(p.role, 0.0)
        found.append(replace(p, prior=errors.deviation(half)) if half > 0.0 else p)
    return found


def with_tolerances(parameters: Sequence[Parameter], tolerances: Mapping[str, float]) -> list[Parameter]:
    """The parameters with the priors that paths, patterns or roles state; the last that fits counts.

    Raises:
        CalibrationError: One that fits no parameter, or is not above zero.
    """
    found = list(parameters)
    for pattern, sigma in tolerances.items():
        fits = [k for k, p in enumerate(found) if fits_pattern(p, pattern)]
        if not fits:
            raise CalibrationError("--tolerance", pattern, None, "matches no parameter", "e.g. base, leg.*.position.*")
        if not sigma > 0.0:
            raise CalibrationError("--tolerance", pattern, sigma, "must be more than zero")
        for k in fits:
            found[k] = replace(found[k], prior=float(sigma))
    return found


_NO_GEOMETRY = (
    *("mass", "com", "inertia", "stroke", "speed", "force", "power", "viscous", "coulomb", "gravity", "home", "gear"),
    *(
        "rotor_inertia",
        "spring",
        "tension",
        "reference",
        "elasticity",
        "cone",
        "end_cone",
        "bolt",
        "end_bolt",
        "start",
        "units",
    ),
    *("rotation", "platform_rotation", "axis", "actuation", "mimic", "branch"),
)
_ANGLES = ("angle", "angles", "half_angle", "tilt", "yaw", "phase")


def is_geometry(path: str) -> bool:
    """Whether a path of a robot's document is one of its dimensions, by its words."""
    return not set(path.split(".")) & set(_NO_GEOMETRY)


def _other(robot: Robot, path: str) -> Parameter:
    turns = bool(set(path.split(".")) & set(_ANGLES))
    return Parameter(path, value_at(robot, path), turns, SHARE if turns else SHARE * (size(robot) or 1.0))


def moved(robot: Robot, parameters: Sequence[Parameter], by: Sequence[Any]) -> Robot:
    """The robot with its parameters changed by some amounts, numbers or recorded ones [m or rad]."""
    given = list(zip(parameters, by, strict=True))
    changes = {p.path: p.nominal + step for p, step in given if p.role != "turn"}
    changed = robot.replace(changes) if changes else robot
    legs = list(changed.legs)
    turned: dict[int, dict[int, Any]] = {}
    for p, step in given:
        if p.role == "turn":
            turned.setdefault(p.leg, {})[p.axis] = step
    for k, angles in turned.items():
        R: Any = legs[k].rotation
        for axis, turn in enumerate((about_x, about_y, about_z)):
            R = product(R, turn(angles[axis])) if axis in angles else R
        legs[k] = replace(legs[k], rotation=R)
    return replace(changed, legs=tuple(legs), document=None) if turned else changed


def names_of(parameters: Iterable[Parameter]) -> str:
    """Paths, the first few of many."""
    listed = [p.path for p in parameters]
    return ", ".join(listed[:4]) + (f" and {len(listed) - 4} more" if len(listed) > 4 else "")
