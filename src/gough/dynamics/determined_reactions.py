"""Joint reactions of robots that have as many of them as equations: legs one by one, and the platform's balance last.

`reaction_system` has one system for everything, and any robot; here the equations are recorded, and run by every
executor and as C.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from gough.dynamics.force_programs import Model
from gough.dynamics.newton_euler import NewtonEuler
from gough.dynamics.reaction_system import NULL, bare_leg, on_the_way, platform_need, sections
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Scalar, Vector, cross, dot, factor, logical_and, record, solve, sqrt
from gough.kinematics.leg import LegPose
from gough.kinematics.programs import characteristic_length
from gough.kinematics.sampled_call import Call, all_finite, moderate, unsound
from gough.robot import Leg, Mechanism, by_mechanism


def is_determined(robot: Mechanism) -> bool:
    """Whether reactions are as many as equations, leg by leg: none can be indeterminate at an ordinary pose."""
    driven = len(robot.actuators)
    return driven == 6 == robot.dof and all(
        len(_independent(leg)) == (6 if leg.end.kind == "rigid" else 3) and not leg.free_spin for leg in robot.legs
    )


def _independent(leg: Leg) -> list[int]:
    return [k for k, joint in enumerate(leg.joints) if joint.mimic is None]


@by_mechanism(32)
def reaction_call(robot: Mechanism, base: bool = False) -> Call:
    """The call of points, forces and moments (sections, 3) of a determined robot, on request on a moving base.

    The wrench a leg puts on the platform follows from the efforts of its joints, if it has as many as the wrench has
    components. Passive joints have friction at most; the actuated ones, six in all, are what the platform's balance
    asks for. So legs are solved one by one and the balance last, where `reaction_system` has one system for everything.

    Output "regular" is True only where no reaction is anywhere near indeterminate: see `_regular`.
    """
    model = Model(robot, NewtonEuler(), wrench=True, base=base)

    def equations(x: Vector, xd: Vector, xdd: Vector, wrench: Vector, base: Vector = None) -> dict[str, Vector]:
        motion = model.motion(x, xd, xdd, base=base)
        found = reaction_equations(motion, wrench)
        closed = (leg.closure.reached for leg in motion.pose.legs)
        fine = reduce(logical_and, closed, all_finite(x, xd, xdd, wrench, base))
        return found | {"sound": logical_and(fine, moderate(found["joint_force"], found["joint_moment"]))}

    return Call(robot, record(equations, **model.inputs()), unsound)


def reaction_equations(motion: RobotMotion, wrench: Vector, length: float | None = None) -> dict[str, Vector]:
    """What `reaction_call` gives of a determined robot's motion under an external wrench (6,).

    The characteristic length is that of the robot; it is given where some of the robot's numbers are recorded ones.
    """
    robot = motion.pose.robot
    gravity, length = motion.gravity, characteristic_length(robot) if length is None else length
    need_f, need_m = platform_need(motion, gravity, wrench)
    legs = [bare_leg(motion, k, gravity) for k in range(len(robot.legs))]
    units = [_unit_wrenches(pose) for pose in motion.pose.legs]
    passive, columns = [], []
    for pose, bare, unit in zip(motion.pose.legs, legs, units, strict=True):
        f, m = np.zeros(3), np.zeros(3)
        for k, (f_k, m_k) in unit.items():
            if pose.leg.joints[k].actuated:
                columns.append(np.concatenate([f_k, (m_k + cross(pose.r_end, f_k)) / length]))
            else:
                effort = _effort(pose.leg, k, bare)
                f, m = f + f_k * effort, m + m_k * effort
        passive.append((f, m))
        need_f, need_m = need_f - f, need_m - m - cross(pose.r_end, f)
    C = np.stack(columns, axis=1)
    inverse = factor(C)
    driven = iter(solve(inverse, np.concatenate([need_f, need_m / length])))
    ends = []
    for pose, unit, (f, m) in zip(motion.pose.legs, units, passive, strict=True):
        for k, (f_k, m_k) in unit.items():
            if pose.leg.joints[k].actuated:
                effort = next(driven)
                f, m = f + f_k * effort, m + m_k * effort
        ends.append((f, m))
    found = [_recorded_section(robot.legs[k], legs[k], ends[k], joints) for _, k, joints in sections(robot)]
    points, force, moment = (np.stack(values) for values in zip(*found, strict=True))
    return {
        "points": points,
        "joint_force": force,
        "joint_moment": moment,
        "regular": _regular(motion, legs, units, C, solve(inverse, np.eye(6)), length),
    }


def _unit_wrenches(pose: LegPose) -> dict[int, tuple[Vector, Vector]]:
    """By independent joint the force at the leg's end and the moment on the platform that its unit effort makes."""
    independent = _independent(pose.leg)
    return {k: pose.closure.spread({i: 1.0 if i == k else 0.0 for i in independent}) for k in independent}


def _effort(leg: Leg, source: int, bare: dict[str, Any]) -> Scalar:
    """What the end must make a passive joint feel: its friction less what the bare leg does."""
    effort: Any = 0.0
    for k, joint in enumerate(leg.joints):
        ratio = 1.0 if k == source else joint.mimic.ratio if joint.mimic and joint.mimic.joint == source else 0.0
        if ratio != 0.0:
            own = bare["moment" if joint.kind == "R" else "force"][k]
            effort = effort + (bare["friction"][k] - dot(bare["axis"][k], own)) * ratio
    return effort


def _recorded_section(
    leg: Leg, bare: dict[str, Any], end: tuple[Any, Any], joints: tuple[int, ...]
) -> tuple[Any, Any, Any]:
    """Point, force and moment of a section."""
    f_end, m_end = end
    if not joints:
        return bare["end"], f_end, m_end
    point, way = bare["point"][joints[0]], on_the_way(leg)
    force: Any = np.zeros(3)
    moment: Any = np.zeros(3)
    for k in joints:
        own = bare["force"][k]
        force, moment = force + own, moment + bare["moment"][k] + cross(bare["point"][k] - point, own)
        if k in way:
            force, moment = force + f_end, moment + m_end + cross(bare["end"] - point, f_end)
    return point, force, moment


def _regular(
    motion: RobotMotion, legs: list[Any], units: list[Any], C: Vector, C_inverse: Vector, length: float
) -> Scalar:
    """Whether the whole system A of `reaction_system` has a condition far below 1 / NULL, by a bound from above.

    With L the legs' scaled wrenches per effort and B the platform's balance, |A^-1| <= |L| (1 + |C^-1| (1 + |B| |L|)).
    """
    L2: Any = 0.0
    A2: Any = 0.0
    for pose, bare, unit in zip(motion.pose.legs, legs, units, strict=True):
        A2 = A2 + 6.0 + dot(pose.r_end, pose.r_end) * (2.0 / length**2)
        for k, (f, m) in unit.items():
            turns = pose.leg.joints[k].kind == "R"
            L2 = L2 + (dot(f, f) + dot(m, m) / length**2) * (length**2 if turns else 1.0)
        for k, joint in enumerate(pose.leg.joints):
            arm = bare["end"] - bare["point"][k]
            weight = 1.0 if joint.mimic is None else joint.mimic.ratio**2 * len(pose.leg.joints)
            A2 = A2 + (dot(arm, arm) / length**2 + 1.0 if joint.kind == "R" else 1.0) * weight
    L, A = sqrt(L2), sqrt(A2)
    inverse = L * (sqrt(sum(dot(row, row) for row in C_inverse)) * (A * L + 1.0) + 1.0)
    return A * inverse < 0.1 / NULL
