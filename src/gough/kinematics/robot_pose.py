"""A whole robot at a pose of its platform: what formulations are written on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gough.graph import array, cross, dot, label
from gough.kinematics.closure.assembly import way_of
from gough.kinematics.closure.close import Way, close_leg
from gough.kinematics.closure.pattern import pattern_of
from gough.kinematics.leg import LegPose
from gough.kinematics.pose import PlatformPose, platform_pose
from gough.robot import Robot, RobotError
from gough.robot.addresses import value_at


@dataclass(frozen=True, slots=True)
class RobotPose:
    """The platform and all legs at a pose, reached at the platform coordinates x (n,)."""

    robot: Robot
    platform: PlatformPose
    legs: tuple[LegPose, ...]
    x: Any

    def free(self) -> RobotPose:
        """The same pose with the platform's free rates in place of those of its coordinates."""
        return RobotPose(self.robot, self.platform.free(), self.legs, self.x)

    def jacobian(self) -> Any:
        """(actuators, n) K(x): actuator rates = K xd."""
        rows = []
        for leg in self.legs:
            for k, joint in enumerate(leg.leg.joints):
                if joint.actuated:
                    with label(leg.owner):
                        f, m = leg.closure.spread({i: float(i == k) for i in leg.closure.coordinates})
                        m = m + cross(leg.r_end, f)
                        rows.append([dot(f, v) + dot(m, w) for v, w in self.platform.columns])
        return array(rows)


def ways_of(robot: Robot, newton: bool = False, free: Sequence[str] = ()) -> tuple[Way, ...]:
    """How each leg is closed.

    Args:
        robot: In plain numbers.
        newton: Never in closed form.
        free: Paths of the numbers that will be recorded in `robot_pose`. A closed form that would not fit its leg with
            other values of them is not used.
    """
    nudged = _nudged(robot, free) if free and not newton else robot
    ways = []
    for k, leg in enumerate(robot.legs):
        fits = nudged is robot or (nudged is not None and pattern_of(nudged.legs[k]) == pattern_of(leg))
        ways.append(way_of(leg, robot.platform, newton or not fits))
    return tuple(ways)


def _nudged(robot: Robot, free: Sequence[str]) -> Robot | None:
    """The robot with the numbers at these paths changed a little, each by its own share; None if it is none then."""
    values = [value_at(robot, path) for path in free]
    steps = [1e-4 * (1.0 + 0.37 * k) * max(abs(value), 0.1) for k, value in enumerate(values)]
    changes = {path: value + step for path, value, step in zip(free, values, steps, strict=True)}
    try:
        return robot.replace(changes)
    except RobotError:
        return None


def robot_pose(robot: Robot, ways: tuple[Way, ...], x: Any) -> RobotPose:
    """The robot at platform coordinates x (n,).

    Args:
        robot: Its numbers may be recorded.
        ways: From `ways_of` of the same robot in plain numbers, told which are recorded.
        x: Floats or recorded.
    """
    with label("platform"):
        pose = platform_pose(robot.platform, x)
    return assembled(robot, ways, x, pose)


def is_pulled(robot: Robot, leg: LegPose) -> bool:
    """Whether springs between bodies pull at a leg's links other than what carries its rod: their frames matter."""
    carrier = -1 if leg.closure.rod is None else leg.closure.rod.carrier
    links = {f"{leg.leg.name}.{joint.name}" for k, joint in enumerate(leg.leg.joints) if k != carrier}
    return any(anchor.body in links for spring in robot.springs for anchor in (spring.first, spring.second))


def assembled(robot: Robot, ways: tuple[Way, ...], x: Any, pose: PlatformPose) -> RobotPose:
    """The robot with its platform at a pose, which is that at x. A leg that does not reach says so in its closure."""
    legs = []
    for leg, way in zip(robot.legs, ways, strict=True):
        with label(f"leg {leg.name}"), np.errstate(divide="ignore", invalid="ignore"):
            found = close_leg(leg, way, robot.platform, x, pose)
            legs.append(replace(found, spinless=False) if is_pulled(robot, found) else found)
    return RobotPose(robot, pose, tuple(legs), x)
