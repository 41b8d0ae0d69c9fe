"""The same motion of one platform in the coordinates of two robots."""

from __future__ import annotations

import numpy as np

from gough import State
from gough.kinematics import inverse_kinematics


def moved(platform, y, yd, ydd):
    """Position, rotation, (6,) twist and (6,) acceleration of P at all coordinates of a platform."""
    R0 = np.array(platform.rotation)
    p, R = np.array(platform.position), R0
    twist, second, w = np.zeros(6), np.zeros(6), np.zeros(3)
    for c, q, qd, qdd in zip(platform.all_coordinates, y, yd, ydd, strict=True):
        unit = np.eye(3)["xyz".index(c.motion[-1])]
        if c.turns:
            axis = R @ unit
            second[3:] += axis * qdd + np.cross(w, axis) * qd
            w = w + axis * qd
            twist[3:] = w
            K = np.cross(unit, np.eye(3)).T
            R = R @ (np.eye(3) + np.sin(q) * K + (1 - np.cos(q)) * K @ K)
        else:
            axis = R0 @ unit
            p, twist[:3], second[:3] = p + axis * q, twist[:3] + axis * qd, second[:3] + axis * qdd
    return p, R, twist, second


def in_coordinates_of(other, robot, x, xd, xdd):
    """(N, n) coordinates, rates and accelerations of `other` in which its platform moves as that of `robot`."""
    solved = inverse_kinematics(robot, State(x, xd, xdd))
    found = []
    for k in range(len(x)):
        state = [x[k], xd[k], xdd[k]]
        if robot.platform.dependent:
            more = (solved.dependent[k], solved.dependent_xd[k], solved.dependent_xdd[k])
            state = [robot.platform.in_order(a, b) for a, b in zip(state, more, strict=True)]
        found.append(_coordinates(other.platform, *moved(robot.platform, *state)))
    return tuple(np.array([state[part] for state in found]) for part in range(3))


def _coordinates(platform, p, R, twist, second):
    R0 = np.array(platform.rotation)
    t, T = R0.T @ (p - np.array(platform.position)), R0.T @ R
    turning = [c.motion for c in platform.all_coordinates if c.turns]
    assert turning == [m for m in ("rz", "ry", "rx") if m in turning]
    yaw = np.arctan2(T[1, 0], T[0, 0])
    pitch = np.arctan2(-T[2, 0], np.hypot(T[0, 0], T[1, 0]))
    roll = np.arctan2(T[2, 1], T[2, 2])
    values = {"x": t[0], "y": t[1], "z": t[2], "rz": yaw, "ry": pitch, "rx": roll}
    y = np.array([values[c.motion] for c in platform.all_coordinates])
    zero = np.zeros(len(y))
    S = np.stack([moved(platform, y, row, zero)[2] for row in np.eye(len(y))], axis=1)
    yd = np.linalg.lstsq(S, twist, rcond=None)[0]
    drift = moved(platform, y, yd, zero)[3]
    ydd = np.linalg.lstsq(S, second - drift, rcond=None)[0]
    np.testing.assert_allclose(S @ yd, twist, atol=1e-12 * np.abs(twist).max())
    own = [k for k, c in enumerate(platform.all_coordinates) if c in platform.coordinates]
    return y[own], yd[own], ydd[own]
