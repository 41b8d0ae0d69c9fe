"""Newton-Euler: each leg's own inverse dynamics, its load on the platform, then the platform's balance.

Every leg is cut from the platform. Going from its tip to the base, the force and moment through each joint follow from
the loads of the bodies beyond it; their components along the joint axes are the efforts the bare leg needs. Passive
joints give no effort (but friction), so the platform must press on the leg until they need none: the leg loads the
platform with the opposite wrench. What is left is one unknown per actuator, from the balance of the platform.

| here | meaning | unit |
|---|---|---|
| f, m | force and moment about the origin of P that a leg puts on the platform, base axes | N, N m |
| lead | effort an actuator spends on its own leg | N or N m |
| u | effort that reaches the platform | N or N m |
| bodies | names of the bodies whose inertia and weight count; None for all of them, friction and springs included | |
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any, ClassVar

import numpy as np

from gough.dynamics.distribution import Demand
from gough.dynamics.leg_loads import bare_efforts, carried_rod, carrier_lead, end_mass, rod_loads, sliding_loads
from gough.dynamics.loads import free_load, with_point_masses
from gough.dynamics.lumped_masses import lumped
from gough.dynamics.matrices import SolvedFor
from gough.dynamics.robot_motion import RobotMotion
from gough.dynamics.springs import Pull, joint_springs, leg_pulls, platform_pulls, point_rate
from gough.graph import Scalar, Vector, array, cross, dot, label
from gough.kinematics.leg import LegPose
from gough.kinematics.robot_pose import RobotPose
from gough.kinematics.thin_leg import ThinLeg, rod_motion
from gough.robot import Body

Wrench = tuple[Any, Any]


@dataclass(frozen=True, slots=True)
class LegBalance:
    """What a leg does to the platform.

    Attributes:
        passive: Force at the leg's end and moment on the platform with all `u` zero.
        units: For each actuated joint of the leg the force and moment per unit of its `u`.
        leads: For each actuated joint of the leg its lead.
    """

    passive: Wrench
    units: list[Wrench]
    leads: list[Any]


@dataclass(frozen=True, slots=True)
class NewtonEuler:
    """The Newton-Euler formulation: each leg's inverse dynamics and its load on the platform, then its balance."""

    name: ClassVar[str] = "newton_euler"
    solved_for: ClassVar[SolvedFor] = SolvedFor.FREE_RATES
    matrix_coordinates: ClassVar[str | None] = None
    yardstick: ClassVar[bool] = False
    accounts_for: ClassVar[frozenset[str]] = frozenset({"base", "friction", "springs"})

    def demand(
        self, motion: RobotMotion, gravity: Vector, wrench: Wrench | None, bodies: set[str] | None = None
    ) -> Demand:
        """The generalised force Q that the motion requires, and K, by which actuator efforts act: see `Formulation`.

        A platform with six motions is balanced as a free body: its rates are velocity and angular velocity in base
        axes, which spares the projection on its coordinates.
        """
        needed, units, leads = self._balances(motion, gravity, wrench, bodies, about=motion.pose.legs[0])
        platform = motion.pose.platform
        if platform.dof == 6:
            K, Q = np.stack([np.concatenate(unit) for unit in units]), np.concatenate(needed)
        else:
            K, Q = array([platform.power(*unit) for unit in units]), platform.power(*needed)
        return Demand(K, Q, array(leads), pivots_among_rates=True)

    def bias(self, motion: RobotMotion, gravity: Vector, wrench: Wrench | None) -> Vector:
        """(n,) force on the platform's rates for velocities, weight, wrench and passive friction, legs included."""
        return self._on_platform(motion.without_acceleration(), gravity, wrench)

    def mass_matrix(self, pose: RobotPose) -> Vector:
        """(n, n) M on the platform's rates: each column the force for a unit acceleration from rest, no gravity."""
        n = pose.platform.dof
        still = np.zeros(n)
        every = {body.name for body in pose.robot.bodies}
        columns = [self._on_platform(RobotMotion(pose, still, unit), np.zeros(3), None, every) for unit in np.eye(n)]
        return np.stack(columns, axis=1)

    def _on_platform(
        self, motion: RobotMotion, gravity: Vector, wrench: Wrench | None, bodies: set[str] | None = None
    ) -> Vector:
        """(n,) force on the platform's rates that a motion requires, the actuators' leads included."""
        (f, m), units, leads = self._balances(motion, gravity, wrench, bodies)
        for (f_unit, m_unit), lead in zip(units, leads, strict=True):
            f, m = f + f_unit * lead, m + m_unit * lead
        return motion.pose.platform.power(f, m)

    def _balances(
        self,
        motion: RobotMotion,
        gravity: Vector,
        wrench: Wrench | None,
        bodies: set[str] | None,
        about: LegPose | None = None,
    ) -> tuple[Wrench, list[Wrench], list[Any]]:
        """Wrench that the legs must put on the platform, wrench per unit effort of each actuator, and their leads.

        Moments are about the origin of P, or, where six coordinates make any point as good as another, about the end of
        the leg `about`: the legs that end there have no moment, which saves operations.
        """
        pose = motion.pose
        balances = [self._leg(motion, k, gravity, bodies) for k in range(len(pose.legs))]
        with label("platform"):
            f, m = self._platform(motion, gravity, bodies)
            if wrench is not None:
                f, m = f - array(wrench[0]), m - array(wrench[1])
            for pull in platform_pulls(pose) if bodies is None else ():
                f, m = f - pull.f, m - cross(pull.point - pose.platform.p_BP, pull.f)
            if pose.platform.dof < 6:
                about = None
            if about is not None:
                m = m - cross(about.r_end, f)
            for leg, balance in zip(pose.legs, balances, strict=True):
                f_leg, m_leg = _moved(leg, about, balance.passive)
                f, m = f - f_leg, m - m_leg
            units = [_moved(leg, about, unit) for leg, b in zip(pose.legs, balances, strict=True) for unit in b.units]
        return (f, m), units, [lead for balance in balances for lead in balance.leads]

    def _platform(self, motion: RobotMotion, gravity: Vector, bodies: set[str] | None) -> Wrench:
        """Force and moment about the origin of P that the motion of the platform's own body requires."""
        body, pose = self._platform_body(motion.pose, bodies), motion.pose.platform
        if body.is_massless:
            return np.zeros(3), np.zeros(3)
        twist, rate = motion.twist, motion.twist_rate
        if motion.base is not None:
            twist, rate = motion.base.carried(pose.p_BP, twist, rate)
        load = free_load(body, pose.R_BP, pose.p_BP, twist, rate, gravity)
        return load.f, load.m + cross(pose.R_BP @ array(body.com), load.f)

    def _platform_body(self, pose: RobotPose, bodies: set[str] | None) -> Body:
        """The platform's body with those masses of the legs that move with their ends as points of it."""
        own = pose.robot.platform.body
        lumps = []
        for leg in pose.legs:
            lumps.append((mass_at_end(leg, counted_bodies(leg, bodies)), array(leg.leg.end.platform_point)))
        return with_point_masses(own if counts(own, bodies) else Body(own.name), lumps)

    def _leg(self, motion: RobotMotion, k: int, gravity: Vector, bodies: set[str] | None) -> LegBalance:
        """What leg k does to the platform; its operations are counted as the leg's."""
        leg = motion.pose.legs[k]
        with label(leg.owner):
            return leg_balance(leg, motion, k, gravity, counted_bodies(leg, bodies), bodies is None)


