"""Mechanisms with reference numbers from a computation that shares nothing with gough: tests/data/mechanisms.

Each file has the model (joint chains or cables), a motion and six instants with x, xd, xdd, displacements, rates,
forces, generalised forces and K, from 60-digit Lagrange equations in independent coordinates, checked with Pinocchio.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from gough import Robot
from tests.support.robots import build

_FOLDER = Path(__file__).parent.parent / "data" / "mechanisms"


@lru_cache(maxsize=8)
def reference(name: str) -> dict[str, Any]:
    """The file of a mechanism."""
    found: dict[str, Any] = json.loads((_FOLDER / f"{name}.json").read_text())
    return found


def series(name: str, key: str) -> Any:
    """(6, ...) one quantity at the six instants."""
    return np.array([sample[key] for sample in reference(name)["samples"]])


def chain_tables(name: str, **more: Any) -> dict[str, Any]:
    """Tables of a robot file, leg by leg from the mechanism's joint chains, with `more` tables."""
    given = reference(name)
    legs = [
        {
            "name": chain["name"],
            "position": chain["position"],
            "rotation": chain["rotation"],
            "joint": [dict(joint) for joint in chain["joints"]],
            "end": dict(chain["end"]),
        }
        for chain in given["chains"]
    ]
    platform = {"coordinates": given["coordinates"], "home": given["motion"]["x0"], **given["platform"]}
    return {"name": "reference", "gravity": given["gravity"], "platform": platform, "leg": legs, **more}


@lru_cache(maxsize=8)
def planar4rrr(criterion: str = "least-norm") -> Robot:
    """The redundant planar 4-RRR, checked as a file would be."""
    return loaded(chain_tables("planar4rrr", actuation={"criterion": criterion}))


def loaded(tables: dict[str, Any]) -> Robot:
    """The robot of tables, its mobility checked too."""
    from gough import loads

    return loads(build(tables).to_toml(), "robot.toml")


def cable_tables(**more: Any) -> dict[str, Any]:
    """Tables of the eight-cable robot."""
    given = reference("cable8")
    legs = [
        {
            "name": str(k + 1),
            "type": "cable",
            "base": cable["base"],
            "platform": cable["platform"],
            "tension": [cable["tmin"], cable["tmax"]],
            "reference": cable["tref"],
        }
        for k, cable in enumerate(given["geometry"]["cables"])
    ]
    platform = {"coordinates": given["coordinates"], "home": given["motion"]["x0"], **given["platform"]}
    return {"name": "cable8", "gravity": given["gravity"], "platform": platform, "leg": legs, **more}


@lru_cache(maxsize=8)
def cable8(**actuation: Any) -> Robot:
    """The eight-cable robot, checked as a file would be."""
    return loaded(cable_tables(**({"actuation": actuation} if actuation else {})))
