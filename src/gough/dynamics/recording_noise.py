"""Whether the noise of a recording decides the forces of the motion that was made of it."""

from __future__ import annotations

import warnings

import numpy as np

from gough.display import display_units
from gough.dynamics.inverse import inverse_dynamics
from gough.errors import GoughWarning
from gough.graph import Array
from gough.motion import Motion, MotionError, State
from gough.motion.curves import Curve
from gough.motion.recording import Recording, shown_noise
from gough.robot import Robot

LARGEST, NOTICED = 0.1, 0.01
"""Shares of an actuator's largest force that noise may make up unless smoothing was stated, and without a warning."""


def check_noise(robot: Robot, motion: Motion, recording: Recording, smoothed: Curve) -> None:
    """Compare the forces of a motion with those of its smoothed curve.

    Raises:
        MotionError: Noise changes the largest force of an actuator by more than a tenth.

    Warns:
        GoughWarning: It changes a force at some row by more than a hundredth of the actuator's largest.
    """
    forces = [_forces(robot, motion, law) for law in (motion.law, smoothed)]
    both = np.isfinite(forces).all(axis=(0, 2))
    if not both.any():
        return
    given, quiet = (np.abs(force[np.isfinite(force).all(axis=1)]).max(axis=0) for force in forces)
    scale = np.maximum(quiet, np.finfo(float).tiny)
    joints, display = robot.actuators, display_units(recording.units)
    if not (np.abs(given - quiet) > LARGEST * scale).any():
        change = np.abs(forces[0] - forces[1])[both].max(axis=0)
        worst = int(np.argmax(change / scale))
        if change[worst] > NOTICED * scale[worst]:
            factor, unit = display.effort(joints[worst].kind == "R")
            share = (
                f"{100 * change[worst] / scale[worst]:.2g} % of the largest of actuator {robot.actuator_names[worst]}"
            )
            line = (
                f"{recording.source}: rounding or noise of its rows changes forces by up to "
                f"{factor * change[worst]:.2g} {unit} ({share}); "
                'smooth="auto" takes most of it away, smooth="none" takes the rows as given'
            )
            warnings.warn(line, GoughWarning, stacklevel=5)
        return
    worst = int(np.argmax(given))
    factor, unit = display.effort(joints[worst].kind == "R")
    figures = f"{factor * given[worst]:.4g} {unit} as given, {factor * quiet[worst]:.4g} {unit} smoothed"
    raise MotionError(
        recording.source,
        "",
        None,
        f"noise of about {_noise(motion, recording)} dominates its accelerations: the largest force, of actuator "
        f"{robot.actuator_names[worst]}, is {figures}",
        'say smooth="auto", smooth="SECONDS" for a cut-off period, or smooth="none" to take it as given'
        if recording.rows
        else 'Motion.read_csv with smooth="auto" smooths rows; smooth="none" goes through all of them',
    )


def _forces(robot: Robot, motion: Motion, law: Curve) -> Array:
    """(rows, actuators) forces at the rows, NaN where there are none."""
    t = np.array(motion.law.breakpoints) if motion.rows is None else motion.rows
    x, xd, xdd = law(t)
    return inverse_dynamics(robot, State(x, xd, xdd, wrench=motion.wrench(t))).force


def _noise(motion: Motion, recording: Recording) -> str:
    """The largest noise of what slides and of what turns."""
    parts = []
    for turning in (False, True):
        found = [
            (column.noise, name)
            for column, name, turns in zip(recording.columns, motion.coordinates, recording.turns, strict=True)
            if column is not None and turns == turning
        ]
        if found:
            noise, name = max(found)
            parts.append(f"{shown_noise(noise, turning, recording.units)} in {name}")
    return " and ".join(parts)
