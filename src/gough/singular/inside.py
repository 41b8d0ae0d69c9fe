"""The nearest singularity inside a workspace, as its page and files tell it."""

from __future__ import annotations

from typing import Any

from gough.graph import Array
from gough.robot import Mechanism
from gough.singular.around import around
from gough.singular.nearest import nearest
from gough.workspaces.conditions import Conditions


def nearest_inside(robot: Mechanism, conditions: Conditions, x: Array) -> dict[str, Any]:
    """Kind, distance [m] and platform coordinates of the nearest pose within the limits that the legs do not hold.

    Kind is None where none was found. Distances from x (n,) are sqrt(way^2 + (length turn)^2).
    """
    rays = around(robot, conditions, x)
    found = [one for one in (nearest(rays, kind) for kind in ("type 2", "constraint")) if one is not None]
    facts: dict[str, Any] = {"kind": None, "distance": None, "x": None, "length": rays.length}
    if found:
        one = min(found, key=lambda each: each.distance)
        facts |= {"kind": one.kind, "distance": one.distance}
        facts["x"] = dict(zip(robot.coordinate_names, one.x.tolist(), strict=True))
    return facts
