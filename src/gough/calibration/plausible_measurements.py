"""Measured values against the robot of the file: columns in the wrong place, poses that hardly differ."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gough.calibration.calibration_error import CalibrationError
from gough.calibration.first_guess import pose_of
from gough.calibration.measurements import Measurements
from gough.calibration.model import Model
from gough.calibration.solve import predicted
from gough.graph import Array
from gough.kinematics.forward.forward_kinematics import forward_kinematics
from gough.kinematics.inverse import inverse_kinematics
from gough.robot import Mechanism, Robot
from gough.robot.mechanism import size

_BETTER = 20.0
"""By how much a column must fit another's place better than its own to be called misplaced."""
_ABOUT = 0.4
"""Logarithm of a ratio that is about a factor between units."""
_ALIKE = 2e-3
"""Spread of poses in sizes of the machine or radians below which they are one pose."""


def check_columns(robot: Robot, given: Measurements, x: Array) -> None:
    """Refuse encoder or pose columns that fit the machine far better in another order.

    Raises:
        CalibrationError: Which two seem to be swapped.
    """
    sensors = given.sensors
    whole = all(name in sensors.columns for name in robot.coordinate_names) and not (sensors.tracker or sensors.target)
    if not whole or given.missing.any() or len(given.m) < 5:
        return
    read = list(sensors.encoders)
    q = given.m[:, [sensors.columns.index(name) for name in read]]
    _refuse_swapped(given, read, q, inverse_kinematics(robot, x).q)
    try:
        poses = forward_kinematics(robot, q, x).x
    except (ValueError, ArithmeticError):
        return
    names = list(robot.coordinate_names)
    fine = np.isfinite(poses).all(axis=1)
    for turns in (False, True):
        own = [k for k, c in enumerate(robot.platform.coordinates) if c.turns == turns]
        if len(own) > 1 and fine.sum() >= 5:
            _refuse_swapped(given, [names[k] for k in own], x[fine][:, own], poses[fine][:, own])


def _refuse_swapped(given: Measurements, names: list[str], measured: Array, expected: Array) -> None:
    from scipy.optimize import linear_sum_assignment

    if not np.isfinite(expected).all():
        return
    apart = (measured[:, :, None] - expected[:, None, :]).std(axis=0)
    rows, places = linear_sum_assignment(apart)
    now, best = float(np.trace(apart)), float(apart[rows, places].sum())
    if now > _BETTER * best + 1e-12:
        k = next(k for k in rows if places[k] != k)
        hint = f"{names[k]} and {names[places[k]]} swapped?"
        raise CalibrationError(
            given.source, names[k], None, f"varies as {names[places[k]]} of the robot's file should", hint
        )


def check_measured(model: Model, given: Measurements, missing: NDArray[np.bool_], x: Array, frames: Array) -> None:
    """Refuse columns that vary as those of another unit or another place would, by the file's robot at its readings.

    Args:
        model: The file's robot and its sensors.
        given: What was measured.
        missing: (N, columns) what was not.
        x: (N, n) poses by the readings.
        frames: First guesses of tracker and target.

    Raises:
        CalibrationError: Which column, and the unit or the column that would explain it.
    """
    sensors = model.sensors
    if sensors.tracker and len(sensors.slides) == 3:
        _check_tracker(model, given, missing, x, frames)
    expected = predicted(model, x, np.zeros(len(model.names)), frames)
    kinds = np.array(sensors.kinds)
    for kind in ("position", "rotation", "distance"):
        columns = np.flatnonzero(kinds == kind)
        fine = ~missing[:, columns].any(axis=1) & np.isfinite(expected[:, columns]).all(axis=1)
        if len(columns) == 0 or fine.sum() < 5:
            continue
        for k in columns:
            _refuse_unit(
                given, sensors.columns[k], given.m[fine, k], expected[fine, k], sensors.is_angle(sensors.columns[k])
            )
        if len(columns) > 1:
            names = [sensors.columns[k] for k in columns]
            _refuse_swapped(given, names, given.m[fine][:, columns], expected[fine][:, columns])


def _check_tracker(model: Model, given: Measurements, missing: NDArray[np.bool_], x: Array, frames: Array) -> None:
    """Refuse positions by a tracker that fit with a scale, or with two axes swapped: m = p_T + s R_T p + R_T R p_M."""
    names = list(model.sensors.slides)
    columns = [model.sensors.columns.index(name) for name in names]
    fine = ~missing[:, columns].any(axis=1)
    if fine.sum() < 8:
        return
    m, (p, R) = given.m[fine][:, columns], pose_of(model.robot, x[fine])
    R_T = frames[0, 3:].reshape(3, 3)
    A = np.zeros((len(m), 3, 7))
    A[:, :, :3], A[:, :, 3] = np.eye(3), p @ R_T.T
    if model.sensors.target:
        A[:, :, 4:] = R_T @ R
    rows = A.reshape(-1, 7)

    def fitted(order: tuple[int, ...]) -> tuple[float, float]:
        y = m[:, order].ravel()
        found = np.linalg.lstsq(rows, y, rcond=1e-9)[0]
        return float(found[3]), float(np.linalg.norm(y - rows @ found))

    scale, left = fitted((0, 1, 2))
    if scale > 0.0 and abs(np.log(scale / 1e3)) < _ABOUT:
        hint = f"millimetres? write {names[0]} [mm], or say --units mm"
        raise CalibrationError(given.source, names[0], None, "varies about 1000 times as it should", hint)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        order = [0, 1, 2]
        order[a], order[b] = b, a
        if _BETTER * fitted(tuple(order))[1] < left:
            hint = f"{names[a]} and {names[b]} swapped?"
            raise CalibrationError(given.source, names[a], None, "fits no place of the tracker", hint)


def _refuse_unit(given: Measurements, name: str, measured: Array, expected: Array, turns: bool) -> None:
    """Refuse a column that varies, or is, a thousand or 57 times what it should: millimetres or degrees."""
    factor, unit, word = (180.0 / np.pi, "deg", "degrees") if turns else (1e3, "mm", "millimetres")
    size = np.sqrt((expected**2).mean())
    ratio = float(np.sqrt((measured**2).mean()) / size) if size > 0.0 else 1.0
    spread = float(np.std(measured) / max(float(np.std(expected)), 1e-12 * max(size, 1e-300)))
    if all(abs(np.log(own / factor)) < _ABOUT for own in (ratio, spread)):
        times, hint = factor, f"{word}? write {name} [{unit}], or say --units {unit}"
    elif all(abs(np.log(own * factor)) < _ABOUT for own in (ratio, spread)):
        times, hint = 1.0 / factor, f"not in {word}? write {name} [{'rad' if turns else 'm'}]"
    else:
        return
    raise CalibrationError(given.source, name, None, f"is about {times:.4g} times what the encoders say", hint)


def check_spread(robot: Mechanism, given: Measurements, x: Array) -> None:
    """Refuse poses that are all about the same.

    Raises:
        CalibrationError: How far they differ.
    """
    unit = np.array([1.0 if c.turns else size(robot) or 1.0 for c in robot.platform.coordinates])
    spread = float((np.ptp(x, axis=0) / unit).max())
    if len(x) > 1 and spread < _ALIKE:
        raise CalibrationError(
            given.source,
            "",
            None,
            f"all {len(x)} poses are alike: they differ by {spread:.1e} of the machine's size or rad at most",
            "repeated readings of one pose? gough calibrate ROBOT --plan N says which to measure",
        )
