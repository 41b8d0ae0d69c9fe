"""Springs as solids: coils between points and along slides, spirals about turning joints."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from gough.dynamics.springs import anchor_point
from gough.graph import Array
from gough.kinematics.leg import LegPose
from gough.kinematics.robot_pose import RobotPose
from gough.robot import Anchor
from gough.view import theme
from gough.view.drawing.machine_parts import Sizes, mount
from gough.view.drawing.solids import Rod, Solid, across

_TURNS, _STEPS = 6, 6
"""Turns of a coil and pieces of each."""


def spring_solids(pose: RobotPose, sizes: Sizes) -> Iterator[Solid]:
    """All springs: those in the joints of each leg, then those between bodies."""
    for leg in pose.legs:
        for k, joint in enumerate(leg.leg.joints):
            if joint.spring is not None:
                line = _spiral(leg, k, sizes) if joint.turns else _around(leg, k, sizes)
                yield from wire(line, leg.leg.name, sizes)
    for spring in pose.robot.springs:
        first, second = (np.asarray(anchor_point(pose, end), dtype=float) for end in (spring.first, spring.second))
        yield from wire(coil(first, second, sizes.ball), f"spring {spring.name}", sizes)
        for anchor, point in ((spring.first, first), (spring.second, second)):
            yield from _stay(pose, anchor, point, sizes)


def _stay(pose: RobotPose, anchor: Anchor, point: Array, sizes: Sizes) -> Iterator[Solid]:
    """A bar from the origin of the link that holds a spring to the spring's end."""
    leg_name, _, joint_name = anchor.body.partition(".")
    for leg in pose.legs:
        for joint, link in zip(leg.leg.joints, leg.links, strict=True):
            far = float(np.linalg.norm(point - link.p)) > sizes.pin
            if (leg.leg.name, joint.name) == (leg_name, joint_name) and far:
                yield Solid(Rod(np.asarray(link.p, dtype=float), point, 0.6 * sizes.pin), theme.ROD, leg_name)


def coil(start: Array, end: Array, radius: float) -> Array:
    """(points, 3) of a coil from start to end, straight at both [m]."""
    s = np.linspace(0.0, 1.0, _TURNS * _STEPS + 1)
    length = float(np.linalg.norm(end - start))
    u = (end - start) / length if length > 0.0 else np.array([0.0, 0.0, 1.0])
    a, b = across(u)
    turn = 2 * np.pi * _TURNS * s[:, None]
    line = start + (0.15 + 0.7 * s[:, None]) * (end - start) + radius * (np.cos(turn) * a + np.sin(turn) * b)
    return np.vstack([start, line, end])


def _around(leg: LegPose, k: int, sizes: Sizes) -> Array:
    """A coil along a slide, wide enough to be seen about it."""
    return coil(mount(leg, k), np.asarray(leg.links[k].p, dtype=float), 1.3 * sizes.ball)


def _spiral(leg: LegPose, k: int, sizes: Sizes) -> Array:
    """A flat spiral about a turning joint's axis, beside its pin."""
    e, centre = np.asarray(leg.links[k].e, dtype=float), np.asarray(leg.links[k].p, dtype=float)
    x = np.asarray(leg.links[k].R, dtype=float)[:, int(np.argmin(np.abs(leg.leg.joints[k].axis)))]
    a = x - e * (e @ x)
    a = a / np.linalg.norm(a)
    turn = np.linspace(0.0, 4 * np.pi, 4 * _STEPS + 1)[:, None]
    radius = sizes.pin + (1.6 * sizes.motor - sizes.pin) * turn / turn[-1]
    return np.asarray(centre + e * sizes.ball + radius * (np.cos(turn) * a + np.sin(turn) * np.cross(e, a)))


def wire(line: Array, owner: str, sizes: Sizes, colour: str = theme.SPRING) -> Iterator[Solid]:
    """Short bars along points (n, 3); where two fall together there is none to see, but one to count."""
    tiny = np.array([0.0, 0.0, 1e-6 * sizes.extent])
    for start, end in pairwise(line):
        apart = float(np.linalg.norm(end - start)) > float(tiny[2])
        yield Solid(Rod(start, end if apart else start + tiny, 0.35 * sizes.pin), colour, owner)
