"""A platform with six coordinates: three slides and three turns, batched over samples, component first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.peers.vectors import Array, cross, turned, turned_back
from gough.robot import Robot


@dataclass(frozen=True, slots=True)
class PlatformMotion:
    """Origin p (3, n), rotation R (3, 3, n), twist v, w, its rate a, wd, all in base axes."""

    p: Array
    R: Array
    v: Array
    w: Array
    a: Array
    wd: Array


def axis_index(motion: str) -> int:
    return "xyz".index(motion[-1])


def check(robot: Robot) -> None:
    """These peers know platforms x y z and three turns, from the base's own frame."""
    platform = robot.platform
    motions = [c.motion for c in platform.coordinates]
    if motions[:3] != ["x", "y", "z"] or not all(m.startswith("r") for m in motions[3:]) or len(motions) != 6:
        raise ValueError(f"{robot.name}: the peers know x, y, z and three turns")
    if platform.position != (0.0, 0.0, 0.0) or not np.array_equal(platform.rotation, np.eye(3)):
        raise ValueError(f"{robot.name}: the peers know platforms that start at the base's frame")


def platform_motion(robot: Robot, x: Array, xd: Array, xdd: Array) -> PlatformMotion:
    """The motion at x, xd, xdd (6, n)."""
    n = x.shape[1]
    cosines, sines = np.cos(x[3:]), np.sin(x[3:])
    R: Array | None = None
    w, wd = np.zeros((3, n)), np.zeros((3, n))
    for k, coordinate in enumerate(robot.platform.coordinates[3:]):
        i = axis_index(coordinate.motion)
        j, l = (i + 1) % 3, (i + 2) % 3
        c, s = cosines[k], sines[k]
        if R is None:
            w[i], wd[i] = xd[3], xdd[3]
            R = np.zeros((3, 3, n))
            R[i, i], R[j, j], R[l, l], R[l, j], R[j, l] = 1.0, c, c, s, -s
            continue
        e = R[:, i]
        rate = e * xd[3 + k]
        wd = wd + e * xdd[3 + k] + cross(w, rate)
        w = w + rate
        R, before = R.copy(), R
        R[:, j] = before[:, j] * c + before[:, l] * s
        R[:, l] = before[:, l] * c - before[:, j] * s
    assert R is not None
    return PlatformMotion(x[:3], R, xd[:3], w, xdd[:3], wd)


def platform_wrench(robot: Robot, motion: PlatformMotion) -> tuple[Array, Array]:
    """Force and moment about P's origin (3, n) that the platform's own motion and weight take."""
    body = robot.platform.body
    xx, yy, zz, xy, xz, yz = body.inertia
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])[..., None]
    fall = motion.a - np.array(robot.gravity)[:, None]
    w, wd = turned_back(motion.R, motion.w), turned_back(motion.R, motion.wd)
    moment = turned(tensor, wd) + cross(w, turned(tensor, w))
    if any(body.com):
        com = np.array(body.com)[:, None]
        offset = cross(wd, com) + cross(w, cross(w, com))
        moment = moment + body.mass * cross(com, offset + turned_back(motion.R, fall))
        fall = fall + turned(motion.R, offset)
    return body.mass * fall, turned(motion.R, moment)
