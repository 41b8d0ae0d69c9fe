"""Virtual work by recursion over the links (Sinatra, Xi, Staicu; Staicu, Li, Liu, Wang, Wang).

Going from the tip of each chain to the base, in the frames of the links, F_k and M_k gather the inertia forces and
weights of a link and of all it carries: see `link_recursion`. The work of F_k, M_k on the virtual rates of all joints,
mimics included, and that of the platform's own F and M on its virtual velocity, is the generalised force on a virtual
motion. One virtual motion is taken per rate of the platform.

A leg whose bodies only its direction moves needs no frames: `leg_work` takes the same sums with the direction's rates,
at half the operations. `VirtualWork(recursion="full")` runs the papers' recursion on these legs too, and takes their
virtual motions: one per actuator, which moves with unit speed while the others stand (hexapod (15)). Their work is the
actuator's effort (hexapod (21), spatial (17)). With more actuators than coordinates there are no such motions; those of
the platform's rates are taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatch
from typing import Any, ClassVar

import numpy as np

from gough.dynamics.distribution import Demand
from gough.dynamics.link_recursion import joint_efforts, link_forces, link_recursion, virtual_rates
from gough.dynamics.matrices import SolvedFor
from gough.dynamics.moving_base import BaseRates
from gough.dynamics.robot_motion import RobotMotion
from gough.dynamics.springs import spring_work
from gough.errors import InputError
from gough.graph import Scalar, Vector, array, cross, dot, factor, label, solve
from gough.kinematics.leg import LegPose
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.kinematics.spatial import point_velocity
from gough.kinematics.thin_leg import ThinLeg, rod_motion, rod_velocity
from gough.robot import Body, Robot

RECURSIONS = ("auto", "full")

Work = Callable[[Any, Any], Any]
"""Work of a leg's forces on a virtual twist (v, w) of the platform."""


@dataclass(frozen=True, slots=True)
class VirtualWork:
    """The formulation by virtual work, recursively over the links (Sinatra, Xi, Staicu).

    Attributes:
        recursion: "auto" uses a shorter form on thin legs, whose direction alone moves them; "full" runs the papers'
            recursion over the links of every leg, with one virtual motion per actuator.
    """

    recursion: str = "auto"
    solved_for: ClassVar[SolvedFor] = SolvedFor.NOTHING
    matrix_coordinates: ClassVar[str | None] = None
    yardstick: ClassVar[bool] = False
    accounts_for: ClassVar[frozenset[str]] = frozenset({"base", "friction", "springs"})

    def __post_init__(self) -> None:
        """Refuse another recursion."""
        if self.recursion not in RECURSIONS:
            raise InputError(f"recursion {self.recursion!r}: choose {' or '.join(RECURSIONS)}")

    @property
    def name(self) -> str:
        """By which it is chosen: it says which recursion runs."""
        return "virtual_work" if self.recursion == "auto" else "virtual_work_full"

    def legs_by_recursion(self, robot: Robot) -> tuple[str, ...]:
        """Names of the legs on which the recursion runs; the short cut runs on the others."""
        pose = robot_pose(robot, ways_of(robot), np.array(robot.platform.home))
        return tuple(leg.leg.name for leg in pose.legs if self._work_of(leg) is recursion_work)

    def demand(self, motion: RobotMotion, gravity: Vector, wrench: Vector, bodies: set[str] | None = None) -> Demand:
        """What the motion asks of the actuators: see `Formulation`."""
        pose = motion.pose
        f, m = self._platform(motion, gravity, bodies)
        if wrench is not None:
            f, m = f - array(wrench[0]), m - array(wrench[1])
        legs = [self._leg(motion, k, gravity, bodies) for k in range(len(pose.legs))]

        def work(v: Vector, w: Vector) -> Scalar:
            with label("platform"):
                total = dot(f, v) + dot(m, w)
            for number, leg in enumerate(legs):
                with label(pose.legs[number].owner):
                    total = total + leg(v, w)
            return total - spring_work(pose, v, w) if bodies is None and pose.robot.has_springs else total

        K = pose.jacobian()
        if self.recursion == "auto" or K.shape[0] != K.shape[1]:
            return Demand(K, array([work(v, w) for v, w in pose.platform.columns]), np.zeros(len(K)))
        virtual = solve(factor(K), np.eye(len(K)))
        efforts = [work(*pose.platform.twist(virtual[:, k])) for k in range(len(K))]
        return Demand(K, np.zeros(len(K)), array(efforts))

    def _platform(self, motion: RobotMotion, gravity: Vector, bodies: set[str] | None) -> tuple[Any, Any]:
        """Force and moment about the origin of P, from the platform's own frame."""
        body, R = motion.pose.robot.platform.body, motion.pose.platform.R_BP
        if body.is_massless or not (bodies is None or body.name in bodies):
            return np.zeros(3), np.zeros(3)
        with label("platform"):
            twist, rate = motion.twist, motion.twist_rate
            if motion.base is not None:
                twist, rate = motion.base.carried(motion.pose.platform.p_BP, twist, rate)
            w, e = R.T @ twist.w, R.T @ rate.wd
            F0, M0 = link_forces(body, w, e, R.T @ (rate.a - gravity))
            return R @ F0, R @ M0

    def _leg(self, motion: RobotMotion, k: int, gravity: Vector, bodies: set[str] | None) -> Work:
        """Work of a leg's forces as a function of the platform's virtual twist."""
        leg = motion.pose.legs[k]
        with label(leg.owner):
            counted = [
                i
                for i, j in enumerate(leg.leg.joints)
                if not j.body.is_massless and (bodies is None or j.body.name in bodies)
            ]
            return self._work_of(leg)(leg, motion, k, gravity, counted, bodies is None)

    def _work_of(self, leg: LegPose) -> Callable[..., Work]:
        return recursion_work if self.recursion == "full" else leg_work.dispatch(type(leg))


