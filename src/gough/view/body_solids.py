"""The base and the platform as solids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gough.kinematics.leg import LegPose
from gough.kinematics.robot_pose import RobotPose
from gough.view import theme
from gough.view.leg_solids import guide, mount
from gough.view.sizes import Sizes
from gough.view.solids import Array, Ball, Rod, Solid, plate, unit

_FLAT = 0.15


def platform_solids(pose: RobotPose, sizes: Sizes, up: Array) -> Iterator[Solid]:
    """A plate behind the platform's joints, seen from the legs, and a post to each; in a flat machine pins."""
    points = np.array([pose.platform.p_BP + leg.r_end for leg in pose.legs], dtype=float)
    feet = np.array([mount(leg, 0) for leg in pose.legs])
    normal = plane(points, pose.platform.R_BP[:, 2])
    height = float((points.mean(0) - feet.mean(0)) @ normal)
    beside = abs(height) < 0.05 * sizes.extent
    away = normal * np.sign((normal @ up or 1.0) if beside else height)
    middle = points.mean(0) + away * (sizes.ball + sizes.plate / 2)
    flat = points - np.outer((points - middle) @ normal, normal)
    yield Solid(plate(flat, normal, sizes.plate, 1.3 * sizes.ball), theme.PLATFORM, "platform")
    for point, foot in zip(points, flat, strict=True):
        if beside:
            yield Solid(Rod(point, foot + away * 0.8 * sizes.plate, sizes.pin), theme.JOINT, "platform")
        else:
            yield Solid(Rod(point, foot, 1.3 * sizes.pin), theme.PLATFORM, "platform")


def base_solids(pose: RobotPose, sizes: Sizes, up: Array) -> Iterator[Solid]:
    """A plate under the joints that stand on the base, a frame through the ends of guide-ways."""
    centre = np.asarray(pose.platform.p_BP, dtype=float)
    guides = [guide(leg, k, sizes, centre).far for leg in pose.legs for k in grounded(leg, "P")]
    joints = np.array([mount(leg, k) for leg in pose.legs for k in grounded(leg, "R")])
    if len(guides):
        yield from _frame(np.array(guides), sizes, up)
    if len(joints):
        yield from _pedestal(joints, centre, sizes, up)


def grounded(leg: LegPose, kind: str) -> list[int]:
    """Joints of one kind that the base carries."""
    return [k for k, joint in enumerate(leg.leg.joints) if joint.parent < 0 and joint.kind == kind]


def plane(points: Array, otherwise: Any) -> Array:
    """Unit normal of the plane through points (n, 3), on the side of `otherwise`, which is it where they have none."""
    side = unit(otherwise)
    if len(points) < 3:
        return side
    _, spread, axes = np.linalg.svd(points - points.mean(0))
    if spread[1] < 1e-6 * spread[0] or spread[2] > _FLAT * spread[1]:
        return side
    normal = np.asarray(axes[2])
    return normal if normal @ side >= 0 else -normal


def _frame(ends: Array, sizes: Sizes, up: Array) -> Iterator[Solid]:
    middle = ends.mean(0)
    normal = plane(ends, up)
    first = ends[0] - middle
    second = np.cross(normal, first)
    order = np.argsort([np.arctan2((p - middle) @ second, (p - middle) @ first) for p in ends])
    for start, end in zip(ends[order], ends[np.roll(order, -1)], strict=True):
        yield Solid(Ball(start, 0.6 * sizes.motor), theme.BASE, "base")
        if np.linalg.norm(end - start) > 0:
            yield Solid(Rod(start, end, 0.6 * sizes.motor), theme.BASE, "base")


def _pedestal(joints: Array, centre: Array, sizes: Sizes, up: Array) -> Iterator[Solid]:
    normal = plane(joints, up)
    height = float((centre - joints.mean(0)) @ normal)
    away = -normal if height > -0.05 * sizes.extent else normal
    lift = 1.2 * sizes.motor + sizes.plate / 2
    feet = joints + away * lift
    yield Solid(plate(feet, normal, sizes.plate, 1.4 * sizes.motor), theme.BASE, "base")
    for joint, foot in zip(joints, feet, strict=True):
        yield Solid(Rod(foot, joint, 0.5 * sizes.motor), theme.BASE, "base")
