"""What legs stand on and what they carry: the base and the platform as solids."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from gough.graph import Array
from gough.kinematics.leg import LegPose
from gough.kinematics.robot_pose import RobotPose
from gough.view import theme
from gough.view.drawing.machine_parts import Sizes, guide, mount
from gough.view.drawing.solids import Ball, Rod, Solid, hull, plate, unit
from gough.view.drawing.spherical import Sphere, sphere_of

_FLAT = 0.15


def platform_solids(pose: RobotPose, sizes: Sizes, up: Array) -> Iterator[Solid]:
    """A plate behind the platform's joints, seen from the legs, and a post to each; in a flat machine pins."""
    points = np.array([pose.platform.p_BP + leg.r_end for leg in pose.legs], dtype=float)
    spheres = [sphere for leg in pose.legs if (sphere := sphere_of(leg)) is not None]
    if len(spheres) == len(points):
        yield from _hub(spheres, sizes)
        return
    if _is_solid(points):
        yield Solid(hull(points), theme.PLATFORM, "platform")
        return
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


def _hub(spheres: list[Sphere], sizes: Sizes) -> Iterator[Solid]:
    """What turns about the point where bent bars meet, with an arm to each."""
    yield Solid(Ball(spheres[0].centre, 2.2 * sizes.ball), theme.PLATFORM, "platform")
    for sphere in spheres:
        arm = sphere.centre + 0.84 * (sphere.tip - sphere.centre)
        yield Solid(Rod(sphere.centre, arm, 1.6 * sizes.pin), theme.PLATFORM, "platform")


def _is_solid(points: Array) -> bool:
    """Whether points (n, 3) span a body of some height in every direction, as the corners of a box do."""
    spread = np.linalg.svd(points - points.mean(0), compute_uv=False)
    return len(points) > 5 and bool(spread[2] > 0.5 * spread[0])


def base_solids(pose: RobotPose, sizes: Sizes, up: Array) -> Iterator[Solid]:
    """A plate under the joints that stand on the base, a frame through the ends of guide-ways, arms to one or two."""
    centre = np.asarray(pose.platform.p_BP, dtype=float)
    rails = [guide(leg, k, sizes, centre) for leg in pose.legs for k in grounded(leg, "P")]
    guides = [rail.far for rail in rails]
    joints = np.array([mount(leg, k) for leg in pose.legs for k in grounded(leg, "R")])
    masts = [np.asarray(leg.leg.position, dtype=float) for leg in pose.legs if leg.leg.cable is not None]
    spheres = [sphere for leg in pose.legs if (sphere := sphere_of(leg)) is not None]
    motors = [sphere.foot + sphere.axes[0] * 3.2 * sizes.motor for sphere in spheres]
    for ends in (guides, motors):
        if len(ends):
            yield from _frame(np.array(ends), 0.6 * sizes.motor, up)
    if len(masts):
        yield from _hall(np.array(masts), pose, sizes, up)
    if len(joints):
        yield from _pedestal(joints, centre, sizes, up)
    if len(rails) < 3 and (len(joints) or len(masts)):
        for rail in rails:
            ends = [(rail.far, _pedestal_feet(joints, centre, sizes, up)[0].mean(0))] if len(joints) else []
            ends = ends or [(end, mast) for end in (rail.far, rail.near) for mast in masts]
            end, stand = min(ends, key=lambda pair: float(np.linalg.norm(pair[0] - pair[1])))
            yield Solid(Rod(end, stand, 0.35 * sizes.motor), theme.BASE, "base")


def grounded(leg: LegPose, kind: str) -> list[int]:
    """Joints of one kind that the base carries; a cable's length is none, and bent bars have a frame of their own."""
    if leg.leg.cable is not None or sphere_of(leg) is not None:
        return []
    return [k for k, joint in enumerate(leg.leg.joints) if joint.parent < 0 and joint.kind == kind]


def plane(points: Array, otherwise: ArrayLike) -> Array:
    """Unit normal of the plane through points (n, 3), on the side of `otherwise`, which is it where they have none."""
    side = unit(otherwise)
    if len(points) < 3:
        return side
    _, spread, axes = np.linalg.svd(points - points.mean(0))
    if spread[1] < 1e-6 * spread[0] or spread[2] > _FLAT * spread[1]:
        return side
    normal = np.asarray(axes[2])
    return normal if normal @ side >= 0 else -normal


def _frame(ends: Array, radius: float, up: Array) -> Iterator[Solid]:
    """Bars of a radius [m] from end to end around the middle of all (n, 3)."""
    middle = ends.mean(0)
    normal = plane(ends, up)
    first = ends[0] - middle
    second = np.cross(normal, first)
    order = np.argsort([np.arctan2((p - middle) @ second, (p - middle) @ first) for p in ends])
    for start, end in zip(ends[order], ends[np.roll(order, -1)], strict=True):
        yield Solid(Ball(start, radius), theme.BASE, "base")
        if np.linalg.norm(end - start) > 0:
            yield Solid(Rod(start, end, radius), theme.BASE, "base")


def _hall(masts: Array, pose: RobotPose, sizes: Sizes, up: Array) -> Iterator[Solid]:
    """What cables come from: a ring on posts where all hang, a frame in a plane, else one above and one below."""
    radius = 0.35 * sizes.motor
    ends = np.array([pose.platform.p_BP + leg.r_end for leg in pose.legs], dtype=float) @ up
    heights = masts @ up
    hang = bool(heights.min() > ends.max())
    high = heights >= (heights.min() if hang or _is_flat(masts) else heights.mean())
    if not high.all():
        yield from _frame(masts[~high], radius, up)
    yield from _frame(masts[high], radius, up)
    if high.all() and not hang:
        return
    floor = float(ends.min() - 0.04 * sizes.extent if hang else heights.min())
    feet = masts[high] + np.outer(floor - heights[high], up)
    for mast, foot in zip(masts[high], feet, strict=True):
        yield Solid(Rod(mast, foot, radius), theme.BASE, "base")
    for low in masts[~high]:
        foot = feet[np.argmin(np.linalg.norm(feet - low, axis=1))]
        if np.linalg.norm(foot - low) > radius:
            yield Solid(Rod(low, foot, radius), theme.BASE, "base")


def _is_flat(points: Array) -> bool:
    """Whether points (n, 3) lie near a plane."""
    spread = np.linalg.svd(points - points.mean(0), compute_uv=False)
    return len(points) < 4 or bool(spread[2] <= _FLAT * spread[1])


def _pedestal_feet(joints: Array, centre: Array, sizes: Sizes, up: Array) -> tuple[Array, Array]:
    """(n, 3) where joints stand on the plate of the base, in its middle plane, and the plate's normal."""
    normal = plane(joints, up)
    height = float((centre - joints.mean(0)) @ normal)
    away = -normal if height > -0.05 * sizes.extent else normal
    return joints + away * (1.2 * sizes.motor + sizes.plate / 2), normal


def _pedestal(joints: Array, centre: Array, sizes: Sizes, up: Array) -> Iterator[Solid]:
    feet, normal = _pedestal_feet(joints, centre, sizes, up)
    yield Solid(plate(feet, normal, sizes.plate, 1.4 * sizes.motor), theme.BASE, "base")
    for joint, foot in zip(joints, feet, strict=True):
        yield Solid(Rod(foot, joint, 0.5 * sizes.motor), theme.BASE, "base")
