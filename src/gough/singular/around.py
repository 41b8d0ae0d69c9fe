"""Poses around one of them, on rays in all ways at once, of any robot.

A ray goes on by the distance of poses, sqrt(way^2 + (length turn)^2): it slides and turns about a fixed axis at
once. Of a robot with dependent coordinates, or whose legs are closed by iteration, a ray is a straight line in its own
coordinates, and the distance is that of the platform's poses on it.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gough.assembly.coordinates import coordinates_of
from gough.graph import Array, Vector, record
from gough.kinematics.programs import turning_length
from gough.kinematics.robot_pose import RobotPose, robot_pose
from gough.robot import Mechanism, by_mechanism
from gough.run import Program
from gough.run.choose import size_of
from gough.singular.charts import Chart
from gough.workspaces.conditions import Conditions
from gough.workspaces.margins import margin_equations
from gough.workspaces.rays import Rays, is_free, straight
from gough.workspaces.travel import machine_size

LARGE = 20_000
"""Operations of K from which a search looks at fewer rays, so that it ends in about a minute."""


class Around:
    """Rays of a robot from the pose x (n,).

    Attributes:
        robot, conditions: Whose, and which limits count.
        x: (n,) from where.
        chart: Of poses by position and orientation; None where a robot's own coordinates are all there is.
        length: By which turns count [m]; 1 where nothing slides.
        far: How far rays are followed [m].
    """

    def __init__(self, robot: Mechanism, conditions: Conditions, x: Array) -> None:
        """The rays; programs are compiled as they are needed."""
        self.robot, self.conditions, self.x = robot, conditions, np.asarray(x, dtype=float)
        self.equations = margin_equations(robot, conditions)
        self.chart = Chart(robot, conditions, self.x) if is_free(self.equations) else None
        self.length = turning_length(robot)
        self.far = 2.0 * machine_size(robot) if self._slides.any() else 1.1 * np.pi

    @property
    def size(self) -> int:
        """Of a direction: the number of ways in which the platform moves."""
        return self.robot.dof

    @cached_property
    def sparing(self) -> int:
        """How many times fewer rays a search looks at than usual, since each pose takes that many more operations."""
        return max(1, round(size_of(self.matrices.graph) / LARGE))

    @cached_property
    def _slides(self) -> NDArray[np.bool_]:
        return np.array([not c.turns for c in self.robot.platform.coordinates])

    def rays(self, directions: Array) -> Rays:
        """Rays along unit directions (N, n), until half a turn; a little more in a robot's own angles."""
        if self.chart is None:
            steps = directions / np.where(self._slides, 1.0, self.length)
            turning = np.linalg.norm(steps[:, ~self._slides], axis=1) / 1.1
            rays = straight(self.x, steps, self.far)
        else:
            rays = _posed_rays(self.chart, directions, self.far)
            turning = rays.values[:, 12]
        return rays.until(np.minimum(self.far, np.pi / np.maximum(turning, 1e-9)))

    def coordinates(self, rays: Rays, t: Array) -> Array:
        """(N, n) platform coordinates at t (N,) of each ray."""
        if self.chart is None:
            n = self.robot.dof
            return np.asarray(rays.values[:, :n] + rays.values[:, n:] * t[:, None])
        return coordinates_of(self.robot, *_poses(rays, t))

    def poses(self, rays: Rays, t: Array) -> tuple[Array, Array]:
        """(N, 3) and (N, 3, 3) of the platform at t (N,) of each ray."""
        if self.chart is not None:
            return _poses(rays, t)
        return self.at_coordinates(self.coordinates(rays, t))

    def at_coordinates(self, x: Array) -> tuple[Array, Array]:
        """(N, 3) and (N, 3, 3) of the platform at coordinates x (N, n)."""
        found = self._program(x=x)
        return found["p"], found["R"]

    def distance(self, rays: Rays, t: Array) -> Array:
        """(N,) how far poses at t (N,) of each ray are [m]."""
        if self.chart is not None:
            return t
        p, R = self.poses(rays, t)
        way, turn = self.apart(p, R)
        return np.asarray(np.sqrt((way**2).sum(axis=1) + (self.length * np.linalg.norm(turn, axis=1)) ** 2))

    def apart(self, p: Array, R: Array) -> tuple[Array, Array]:
        """(N, 3) ways [m] and rotation vectors [rad] in B from the pose x to poses p, R."""
        from scipy.spatial.transform import Rotation

        start = self.at(self.x).platform
        p0, R0 = np.array(start.p_BP, dtype=float), np.array(start.R_BP, dtype=float)
        good = np.isfinite(R).all(axis=(1, 2))
        turns = np.full((len(R), 3), np.nan)
        turns[good] = Rotation.from_matrix(R[good] @ R0.T).as_rotvec()
        return p - p0, turns

    def at(self, x: Array) -> RobotPose:
        """The robot at platform coordinates x (n,), with free rates, in plain numbers."""
        with np.errstate(all="ignore"):
            return robot_pose(self.robot, self.equations.ways, np.asarray(x, dtype=float)).free()

    def matrix(self, pose: RobotPose) -> Vector:
        """(m, n) K in free rates, turns divided by the length."""
        return pose.jacobian() / np.where(np.array(pose.platform.turns), self.length, 1.0)

    @cached_property
    def matrices(self) -> Program:
        """x -> K (m, n)."""
        ways = self.equations.ways
        return Program(record(lambda x: self.matrix(robot_pose(self.robot, ways, x).free()), x=self.robot.dof))

    @cached_property
    def chains(self) -> Program:
        """x -> J (e, m) and A (e, 6) of each leg that is no cable: see `gough.singular.held`."""
        from gough.singular.held import leg_rows

        ways = self.equations.ways
        return Program(record(lambda x: leg_rows(robot_pose(self.robot, ways, x), self.length), x=self.robot.dof))

    @cached_property
    def _program(self) -> Program:
        def pose(x: Vector) -> dict[str, Vector]:
            at = robot_pose(self.robot, self.equations.ways, x).platform
            return {"p": at.p_BP, "R": at.R_BP}

        return Program(record(pose, x=self.robot.dof))


