"""Geometric parameters of a robot that may differ from its file: joint points, zeros of actuators, link lengths, axes.

A parameter goes by its address: `leg.A.base.0`, or, of what no type of leg states, that of the leg written joint by
joint: `leg.A.joint.rod.offset.0`. Directions of axes are turned with the frame that carries them: `leg.A.turn.x` turns
leg frame 0 about its own x axis [rad], which is zero in the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from gough.calibration.calibration_error import CalibrationError
from gough.graph.triples import product
from gough.kinematics.closure.closed_form import main_chain
from gough.robot import Leg, Mechanism, Robot, by_spec
from gough.robot.addresses import value_at
from gough.robot.error_sources import ErrorSources
from gough.robot.mechanism import size
from gough.robot.names import nearest
from gough.robot.rotation import about_x, about_y, about_z
from gough.robot.spec import address, complete, is_number, nearest_address, steps

Role = Literal["base", "platform", "zero", "length", "turn", "other"]
SHARE = 0.1
"""Standard deviation of a parameter nobody states a tolerance of, in sizes of the robot or radians: next to nothing."""
_AXES = "xyz"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number of the robot that is to be found.

    Attributes:
        path: Its address in the robot with legs written joint by joint, or `leg.NAME.turn.x`.
        nominal: Its value in the robot's file [m or rad].
        at_joints: Its value in the leg written joint by joint: that of another point of the same body where the leg's
            type states one [m or rad].
        turns: It is an angle.
        prior: Standard deviation of its error before anything is measured [m or rad].
        role: What it is of a leg.
        leg: Index of the leg, -1 for none.
        axis: 0, 1 or 2 of a point or a turn.
    """

    path: str
    nominal: float
    at_joints: float
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


@by_spec(32)
def _candidates(robot: Robot) -> tuple[Parameter, ...]:
    reach = SHARE * (size(robot) or 1.0)
    found: list[Parameter] = []
    joined = robot.without_errors.explicit()

    def parameter(path: str, turns: bool, role: Role, leg: int, axis: int = 0) -> Parameter:
        value = value_at(joined, path)
        own = value_at(robot, path) if role in ("base", "platform") else value
        return Parameter(path, own, value, turns, SHARE if turns else reach, role, leg, axis)

    for k, leg in enumerate(robot.legs):
        base, platform, zeros, lengths = _paths(leg)
        found += [parameter(path, False, "base", k, axis) for axis, path in enumerate(base)]
        found += [parameter(path, False, "platform", k, axis) for axis, path in enumerate(platform)]
        found += [parameter(path, turns, "zero", k) for path, turns in zeros]
        found += [parameter(path, False, "length", k) for path in lengths]
        if leg.cable is None:
            turned = [f"leg.{leg.name}.turn.{axis}" for axis in _AXES]
            found += [Parameter(path, 0.0, 0.0, True, SHARE, "turn", k, axis) for axis, path in enumerate(turned)]
    order = ("base", "platform", "zero", "length", "turn")
    return tuple(sorted(found, key=lambda p: order.index(p.role)))


def _paths(leg: Leg) -> tuple[list[str], list[str], list[tuple[str, bool]], list[str]]:
    """Paths of a leg's base point, platform point, zeros (and whether they are angles) and link lengths."""
    own = f"leg.{leg.name}"
    base, platform = ([f"{own}.{end}.{k}" for k in range(3)] for end in ("base", "platform"))
    if leg.cable is not None:
        lengths = [f"{own}.pulley.radius"] if leg.cable.pulley else []
        return base, platform, [(f"{own}.actuator.zero", False)], lengths
    zeros = [(f"{own}.joint.{joint.name}.zero", joint.turns) for joint in leg.joints if joint.actuated]
    zeros = [(f"{own}.actuator.zero", zeros[0][1])] if len(zeros) == 1 else zeros
    lengths = []
    for k in main_chain(leg):
        joint = leg.joints[k]
        if joint.parent >= 0:
            lengths += [f"{own}.joint.{joint.name}.offset.{i}" for i, v in enumerate(joint.offset) if v != 0.0]
    lengths += [f"{own}.end.point.{i}" for i, v in enumerate(leg.end.point) if v != 0.0]
    return base, platform, zeros, lengths


