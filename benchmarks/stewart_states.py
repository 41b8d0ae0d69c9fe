"""States of the Stewart platform: those with reference forces, and as many more as a benchmark needs."""

from __future__ import annotations

import json
from math import pi
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
States = tuple[Array, Array, Array]

HOME = np.array([0.0, 0.0, 2.0, 0.0, 0.0, 0.0])
AWAY = np.array([-0.1, -0.2, 2.5, pi / 12, -pi / 12, pi / 12])
REFERENCE_TOLERANCE = 2e-11
"""Relative to the largest force of the state: the reference forces have 12 digits."""


def reference() -> dict[str, Any]:
    """Parameters, and forces of a slow (T = 4 s) and a fast (T = 1 s) motion, of the 6-UPS machine of Lopes (2009)."""
    return json.loads((Path(__file__).parent / "data" / "stewart.json").read_text())


def trig3(t: Array, T: float) -> States:
    """x, xd, xdd, each (N, 6), on the way home -> away -> home that is at rest, without acceleration, at both."""
    w = 2 * pi / T
    s = 1 / 2 - 9 / 16 * np.cos(w * t) + 1 / 16 * np.cos(3 * w * t)
    sd = w * (9 / 16 * np.sin(w * t) - 3 / 16 * np.sin(3 * w * t))
    sdd = w * w * (9 / 16 * np.cos(w * t) - 9 / 16 * np.cos(3 * w * t))
    way = AWAY - HOME
    return HOME + np.outer(s, way), np.outer(sd, way), np.outer(sdd, way)


def reference_states() -> tuple[States, Array]:
    """The states with reference forces, and those forces (N, 6)."""
    motions, forces = [], []
    for law in ("trig3", "trig3-fast"):
        case = reference()[law]
        motions.append(trig3(np.array([sample["t"] for sample in case["samples"]]), case["T"]))
        forces.append(np.array([sample["tau"] for sample in case["samples"]]))
    x, xd, xdd = (np.concatenate(part) for part in zip(*motions, strict=True))
    return (x, xd, xdd), np.concatenate(forces)


def states(count: int, seed: int = 2009) -> States:
    """`count` states: those with reference forces first, then random ones around the middle of the workspace."""
    known, _ = reference_states()
    rng = np.random.default_rng(seed)
    more = max(0, count - len(known[0]))
    spread = np.array([0.3, 0.3, 0.4, 0.35, 0.35, 0.35])
    x = np.array([0.0, 0.0, 2.3, 0.0, 0.0, 0.0]) + spread * rng.uniform(-1, 1, (more, 6))
    xd, xdd = rng.uniform(-1, 1, (more, 6)), rng.uniform(-4, 4, (more, 6))
    x, xd, xdd = (np.concatenate([a, b])[:count] for a, b in zip(known, (x, xd, xdd), strict=True))
    return np.ascontiguousarray(x), np.ascontiguousarray(xd), np.ascontiguousarray(xdd)


def worst_error(tau: Array, expected: Array) -> float:
    """Largest error of any force, relative to the largest force of its state; inf where not finite."""
    tau = tau[: len(expected)]
    if tau.shape != expected.shape or not np.all(np.isfinite(tau)):
        return float("inf")
    return float(np.max(np.abs(tau - expected).max(axis=1) / np.abs(expected).max(axis=1)))