def recursion_work(
    leg: LegPose, motion: RobotMotion, k: int, gravity: Vector, counted: list[int], rubbing: bool
) -> Work:
    """Work of any leg by the recursion over its links, with friction in its passive joints or without."""
    needed = joint_efforts(leg, link_recursion(motion, k, gravity, counted))
    if rubbing:
        for i, joint in enumerate(leg.leg.joints):
            if joint.is_passive_viscous:
                needed[i] = needed[i] + motion.leg_rates[k][i] * joint.viscous

    def work(v: Vector, w: Vector) -> Scalar:
        # both are vectors for a rod that does not spin
        pairs = zip(virtual_rates(leg, v, w), needed, strict=True)
        return sum((dot(np.atleast_1d(rate), np.atleast_1d(effort)) for rate, effort in pairs), 0.0)

    return work


leg_work = singledispatch(recursion_work)
"""Work of a leg in the way that suits its kind."""


@leg_work.register
def _(leg: ThinLeg, motion: RobotMotion, k: int, gravity: Vector, counted: list[int], _rubbing: bool) -> Work:
    """Work of a leg that does not spin, on the virtual rates of its direction and of what drives it."""
    rod, a_end = leg.rod, motion.end_acceleration(k)
    moves = rod_motion(leg, motion.end_velocity(k), a_end)
    base, a_first, ndd = motion.base, moves.a_first, moves.ndd
    if base is not None:
        v_first = rod_velocity(leg, motion.end_velocity(k)).v_first
        a_end = base.acceleration(motion.pose.platform.p_BP + leg.r_end, motion.end_velocity(k), a_end)
        a_first = base.acceleration(rod.first, v_first, a_first)
        ndd = base.direction_acceleration(rod.n, moves.nd, ndd)
    at_end: Any = np.zeros(3)
    at_first: Any = np.zeros(3)
    turning: Any = np.zeros(3)
    own: Any = 0.0
    for i in counted:
        body = leg.leg.joints[i].body
        if i == rod.carrier:
            own = _carrier_effort(leg, i, gravity, moves.qd, moves.qdd, base)
        elif i not in rod.at:
            at_first = at_first + (a_first - gravity) * body.mass
        else:
            from_end, s = leg.distance(i, body.com)
            force = ((a_end if from_end else a_first) + ndd * s - gravity) * body.mass
            turning = turning + force * s + ndd * _across(body, rod.u[i])
            at_end, at_first = (at_end + force, at_first) if from_end else (at_end, at_first + force)

    def work(v: Vector, w: Vector) -> Scalar:
        v_end = point_velocity(v, w, leg.r_end)
        virtual = rod_velocity(leg, v_end)
        total = dot(turning, virtual.nd) + dot(at_end, v_end) + dot(at_first, virtual.v_first)
        return total if rod.carrier < 0 else total + own * virtual.qd

    return work


def _across(body: Body, u: Vector) -> Scalar:
    """Moment of inertia about an axis across u, half of what the tensor is across u, of a body that is even about u."""
    across = np.eye(3) - np.outer(array(u), array(u))
    return np.sum(body.tensor * across) * 0.5


def _carrier_effort(leg: LegPose, i: int, gravity: Vector, qd: Scalar, qdd: Scalar, base: BaseRates | None) -> Scalar:
    """Effort of a slider or crank on its own, from its link's frame."""
    joint, R = leg.leg.joints[i], leg.links[i].R
    axis = array(joint.axis)
    still = -(R.T @ array(gravity))
    if base is not None:
        link, slides = leg.links[i], joint.kind == "P"
        along, turning = (link.e * qd, np.zeros(3)) if slides else (np.zeros(3), axis * qd)
        a = R.T @ base.acceleration(link.p, along, link.e * qdd if slides else np.zeros(3)) + still
        w0 = R.T @ base.w
        e = R.T @ base.wd + cross(w0, turning) + (np.zeros(3) if slides else axis * qdd)
        F0, M0 = link_forces(joint.body, w0 + turning, e, a)
        return dot(axis, F0 if slides else M0)
    if joint.kind == "P":
        F0, _ = link_forces(joint.body, np.zeros(3), np.zeros(3), still + axis * qdd)
        return dot(axis, F0)
    _, M0 = link_forces(joint.body, axis * qd, axis * qdd, still)
    return dot(axis, M0)
