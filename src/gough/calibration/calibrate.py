"""Calibration: from measurements to a corrected robot, with its uncertainty and what is not determined."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gough.calibration.calibration_error import CalibrationError
from gough.calibration.determined import Determined, determined
from gough.calibration.first_guess import first_frames, first_poses
from gough.calibration.geometric_parameters import chosen
from gough.calibration.measurements import Measurements, read_measurements
from gough.calibration.model import Model
from gough.calibration.nearest_poses import first_fit
from gough.calibration.noise import START, Noise, deviations, noise_of
from gough.calibration.plausible_measurements import check_columns, check_measured, check_spread
from gough.calibration.prior import prior_verdict, without_tolerances
from gough.calibration.result import Calibration, HeldOut, Validation
from gough.calibration.selection import to_find
from gough.calibration.sensors import Bar, Point
from gough.calibration.solve import Data, Solution, fitted_poses, reduced, solve
from gough.calibration.statistics import (
    IGNORED,
    covariance,
    freedom_of,
    noise_ratios,
    outliers,
    pose_freedom,
    soft_weights,
    used_rows,
    verdict,
)
from gough.calibration.uncertainty import pose_errors, pose_uncertainty, with_noise, workspace_poses
from gough.errors import InputError
from gough.graph import Array
from gough.kinematics.sampled_call import check_robot
from gough.robot import Robot

FOLDS = 5
_ROUNDS = 12
_SETTLED = 0.01
_ASTRAY = 12.0
"""Times the usual sum of squares, with the file's robot, beyond which a pose waits until the others are fitted."""


def calibrate(
    robot: Robot,
    measurements: str | Path | Measurements,
    *,
    noise: str | Noise | None = None,
    parameters: Sequence[str] = (),
    tolerances: Mapping[str, float] | None = None,
    points: Sequence[Point] = (),
    bars: Sequence[Bar] = (),
    tracker: bool = False,
    target: bool = False,
    units: str | None = None,
    validate: str | Path | Measurements | None = None,
    folds: int = FOLDS,
    progress: Callable[[str], None] = lambda step: None,
) -> Calibration:
    """The robot's geometry from measurements.

    Args:
        robot: The robot as its file states it, tolerances of dimensions included.
        measurements: A CSV file, one row for each pose; or what `read_measurements` gives.
        noise: Standard deviations, "position=20um,rotation=20urad,encoder=5um"; what is not stated is estimated.
        parameters: Paths, patterns or roles (base, platform, zero, length, turn) of what may differ; all by default.
        tolerances: Standard deviations of parameters before the measurement, by path, pattern or role [m or rad].
        points, bars: Points of the platform and length sensors that columns name.
        tracker: Poses and points are given in a frame of unknown place.
        target: Poses are those of a target at an unknown place of the platform.
        units: Units of columns without one, e.g. "mm,deg"; SI and radians if left out.
        validate: Measured poses that are not used, to compare with.
        folds: Parts of the poses that are held out in turn; 0 for none.
        progress: Called with a line on what is being done.

    Raises:
        InputError: Measurements that cannot be meant, or that are too few; one line with the likely cause.
        NumericalError: There is no best fit.
    """
    check_robot(robot)
    given = _read(robot, measurements, units, points, bars, tracker, target)
    sensors = given.sensors
    progress("finding which parameters can be distinguished")
    selection = to_find(robot, parameters, tolerances)
    model = Model(robot, selection.kept, sensors)
    missing: Any = given.missing.copy()
    if sensors.whole_rotation:
        turning = [sensors.columns.index(name) for name in sensors.turns]
        missing[:, turning] |= missing[:, turning].any(axis=1)[:, None]
    x = first_poses(model, given.m, missing, given.place)
    check_columns(robot, given, x)
    check_spread(robot, given, x)
    frames = first_frames(robot, sensors, given.m, missing, x)
    check_measured(model, given, missing, x, frames)
    stated = noise_of(noise, sensors)
    data = Data(
        given.m,
        deviations(sensors, missing, stated),
        frames,
        np.ones(len(x)),
    )
    check_enough(model, given, data, x)
    progress("fitting")
    start = np.zeros(len(model.names))
    self_made = np.isfinite(data.sigma).sum(axis=1).max() == len(sensors.encoders)
    if self_made:
        begun, data = first_fit(model, data, x)
        x, start = begun.x, begun.g
    before = fitted_poses(model, data, x, np.zeros(len(model.names)))
    if not self_made:
        misfit = before.squares / pose_freedom(model, data)
        data = replace(data, weight=np.where(misfit > _ASTRAY * np.median(misfit), IGNORED, 1.0))
    loose = chosen(robot, parameters)
    solution, data, used = _fitted(model, without_tolerances(model, loose), data, x, start, stated)
    known = determined(model, solution.J[used_rows(data)], solution.g)
    C = _covariance(model, solution, data, known)
    progress("testing tolerances and noise")
    prior = prior_verdict(model, loose, solution, data, freedom_of(model, data, known.rank))
    progress("mapping the pose's uncertainty")
    poses = workspace_poses(robot)
    reached = model.pose_program(x=poses, g=solution.g[: len(model.parameters)])["sound"]
    held = _held_out(model, solution, data, folds)
    return Calibration(
        robot=robot,
        model=model,
        measurements=given,
        selection=selection,
        solution=solution,
        data=data,
        before=before,
        covariance=C,
        determined=known,
        prior=prior,
        noise=verdict(model, solution, data, known.rank, len(stated) < len(set(sensors.kinds)), prior.free_squares),
        deviations=used,
        uncertainty=pose_uncertainty(model, poses[reached], solution.g, C),
        held_out=held,
        validation=None if validate is None else _validated(robot, model, solution, C, validate, units, stated | used),
    )


