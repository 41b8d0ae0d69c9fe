"""Platform motion in, exact actuator forces out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gough.dynamics.contract import Formulation
from gough.dynamics.default import formulation_for
from gough.dynamics.door import check_finite, check_robot, times_of
from gough.dynamics.model import Model, inverse_program
from gough.dynamics.result import InverseDynamics
from gough.errors import InputError
from gough.kinematics.model import actuator_names
from gough.kinematics.status import judge_sound
from gough.motion import Motion, choose_motion
from gough.robot import Robot

SAMPLES = 101
"""How many samples of a motion are taken if nothing is said."""


def inverse_dynamics(
    robot: Robot,
    x: Any,
    xd: Any,
    xdd: Any,
    wrench: Any = None,
    formulation: str | Formulation = "auto",
    *,
    time: Any = None,
) -> InverseDynamics:
    """Actuator forces for a platform motion, for any legs with inertia.

    Args:
        robot: Any.
        x, xd, xdd: (n,) or (N, n) platform coordinates, their rates and accelerations [m or rad, per s, per s^2].
        wrench: (6,) or (N, 6) external force [N] and moment [N m] on the platform, base axes, at the origin of P.
        formulation: "auto", a name, or a formulation.
        time: A number or (N,) times of the samples, which the result then carries [s].

    Raises:
        PoseError: A single pose has no solution. Of many samples each has a status instead.
        InputError: Wrong shapes or names, numbers that are not finite.
    """
    return _solved(robot, {"x": x, "xd": xd, "xdd": xdd, "wrench": wrench}, formulation, time)


def inverse_dynamics_along(
    robot: Robot,
    motion: Any = None,
    samples: Any = SAMPLES,
    wrench: Any = None,
    formulation: str | Formulation = "auto",
) -> InverseDynamics:
    """Actuator forces along a motion.

    Args:
        robot: Any.
        motion: A `Motion`, the name of one of the robot's, or a CSV file; the robot's default if left out.
        samples: How many, evenly spaced with both ends, or their times (N,) [s].
        wrench: (6,) constant external force and moment instead of the motion's own.
        formulation: "auto", a name, or a formulation.

    Raises:
        InputError: What cannot be read or does not fit.
    """
    check_robot(robot)
    if motion is not None and not isinstance(motion, (str, Path, Motion)):
        raise InputError(f"motion: {type(motion).__name__} given, expected a Motion, a name or a CSV file")
    moved = choose_motion(robot, motion)
    if wrench is not None:
        moved = moved.with_wrench(wrench)
    s = moved.sampled(samples)
    inputs = {"x": s.x, "xd": s.xd, "xdd": s.xdd, "wrench": s.wrench}
    return _solved(robot, inputs, formulation, s.t, moved.name, jacobian=True)


def _solved(
    robot: Robot,
    given: dict[str, Any],
    formulation: str | Formulation,
    time: Any,
    motion: str = "",
    jacobian: bool = False,
) -> InverseDynamics:
    check_robot(robot)
    model = Model(robot, formulation_for(robot, formulation), given["wrench"] is not None)
    program = inverse_program(model, ("sound", "K") if jacobian else ("sound",))
    raw = program(**{name: value for name, value in given.items() if value is not None})
    single = raw["force"].ndim == 1
    time = times_of(time, None if single else len(raw["force"]))
    sound = np.atleast_1d(raw["sound"])
    if not sound.all():
        check_finite(robot, given)
    verdict = judge_sound(robot, given["x"], sound)
    lost = verdict.lost(robot, single)
    if lost.any():
        for name in ("force", "power", "displacement", "velocity"):
            raw[name][lost] = np.nan
    verdicts: dict[str, Any] = {"status": verdict.status, "leg": verdict.leg, "amount": verdict.amount}
    return InverseDynamics(
        robot,
        model.formulation.name,
        tuple(c.name for c in robot.platform.coordinates),
        actuator_names(robot),
        **{name: None if value is None else np.asarray(value, dtype=float) for name, value in given.items()},
        **{name: raw[name] for name in ("displacement", "velocity", "force", "power")},
        **{name: value[0] if single else value for name, value in verdicts.items()},
        time=time,
        motion=motion,
        _model=model,
        _K=raw.get("K"),
    )
