"""Poses around one of them, and the matrix that is singular where the platform is not held.

A chart has the sliding coordinates' ways from the pose and, where three coordinates turn, half-angle tangents g of the
turn from its orientation, R = R(1, g) R0 (Rodrigues): no angle, no sine, and the turn is 2 atan |g|. Other robots have
their turning coordinates themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gough.errors import InputError
from gough.graph import Array, Scalar, Vector, array, cos, cross, dot, record, sin
from gough.graph.triples import rotation_about
from gough.kinematics.configuration import matrix_of
from gough.kinematics.pose import PlatformPose, platform_pose
from gough.kinematics.programs import characteristic_length
from gough.kinematics.robot_pose import RobotPose
from gough.robot import Mechanism
from gough.run import Program
from gough.run.affine_forms import Enclosure
from gough.workspaces.conditions import Conditions
from gough.workspaces.margins import MarginEquations, margin_equations
from gough.workspaces.rays import is_free, posed

SLIDES = 1e-6
"""Turn per way of a motion [rad/m] below which it counts as a slide, and way along the axis, of the way in all, below
which it counts as a turn."""


@dataclass(frozen=True)
class Chart:
    """Poses of a robot around x, by the ways of its slides and by turns.

    Attributes:
        robot, conditions: Whose, and which limits count.
        x: (n,) the middle.
    """

    robot: Mechanism
    conditions: Conditions
    x: Array

    def __post_init__(self) -> None:
        """Refuse robots whose poses are not given by position and orientation alone.

        Raises:
            InputError: In one line.
        """
        if not is_free(self.equations):
            raise InputError(
                f"singularities of {self.robot.name}: its legs are closed by iteration or its coordinates depend on "
                "each other, which has no enclosure; see gough check for a motion"
            )

    @cached_property
    def equations(self) -> MarginEquations:
        """Its margins."""
        return margin_equations(self.robot, self.conditions)

    @cached_property
    def middle(self) -> PlatformPose:
        """The platform's pose at x."""
        return platform_pose(self.robot.platform, self.x)

    @cached_property
    def slides(self) -> Array:
        """(s, 3) directions of the slides in B."""
        found = [v for (v, _), turns in zip(self.middle.columns, self.middle.turns, strict=True) if not turns]
        return np.array(found, dtype=float).reshape(-1, 3)

    @cached_property
    def axes(self) -> Array:
        """(r, 3) axes of turns in B, of unit length: none, one, or the base's three."""
        if self.middle.charted:
            return np.eye(3)
        return np.array([w for (_, w), t in zip(self.middle.columns, self.middle.turns, strict=True) if t]).reshape(
            -1, 3
        )

    @property
    def size(self) -> int:
        """Number of parameters."""
        return len(self.slides) + len(self.axes)

    @cached_property
    def length(self) -> float:
        """The characteristic length, by which turns count; 1 where none slides."""
        return characteristic_length(self.robot) if len(self.slides) else 1.0

    def pose(self, u: Vector) -> RobotPose:
        """Recorded: the robot at u, with free rates."""
        s, R0 = len(self.slides), np.array(self.middle.R_BP, dtype=float)
        p = array(np.array(self.middle.p_BP, dtype=float))
        for direction, way in zip(self.slides, u[:s], strict=True):
            p = p + array(direction) * way
        if len(self.axes) == 3:
            return posed(self.equations, p, matrix_of([1.0, *u[s:]]) @ R0)
        R = array(R0)
        if len(self.axes):
            R = array(rotation_about(self.axes[0], cos(u[s]), sin(u[s]))) @ R0
        return posed(self.equations, p, R)

    def distance(self, u: Array) -> Array:
        """(N,) of poses u (N, k) from the middle: sqrt(way^2 + (length turn)^2) [m]."""
        s = len(self.slides)
        turn = np.linalg.norm(u[..., s:], axis=-1)
        turn = 2.0 * np.arctan(turn) if len(self.axes) == 3 else turn
        return np.asarray(np.sqrt((u[..., :s] ** 2).sum(axis=-1) + (self.length * turn) ** 2))

    def matrix(self, pose: RobotPose) -> Vector:
        """(m, n) K in free rates, turns divided by the length."""
        return pose.jacobian() / np.where(np.array(pose.platform.turns), self.length, 1.0)

    def polynomial(self, u: Vector) -> Vector:
        """(6, 6) K of a robot on six legs that extend, rows and columns scaled by what is never zero.

        With q = 1 + g.g the rows are q [l, q r x l / L], r and l from the platform's origin and from the base to the
        leg's end: polynomials of u, whose enclosures are tighter than those of K. At one orientation its determinant is
        a cubic of the position.
        """
        g, R0 = u[3:], np.array(self.middle.R_BP, dtype=float)
        q = 1.0 + dot(g, g)
        N = _times(q, g)
        p = array(np.array(self.middle.p_BP, dtype=float)) + array(self.slides.T) @ u[:3]
        rows = []
        for leg in self.robot.legs:
            r = N @ array(R0 @ np.array(leg.end.platform_point))
            way = (p - array(np.array(leg.position, dtype=float))) * q + r
            rows.append([*way, *(cross(r, way) / self.length)])
        return array(rows)

    @cached_property
    def extends(self) -> bool:
        """Whether all legs extend between points of base and platform, and the platform moves in all six ways."""
        home = self.pose(np.zeros(self.size))
        rods = [leg.closure.rod for leg in home.legs]
        return self.size == len(rods) == 6 and all(
            rod is not None and rod.carrier == -1 and rod.slide >= 0 and np.allclose(rod.first, leg.position)
            for rod, leg in zip(rods, self.robot.legs, strict=True)
        )

    @cached_property
    def matrices(self) -> Program:
        """u -> S (m, n)."""
        return Program(record(lambda u: self.matrix(self.pose(u)), u=self.size))

    @cached_property
    def enclosure(self) -> Enclosure:
        """Forms of S and of the limits' margins m over boxes of u; distances of legs are not looked at."""

        def equations(u: Vector) -> dict[str, Vector]:
            pose = self.pose(u)
            named = self.equations(pose, distances=False)
            margins = [margin for limit, margin in named if limit.kind in ("reach", "stroke", "joint", "angle")]
            S = self.polynomial(u) if self.extends else self.matrix(pose)
            return {"S": S, "m": array(margins or [1.0])}

        return Enclosure(record(equations, u=self.size), range(self.size))


def _times(q: Scalar, g: Vector) -> Vector:
    """(3, 3) q times the rotation of the quaternion (1, g), q = 1 + g.g: no division."""
    a, b, c = g
    return array(
        [
            [q - 2.0 * (b * b + c * c), 2.0 * (a * b - c), 2.0 * (a * c + b)],
            [2.0 * (a * b + c), q - 2.0 * (a * a + c * c), 2.0 * (b * c - a)],
            [2.0 * (a * c - b), 2.0 * (b * c + a), q - 2.0 * (a * a + b * b)],
        ]
    )


def twist_axis(twist: Array) -> dict[str, Any]:
    """Of a twist [v; w]: its axis (point and direction in B, the platform's origin being 0) and pitch [m/rad]."""
    v, w = twist[:3], twist[3:]
    square = float(w @ w)
    if square < SLIDES**2 * float(v @ v):
        return {"slides": True, "direction": v / np.linalg.norm(v)}
    pitch = float(dot(v, w)) / square
    return {
        "slides": False,
        "direction": w / np.sqrt(square),
        "point": np.cross(w, v) / square,
        "pitch": pitch if abs(pitch) > SLIDES * float(np.sqrt(v @ v / square)) else 0.0,
    }
