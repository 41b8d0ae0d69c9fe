"""The legs of a spec, one table each: `[legs]` spread over its rings, `[[leg]]` laid over its defaults.

Angles of a ring of n pairs of legs, k = 0 .. 2n-1, with pitch = 2 pi / n: on the base
pitch * ceil(k / 2) +- half_angle, on the platform pitch * (floor(k / 2) + 1/2) -+ half_angle, so that leg k joins
neighbours. Single legs stand at 2 pi k / n on both.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from gough.graph import exact_cos, exact_sin
from gough.graph.triples import unit
from gough.robot.leg_values import Vector

Entry = Mapping[str, Any]
"""A leg's table with defaults and ring places filled in, SI units."""

Values = dict[str, Any]
"""A table of a joint, of an end, or of a leg joint by joint, as it may be in a file."""

RING_KEYS = ("base", "platform", "names", "count")


def leg_count(spec: Mapping[str, Any]) -> int:
    """Number of legs: as listed, or as the rings say (6 when in pairs, else 3)."""
    if "leg" in spec:
        return len(spec["leg"])
    legs = spec["legs"]
    rings = [legs[side] for side in ("base", "platform") if side in legs]
    listed = [len(ring["angles"]) for ring in rings if "angles" in ring]
    if "count" in legs:
        return int(legs["count"])
    if listed:
        return listed[0]
    return 6 if any("half_angle" in ring for ring in rings) else 3


def leg_entries(spec: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One table per leg with everything it needs, its name included, defaults of `[legs]` laid under it."""
    legs = spec.get("legs", {})
    defaults = {key: value for key, value in legs.items() if key not in RING_KEYS}
    stated = spec.get("leg", [{}] * leg_count(spec))
    names = legs.get("names", [str(k + 1) for k in range(len(stated))])
    entries = []
    for k, leg in enumerate(stated):
        own = {"name": names[k], **_on_rings(legs, k, len(stated))}
        entries.append({**own, **leg} if "joint" in leg else merge({**own, **defaults}, leg))
    return entries


def merge(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`over` laid over `under`, table by table."""
    result = dict(under)
    for key, value in over.items():
        below = under.get(key)
        both = isinstance(value, Mapping) and isinstance(below, Mapping)
        result[key] = merge(below, value) if both and below is not None else value
    return result


def _on_rings(legs: Mapping[str, Any], k: int, count: int) -> dict[str, Any]:
    own: dict[str, Any] = {}
    if "base" in legs:
        ring = legs["base"]
        own["radial"] = _radial(ring, k, count, first=True)
        own["base"] = _point(ring, own["radial"])
        own["side"] = -1.0 if "half_angle" in ring and k % 2 else 1.0
    if "platform" in legs:
        ring = legs["platform"]
        own["platform_radial"] = _radial(ring, k, count, first=False)
        own["platform"] = _point(ring, own["platform_radial"])
    return own


def _radial(ring: Mapping[str, Any], k: int, count: int, first: bool) -> Vector:
    """Outward unit vector of place k on a ring."""
    if "angles" in ring:
        angle = ring["angles"][k]
    elif "half_angle" not in ring:
        angle = 2 * math.pi * k / count
    else:
        pitch = 4 * math.pi / count
        centre = pitch * ((k + 1) // 2) if first else pitch * (k // 2) + pitch / 2
        sign = 1 if (k % 2 == 0) is first else -1
        angle = centre + sign * ring["half_angle"]
    angle = angle + ring.get("turn", 0.0)
    return (exact_cos(angle), exact_sin(angle), 0.0)


def _point(ring: Mapping[str, Any], radial: Vector) -> Vector:
    return (ring["radius"] * radial[0], ring["radius"] * radial[1], ring.get("z", 0.0))


def radial_of(entry: Entry, side: str = "base") -> Vector:
    """Outward horizontal unit vector at a leg's base or platform point, from the z axis of B or P."""
    known = entry.get("radial" if side == "base" else "platform_radial")
    if known is not None:
        return known
    x, y, _ = entry[side]
    return unit((x, y, 0.0))
