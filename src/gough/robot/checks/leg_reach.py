"""Why a leg of a known type has no geometry at home, told from plain numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from gough.robot.checks.unknowns import finite
from gough.robot.legs.driven import guide_direction, motor_axes
from gough.robot.legs.parts import platform_point
from gough.robot.rotation import pose
from gough.robot.values import Platform
from gough.robot.vectors import add, cross, dot, norm, scale, subtract, unit, vector


def why_not(entry: Mapping[str, Any], platform: Platform) -> tuple[str, str, str] | None:
    """Key, what is wrong and a hint, for a leg whose numbers came out as NaN; None where the leg's own are not known.

    Args:
        entry: The leg's table with defaults and ring places filled in, SI units.
        platform: For its home pose.
    """
    p_BP, R_BP = pose(platform, platform.home)
    d = subtract(platform_point(entry, p_BP, R_BP), vector(entry["base"]))
    kind = entry["type"]
    reach = _reach(entry, d, kind)
    if reach is not None or not _known(entry, d):
        return reach
    if norm(d) == 0:
        return "platform", "meets its base point at home: the leg has no length", "check platform.home"
    x, y, _ = entry["base"]
    if "radial" not in entry and x == 0 and y == 0:
        wanted = {"SRU": "base"}.get(kind, "guide.direction" if "guide" in entry else "axes")
        return "base", "lies on the z axis of the base: no outward direction", f"state {wanted}"
    if "axes" in entry:
        return "axes", "the first axis lies along the leg at home", "turn it across the leg"
    return "base", "the leg has no geometry at home", "state axes"


def _known(entry: Mapping[str, Any], d: tuple[float, float, float]) -> bool:
    """Whether all numbers that say where the leg is are there."""
    tables = ("base", "axes", "hinge", "platform_hinge", "spread", "lower", "upper")
    inner = [entry.get(key, {}) for key in ("guide", "motor")]
    lengths = [entry[key].get("length", 0.0) for key in ("rod", "crank") if key in entry]
    return finite([d, lengths, [entry[key] for key in tables if key in entry], [list(t.values()) for t in inner]])


def _reach(entry: Mapping[str, Any], d: tuple[float, float, float], kind: str) -> tuple[str, str, str] | None:
    """The fault of a leg that is too short or too long at home, else None."""
    hint = "check platform.home, and mm for m"
    if kind == "SRU":
        return _between(norm(d), abs(entry["lower"] - entry["upper"]), entry["lower"] + entry["upper"], "upper", hint)
    if kind in ("UPS", "SPS"):
        return None
    length = entry["rod"]["length"]
    if "guide" in entry:
        e = guide_direction(entry)
        if not math.isfinite(dot(e, e)):
            return None
        return _between(norm(cross(e, d)), 0.0, length, "rod.length", hint)
    f, s, a = motor_axes(entry)
    if not math.isfinite(dot(f, f)):
        return None
    r = entry["crank"]["length"]
    flat = add(scale(dot(d, f), f), scale(dot(d, s), s))
    near = norm(subtract(d, scale(r, unit(flat)))) if norm(flat) else math.hypot(r, dot(d, a))
    far = norm(add(d, scale(r, unit(flat)))) if norm(flat) else near
    if length < near:
        return _short("rod.length", near - length, hint)
    if length > far:
        return "rod.length", f"is {length - far:.4g} m too long to reach the platform at home", hint
    return None


def _between(distance: float, low: float, high: float, key: str, hint: str) -> tuple[str, str, str] | None:
    if distance > high:
        return _short(key, distance - high, hint)
    if distance < low:
        return key, f"is {low - distance:.4g} m too long to reach the platform at home", hint
    return None


def _short(key: str, by: float, hint: str) -> tuple[str, str, str]:
    return key, f"is {by:.4g} m too short to reach the platform at home", hint
