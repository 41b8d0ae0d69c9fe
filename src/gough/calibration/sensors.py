"""What is measured beside the encoders, and what a model says of it: a residual, measured less predicted, for each.

A column of measurements is one of

* a platform coordinate: of the platform's frame, or of a target on it as a tracker of unknown place sees it:
  T_measured = T_tracker T_platform T_target. Where all three turns are there, their residual is one rotation vector;
* `NAME.x`, `NAME.y`, `NAME.z`: place of a point of the platform, likewise seen by a tracker;
* `incline_x`, `incline_y`: how far the platform's own axes rise above the horizontal;
* the name of a bar: the distance between a point of the base and one of the platform, less an offset;
* `LEG.JOINT`: coordinate of a passive joint;
* `q1`, `q2`, ..., or `q_NAME` as `reading_columns` says: what the encoders read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gough.graph import Scalar, Vector, array, asin, cross, dot, floor, norm
from gough.kinematics.configuration import angles_of, matrix_of
from gough.kinematics.robot_pose import RobotPose
from gough.kinematics.spatial import UNIT, rotate_about
from gough.robot import Mechanism
from gough.robot.actuator_columns import reading_columns

KINDS = ("position", "rotation", "distance", "joint", "encoder")
"""What noise is stated of."""
_AXES = "xyz"


@dataclass(frozen=True, slots=True)
class Bar:
    """A length sensor between a point of the base and a point of the platform, each (3,) in its frame [m].

    Attributes:
        name: Its column.
        base, platform: Its ends.
        free: The ends are known only approximately and its reading has an offset: seven more unknowns.
    """

    name: str
    base: tuple[float, float, float]
    platform: tuple[float, float, float]
    free: bool = False


@dataclass(frozen=True, slots=True)
class Point:
    """A measured point of the platform, (3,) in its frame [m]; `free` if its place is known only approximately."""

    name: str
    place: tuple[float, float, float]
    free: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """Something beside the robot that is not known: part of a frame, a point or an offset.

    Attributes:
        name: "tracker.x", "target.turn.z", "d1.base.x".
        turns: It is an angle.
        body: What moves with it: "tracker", "target", "base" or "platform".
        axis: Axis of the shift or turn; 3 for an offset.
        place: (3,) of a point.
    """

    name: str
    turns: bool
    body: str
    axis: int
    place: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class Sensors:
    """What is measured of a robot.

    Attributes:
        robot: In plain numbers.
        columns: Names of the measured values, encoders first.
        points, bars: Those that columns name.
        tracker: Poses and points are given in a frame of unknown place.
        target: The poses are those of a target at an unknown place of the platform.
    """

    robot: Mechanism
    columns: tuple[str, ...]
    points: tuple[Point, ...] = ()
    bars: tuple[Bar, ...] = ()
    tracker: bool = False
    target: bool = False

    def __post_init__(self) -> None:
        """Takes the mechanism of a robot: programs are found by what is measured of it."""
        object.__setattr__(self, "robot", self.robot.mechanism)

    @cached_property
    def encoders(self) -> dict[str, int]:
        """Index of the actuator of each encoder column."""
        return {name: k for k, name in enumerate(reading_columns(self.robot)) if name in self.columns}

    @cached_property
    def slides(self) -> dict[str, int]:
        """Axis of each column that is a sliding coordinate."""
        all_of = self.robot.platform.all_coordinates
        return {c.name: _AXES.index(c.motion) for c in all_of if not c.turns and c.name in self.columns}

    @cached_property
    def turns(self) -> dict[str, int]:
        """Place among the turning coordinates of each column that is one."""
        turning = [c.name for c in self.robot.platform.all_coordinates if c.turns]
        return {name: k for k, name in enumerate(turning) if name in self.columns}

    @cached_property
    def sequence(self) -> str:
        """Axes of the turning coordinates."""
        return "".join(c.motion[1] for c in self.robot.platform.all_coordinates if c.turns)

    @property
    def whole_rotation(self) -> bool:
        """Whether the platform turns in three ways and all are measured."""
        return len(self.turns) == len(self.sequence) == 3

    @cached_property
    def joints(self) -> dict[str, int]:
        """Index among all joints of each column that is one."""
        names = self.robot.joint_names
        return {name: names.index(name) for name in self.columns if name in names and name not in self.encoders}

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """What kind of noise each column has."""
        return tuple(self._kind(name) for name in self.columns)

    def _kind(self, name: str) -> str:
        if name in self.encoders:
            return "encoder"
        if name in self.turns or name.startswith("incline_"):
            return "rotation"
        if name in self.joints:
            return "joint"
        return "distance" if name in {bar.name for bar in self.bars} else "position"

    def is_angle(self, name: str) -> bool:
        """Whether a column is one of angles."""
        if name in self.encoders:
            return self.robot.actuators[self.encoders[name]].turns
        return self.robot.joints[self.joints[name]].turns if name in self.joints else self._kind(name) == "rotation"

    @cached_property
    def unknowns(self) -> tuple[Unknown, ...]:
        """What is to be found beside the robot's parameters."""
        found: list[Unknown] = []
        poses = bool(self.slides or self.turns)
        places = bool(self.slides or self.points)
        for body, there in (("tracker", self.tracker), ("target", self.target and poses)):
            shifts = places if body == "tracker" else bool(self.slides)
            turning = (places or bool(self.turns)) if body == "tracker" else bool(self.turns)
            if there and shifts:
                found += [Unknown(f"{body}.{_AXES[k]}", False, body, k) for k in range(3)]
            if there and turning:
                found += [Unknown(f"{body}.turn.{_AXES[k]}", True, body, k) for k in range(3)]
        for point in self.points:
            if point.free:
                found += [_of_point(f"{point.name}.point", "platform", k, point.place) for k in range(3)]
        for bar in self.bars:
            if bar.free:
                found += [_of_point(f"{bar.name}.base", "base", k, bar.base) for k in range(3)]
                found += [_of_point(f"{bar.name}.platform", "platform", k, bar.platform) for k in range(3)]
                found.append(Unknown(f"{bar.name}.offset", False, "", 3))
        return tuple(found)

    def residuals(self, pose: RobotPose, u: Vector, m: Vector, frames: Vector) -> Vector:
        """(columns,) measured m less what the pose and the other unknowns u make of it [m or rad].

        Args:
            pose: Pose of the robot.
            u: (unknowns,) changes of them.
            m: (columns,) measured values.
            frames: (2, 12) first guesses of tracker and target: position, then rows of the rotation.
        """
        given = dict(zip(self.columns, m, strict=True))
        known = self._known(u)
        p, R = self._from_origin(pose)
        p_T, R_T = _frame(known, "tracker", frames[0])
        p_M, R_M = _frame(known, "target", frames[1])
        found: dict[str, Any] = {}
        seen = p_T + R_T @ (p + R @ p_M)
        found |= {name: given[name] - seen[axis] for name, axis in self.slides.items()}
        found |= self._turned(pose, R_T @ R @ R_M, given)
        for point in self.points:
            at = p_T + R_T @ (p + R @ _moved(known, f"{point.name}.point", point.place))
            for axis, letter in enumerate(_AXES):
                name = f"{point.name}.{letter}"
                if name in given:
                    found[name] = given[name] - at[axis]
        found |= self._inclined(pose, given)
        for bar in self.bars:
            ends = _moved(known, f"{bar.name}.base", bar.base), _moved(known, f"{bar.name}.platform", bar.platform)
            away = array(pose.platform.p_BP) + array(pose.platform.R_BP) @ ends[1] - ends[0]
            found[bar.name] = given[bar.name] - norm(away) + known.get(f"{bar.name}.offset", 0.0)
        values = [value for leg in pose.legs for value in leg.values()]
        zeros = [joint.zero for joint in pose.robot.joints]
        places = [k for k, joint in enumerate(self.robot.joints) if joint.actuated]
        read = {**{name: places[k] for name, k in self.encoders.items()}, **self.joints}
        for name, k in read.items():
            off = given[name] - (values[k] - zeros[k])
            found[name] = _within_half_a_turn(off) if self.robot.joints[k].turns else off
        return array([found[name] for name in self.columns])

    def seen_angles(self, pose: RobotPose, u: Vector, frames: Vector) -> Vector:
        """(3,) turning coordinates of what the tracker sees of the target, where all three are measured."""
        known = self._known(u)
        R_T, R_M = (_frame(known, body, frames[k])[1] for k, body in enumerate(("tracker", "target")))
        return angles_of(self.sequence, R_T @ self._from_origin(pose)[1] @ R_M)

    def _known(self, u: Vector) -> dict[str, Any]:
        return dict(zip([unknown.name for unknown in self.unknowns], u, strict=True))

    def _from_origin(self, pose: RobotPose) -> tuple[Vector, Vector]:
        """Position and rotation that the coordinates make up."""
        R_o = array(self.robot.platform.rotation)
        p = R_o.T @ (array(pose.platform.p_BP) - array(self.robot.platform.position))
        return p, R_o.T @ array(pose.platform.R_BP)

    def _turned(self, pose: RobotPose, R: Vector, given: dict[str, Any]) -> dict[str, Any]:
        """Of orientation: a rotation vector in base axes (its sine) where it is whole, else the angles themselves."""
        if not self.turns:
            return {}
        if self.whole_rotation:
            E = measured_rotation(self.sequence, [given[name] for name in self.turns]) @ R.T
            vector = array([E[2, 1] - E[1, 2], E[0, 2] - E[2, 0], E[1, 0] - E[0, 1]]) * 0.5
            return dict(zip(self.turns, vector, strict=True))
        if len(self.sequence) == 3:
            angles = angles_of(self.sequence, R)
        else:
            follows = pose.platform.dependence
            values = self.robot.platform.in_order(pose.x, () if follows is None else follows.values)
            coordinates = self.robot.platform.all_coordinates
            angles = array([value for value, c in zip(values, coordinates, strict=True) if c.turns])
        return {name: given[name] - angles[k] for name, k in self.turns.items()}

    def _inclined(self, pose: RobotPose, given: dict[str, Any]) -> dict[str, Any]:
        down = np.array(self.robot.gravity) / (float(np.linalg.norm(self.robot.gravity)) or 1.0)
        R = array(pose.platform.R_BP)
        rise = {f"incline_{_AXES[k]}": -dot(array(down), R[:, k]) for k in range(2)}
        return {name: given[name] - asin(value) for name, value in rise.items() if name in given}


