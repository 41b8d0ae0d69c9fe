"""Platform motion in, exact actuator forces out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from gough.dynamics.base_motion import BaseLike, base_motion
from gough.dynamics.check_inputs import times_of
from gough.dynamics.contract import Formulation, choose
from gough.dynamics.force_programs import Model, inverse_call
from gough.dynamics.recording_noise import check_recording
from gough.dynamics.result import InverseDynamics
from gough.errors import InputError
from gough.graph import Array
from gough.kinematics.check_inputs import check_robot
from gough.kinematics.sampled_call import Call
from gough.motion import Motion, choose_motion
from gough.motion.choose_motion import MotionLike
from gough.renamed import new_argument
from gough.robot import Robot
from gough.run import owned

SAMPLES = 101
"""Default number of samples of a motion."""


def inverse_dynamics(
    robot: Robot,
    x: ArrayLike,
    xd: ArrayLike,
    xdd: ArrayLike,
    wrench: ArrayLike | None = None,
    formulation: str | Formulation = "auto",
    *,
    base: ArrayLike | None = None,
    t: ArrayLike | None = None,
    time: ArrayLike | None = None,
) -> InverseDynamics:
    """Actuator forces for a platform motion, for any legs with inertia.

    Args:
        robot: Any.
        x, xd, xdd: (n,) or (N, n) platform coordinates, their rates and accelerations [m or rad, per s, per s^2].
        wrench: (6,) or (N, 6) external force [N] and moment [N m] on the platform, base axes, at the origin of P.
        formulation: "auto", a name, or a formulation.
        base: (9,) or (N, 9) motion of the base, in its own axes: free fall as it feels it, R0^T g - a0 [m/s^2], its
            angular velocity and its angular acceleration. The rest is then relative to the base.
        t: A number or (N,) times of the samples, which the result then carries [s].
        time: The old name of t.

    Raises:
        PoseError: A single pose has no solution. Of many samples each has a status instead.
        InputError: Wrong shapes or names, numbers that are not finite.
    """
    if time is not None:
        new_argument("inverse_dynamics", "time")
    times = t if time is None else time
    return _solved(robot, {"x": x, "xd": xd, "xdd": xdd, "wrench": wrench, "base": base}, formulation, times)


def inverse_dynamics_along(
    robot: Robot,
    motion: MotionLike = None,
    samples: int | ArrayLike | None = None,
    wrench: Sequence[float | str] | Array | None = None,
    formulation: str | Formulation = "auto",
    smooth: str | float | None = None,
    base: BaseLike | None = None,
) -> InverseDynamics:
    """Actuator forces along a motion.

    Args:
        robot: Any.
        motion: A `Motion`, the name of one of the robot's, or a CSV file; the robot's default if left out.
        samples: How many, evenly spaced with both ends, or their times (N,) [s]. By default the rows of a recording,
            101 otherwise.
        wrench: (6,) constant external force and moment instead of the motion's own.
        formulation: "auto", a name, or a formulation.
        smooth: Of a CSV file, as of `read_csv`: "auto", a cut-off period [s], or "none".
        base: How the base moves meanwhile: "ship", "vehicle", "shaker", a CSV file or what else `base_motion` takes.

    Raises:
        InputError: What cannot be read or does not fit; a recording whose noise decides its forces.
    """
    check_robot(robot)
    if motion is not None and not isinstance(motion, (str, Path, Motion)):
        raise InputError(f"motion: {type(motion).__name__} given, expected a Motion, a name or a CSV file")
    moved = choose_motion(robot, motion, smooth=smooth)
    if wrench is not None:
        moved = moved.with_wrench(wrench)
    check_recording(robot, moved)
    s = moved.sampled(samples_by_default(moved) if samples is None else samples)
    carried = None if base is None else base_motion(base).rates(robot, s.t)
    inputs = {"x": s.x, "xd": s.xd, "xdd": s.xdd, "wrench": s.wrench, "base": carried}
    solved = _solved(robot, inputs, formulation, s.t, moved.name, jacobian=True)
    return solved if moved.recording is None else replace(solved, recording=moved.recording)


def samples_by_default(motion: Motion) -> Any:
    """Default times of `Motion.sampled`: the rows of a recording, or SAMPLES."""
    rows = motion.rows
    return SAMPLES if rows is None else rows


def _solved(
    robot: Robot,
    given: dict[str, Any],
    formulation: Any,
    t: Any,
    motion: str = "",
    jacobian: bool = False,
) -> InverseDynamics:
    check_robot(robot)
    model, call = _prepared(robot, formulation, given["wrench"] is not None, given["base"] is not None, jacobian)
    inputs = {name: value for name, value in given.items() if value is not None}
    found, verdict = call(inputs)
    own = {name: owned(value) for name, value in inputs.items()}
    return InverseDynamics(
        robot,
        model.formulation.name,
        robot.coordinate_names,
        robot.actuator_names,
        own["x"],
        own["xd"],
        own["xdd"],
        own.get("wrench"),
        found["q"],
        found["qd"],
        found["force"],
        found["power"],
        verdict["status"],
        verdict["leg"],
        verdict["amount"],
        None if t is None else times_of(t, None if found["force"].ndim == 1 else len(found["force"])),
        motion,
        model,
        found.get("K"),
        base=own.get("base"),
    )


@lru_cache(maxsize=64)
def _prepared(robot: Robot, formulation: Any, wrench: bool, base: bool, jacobian: bool) -> tuple[Model, Call]:
    """The model and its call."""
    model = Model(robot, choose(formulation), wrench, base=base)
    return model, inverse_call(model, jacobian)
