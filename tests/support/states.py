"""States for the agreement lane: all over the workspace, near home, and near where the robot is singular."""

import numpy as np

from gough.kinematics import Status, inverse_kinematics
from gough.kinematics.random_states import moving, reachable_poses, scales


def states_everywhere(robot, count, seed):
    """Three fifths over the workspace, a fifth within a thousandth of home, a fifth near the edge."""
    rng = np.random.default_rng(seed)
    near, edge = count // 5, count // 5
    poses = [reachable_poses(robot, count - near - edge, rng), near_home(robot, near, rng), near_edge(robot, edge, rng)]
    return moving(robot, np.concatenate(poses), rng)


def near_home(robot, count, rng):
    """(count, n) poses from 1e-9 to 1e-3 lengths or radians from home; the first is home itself."""
    size = 10.0 ** rng.uniform(-9, -3, (count, 1))
    size[0] = 0.0
    return np.array(robot.platform.home) + size * scales(robot) * rng.uniform(-1, 1, (count, len(robot.platform.home)))


def near_edge(robot, count, rng, closest=1e-3):
    """(count, n) poses on the way from a good pose to one that is out of reach or singular, just before the edge.

    Each is found by bisection; it stops short of the edge by 0.1 to `closest` of the way.
    """
    good = reachable_poses(robot, count, rng)
    way = scales(robot) * rng.normal(size=good.shape)
    inside, outside = np.zeros((count, 1)), np.full((count, 1), 4.0)
    for _ in range(40):
        middle = (inside + outside) / 2
        fine = (inverse_kinematics(robot, good + middle * way).status == Status.FINE)[:, None]
        inside, outside = np.where(fine, middle, inside), np.where(fine, outside, middle)
    before = 10.0 ** rng.uniform(np.log10(closest), -1, (count, 1))
    x = good + inside * (1.0 - before) * way
    fine = inverse_kinematics(robot, x).status == Status.FINE
    return np.where(fine[:, None], x, good)
