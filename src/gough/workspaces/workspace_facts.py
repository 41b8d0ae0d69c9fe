"""Parts of a workspace as plain values and words, for tables and pages."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from gough.analysis.limits import actuator_bounds
from gough.robot import Mechanism
from gough.workspaces.conditions import Conditions
from gough.workspaces.inscribed import Inscribed
from gough.workspaces.margins import texts
from gough.workspaces.tilts import Tilts, TiltSets
from gough.workspaces.volume import Volume


def volume_facts(volume: Volume | None) -> dict[str, Any]:
    """The volume and its proved bounds; None of each that there is not."""
    if volume is None:
        return {"volume": None, "bracket": None}
    bracket = volume.bracket
    return {
        "volume": {
            "kind": volume.name,
            "value": volume.measure,
            "unit": volume.unit,
            "cells": volume.grid.cells,
            "step": volume.grid.step,
            "components": volume.grid.components,
            "nodes_elsewhere": volume.grid.others,
            "boundary_share": {} if volume.surface is None else volume.surface.shares,
            "watertight": None if volume.surface is None else volume.surface.watertight,
            "extent": volume.largest_extent,
        },
        "bracket": None
        if bracket is None
        else {
            "low": bracket.low,
            "high": bracket.high,
            "boxes": bracket.boxes,
            "box": bracket.box,
            "closed": bracket.closed,
            "ended": bracket.ended,
        },
    }


def shape_facts(found: Inscribed, volume: Volume | None) -> dict[str, Any]:
    """Size, place and proof of a shape, in positions of the tool."""
    tool = np.zeros(1) if volume is None else volume.tool
    return {
        "size": found.size,
        "half": found.half,
        "centre": found.centre + tool,
        "limits": texts(found.limits),
        "at": found.at + tool,
        "proved": found.proved,
        "largest_possible": found.most,
        "gap": found.gap,
    }


def limit_values(robot: Mechanism, conditions: Conditions) -> dict[str, Any]:
    """What each kind of limit is: stated, or of the robot's actuators, least and largest, SI units; None for no end."""
    found: dict[str, Any] = {}
    for kind in conditions.kinds:
        if kind == "box":
            ranges = {name: ends for name, *ends in conditions.box}
            found[kind] = {name: [v if math.isfinite(v) else None for v in ends] for name, ends in ranges.items()}
        elif kind in conditions.values:
            found[kind] = conditions.values[kind]
        elif kind in ("stroke", "force", "speed"):
            found[kind] = {
                name: None if bound is None else [bound.low, bound.high]
                for name, bound in actuator_bounds(robot, kind, conditions.values)
            }
    return found


def tilt_facts(found: Tilts) -> dict[str, Any]:
    """The largest tilt by azimuth, and the least of them."""
    return {
        "least": found.least,
        "least_azimuth": found.least_at,
        "least_limits": texts(found.least_limits),
        "azimuth": found.azimuth,
        "tilt": found.tilt,
    }


def set_facts(found: TiltSets, volume: Volume | None) -> dict[str, Any]:
    """Volumes of the sets of positions that can be tilted, and the largest shapes in which every tilt is possible."""
    shapes = {shape.shape: shape_facts(shape, volume) for shape in found.shapes}
    return asdict(replace(found, shapes=())) | {"shapes": shapes}
