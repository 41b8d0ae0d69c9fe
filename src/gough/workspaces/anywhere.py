"""The largest shape of positions wherever its middle is, and how much larger one could be at most.

A shape of size a about c is all p with g(p - c) <= a. No such shape can hold a point of the region's boundary inside:
the least of g(b - c) over points b of the boundary bounds the size about c from above, and its largest value over c
bounds all of them. That largest value is found by halving cells of middles (g is a norm: over a cell the bound grows by
no more than the cell's size). About the middle where it is, rays end at more points of the boundary, until what a shape
there has and what none can exceed have met.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from gough.graph import Array
from gough.workspaces.allowance import ALL, Allowance
from gough.workspaces.inscribed import Ends, Inscribed, directions_of, largest, norm_of
from gough.workspaces.surface import Surface
from gough.workspaces.volume import Volume

CLOSE = 1e-3
"""The search ends where the bound is within this share of the shape found."""
ROUNDS = 16
NEIGHBOURS = 24
MOST = 30_000
"""Cells of middles that are halved at a time; where there are more, the bound is what they have."""


def largest_anywhere(
    volume: Volume,
    shape: str,
    aspect: Sequence[float] | None = None,
    height: float = 1.0,
    prove: bool = False,
    allowed: Allowance = ALL,
) -> Inscribed:
    """The largest shape with its middle anywhere in the part of the region that is joined to its start.

    Args:
        volume: In two or three sliding coordinates.
        shape, aspect, height, prove, allowed: As of `largest`.

    Raises:
        InputError: No such shape, or sides that are none.
    """
    region, grid = volume.region, volume.grid
    norm, half = norm_of(region, shape, aspect, height)
    surface: Surface | None = volume.surface
    assert surface is not None
    points = surface.crossings
    nodes = grid.nodes(np.argwhere(grid.own))
    directions = directions_of(region.dimension, half)
    scale = norm(directions)
    best, size, most = region.start, 0.0, np.inf
    for _ in range(ROUNDS):
        centre, bound = _farthest(points, nodes, 0.5 * grid.step, norm, half, CLOSE)
        most = min(most, bound)
        if not region.inside(centre[None])[0]:
            # The middle of a cell at the boundary: what is nearest inside stands for it.
            centre = nodes[np.linalg.norm(nodes - centre, axis=1).argmin()]
        t, _ = Ends(region, centre)(directions)
        found = float((t * scale).min())
        if found > size:
            best, size = centre, found
        points = np.concatenate([points, centre + t[:, None] * directions])
        if most <= size * (1.0 + CLOSE):
            break
    exact = largest(region, shape, aspect, height, prove, best, allowed.part(0.5))
    home = largest(region, shape, aspect, height, prove, allowed=allowed)
    if home.size > exact.size:
        exact = home
    return replace(exact, most=max(most, exact.size))


def _farthest(
    points: Array, nodes: Array, half_step: float, norm: Callable[[Any], Any], half: Array, close: float
) -> tuple[Array, float]:
    """(d,) the middle that is farthest from all points, and a bound of how far any in the nodes' cells is."""
    tree = cKDTree(points / half)
    reach = float(norm(np.full(nodes.shape[1], half_step)))
    value = _clear(tree, points, nodes, norm, half)
    best, at = float(value.max()), nodes[value.argmax()]
    signs = np.array(list(product((-0.5, 0.5), repeat=nodes.shape[1])))
    centres, width = nodes, half_step
    while True:
        kept = value + reach > best * (1.0 + 0.5 * close)
        if not kept.any():
            return at, best * (1.0 + 0.5 * close)
        if kept.sum() * len(signs) > MOST or reach < 0.25 * close * best:
            return at, float(value[kept].max() + reach)
        centres = (centres[kept][:, None] + signs * width).reshape(-1, nodes.shape[1])
        width, reach = 0.5 * width, 0.5 * reach
        value = _clear(tree, points, centres, norm, half)
        if value.max() > best:
            best, at = float(value.max()), centres[value.argmax()]


def _clear(tree: Any, points: Array, centres: Array, norm: Callable[[Any], Any], half: Array) -> Array:
    """(N,) the least of g(b - c) over all points b, for middles c (N, d).

    In extents of the shape the largest coordinate never exceeds g: the nearest by it, and those that may be nearer
    by g. Of a cube or box it is g itself.
    """
    if norm(half) <= 1.0 + 1e-12:
        return np.asarray(tree.query(centres / half, p=np.inf)[0])
    count = min(NEIGHBOURS, len(points))
    far, near = tree.query(centres / half, k=count, p=np.inf)
    far, near = far.reshape(len(centres), -1), near.reshape(len(centres), -1)
    found = norm(points[near] - centres[:, None]).min(axis=1)
    open_ = np.flatnonzero((far[:, -1] < found) & (count < len(points)))
    for k in open_:
        close = tree.query_ball_point(centres[k] / half, found[k], p=np.inf)
        found[k] = norm(points[close] - centres[k]).min()
    return np.asarray(found)
