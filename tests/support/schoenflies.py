"""A 4-PUU machine: four vertical sliders, rods between universal joints, three translations and a turn about z.

Each rod keeps its length between a point of its slider and one of the platform; no more is needed to know where they
are: |d| of the horizontal way d from rail to platform point, and the height sqrt(l^2 - |d|^2).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gough import Robot
from tests.support.robots import build

RAILS, RING, ROD = 0.45, 0.12, 0.65
_AT = [math.radians(a) for a in (45, 135, 225, 315)]
_ON = [a + math.radians(40 * s) for a, s in zip(_AT, (1, -1, 1, -1), strict=True)]
BASE = np.array([[RAILS * math.cos(a), RAILS * math.sin(a)] for a in _AT])
PLATFORM = np.array([[RING * math.cos(a), RING * math.sin(a)] for a in _ON])
STROKE = (0.3, 0.9)
ROD_BODY = {"mass": 0.45, "com": [0.325, 0, 0], "inertia": [6e-5, 0.0158, 0.0158]}
FREE = {"x": "x", "y": "y", "z": "z", "yaw": "rz"}
ALL = FREE | {"pitch": "ry", "roll": "rx"}


def platform(dependent: bool = False) -> dict[str, Any]:
    """Its table; with `dependent` pitch and roll, which the legs hold, are coordinates too."""
    given: dict[str, Any] = {"coordinates": FREE, "home": [0, 0, 0, 0]}
    if dependent:
        given = {"coordinates": ALL, "dependent": ["pitch", "roll"], "home": [0, 0, 0, 0, 0, 0]}
    return given | {"mass": 3.2, "com": [0, 0, -0.03], "inertia": [9e-3, 9e-3, 16e-3]}


def jointed(dependent: bool = False, turned_over: bool = False, skew: bool = False) -> Robot:
    """The machine joint by joint, sliders above the platform.

    With `turned_over` all first universal joints are. With `skew` the outer axes are not parallel where coordinates are
    zero, which no closed form fits: the same machine, closed by Newton's method.
    """
    outer, lean = ([0.6, 0, 0.8], -math.atan2(0.6, 0.8)) if skew else ([0, 0, 1], 0.0)
    legs = []
    for name, b, p in zip("ABCD", BASE, PLATFORM, strict=True):
        way = p - b
        yaw, height = math.atan2(way[1], way[0]), math.sqrt(ROD**2 - way @ way)
        dip = math.atan2(height, math.hypot(*way))
        if turned_over:
            yaw, dip = yaw - math.pi, math.pi - dip
        slide = {"type": "P", "name": "P", "axis": [0, 0, 1], "actuated": True, "start": height}
        slide |= {"stroke": list(STROKE), "speed": 1.5, "force": 400, "body": {"name": "slider", "mass": 1.1}}
        first = {"type": "U", "name": "U", "axes": [[0, 0, 1], [0, 1, 0]], "starts": [yaw, dip], "body": ROD_BODY}
        last = {"type": "U", "name": "V", "axes": [[0, 1, 0], outer], "offset": [ROD, 0, 0]}
        last |= {"starts": [lean - dip, -yaw]}
        end = {"type": "rigid", "platform_point": [*p.tolist(), 0]}
        end |= {"platform_rotation": {"axis": [0, 1, 0], "angle": lean}} if skew else {}
        legs.append({"name": name, "position": [*b.tolist(), 0], "joint": [slide, first, last], "end": end})
    return build({"name": "jointed", "platform": platform(dependent), "leg": legs})


def typed(branch: int = -1) -> Robot:
    """The machine by legs of type PUU, whose rods lean towards their first axes, which are vertical."""
    return build(typed_document(branch))


def typed_document(branch: int | None) -> dict[str, Any]:
    """Its document, with a branch if it is given."""
    legs = []
    for name, b, p in zip("ABCD", BASE, PLATFORM, strict=True):
        x, y = p - b
        leg: dict[str, Any] = {"name": name, "type": "PUU", "base": [*b.tolist(), 0], "platform": [*p.tolist(), 0]}
        leg |= {"guide": {"direction": [0, 0, 1]}, "axes": [[0, 0, 1], [-y, x, 0]], "slider": {"mass": 1.1}}
        leg |= {"rod": {"length": ROD} | ROD_BODY, "actuator": {"stroke": list(STROKE), "speed": 1.5, "force": 400}}
        legs.append(leg if branch is None else leg | {"branch": branch})
    return {"name": "typed", "platform": platform(), "leg": legs}


def sliders(x: np.ndarray) -> np.ndarray:
    """(N, 4) displacements at coordinates x (N, 4), from the law of the rods alone; sliders above the platform."""
    c, s = np.cos(x[:, 3])[:, None], np.sin(x[:, 3])[:, None]
    across = x[:, :1] + c * PLATFORM[:, 0] - s * PLATFORM[:, 1] - BASE[:, 0]
    along = x[:, 1:2] + s * PLATFORM[:, 0] + c * PLATFORM[:, 1] - BASE[:, 1]
    return x[:, 2:3] + np.sqrt(ROD**2 - across**2 - along**2)
