"""Joint reactions from Newton's and Euler's laws, with what statics leaves open reported as indeterminate.

Cut from the platform, a leg's joints carry the loads of the bodies beyond them; what the leg puts on the platform adds
to those on its way. These wrenches at the legs' ends are the unknowns. Passive joints transmit nothing along their axes
but friction, and the platform is in balance: one linear system. An overconstrained robot has more unknowns than
equations, and its null space is the stress it can be assembled with: a reaction is determinate where every null vector
leaves it alone.

Joints that mimic stand for a mechanism (a parallelogram) whose inner forces are not modelled: those of one group on one
body are one section, and the wrench through the whole section is given.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.dynamics.determined_reactions import is_determined, reaction_call
from gough.dynamics.drives import friction_effort, rates, rotor_effort
from gough.dynamics.force_programs import Model, force
from gough.dynamics.newton_euler import NewtonEuler
from gough.dynamics.reaction_system import Solution, bare_leg, platform_need, sections, solved
from gough.dynamics.robot_motion import RobotMotion
from gough.graph import Array, Vector, logical_and, record
from gough.kinematics.sampled_call import Call, all_finite, check_robot, unsound
from gough.kinematics.status import PoseError, Status
from gough.motion import State, StateLike
from gough.robot import Mechanism, by_mechanism
from gough.table import Result, column

NO_WRENCH = np.zeros(6)


class JointReactions(Result):
    """What every joint transmits, for N samples, or for one without the leading axis; NaN where indeterminate.

    A reaction is the force and the moment that the side of the base exerts on the side of the platform, in base axes,
    at the joint's own point. Along an actuated axis it is the actuator's effort less its rotor and friction, and that
    of a spring in the joint.

    Attributes:
        names: Names of the sections: "leg.joint", "leg.joint+joint" for joints that mimic each other, "leg.end" for the
            joint on the platform.
        points: (N, sections, 3) where the moments are taken [m].
        joint_force, joint_moment: (N, sections, 3) [N, N m].
        determinate: (N, sections, 6) whether each component of force and moment is determinate.
        indeterminacy: (N,) number of independent stresses the robot can be assembled with.
    """

    robot: Mechanism
    names: tuple[str, ...]
    points: Array = column("joint:names xyz", "m")
    joint_force: Array = column("joint:names xyz", "N")
    joint_moment: Array = column("joint:names xyz", "N m")
    determinate: Any = column("joint:names wrench")
    indeterminacy: Any = column()

    FACTS, DRAWN, LAYOUT = ("robot",), ("joint_force", "joint_moment"), "arrays"


def joint_reactions(robot: Mechanism, state: StateLike) -> JointReactions:
    """Reactions in all joints for a platform motion.

    Args:
        robot: Any robot.
        state: A `State`, or x (n,) or (N, n) at rest.

    Raises:
        PoseError: A single pose has no solution.
    """
    check_robot(robot)
    inputs = {"wrench": NO_WRENCH} | State.of(robot, state).inputs(robot, "x", "xd", "xdd", "wrench", "base")
    if not is_determined(robot):
        return JointReactions(robot, section_names(robot), **by_singular_values(robot, inputs))
    answer = reaction_call(robot, "base" in inputs)(inputs)
    found = answer.values
    regular = found.pop("regular")
    shape = found["joint_force"].shape[:-1]
    found["determinate"] = np.ones((*shape, 6), dtype=bool)
    found["indeterminacy"] = np.zeros(shape[:-1], dtype=np.int64)[()]
    lost = answer.verdict["status"] > Status.NEAR_SINGULAR
    if not regular.all() or np.any(lost):
        _look_closer(robot, inputs, found, regular, lost)
    return JointReactions(robot, section_names(robot), **found)


def _look_closer(
    robot: Mechanism, inputs: dict[str, Any], found: dict[str, Any], regular: NDArray[np.bool_], lost: NDArray[np.bool_]
) -> None:
    """Puts in what singular values say of samples near an indeterminate pose."""
    if regular.ndim == 0:
        found |= by_singular_values(robot, inputs)
        return
    found["determinate"][lost] = False
    doubtful = ~regular & ~lost
    rows = {name: np.asarray(v, dtype=float)[doubtful] if np.ndim(v) == 2 else v for name, v in inputs.items()}
    for name, values in by_singular_values(robot, rows).items() if doubtful.any() else ():
        found[name][doubtful] = values


def _with_numbers(
    robot: Mechanism, inputs: dict[str, Any], raw: dict[str, Any], status: NDArray[np.int64]
) -> NDArray[np.int64]:
    """(N,) the statuses, with that of samples whose loads overflow or whose actuators cannot bear them."""
    held, borne = (
        np.all(
            [np.isfinite(v).reshape(len(v), -1).all(axis=1) for name, v in raw.items() if (name == "effort") is own], 0
        )
        for own in (False, True)
    )
    limited = robot.actuation is not None and robot.actuation.limited
    beyond = Status.INFEASIBLE if limited else Status.OVERFLOW
    return np.where(
        status > Status.NEAR_SINGULAR, status, np.where(held, np.where(borne, status, beyond), Status.OVERFLOW)
    )


def _largest(inputs: dict[str, Any]) -> float:
    return float(max(np.abs(np.asarray(values, dtype=float)).max(initial=0.0) for values in inputs.values()))


def by_singular_values(robot: Mechanism, inputs: dict[str, Any]) -> dict[str, Any]:
    """Points, forces, moments, what is determinate and the indeterminacy, for any robot."""
    answer = load_call(robot, "base" in inputs)(inputs)
    single = answer.values["origin"].ndim == 1
    raw = {name: values[None] if single else values for name, values in answer.values.items()}
    status = _with_numbers(robot, inputs, raw, np.atleast_1d(answer.verdict["status"]))
    lost = status > Status.NEAR_SINGULAR
    if single and lost[0]:
        raise PoseError(Status(int(status[0])), "", _largest(inputs))
    for values in raw.values() if lost.any() else ():
        values[lost] = 0.0  # what has no solution must not stop those that have one
    points: list[Any] = []
    force: list[Any] = []
    moment: list[Any] = []
    known: list[Any] = []
    solution = solved(robot, raw)
    for _, leg, joints in sections(robot):
        for values, value in zip((points, force, moment, known), _section(solution, leg, joints), strict=True):
            values.append(value)
    at, forces, moments, determinate = (np.stack(values, axis=1) for values in (points, force, moment, known))
    forces[lost], moments[lost], determinate[lost] = np.nan, np.nan, False
    forces[~determinate[..., :3]], moments[~determinate[..., 3:]] = np.nan, np.nan
    results: dict[str, Any] = {"points": at, "joint_force": forces, "joint_moment": moments}
    results["determinate"] = determinate
    results["indeterminacy"] = np.where(lost, 0, solution.nullity)
    return {name: values[0] for name, values in results.items()} if single else results


@by_mechanism(64)
def section_names(robot: Mechanism) -> tuple[str, ...]:
    """Names of all sections."""
    return tuple(name for name, _, _ in sections(robot))


def _section(solution: Solution, leg: int, joints: tuple[int, ...]) -> tuple[Any, Any, Any, Any]:
    """Point, force, moment and determinacy of a section."""
    if not joints:
        point, force, moment, free = solution.end(leg)
    else:
        point = solution.point(leg, joints[0])
        parts = [solution.joint(leg, k, point) for k in joints]
        force, moment, free = (sum(values) for values in zip(*parts, strict=True))
    return point, force, moment, solution.untouched(free)


def _mechanical(model: Model, motion: RobotMotion, wrench: Vector) -> Vector:
    """(actuators,) what the actuators' forces leave for the mechanism after rotors and friction."""
    qd, qdd = rates(motion)
    joints = motion.pose.robot.actuators
    return force(model, motion, wrench) - rotor_effort(joints, qdd) - friction_effort(joints, qd)


@by_mechanism(32)
def load_call(robot: Mechanism, base: bool = False) -> Call:
    """What the system is made of: wrenches of the bare legs, their points and axes, the platform's need."""
    model = Model(robot, NewtonEuler(), wrench=True, base=base)

    def equations(x: Vector, xd: Vector, xdd: Vector, wrench: Vector, base: Vector = None) -> dict[str, Vector]:
        motion = model.motion(x, xd, xdd, base=base)
        gravity, legs = motion.gravity, motion.pose.legs
        bare = [bare_leg(motion, k, gravity) for k in range(len(legs))]
        shared = {} if robot.actuation is None else {"effort": _mechanical(model, motion, wrench)}
        return {
            "platform": np.concatenate(platform_need(motion, gravity, wrench)),
            "origin": motion.pose.platform.p_BP,
            "sound": reduce(logical_and, (leg.closure.reached for leg in legs), all_finite(x, xd, xdd, wrench, base)),
            **{f"{name} {k}": value for k in range(len(legs)) for name, value in bare[k].items()},
            **shared,
        }

    return Call(robot, record(equations, **model.inputs()), unsound)
