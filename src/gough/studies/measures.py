"""What is measured of a machine: recorded at each pose or instant, then gathered over all of them.

A measure is one entry of `MEASURES`: equations of a sample, how samples are gathered (largest, least or sum), and the
number of a machine from what was gathered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, Literal

import numpy as np

from gough.dynamics.contract import choose
from gough.dynamics.drives import displacements, winches
from gough.dynamics.force_programs import Model, inverse_equations
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Array, Scalar, Vector, absolute, array, atan2, logical_and, maximum, norm, root, where
from gough.kinematics.pose import platform_pose
from gough.kinematics.programs import characteristic_length
from gough.kinematics.robot_pose import RobotPose, Ways, robot_pose
from gough.kinematics.singularity import scaled
from gough.robot import Mechanism
from gough.studies.singular_values import extreme_values


@dataclass(frozen=True)
class Sample:
    """A machine at one pose or instant, its numbers recorded.

    Attributes:
        nominal: The robot in plain numbers.
        robot: With the numbers that vary.
        ways: How legs are closed.
        x, xd, xdd: (n,) of the platform.
    """

    nominal: Mechanism
    robot: Mechanism
    ways: Ways
    x: Vector
    xd: Vector
    xdd: Vector

    @cached_property
    def pose(self) -> RobotPose:
        """The machine with its platform at x."""
        return robot_pose(self.robot, self.ways, self.x)

    @cached_property
    def motion(self) -> RobotMotion:
        """With rates."""
        return RobotMotion(self.pose, self.xd, self.xdd)

    @cached_property
    def forces(self) -> dict[str, Any]:
        """Forces, powers, displacements and rates of the actuators."""
        also = ("shared",) if winches(self.robot) else ()
        return inverse_equations(Model(self.nominal, choose("auto")), self.motion, also=also)

    @cached_property
    def q(self) -> Vector:
        """(actuators,) displacements."""
        return displacements(self.motion)

    @cached_property
    def gains(self) -> tuple[Scalar, Scalar]:
        """Least and largest singular value of K, turns measured by the nominal length."""
        return extreme_values(scaled(self.nominal, self.pose.free_jacobian()))

    @cached_property
    def reached(self) -> Scalar:
        """Whether all legs are closed."""
        return reduce(logical_and, [leg.closure.sound for leg in self.pose.legs])

    @cached_property
    def displaced(self) -> tuple[Scalar, Scalar, Scalar]:
        """Position and rotation error of the platform whose actuators hold the nominal displacements of x; found."""
        commanded = displacements(RobotMotion(robot_pose(self.nominal, self.ways, self.x), self.xd, self.xdd))

        def missing(x: Vector) -> Vector:
            return displacements(RobotMotion(robot_pose(self.robot, self.ways, x), self.xd, self.xdd)) - commanded

        found = root(missing, self.x, 20)
        here = platform_pose(self.robot.platform, array(found.solution))
        there = platform_pose(self.nominal.platform, self.x)
        turn = array(there.R_BP).T @ array(here.R_BP)
        sine = array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) * 0.5
        cosine = (turn[0, 0] + turn[1, 1] + turn[2, 2] - 1.0) * 0.5
        small = found.residual <= 1e-9 * characteristic_length(self.nominal)
        away = norm(array(here.p_BP) - array(there.p_BP))
        return away, atan2(norm(sine), cosine), logical_and(found.converged, small)

    @cached_property
    def usage(self) -> Vector:
        """Share of every stated limit of the actuators that is used: stroke, speed, force, power; 1 is the limit.

        Of a cable also that of its largest tension, where the force of its winch is another.
        """
        shares: list[Any] = [0.0]
        for k, joint in enumerate(self.robot.actuators):
            limits = joint.limits
            if limits.stroke is not None:
                low, high = limits.stroke
                shares.append(absolute(self.q[k] * 2.0 - (low + high)) / (high - low))
            for limit, value in ((limits.speed, "qd"), (limits.force, "force"), (limits.power, "power")):
                if limit is not None:
                    shares.append(absolute(self.forces[value][k]) / limit)
        for k in winches(self.robot):
            cable = self.robot.legs[self.robot.actuator_legs[k]].cable
            assert cable is not None
            shares.append(absolute(self.forces["shared"][k]) / cable.tension[1])
        return reduce(maximum, shares)

    @cached_property
    def in_stroke(self) -> Scalar:
        """Whether all legs are closed and all actuators within their strokes."""
        good = self.reached
        for k, joint in enumerate(self.robot.actuators):
            if joint.limits.stroke is not None:
                low, high = joint.limits.stroke
                good = logical_and(good, logical_and(self.q[k] >= low, self.q[k] <= high))
        return good


Gather = Literal["max", "min", "sum"]


@dataclass(frozen=True)
class Measure:
    """One thing to measure.

    Attributes:
        name: In files and columns.
        unit: SI; "effort" and the like depend on what the actuators do.
        equations: (sample) -> (c,) recorded numbers.
        gather: How samples come together.
        finish: ((N, c) gathered, number of samples) -> (N,).
        moves: Whether rates are needed, so a motion.
        always: Whether it has a value also where legs do not reach.
        needs: (sample) -> recorded truth, besides that legs reach.
        lacks: What there is none of where it has no value: "forces", "singular" for K, or "pose".
    """

    name: str
    unit: str
    equations: Callable[[Sample], Any]
    gather: Gather = "max"
    finish: Callable[[Array, int], Array] = lambda found, _: found[:, 0]
    moves: bool = False
    always: bool = False
    needs: Callable[[Sample], Scalar] | None = None
    lacks: str = ""


def _largest(values: Vector) -> list[Any]:
    return [reduce(maximum, absolute(array(values)))]


def _rms(found: Array, samples: int) -> Array:
    return np.asarray(np.sqrt(found.max(axis=1) / samples))


def _travel(found: Array, _: int) -> Array:
    half = found.shape[1] // 2
    return np.asarray((found[:, :half] + found[:, half:]).max(axis=1))


def _both_ways(sample: Sample) -> Any:
    return [*sample.q, *(-array(sample.q))]


def _condition(sample: Sample) -> list[Any]:
    least, largest = sample.gains
    return [largest / least]


MEASURES: dict[str, Measure] = {
    m.name: m
    for m in (
        Measure("peak_force", "effort", lambda s: _largest(s.forces["force"]), lacks="forces"),
        Measure("rms_force", "effort", lambda s: array(s.forces["force"]) ** 2, "sum", _rms, lacks="forces"),
        Measure("peak_power", "W", lambda s: _largest(s.forces["power"]), moves=True, lacks="forces"),
        Measure("rms_power", "W", lambda s: array(s.forces["power"]) ** 2, "sum", _rms, moves=True, lacks="forces"),
        Measure("peak_speed", "rate", lambda s: _largest(s.forces["qd"]), moves=True),
        Measure("rms_speed", "rate", lambda s: array(s.forces["qd"]) ** 2, "sum", _rms, moves=True),
        Measure("stroke", "travel", _both_ways, "max", _travel),
        Measure("condition", "", _condition, lacks="singular"),
        Measure("sigma_min", "", lambda s: [s.gains[0]], "min", lacks="singular"),
        Measure("reach", "", lambda s: [where(s.in_stroke, 1.0, 0.0)], "sum", lambda f, n: f[:, 0] / n, always=True),
        Measure("position_error", "m", lambda s: [s.displaced[0]], needs=lambda s: s.displaced[2], lacks="pose"),
        Measure("rotation_error", "rad", lambda s: [s.displaced[1]], needs=lambda s: s.displaced[2], lacks="pose"),
        Measure("usage", "", lambda s: [s.usage], lacks="forces"),
        Measure(
            "fits", "", lambda s: [s.usage], finish=lambda f, _: np.where(f[:, 0] <= 1.0, 1.0, 0.0), lacks="forces"
        ),
    )
}
"""All measures that are recorded."""


def unit_of(measure: Measure, robot: Mechanism) -> str:
    """SI unit of a measure on a robot; "" where its actuators differ."""
    turning = {joint.turns for joint in robot.actuators}
    if measure.unit not in ("effort", "rate", "travel"):
        return measure.unit
    if len(turning) > 1:
        return ""
    turns = turning == {True}
    units = {"effort": ("N", "N m"), "rate": ("m/s", "rad/s"), "travel": ("m", "rad")}
    return units[measure.unit][int(turns)]
