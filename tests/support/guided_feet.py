"""Machines whose platform is guided by passive hinges: an ankle with two motors, and a lever with one."""

from __future__ import annotations

from typing import Any


def rod(name: str, side: float) -> dict[str, Any]:
    """A crank and a rod at a side y of the foot."""
    return {
        "name": name,
        "type": "RSS",
        "base": [-0.002, 0.030 * side, 0.185],
        "platform": [-0.038, 0.026 * side, 0.008],
        "motor": {"axis": [0, 1, 0], "reference": [-1, 0, 0]},
        "crank": {"length": 0.035, "mass": 0.065, "com": [0.015, 0, 0], "inertia": [3e-6, 1.4e-5, 1.5e-5]},
        "rod": {"length": 0.178, "mass": 0.055, "com": [0.089, 0, 0], "inertia": [1.5e-6, 1.7e-4, 1.7e-4]},
    }


def hinge(name: str, axis: list[float]) -> dict[str, Any]:
    """A passive joint."""
    return {"name": name, "type": "R", "axis": axis, "start": 0}


def machine(coordinates: dict[str, str], hinges: list[dict[str, Any]], rods: list[dict[str, Any]]) -> dict[str, Any]:
    """The file of a foot on these."""
    return {
        "name": "foot",
        "platform": {"coordinates": coordinates, "mass": 0.8, "inertia": [1e-3, 2e-3, 2.5e-3]},
        "leg": [{"name": "shank", "joint": hinges, "end": {"type": "rigid"}}, *rods],
    }


def ankle() -> dict[str, Any]:
    """Pitch and roll, by two motors; straight down to pitch -54.498 deg both rods are stretched."""
    hinges = [hinge("pitch", [0, 1, 0]), hinge("roll", [1, 0, 0])]
    return machine({"pitch": "ry", "roll": "rx"}, hinges, [rod("left", 1.0), rod("right", -1.0)])


def lever() -> dict[str, Any]:
    """Pitch alone, by one motor."""
    return machine({"pitch": "ry"}, [hinge("pitch", [0, 1, 0])], [rod("left", 1.0)])
