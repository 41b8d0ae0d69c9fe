"""Forces along a recording whose noise is not dealt with: refused where it makes up much of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.display import display_units
from gough.motion import Motion, MotionError
from gough.motion.curve import Curve
from gough.motion.recording import Recording, shown_noise
from gough.robot import Robot

LARGEST = 0.1
"""Share of an actuator's largest force that noise may make up unasked."""


def check_recording(robot: Robot, motion: Motion) -> Motion:
    """The motion, whose forces its noise does not decide; or it was said what to do about the noise.

    Raises:
        MotionError: Noise changes the largest force of an actuator by more than a tenth, and nothing was said.
    """
    recording = motion.recording
    if recording is None or recording.smoothed is None:
        return motion
    given, smoothed = (_peaks(robot, motion, law) for law in (motion.law, recording.smoothed))
    if not (np.isfinite(given).all() and np.isfinite(smoothed).all()):
        return motion
    change = np.abs(given - smoothed) / np.maximum(smoothed, np.finfo(float).tiny)
    if not (change > LARGEST).any():
        return motion
    worst = int(np.argmax(given))
    joints = robot.actuators
    factor, unit = display_units(recording.units).effort(joints[worst].kind == "R")
    figures = f"{factor * given[worst]:.4g} {unit} as given, {factor * smoothed[worst]:.4g} {unit} smoothed"
    raise MotionError(
        recording.source,
        "",
        None,
        f"noise of about {_noise(motion, recording)} dominates its accelerations: the largest force, of actuator "
        f"{robot.actuator_names[worst]}, is {figures}",
        "say --smooth auto, --smooth SECONDS for a cut-off period, or --smooth none to take it as given",
    )


def _peaks(robot: Robot, motion: Motion, law: Curve) -> Any:
    """(actuators,) largest force at the rows that have one; NaN where none has."""
    from gough.dynamics.inverse import inverse_dynamics

    t = np.array(motion.law.breakpoints) if motion.rows is None else motion.rows
    x, xd, xdd = law(t)
    force = inverse_dynamics(robot, x, xd, xdd, motion.wrench(t)).force
    fine = np.isfinite(force).all(axis=1)
    return np.abs(force[fine]).max(axis=0) if fine.any() else np.full(force.shape[1], np.nan)


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
