"""Where the search starts: poses, and frames of a tracker and of a target that nobody has measured."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.calibration.calibration_error import CalibrationError
from gough.calibration.model import Model
from gough.calibration.nearest_poses import nearest_poses
from gough.calibration.sensors import Sensors, measured_rotation
from gough.graph import Array
from gough.kinematics.forward.forward_kinematics import forward_kinematics
from gough.kinematics.inverse import inverse_kinematics
from gough.kinematics.status import Status
from gough.robot import Mechanism

IDENTITY = np.array([0.0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1])


def first_poses(model: Model, m: Array, missing: NDArray[np.bool_], place: Callable[[int], str]) -> Array:
    """(N, n) measured poses where they are whole and of the robot's own frame, else those of the file's robot.

    Args:
        model: The robot and its sensors.
        m: (N, columns) measured values.
        missing: (N, columns) True where nothing was measured.
        place: Where a row of them is in its file, for messages.
    Raises:
        CalibrationError: Neither encoders nor measured poses say where the platform is.
    """
    robot, sensors = model.robot, model.sensors
    names = robot.coordinate_names
    x = np.tile(np.array(robot.platform.home), (len(m), 1))
    own = not (sensors.tracker or sensors.target)
    given = [name in sensors.columns for name in names]
    known: Any = np.zeros(len(m), dtype=bool)
    if own and any(given):
        columns = [sensors.columns.index(name) for name in names if name in sensors.columns]
        values = np.where(missing[:, columns], x[:, given], m[:, columns])
        x[:, given] = values
        known = ~missing[:, columns].any(axis=1) if all(given) else known
        known &= np.asarray(inverse_kinematics(robot, x).status <= Status.NEAR_SINGULAR)
    if known.all():
        return x
    encoders = [sensors.columns.index(name) for name in sensors.encoders]
    lacking = ~known & (missing[:, encoders].any(axis=1) | (len(encoders) < len(robot.actuators)))
    if lacking.any():
        row = int(np.argmax(lacking))
        raise CalibrationError(place(row), "", None, "needs all encoder readings or a whole pose")
    guess = x.copy()
    unreached = np.asarray(inverse_kinematics(robot, guess).status > Status.NEAR_SINGULAR)
    guess[unreached] = robot.platform.home
    if len(encoders) > robot.dof:
        found = nearest_poses(model, m[:, encoders], np.zeros(len(model.names)))
    else:
        found = forward_kinematics(robot, m[:, encoders], guess).x
    lost = ~known & ~np.isfinite(found).all(axis=1)
    x[~known & ~lost] = found[~known & ~lost]
    if lost.any():
        row = int(np.argmax(lost))
        hint = "is it the right robot file? are units and order of the columns right?"
        raise CalibrationError(place(row), "", None, "the robot of the file has no pose at its encoder readings", hint)
    return x


def pose_of(robot: Mechanism, x: Array) -> tuple[Array, Array]:
    """Positions (N, 3) and rotations (N, 3, 3) of the platform from its origin pose, dependent coordinates too."""
    from gough.kinematics.dependent.values import dependent_coordinates

    follows = dependent_coordinates(robot, x)[0]
    p, R = np.zeros((len(x), 3)), np.zeros((len(x), 3, 3))
    coordinates = robot.platform.all_coordinates
    sequence = "".join(c.motion[1] for c in coordinates if c.turns)
    for k in range(len(x)):
        values = robot.platform.in_order(x[k], follows[k])
        angles = [v for v, c in zip(values, coordinates, strict=True) if c.turns]
        R[k] = np.asarray(measured_rotation(sequence, angles), dtype=float)
        for value, c in zip(values, coordinates, strict=True):
            if not c.turns:
                p[k, "xyz".index(c.motion)] = value
    return p, R


def first_frames(robot: Mechanism, sensors: Sensors, m: Array, missing: NDArray[np.bool_], x: Array) -> Array:
    """(2, 12) frames of tracker and target that bring the file's poses x near what was measured."""
    frames = np.stack([IDENTITY, IDENTITY])
    if not (sensors.tracker or sensors.target):
        return frames
    p, R = pose_of(robot, x)
    R_T, R_M = np.eye(3), np.eye(3)
    if sensors.whole_rotation:
        columns = [sensors.columns.index(name) for name in sensors.turns]
        fine = ~missing[:, columns].any(axis=1)
        measured = np.array(
            [np.asarray(measured_rotation(sensors.sequence, row), dtype=float) for row in m[fine][:, columns]]
        )
        R_T, R_M = _two_rotations(measured, R[fine], sensors.tracker, sensors.target)
    elif sensors.tracker:
        R_T = _rotation_of_points(sensors, m, missing, p, R)
    frames[0, 3:], frames[1, 3:] = R_T.ravel(), R_M.ravel()
    if len(sensors.slides) == 3:
        columns = [sensors.columns.index(name) for name in sensors.slides]
        fine = ~missing[:, columns].any(axis=1)
        frames[0, :3], frames[1, :3] = _two_shifts(m[fine][:, columns], p[fine], R[fine], R_T, sensors)
    elif sensors.points and sensors.tracker:
        seen, own = _points(sensors, m, missing, p, R)
        frames[0, :3] = (seen - own @ R_T.T).mean(axis=0)
    return frames


