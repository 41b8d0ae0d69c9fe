"""Rays of poses in which a head with two turning coordinates, about x and y, leans further and further.

The normal n by the two coordinates alone turns about an axis k in the base's x-y plane, n = Rot(k, t) n0, and the
coordinates follow from it: n = Ry(b) Rx(a) z = (sin b cos a, -sin a, cos b cos a), or, with the turn about x first,
n = Rx(a) Ry(b) z = (sin b, -sin a cos b, cos a cos b). Other coordinates are held, dependent ones follow. A dependent
turn about z before or after the two, the torsion, leaves the angle between normal and z as it is; one before them turns
the direction to which the platform leans, which is told as it is at the end of a ray.
"""

from __future__ import annotations

import numpy as np

from gough.graph import Array, Scalar, Vector, array, atan2, cos, sin, sqrt
from gough.graph.triples import rotation_about
from gough.kinematics.dependent.values import dependent_coordinates
from gough.robot import Mechanism, Platform, by_mechanism
from gough.robot.leg_values import IDENTITY
from gough.workspaces.conditions import Conditions
from gough.workspaces.rays import Rays, RayTracer, straight


def leans(platform: Platform) -> bool:
    """Whether two coordinates, about x and y, lean the platform, and torsion about z, if any, is before or after."""
    free = {c.motion for c in platform.coordinates if c.turns}
    order = [c.motion for c in platform.all_coordinates if c.turns]
    between = len(order) == 3 and order[1] == "rz"
    return free == {"rx", "ry"} and not between and platform.rotation == IDENTITY


class LeanTracer(RayTracer):
    """Follows poses that lean; a ray is a pose and the axis k about which the normal turns."""

    def _coordinates(self, t: Scalar, ray: Vector) -> Vector:
        platform = self.equations.robot.platform
        n = len(platform.coordinates)
        a, b, y_first = _places(platform)
        x = [ray[k] for k in range(n)]
        start = _normal(x[a], x[b], y_first)
        u, v, w = array(rotation_about((ray[n], ray[n + 1], 0.0), cos(t), sin(t))) @ array(start)
        if y_first:
            x[a], x[b] = atan2(-v, sqrt(u * u + w * w)), atan2(u, w)
        else:
            x[a], x[b] = atan2(-v, w), atan2(u, sqrt(v * v + w * w))
        return array(x)


def lean_rays(robot: Mechanism, x: Array, azimuth: Array) -> Rays:
    """From the pose x towards directions (N,), as far as the normal stays above the base's x-y plane."""
    a, b, y_first = _places(robot.platform)
    axes = np.zeros((len(azimuth), len(x)))
    axes[:, 0], axes[:, 1] = -np.sin(azimuth), np.cos(azimuth)
    upright = float(np.clip(_normal(x[a], x[b], y_first)[2], -1.0, 1.0))
    return straight(x, axes, max(np.pi / 2 - np.arccos(upright), 0.0))


def leant_to(robot: Mechanism, tracer: LeanTracer, rays: Rays, t: Array) -> Array:
    """(N,) directions to which the platform has leant at t (N,) of rays, torsion included [rad, from 0 to 2 pi]."""
    a, b, y_first = _places(robot.platform)
    torsion = [k for k, c in enumerate(robot.platform.dependent) if c.motion == "rz"]
    before = bool(torsion) and next(c for c in robot.platform.all_coordinates if c.turns).motion == "rz"
    ends = []
    for far in (np.zeros(len(rays)), t):
        x = np.array([tracer._coordinates(at, ray) for at, ray in zip(far, rays.values, strict=True)], dtype=float)
        u, v, _ = np.array([_normal(row[a], row[b], y_first) for row in x], dtype=float).T
        turned = dependent_coordinates(robot, x)[0][:, torsion[0]] if before else np.zeros(len(x))
        ends.append([np.cos(turned) * u - np.sin(turned) * v, np.sin(turned) * u + np.cos(turned) * v])
    (u0, v0), (u1, v1) = ends
    return np.asarray(np.arctan2(v1 - v0, u1 - u0) % (2.0 * np.pi))


def _places(platform: Platform) -> tuple[int, int, bool]:
    """Of the turns about x and y among the coordinates, and whether that about y comes first."""
    motions = [c.motion for c in platform.coordinates]
    a, b = motions.index("rx"), motions.index("ry")
    return a, b, b < a


def _normal(a: Scalar, b: Scalar, y_first: bool) -> tuple[Scalar, Scalar, Scalar]:
    """The platform's z axis after turns a about x and b about y."""
    if y_first:
        return sin(b) * cos(a), -sin(a), cos(b) * cos(a)
    return sin(b), -sin(a) * cos(b), cos(a) * cos(b)


@by_mechanism(32)
def lean_tracer(robot: Mechanism, conditions: Conditions) -> LeanTracer:
    """The tracer of a head under conditions."""
    return LeanTracer(robot, conditions)
