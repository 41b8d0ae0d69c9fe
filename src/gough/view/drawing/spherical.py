"""Legs whose axes all meet in one point: bent bars on spheres about it, each within the one before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gough.graph import Array
from gough.kinematics.chain import end_point
from gough.kinematics.leg import LegPose
from gough.view import theme
from gough.view.drawing.solids import Ball, Rod, Solid

_MEET = 1e-9
_INWARD = 0.84
"""Radius of a bar beside that of the one before it."""
_STEPS = 14
"""Pieces of a bent bar."""


@dataclass(frozen=True, slots=True)
class Sphere:
    """The bent bars of a leg.

    Attributes:
        centre: (3,) where all axes meet [m].
        axes: (joints, 3) unit vectors from the centre to where each axis meets the bars.
        radii: Radii of the bars, one less than joints, from the base on [m].
    """

    centre: Array
    axes: Array
    radii: Array

    @property
    def foot(self) -> Array:
        """(3,) where the first bar leaves the base."""
        return np.asarray(self.centre + self.axes[0] * self.radii[0])

    @property
    def tip(self) -> Array:
        """(3,) where the last bar meets the platform."""
        return np.asarray(self.centre + self.axes[-1] * self.radii[-1])


def sphere_of(pose: LegPose) -> Sphere | None:
    """The bent bars of a leg of hinges whose axes meet in its end, None for other legs.

    A bar runs on the side of its centre of mass. Its distance from the point says how large the bars are, as that of a
    quarter of a circle.
    """
    leg = pose.leg
    groups = {joint.group or joint.name for joint in leg.joints}
    if any(joint.kind != "R" for joint in leg.joints) or len(groups) < len(leg.joints) or len(leg.joints) < 2:
        return None
    points = np.array([*[link.p for link in pose.links], end_point(leg, pose.links)], dtype=float)
    coms = np.array([link.R @ np.asarray(j.body.com) for link, j in zip(pose.links, leg.joints, strict=True)], float)
    far = np.linalg.norm(coms, axis=1).max()
    if np.abs(points - points[0]).max() > _MEET or far == 0.0:
        return None
    axes = np.array([link.e for link in pose.links], dtype=float)
    sides = [1.0 if coms[0] @ axes[0] >= 0.0 else -1.0]
    sides += [1.0 if com @ e >= 0.0 else -1.0 for com, e in zip(coms, axes[1:], strict=False)]
    radii = far * np.pi / 2**1.5 * _INWARD ** np.arange(len(axes) - 1)
    return Sphere(points[0], axes * np.array(sides)[:, None], radii)


def sphere_solids(pose: LegPose, sphere: Sphere, bar: float, motor: float) -> Iterator[Solid]:
    """Bent bars of radius `bar`, pins along their axes, and a cylinder of radius `motor` for a driven first joint."""
    leg = pose.leg
    for k, radius in enumerate(sphere.radii):
        driven = leg.joints[k].actuated
        line = sphere.centre + radius * _arc(sphere.axes[k], sphere.axes[k + 1])
        colour = theme.DRIVEN if driven else theme.ROD
        for start, end in pairwise(line):
            yield Solid(Rod(start, end, 1.2 * bar), colour, leg.name)
            yield Solid(Ball(end, 1.2 * bar), colour, leg.name)
    ends = [sphere.radii[0] + 3.2 * motor, *sphere.radii, sphere.radii[-1] * _INWARD]
    for k, axis in enumerate(sphere.axes):
        start, end = (sphere.centre + axis * r for r in (ends[k] + 1.5 * bar, ends[k + 1] - 1.5 * bar))
        yield Solid(Rod(start, end, bar), theme.JOINT, leg.name)
    if leg.joints[0].actuated:
        start, end = (sphere.foot + sphere.axes[0] * step * motor for step in (0.8, 2.8))
        yield Solid(Rod(start, end, motor), theme.DRIVEN, leg.name)


def _arc(start: Array, end: Array) -> Array:
    """(_STEPS + 1, 3) unit vectors on the shorter great circle from one to another."""
    angle = float(np.arccos(np.clip(start @ end, -1.0, 1.0)))
    s = np.linspace(0.0, 1.0, _STEPS + 1)[:, None]
    if np.sin(angle) < 1e-6:
        return np.asarray(start + s * (end - start))
    return np.asarray((np.sin((1.0 - s) * angle) * start + np.sin(s * angle) * end) / np.sin(angle))
