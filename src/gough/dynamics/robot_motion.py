"""The motion of a whole robot at one instant: what inverse dynamics starts from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from gough.dynamics.moving_base import BaseRates
from gough.graph import Scalar, Vector, array, cross, label
from gough.kinematics.chain import Twist, TwistRate
from gough.kinematics.leg import EndMotion, LegPose
from gough.kinematics.robot_pose import RobotPose

T = TypeVar("T")


@dataclass(frozen=True)
class RobotMotion:
    """A pose with its rates and accelerations.

    Attributes:
        pose: The robot at x.
        rate, rate_d: (n,) rates of the platform and their own rates, on the columns of `pose.platform`: xd and xdd
            where those belong to the coordinates, the free rates and theirs after `pose.free()`.
        base: How the base moves; None where it stands still. All else is relative to it.
    """

    pose: RobotPose
    rate: Vector
    rate_d: Vector
    base: BaseRates | None = None

    def without_acceleration(self) -> RobotMotion:
        """The same rates with accelerations zero."""
        return RobotMotion(self.pose, self.rate, np.zeros(len(self.rate)), self.base)

    @property
    def gravity(self) -> Vector:
        """(3,) free fall in B, as a moving base feels it [m/s^2]."""
        return array(self.pose.robot.gravity) if self.base is None else self.base.gravity

    @cached_property
    def twist(self) -> Twist:
        """Of the platform."""
        return Twist(*self.pose.platform.twist(self.rate))

    @cached_property
    def twist_rate(self) -> TwistRate:
        """Of the platform."""
        return TwistRate(*self.pose.platform.twist_rate(self.rate, self.rate_d))

    @cached_property
    def R_d(self) -> Vector:
        """(3, 3) rate of the platform's orientation."""
        with label("platform"):
            return _crossed(self.twist.w, self.pose.platform.R_BP)

    @cached_property
    def R_dd(self) -> Vector:
        """(3, 3) second rate of the platform's orientation."""
        with label("platform"):
            return _crossed(self.twist_rate.wd, self.pose.platform.R_BP) + _crossed(self.twist.w, self.R_d)

    def end_velocity(self, k: int) -> Vector:
        """(3,) velocity of the end of leg k."""
        return self.twist.v + self.R_d @ array(self.pose.legs[k].leg.end.platform_point)

    def end_acceleration(self, k: int) -> Vector:
        """(3,) acceleration of the end of leg k."""
        return self.twist_rate.a + self.R_dd @ array(self.pose.legs[k].leg.end.platform_point)

    def end_motion(self, k: int) -> EndMotion:
        """How the platform moves, and with it the end of leg k."""
        t, r = self.twist, self.twist_rate
        return EndMotion(t.v, t.w, r.a, r.wd, self.end_velocity(k), self.end_acceleration(k))

    @cached_property
    def leg_rates(self) -> list[list[Scalar]]:
        """Joint rates, leg by leg."""
        return self._by_leg(lambda leg, k: leg.joint_rates(self.end_velocity(k), self.twist.w))

    @cached_property
    def leg_accelerations(self) -> list[list[Scalar]]:
        """Joint accelerations, leg by leg."""
        wd = self.twist_rate.wd

        def of(leg: LegPose, k: int) -> list[Scalar]:
            return leg.joint_accelerations(self.leg_rates[k], self.end_velocity(k), self.end_acceleration(k), wd)

        return self._by_leg(of)

    @cached_property
    def leg_twists(self) -> list[list[Twist]]:
        """Twists of all links, leg by leg."""
        return self._by_leg(lambda leg, _k: leg.twists(self.twist.v, self.twist.w))

    @cached_property
    def leg_twist_rates(self) -> list[list[TwistRate]]:
        """Twist rates of all links, leg by leg."""
        t, r = self.twist, self.twist_rate
        return self._by_leg(lambda leg, _k: leg.twist_rates(t.v, t.w, r.a, r.wd))

    def _by_leg(self, function: Callable[[LegPose, int], T]) -> list[T]:
        result = []
        for k, leg in enumerate(self.pose.legs):
            with label(leg.owner):
                result.append(function(leg, k))
        return result


def _crossed(w: Vector, R: Vector) -> Vector:
    """(3, 3) with the columns w x R."""
    return np.stack([cross(w, R[:, k]) for k in range(3)], axis=1)
