"""What is integrated: slides as they are, three turning coordinates as a quaternion, one or two as they are.

c (size,) holds the coordinates in their order, with the quaternion of R_BP (scalar first) at the end in place of three
turns; z (n,) are the free rates, w in base axes in place of three turns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from gough.graph import array, record, where
from gough.kinematics.orientation import (
    angles_of,
    free_turns,
    matrix_of,
    quaternion_of,
    quaternion_rate,
    relative,
    turning_sequence,
)
from gough.kinematics.pose import PlatformPose, platform_pose
from gough.kinematics.robot_pose import RobotPose, Ways, assembled, robot_pose
from gough.robot import Robot
from gough.run import Program


@dataclass(frozen=True)
class Configuration:
    """The configuration space of a robot."""

    robot: Robot

    @property
    def turns(self) -> list[int]:
        """Places of the three turning coordinates that a quaternion stands for; empty if it does not."""
        return free_turns(self.robot.platform)

    @property
    def size(self) -> int:
        """Number of entries of c."""
        return self.robot.dof + (1 if self.turns else 0)

    def of_coordinates(self, x: Any) -> Any:
        """(size,) c at the platform coordinates x (n,)."""
        if not self.turns:
            return array(x)
        slides = [x[k] for k in range(len(x)) if k not in self.turns]
        return array([*slides, *quaternion_of(platform_pose(self.robot.platform, x).R_BP)])

    def coordinates(self, c: Any) -> Any:
        """(n,) platform coordinates at c, angles in their principal range [m or rad]."""
        if not self.turns:
            return array(c)
        return self.with_orientation(c[:-4], matrix_of(c[-4:]))

    def with_orientation(self, slides: Any, R_BP: Any) -> Any:
        """(n,) platform coordinates of the sliding ones and an orientation, for robots with three turning ones."""
        angles = iter(angles_of(turning_sequence(self.robot.platform), relative(self.robot.platform, R_BP)))
        rest = iter(slides)
        return array([next(angles) if k in self.turns else next(rest) for k in range(self.size - 1)])

    def platform(self, c: Any) -> PlatformPose:
        """The platform's pose at c, with free rates, where no coordinate depends on others."""
        if not self.turns:
            return platform_pose(self.robot.platform, c)
        slides = iter(c[:-4])
        still = array([0.0 if k in self.turns else next(slides) for k in range(self.size - 1)])
        at = platform_pose(self.robot.platform, still)
        return PlatformPose(at.p_BP, matrix_of(c[-4:]), at.columns, at.turns).free()

    def pose(self, ways: Ways, c: Any) -> RobotPose:
        """The whole robot at c, with free rates."""
        if not self.turns:
            return robot_pose(self.robot, ways, c)
        iterates = any(way.form is None for way in ways.legs)
        x = self.coordinates(c) if iterates else None
        return assembled(self.robot, ways, x, self.platform(c))

    def rate(self, c: Any, z: Any) -> Any:
        """(size,) rate of c at free rates z."""
        if not self.turns:
            return array(z)
        slides = [z[k] for k in range(len(z)) if k not in self.turns]
        return array([*slides, *quaternion_rate(c[-4:], [z[k] for k in self.turns])])

    def moved(self, c: Any, d: Any) -> Any:
        """(size,) c after a small displacement d (n,) along the free rates, to first order; orientations stay so."""
        return self.normalised(c + self.rate(c, d))

    def apart(self, c: Any, other: Any) -> Any:
        """(n,) displacement along the free rates from `other` to c: turns as twice the sine of half the angle."""
        if not self.turns:
            return c - other
        a, b = c[-4:], other[-4:]
        sign = where(a @ b < 0.0, -2.0, 2.0)
        turn = iter(
            array(
                [
                    a[1] * b[0] - a[0] * b[1] - a[2] * b[3] + a[3] * b[2],
                    a[2] * b[0] - a[0] * b[2] - a[3] * b[1] + a[1] * b[3],
                    a[3] * b[0] - a[0] * b[3] - a[1] * b[2] + a[2] * b[1],
                ]
            )
            * sign
        )
        slide = iter(c[:-4] - other[:-4])
        return array([next(turn) if k in self.turns else next(slide) for k in range(self.size - 1)])

    def free_rates(self, x: Any, xd: Any) -> Any:
        """(n,) z of coordinate rates xd at x."""
        if not self.turns:
            return array(xd)
        return platform_pose(self.robot.platform, x).chart() @ array(xd)

    def normalised(self, c: Any) -> Any:
        """c with its quaternion brought back to length one."""
        if not self.turns:
            return c
        q = c[-4:]
        return np.concatenate([c[:-4], q / (q @ q) ** 0.5])


@lru_cache(maxsize=64)
def charts(robot: Robot) -> tuple[Program, Program]:
    """Programs from x to c and from c to x."""
    space, n = Configuration(robot), robot.dof
    return (
        Program(record(lambda x: {"out": space.of_coordinates(x)}, x=n)),
        Program(record(lambda c: {"out": space.coordinates(c)}, c=space.size)),
    )
