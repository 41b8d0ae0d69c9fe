"""A leg followed from home in many small steps: rotations, Jacobian and Newton's method written out here, in NumPy."""

import numpy as np

TURN = np.array(
    [[[0, 0, 0], [0, 0, -1], [0, 1, 0]], [[0, 0, 1], [0, 0, 0], [-1, 0, 0]], [[0, -1, 0], [1, 0, 0], [0, 0, 0]]]
)


def turned(axis, angle):
    """(N, 3, 3) rotations about a unit axis (3,) by angles (N,)."""
    K = np.einsum("i,ijk->jk", np.asarray(axis, float), TURN)
    s, c = np.sin(angle)[:, None, None], np.cos(angle)[:, None, None]
    return np.eye(3) + s * K + (1 - c) * (K @ K)


def target(robot, leg, x):
    """Position (N, 3) and orientation (N, 3, 3) of the leg's end at poses x (N, n)."""
    platform = robot.platform
    p = np.broadcast_to(np.array(platform.position), (len(x), 3)).copy()
    origin = np.array(platform.rotation)
    R = np.broadcast_to(origin, (len(x), 3, 3))
    for k, coordinate in enumerate(platform.coordinates):
        axis = np.eye(3)["xyz".index(coordinate.motion[-1])]
        if coordinate.motion.startswith("r"):
            R = R @ turned(axis, x[:, k])
        else:
            p = p + np.outer(x[:, k], origin @ axis)
    return p + R @ np.array(leg.end.platform_point), R @ np.array(leg.end.platform_rotation)


def chain(leg, u):
    """Geometry of the leg at independent coordinates u (N, m): end point, end rotation, Jacobian."""
    own = [k for k, joint in enumerate(leg.joints) if joint.mimic is None]
    count = len(u)
    frames, axes = {-1: (np.broadcast_to(np.array(leg.rotation), (count, 3, 3)), np.array(leg.position))}, {}
    for k, joint in enumerate(leg.joints):
        if joint.mimic is None:
            q = u[:, own.index(k)]
        else:
            q = joint.mimic.ratio * u[:, own.index(joint.mimic.joint)] + joint.mimic.offset
        R, p = frames[joint.parent]
        p, R = p + R @ np.array(joint.offset), R @ np.array(joint.rotation)
        axes[k] = R @ np.array(joint.axis)
        frames[k] = (R, p + axes[k] * q[:, None]) if joint.kind == "P" else (R @ turned(joint.axis, q), p)
    R, p = frames[leg.end.joint]
    end = p + R @ np.array(leg.end.point)
    J = np.zeros((count, 6, len(own)))
    k = leg.end.joint
    while k >= 0:
        joint = leg.joints[k]
        column, ratio = (
            (own.index(k), 1.0) if joint.mimic is None else (own.index(joint.mimic.joint), joint.mimic.ratio)
        )
        if joint.kind == "P":
            J[:, :3, column] += ratio * axes[k]
        else:
            J[:, :3, column] += ratio * np.cross(axes[k], end - frames[k][1])
            J[:, 3:, column] += ratio * axes[k]
        k = joint.parent
    return end, R @ np.array(leg.end.rotation), J


def error(leg, u, p_end, R_end):
    """Closure error (N, e) and Jacobian (N, e, m)."""
    end, R, J = chain(leg, u)
    gap = end - p_end
    if leg.end.kind == "spherical":
        return gap, J[:, :3]
    turn = 0.5 * np.cross(R_end, R, axis=1).sum(axis=2)
    return np.concatenate([gap, turn], axis=1), J


def track(robot, k, home, x, steps):
    """Coordinates of leg k (N, m) at poses x (N, n), and whether the way from home (m,) passed no fold (N,).

    It has folded where a Newton step is much larger than so small a step of the pose makes it.
    """
    leg = robot.legs[k]
    at = np.array(robot.platform.home)
    u = np.broadcast_to(np.asarray(home, float), (len(x), len(home))).copy()
    alive = np.ones(len(x), bool)
    for i in range(1, steps + 1):
        rows = np.flatnonzero(alive)
        p_end, R_end = target(robot, leg, at + (x[rows] - at) * (i / steps))
        for turn in range(2):
            e, J = error(leg, u[rows], p_end, R_end)
            square = J.shape[1] == J.shape[2]
            step = -(np.linalg.solve(J, e[:, :, None]) if square else np.linalg.pinv(J) @ e[:, :, None])
            size = np.abs(step[:, :, 0]).max(axis=1)
            good = np.isfinite(size) & (size < (0.05, 0.005)[turn])
            u[rows[good]] += step[good, :, 0]
            alive[rows[~good]] = False
            rows, p_end, R_end = rows[good], p_end[good], R_end[good]
    return u, alive
