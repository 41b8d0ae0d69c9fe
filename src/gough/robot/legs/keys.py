"""The keys of each leg type: which it needs, which it may have, and the body each of its joints moves."""

from __future__ import annotations

from typing import NamedTuple


class Keys(NamedTuple):
    """Keys of a leg type besides the common ones; `bodies` has one key per joint, None for a body without a key."""

    needed: tuple[str, ...]
    optional: tuple[str, ...]
    bodies: tuple[str | None, ...]


COMMON = ("name", "type", "branch", "radius", "actuator", "base", "platform")
JOINTED = ("name", "branch", "radius", "position", "rotation", "free_spin", "joint", "end")

_U = ("axes", "cone", "end_cone", "cross")
_PA = ("spread", "crossbar", "closing")
_LINKS = ("link1", "link2", "link3", "link4", "link5")
_SLIDER, _CRANK = ("guide", "rod"), ("motor", "crank", "rod")

KEYS: dict[str, Keys] = {
    "UPS": Keys((), (*_U, "cylinder", "piston"), ("cross", "cylinder", "piston")),
    "SPS": Keys((), ("axes", "cone", "end_cone", "cylinder", "piston"), ("cross", "cylinder", "piston")),
    "PUS": Keys(_SLIDER, (*_U, "slider"), ("slider", "cross", "rod")),
    "PSS": Keys(_SLIDER, ("axes", "cone", "end_cone", "slider"), ("slider", "cross", "rod")),
    "RUS": Keys(_CRANK, _U, ("crank", "cross", "rod")),
    "RSS": Keys(_CRANK, ("axes", "cone", "end_cone"), ("crank", "cross", "rod")),
    "PRU": Keys(
        (*_SLIDER, "hinge", "platform_hinge"), ("slider", "cross", "end_cone"), ("slider", "rod", "cross", None)
    ),
    "RRU": Keys((*_CRANK, "platform_hinge"), ("hinge", "cross", "end_cone"), ("crank", "rod", "cross", None)),
    "PRR": Keys((*_SLIDER, "hinge"), ("slider",), ("slider", "rod", None)),
    "RRR": Keys(_CRANK, (), ("crank", "rod", None)),
    "PPa": Keys((*_SLIDER, "hinge"), ("slider", *_PA), ("slider", "crossbar", "rod", "closing", None, "rod")),
    "RPa": Keys(_CRANK, ("hinge", *_PA), ("crank", "crossbar", "rod", "closing", None, "rod")),
    "SRU": Keys(("lower", "upper"), (*_LINKS, "cone", "end_cone"), (*_LINKS, None)),
}

BODIES = tuple(dict.fromkeys(key for keys in KEYS.values() for key in keys.bodies if key is not None))
"""Keys of leg bodies."""


def drive_kind(leg_type: str) -> str:
    """How the actuator of a leg type moves: "P" slides, "R" turns."""
    return "P" if leg_type in ("UPS", "SPS") or leg_type.startswith("P") else "R"
