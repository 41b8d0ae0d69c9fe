"""Frames of a leg's bodies by plain matrix products, to test with."""

import math

from gough.graph.triples import add, apply, product, scale

UNITS = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def about(axis, angle):
    """Rotation by an angle about a unit axis, by Rodrigues' formula."""
    x, y, z = axis
    c, s = math.cos(angle), math.sin(angle)
    d = 1.0 - c
    return (
        (x * x * d + c, x * y * d - z * s, x * z * d + y * s),
        (x * y * d + z * s, y * y * d + c, y * z * d - x * s),
        (x * z * d - y * s, y * z * d + x * s, z * z * d + c),
    )


def pose(platform, x):
    """Place and rotation of the platform: slides along the axes of its origin, then turns about turned axes."""
    slides, R = dict.fromkeys("xyz", 0.0), platform.rotation
    for coordinate, value in zip(platform.coordinates, x, strict=True):
        if coordinate.turns:
            R = product(R, about(UNITS[coordinate.motion[1]], value))
        else:
            slides[coordinate.motion] = value
    return add(platform.position, apply(platform.rotation, tuple(slides.values()))), R


def body_frames(leg, q):
    """Origin and rotation in B of each body of a leg at the joint coordinates `q`."""
    frames = []
    for joint, value in zip(leg.joints, q, strict=True):
        p, R = frames[joint.parent] if joint.parent >= 0 else (leg.position, leg.rotation)
        p, R = add(p, apply(R, joint.offset)), product(R, joint.rotation)
        if joint.kind == "P":
            p = add(p, apply(R, scale(value, joint.axis)))
        else:
            R = product(R, about(joint.axis, value))
        frames.append((p, R))
    return frames


def gaps_at_home(robot):
    """How far each leg's end is from the platform at the start coordinates: largest difference of all equations."""
    platform = robot.platform.whole()
    p_BP, R_BP = pose(platform, platform.home)
    gaps = []
    for leg in robot.legs:
        end = leg.end
        p, R = body_frames(leg, [joint.start for joint in leg.joints])[end.joint]
        here, there = add(p, apply(R, end.point)), add(p_BP, apply(R_BP, end.platform_point))
        differences = [abs(a - b) for a, b in zip(here, there, strict=True)]
        if end.kind == "rigid":
            mine, wanted = product(R, end.rotation), product(R_BP, end.platform_rotation)
            differences += [abs(mine[i][j] - wanted[i][j]) for i in range(3) for j in range(3)]
        gaps.append(max(differences))
    return gaps


def numbers(value):
    """All numbers in a value, of a robot those of its mechanism, in order; None and text left out."""
    from dataclasses import fields, is_dataclass

    if is_dataclass(value):
        value = getattr(value, "mechanism", value)
        return [n for f in fields(value) for n in numbers(getattr(value, f.name))]
    if isinstance(value, (tuple, list)):
        return [n for entry in value for n in numbers(entry)]
    return [] if value is None or isinstance(value, (str, bool)) else [value]