def counts(body: Body, bodies: set[str] | None) -> bool:
    """Whether a body has mass or inertia and is among `bodies` (None: all)."""
    return not body.is_massless and (bodies is None or body.name in bodies)


def counted_bodies(leg: LegPose, bodies: set[str] | None) -> list[int]:
    """Indices of the bodies of a leg that count: see `counts`."""
    return [i for i, joint in enumerate(leg.leg.joints) if counts(joint.body, bodies)]


def friction(motion: RobotMotion, k: int) -> dict[int, Any]:
    """Efforts that friction exerts in the passive joints of leg k."""
    leg = motion.pose.legs[k]
    return {
        i: -(motion.leg_rates[k][i] * joint.viscous)
        for i, joint in enumerate(leg.leg.joints)
        if joint.is_passive_viscous
    }


def _moved(leg: LegPose, about: LegPose | None, wrench: Wrench) -> Wrench:
    """A force at the leg's end and a moment, as force and moment about the origin of P or the end of another leg."""
    f, m = wrench
    if about is None:
        return f, cross(leg.r_end, f) + m
    if _one_point(leg.leg.end.platform_point, about.leg.end.platform_point):
        return f, m
    return f, cross(leg.r_end - about.r_end, f) + m


def _one_point(a: Vector, b: Vector) -> bool:
    """Whether two points are known to be one: of recorded coordinates only where they are the same values."""
    return all(p is q or (isinstance(p, float) and isinstance(q, float) and p == q) for p, q in zip(a, b, strict=True))


