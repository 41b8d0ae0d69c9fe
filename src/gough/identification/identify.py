"""Masses, friction and rotors of a robot from recordings of its forces."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gough.errors import GoughWarning
from gough.graph import Array
from gough.identification.consistent import PRIOR
from gough.identification.diagnosis import check_enough, check_explained, check_forces, motor_side
from gough.identification.estimate import Equations, Estimate, equations, estimate
from gough.identification.identification import Identification, Validation, validated
from gough.identification.recorded_forces import RecordedForces
from gough.identification.recording_file import read_recording
from gough.identification.regressor import Regressor, regressor
from gough.kinematics.sampled_call import check_robot
from gough.robot import Robot, as_robot

DOUBT = 1e-4
"""Probability below which legs that are alike in the file are said to differ."""
EXACT = 1e-12
"""Residuals, relative to the forces, that are round-off: up to 6e-16 was seen in simulated recordings."""
BLOCKS = 5
"""Parts of the recording that are left out in turn."""

RecordingLike = RecordedForces | str | Path


def identify(
    robot: Robot,
    recording: RecordingLike,
    validate: RecordingLike | None = None,
    bodies: str = "stated",
    tied: bool = True,
    friction: bool = True,
    rotors: bool = True,
    prior: float = PRIOR,
    units: str = "",
    constants: float | Sequence[float] | None = None,
    smooth: str | float = "auto",
) -> Identification:
    """Base parameters of a robot from a recording of its forces, and a robot whose bodies are physical that has them.

    Args:
        robot: The robot as its file states it.
        recording: A CSV file, or arrays by `recorded_forces`.
        validate: Another recording, of a motion not used, whose forces are then predicted.
        bodies: "stated": bodies that the file has as thin rods or points stay such; "full": ten numbers each.
        tied: Legs that are alike in the file share their parameters.
        friction: With viscous and Coulomb friction of the actuators; else the file's is taken for granted.
        rotors: With inertias of rotors; else the file's are.
        prior: Relative standard deviation of masses from the file's, used where the recording does not determine them.
        units: Units of a file's columns without one.
        constants: Force per ampere where a file has motor currents [N/A or N m/A].
        smooth: Smoothing of a motion without accelerations: "auto", "none" or a cut-off period [s].

    Raises:
        MotionError: A recording that cannot be meant, with the likely cause.
        InputError: Fewer equations than parameters.
        NumericalError: No sample is within reach.
    """
    check_robot(robot)
    recorded = taken(robot, recording, units, constants, smooth)
    model = regressor(robot, bodies, tied, friction, rotors)
    found = equations(model, recorded)
    check_enough(model, recorded, found)
    check_forces(model, recorded, found)
    check_explained(model, recorded, found)
    if doubt := motor_side(model, recorded, found):
        warnings.warn(doubt, GoughWarning, stacklevel=2)
    start = model.base.map @ model.values
    solved = estimate([found], start)
    other = None if validate is None else taken(robot, validate, units, constants, smooth)
    legs = _legs_alike(model, recorded, solved, friction, rotors, bodies) if tied else None
    if legs is not None and legs < DOUBT:
        warnings.warn(
            f"{recorded.source}: the legs of {robot.name} are alike in its file, but not in this recording "
            f"(probability {legs:.1g}); give them parameters of their own: --legs own",
            GoughWarning,
            stacklevel=2,
        )
    result = Identification(
        model, recorded, found, solved, _left_out(recorded.source, found, start, solved.sigma), None, legs, prior
    )
    return result if other is None else result.with_validation(validated(result, other))


def taken(
    robot: Robot,
    recording: RecordingLike,
    units: str = "",
    constants: float | Sequence[float] | None = None,
    smooth: str | float = "auto",
) -> RecordedForces:
    """The recording of a file, or as it is."""
    if isinstance(recording, RecordedForces):
        return recording
    return read_recording(robot, recording, units, constants, smooth)


def _left_out(source: str, found: Equations, start: Array, noise: Array) -> Validation:
    """Parts of the recording in turn, each predicted by the others."""
    measured, left = [], []
    for rows in np.array_split(np.arange(len(found.rows)), BLOCKS):
        kept = np.setdiff1d(np.arange(len(found.rows)), rows)
        solved = estimate([_part(found, kept)], start, noise)
        forces, errors = _part(found, rows).left(solved.values)
        measured.append(forces)
        left.append(errors)
    return Validation.of(f"{source}, each fifth by the others", np.concatenate(measured), np.concatenate(left))


def _part(found: Equations, rows: NDArray[np.intp]) -> Equations:
    return Equations(found.A[rows], found.y[rows], found.K[rows], found.rows[rows])


def _legs_alike(
    model: Regressor, recorded: RecordedForces, solved: Estimate, friction: bool, rotors: bool, bodies: str
) -> float | None:
    """Probability that legs with the same parameters leave this much more than legs with their own; None if no legs do.

    Weights are those of the tied fit, so that sums of squares can be compared. Round-off is not noise: where the tied
    fit leaves nothing else, the legs are alike.
    """
    from scipy.special import fdtrc

    if len(set(model.parameters.ties)) == len(model.parameters.ties):
        return None
    if np.sqrt(solved.squares) <= EXACT * solved.size:
        return 1.0
    own = regressor(as_robot(model.robot), bodies, False, friction, rotors)
    found = equations(own, recorded)
    if found.y.size < 2 * found.A.shape[2]:
        return None
    free = estimate([found], own.base.map @ own.values, solved.sigma)
    more = free.rank - solved.rank
    if more <= 0 or free.squares <= 0.0:
        return None
    ratio = (solved.squares - free.squares) / more / (free.squares / free.freedom)
    return float(fdtrc(more, free.freedom, max(ratio, 0.0)))
