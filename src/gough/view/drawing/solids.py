"""The solids a drawing is made of, and where a ray towards the viewer leaves each of them.

In view coordinates x is right, y up and z towards the viewer, so rays are parallel to z and what is seen of a solid is
its largest z.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gough.graph import Array

MISS = -np.inf
_PARALLEL = 1e-9


@dataclass(frozen=True, slots=True)
class Ball:
    """A ball about `centre` (3,) [m]."""

    centre: Array
    radius: float

    def reach(self, axes: Array) -> Array:
        """(2, m) least and largest coordinate along the rows of `axes` (m, 3), unit vectors."""
        middle = axes @ self.centre
        return np.array([middle - self.radius, middle + self.radius])

    def seen(self, view: Array, x: Array, y: Array) -> tuple[Array, Array]:
        """Largest z (MISS outside) and outward normals in view coordinates on the rays at x, y, broadcast."""
        x, y = np.broadcast_arrays(x, y)
        c = view @ self.centre
        dx, dy = x - c[0], y - c[1]
        square = self.radius**2 - dx * dx - dy * dy
        dz = np.sqrt(np.maximum(square, 0.0))
        return np.where(square >= 0, c[2] + dz, MISS), np.stack([dx, dy, dz], -1) / self.radius


@dataclass(frozen=True, slots=True)
class Rod:
    """A round bar from `start` to `end` (3,) [m]."""

    start: Array
    end: Array
    radius: float

    def reach(self, axes: Array) -> Array:
        """As `Ball.reach`, a little more at slanting ends."""
        ends = np.array([self.start, self.end]) @ axes.T
        return np.array([ends.min(0) - self.radius, ends.max(0) + self.radius])

    def near(self, view: Array, xs: Array, ys: Array) -> NDArray[np.bool_]:
        """(rows, columns) whether the ray at each of ys and xs comes as near to the bar's line as its radius."""
        a, axis = view @ self.start, view @ (self.end - self.start)
        across_x, across_y = axis[1] * (xs - a[0]), axis[0] * (ys - a[1])
        bound = self.radius * np.hypot(axis[0], axis[1]) + 1e-9 * self.radius * np.linalg.norm(axis)
        if bound < 1e-6 * self.radius * np.linalg.norm(axis):  # seen along its axis
            return np.ones((len(ys), len(xs)), bool)
        apart: Array = np.abs(across_x[None, :] - across_y[:, None])
        return apart <= bound

    def seen(self, view: Array, x: Array, y: Array) -> tuple[Array, Array]:
        """As `Ball.seen`: the rays' parts inside the round and between the ends."""
        a, axis = view @ self.start, view @ (self.end - self.start)
        length = float(np.linalg.norm(axis))
        u = axis / length
        dx, dy = x - a[0], y - a[1]
        along = dx * u[0] + dy * u[1]
        low, high = _in_round(dx, dy, along, u[2], self.radius)
        first, last = _between_ends(along, u[2], length)
        top = np.minimum(high, last)
        hit = (top >= np.maximum(low, first)) & np.isfinite(top)
        z = np.where(hit, top, 0.0)
        s = along + z * u[2]
        round_normal = (np.stack([dx, dy, z], -1) - s[..., None] * u) / self.radius
        normal = np.where((high <= last)[..., None], round_normal, u * np.sign(u[2]))
        return np.where(hit, a[2] + z, MISS), normal


def _in_round(dx: Array, dy: Array, along: Array, uz: float, radius: float) -> tuple[Array, Array]:
    """Where rays enter and leave an endless round bar."""
    square = dx * dx + dy * dy - along * along - radius * radius
    a = 1.0 - uz * uz
    if a < _PARALLEL:
        inside = square <= 0
        return np.where(inside, -np.inf, np.inf), np.where(inside, np.inf, -np.inf)
    half = along * uz / a
    root = half * half - square / a
    step = np.sqrt(np.maximum(root, 0.0))
    return np.where(root >= 0, half - step, np.inf), np.where(root >= 0, half + step, -np.inf)


def _between_ends(along: Array, uz: float, length: float) -> tuple[Array, Array]:
    """Where rays enter and leave the space between a bar's ends."""
    if abs(uz) < _PARALLEL:
        inside = (along >= 0) & (along <= length)
        return np.where(inside, -np.inf, np.inf), np.where(inside, np.inf, -np.inf)
    ends = -along / uz, (length - along) / uz
    return np.minimum(*ends), np.maximum(*ends)