def _read(
    robot: Robot,
    measurements: str | Path | Measurements,
    units: str | None,
    points: Sequence[Point],
    bars: Sequence[Bar],
    tracker: bool,
    target: bool,
) -> Measurements:
    if isinstance(measurements, Measurements):
        return measurements
    return read_measurements(robot, measurements, units, points, bars, tracker, target)


def check_enough(model: Model, given: Measurements, data: Data, x: Array) -> None:
    """Refuse fewer values than unknowns, where another pose would help.

    Raises:
        CalibrationError: How many poses would do.
    """
    rows = np.isfinite(data.sigma).sum(axis=1)
    n = model.robot.dof
    few = np.flatnonzero(rows < n)
    if len(few):
        k = int(few[0])
        raise CalibrationError(given.place(k), "", None, f"has {rows[k]} values, a pose has {n} coordinates")
    left = int((rows - n).sum())
    if left == 0:
        redundancy = "encoders alone say nothing of the geometry unless there are more of them than coordinates"
        raise CalibrationError(given.source, "", None, "nothing is measured beside the encoders", redundancy)
    here = reduced(model, data, x, np.zeros(len(model.names)))
    rank = determined(model, here.J, np.zeros(len(model.names))).rank
    poses = workspace_poses(model.robot, 120, seed=1)
    sigma = np.tile(data.sigma.min(axis=0), (len(poses), 1))
    there = Data(np.zeros((len(poses), len(model.sensors.columns))), sigma, data.frames, np.ones(len(poses)))
    many = reduced(model, there, poses, np.zeros(len(model.names)))
    possible = determined(model, many.J[np.isfinite(many.J).all(axis=(1, 2))], np.zeros(len(model.names))).rank
    each = left / len(rows)
    if left < possible:
        need = int(np.ceil(possible / each))
        raise CalibrationError(
            given.source,
            "",
            None,
            f"{len(rows)} poses are too few: they give {left} equations for {possible} parameters",
            f"measure at least {need}, better {2 * need}; or name fewer --parameters",
        )
    if rank < possible:
        raise CalibrationError(
            given.source,
            "",
            None,
            f"its poses determine {rank} of the {possible} parameters that others would",
            "poses too much alike? gough calibrate ROBOT --plan N says which to measure",
        )


