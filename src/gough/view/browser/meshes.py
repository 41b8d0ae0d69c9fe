"""Solids as triangles, and where each of them is: a place, a turn and a stretch of one fixed mesh."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gough.graph import Array
from gough.view.drawing.solids import Ball, Block, Rod, Shape, across, outline

_ROUND = 24
SPIN_GAP = np.radians(327.0)
"""The middle of the gap of a round arrow."""


@dataclass(frozen=True, slots=True)
class Mesh:
    """Corners (n, 3) [m] and triangles (m, 3), seen from outside counter-clockwise."""

    corners: Any
    triangles: Any


@dataclass(frozen=True, slots=True)
class Place:
    """Where a mesh is: position (3,) [m], quaternion w x y z, stretch along its own axes (3,)."""

    position: Array
    wxyz: Array
    scale: tuple[float, float, float]


def mesh_of(shape: Shape) -> Mesh:
    """The mesh of a solid: of radius and length one for what is round, as it stands for a block."""
    if isinstance(shape, Ball):
        return ball()
    return cylinder() if isinstance(shape, Rod) else block(shape)


def place_of(shape: Shape, first: Shape) -> Place:
    """Where the mesh of `first` must go to show `shape`, the same solid at another pose."""
    if isinstance(shape, Ball):
        return Place(shape.centre, np.array([1.0, 0, 0, 0]), (shape.radius,) * 3)
    if isinstance(shape, Rod):
        axis = shape.end - shape.start
        length = float(np.linalg.norm(axis)) or 1e-9
        return Place(shape.start, quaternion(turned_to(axis / length)), (shape.radius, shape.radius, length))
    assert isinstance(first, Block)
    R, p = _moved(first.corners, shape.corners)
    return Place(p, quaternion(R), (1.0, 1.0, 1.0))


@cache
def ball() -> Mesh:
    """A ball of radius one."""
    rings = _ROUND // 2
    polar, around = np.meshgrid(np.linspace(0, np.pi, rings + 1), _angles(), indexing="ij")
    corners = np.stack([np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)], -1)
    k = np.arange(_ROUND)
    found = []
    for ring in range(rings):
        a, b = ring * _ROUND + k, ring * _ROUND + (k + 1) % _ROUND
        found += [np.stack([a, a + _ROUND, b], -1), np.stack([b, a + _ROUND, b + _ROUND], -1)]
    return Mesh(corners.reshape(-1, 3).astype(np.float32), np.vstack(found).astype(np.uint32))


@cache
def cylinder() -> Mesh:
    """A round bar of radius one from the origin to one along z; its edges are sharp."""
    ring = np.column_stack([np.cos(_angles()), np.sin(_angles())])
    low, high = np.column_stack([ring, np.zeros(_ROUND)]), np.column_stack([ring, np.ones(_ROUND)])
    corners = np.vstack([low, high, low, high, [[0, 0, 0], [0, 0, 1]]])
    k, after = np.arange(_ROUND), (np.arange(_ROUND) + 1) % _ROUND
    n = _ROUND
    sides = [np.stack([k, after, k + n], -1), np.stack([after, after + n, k + n], -1)]
    bottom = np.stack([after + 2 * n, k + 2 * n, np.full(n, 4 * n)], -1)
    top = np.stack([k + 3 * n, after + 3 * n, np.full(n, 4 * n + 1)], -1)
    return Mesh(corners.astype(np.float32), np.vstack([*sides, bottom, top]).astype(np.uint32))


@cache
def spin_arrow() -> Mesh:
    """Three quarters of a ring of radius one about z, in the sense of a turn about it, with an arrow's head."""
    angles = np.linspace(0.0, 1.5 * np.pi, 31)
    head = angles[-1] + np.array([0.0, 0.42])
    ring = [(angle, 0.07) for angle in angles] + [(head[0], 0.2), (head[1], 1e-6)]
    around = np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)
    corners = []
    for angle, radius in ring:
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        corners.append(out + radius * (np.outer(np.cos(around), out) + np.outer(np.sin(around), [0.0, 0.0, 1.0])))
    n, k = len(around), np.arange(len(around))
    triangles = []
    for row in range(len(ring) - 1):
        a, b = row * n + k, row * n + (k + 1) % n
        triangles += [np.stack([a, b, a + n], -1), np.stack([b, b + n, a + n], -1)]
    return Mesh(np.vstack(corners).astype(np.float32), np.vstack(triangles).astype(np.uint32))


def block(shape: Block) -> Mesh:
    """The hull of a block's corners, every face with corners of its own so that edges are sharp."""
    corners: list[Any] = []
    triangles: list[Any] = []
    size = float(np.ptp(shape.corners, axis=0).max())
    for face in shape.faces:
        normal = face[:3]
        on = shape.corners[np.abs(shape.corners @ normal + face[3]) < 1e-6 * size]
        if len(on) < 3:
            continue
        a, b = across(normal)
        rim = outline(np.column_stack([on @ a, on @ b]))
        start = len(corners)
        corners += list(on[rim])
        triangles += [[start, start + k, start + k + 1] for k in range(1, len(rim) - 1)]
    return Mesh(np.array(corners, dtype=np.float32), np.array(triangles, dtype=np.uint32))


def quaternion(R: ArrayLike) -> Array:
    """(4,) w x y z of a rotation matrix."""
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(np.asarray(R, dtype=float)).as_quat()
    return np.array([w, x, y, z])


def turned_to(axis: Array) -> Array:
    """A rotation that takes z to the unit vector `axis`."""
    a, b = across(axis)
    return np.column_stack([a, b, axis])


def _moved(before: Array, after: Array) -> tuple[Array, Array]:
    """Rotation and shift that take points (n, 3) to where they are after a rigid motion."""
    a, b = before.mean(0), after.mean(0)
    u, _, vt = np.linalg.svd((before - a).T @ (after - b))
    flip = np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ vt)) or 1.0])
    R = (u @ flip @ vt).T
    return R, b - R @ a


def _angles() -> Array:
    return np.linspace(0, 2 * np.pi, _ROUND, endpoint=False)
