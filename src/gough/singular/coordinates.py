"""Singularities in a robot's own coordinates: boxes of poses that have none, and the first on a straight way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.analysis.limits import LimitsLike
from gough.brief import brief
from gough.errors import InputError
from gough.graph import Array, Vector, array, record
from gough.kinematics.leg import REACH_SLACK
from gough.kinematics.programs import characteristic_length
from gough.kinematics.robot_pose import RobotPose, robot_pose
from gough.motion.pose import PoseLike, parse_pose
from gough.robot import Mechanism, Robot, by_mechanism
from gough.robot.names import did_you_mean
from gough.run import Program
from gough.run.affine_forms import Enclosure
from gough.singular.followed_distance import stated
from gough.singular.regular import prove, regular
from gough.workspaces.conditions import Conditions, conditions_of
from gough.workspaces.followed import FollowedEnclosure, enclosure_of
from gough.workspaces.margins import least_of, margin_equations

SAMPLES = 1025
CLOSE = 1e-9
"""A way is proved up to so much before its first singularity, of its length."""
MOST = 400_000
BEFORE, GROWTH = (1e-10, 1e-6), 10.0
"""Shares of a way before its end, and how much larger rates are at the first than at the second, at least, where legs
are stretched: there they grow as the root of the share, a hundredfold; elsewhere they stay as they are."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """The first singularity on a straight way in a robot's own coordinates.

    Attributes:
        share: Of the way before it; None if there is none.
        x: (n,) where; None if there is none.
        proved: Up to which share it is proved that there is none.
        parts: How many parts of the way were looked at.
        end: Share of the way after which legs do not reach on; None where they reach all along, or up to x.
        end_legs: Names of these legs.
        stretched: Whether they are stretched or folded there (type 1): rates grow without bound.
    """

    __repr__ = brief

    share: float | None
    x: Array | None
    proved: float
    parts: int
    end: float | None = None
    end_legs: tuple[str, ...] = ()
    stretched: bool = False


@dataclass(frozen=True, slots=True)
class RegularBox:
    """What is proved of a box of poses in a robot's own coordinates.

    Attributes:
        proved: Whether no pose of it within the limits is singular.
        boxes: How many parts of it were looked at.
        left: (n,) the middle of a part that is not decided; None where all are.
    """

    __repr__ = brief

    proved: bool
    boxes: int
    left: Array | None


class Coordinates:
    """K of a robot by its own coordinates, in free rates, turns divided by the length."""

    def __init__(self, robot: Mechanism, conditions: Conditions) -> None:
        """Compiled as it is needed."""
        self.robot, self.equations = robot, margin_equations(robot, conditions)
        self._reaching: tuple[str, ...] = ()

    def _told(self, pose: RobotPose, _: Any = None) -> dict[str, Vector]:
        margins = [
            margin
            for limit, margin in self.equations(pose, distances=False)
            if limit.kind in ("reach", "stroke", "joint", "angle")
        ]
        K = pose.jacobian() / np.where(np.array(pose.platform.turns), characteristic_length(self.robot), 1.0)
        return {"S": K, "m": array(margins or [1.0])}

    def told_with_pose(self, pose: RobotPose, _: Any = None) -> dict[str, Vector]:
        """S (m, n), margins m of the limits, and the platform's pose (12,)."""
        return self._told(pose) | {"pose": stated(pose)}

    @cached_property
    def matrices(self) -> Program:
        """x -> S (m, n), margins m of the limits."""
        ways = self.equations.ways
        return Program(record(lambda x: self._told(robot_pose(self.robot, ways, x).free()), x=self.robot.dof))

    @cached_property
    def _on_line(self) -> FollowedEnclosure | Enclosure:
        n = self.robot.dof

        def line(u: Vector) -> Vector:
            return array(u[1 : n + 1]) + array(u[n + 1 :]) * u[0]

        def matrix(pose: RobotPose, _: Any) -> dict[str, Vector]:
            return {"S": self._told(pose)["S"]}

        return enclosure_of(self.robot, self.equations.ways, None, line, matrix, 1 + 2 * n, (0,))

    def box(self, ranges: Mapping[str, tuple[float, float]], x: Array, most: int = MOST) -> RegularBox:
        """Whether no pose within the limits in a box is singular.

        Args:
            ranges: Of coordinates by name; the others are as in x.
            x: (n,) the pose.
            most: Boxes after which the proof gives up.

        Raises:
            InputError: An unknown coordinate or a range that is none; equations without enclosure.
        """
        names = self.robot.coordinate_names
        centre, radius = np.array(x, dtype=float), np.zeros(len(names))
        for name, (low, high) in ranges.items():
            if name not in names:
                raise InputError(f"box {name}: no such coordinate ({did_you_mean(name, names)})")
            if not low < high:
                raise InputError(f"box {name}: {low:g} to {high:g}: the first must be smaller than the second")
            k = names.index(name)
            centre[k], radius[k] = 0.5 * (low + high), np.nextafter(0.5 * (high - low), np.inf)
        turns = np.array([c.turns for c in self.robot.platform.coordinates])
        metric = np.where(turns, characteristic_length(self.robot), 1.0)
        wide = np.flatnonzero(radius)
        enclosure = enclosure_of(self.robot, self.equations.ways, None, array, self._told, len(names), wide.tolist())

        def forms(middle: Array, half: Array) -> dict[str, Array]:
            full = np.tile(centre, (len(middle), 1))
            full[:, wide] = middle
            return enclosure(full, half)

        def rank(middle: Array, half: Array) -> Array:
            return np.zeros(len(middle))

        proof = prove(forms, centre[None, wide], radius[None, wide], metric[wide], rank, np.inf, most)
        left = None
        if proof.left is not None:
            left = centre.copy()
            left[wide] = proof.left
        return RegularBox(left is None, proof.boxes, left)

    def crossing(self, start: Array, end: Array) -> Crossing:
        """The first singularity on the straight way from start to end (n,), with a proof that there is none before."""
        start, way = np.asarray(start, dtype=float), np.asarray(end, dtype=float) - np.asarray(start, dtype=float)
        if not self._reaches(start[None])[0]:
            return Crossing(None, None, 0.0, 0, 0.0, self._ending(start, way, (0.0, 0.0))[0])
        out = self._first(start, way, self._reaches)
        last = 1.0 if out is None else max(out[0] * (1.0 - CLOSE), 0.0)
        crossed = self._first(start, way * last, self._side)
        found = None if crossed is None else 0.5 * (crossed[0] + crossed[1]) * last
        proved, parts = self._proved(start, way, last if found is None else found * (1.0 - CLOSE))
        if found is not None:
            return Crossing(found, start + found * way, proved, parts)
        if out is None:
            return Crossing(None, None, proved, parts)
        return Crossing(None, None, proved, parts, out[0], *self._ending(start, way, out))

    def leaves(self, poses: Callable[[Array], Array], duration: float) -> float | None:
        """When poses x (N, n) at times (N,) first leave the reach of the legs [s]; None where a march sees none do."""
        if not self._reaches(poses(np.zeros(1)))[0]:
            return 0.0
        out = self._first(np.zeros(1), np.array([duration]), lambda t: self._reaches(poses(t[:, 0])))
        return None if out is None else out[0] * duration

    @cached_property
    def _reach(self) -> Program:
        """x -> least margin of all legs' reach, and the margins (legs that have one,)."""
        equations = margin_equations(self.robot, Conditions(("reach",)))

        def margins(x: Vector) -> dict[str, Vector]:
            named = equations(robot_pose(self.robot, equations.ways, x).free())
            self._reaching = tuple(limit.owner for limit, _ in named)
            told = array([margin for _, margin in named] or [1.0])
            return {"least": least_of(told), "margins": told}

        return Program(record(margins, x=self.robot.dof))

    def _reaches(self, x: Array) -> NDArray[np.bool_]:
        """(N,) whether all legs reach poses x (N, n)."""
        return np.asarray(self._reach(x=x)["least"] > 0.0)

    def _ending(self, start: Array, way: Array, out: tuple[float, float]) -> tuple[tuple[str, ...], bool]:
        """Names of the legs that end a way between two shares of it, and whether they are stretched."""
        margins = self._reach(x=(start + out[1] * way)[None])["margins"][0]
        legs = tuple(name for name, margin in zip(self._reaching, margins, strict=True) if not margin > REACH_SLACK)
        before = start + out[0] * (1.0 - np.array(BEFORE)[:, None]) * way
        near, far = np.linalg.norm(self.matrices(x=before)["S"], axis=(1, 2))
        return legs, bool(near > GROWTH * far)

    def _side(self, x: Array) -> NDArray[np.bool_]:
        """(N,) whether det K is positive; false of robots whose K has none."""
        S = self.matrices(x=x)["S"]
        if S.shape[1] != S.shape[2]:
            return np.zeros(len(S), dtype=bool)
        return np.asarray(np.linalg.det(np.nan_to_num(S)) > 0.0)

    def _first(
        self, start: Array, way: Array, told: Callable[[Array], NDArray[np.bool_]]
    ) -> tuple[float, float] | None:
        """Shares of a way between which what is told of poses x (N, n) first changes; None where it does not."""
        shares = np.linspace(0.0, 1.0, SAMPLES)
        values = told(start + shares[:, None] * way)
        other = np.flatnonzero(values != values[0])
        if not len(other):
            return None
        low, high = shares[other[0] - 1], shares[other[0]]
        for _ in range(60):
            middle = 0.5 * (low + high)
            same = told((start + middle * way)[None])[0] == values[0]
            low, high = (middle, high) if same else (low, middle)
        return float(low), float(high)

    def _proved(self, start: Array, way: Array, until: float) -> tuple[float, int]:
        """Up to which share all is regular, and how many parts that took."""
        low, high = np.zeros(1), np.full(1, until)
        proved, parts = until, 0
        while len(low):
            parts += len(low)
            middle, half = 0.5 * (low + high), np.nextafter(0.5 * (high - low), np.inf)
            rows = np.hstack([middle[:, None], np.tile(np.concatenate([start, way]), (len(low), 1))])
            fine = regular(self._on_line(rows, half[:, None])["S"])
            stuck = ~fine & ((half < 1e-12) | (parts > MOST))
            proved = min(proved, float(low[stuck].min(initial=np.inf)))
            more = ~fine & ~stuck & (low < proved)
            low, middle, high = low[more], middle[more], high[more]
            low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
        return proved, parts


