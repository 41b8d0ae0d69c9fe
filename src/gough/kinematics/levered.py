"""Forces that act at a point of the platform: the lever turns with it.

At a pose with the orientation R, a force f with a moment m at the point r of the platform's frame is, at the platform's
origin, the wrench [f; m + (R r) x f].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gough.errors import InputError
from gough.graph import Array
from gough.kinematics.inverse import inverse_kinematics
from gough.motion import Motion
from gough.motion.curves import Curve, Jet
from gough.motion.moving_frames import Frames, platform_chart
from gough.robot import Mechanism, Robot
from gough.robot.extent import check_point

Point = tuple[float, float, float]


def wrench_at(robot: Robot, motion: Motion, point: ArrayLike) -> Motion:
    """The same motion with its wrench acting at a point of the platform, not at its origin.

    Args:
        robot: Whose platform moves.
        motion: With a wrench in base axes: `with_wrench`, or columns of its file.
        point: (3,) in the platform's frame [m].

    Raises:
        InputError: The motion has no wrench, or the point is none.
    """
    if motion.load is None:
        raise InputError(f"motion {motion.name}: has no wrench that could act at a point; give one")
    return replace(motion, load=Levered(motion.load, robot, lever_point(robot, point), motion.law))


def origin_wrench(robot: Robot, x: ArrayLike, wrench: ArrayLike, point: ArrayLike) -> Array:
    """(N, 6) at the platform's origin: what a wrench at a point of the platform is there, base axes [N, N m].

    Args:
        robot: Whose platform it is.
        x: (N, n) poses.
        wrench: (6,) or (N, 6) at the point, base axes [N, N m].
        point: (3,) in the platform's frame [m].
    """
    rows = np.atleast_2d(np.asarray(x, dtype=float))
    given = np.broadcast_to(np.asarray(wrench, dtype=float), (len(rows), 6))
    return _moved(given, _frames(robot, rows).R @ np.array(lever_point(robot, point)))


def lever_point(robot: Mechanism, point: ArrayLike) -> Point:
    """A point (3,) of the platform [m].

    Raises:
        InputError: It is no point, or one so far from the robot that a unit is missing.
    """
    found = np.asarray(point, dtype=float)
    if found.shape != (3,) or not np.isfinite(found).all():
        raise InputError("wrench at: must be three numbers, a point of the platform")
    whole = (float(found[0]), float(found[1]), float(found[2]))
    check_point(robot, whole, "wrench at")
    return whole


@dataclass(frozen=True)
class Levered:
    """A load at a point of the platform, as a wrench at its origin.

    Attributes:
        load: Wrench at the point over time, base axes.
        robot: Whose platform it acts on.
        point: In the platform's frame [m].
        law: Coordinates over time.
    """

    load: Curve
    robot: Robot
    point: Point
    law: Curve

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Those of the motion and of the load."""
        return tuple(sorted({*self.law.breakpoints, *self.load.breakpoints}))

    @property
    def analytic(self) -> bool:
        """As motion and load are."""
        return self.law.analytic and self.load.analytic

    def along(self, law: Curve, load: Curve) -> Levered:
        """The same on another curve of coordinates, under a load over the same variable."""
        return replace(self, law=law, load=load)

    def at(self, t: Array, x: Array) -> Array:
        """(N, 6) values at times t (N,) where the platform is at x (N, n) instead."""
        return _moved(self.load(t)[0], _frames(self.robot, x).R @ np.array(self.point))

    def __call__(self, t: Array) -> Jet:
        """Values and derivatives at times t (N,), each (N, 6)."""
        frames = _frames(self.robot, *self.law(t))
        w, wd = frames.w, frames.wd
        assert w is not None
        assert wd is not None
        load, slope, bend = self.load(t)
        arm = frames.R @ np.array(self.point)
        rate = np.cross(w, arm)
        second = np.cross(wd, arm) + np.cross(w, rate)
        f, fd, fdd = (values[:, :3] for values in (load, slope, bend))
        moment, moment_rate = slope.copy(), bend.copy()
        moment[:, 3:] += np.cross(rate, f) + np.cross(arm, fd)
        moment_rate[:, 3:] += np.cross(second, f) + 2.0 * np.cross(rate, fd) + np.cross(arm, fdd)
        return _moved(load, arm), moment, moment_rate


def _moved(wrench: Array, arm: Array) -> Array:
    """Wrenches (N, 6) at points, as those at an origin from which arms (N, 3) lead to them, base axes."""
    return np.concatenate([wrench[:, :3], wrench[:, 3:] + np.cross(arm, wrench[:, :3])], axis=1)


def _frames(robot: Robot, *rows: Array) -> Frames:
    """The platform's frames at coordinates (N, n), with rates and accelerations as far as they are given."""
    platform = robot.platform
    if not platform.dependent:
        return platform_chart(platform).frames(*rows)
    found: Any = inverse_kinematics(robot, *rows)
    followed: Sequence[Any] = (found.dependent, found.dependent_xd, found.dependent_xdd)
    whole = [
        np.stack(platform.in_order(list(own.T), list(other.T)), axis=1)
        for own, other in zip(rows, followed, strict=False)
    ]
    return platform_chart(platform.whole()).frames(*whole)
