"""How fast actuators go with the platform, against what is usual for the robot: both kinds of singularity.

Type 2: the actuators do not hold the platform, a singular value of K vanishes. Type 1: a leg is stretched or folded,
the platform cannot move on along it, and a singular value of K grows without bound. Closed forms of legs stop at a sine
of 1e-8 from there, which is what round-off of the pose leaves of it: K stays finite, some 1e8 times what is usual.

K is that on the platform's free rates everywhere here (`RobotPose.free_jacobian`): where two of three turning axes fall
together, the angles of a pose are not told by it, but nothing is wrong with the machine.
"""

from __future__ import annotations

from functools import reduce

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array, Scalar, Vector, absolute, array, logical_and, maximum
from gough.kinematics.programs import turning_length
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.robot import Mechanism, by_mechanism

SINGULAR = 1e6
"""Times more or less than usual at which a pose is near singular; the condition number of K that is too much."""


def scaled(robot: Mechanism, K: Array) -> Array:
    """(N, actuators, n) K with its columns of turns divided by the robot's length, where others slide."""
    turning = np.array([c.turns for c in robot.platform.coordinates])
    return K / np.where(turning, turning_length(robot), 1.0)


def gains(robot: Mechanism, K: Array) -> Array:
    """(N, n) singular values of K (N, actuators, n), scaled, the largest first; NaN where it is not finite."""
    matrices = scaled(robot, K)
    good = np.isfinite(matrices).all(axis=(1, 2))
    found = np.full((len(matrices), min(matrices.shape[1:])), np.nan)
    found[good] = np.linalg.svd(matrices[good], compute_uv=False)
    return found


@by_mechanism(64)
def usual_gain(robot: Mechanism) -> float:
    """Geometric mean of the singular values of K at home; where home is singular, of those that have not vanished."""
    home = robot_pose(robot, ways_of(robot), np.array(robot.platform.home))
    K = np.array(home.free_jacobian(), dtype=float)
    values = gains(robot, K[None])[0]
    return float(np.exp(np.mean(np.log(values[~(values * SINGULAR < values[0])]))))


def stretched(robot: Mechanism, K: Array) -> NDArray[np.bool_]:
    """(N,) whether K (N, actuators, n) is so large that a leg counts as stretched or folded: type 1."""
    with np.errstate(invalid="ignore"):
        return ~(np.abs(scaled(robot, K)).max(axis=(1, 2)) < usual_gain(robot) * SINGULAR)


def surely_regular(robot: Mechanism, K: Vector) -> Scalar:
    """Recorded: True only where K (actuators, n) is well below both limits, so that nobody need look closer.

    The condition number is below `SINGULAR` if the least singular value s of the scaled K is above its Frobenius norm f
    divided by that: if K^T K - (f / SINGULAR)^2 1 has positive pivots. Its round-off is below 1e-15 f^2, which the
    tenth added to the square covers.
    """
    K = scaled(robot, K)
    largest = reduce(maximum, absolute(K).ravel())
    gram = K.T @ K
    least = np.trace(gram) * (1.1 / SINGULAR**2)
    return logical_and(has_pivots_above(gram, least), largest < usual_gain(robot) * (SINGULAR * (1.0 - 1e-9)))


def surely_held(robot: Mechanism, K: Vector) -> Scalar:
    """Recorded: True only where K (actuators, n) is well above the limit of `loose`."""
    K = scaled(robot, K)
    gram = K.T @ K
    return has_pivots_above(gram, 1.1 * (usual_gain(robot) / SINGULAR) ** 2 + np.trace(gram) * 1e-14)


def has_pivots_above(gram: Vector, least: Scalar) -> Scalar:
    """Recorded: whether the symmetric gram (n, n) less `least` times the unit matrix has positive pivots only."""
    n = len(gram)
    rest = array([[gram[i, k] - (least if i == k else 0.0) for k in range(n)] for i in range(n)])
    positive: Scalar = True
    for k in range(n):
        positive = logical_and(positive, rest[k, k] > 0.0)
        for i in range(k + 1, n):
            share = rest[i, k] / rest[k, k]
            for j in range(k + 1, i + 1):
                rest[i, j] = rest[i, j] - share * rest[j, k]
    return positive


def loose(robot: Mechanism, K: Array) -> NDArray[np.bool_]:
    """(N,) whether K (N, actuators, n) is so small in some direction that the platform is not held: type 2."""
    return ~(gains(robot, K)[:, -1] > usual_gain(robot) / SINGULAR)
