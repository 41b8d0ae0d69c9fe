"""The equations of a calibration, recorded once: residuals and all their derivatives, by pose and by parameter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any

import numpy as np

from gough.calibration.corrected import corrected
from gough.calibration.geometric_parameters import Parameter, moved
from gough.calibration.sensors import Sensors, turning
from gough.graph import Array, Input, Vector, array, jacobian, logical_and, record
from gough.kinematics.robot_pose import Ways, robot_pose, ways_near
from gough.robot import Robot, by_spec
from gough.robot.mechanism import size
from gough.run import Program

_NUDGE = 1e-4
"""Change of parameters, of the machine's size or in radians, that removes coincidences of the file's numbers."""


@dataclass(frozen=True)
class Model:
    """A robot with some free parameters, and what is measured of it.

    The unknowns g are changes of the parameters, then those of the sensors' own unknowns.

    Attributes:
        robot: In plain numbers.
        parameters: What may differ from its file.
        sensors: What is measured.
    """

    robot: Robot
    parameters: tuple[Parameter, ...]
    sensors: Sensors

    @cached_property
    def size(self) -> float:
        """How large the machine is [m]."""
        return size(self.robot) or 1.0

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of all unknowns."""
        return (*(p.path for p in self.parameters), *(u.name for u in self.sensors.unknowns))

    @cached_property
    def turns(self) -> Array:
        """(g,) whether an unknown is an angle."""
        return np.array([*(p.turns for p in self.parameters), *(u.turns for u in self.sensors.unknowns)], dtype=bool)

    @cached_property
    def scales(self) -> Array:
        """(g,) a change of each unknown that is as large as the machine: its size for lengths, 1 rad for angles."""
        return np.where(self.turns, 1.0, self.size)

    @cached_property
    def priors(self) -> Array:
        """(g,) standard deviations before anything is measured; frames may be anywhere."""
        anywhere = [3.0 if u.turns else 30.0 * self.size for u in self.sensors.unknowns]
        return np.array([*(p.prior for p in self.parameters), *anywhere])

    @cached_property
    def residual_program(self) -> Program:
        """From x, g, m and frames to r (columns,), its derivatives Jx and Jg, and `sound` where all legs reach."""
        return residual_program(self.robot, without_priors(self.parameters), self.sensors)

    @cached_property
    def pose_program(self) -> Program:
        """See `pose_program`."""
        return pose_program(self.robot, without_priors(self.parameters))

    def corrected(self, g: Sequence[float] | Array) -> Robot:
        """The robot with its parameters changed."""
        return corrected(self.robot, self.parameters, [float(v) for v in g[: len(self.parameters)]])


def without_priors(parameters: Sequence[Parameter]) -> tuple[Parameter, ...]:
    """The parameters with all priors 1: equations do not depend on priors, so that one cached program serves all."""
    return tuple(replace(p, prior=1.0) for p in parameters)


def _ways(robot: Robot, parameters: Sequence[Parameter]) -> Ways:
    """How the legs are closed at any small values of the parameters: by no form that only fits the file's numbers."""
    reach = size(robot) or 1.0
    steps = [_NUDGE * (1.0 + 0.37 * k) * (1.0 if p.turns else reach) for k, p in enumerate(parameters)]
    return ways_near(robot, moved(robot, parameters, steps))


@by_spec(16)
def residual_program(robot: Robot, parameters: tuple[Parameter, ...], sensors: Sensors) -> Program:
    """See `Model.residual_program`."""
    ways, count = _ways(robot, parameters), len(parameters)

    def equations(x: Vector, g: Vector, m: Vector, frames: Vector) -> dict[str, Any]:
        pose = robot_pose(moved(robot, parameters, list(g[:count])), ways, x)
        r = sensors.residuals(pose, g[count:], m, frames)
        sound = reduce(logical_and, (leg.closure.reached for leg in pose.legs))
        out = {"r": r, "Jx": jacobian(r, x), "Jg": jacobian(r, g), "sound": sound}
        return out | ({"angles": sensors.seen_angles(pose, g[count:], frames)} if sensors.whole_rotation else {})

    size_g = count + len(sensors.unknowns)
    shared = {"g": Input((size_g,), shared=True), "frames": Input((2, 12), shared=True)}
    return Program(record(equations, x=robot.dof, m=len(sensors.columns), **shared))


@by_spec(16)
def pose_program(robot: Robot, parameters: tuple[Parameter, ...]) -> Program:
    """From x and g to the actuators' displacements and the platform's motion.

    q (actuators,), K = dq/dx, Kg = dq/dg; with twists in base axes S (6, n) = d(pose)/dx and Sg (6, g) = d(pose)/dg.
    """
    ways = _ways(robot, parameters)

    def equations(x: Vector, g: Vector) -> dict[str, Any]:
        changed = moved(robot, parameters, list(g))
        pose = robot_pose(changed, ways, x)
        values = [value for leg in pose.legs for value in leg.values()]
        q = array([v - j.zero for v, j in zip(values, changed.joints, strict=True) if j.actuated])
        p, R = array(pose.platform.p_BP), array(pose.platform.R_BP)
        sound = reduce(logical_and, (leg.closure.reached for leg in pose.legs))
        out: dict[str, Any] = {"q": q, "K": jacobian(q, x), "Kg": jacobian(q, g), "sound": sound}
        for name, by in (("S", x), ("Sg", g)):
            dp, dR = jacobian(p, by), jacobian(R, by)
            turns = np.stack([turning(R, dR[:, :, k]) for k in range(len(by))], axis=1)
            out[name] = np.concatenate([dp, turns], axis=0)
        return out

    return Program(record(equations, x=robot.dof, g=Input((len(parameters),), shared=True)))
