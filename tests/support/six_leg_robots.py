"""Robots on six legs UPS between any points, and their poses by Newton's method from many starts."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough import Robot
from tests.support.robots import build

COORDINATES = {"x": "x", "y": "y", "z": "z", "psi": "rz", "theta": "ry", "phi": "rx"}


def six_ups(base: Any, platform: Any, name: str = "six", home: Any = (0.1, -0.2, 1.7, 0.1, 0.2, 0.3)) -> Robot:
    """A robot with legs between points (6, 3) of base and platform."""
    legs = [
        {"name": letter, "type": "UPS", "base": a.tolist(), "platform": b.tolist()}
        for letter, a, b in zip("ABCDEF", np.asarray(base, float), np.asarray(platform, float), strict=True)
    ]
    body = {"coordinates": COORDINATES, "home": list(home), "mass": 1.0, "inertia": [1.0, 1.0, 1.0]}
    return build({"name": name, "platform": body, "leg": legs})


def random_points(kind: str, rng: np.random.Generator) -> tuple[Any, Any]:
    """Points of base and platform: "general", both "planar", or both a "ring" of three pairs."""
    if kind == "ring":
        thirds = np.repeat(np.arange(3) * (2.0 * np.pi / 3.0), 2)
        half, other = rng.uniform(0.1, 0.4, 2)
        pairs = np.tile([-1.0, 1.0], 3)
        angles = np.array([thirds + half * pairs, thirds + (np.pi / 3.0 - other) * pairs])
        rings = np.stack([np.cos(angles), np.sin(angles), 0.0 * angles], axis=2)
        return rings[0], rng.uniform(0.4, 0.8) * rings[1]
    base, platform = rng.normal(size=(2, 6, 3))
    if kind == "planar":
        base[:, 2] = platform[:, 2] = 0.0
    return base, platform


def rotation(e: Any) -> Any:
    """(N, 3, 3) rotations of quaternions (N, 4) of any length, by Rodrigues' formula."""
    e = np.asarray(e) / np.linalg.norm(e, axis=1)[:, None]
    u = e[:, 1:]
    K = np.zeros((len(e), 3, 3))
    K[:, 0, 1], K[:, 0, 2], K[:, 1, 2] = -u[:, 2], u[:, 1], -u[:, 0]
    K -= K.transpose(0, 2, 1)
    return np.eye(3) + 2.0 * (e[:, :1, None] * K + K @ K)


def lengths(base: Any, platform: Any, p: Any, R: Any) -> Any:
    """(N, 6) distances of the points at poses p (N, 3), R (N, 3, 3)."""
    return np.linalg.norm(p[:, None] + np.einsum("nij,lj->nli", R, platform) - base, axis=2)


def random_poses(count: int, rng: np.random.Generator, size: float = 1.0) -> tuple[Any, Any]:
    """Positions (N, 3) and rotations (N, 3, 3), all alike."""
    return size * rng.normal(size=(count, 3)), rotation(rng.normal(size=(count, 4)))


def newton_poses(base: Any, platform: Any, asked: Any, starts: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Poses with leg lengths `asked` (6,) that damped Newton's method finds from random starts."""
    p, R = random_poses(starts, rng, 1.5)
    for _ in range(80):
        arm = np.einsum("nij,lj->nli", R, platform)
        d = p[:, None] + arm - base
        length = np.linalg.norm(d, axis=2)
        n = d / length[:, :, None]
        J = np.concatenate([n, np.cross(arm, n)], axis=2)
        with np.errstate(all="ignore"):
            step = np.linalg.solve(J + 1e-14 * np.eye(6), (asked - length)[:, :, None])[:, :, 0]
        step *= np.minimum(1.0, 0.5 / np.maximum(np.linalg.norm(step, axis=1), 1e-300))[:, None]
        p = p + step[:, :3]
        angle = np.linalg.norm(step[:, 3:], axis=1)
        half = 0.5 * step[:, 3:] * np.sinc(angle / (2.0 * np.pi))[:, None]
        R = rotation(np.column_stack([np.cos(0.5 * angle), half])) @ R
    good = np.abs(lengths(base, platform, p, R) - asked).max(axis=1) < 1e-11
    return p[good], R[good]


def nearest(p: Any, R: Any, among_p: Any, among_R: Any) -> Any:
    """(N,) how far each pose is from the nearest of others: the largest difference of its numbers."""
    turned = np.abs(R[:, None] - among_R).reshape(len(p), len(among_p), 9).max(axis=2)
    far = np.maximum(np.abs(p[:, None] - among_p).max(axis=2), turned)
    return far.min(axis=1)
