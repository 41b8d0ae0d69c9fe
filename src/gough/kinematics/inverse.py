"""Platform motion in, joint and actuator motion out."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array, Vector, logical_and, record
from gough.kinematics.programs import actuator_places, actuator_zeros, equations, free_jacobian_program
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.kinematics.sampled_call import Call, Rows, all_finite, check_robot, moderate, too_large_or_singular
from gough.kinematics.singularity import surely_regular
from gough.kinematics.status import Status, Verdict, condition_number, judge, singular_jacobians, status_texts
from gough.motion import State, StateLike
from gough.robot import Mechanism, by_mechanism
from gough.table import Result, column, computed

INPUTS = ("x", "xd", "xdd")


class Kinematics(Result):
    """Joint and actuator motion of N samples, or of one without the leading axis. NaN where a sample has no solution.

    Attributes:
        robot: The robot that moves.
        joints: Names of all joints, "leg.joint".
        actuators: Names of the actuators.
        joint_q, joint_qd, joint_qdd: (N, joints) [m or rad, per s, per s^2]; None where not asked for.
        q, qd, qdd: (N, actuators), from each actuator's zero.
        K: (N, actuators, n) actuator rates = K xd.
        residual: (N, legs) closure error: gap [m] or misalignment.
        short: (N, legs) how far a leg falls short [m]; not above zero where it reaches.
        status: (N,) of `Status`.
        leg: (N,) index of the leg that fails, -1 if none.
        amount: (N,) how far that leg falls short [m]; not converged, its closure error; overflow, the largest number
            given; 0 if none.
        dependent, dependent_xd, dependent_xdd: (N, k) platform coordinates that follow the others, their rates and
            accelerations; None where there are none, or where not asked for.
        x: (N, n) platform coordinates.
    """

    robot: Mechanism
    joints: tuple[str, ...]
    actuators: tuple[str, ...]
    joint_q: Array = column("joint", "displacement")
    joint_qd: Array | None = column("joint", "rate")
    joint_qdd: Array | None = column("joint", "acceleration")
    q: Array = column("actuator", "displacement")
    qd: Array | None = column("actuator", "rate")
    qdd: Array | None = column("actuator", "acceleration")
    K: Array
    residual: Array
    short: Array
    status: Any = column(show=status_texts)
    leg: Any
    amount: Any
    x: Array = field(repr=False)
    dependent: Array | None = column("dependent", "displacement", prefix="", default=None)
    dependent_xd: Array | None = column("dependent", "rate", prefix="xd_", default=None)
    dependent_xdd: Array | None = column("dependent", "acceleration", prefix="xdd_", default=None)

    COLUMNS = (
        *("q", "qd", "qdd", "joint_q", "joint_qd", "joint_qdd", "dependent", "dependent_xd", "dependent_xdd"),
        *("condition", "dependent_condition", "status"),
    )
    FACTS, DRAWN, LAYOUT = ("robot",), ("q", "qd", "qdd", "joint_q"), "arrays"

    @cached_property
    @computed()
    def condition(self) -> Array:
        """(N,) of K for velocities and angular velocities, see `pose_conditions`; computed when asked for."""
        return pose_conditions(self.robot, self.x, self.status)

    @cached_property
    @computed()
    def dependent_condition(self) -> Array | None:
        """(N,) of the dependent coordinates, see `dependent_condition`; None without any. Computed when asked for.

        Where it is large the independent coordinates are badly chosen, although the machine may be fine.
        """
        if not self.robot.platform.dependent:
            return None
        from gough.kinematics.dependent.values import dependent_condition

        return dependent_condition(self.robot, self.x)[()]


def inverse_kinematics(robot: Mechanism, state: StateLike) -> Kinematics:
    """Joint and actuator motion for a platform motion.

    Args:
        robot: Any robot.
        state: A `State`, or x (n,) or (N, n); without rates and accelerations the joints' are left out too.

    Raises:
        PoseError: A single pose has no solution. Of many samples each has a status instead.
        InputError: Wrong shapes; numbers that are not finite.
    """
    check_robot(robot)
    at = State.of(robot, state)
    given = at.inputs(robot, *(name for name in INPUTS if getattr(at, name) is not None))
    answer = kinematics_call(robot, len(given) - 1)(given)
    found = answer.values
    return Kinematics(
        robot,
        robot.joint_names,
        robot.actuator_names,
        found["joint_q"],
        found.get("joint_qd"),
        found.get("joint_qdd"),
        found["q"],
        found.get("qd"),
        found.get("qdd"),
        found["K"],
        found["residual"],
        found["short"],
        **answer.verdict,
        **{name: found.get(name) for name in ("dependent", "dependent_xd", "dependent_xdd")},
        x=np.array(at.x),
    )


@by_mechanism(64)
def kinematics_call(robot: Mechanism, order: int = 0) -> Call:
    """The call of `inverse_kinematics` with inputs x, and xd, xdd for orders 1 and 2."""
    ways, places = ways_of(robot), actuator_places(robot)
    zeros = actuator_zeros(robot)

    def recorded(x: Vector, xd: Vector = None, xdd: Vector = None) -> dict[str, Any]:
        pose = robot_pose(robot, ways, x)
        out = equations(pose, xd, xdd)
        moving = [out[name] for name in ("joint_qd", "joint_qdd") if name in out]
        closed = reduce(logical_and, (leg.closure.reached for leg in pose.legs), all_finite(x, xd, xdd))
        fine = logical_and(closed, surely_regular(robot, pose.free_jacobian()))
        out["q"] = out["joint_q"][places] - zeros
        for name, values in zip(("qd", "qdd"), moving, strict=False):
            out[name] = values[places]
        return out | {"sound": logical_and(fine, moderate(*moving)) if moving else fine}

    shapes = dict.fromkeys(INPUTS[: order + 1], robot.dof)
    return Call(robot, record(recorded, **shapes), _look)


def near_singular(robot: Mechanism, x: Array) -> NDArray[np.bool_]:
    """(N,) whether poses x (N, n) whose legs all close are near singular, as `inverse_kinematics` has it."""
    call = kinematics_call(robot)
    near = call.program.only(("sound",), {"x": x})["sound"] == 0.0
    if near.any():
        near[near] = singular_jacobians(robot, free_jacobian_program(robot)(x=x[near]))
    return near


def pose_conditions(robot: Mechanism, x: Array, status: Any) -> Array:
    """(N,) condition number of K at poses x (N, n), or of one; NaN where its status says that there is no solution.

    K gives the actuators' rates for the velocity of the platform's origin and its angular velocity, which the length of
    the robot makes a velocity where coordinates of both kinds exist: no choice of angles changes it. Rates of dependent
    coordinates are not among them.
    """
    found = condition_number(robot, free_jacobian_program(robot)(x=np.atleast_2d(x)))
    lost = np.atleast_1d(status) > Status.NEAR_SINGULAR
    return np.where(lost, np.nan, found).reshape(np.shape(status))[()]


def _look(call: Call, inputs: Rows, outputs: Rows) -> Verdict:
    """The exact statuses: of a pose by the condition of K and its size, of a motion by its rates too."""
    robot = call.robot
    K = free_jacobian_program(robot)(x=inputs["x"])
    verdict = judge(outputs["short"], outputs["converged"], robot=robot, x=inputs["x"])
    verdict.status[singular_jacobians(robot, K) & (verdict.status == Status.FINE)] = Status.NEAR_SINGULAR
    moving = [outputs[name] for name in ("joint_qd", "joint_qdd") if name in outputs]
    endless = ~np.isfinite(np.concatenate(moving, axis=1)).all(axis=1) if moving else np.zeros(len(K), dtype=bool)
    return too_large_or_singular(call, inputs, verdict, endless & (verdict.status <= Status.NEAR_SINGULAR))
