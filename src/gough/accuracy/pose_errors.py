"""Pose errors from tolerances: worst case and statistical, by a first-order map or by Monte Carlo."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gough.accuracy.sensitivity import nominal, pose_maps, sensitivity_program
from gough.errors import InputError, NumericalError
from gough.graph import Array
from gough.kinematics.inverse import inverse_kinematics
from gough.kinematics.status import Status
from gough.robot import Robot
from gough.robot.error_sources import PAGE, POINTS
from gough.table import Result, column, computed

AXES = ("x", "y", "z", "rx", "ry", "rz")
UNITS = ("m",) * 3 + ("rad",) * 3
DIRECTIONS = 400
"""From which the largest error is looked for; each then climbs to a corner of the tolerances."""


@dataclass(frozen=True)
class Source:
    """One thing that is inexact.

    Attributes:
        name: An address, or "1 encoder", "heat".
        half: Half width [m or rad; of heat K].
        normal: Distributed normally with a third of it as standard deviation, else uniformly.
        path: The address where it is a dimension, else empty.
        actuator: Index of the actuator whose reading it changes, or -1.
    """

    name: str
    half: float
    normal: bool
    path: str = ""
    actuator: int = -1

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return self.half / 3.0 if self.normal else self.half / np.sqrt(3.0)


def sources_of(robot: Robot) -> list[Source]:
    """All that is inexact of a robot: dimensions first, then actuators, then heat."""
    errors = robot.errors
    normal = errors.distribution == "normal"
    halves: dict[str, float] = {}
    for leg in robot.legs:
        for form in POINTS:
            if form in errors.by_form:
                halves |= {f"leg.{leg.name}.{form}.{i}": errors.by_form[form] for i in range(3)}
    halves |= dict(errors.by_address)
    found = [Source(path, half, normal, path) for path, half in halves.items()]
    for k, name in enumerate(robot.actuator_names):
        for form, share, shape in (("zero", 1.0, normal), ("encoder", 0.5, False), ("backlash", 0.5, False)):
            if form in errors.by_form:
                found.append(Source(f"{name} {form}", share * errors.by_form[form], shape, actuator=k))
    if errors.temperature:
        found.append(Source("heat", errors.temperature, False))
    return [source for source in found if source.half > 0.0]


class PoseErrors(Result):
    """Errors of the place and orientation of a robot's tool at N poses, first order.

    A worst case has every source at an end of its range; of the whole displacement and rotation it is the largest
    Euclidean norm over all such corners.

    Attributes:
        robot: The robot.
        x: (N, n) the poses.
        sources: What is inexact.
        map: (N, 6, sources) twist of the tool per unit of each, base axes [m or rad per m, rad or K].
    """

    robot: Robot
    x: Array = column("coordinate", "displacement", prefix="")
    sources: tuple[Source, ...]
    map: Array

    DRAWN, LAYOUT = ("rms", "largest"), "arrays"

    @property
    def where(self) -> str:
        """The poses in words."""
        if len(self.x) > 1:
            return f"over {len(self.x)} poses"
        return "at home" if np.array_equal(self.x[0], self.robot.platform.home) else "at the pose given"

    @property
    @computed("twist", "displacement")
    def sd(self) -> Array:
        """(N, 6) standard deviation by axis [m, rad]."""
        return np.asarray(np.sqrt(((self.map * self._sds) ** 2).sum(axis=2)))

    @property
    @computed("twist", "displacement")
    def worst(self) -> Array:
        """(N, 6) largest error by axis [m, rad]."""
        return np.asarray((np.abs(self.map) * self._halves).sum(axis=2))

    @property
    def covariance(self) -> Array:
        """(N, 6, 6) of the twist."""
        scaled = self.map * self._sds
        return np.asarray(scaled @ np.swapaxes(scaled, 1, 2))

    @property
    @computed("part", "displacement")
    def rms(self) -> Array:
        """(N, 2) root mean square of the whole displacement and of the whole rotation [m, rad]."""
        squares = self.sd**2
        return np.asarray(np.sqrt(np.stack([squares[:, :3].sum(axis=1), squares[:, 3:].sum(axis=1)], axis=1)))

    @cached_property
    @computed("part", "displacement")
    def largest(self) -> Array:
        """(N, 2) largest norm of the displacement and of the rotation over all corners of the tolerances [m, rad]."""
        halves = self.map * self._halves
        return np.array([[_longest(rows[:3]), _longest(rows[3:])] for rows in halves])

    @property
    def contributions(self) -> Array:
        """(sources, 2) share of each in the variance of displacement and rotation, mean over the poses."""
        squares = (self.map * self._sds) ** 2
        parts = np.stack([squares[:, :3].sum(axis=1), squares[:, 3:].sum(axis=1)], axis=2)
        total = np.maximum(parts.sum(axis=1, keepdims=True), 1e-300)
        return np.asarray((parts / total).mean(axis=0))

    @property
    def _sds(self) -> Array:
        return np.array([source.sd for source in self.sources])

    @property
    def _halves(self) -> Array:
        return np.array([source.half for source in self.sources])

    def facts(self) -> dict[str, Any]:
        shares = {s.name: c.tolist() for s, c in zip(self.sources, self.contributions, strict=True)}
        return {"robot": self.robot.name, "tool": list(self.robot.tool.position), "contributions": shares}


def _longest(rows: Array) -> float:
    """Largest norm of rows (3, k) s with every entry of s between -1 and 1: corners climbed to from many directions."""
    k = np.arange(DIRECTIONS) + 0.5
    z, turn = 1.0 - 2.0 * k / DIRECTIONS, np.pi * (1.0 + 5.0**0.5) * k
    u = np.stack([np.sqrt(1 - z * z) * np.cos(turn), np.sqrt(1 - z * z) * np.sin(turn), z])
    best = 0.0
    for _ in range(30):
        ends = rows @ np.sign(rows.T @ u)
        size = np.linalg.norm(ends, axis=0)
        if size.max() <= best * (1.0 + 1e-12):
            break
        best = float(size.max())
        u = ends / np.where(size > 0.0, size, 1.0)
    return best


def pose_errors(robot: Robot, x: ArrayLike | None = None) -> PoseErrors:
    """Errors of the pose of the robot's tool from what is inexact, first order with exact derivatives.

    Args:
        robot: With its tolerances and its heat.
        x: (n,) or (N, n) poses; home by default.

    Raises:
        InputError: Nothing is inexact.
        NumericalError: A pose is out of reach.
    """
    poses = np.atleast_2d(np.asarray(robot.platform.home if x is None else x, dtype=float))
    sources = sources_of(robot)
    if not sources:
        raise InputError(f"accuracy: no tolerance, encoder, backlash or heat is stated; see {PAGE}")
    status = np.atleast_1d(inverse_kinematics(robot, poses).status)
    if (status > Status.NEAR_SINGULAR).any():
        row = int(np.argmax(status > Status.NEAR_SINGULAR))
        raise NumericalError(f"accuracy: pose {poses[row].tolist()} is out of reach")
    paths = tuple(source.path for source in sources if source.path)
    by_actuator, by_dimension, place = pose_maps(robot, poses, paths)
    columns = []
    for source in sources:
        if source.path:
            columns.append(by_dimension[:, :, paths.index(source.path)])
        elif source.actuator >= 0:
            columns.append(by_actuator[:, :, source.actuator])
        else:
            columns.append(_heat(robot, poses, by_actuator, place))
    return PoseErrors(robot, poses, tuple(sources), np.stack(columns, axis=2))


def _heat(robot: Robot, x: Array, by_actuator: Array, place: Array) -> Array:
    """(N, 6) twist per kelvin at the tool's place (N, 3): the whole machine grows, and its encoders' scales less.

    A machine grown by a factor reaches the grown pose with lengths grown alike; encoders hold them back to what they
    were, grown as their scales are. Angles of actuators do not grow. Coordinates that depend on others are those of the
    grown pose too.
    """
    errors, q = robot.errors, np.atleast_2d(inverse_kinematics(robot, x).q)
    grown = np.where([j.turns for j in robot.actuators], 0.0, q + np.array([j.zero for j in robot.actuators]))
    twist = (errors.scale_expansion - errors.expansion) * np.einsum("nij,nj->ni", by_actuator, grown)
    twist[:, :3] += errors.expansion * place
    return np.asarray(twist)


def monte_carlo(
    robot: Robot,
    x: ArrayLike | None = None,
    count: int = 10_000,
    seed: int = 0,
) -> Array:
    """(count, 6) twists of the tool at one pose for random dimensions and readings, solved for without linearising.

    Heat is first order here too.

    Raises:
        InputError: As in `pose_errors`.
        NumericalError: Newton's method does not end.
    """
    from scipy.spatial.transform import Rotation

    first = pose_errors(robot, x)
    x0, rng, sources = first.x[0], np.random.default_rng(seed), first.sources
    draws = np.stack([_drawn(source, count, rng) for source in sources], axis=1)
    paths = tuple(source.path for source in sources if source.path)
    program, p0 = sensitivity_program(robot, paths), nominal(robot, paths)
    p = p0 + draws[:, [k for k, s in enumerate(sources) if s.path]]
    dq = np.zeros((count, len(robot.actuators)))
    for k, source in enumerate(sources):
        if source.actuator >= 0:
            dq[:, source.actuator] += draws[:, k]
    start = program(x=x0[None], p=p0[None])
    goal, now = start["q"][0] + dq, np.tile(x0, (count, 1))
    for _ in range(20):
        found = program(x=now, p=p)
        step = (np.linalg.pinv(found["K"]) @ (goal - found["q"])[:, :, None])[:, :, 0]
        now = now + step
        if np.abs(step).max() < 1e-13 * (1.0 + np.abs(now).max()):
            break
    else:
        raise NumericalError("accuracy: a random machine cannot take the pose; tolerances are too wide")
    turned = Rotation.from_matrix(found["rotation"] @ start["rotation"][0].T)
    twist = np.concatenate([found["place"] - start["place"][0], turned.as_rotvec()], axis=1)
    for k, source in enumerate(sources):
        if not source.path and source.actuator < 0:
            twist += draws[:, k, None] * first.map[0, :, k]
    return np.asarray(twist)


def _drawn(source: Source, count: int, rng: np.random.Generator) -> Array:
    """(count,) values of a source."""
    return np.asarray(
        rng.normal(size=count) * source.sd if source.normal else rng.uniform(-1.0, 1.0, count) * source.half
    )
