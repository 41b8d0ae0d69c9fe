"""Poses at the end of the straight path in displacements, by Runge-Kutta in tiny steps.

It knows the robot through its inverse kinematics alone: displacements q(x) and K(x) of `kinematics_program`.
"""

import numpy as np

from gough.kinematics.leg import REACH_SLACK
from gough.kinematics.programs import actuator_places, actuator_zeros, characteristic_length, kinematics_program
from gough.kinematics.singularity import scaled

TOLERANCE = 1e-8
"""Error of a step, in lengths or rad."""
SHORTEST = 1e-10
"""A step below this share of the path is at a fold."""


def sizes(robot):
    """(n,) what counts as one in each coordinate: the robot's length, or a radian."""
    turning = [c.motion.startswith("r") for c in robot.platform.coordinates]
    return np.where(turning, 1.0, characteristic_length(robot))


def turning_actuators(robot):
    """(actuators,) whether they turn."""
    return np.array([joint.kind == "R" for leg in robot.legs for joint in leg.joints if joint.actuated])


def way(robot, here, there):
    """(N, actuators) from displacements to displacements, turns by the shorter way."""
    apart = there - here
    return np.where(turning_actuators(robot), (apart + np.pi) % (2 * np.pi) - np.pi, apart)


def read(robot, x):
    """(q, K, fine) at poses x (N, n)."""
    found = kinematics_program(robot, 0)(x=np.ascontiguousarray(x))
    q = found["joint_q"][:, actuator_places(robot)] - actuator_zeros(robot)
    K = found["K"]
    fine = (found["converged"] & (found["short"] <= REACH_SLACK)).all(axis=1) & np.isfinite(K).all(axis=(1, 2))
    held = np.linalg.svd(scaled(robot, np.where(fine[:, None, None], K, 0.0)), compute_uv=False)[:, -1]
    return q, K, fine & (held > 1e-9)


def path_ends(robot, x, q, most=20_000):
    """(N, n) poses at the ends of the paths from x (N, n) to displacements q (N, actuators); NaN where they fold."""
    x = np.array(x, dtype=float)
    here, _, fine = read(robot, x)
    left = way(robot, here, q)
    t, h = np.zeros(len(x)), np.full(len(x), 1e-3)
    ended = np.zeros(len(x), dtype=bool)
    for _ in range(most):
        k = np.flatnonzero(fine & ~ended)
        if not len(k):
            return np.where(ended[:, None], x, np.nan)
        step = np.minimum(h[k], 1.0 - t[k])
        whole, good = _stride(robot, x[k], left[k], step)
        half, good_half = _stride(robot, x[k], left[k], 0.5 * step)
        twice, good_twice = _stride(robot, half, left[k], 0.5 * step)
        with np.errstate(invalid="ignore"):
            error = (np.abs(whole - twice) / sizes(robot)).max(axis=1)
        taken = good & good_half & good_twice & (error <= TOLERANCE)
        at = t[k] + step
        found, close = _corrected(robot, twice, q[k] - left[k] * (1.0 - at)[:, None])
        taken &= close
        x[k[taken]], t[k[taken]] = found[taken], at[taken]
        ended[k[taken & (at >= 1.0)]] = True
        h[k] = np.where(taken, np.minimum(step * 1.5, 0.05), step * 0.4)
        fine[k[~taken & (step < SHORTEST)]] = False
    raise AssertionError(f"{(fine & ~ended).sum()} paths not followed in {most} steps")


def _stride(robot, x, left, h):
    slopes, good = [], np.ones(len(x), dtype=bool)
    for share in (0.0, 0.5, 0.5, 1.0):
        at = x if not slopes else x + slopes[-1] * (share * h)[:, None]
        _, K, fine = read(robot, at)
        good &= fine
        K = np.where(fine[:, None, None], K, np.eye(K.shape[2]))
        slopes.append(np.linalg.solve(K, left[:, :, None])[:, :, 0])
    mean = (slopes[0] + 2 * slopes[1] + 2 * slopes[2] + slopes[3]) / 6
    return x + mean * h[:, None], good


def _corrected(robot, x, q):
    """Newton's method from a pose next to the path, and whether it stayed next to it."""
    start, good = x, np.ones(len(x), dtype=bool)
    for _ in range(3):
        here, K, fine = read(robot, x)
        good &= fine
        K = np.where(fine[:, None, None], K, np.eye(K.shape[2]))
        x = x + np.linalg.solve(K, way(robot, here, q)[:, :, None])[:, :, 0]
    with np.errstate(invalid="ignore"):
        return x, good & ((np.abs(x - start) / sizes(robot)).max(axis=1) <= 100 * TOLERANCE)
