"""Holes of a document filled so that it can be expanded: numbers that are wrong or missing become NaN.

NaN spreads through the expansion to just the numbers that depend on them, and the checks find no fault with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from gough.robot.checks.fault import Path
from gough.robot.legs.rings import leg_entries
from gough.robot.legs.short_form import COMMON
from gough.robot.legs.short_forms import BODIES, SHORT_FORMS

NAN = math.nan
_AXES = {"U": 2, "S": 3}
_COMPOUND = ("axes", "starts", "bar", "spread", "second", "closing", "lead", "coordinate")


def fill(document: dict[str, Any], paths: set[Path]) -> None:
    """Fill the holes at these paths, in place."""
    for path in sorted(paths, key=lambda path: (len(path), str(path))):
        match path:
            case ("gravity",):
                document["gravity"] = _vector()
            case ("platform", *rest):
                _platform(document["platform"], *[str(part) for part in rest])
            case ("legs", *rest) if document.get("legs") is not None:
                _shared(document["legs"], [str(part) for part in rest])
            case ("leg", int(k), *rest):
                _leg(document["leg"][k], rest)
            case ("leg",):
                document["leg"] = []
            case ("length",):
                document.pop("length", None)
            case ("actuation", *rest) if document.get("actuation") is not None:
                document["actuation"].pop(str(rest[0]) if rest else "", None)
            case ("legs",):
                document.pop("legs", None)
    if document.get("legs") is None:
        document.pop("legs", None)
        document.setdefault("leg", [])
    _stand_in_types(document, paths)


def _vector() -> list[float]:
    return [NAN, NAN, NAN]


def _rows() -> list[list[float]]:
    return [_vector() for _ in range(3)]


def _platform(platform: dict[str, Any], key: str = "", *_rest: str) -> None:
    if key == "dependent":
        platform.pop("dependent", None)
    if key in ("", "coordinates", "dependent", "home", "origin"):
        platform["home"] = [NAN] * len(platform["coordinates"])
        origin = platform.setdefault("origin", {})
        origin["position"] = _vector()
        if _rest[:1] == ("rotation",):
            origin["rotation"] = _rows()
    if key not in ("coordinates", "dependent"):
        _body(platform, key)


def _body(body: dict[str, Any], key: str) -> None:
    """A body with one of its keys, or all of it, unknown."""
    if key in ("", "mass"):
        body["mass"] = NAN
    if key in ("", "com"):
        body["com"] = _vector()
    if key in ("", "inertia", "about"):
        body["inertia"] = [NAN] * 6


def _shared(legs: dict[str, Any], rest: list[str]) -> None:
    """`[legs]`: its rings, else as any leg."""
    if rest[:1] not in (["base"], ["platform"]):
        _leg(legs, rest)
    elif rest[1:] in (["radius"], ["half_angle"], ["turn"], ["z"]):
        legs[rest[0]][rest[1]] = NAN
    else:
        legs[rest[0]] = {"radius": NAN}


def _leg(leg: dict[str, Any], rest: list[Any]) -> None:
    if not rest:
        return
    key, *inner = rest
    if key in ("joint", "end"):
        _CHAIN[key](leg, *inner)
    elif key in ("rod", "crank") and inner[:1] in ([], ["length"]):
        leg[key] = {**leg.get(key, {}), "length": NAN}
    elif key in BODIES:
        _body(leg.setdefault(key, {}), *(inner or [""]))
    elif key == "actuator" and inner:
        leg.get(key, {}).pop(inner[0], None)
    elif key in _UNKNOWN:
        leg[key] = _UNKNOWN[key]()
    else:
        leg.pop(key, None)


_UNKNOWN: dict[str, Callable[[], Any]] = {
    **dict.fromkeys(("base", "platform", "position", "hinge", "platform_hinge"), _vector),
    **dict.fromkeys(("spread", "lower", "upper"), lambda: NAN),
    "axes": lambda: [_vector()],
    "lead": lambda: 0.01,  # nothing at home depends on it
    "tension": lambda: [NAN, NAN],
    "rotation": _rows,
    "guide": lambda: {"direction": _vector()},
    "motor": lambda: {"yaw": NAN},
}


def _joint(leg: dict[str, Any], index: int = -1, key: str = "", *inner: str) -> None:
    if index < 0:
        leg["joint"] = [{"type": "R", "axis": _vector()}]
        return
    joint = leg["joint"][index]
    if key in ("", "type"):
        for name in _COMPOUND:
            joint.pop(name, None)
        joint["type"] = "R"
        joint.setdefault("axis", _vector())
        joint.pop("stroke", None)
    elif key == "name":
        joint["name"] = f"joint{index + 1}"
    elif key in ("body", "second", "closing"):
        _body(joint.setdefault(key, {}), *(inner or [""]))
    elif key in ("axis", "offset", "bar", "spread"):
        joint[key] = _vector()
    elif key == "rotation":
        joint[key] = _rows()
    elif key == "axes":
        joint[key] = [_vector() for _ in range(_AXES.get(joint["type"], 0))]
    elif key in ("start", "lead"):
        joint[key] = NAN
    else:
        joint.pop(key, None)
        if key in ("parent", "mimic", "starts"):
            joint["offset"] = _vector()


def _end(leg: dict[str, Any], key: str = "", *_inner: str) -> None:
    end = leg.setdefault("end", {"type": "rigid"})
    if key.endswith("rotation"):
        end[key] = _rows()
    elif key in ("cone", "bolt"):
        end.pop(key, None)
    else:
        end.pop("joint" if key == "joint" else "", None)
        end["platform_point" if key in ("", "type", "platform_point") else "point"] = _vector()


_CHAIN: dict[str, Callable[..., None]] = {"joint": _joint, "end": _end}


def _stand_in_types(document: dict[str, Any], paths: set[Path]) -> None:
    """For a leg of unknown type the one that can use most of its keys, with what it lacks unknown."""
    shared, listed = document.get("legs", {}), document.get("leg")
    if ("legs", "type") in paths:
        stated = {key for leg in (shared, *(listed or ())) for key in leg}
        shared["type"] = _likely(stated)
        _complete(shared, {**shared, "base": None, "platform": None})
    for k, leg in enumerate(listed or ()):
        holes = paths.intersection([("leg", k), ("leg", k, "type"), ("legs",), ("legs", "type")])
        if holes and "joint" not in leg:
            entry = leg_entries(document)[k]
            if "type" not in entry:
                leg["type"] = entry["type"] = _likely(set(entry))
            _complete(leg, entry)


def _likely(keys: set[str]) -> str:
    forms = SHORT_FORMS.values()
    return max(forms, key=lambda form: len(keys.intersection((*form.needed, *form.optional)))).name


def _complete(leg: dict[str, Any], entry: Mapping[str, Any]) -> None:
    """Add what a leg's stand-in type needs; its actuator's stroke cannot be judged."""
    for key in (*COMMON[-2:], *SHORT_FORMS[entry["type"]].needed):
        if key not in entry:
            _leg(leg, [key])
        elif key in ("rod", "crank") and "length" not in entry[key]:
            _leg(leg, [key, "length"])
    if "actuator" in leg:
        _leg(leg, ["actuator", "stroke"])
