"""Measured values against the robot of the file: columns in the wrong place, poses that hardly differ."""

from __future__ import annotations

import numpy as np

from gough.calibration.faults import CalibrationError
from gough.calibration.measurements import Measurements
from gough.graph import Array
from gough.kinematics.forward.forward_kinematics import forward_kinematics
from gough.kinematics.inverse import inverse_kinematics
from gough.motion.faults import size
from gough.robot import Robot

_BETTER = 20.0
"""By how much a column must fit another's place better than its own to be called misplaced."""
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


def check_spread(robot: Robot, given: Measurements, x: Array) -> None:
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