def _two_rotations(measured: Array, R: Array, tracker: bool, target: bool) -> tuple[Array, Array]:
    """R_T and R_M with measured = R_T R R_M, from the linear equations R_T^T measured = R R_M."""
    if not tracker:
        return np.eye(3), _nearest_rotation(np.einsum("nji,njk->ik", R, measured))
    if not target:
        return _nearest_rotation(np.einsum("nij,nkj->ik", measured, R)), np.eye(3)
    rows = [np.hstack([np.kron(M.T, np.eye(3)), -np.kron(np.eye(3), own)]) for M, own in zip(measured, R, strict=True)]
    _, _, V = np.linalg.svd(np.vstack(rows), full_matrices=False)
    first, second = (V[-1, 9 * k : 9 * k + 9].reshape(3, 3, order="F") for k in range(2))
    sign = np.sign(np.linalg.det(first)) or 1.0
    return _nearest_rotation(sign * first).T, _nearest_rotation(sign * second)


def _two_shifts(measured: Array, p: Array, R: Array, R_T: Array, sensors: Sensors) -> tuple[Array, Array]:
    """p_T and p_M with measured = p_T + R_T (p + R p_M), by linear least squares; zero for what is known."""
    count = len(p)
    A = np.zeros((count, 3, 6))
    if sensors.tracker:
        A[:, :, :3] = np.eye(3)
    if sensors.target:
        A[:, :, 3:] = R_T @ R
    found: Any = np.linalg.lstsq(A.reshape(-1, 6), (measured - p @ R_T.T).ravel(), rcond=1e-6)[0]
    return found[:3], found[3:]


def _points(sensors: Sensors, m: Array, missing: NDArray[np.bool_], p: Array, R: Array) -> tuple[Array, Array]:
    """Measured places and those of the file's robot (k, 3) of all whole points, the platform's origin too."""
    seen, own = [], []
    triples = [(list(sensors.slides), np.zeros(3))] if len(sensors.slides) == 3 else []
    triples += [([f"{point.name}.{a}" for a in "xyz"], np.array(point.place)) for point in sensors.points]
    for names, place in triples:
        if all(name in sensors.columns for name in names):
            columns = [sensors.columns.index(name) for name in names]
            fine = ~missing[:, columns].any(axis=1)
            seen.append(m[fine][:, columns])
            own.append(p[fine] + R[fine] @ place)
    return np.concatenate(seen), np.concatenate(own)


def _rotation_of_points(sensors: Sensors, m: Array, missing: NDArray[np.bool_], p: Array, R: Array) -> Array:
    seen, own = _points(sensors, m, missing, p, R)
    return _nearest_rotation((seen - seen.mean(axis=0)).T @ (own - own.mean(axis=0)))


def _nearest_rotation(A: Array) -> Array:
    U, _, V = np.linalg.svd(A)
    return np.asarray(U @ np.diag([1.0, 1.0, float(np.sign(np.linalg.det(U @ V)))]) @ V)