def chosen(robot: Robot, wanted: Sequence[str]) -> list[Parameter]:
    """The parameters that addresses or patterns name, `leg.*.base.*` or `legs.base.radius`; all with none wanted.

    Raises:
        CalibrationError: A pattern that fits no geometric number of the robot.
    """
    own = candidates(robot)
    if not wanted:
        return own
    known = _Named(robot, own)
    found: dict[str, Parameter] = {}
    for pattern in wanted:
        fits = known.fitting(pattern)
        if not fits:
            fits = [_other(robot, path) for path in known.of_the_file(pattern) if is_geometry(path)]
        if not fits:
            near = nearest(pattern, [p.path for p in own]) or known.nearest(pattern)
            hint = f"did you mean {near}?" if near else "e.g. leg.*.base.*, base, platform, zero, length, turn"
            raise CalibrationError("--parameters", pattern, None, "is no geometric number of the robot", hint)
        found |= {p.path: p for p in fits}
    return list(found.values())


class _Named:
    """Parameters of single legs of a robot by what names them: a role, an address or a pattern."""

    def __init__(self, robot: Robot, parameters: Sequence[Parameter]) -> None:
        self._spec, self._joined = robot.spec, complete(robot.without_errors.explicit().spec)
        self._parameters, turns = parameters, [p for p in parameters if p.role == "turn"]
        placed = [p for p in parameters if p.role not in ("turn", "other")]
        self._by_keys = {keys: p for p in placed for keys, _ in steps(self._joined, p.path.split("."))}
        self._turns = {p.path: p for p in turns}

    def fitting(self, pattern: str) -> list[Parameter]:
        """The parameters that a role, an address or a pattern names."""
        of_role = [p for p in self._parameters if p.role == pattern or p.path == pattern]
        if of_role:
            return of_role
        named = [self._by_keys[keys] for keys, _ in steps(self._joined, pattern.split(".")) if keys in self._by_keys]
        return named or [p for path, p in self._turns.items() if _same_but_stars(path, pattern)]

    def of_the_file(self, pattern: str) -> list[str]:
        """Addresses of the robot's own file that a pattern names."""
        tree = complete(self._spec)
        return [address(tree, keys) for keys, value in steps(tree, pattern.split(".")) if is_number(value)]

    def nearest(self, pattern: str) -> str | None:
        """The address of the robot's file most like one that names nothing."""
        return nearest_address(complete(self._spec), pattern)


def _same_but_stars(path: str, pattern: str) -> bool:
    ours, theirs = path.split("."), pattern.split(".")
    return len(ours) == len(theirs) and all(b in ("*", a) for a, b in zip(ours, theirs, strict=True))


def with_errors(parameters: Sequence[Parameter], errors: ErrorSources) -> list[Parameter]:
    """The parameters with the priors that tolerances state, by role or by address."""
    found = []
    for p in parameters:
        half = errors.by_address.get(p.path) or errors.by_form.get(p.role, 0.0)
        found.append(replace(p, prior=errors.deviation(half)) if half > 0.0 else p)
    return found


def with_tolerances(robot: Robot, parameters: Sequence[Parameter], tolerances: Mapping[str, float]) -> list[Parameter]:
    """The parameters with the priors that addresses, patterns or roles state; the last that fits counts.

    Raises:
        CalibrationError: One that fits no parameter, or is not above zero.
    """
    found, known = list(parameters), _Named(robot, parameters)
    for pattern, sigma in tolerances.items():
        named = {p.path for p in known.fitting(pattern)}
        fits = [k for k, p in enumerate(found) if p.path in named]
        if not fits:
            raise CalibrationError("--tolerance", pattern, None, "matches no parameter", "e.g. base, leg.*.base.*")
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
    value = value_at(robot, path)
    return Parameter(path, value, value, turns, SHARE if turns else SHARE * (size(robot) or 1.0))


def moved(robot: Robot, parameters: Sequence[Parameter], by: Sequence[Any]) -> Mechanism:
    """The mechanism with its parameters changed by some amounts, numbers or traced ones [m or rad], not checked."""
    given = list(zip(parameters, by, strict=True))
    others = {p.path: p.nominal + step for p, step in given if p.role == "other"}
    own = {p.path: p.at_joints + step for p, step in given if p.role not in ("turn", "other")}
    changed = robot.with_numbers(others, own)
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
    return replace(changed, legs=tuple(legs)) if turned else changed


def names_of(parameters: Iterable[Parameter]) -> str:
    """Paths, the first few of many."""
    listed = [p.path for p in parameters]
    return ", ".join(listed[:4]) + (f" and {len(listed) - 4} more" if len(listed) > 4 else "")