@by_mechanism(16)
def coordinates_of(robot: Mechanism, conditions: Conditions) -> Coordinates:
    """K of a robot by its own coordinates."""
    return Coordinates(robot, conditions)


def regular_box(
    robot: Robot,
    ranges: Mapping[str, tuple[float, float]],
    pose: PoseLike = "home",
    limits: LimitsLike | None = None,
    *,
    only: Sequence[str] | None = None,
    most: int = MOST,
) -> RegularBox:
    """Whether no pose within the limits in a box of a robot's own coordinates is singular, by proof.

    Args:
        robot: Whose legs are closed in closed form; its coordinates may depend on each other.
        ranges: First and last value of coordinates by name [m or rad].
        pose: Values of the others; home if left out.
        limits, only: As of `singularities`: poses beyond strokes, reach, joints and cones do not count.
        most: Parts of the box after which the proof gives up.

    Raises:
        InputError: An unknown coordinate, a range that is none, or equations without enclosure.
    """
    x = np.array(parse_pose(robot, pose))
    return coordinates_of(robot, conditions_of(robot, limits, only)).box(ranges, x, most)


def first_singularity(robot: Robot, start: PoseLike, end: PoseLike) -> Crossing:
    """The first singularity on the straight way between two poses in a robot's own coordinates, none before proved.

    Args:
        robot: Whose legs are closed in closed form; its coordinates may depend on each other.
        start, end: The two poses.

    Raises:
        InputError: Poses that cannot be read, or equations without enclosure.
    """
    ways = coordinates_of(robot, Conditions(("reach",)))
    return ways.crossing(np.array(parse_pose(robot, start)), np.array(parse_pose(robot, end)))
