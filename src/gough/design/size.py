"""Required force, speed and power of each actuator over an envelope."""

from __future__ import annotations

import numpy as np

from gough.design.envelope import Envelope
from gough.design.search import distinct, polished, scan_points
from gough.design.singular import check_edge, check_singular, nothing_reached
from gough.design.size_result import Requirement, SizeResult
from gough.design.worst import Worst
from gough.errors import InputError, NumericalError
from gough.graph import Array
from gough.robot import Robot

KINDS = ("force+", "force-", "speed", "power")
QUICK = 3
"""With more velocities than this, the poses to start from are chosen by the corners of the velocity box alone."""


def check_linear(robot: Robot) -> None:
    """Refuse robots whose forces keep to limits: over an envelope forces are taken as sums of what causes them.

    Raises:
        InputError: The criterion is not linear.
    """
    if robot.actuation is not None and robot.actuation.limited:
        raise InputError(
            f"size: forces shared by criterion {robot.actuation.criterion!r} keep to limits and have no worst case "
            'over an envelope; size along a motion, or state [actuation] criterion = "least-norm"'
        )


def size(robot: Robot, envelope: Envelope, seeds: tuple[int, ...] = (1, 2), power: int = 11) -> SizeResult:
    """Required force, speed and power of each actuator over an envelope.

    At each pose the worst velocity, acceleration, wrench and payload are exact; the pose is searched (for power, the
    pose and the velocity) by Sobol points, corners and local polish, once for each seed.

    Raises:
        UnboundedError: The envelope touches a singularity.
        NumericalError: No pose of the envelope can be reached.
    """
    check_linear(robot)
    worst = Worst(robot, envelope)
    pose = np.array(envelope.pose)
    wide = np.flatnonzero(pose[:, 1] > pose[:, 0])
    moving = np.flatnonzero(np.array(envelope.velocity) > 0.0)
    m = len(robot.actuators)

    def poses(u: Array) -> Array:
        x = np.tile(pose[:, 0], (len(u), 1))
        x[:, wide] += u[:, : len(wide)] * (pose[wide, 1] - pose[wide, 0])
        return x

    def velocities(u: Array) -> Array:
        v = np.zeros((len(u), len(pose)))
        v[:, moving] = 2.0 * u[:, len(wide) :] - 1.0
        return v / np.maximum(np.linalg.norm(v, axis=1), 1.0)[:, None] if envelope.velocity_ball else v

    runs, strokes, reached, looked, condition = [], [], [], 0, 0.0
    for seed in seeds:
        u = scan_points(len(wide), seed, power)
        w = scan_points(len(wide) + len(moving), seed, power)
        looked += len(u)
        x = poses(u)
        speeds = worst.speeds(x)
        fine = np.all(np.isfinite(speeds), axis=1)
        reached.append(float(fine[: 2**power].mean()))
        if not fine.any():
            raise NumericalError(nothing_reached(robot, x))
        check_edge(worst, x, fine)
        condition = max(condition, check_singular(worst, poses, u, seed))
        forces = worst.forces(x, quick=len(moving) > QUICK)
        powers = worst.powers(poses(w), velocities(w))
        runs.append(
            polished(lambda p, k: worst.columns(poses(p), k), u, forces, seed)
            + polished(lambda p, k: worst.speeds(poses(p))[np.arange(len(p)), k], u, speeds, seed)
            + polished(lambda p, k: worst.powers(poses(p), velocities(p))[np.arange(len(p)), k], w, powers, seed)
        )
        found = polished(
            lambda p, k: worst.displacements(poses(p))[np.arange(len(p)), k], u, worst.displacements(x), seed
        )
        strokes.append([max(o.value for o in optima) for optima in found])
    farthest = np.max(strokes, axis=0)
    requirements = []
    for k in range(4 * m):
        kind, actuator = KINDS[k // m], k % m
        optima = distinct([optimum for run in runs for optimum in run[k]])
        sign = -1.0 if kind == "force-" else 1.0
        listed = tuple((sign * o.value, poses(o.point[None])[0]) for o in optima)
        requirements.append(Requirement(kind, actuator, listed[0][0], listed[0][1], listed))
    by_seed = np.array([[max(o.value for o in found) for found in run] for run in runs])
    return SizeResult(
        robot, envelope, robot.actuator_names, tuple(requirements), 1.0 - float(np.mean(reached)), condition, seeds,
        by_seed, looked, worst.exact, np.stack([-farthest[m:], farthest[:m]], axis=1), worst,
    )  # fmt: skip
