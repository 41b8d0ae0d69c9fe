"""Joint reactions from Newton's and Euler's laws, with what statics cannot tell apart reported as indeterminate.

Cut from the platform, a leg's joints carry the loads of the bodies beyond them; what the leg puts on the platform adds
to those on its way. These wrenches at the legs' ends are the unknowns. Passive joints transmit nothing along their axes
but friction, and the platform is in balance: one linear system. An overconstrained robot has more unknowns than
equations, and its null space is the stress it can be assembled with: a reaction is determinate where every null vector
leaves it alone.

Joints that mimic stand for a mechanism (a parallelogram) whose inner forces are not modelled: those of one group on one
body are one section, and the wrench through the whole section is given.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from gough.dynamics.loads import free_load, link_load
from gough.dynamics.model import Model
from gough.dynamics.newton_euler import NewtonEuler, counts, friction, joint_wrenches
from gough.dynamics.reaction_system import Solution, solved
from gough.dynamics.state import RobotMotion
from gough.graph import array, cross, record
from gough.kinematics.chain import end_point
from gough.kinematics.status import judge
from gough.robot import Robot
from gough.run import Program


@dataclass(frozen=True)
class JointReactions:
    """What every joint transmits, for N samples, or for one without the leading axis; NaN where indeterminate.

    A reaction is the force and the moment that the side of the base exerts on the side of the platform, in base axes,
    at the joint's own point. Along an actuated axis it is the actuator's effort less its rotor and friction.

    Attributes:
        names: Of the sections: "leg.joint", "leg.joint+joint" for joints that mimic each other, "leg.end" for the
            joint on the platform.
        points: (N, sections, 3) where the moments are taken [m].
        force, moment: (N, sections, 3) [N, N m].
        determinate: (N, sections, 6) whether each component of force and moment is determinate.
        indeterminacy: (N,) number of independent stresses the robot can be assembled with.
    """

    robot: Robot
    names: tuple[str, ...]
    points: Any
    force: Any
    moment: Any
    determinate: Any
    indeterminacy: Any


def joint_reactions(robot: Robot, x: Any, xd: Any, xdd: Any, wrench: Any = None) -> JointReactions:
    """Reactions in all joints for a platform motion.

    Args:
        robot: Any.
        x, xd, xdd: (n,) or (N, n) platform coordinates, rates and accelerations.
        wrench: (6,) or (N, 6) external force and moment on the platform at the origin of P, base axes.

    Raises:
        PoseError: A single pose has no solution.
    """
    single = np.ndim(x) == 1
    inputs = {"x": x, "xd": xd, "xdd": xdd, "wrench": np.zeros(6) if wrench is None else wrench}
    raw = load_program(robot)(**inputs)
    raw = {name: values[None] if single else values for name, values in raw.items()}
    verdict = judge(raw["short"], raw["converged"], robot=robot, x=x)
    lost = verdict.lost(robot, single)
    names: list[str] = []
    points: list[Any] = []
    force: list[Any] = []
    moment: list[Any] = []
    known: list[Any] = []
    solution = solved(robot, raw)
    for name, leg, joints in sections(robot):
        found = _section(solution, leg, joints)
        names.append(name)
        for values, value in zip((points, force, moment, known), found, strict=True):
            values.append(value)
    at, forces, moments, determinate = (np.stack(values, axis=1) for values in (points, force, moment, known))
    forces[lost], moments[lost] = np.nan, np.nan
    forces[~determinate[..., :3]], moments[~determinate[..., 3:]] = np.nan, np.nan
    results: dict[str, Any] = {"points": at, "force": forces, "moment": moments, "determinate": determinate}
    results["indeterminacy"] = solution.nullity
    if single:
        results = {name: values[0] for name, values in results.items()}
    return JointReactions(robot, tuple(names), **results)


def sections(robot: Robot) -> list[tuple[str, int, tuple[int, ...]]]:
    """(name, leg, joints) of all sections; no joints for the joint on the platform."""
    found = []
    for number, leg in enumerate(robot.legs):
        groups: dict[tuple[int, int], list[int]] = {}
        for k, joint in enumerate(leg.joints):
            source = k if joint.mimic is None else joint.mimic.joint
            groups.setdefault((source, joint.parent), []).append(k)
        for members in groups.values():
            names = "+".join(leg.joints[k].name for k in members)
            found.append((f"{leg.name}.{names}", number, tuple(members)))
        found.append((f"{leg.name}.end", number, ()))
    return found


def _section(solution: Solution, leg: int, joints: tuple[int, ...]) -> tuple[Any, Any, Any, Any]:
    """Point, force, moment and determinacy of a section."""
    if not joints:
        point, force, moment, free = solution.end(leg)
    else:
        point = solution.point(leg, joints[0])
        parts = [solution.joint(leg, k, point) for k in joints]
        force, moment, free = (sum(values) for values in zip(*parts, strict=True))
    return point, force, moment, solution.untouched(free)


@lru_cache(maxsize=32)
def load_program(robot: Robot) -> Program:
    """What the system is made of: wrenches of the bare legs, their points and axes, the platform's need."""
    model = Model(robot, NewtonEuler(), wrench=True)

    def equations(x: Any, xd: Any, xdd: Any, wrench: Any) -> dict[str, Any]:
        motion = model.motion(x, xd, xdd)
        gravity = array(robot.gravity)
        pose, body = motion.pose, robot.platform.body
        load = free_load(body, pose.platform.R_BP, pose.platform.p_BP, motion.twist, motion.twist_rate, gravity)
        moment = load.m + cross(load.point - pose.platform.p_BP, load.f)
        return {
            "platform": np.concatenate([load.f - wrench[:3], moment - wrench[3:]]),
            "origin": pose.platform.p_BP,
            "short": array([leg.closure.short for leg in pose.legs]),
            "converged": [leg.closure.converged for leg in pose.legs],
            **{name: value for k in range(len(pose.legs)) for name, value in _leg(motion, k, gravity).items()},
        }

    return Program(record(equations, **model.inputs()))


def _leg(motion: RobotMotion, number: int, gravity: Any) -> dict[str, Any]:
    pose = motion.pose.legs[number]
    twists, rates = motion.leg_twists[number], motion.leg_twist_rates[number]
    heavy = [k for k, joint in enumerate(pose.leg.joints) if counts(joint.body, None)]
    force, moment = joint_wrenches(pose, {k: link_load(pose, k, twists[k], rates[k], gravity) for k in heavy})
    rubbing = friction(motion, number)
    return {
        f"force {number}": np.stack([array(f) for f in force]),
        f"moment {number}": np.stack([array(m) for m in moment]),
        f"point {number}": np.stack([array(link.p) for link in pose.links]),
        f"axis {number}": np.stack([array(link.e) for link in pose.links]),
        f"end {number}": array(end_point(pose.leg, pose.links)),
        f"friction {number}": array([rubbing.get(k, 0.0) for k in range(len(pose.leg.joints))]),
    }
