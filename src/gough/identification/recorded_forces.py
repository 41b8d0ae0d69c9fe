"""Recordings of a machine's forces along a motion: how the platform moved, and what the actuators gave.

The motion is given by platform poses, with their rates and accelerations or without, or by readings of the actuators:
then the poses that belong to them are solved for. What has no accelerations is smoothed as noise needs it and
differentiated by `gough.motion.smooth`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from gough.brief import brief
from gough.errors import InputError
from gough.graph import Array
from gough.identification.recording_faults import check_poses, check_readings, check_rows, check_values
from gough.kinematics.forward import forward_kinematics
from gough.motion import Motion
from gough.motion.columns import RATES, WRENCH, Columns, array_columns, wrench_rows
from gough.motion.recording import smooth_of
from gough.motion.rows import table_motion
from gough.robot import Mechanism, Robot


@dataclass(frozen=True)
class RecordedForces:
    """Forces of the actuators along a motion, N samples.

    Attributes:
        robot: The robot.
        source: File name, or what stands for it in messages.
        t: (N,) [s].
        x, xd, xdd: (N, n) platform coordinates, rates and accelerations [m or rad, per s, per s^2].
        force: (N, actuators) joint-side, positive along the actuator's displacement [N or N m].
        wrench: (N, 6) known external force and moment on the platform, base axes [N, N m]; None if none.
        smoothing: One line on how the motion was smoothed; empty where it was not.
        given: What the motion was given by: "accelerations", "poses" or "readings".
        rate_noise: (n,) standard deviation of xd that the noise of the rows leaves; None where rates were given.
        again: The same recording with two of its columns exchanged, by their names; to find out what is wrong.
    """

    __repr__ = brief

    robot: Robot
    source: str
    t: Array
    x: Array
    xd: Array
    xdd: Array
    force: Array
    wrench: Array | None = None
    smoothing: str = ""
    given: str = "accelerations"
    rate_noise: Array | None = None
    again: Callable[[str, str], RecordedForces] | None = field(default=None, repr=False, compare=False)

    def __len__(self) -> int:
        """How many samples."""
        return len(self.t)

    def part(self, rows: slice | Array) -> RecordedForces:
        """Some of its samples."""
        own = {name: getattr(self, name)[rows] for name in ("t", "x", "xd", "xdd", "force")}
        return replace(self, **own, wrench=None if self.wrench is None else self.wrench[rows], again=None)


def recorded_forces(
    robot: Robot,
    t: ArrayLike,
    force: ArrayLike,
    x: ArrayLike | None = None,
    xd: ArrayLike | None = None,
    xdd: ArrayLike | None = None,
    q: ArrayLike | None = None,
    wrench: ArrayLike | None = None,
    smooth: str | float = "auto",
    name: str = "recording",
) -> RecordedForces:
    """A recording from arrays; poses x, with rates and accelerations or without, or readings q.

    Args:
        robot: The robot.
        t: (N,) increasing times [s].
        force: (N, actuators) [N or N m].
        x, xd, xdd: (N, n) [m or rad, per s, per s^2].
        q: (N, actuators) displacements of the actuators from their zeros, in place of x [m or rad].
        wrench: (N, 6) known external wrench on the platform at the robot's tool, base axes [N, N m].
        smooth: Where there are no accelerations: "auto", "none" or a cut-off period [s].
        name: For messages.
    Raises:
        MotionError: Wrong shapes; rows that cannot be meant, with the likely cause.
    """
    if (x is None) == (q is None):
        raise InputError("recorded_forces: give either x, the poses, or q, the readings of the actuators")
    if xdd is not None and xd is None:
        raise InputError("recorded_forces: accelerations xdd need rates xd too")
    given = {"force": force, "wrench": wrench, "x": x, "xd": xd, "xdd": xdd, "q": q}
    named = {
        "force": [f"force_{a}" for a in robot.actuator_names],
        "wrench": list(WRENCH),
        "q": [f"q_{a}" for a in robot.actuator_names],
        **{
            key: [rate + c for c in robot.coordinate_names] for key, rate in zip(("x", "xd", "xdd"), RATES, strict=True)
        },
    }
    columns = {"t": np.asarray(t, dtype=float)}
    if columns["t"].ndim != 1:
        raise InputError(f"{name}: t: shape {columns['t'].shape} given, expected (N,)")
    for key, values in given.items():
        if values is None:
            continue
        block = np.asarray(values, dtype=float)
        wanted = (len(columns["t"]), len(named[key]))
        if block.shape != wanted:
            raise InputError(f"{name}: {key}: shape {block.shape} given, expected {wanted}")
        columns |= dict(zip(named[key], block.T, strict=True))
    return from_columns(robot, array_columns(name, columns), smooth)


def from_columns(robot: Robot, rows: Columns, smooth: str | float = "auto") -> RecordedForces:
    """The recording of rows with columns t, force_<actuator>, and poses (with rates or without) or q_<actuator>."""
    check_values(robot, rows)
    t = rows["t"]
    posed = robot.coordinate_names[0] in rows
    given = "readings" if not posed else "accelerations" if any(c.startswith("xdd_") for c in rows.given) else "poses"
    if given == "readings":
        check_readings(robot, rows)
        poses = _poses(robot, rows)
    else:
        poses = _kept(rows, ["t", *_coordinates(robot, rates=given == "accelerations")])
    motion = _motion(robot, poses, given, smooth)
    check_poses(robot, poses)
    x, xd, xdd = motion.law(t)
    force = np.stack([rows[f"force_{a}"] for a in robot.actuator_names], axis=1)

    def again(one: str, other: str) -> RecordedForces:
        return from_columns(robot, _exchanged(rows, one, other), "none" if given == "accelerations" else smooth)

    return RecordedForces(
        robot,
        rows.source,
        t,
        np.asarray(x),
        np.asarray(xd),
        np.asarray(xdd),
        force,
        wrench_rows(rows),
        motion.smoothing,
        given,
        _rate_noise(motion, t),
        again,
    )


def _rate_noise(motion: Motion, t: Array) -> Array | None:
    """(n,) standard deviation of the rates: white noise of the rows, below the cut-off of its smoothing.

    Of noise s of rows d apart, frequencies f below 1 / period keep the density 2 s^2 d, in rates times (2 pi f)^2.
    """
    if motion.recording is None or not any(motion.recording.columns):
        return None
    apart = float(np.median(np.diff(t)))
    found = [c and 2.0 * np.pi * c.noise * np.sqrt(2.0 * apart / (3.0 * c.period**3)) for c in motion.recording.columns]
    return np.array([value or 0.0 for value in found])


def _motion(robot: Mechanism, poses: Columns, given: str, smooth: str | float) -> Motion:
    """The motion through the poses; what the rows themselves are has been looked at before."""
    asked = None if given == "accelerations" else smooth_of(smooth)
    return table_motion(robot, poses, poses.source, smooth=asked)


def _coordinates(robot: Mechanism, rates: bool) -> list[str]:
    return [order + name for order in (RATES if rates else RATES[:1]) for name in robot.coordinate_names]


def _kept(rows: Columns, names: list[str]) -> Columns:
    """Some of the columns."""
    return replace(rows, given={name: rows.given[name] for name in names})


def _exchanged(rows: Columns, one: str, other: str) -> Columns:
    """The rows with two columns, and their rates, under each other's names."""
    new = {order + a: order + b for order in RATES for a, b in ((one, other), (other, one))}
    given = {new.get(name, name): values for name, values in rows.given.items()}
    return replace(rows, given=given, scale={new.get(name, name): scale for name, scale in rows.scale.items()})


def _poses(robot: Robot, rows: Columns) -> Columns:
    """Poses at readings of the actuators: the first from home, each other from the one before it.

    Rows lie close together. All are solved from the pose at the first; those that the path from there does not lead to
    are solved from their neighbour.
    """
    q = np.stack([rows[f"q_{a}"] for a in robot.actuator_names], axis=1)
    check_rows(robot, rows, q)
    first = forward_kinematics(robot, q[:1])
    found = forward_kinematics(robot, q, first.x[0])
    x, status = np.array(found.x), np.array(found.status)
    steps = np.abs(np.diff(x, axis=0))
    usual = 20.0 * np.nanmedian(steps, axis=0) + 1e-9
    doubtful = np.flatnonzero((status[1:] > 1) | (steps > usual).any(axis=1)) + 1
    for row in doubtful.tolist():
        x[row] = forward_kinematics(robot, q[row : row + 1], x[row - 1]).x[0]
    given = {"t": rows["t"], **dict(zip(robot.coordinate_names, x.T, strict=True))}
    return replace(rows, given=given, scale=dict.fromkeys(given, 1.0))
