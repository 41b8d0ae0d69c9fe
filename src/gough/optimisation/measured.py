"""Measures of a design as recorded functions of its free numbers, with exact gradients.

One program gives at every state of the task the forces, powers, speeds and displacements of the actuators and the
Jacobian, each with its derivatives by the free numbers; another what depends on no pose: gaps between joints and the
user's own functions of the robot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gough.analysis.leg_distances import (
    Ends,
    chain,
    ends_of,
    leg_points,
    pair_squared,
    pairs_of,
    points_and_cosines,
)
from gough.dynamics.contract import choose
from gough.dynamics.drives import displacements, rates
from gough.dynamics.force_programs import Model, shared_force
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Array, Input, Vector, array, cross, dot, jacobian, norm, record
from gough.kinematics.robot_pose import RobotPose, Ways, robot_pose, ways_of
from gough.motion import State
from gough.optimisation.variables import Variables
from gough.robot import Mechanism, Robot
from gough.run import Program

PerState = ("force", "power", "speed", "stroke", "K", "short", "angle", "distance")
FAR = 1e9
"""In place of what a leg that does not reach has."""


Values = dict[str, tuple[Array, Array]]
"""By name: values (N, k) and their derivatives (N, k, variables)."""


@dataclass(frozen=True)
class Measured:
    """Programs of a robot with free numbers.

    Attributes:
        robot: In its own numbers.
        variables: The free numbers.
        wanted: Of `PerState`, what is needed.
        functions: The user's: from the robot, its numbers recorded, to a number.
    """

    robot: Robot
    variables: Variables
    wanted: tuple[str, ...]
    functions: Mapping[str, Callable[[Any], Any]]

    @cached_property
    def _states(self) -> Program:
        n, names = self.robot.dof, self.wanted
        ways = ways_of(self.robot, free=tuple(self.variables.addresses))
        model = Model(self.robot, choose("auto"))
        shaped = bool({"angle", "distance"} & set(names))
        places = ends_of(self.robot, ways_of(self.robot)).places if shaped else ()
        pairs = pairs_of(self.robot) if "distance" in names else ()

        def equations(x: Vector, xd: Vector, xdd: Vector, wrench: Vector, p: Vector) -> dict[str, Any]:
            machine = self.variables.robot(self.robot, p)
            pose = robot_pose(machine, ways, self.variables.moved(x, p))
            pace = self.variables.pace(p)
            motion = RobotMotion(pose, xd * pace, xdd * (pace * pace))
            points, cosines = _shape(machine, ways, pose, places) if shaped else ([], [])
            found: dict[str, Callable[[], Any]] = {
                "stroke": lambda: displacements(motion),
                "speed": lambda: rates(motion)[0],
                "force": lambda: shared_force(model, motion, wrench).force,
                "power": lambda: shared_force(model, motion, wrench).force * rates(motion)[0],
                "K": lambda: self._jacobian(pose, p).ravel(),
                "short": lambda: array([leg.closure.short for leg in pose.legs]),
                "angle": lambda: array(cosines or [1.0]),
                "distance": lambda: array([pair_squared(pair, points) for pair in pairs] or [1.0]),
            }
            out: dict[str, Any] = {}
            for name in names:
                value = found[name]()
                out[name], out[f"d_{name}"] = value, jacobian(value, p, "forward")
            return out

        count = len(self.variables)
        return Program(record(equations, x=n, xd=n, xdd=n, wrench=6, p=Input((count,), shared=True)))

    def _jacobian(self, pose: RobotPose, p: Vector) -> Vector:
        """(actuators, n) by rates of the platform about the reference point, turns as lengths."""
        length = self.variables.length(p)
        free = pose.free()
        if pose.robot.dof < 6:
            turning = [c.turns for c in pose.robot.platform.coordinates]
            K = free.jacobian()
            if all(turning) or not any(turning):
                return K
            return array(
                [[K[i, j] / length if turning[j] else K[i, j] for j in range(K.shape[1])] for i in range(len(K))]
            )
        r = pose.platform.R_BP @ array(self.variables.reference(p))
        rows = []
        axes = np.eye(3)
        for leg in pose.legs:
            for k, joint in enumerate(leg.leg.joints):
                if joint.actuated:
                    f, m = leg.closure.spread({i: float(i == k) for i in leg.closure.coordinates})
                    m = m + cross(leg.r_end, f)
                    turns = [(dot(m, e) + dot(f, cross(r, e))) / length for e in axes]
                    rows.append([*f, *turns])
        return array(rows)

    @cached_property
    def _alone(self) -> Program:
        def equations(p: Vector) -> dict[str, Any]:
            machine = self.variables.robot(self.robot, p)
            base = [array(leg.position) for leg in machine.legs]
            top = [array(leg.end.platform_point) for leg in machine.legs]
            found = {"base_gap": _gaps(base), "platform_gap": _gaps(top)}
            found |= {name: array([function(machine)]) for name, function in self.functions.items()}
            out: dict[str, Any] = {}
            for name, value in found.items():
                out[name], out[f"d_{name}"] = value, jacobian(value, p, "forward")
            return out

        return Program(record(equations, p=Input((len(self.variables),), shared=True)))

    def at(self, states: State, p: Array) -> Values:
        """Per state: (N, k) values and (N, k, variables) derivatives, at the numbers p."""
        if not self.wanted:
            return {}
        raw = self._states(x=states.x, xd=states.xd, xdd=states.xdd, wrench=states.wrench, p=p)
        found = {}
        for name in self.wanted:
            value, slope = raw[name], raw[f"d_{name}"]
            good = np.isfinite(value)
            fine = good[..., None] & np.isfinite(slope)
            found[name] = np.where(good, value, FAR), np.where(fine, slope, 0.0)
        return found

    def alone(self, p: Array) -> dict[str, tuple[Array, Array]]:
        """What depends on no pose: (k,) values and (k, variables) derivatives."""
        raw = self._alone(p=p)
        names = ("base_gap", "platform_gap", *self.functions)
        return {name: (np.atleast_1d(raw[name]), np.atleast_2d(raw[f"d_{name}"])) for name in names}


def _shape(machine: Mechanism, ways: Ways, pose: RobotPose, places: tuple[int, ...]) -> tuple[list[Any], list[Any]]:
    """Points of all legs and cosines of their joints, straight as they are at home in the design's own numbers."""
    home = robot_pose(machine, ways, array(machine.platform.home))
    directions = []
    for leg, place in zip(home.legs, places, strict=True):
        points = leg_points(home, leg)
        d = home.platform.R_BP.T @ (points[len(chain(leg.leg))] - points[place])
        directions.append(d / norm(d) if place >= 0 else np.zeros(3))
    return points_and_cosines(pose, Ends(places, tuple(directions)))


def _gaps(points: Sequence[Any]) -> Vector:
    """Squared distances of all pairs of points."""
    pairs = [(i, j) for i in range(len(points)) for j in range(i)]
    return array([dot(points[i] - points[j], points[i] - points[j]) for i, j in pairs] or [1.0])


def singular_values(K: Array, slope: Array, n: int) -> tuple[Array, Array]:
    """(N, n) singular values of K (N, m n), largest first, and their derivatives (N, n, variables) from K's."""
    count = len(K)
    matrix = K.reshape(count, -1, n)
    u, s, vt = np.linalg.svd(matrix, full_matrices=False)
    by = slope.reshape(count, matrix.shape[1], n, -1)
    return s, np.einsum("aik,aijp,akj->akp", u, by, vt)