@dataclass(frozen=True, slots=True)
class Block:
    """The convex hull of `corners` (n, 3) [m], with its faces as (m, 4): normal . p + offset <= 0 inside."""

    corners: Array
    faces: Array

    def reach(self, axes: Array) -> Array:
        """As `Ball.reach`."""
        corners = self.corners @ axes.T
        return np.array([corners.min(0), corners.max(0)])

    def seen(self, view: Array, x: Array, y: Array) -> tuple[Array, Array]:
        """As `Ball.seen`: the rays' part inside all faces."""
        normals = self.faces[:, :3] @ view.T
        shape = np.broadcast_shapes(x.shape, y.shape)
        top, bottom = np.full(shape, np.inf), np.full(shape, -np.inf)
        face = np.zeros(shape, dtype=np.int16)
        for k, (n, offset) in enumerate(zip(normals, self.faces[:, 3], strict=True)):
            if abs(n[2]) < _PARALLEL:
                top[n[0] * x + (n[1] * y + offset) > 0] = -np.inf
                continue
            z = (n[0] / -n[2]) * x + (n[1] * y + offset) / -n[2]
            if n[2] > 0:
                face[z < top] = k
                np.minimum(top, z, out=top)
            else:
                np.maximum(bottom, z, out=bottom)
        return np.where(top >= bottom, top, MISS), normals[face]


Shape = Ball | Rod | Block


@dataclass(frozen=True, slots=True)
class Solid:
    """A shape, its colour, whose it is ("base", "platform", a leg, or "spring" and its name), and if it is outlined."""

    shape: Shape
    colour: str
    owner: str
    outlined: bool = True


def hull(corners: ArrayLike) -> Block:
    """The convex hull of points (n, 3) that do not lie in a plane [m]."""
    from scipy.spatial import ConvexHull

    points = np.asarray(corners, dtype=float)
    middle, size = points.mean(0), np.ptp(points, axis=0).max()
    faces = ConvexHull((points - middle) / size).equations
    faces = faces[np.unique(np.round(faces, 9), axis=0, return_index=True)[1]]
    offsets = faces[:, 3] * size - faces[:, :3] @ middle
    return Block(points, np.column_stack([faces[:, :3], offsets]))


def box(centre: ArrayLike, axes: ArrayLike, half: Iterable[float]) -> Block:
    """A box about `centre` with half sizes `half` along the rows of `axes` (3, 3)."""
    signs = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], dtype=float)
    sizes, rows = np.array(list(half)), np.asarray(axes, dtype=float)
    return prism(np.asarray(centre) + (signs * sizes) @ rows, unit(rows[2]), 2 * sizes[2])


def plate(points: ArrayLike, normal: ArrayLike, thickness: float, margin: float) -> Block:
    """A plate with round corners about points (n, 3), `thickness` high along `normal` and centred on the points."""
    n = unit(normal)
    a, b = across(n)
    angles = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    ring = margin * (np.outer(np.cos(angles), a) + np.outer(np.sin(angles), b))
    rim = (np.asarray(points, dtype=float)[:, None, :] + ring).reshape(-1, 3)
    heights = np.asarray(points, dtype=float) @ n
    if np.ptp(heights) <= 1e-9 * thickness:
        return prism(rim, n, thickness)
    return hull(np.vstack([rim - n * thickness / 2, rim + n * thickness / 2]))


def prism(points: ArrayLike, n: ArrayLike, thickness: float) -> Block:
    """The hull of points (n, 3) in a plane across the unit vector n, `thickness` high and centred on the plane."""
    points, n = np.asarray(points, dtype=float), np.asarray(n, dtype=float)
    a, b = across(n)
    rim = points[outline(np.column_stack([points @ a, points @ b]))]
    sides = np.roll(rim, -1, axis=0) - rim
    normals = np.cross(sides, n)
    normals = np.vstack([normals / np.linalg.norm(normals, axis=1)[:, None], n, -n])
    lift = n * (thickness / 2)
    through = np.vstack([rim, rim[0] + lift, rim[0] - lift])
    faces = np.column_stack([normals, -(normals * through).sum(axis=1)])
    return Block(np.vstack([points - lift, points + lift]), faces)


def unit(v: ArrayLike) -> Array:
    """v / |v|."""
    v = np.asarray(v, dtype=float)
    return np.asarray(v / np.linalg.norm(v))


def across(n: ArrayLike) -> tuple[Array, Array]:
    """Two unit vectors that make a right-handed frame with the unit vector n as the third."""
    n = np.asarray(n, dtype=float)
    a = unit(np.cross(n, np.eye(3)[np.argmin(np.abs(n))]))
    return a, np.cross(n, a)


_STRAIGHT = 1e-12
"""A corner that turns by less, beside the size of all, is none."""


def outline(points: ArrayLike) -> list[int]:
    """Indices of the corners of the hull of points (n, 2), counter-clockwise: Andrew's two chains, left to right."""
    p = np.asarray(points, dtype=float)
    size = float(np.ptp(p, axis=0).max()) or 1.0
    q = (p - p.mean(0)) / size
    order = [int(k) for k in np.lexsort((q[:, 1], q[:, 0]))]
    return _chain(q, order)[:-1] + _chain(q, order[::-1])[:-1]


def _chain(q: NDArray[np.float64], order: list[int]) -> list[int]:
    """The corners on one side, from the first to the last of the order."""
    found: list[int] = []
    for k in order:
        while len(found) > 1 and _turn(q[found[-2]], q[found[-1]], q[k]) <= _STRAIGHT:
            found.pop()
        found.append(k)
    return found


def _turn(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]))
