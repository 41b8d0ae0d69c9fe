"""The boundary of a region: one vertex per cell that it passes, one face per edge of the grid that it crosses.

Ju et al., Dual contouring of Hermite data (2002), with exact data: edges are crossed where a margin vanishes to
round-off, and each vertex lies on all limits that end edges of its cell, by steps of least norm x -= J^T (J J^T)^-1 h.
Creases and corners where limits meet are sharp, and each face knows its limit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gough.brief import brief
from gough.graph import Array
from gough.workspaces.margins import Limit
from gough.workspaces.region import Grid, Region

STEPS = 6
"""Newton steps of a vertex."""


@dataclass(frozen=True)
class Surface:
    """The boundary of a region.

    Attributes:
        vertices: (V, d) sliding coordinates [m].
        faces: (F, 4) vertices of quads, seen from outside against the clock; (F, 2) of edges in a plane.
        face_limits: (F,) index of the limit that each face lies on.
        limits: What the indices stand for.
        crossings: (F, d) where the boundary crosses the edge of the grid that each face is about, to round-off.
        residual: Largest margin left at a vertex, as a distance [m]; of those that lie on all limits of their cell.
    """

    __repr__ = brief

    vertices: Array
    faces: NDArray[np.intp]
    face_limits: NDArray[np.intp]
    limits: tuple[Limit, ...]
    crossings: Array
    residual: float

    @property
    def triangles(self) -> NDArray[np.intp]:
        """(2 F, 3) the quads halved."""
        return np.concatenate([self.faces[:, [0, 1, 2]], self.faces[:, [0, 2, 3]]])

    @property
    def measure(self) -> float:
        """Enclosed volume [m^3], or area in a plane [m^2]; of flat faces: off by the square of the grid's step."""
        if self.vertices.shape[1] == 2:
            a, b = self.vertices[self.faces[:, 0]], self.vertices[self.faces[:, 1]]
            return float(0.5 * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum())
        a, b, c = (self.vertices[self.triangles[:, k]] - self.vertices[0] for k in range(3))
        return float((a * np.cross(b, c)).sum() / 6.0)

    @property
    def sizes(self) -> Array:
        """(F,) areas of the faces [m^2], or lengths of the edges in a plane [m]."""
        if self.vertices.shape[1] == 2:
            return np.asarray(np.linalg.norm(np.diff(self.vertices[self.faces], axis=1)[:, 0], axis=1))
        a, b, c = (self.vertices[self.triangles[:, k]] for k in range(3))
        return np.asarray(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).reshape(2, -1).sum(axis=0))

    @property
    def shares(self) -> dict[str, float]:
        """Share of the boundary by kind of limit, the largest first."""
        sizes = self.sizes
        kinds = np.array([limit.kind for limit in self.limits])[self.face_limits]
        found = {str(kind): float(sizes[kinds == kind].sum() / sizes.sum()) for kind in dict.fromkeys(kinds.tolist())}
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    @property
    def watertight(self) -> bool:
        """Whether each edge of a face (each vertex in a plane) is met by as many faces one way as the other."""
        if self.vertices.shape[1] == 2:
            return bool((np.bincount(self.faces[:, 0]) == np.bincount(self.faces[:, 1])).all())
        a, b = self.faces.ravel(), np.roll(self.faces, -1, axis=1).ravel()
        count = len(self.vertices)
        return bool(np.array_equal(np.sort(a * count + b), np.sort(b * count + a)))


def surface_of(region: Region, grid: Grid) -> Surface:
    """The boundary of the grid's own part of a region; grids of one dimension have none."""
    edges, axes = _crossed_edges(grid)
    low = grid.nodes(edges)
    high = low + grid.step * np.eye(region.dimension)[axes]
    out = grid.own[tuple(edges.T)]
    inside, outside = np.where(out[:, None], low, high), np.where(out[:, None], high, low)
    places = _crossings(region, inside, outside)
    limits = region.margins(places + 1e-9 * (outside - inside)).argmin(axis=1)
    cells, faces = _faces(grid, edges, axes, out)
    middles = grid.nodes(cells) + 0.5 * grid.step
    vertices, residual = _vertices(region, middles, grid.step, faces, places, limits)
    return Surface(vertices, faces, limits, region.limits, places, residual)


