"""Platform motion in, joint and actuator motion out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.errors import InputError
from gough.kinematics.gains import stretched
from gough.kinematics.model import actuator_names, actuator_places, actuator_zeros, joint_names, kinematics_program
from gough.kinematics.status import Status, condition_number, judge
from gough.robot import Robot

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Kinematics:
    """Joint and actuator motion of N samples, or of one without the leading axis. NaN where a sample has no solution.

    Attributes:
        robot: Whose motion.
        joints: Names of all joints, "leg.joint".
        actuators: Names of the actuators.
        position, velocity, acceleration: (N, joints) [m or rad, per s, per s^2]; None where not asked for.
        displacement, displacement_d, displacement_dd: (N, actuators), from each actuator's zero.
        K: (N, actuators, n) actuator rates = K xd.
        condition: (N,) of K, with turning columns divided by the characteristic length.
        residual: (N, legs) closure error: gap [m] or misalignment.
        short: (N, legs) how far a leg falls short [m]; not above zero where it reaches.
        status: (N,) of `Status`.
        leg: (N,) index of the leg that fails, -1 if none.
        amount: (N,) how far that leg falls short [m]; not converged, its closure error; 0 if none.
    """

    robot: Robot
    joints: tuple[str, ...]
    actuators: tuple[str, ...]
    position: Array
    velocity: Array | None
    acceleration: Array | None
    displacement: Array
    displacement_d: Array | None
    displacement_dd: Array | None
    K: Array
    condition: Any
    residual: Array
    short: Array
    status: Any
    leg: Any
    amount: Any


def inverse_kinematics(robot: Robot, x: Any, xd: Any = None, xdd: Any = None) -> Kinematics:
    """Joint and actuator motion for a platform motion.

    Args:
        robot: Any.
        x, xd, xdd: (n,) or (N, n) platform coordinates, their rates and accelerations [m or rad, per s, per s^2].

    Raises:
        PoseError: A single pose has no solution. Of many samples each has a status instead.
        InputError: Wrong shapes; numbers that are not finite; xdd without xd.
    """
    if xdd is not None and xd is None:
        raise InputError("xdd: accelerations need rates too; give xd")
    given = {name: value for name, value in (("x", x), ("xd", xd), ("xdd", xdd)) if value is not None}
    for name, value in given.items():
        _check_finite(robot, name, value)
    raw = kinematics_program(robot, len(given) - 1)(**given)
    single = raw["short"].ndim == 1
    if single:
        raw = {name: value[None] for name, value in raw.items()}
    condition = condition_number(robot, raw["K"])
    verdict = judge(raw["short"], raw["converged"], condition, robot, x)
    raw["short"] = verdict.short
    verdict.status[stretched(robot, raw["K"]) & (verdict.status == Status.FINE)] = Status.NEAR_SINGULAR
    lost = verdict.lost(robot, single)
    for name in ("velocity", "acceleration"):
        if name in raw:
            singular = ~lost & ~np.isfinite(raw[name]).all(axis=1)
            verdict.status[singular] = Status.NEAR_SINGULAR
    for name in ("position", "velocity", "acceleration", "K", "residual"):
        if name in raw:
            raw[name][lost] = np.nan
    condition = np.where(lost, np.nan, condition)
    places = actuator_places(robot)
    motion = {name: raw.get(name) for name in ("position", "velocity", "acceleration")}
    driven = {name: None if value is None else value[:, places] for name, value in motion.items()}
    arrays: dict[str, Any] = {
        **motion,
        "displacement": driven["position"] - actuator_zeros(robot),
        "displacement_d": driven["velocity"],
        "displacement_dd": driven["acceleration"],
        **{name: raw[name] for name in ("K", "residual", "short")},
        "condition": condition,
        "status": verdict.status,
        "leg": verdict.leg,
        "amount": verdict.amount,
    }
    if single:
        arrays = {name: None if value is None else value[0] for name, value in arrays.items()}
    return Kinematics(robot, joint_names(robot), actuator_names(robot), **arrays)


def _check_finite(robot: Robot, name: str, value: Any) -> None:
    """Raises where a platform motion has a number that is not finite; shapes are checked elsewhere."""
    values = np.asarray(value)
    if values.dtype.kind != "f" or np.isfinite(values).all():
        return
    *row, column = np.argwhere(~np.isfinite(values))[0].tolist()
    coordinates = robot.platform.coordinates
    at = coordinates[column].name if column < len(coordinates) else str(column)
    where = f"sample {row[0]}: " if row else ""
    raise InputError(f"{name}: {where}{at} is {values[(*row, column)]}: must be finite")
