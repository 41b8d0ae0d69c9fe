"""The workspace of six extending legs in closed form: each keeps the platform's origin in a spherical shell."""

import numpy as np


def shell_centres(robot, R):
    """(6, 3) centres of the shells for the orientation R: a_i - R b_i."""
    a = np.array([leg.position for leg in robot.legs])
    b = np.array([leg.end.platform_point for leg in robot.legs])
    return a - b @ np.asarray(R).T


def exits(robot, p, R, directions, stroke):
    """(N,) how far unit directions (N, 3) go from p until a leg is at an end of its stroke, by quadratic equations."""
    low, high = stroke
    first = np.full(len(directions), np.inf)
    for centre in shell_centres(robot, R):
        d = np.asarray(p) - centre
        b, dd = directions @ d, d @ d
        first = np.minimum(first, -b + np.sqrt(b * b - dd + high * high))
        inner = b * b - dd + low * low
        t = -b - np.sqrt(np.where(inner >= 0.0, inner, np.nan))
        first = np.where((inner >= 0.0) & (t > 0.0), np.minimum(first, t), first)
    return first


def contains(robot, points, R, stroke):
    """(N,) whether points (N, 3) are within all shells."""
    far = np.linalg.norm(np.asarray(points)[:, None] - shell_centres(robot, R), axis=2)
    return ((far > stroke[0]) & (far < stroke[1])).all(axis=1)