def _crossed_edges(grid: Grid) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Lower node (E, d) and axis (E,) of the edges with one end inside."""
    found, axes = [], []
    for axis in range(grid.own.ndim):
        before = np.delete(grid.own, -1, axis=axis)
        after = np.delete(grid.own, 0, axis=axis)
        places = np.argwhere(before != after)
        found.append(places)
        axes.append(np.full(len(places), axis))
    return np.concatenate(found), np.concatenate(axes)


def _crossings(region: Region, inside: Array, outside: Array) -> Array:
    """(E, d) where the least margin vanishes between places inside and outside: false position, halved where slow."""
    low, high = np.zeros(len(inside)), np.ones(len(inside))
    f_low, f_high = (np.asarray(region.least(u=np.ascontiguousarray(u))) for u in (inside, outside))
    side = np.zeros(len(inside))
    for step in range(60):
        with np.errstate(all="ignore"):
            t = high - f_high * (high - low) / (f_high - f_low)
        safe = np.isfinite(t) & (t >= low) & (t <= high) & (step % 8 != 7)
        t = np.where(safe, t, 0.5 * (low + high))
        f = np.asarray(region.least(u=inside + t[:, None] * (outside - inside)))
        in_again = f > 0.0
        f_high = np.where(in_again, np.where(side == 1.0, 0.5 * f_high, f_high), f)
        f_low = np.where(in_again, f, np.where(side == -1.0, 0.5 * f_low, f_low))
        low, high = np.where(in_again, t, low), np.where(in_again, high, t)
        side = np.where(in_again, 1.0, -1.0)
        if ((high - low < 1e-14) | (np.abs(f) < 1e-16)).all():
            break
    return np.asarray(inside + t[:, None] * (outside - inside))


def _faces(
    grid: Grid, edges: NDArray[np.intp], axes: NDArray[np.intp], out: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Cells (V, d) that the boundary passes, and for each crossed edge the cells around it as places in that list."""
    d = grid.own.ndim
    around = []
    for axis in range(d):
        mine = edges[axes == axis]
        others = [(axis + k) % d for k in range(1, d)]
        turns = [(-1,), (0,)] if d == 2 else [(-1, -1), (0, -1), (0, 0), (-1, 0)]
        shifts = np.zeros((len(turns), d), dtype=np.intp)
        shifts[:, others] = turns
        around.append(mine[:, None] + shifts)
    cells = np.concatenate(around)
    # In a plane the axis after y is x again, which turns the edge the other way round.
    flip = out if d == 3 else out != (axes == 1)
    flipped = np.where(flip[:, None, None], cells, cells[:, ::-1])
    unique, places = np.unique(flipped.reshape(-1, d), axis=0, return_inverse=True)
    return unique, places.reshape(len(edges), -1)


def _vertices(
    region: Region, middles: Array, step: float, faces: NDArray[np.intp], places: Array, limits: NDArray[np.intp]
) -> tuple[Array, float]:
    """A vertex (V, d) per cell: on all limits that its crossed edges meet, or near the mean of the crossings."""
    count, d = middles.shape
    around, each = faces.ravel(), np.repeat(np.arange(len(faces)), faces.shape[1])
    met = np.bincount(around, minlength=count)
    mean = np.stack([np.bincount(around, places[each, k], count) / met for k in range(d)], axis=1)
    active = _active(around, limits[each], count, d)
    vertices, left = _projected(region, mean, active)
    strayed = ~(np.abs(vertices - middles).max(axis=1) <= 0.75 * step) | ~np.isfinite(left)
    alone = active[strayed].copy()
    alone[:, 1:] = -1
    again, still = _projected(region, mean[strayed], alone)
    fine = (np.abs(again - middles[strayed]).max(axis=1) <= 0.75 * step) & np.isfinite(still)
    vertices[strayed] = np.where(fine[:, None], again, mean[strayed])
    return vertices, float(left[~strayed].max(initial=0.0))


def _active(cells: NDArray[np.intp], limits: NDArray[np.intp], count: int, most: int) -> NDArray[np.intp]:
    """(V, most) limits met in each cell, the most frequent first, -1 where there are no more."""
    many = int(limits.max()) + 1
    keys, times = np.unique(cells * many + limits, return_counts=True)
    order = np.lexsort((-times, keys // many))
    keys = keys[order]
    own = keys // many
    rank = np.arange(len(keys)) - np.searchsorted(own, own)
    found = np.full((count, most), -1)
    kept = rank < most
    found[own[kept], rank[kept]] = keys[kept] % many
    return found


def _projected(region: Region, x: Array, active: NDArray[np.intp]) -> tuple[Array, Array]:
    """(V, d) points on their active limits nearest to x to first order, and how far off they are left [m]."""
    if not len(x):
        return x, np.zeros(0)
    rows, missing = np.arange(len(x))[:, None], active < 0
    x = x.copy()
    for step in range(STEPS + 1):
        raw = region.slopes(u=x)
        h = np.where(missing, 0.0, raw["m"][rows, active])
        J = np.where(missing[..., None], 0.0, raw["J"][rows, active])
        with np.errstate(all="ignore"):
            left = (np.abs(h) / np.where(missing, 1.0, np.linalg.norm(J, axis=2))).max(axis=1)
            if step == STEPS:
                return x, left
            scale = np.where(missing, 1.0, np.linalg.norm(J, axis=2))
            J, h = J / scale[..., None], h / scale
        gram = J @ J.transpose(0, 2, 1) + np.eye(J.shape[1]) * (missing[..., None] + 1e-13)
        good = np.isfinite(gram).all(axis=(1, 2)) & np.isfinite(h).all(axis=1)
        x[~good] = np.nan
        shares = np.linalg.solve(gram[good], h[good][..., None])
        x[good] -= (J[good].transpose(0, 2, 1) @ shares)[..., 0]
    return x, left
