"""Positions, velocities and accelerations of every body of a robot: the papers' v, omega, gamma, epsilon.

| papers | here | meaning |
|---|---|---|
| v_k0, omega_k0 (hexapod (11), (12)) | `v`, `w` | velocity of the body's frame origin (its joint), angular velocity |
| gamma_k0, epsilon_k0 (hexapod (18)) | `a`, `wd` | acceleration of the frame origin, angular acceleration |
| a_k0 | transpose of `R` | from base axes to the body's |

The papers resolve these vectors in the axes of the body: `in_body_axes`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gough.graph import Array, Vector, array, record
from gough.kinematics.chain import Twist, TwistRate, chain_twist_rates, chain_twists
from gough.kinematics.leg import LegPose
from gough.kinematics.robot_pose import RobotPose, robot_pose, ways_of
from gough.kinematics.sampled_call import judged
from gough.kinematics.spatial import point_acceleration, point_velocity
from gough.kinematics.status import status_texts
from gough.motion import State, StateLike
from gough.robot import Body, Mechanism, Robot, by_mechanism
from gough.run import Program
from gough.table import Result, column


class BodyMotion(Result):
    """The motion of all bodies for N samples, or for one without the leading axis; NaN where there is no solution.

    A body is the platform or the link behind a joint, also one without mass. Its frame is the one of the robot's file:
    the origin of P, or the moved joint. Velocities and accelerations are relative to the base.

    Attributes:
        robot: The robot whose bodies they are.
        names: "platform", then "leg.joint" for the link behind each joint.
        axes: In which axes the vectors from `v` on are: "base", or "body" for each body's own.
        p: (N, bodies, 3) frame origin, base axes [m].
        R: (N, bodies, 3, 3) from body axes to base axes.
        c: (N, bodies, 3) centre of mass, base axes [m].
        v, w: (N, bodies, 3) velocity of the frame origin, angular velocity [m/s, rad/s].
        a, wd: (N, bodies, 3) acceleration of the frame origin, angular acceleration [m/s^2, rad/s^2].
        v_c, a_c: (N, bodies, 3) velocity and acceleration of the centre of mass.
        status: (N,) of `Status`.

    A leg on two spherical joints has no definite spin: it is taken without, w has no part along the leg, and R is one
    of the frames with the right axis along it.
    """

    robot: Robot
    names: tuple[str, ...]
    axes: str
    p: Array = column("body:names xyz", "m")
    R: Array = column("body:names xyz body_xyz")
    c: Array = column("body:names xyz", "m")
    v: Array = column("body:names xyz", "m/s")
    w: Array = column("body:names xyz", "rad/s")
    a: Array = column("body:names xyz", "m/s^2")
    wd: Array = column("body:names xyz", "rad/s^2")
    v_c: Array = column("body:names xyz", "m/s")
    a_c: Array = column("body:names xyz", "m/s^2")
    status: Any = column(show=status_texts)

    FACTS, DRAWN, LAYOUT = ("robot", "axes"), ("p", "v", "a"), "arrays"

    def in_body_axes(self) -> BodyMotion:
        """The same with v, w, a, wd, v_c and a_c in the axes of each body, as the papers have them."""
        if self.axes == "body":
            return self
        turned = {name: np.einsum("...ji,...j->...i", self.R, getattr(self, name)) for name in RESOLVED}
        return replace(self, axes="body", **turned)


RESOLVED = ("v", "w", "a", "wd", "v_c", "a_c")
ARRAYS = ("p", "R", "c", *RESOLVED)


def body_motion(robot: Robot, state: StateLike) -> BodyMotion:
    """How every body moves when the platform does.

    Args:
        robot: Any robot.
        state: A `State`, or x (n,) or (N, n) at rest.

    Raises:
        PoseError: A single pose has no solution. Of many samples each has a status instead.
        InputError: Wrong shapes, numbers that are not finite.
    """
    given = State.of(robot, state).inputs(robot, "x", "xd", "xdd")
    values, status = judged(robot, motion_program(robot), given)
    return BodyMotion(robot, body_names(robot), "base", **values, status=status)


def body_names(robot: Mechanism) -> tuple[str, ...]:
    """Names of all bodies: the platform, then the link behind every joint."""
    return ("platform", *robot.joint_names)


def link_motions(leg: LegPose, twist: Twist, rate: TwistRate) -> tuple[list[Twist], list[TwistRate]]:
    """Twists and twist rates of all links of a leg as its joints turn, or without spin where it is free to."""
    if leg.leg.free_spin:
        return leg.twists(twist.v, twist.w), leg.twist_rates(twist.v, twist.w, rate.a, rate.wd)
    rates = leg.rates(twist.v, twist.w)
    second = leg.accelerations(twist.v, twist.w, rate.a, rate.wd)
    twists = chain_twists(leg.leg, leg.links, rates)
    return twists, chain_twist_rates(leg.leg, leg.links, twists, rates, second)


def motion_equations(pose: RobotPose, xd: Vector, xdd: Vector) -> dict[str, Any]:
    """The arrays of `BodyMotion` at one instant."""
    twist = Twist(*pose.platform.twist(xd))
    rate = TwistRate(*pose.platform.twist_rate(xd, xdd))
    found = [_body(pose.robot.platform.body, pose.platform.R_BP, pose.platform.p_BP, twist, rate)]
    for leg in pose.legs:
        for joint, link, t, r in zip(leg.leg.joints, leg.links, *link_motions(leg, twist, rate), strict=True):
            found.append(_body(joint.body, link.R, link.p, t, r))
    return {name: np.stack([array(one[name]) for one in found]) for name in ARRAYS}


def _body(body: Body, R: Vector, p: Vector, twist: Twist, rate: TwistRate) -> dict[str, Any]:
    arm = R @ array(body.com)
    v_c = point_velocity(twist.v, twist.w, arm)
    a_c = point_acceleration(rate.a, rate.wd, twist.w, arm)
    values = {"p": p, "R": R, "c": p + arm, "v": twist.v, "w": twist.w, "a": rate.a, "wd": rate.wd}
    return values | {"v_c": v_c, "a_c": a_c}


@by_mechanism(32)
def motion_program(robot: Mechanism) -> Program:
    """The program of `motion_equations` from x, xd and xdd, and what statuses are computed from."""
    ways, n = ways_of(robot), robot.dof

    def equations(x: Vector, xd: Vector, xdd: Vector) -> dict[str, Any]:
        pose = robot_pose(robot, ways, x)
        return motion_equations(pose, xd, xdd) | {
            "short": array([leg.closure.short for leg in pose.legs]),
            "converged": [leg.closure.converged for leg in pose.legs],
        }

    return Program(record(equations, x=n, xd=n, xdd=n))
