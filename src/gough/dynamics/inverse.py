"""Platform motion in, exact actuator forces out."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gough.display import display_units
from gough.dynamics.base_motion import BaseLike, base_motion
from gough.dynamics.contract import Formulation, choose
from gough.dynamics.force_programs import Model, inverse_call
from gough.dynamics.result import LATER, InverseDynamics, Read
from gough.errors import GoughWarning, InputError
from gough.graph import Array
from gough.kinematics.sampled_call import Call, check_robot
from gough.motion import Motion, MotionError, State, StateLike, choose_motion
from gough.motion.choose_motion import MotionLike
from gough.motion.curves import Curve
from gough.motion.recording import Recording, shown_noise
from gough.robot import Mechanism, Robot

SAMPLES = 101
"""Default number of samples of a motion."""


def inverse_dynamics(robot: Mechanism, state: StateLike, *, formulation: str | Formulation = "auto") -> InverseDynamics:
    """Actuator forces for a platform motion, for any legs with inertia.

    Args:
        robot: Any robot.
        state: A `State`, or x (n,) or (N, n) at rest.
        formulation: "auto", a name, or a formulation.

    Raises:
        PoseError: A single pose has no solution. Of many samples each has a status instead.
        InputError: Wrong shapes or names, numbers that are not finite.
    """
    check_robot(robot)
    at = State.of(robot, state)
    if at.t is not None and not np.isfinite(at.t).all():
        raise InputError("t: must be finite")
    return solved(robot, at.inputs(robot), formulation, None if at.t is None else np.array(at.t))


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
        robot: Any robot.
        motion: A `Motion`, the name of one of the robot's, or a CSV file; the robot's default if left out.
        samples: Number of samples, evenly spaced with both ends, or their times (N,) [s]. By default the rows of a
            recording, 101 otherwise.
        wrench: (6,) constant external force and moment instead of the motion's own.
        formulation: "auto", a name, or a formulation.
        smooth: Smoothing of a CSV file, as in `read_csv`: "auto", a cut-off period [s], or "none".
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
    s = moved.sample(samples_by_default(moved) if samples is None else samples)
    carried = None if base is None else base_motion(base).rates(robot, s.t)
    inputs = s.inputs(robot, "x", "xd", "xdd", "wrench") | ({} if carried is None else {"base": carried})
    found = solved(robot, inputs, formulation, s.t, moved.name, jacobian=True)
    return found if moved.recording is None else replace(found, recording=moved.recording)


def samples_by_default(motion: Motion) -> int | Array:
    """Default times of `Motion.sampled`: the rows of a recording, or SAMPLES."""
    rows = motion.rows
    return SAMPLES if rows is None else rows


def solved(
    robot: Mechanism,
    inputs: dict[str, Any],
    formulation: str | Formulation,
    t: Array | None,
    motion: str = "",
    jacobian: bool = False,
) -> InverseDynamics:
    """Actuator forces from the inputs of programs: x, xd, xdd, and where there are any wrench and base (9,)."""
    model, call, read = _prepared(robot.mechanism, formulation, "wrench" in inputs, "base" in inputs, jacobian)
    (found, verdict), own = call.with_inputs(inputs, () if jacobian or read.lately else LATER)
    read.lately = False
    return InverseDynamics(
        robot,
        model.formulation.name,
        robot.coordinate_names,
        robot.actuator_names,
        own["x"],
        own["xd"],
        own["xdd"],
        own.get("wrench"),
        found["force"],
        t,
        motion,
        model,
        found,
        verdict,
        read,
        base=own.get("base"),
    )


@lru_cache(maxsize=64)
def _prepared(
    robot: Mechanism, formulation: str | Formulation, wrench: bool, base: bool, jacobian: bool
) -> tuple[Model, Call, Read]:
    """The model and its call, and what is read of its results."""
    model = Model(robot, choose(formulation), wrench, base=base)
    return model, inverse_call(model, jacobian), Read()


LARGEST, TOLD = 0.1, 0.01
"""Shares of an actuator's largest force that noise may make up unasked, and without a word."""


def check_recording(robot: Robot, motion: Motion) -> Motion:
    """The motion, whose forces its noise does not decide; or it was said what to do about the noise.

    Raises:
        MotionError: Noise changes the largest force of an actuator by more than a tenth, and nothing was said.

    Warns:
        GoughWarning: It changes a force at some row by more than a hundredth of the actuator's largest.
    """
    recording = motion.recording
    if recording is None or recording.smoothed is None:
        return motion
    forces = [_forces(robot, motion, law) for law in (motion.law, recording.smoothed)]
    both = np.isfinite(forces).all(axis=(0, 2))
    if not both.any():
        return motion
    given, smoothed = (np.abs(force[np.isfinite(force).all(axis=1)]).max(axis=0) for force in forces)
    scale = np.maximum(smoothed, np.finfo(float).tiny)
    joints, display = robot.actuators, display_units(recording.units)
    if not (np.abs(given - smoothed) > LARGEST * scale).any():
        change = np.abs(forces[0] - forces[1])[both].max(axis=0)
        worst = int(np.argmax(change / scale))
        if change[worst] > TOLD * scale[worst]:
            factor, unit = display.effort(joints[worst].kind == "R")
            share = (
                f"{100 * change[worst] / scale[worst]:.2g} % of the largest of actuator {robot.actuator_names[worst]}"
            )
            line = (
                f"{recording.source}: rounding or noise of its rows changes forces by up to "
                f"{factor * change[worst]:.2g} {unit} ({share}); "
                "--smooth auto takes most of it away, --smooth none takes the rows as given"
            )
            warnings.warn(line, GoughWarning, stacklevel=3)
        return motion
    worst = int(np.argmax(given))
    factor, unit = display.effort(joints[worst].kind == "R")
    figures = f"{factor * given[worst]:.4g} {unit} as given, {factor * smoothed[worst]:.4g} {unit} smoothed"
    raise MotionError(
        recording.source,
        "",
        None,
        f"noise of about {_noise(motion, recording)} dominates its accelerations: the largest force, of actuator "
        f"{robot.actuator_names[worst]}, is {figures}",
        "say --smooth auto, --smooth SECONDS for a cut-off period, or --smooth none to take it as given"
        if recording.rows
        else "give the file as --motion with --smooth auto, or say --smooth none to go through all of it",
    )


def _forces(robot: Mechanism, motion: Motion, law: Curve) -> Array:
    """(rows, actuators) forces at the rows, NaN where there are none."""
    t = np.array(motion.law.breakpoints) if motion.rows is None else motion.rows
    x, xd, xdd = law(t)
    return inverse_dynamics(robot, State(x, xd, xdd, wrench=motion.wrench(t))).force


def _noise(motion: Motion, recording: Recording) -> str:
    """The largest noise of what slides and of what turns."""
    told = []
    for turning in (False, True):
        found = [
            (column.noise, name)
            for column, name, turns in zip(recording.columns, motion.coordinates, recording.turns, strict=True)
            if column is not None and turns == turning
        ]
        if found:
            noise, name = max(found)
            told.append(f"{shown_noise(noise, turning, recording.units)} in {name}")
    return " and ".join(told)