def _posed_rays(chart: Chart, directions: Array, far: float) -> Rays:
    """Rays from the middle along unit directions (N, k), by the distance of poses."""
    s, at = len(chart.slides), chart.middle
    v = directions[:, :s] @ chart.slides
    w = directions[:, s:] @ chart.axes / chart.length
    rate = np.linalg.norm(w, axis=1, keepdims=True)
    axis = np.where(rate > 0.0, w / np.where(rate > 0.0, rate, 1.0), [1.0, 0.0, 0.0])
    count = len(directions)
    p = np.broadcast_to(np.array(at.p_BP, dtype=float), (count, 3))
    R = np.broadcast_to(np.array(at.R_BP, dtype=float).ravel(), (count, 9))
    return Rays(np.hstack([p, np.zeros((count, 3)), v, axis, rate, R]), np.full(count, far))


def _poses(rays: Rays, t: Array) -> tuple[Array, Array]:
    from scipy.spatial.transform import Rotation

    values = rays.values
    turn = Rotation.from_rotvec(values[:, 9:12] * (values[:, 12] * t)[:, None]).as_matrix()
    return values[:, :3] + values[:, 6:9] * t[:, None], turn @ values[:, 13:].reshape(-1, 3, 3)


@by_mechanism(16)
def _around(robot: Mechanism, conditions: Conditions, x: tuple[float, ...]) -> Around:
    return Around(robot, conditions, np.array(x))


def around(robot: Mechanism, conditions: Conditions, x: Array) -> Around:
    """Rays of a robot from x (n,), their programs compiled once."""
    return _around(robot, conditions, tuple(np.asarray(x, dtype=float).tolist()))