@singledispatch
def mass_at_end(leg: LegPose, counted: list[int]) -> Scalar:
    """Mass of the counted bodies of a leg that can be taken as a point at the leg's end on the platform [kg]."""
    return lumped(leg.leg, counted).at_end


@mass_at_end.register
def _(leg: ThinLeg, counted: list[int]) -> Scalar:
    return end_mass(leg, counted)


@singledispatch
def leg_balance(
    leg: LegPose, motion: RobotMotion, k: int, gravity: Vector, counted: list[int], whole: bool
) -> LegBalance:
    """What leg k does to the platform.

    For any leg: efforts of the bare chain, then the wrench of the platform that relieves the passive joints.

    Args:
        leg: Leg k of the motion's pose.
        gravity: (3,) in base axes [m/s^2].
        counted: Indices of its bodies whose inertia and weight count.
        whole: With friction and springs.
    """
    masses = lumped(leg.leg, counted).links
    needed = bare_efforts(leg, masses, motion.leg_rates[k], motion.leg_accelerations[k], gravity, motion.base)
    known = friction(motion, k) if whole else {}
    for i, effort in _spring_efforts(leg, leg_pulls(motion.pose, k)) if whole else ():
        known[i] = known.get(i, 0.0) + effort
    joints = leg.leg.joints
    independent = [i for i, joint in enumerate(joints) if joint.mimic is None]
    total = {i: needed[i] - known.get(i, 0.0) for i in independent}
    for i, joint in enumerate(joints):
        if joint.mimic is not None:
            total[joint.mimic.joint] = total[joint.mimic.joint] + (needed[i] - known.get(i, 0.0)) * joint.mimic.ratio
    actuated = [i for i in independent if joints[i].actuated]
    zero = dict.fromkeys(independent, 0.0)
    passive = leg.closure.spread({i: 0.0 if i in actuated else -total[i] for i in independent})
    units = [leg.closure.spread(zero | {i: 1.0}) for i in actuated]
    return LegBalance(passive, units, [total[i] for i in actuated])


def _spring_efforts(leg: LegPose, pulls: list[Pull]) -> Iterator[tuple[int, Any]]:
    """Joints of a leg and the efforts that springs exert in them, also by pulling at the links they carry."""
    yield from joint_springs(leg).items()
    for pull in pulls:
        i = pull.joint
        while i >= 0:
            yield i, point_rate(leg, replace(pull, joint=i))
            i = leg.leg.joints[i].parent


@leg_balance.register
def _(leg: ThinLeg, motion: RobotMotion, k: int, gravity: Vector, counted: list[int], whole: bool) -> LegBalance:
    """A thin leg between two points: balance of moments gives the force across it, the actuator that along it."""
    v_end, a_end = motion.end_velocity(k), motion.end_acceleration(k)
    none = np.zeros(3)
    base = motion.base
    if leg.rod.carrier < 0:
        if base is not None:
            p_end = motion.pose.platform.p_BP + leg.r_end
            a_end = base.acceleration(p_end, v_end, a_end)
            a_first = base.acceleration(leg.rod.first, none, none)
            v_end, a_end, gravity = v_end + cross(base.w, p_end - leg.rod.first), a_end - a_first, gravity - a_first
        loads = sliding_loads(leg, v_end, a_end, gravity, counted)
        unit, lead = leg.rod.n, loads.lead
    else:
        moves = rod_motion(leg, v_end, a_end)
        if base is not None:
            moves = carried_rod(base, leg, moves)
        loads = rod_loads(leg, moves, counted)
        unit, lead = leg.rod.n / dot(leg.rod.n, moves.c), carrier_lead(leg, moves, loads, gravity, counted, base)
    if whole:
        eased = [*joint_springs(leg).values(), *(point_rate(leg, pull) for pull in leg_pulls(motion.pose, k))]
        lead = lead - sum(eased, 0.0)
    if not leg.leg.joints[leg.drive].actuated:
        return LegBalance((-loads.push - unit * lead, none), [], [])
    return LegBalance((-loads.push, none), [(unit, none)], [lead])
