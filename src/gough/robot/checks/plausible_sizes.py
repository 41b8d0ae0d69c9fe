"""Faults of the numbers of a spec, table by table: signs, sizes that betray a wrong unit, directions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from gough.robot.checks.fault import Fault, Path
from gough.robot.legs.rings import leg_count
from gough.robot.names import did_you_mean
from gough.robot.spec import Spec

LARGEST_LENGTH = 100.0
SMALLEST_RING = 1e-3
LARGEST_TRAVEL = 1000.0
LARGEST_LEAD = 1.0
LARGEST_DIRECTION = 1e6
LARGEST_ANGLE = 2 * math.pi + 1e-9
SQUARE = 1e-9

_LENGTHS = {
    *("radius", "z", "length", "base", "platform", "position", "com", "point", "platform_point", "offset"),
    *("spread", "lower", "upper", "bar", "free_length", "about"),
}
_ANGLES = {"half_angle", "angles", "turn", "tilt", "yaw", "angle"}
_TRAVELS = {"zero", "start", "starts", "rest"}
_POSITIVE = {"radius", "length", "lower", "upper"}
_DIRECTIONS = {"direction", "hinge", "platform_hinge", "bolt", "end_bolt", ("motor", "reference"), ("pulley", "axis")}
"""Keys, or the last two of a path, whose values are directions."""

MILLIMETRES = 'mm for m? state [units] length = "mm"'
METRES = 'm for mm? state [units] length = "m"'
DEGREES = 'degrees for radians? state [units] angle = "deg"'


def table_faults(spec: Spec) -> Iterator[Fault]:
    """Every implausible number of a spec; there is no fault in NaN, which stands for what is not known."""
    yield from platform_faults(spec["platform"])
    yield from _walk({key: value for key, value in spec.items() if key != "motor"}, ())
    for side in ("base", "platform"):
        ring = spec.get("legs", {}).get(side, {})
        count = leg_count(spec) if "half_angle" in ring else 0
        if count > 0:
            yield from _half_angle_faults(ring["half_angle"], 2 * math.pi / count, ("legs", side))


def _walk(table: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    for key, value in table.items():
        here = (*path, key)
        if isinstance(value, Mapping):
            yield from _walk(value, here)
            if key == "motor":
                yield from _motor_faults(value, here)
        elif isinstance(value, list) and value and isinstance(value[0], Mapping):
            for k, entry in enumerate(value):
                yield from _walk(entry, (*here, k))
        else:
            yield from _number_faults(key, value, here)


def _number_faults(key: str, value: Any, path: Path) -> Iterator[Fault]:
    turns = key == "offset" and "mimic" in path
    if key in _POSITIVE and not isinstance(value, list) and value <= 0:
        yield Fault(path, "must be greater than 0", value)
    elif key == "radius" and path[-2:-1] in (("base",), ("platform",)) and value < SMALLEST_RING:
        yield Fault(path, f"implausibly small: at least {SMALLEST_RING:g} m", value, METRES, scale=("length",))
    elif key in _LENGTHS and not turns and _largest(value) > LARGEST_LENGTH:
        yield Fault(path, f"implausibly large: at most {LARGEST_LENGTH:g} m", value, MILLIMETRES, scale=("length",))
    elif key == "lead" and abs(value) > LARGEST_LEAD:
        allowed = f"implausibly large: at most {LARGEST_LEAD:g} m per turn"
        yield Fault(path, allowed, value, MILLIMETRES, scale=("length",))
    elif (key in _TRAVELS or turns) and _largest(value) > LARGEST_TRAVEL:
        yield Fault(path, f"implausibly large: at most {LARGEST_TRAVEL:g} m or rad", value)
    elif key in _ANGLES and _largest(value) > LARGEST_ANGLE and not (key == "half_angle" and value < 0):
        yield Fault(path, "implausibly large: at most 360 deg (2 pi rad)", value, DEGREES, scale=("angle",))
    elif key in ("cone", "end_cone") and (value <= 0 or value > math.pi):
        large = value > math.pi
        allowed, scale = "must be between 0 and 180 deg (pi rad)", ("angle",) if large else ()
        yield Fault(path, allowed, value, DEGREES if large else "", scale=scale)
    elif key == "spread" and not isinstance(value, list) and value < 0:
        yield Fault(path, "must not be negative", value)
    elif (key in _DIRECTIONS or path[-2:] in _DIRECTIONS) and not any(value):
        yield Fault(path, "must be a direction, not zero", value)
    elif (key in {"axis", "axes", *_DIRECTIONS} or path[-2:] in _DIRECTIONS) and _largest(value) > LARGEST_DIRECTION:
        yield Fault(path, f"implausibly large for a direction: at most {LARGEST_DIRECTION:g}", value)
    elif key == "axes" and "joint" not in path:
        yield from _axes_faults(value, path)


def _largest(value: object) -> float:
    if isinstance(value, (list, tuple)):
        return max((_largest(entry) for entry in value), default=0.0)
    return abs(value) if isinstance(value, (int, float)) else 0.0


def _axes_faults(axes: list[list[float]], path: Path) -> Iterator[Fault]:
    if len(axes) not in (1, 2) or not all(any(axis) for axis in axes):
        yield Fault(path, "must be one or two directions, none of them zero", axes)
    elif len(axes) == 2 and not square(axes[0], axes[1]):
        yield Fault(path, "the two axes of a universal joint must be perpendicular", axes)


def _motor_faults(motor: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    axis, reference = motor.get("axis"), motor.get("reference")
    if axis is not None and not any(axis):
        yield Fault((*path, "axis"), "must be a direction, not zero", axis)
    elif axis and reference and any(reference) and not square(axis, reference):
        yield Fault((*path, "reference"), "must be perpendicular to axis", reference)


def square(a: list[float], b: list[float]) -> bool:
    """Whether two directions are perpendicular."""
    product = sum(x * y for x, y in zip(a, b, strict=True))
    return not abs(product) > SQUARE * math.hypot(*a) * math.hypot(*b)


def _half_angle_faults(half: float, most: float, path: Path) -> Iterator[Fault]:
    if half < -SQUARE or most + SQUARE < half <= LARGEST_ANGLE:
        hint = DEGREES if half > most else "the order within a pair is fixed"
        allowed = f"must be between 0 and {math.degrees(most):g} deg, {most:.4g} rad"
        yield Fault((*path, "half_angle"), allowed, half, hint, scale=("angle",) if half > 0 else ())


def _dependent_faults(platform: Mapping[str, Any]) -> Iterator[Fault]:
    """Faults of the list of dependent coordinates."""
    dependent, names = platform.get("dependent", ()), list(platform["coordinates"])
    path: Path = ("platform", "dependent")
    for k, name in enumerate(dependent):
        if name not in names:
            yield Fault((*path, k), "must be the name of a coordinate", name, did_you_mean(name, names))
        elif name in dependent[:k]:
            yield Fault((*path, k), "must be listed once", name)
    if names and set(names) <= set(dependent):
        allowed = "must leave at least one coordinate that others depend on"
        yield Fault(path, allowed, list(dependent), "list those that follow the others only")


def platform_faults(platform: Mapping[str, Any]) -> Iterator[Fault]:
    """Faults of the platform's coordinates and home."""
    motions = list(platform["coordinates"].values())
    slides = [m for m in motions if len(m) == 1]
    turns = [m for m in motions if len(m) == 2]
    path: Path = ("platform", "coordinates")
    if not motions:
        yield Fault(path, "must have at least one coordinate", platform["coordinates"])
    for motion in sorted({m for m in slides if slides.count(m) > 1}):
        yield Fault(path, f"must move {motion} only once", platform["coordinates"])
    if len(turns) > 3 or any(a == b for a, b in pairwise(turns)):
        allowed = "must have at most three turns, neighbours about different axes"
        yield Fault(path, allowed, platform["coordinates"])
    yield from _dependent_faults(platform)
    home = platform.get("home", [0.0] * len(motions))
    if len(home) != len(motions):
        yield Fault(("platform", "home"), f"must be {len(motions)} numbers, one per coordinate", home)
        return
    for k, (motion, value) in enumerate(zip(motions, home, strict=True)):
        if len(motion) == 1 and abs(value) > LARGEST_LENGTH:
            allowed = "implausibly large: at most 100 m"
            yield Fault(("platform", "home", k), allowed, value, MILLIMETRES, scale=("length",))
        if len(motion) == 2 and abs(value) > LARGEST_ANGLE:
            allowed = "implausibly large: at most 360 deg (2 pi rad)"
            yield Fault(("platform", "home", k), allowed, value, DEGREES, scale=("angle",))