def measured_rotation(sequence: str, angles: Sequence[Any]) -> Vector:
    """(3, 3) of the turning coordinates."""
    R: Any = np.eye(3)
    for axis, angle in zip(sequence, angles, strict=True):
        R = _about(R, axis, angle)
    return R


def _about(R: Vector, axis: str, angle: Scalar) -> Vector:
    from gough.graph import cos, sin

    return rotate_about(R, UNIT[_AXES.index(axis)], cos(angle), sin(angle))


def _within_half_a_turn(angle: Scalar) -> Scalar:
    """An angle without whole turns: encoders and models count them as they like."""
    return angle - floor(angle * (0.5 / math.pi) + 0.5) * (2.0 * math.pi)


def _of_point(name: str, body: str, axis: int, place: tuple[float, float, float]) -> Unknown:
    return Unknown(f"{name}.{_AXES[axis]}", False, body, axis, place)


def _moved(known: dict[str, Any], name: str, place: Sequence[float]) -> Vector:
    return array([place[k] + known.get(f"{name}.{_AXES[k]}", 0.0) for k in range(3)])


def _frame(known: dict[str, Any], body: str, guess: Vector) -> tuple[Vector, Vector]:
    """Position (3,) and rotation (3, 3) of a frame: the guess, shifted and turned about the axes it is in."""
    shift = [known.get(f"{body}.{letter}") for letter in _AXES]
    turn: list[Any] = [known.get(f"{body}.turn.{letter}") for letter in _AXES]
    p: Any = np.zeros(3) if shift[0] is None else array([guess[k] + shift[k] for k in range(3)])
    if turn[0] is None:
        return p, np.eye(3)
    R = matrix_of([1.0, *(w * 0.5 for w in turn)]) @ array([[guess[3 + 3 * i + j] for j in range(3)] for i in range(3)])
    return p, R


def turning(R: Vector, dR: Vector) -> Vector:
    """(3,) angular velocity in base axes of a rotation R (3, 3) that changes by dR (3, 3)."""
    return sum(cross(R[:, k], dR[:, k]) for k in range(3)) * 0.5