def _fitted(
    model: Model, loose: Model, data: Data, x: Array, g: Array, stated: Mapping[str, float]
) -> tuple[Solution, Data, dict[str, float]]:
    """The fit without outliers, with noise that nobody stated estimated on the way; and all deviations by kind.

    Noise is estimated with the loose model, without tolerances: what too tight ones leave is no noise.
    """
    kinds = list(dict.fromkeys(model.sensors.kinds))
    sigma = {kind: stated.get(kind, START[kind]) for kind in kinds}
    free = [kind for kind in kinds if kind not in stated]
    first = loose if free else model
    solution, data = _without_outliers(first, data, solve(first, data, x, g))
    for _ in range(_ROUNDS if free else 0):
        ratios = noise_ratios(first, solution, data)
        change = {kind: ratios[kind][0] for kind in free if kind in ratios and np.isfinite(ratios[kind][0])}
        if not change or max(abs(ratio - 1.0) for ratio in change.values()) < _SETTLED:
            break
        factor = np.ones(len(model.sensors.kinds))
        for k, kind in enumerate(model.sensors.kinds):
            factor[k] = max(change.get(kind, 1.0), 1e-3)
        for kind, ratio in change.items():
            sigma[kind] = max(sigma[kind] * max(ratio, 1e-3), 1e-9)
        data = replace(data, sigma=np.maximum(data.sigma * factor, 1e-9), weight=np.ones(len(x)))
        solution, data = _without_outliers(first, data, solve(first, data, solution.x, solution.g))
    if (first.priors != model.priors).any():
        solution, data = _without_outliers(model, data, solve(model, data, solution.x, solution.g))
    return solution, data, sigma


def _without_outliers(model: Model, data: Data, solution: Solution) -> tuple[Solution, Data]:
    """The fit without poses that noise does not explain, found by weights that fall with their distance."""
    if not outliers(model, solution, data).any() and used_rows(data).all():
        return solution, data
    weight = data.weight
    for _ in range(_ROUNDS):
        weight = soft_weights(model, solution, data)
        solution = solve(model, replace(data, weight=weight), solution.x, solution.g)
    for _ in range(_ROUNDS):
        out = outliers(model, solution, data)
        weight = np.where(out, IGNORED, 1.0)
        if (weight == data.weight).all():
            break
        data = replace(data, weight=weight)
        solution = solve(model, data, solution.x, solution.g)
    if out.sum() > len(out) // 3:
        raise InputError(
            f"calibrate: {int(out.sum())} of {len(out)} poses do not fit the others; check units, order of columns and "
            "the robot's file"
        )
    return solution, data


def _covariance(model: Model, solution: Solution, data: Data, known: Determined) -> Array:
    """(g, g) of the unknowns; directions that nothing determines are left out: they stay as in the file."""
    C = covariance(model, solution, data.weight)
    if known.whole:
        return C
    D = model.scales
    P = np.eye(len(D)) - known.free @ known.free.T
    return np.asarray(P @ (C / np.outer(D, D)) @ P * np.outer(D, D))


def _held_out(model: Model, solution: Solution, data: Data, folds: int) -> HeldOut | None:
    """Residuals of poses that a fit to the others has not seen."""
    used = np.flatnonzero(used_rows(data))
    if folds < 2 or len(used) < 2 * folds:
        return None
    squares, freedom = 0.0, 0
    found = np.full(solution.r.shape, np.nan)
    for k in range(folds):
        out = used[k::folds]
        rows = np.setdiff1d(used, out)
        try:
            g = solve(model, data.some(rows), solution.x[rows], solution.g).g
        except InputError:
            return None
        fit = fitted_poses(model, data.some(out), solution.x[out], g)
        found[out] = fit.r
        squares += float((fit.r**2).sum())
        freedom += int(np.isfinite(data.sigma[out]).sum()) - model.robot.dof * len(out)
    return HeldOut(folds, float(np.sqrt(squares / max(freedom, 1))), found)


def _validated(
    robot: Robot,
    model: Model,
    solution: Solution,
    C: Array,
    validate: str | Path | Measurements,
    units: str | None,
    noise: Mapping[str, float],
) -> Validation:
    """Poses that were not used against those that the readings give, before and after."""
    given = _read(robot, validate, units, (), (), False, False)
    names = robot.coordinate_names
    absent = [name for name in names if name not in given.sensors.columns]
    if absent:
        raise CalibrationError(given.source, absent[0], None, "is missing", "validation needs whole poses and readings")
    places, readings = ([given.sensors.columns.index(name) for name in own] for own in (names, given.sensors.encoders))
    gaps = np.argwhere(given.missing[:, [*places, *readings]])
    if len(gaps):
        row, column = gaps[0].tolist()
        name = given.sensors.columns[[*places, *readings][column]]
        raise CalibrationError(given.place(row), name, None, "is empty", "validation needs whole poses and readings")
    x, q = given.m[:, places], given.m[:, readings]
    after = pose_errors(model, x, solution.g, q)
    before = pose_errors(model, x, np.zeros(len(solution.g)), q)
    expected = pose_uncertainty(model, x, solution.g, C)
    return Validation(given.source, before, after, expected, with_noise(model, expected, solution.g, noise))
