"""Boxes of times and of what poses are off a motion by: where they begin, and how far from the motion they are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array, Vector, array, cos, record, sin
from gough.graph.triples import rotation_about
from gough.kinematics.configuration import matrix_of
from gough.kinematics.pose import platform_pose
from gough.kinematics.robot_pose import RobotPose
from gough.robot import Mechanism
from gough.run.affine_forms import Enclosure, highest, lowest
from gough.singular.followed_distance import FreeCoordinates, enclosed_distance, middle_distance, stated
from gough.singular.recorded_law import RecordedLaw
from gough.singular.regular import least_size
from gough.workspaces.conditions import Conditions
from gough.workspaces.followed import FollowedEnclosure, Told, enclosure_of
from gough.workspaces.margins import MarginEquations, margin_equations
from gough.workspaces.rays import posed

PARTS = 8
"""Into which each piece of a motion is divided first."""


@dataclass(frozen=True)
class TubeSpace(ABC):
    """Boxes of times, and of what poses are off a motion by.

    Attributes:
        robot, law: Whose, and the motion.
        radius: Distance of poses from it [m].
        length: By which turns count [m].
    """

    robot: Mechanism
    law: RecordedLaw
    radius: float
    length: float

    @property
    @abstractmethod
    def metric(self) -> Array:
        """(size,) how far a unit of each way to be off the motion is, about [m]."""

    @abstractmethod
    def apart(
        self, inputs: Array, centre: Array, half: Array, told: dict[str, Array]
    ) -> tuple[Array, NDArray[np.bool_]]:
        """(B,) not below the distance from the motion in the middles of boxes, and which are too far all over."""

    @abstractmethod
    def beyond(self, piece: NDArray[np.intp], centre: Array, half: Array) -> NDArray[np.bool_]:
        """(B,) which boxes are too far all over, as far as that is told without enclosing the robot."""

    @abstractmethod
    def reach(self, piece: NDArray[np.intp], centre: Array, half: Array) -> Array:
        """(size,) by how much poses are off at most, over boxes of time."""

    @property
    @abstractmethod
    def enclosure(self) -> FollowedEnclosure | Enclosure:
        """Forms of K, S (m, n), over boxes of t and what follows it; in between are the numbers of the piece."""

    @property
    def size(self) -> int:
        """Number of ways to be off the motion."""
        return len(self.metric)

    @cached_property
    def equations(self) -> MarginEquations:
        """Of the robot, whatever its limits."""
        return margin_equations(self.robot, Conditions(("reach",)))

    def start(self, last: float) -> tuple[NDArray[np.intp], Array, Array]:
        """Pieces (B,), middles and half-widths (B, 1 + size) of the first boxes, up to a time."""
        law = self.law
        kept = np.flatnonzero(law.starts < last)
        ends = np.minimum(law.ends[kept], last)
        shares = (np.arange(PARTS) + 0.5) / PARTS
        t = law.starts[kept][:, None] + (ends - law.starts[kept])[:, None] * shares
        width = np.repeat(np.nextafter((ends - law.starts[kept]) * (0.5 / PARTS), np.inf), PARTS)
        piece, centre, half = np.repeat(kept, PARTS), t.reshape(-1, 1), width[:, None]
        sizes = np.tile(self.reach(piece, centre, half), (len(half), 1))
        return piece, np.hstack([centre, 0.0 * sizes]), np.hstack([half, sizes])

    def on_motion(self, u: Vector) -> Vector:
        """(n,) coordinates at the time and the numbers of a piece that u begins with."""
        return self.law.equations(u[0], array(u[1 : 1 + self.law.numbers.shape[1]]))

    def off_motion(self, u: Vector) -> Vector:
        """(size,) what u ends with."""
        return u[1 + self.law.numbers.shape[1] :]

    def matrix(self, at: RobotPose) -> Vector:
        """(m, n) K, turns divided by the length."""
        return at.jacobian() / np.where(np.array(at.platform.turns), self.length, 1.0)

    def enclosed(
        self, pose: Callable[[Any], RobotPose] | None, coordinates: Callable[[Any], Vector], told: Told
    ) -> FollowedEnclosure | Enclosure:
        """Forms over boxes of the time and of what poses are off by; see `enclosure_of`."""
        numbers = self.law.numbers.shape[1]
        places = [0, *range(1 + numbers, 1 + numbers + self.size)]
        return enclosure_of(self.robot, self.equations.ways, pose, coordinates, told, 1 + numbers + self.size, places)


class AlongMotion(TubeSpace):
    """A motion alone."""

    @property
    def metric(self) -> Array:
        """None."""
        return np.zeros(0)

    @cached_property
    def enclosure(self) -> FollowedEnclosure | Enclosure:
        """By the coordinates."""
        return self.enclosed(None, self.on_motion, lambda at, _: {"S": self.matrix(at)})

    def apart(
        self, inputs: Array, centre: Array, half: Array, told: dict[str, Array]
    ) -> tuple[Array, NDArray[np.bool_]]:
        """All are on it."""
        return np.zeros(len(centre)), np.zeros(len(centre), dtype=bool)

    def beyond(self, piece: NDArray[np.intp], centre: Array, half: Array) -> NDArray[np.bool_]:
        """All are on it."""
        return np.zeros(len(centre), dtype=bool)

    def reach(self, piece: NDArray[np.intp], centre: Array, half: Array) -> Array:
        """None."""
        return np.zeros(0)


class AboutMotion(TubeSpace):
    """Poses that slide by d and turn by half-angle tangents g, or by one angle, from a motion."""

    @property
    def _turns(self) -> int:
        return sum(c.turns for c in self.robot.platform.coordinates)

    @property
    def metric(self) -> Array:
        """Slides, then turns: tangents of half angles count twice."""
        turns, slides = self._turns, self.robot.dof - self._turns
        return np.concatenate([np.ones(slides), np.full(turns, (2.0 if turns == 3 else 1.0) * self.length)])

    @cached_property
    def enclosure(self) -> FollowedEnclosure | Enclosure:
        """By position and orientation."""
        return self.enclosed(self._near, self.on_motion, lambda at, _: {"S": self.matrix(at)})

    def apart(
        self, inputs: Array, centre: Array, half: Array, told: dict[str, Array]
    ) -> tuple[Array, NDArray[np.bool_]]:
        """By the ways and turns themselves."""
        return self._distance(centre[:, 1:]), np.zeros(len(centre), dtype=bool)

    def beyond(self, piece: NDArray[np.intp], centre: Array, half: Array) -> NDArray[np.bool_]:
        """By the ways and turns themselves."""
        return self._distance(least_size(centre, half)[:, 1:]) > self.radius * (1.0 + 1e-12)

    def _distance(self, off: Array) -> Array:
        slides = self.size - self._turns
        turn = np.linalg.norm(off[:, slides:], axis=1)
        turn = 2.0 * np.arctan(turn) if self._turns == 3 else turn
        return np.asarray(np.sqrt((off[:, :slides] ** 2).sum(axis=1) + (self.length * turn) ** 2))

    def reach(self, piece: NDArray[np.intp], centre: Array, half: Array) -> Array:
        """By the radius."""
        turn = self.radius / self.length
        turn = np.tan(0.5 * turn) if self._turns == 3 else turn
        return np.concatenate([np.full(self.size - self._turns, self.radius), np.full(self._turns, turn)])

    def _near(self, u: Vector) -> RobotPose:
        pose = platform_pose(self.robot.platform, self.on_motion(u))
        turning = [c.turns for c in self.robot.platform.coordinates]
        p, R, off = pose.p_BP, pose.R_BP, self.off_motion(u)
        slides = [v for (v, _), turns in zip(pose.columns, turning, strict=True) if not turns]
        axes = [w for (_, w), turns in zip(pose.columns, turning, strict=True) if turns]
        for direction, way in zip(slides, off[: len(slides)], strict=True):
            p = p + array(direction) * way
        if len(axes) == 3:
            R = matrix_of([1.0, *off[len(slides) :]]) @ R
        elif axes:
            angle = off[len(slides)]
            R = array(rotation_about(axes[0], cos(angle), sin(angle))) @ R
        return posed(self.equations, p, R)


class AboutFollowed(TubeSpace):
    """Poses by changes of the free coordinates, which others follow."""

    @cached_property
    def _free(self) -> FreeCoordinates:
        return FreeCoordinates(self.robot, self.length)

    @property
    def metric(self) -> Array:
        """Angles count by the length."""
        return np.where(self._free.turns, self.length, 1.0)

    @cached_property
    def enclosure(self) -> FollowedEnclosure | Enclosure:
        """By the coordinates; and of the pose (12,) itself."""
        return self.enclosed(
            None,
            lambda u: array(self.on_motion(u)) + array(self.off_motion(u)),
            lambda at, _: {"S": self.matrix(at), "pose": stated(at)},
        )

    def apart(
        self, inputs: Array, centre: Array, half: Array, told: dict[str, Array]
    ) -> tuple[Array, NDArray[np.bool_]]:
        """By forms of the pose and of that of the motion at the same times."""
        there, narrow = inputs.copy(), half.copy()
        there[:, -self.size :] = narrow[:, 1:] = 0.0
        base = self.enclosure(there, narrow)["pose"]
        far = enclosed_distance(told["pose"], base, self.length) > self.radius
        return middle_distance(told["pose"], base, self.length), far

    def beyond(self, piece: NDArray[np.intp], centre: Array, half: Array) -> NDArray[np.bool_]:
        """By the free coordinates alone."""
        low, high = self._ranges(piece, centre, half)
        slack = 0.5 * (high - low)[:, self._free.turns].sum(axis=1) * (1.0 + 1e-12)
        found = self._free.distance(0.5 * (low + high), centre[:, 1:], half[:, 1:], slack)
        return np.asarray(found > self.radius)

    def reach(self, piece: NDArray[np.intp], centre: Array, half: Array) -> Array:
        """By the free coordinates alone."""
        low, high = self._ranges(piece, centre, half)
        return self._free.reach(self.radius, low.min(axis=0), high.max(axis=0))

    def _ranges(self, piece: NDArray[np.intp], centre: Array, half: Array) -> tuple[Array, Array]:
        """(B, n) between which the coordinates of the motion are over boxes."""
        forms = self._law(np.hstack([centre[:, :1], self.law.numbers[piece]]), half[:, :1])["x"]
        return lowest(forms).T, highest(forms).T

    @cached_property
    def _law(self) -> Enclosure:
        count = 1 + self.law.numbers.shape[1]
        return Enclosure(record(lambda u: {"x": array(self.on_motion(u))}, u=count), (0,))
