"""The volume of a region between proved bounds, by branch and bound.

A box that is neither inside nor outside has a form c + s.t +- r of each margin that may vanish in it. What such a form
leaves of the box, t in [-1, 1]^q, is a half-space of it, whose share is in closed form

    sum over signs e of  prod(e) max(c + sum e_i s_i, 0)^q / (2^q q! prod s)

at c - r for what is surely inside, at c + r for what may be. The gap falls with the square of the boxes' size per box.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from gough.brief import brief
from gough.graph import Array
from gough.run.affine_forms import highest, lowest
from gough.workspaces.allowance import ALL, Allowance
from gough.workspaces.region import Grid, Region

FLAT = 1e-3
"""Slopes below this, of the largest, count as rest: their share would lose too many digits."""
BLOCK = 1 << 15
"""Boxes at a time."""
CHASED = 0.8
"""In each round the boxes with the largest gaps are divided, as many as have this share of it all."""
MOST = 400_000


@dataclass(frozen=True, slots=True)
class Bracket:
    """Proved bounds of the measure of all poses within the limits in a box.

    Attributes:
        low, high: What it is at least and at most [m^d].
        boxes: How many were looked at.
        box: (d, 2) in which.
        closed: Whether it is proved that nothing inside reaches the faces of the box.
        ended: What ended the search: "tolerance", as the bounds are as close as was asked for, or "boxes" or
            "time", which were used up before.
    """

    __repr__ = brief

    low: float
    high: float
    boxes: int
    box: Array
    closed: bool
    ended: str = "tolerance"

    @property
    def gap(self) -> float:
        """Of the upper bound."""
        return (self.high - self.low) / self.high if self.high > 0.0 else 0.0


def bracket_of(
    region: Region,
    grid: Grid,
    tolerance: float = 2e-3,
    most: int = MOST,
    allowed: Allowance = ALL,
    progress: Callable[[str], None] = lambda step: None,
) -> Bracket:
    """Bounds of the region's measure in the grid's box, `tolerance` apart if `most` boxes and the time suffice.

    Raises:
        InputError: The robot's equations have an operation without enclosure.
    """
    # Thin tails of a region reach farther than its nodes.
    wider = np.maximum(grid.step, 0.1 * np.ptp(grid.box, axis=1))
    ends = grid.box + np.stack([-wider, wider], axis=1)
    # Nothing is beyond a wall: what reaches it is not cut.
    ends = np.clip(ends, region.walls[:, :1], region.walls[:, 1:])
    cut = ends != region.walls
    boxes = _Boxes.of(region, *_cells(ends))
    low = high = 0.0
    looked, children, ended = len(boxes), 2**region.dimension, ""
    while not ended:
        done = (boxes.gap == 0.0) & ~boxes.loose(ends, cut)
        low, high = low + boxes[done].low, high + boxes[done].high
        boxes = boxes[~done]
        total, gap = high + boxes.high, high + boxes.high - low - boxes.low
        loose = boxes.loose(ends, cut)
        # What fills a box at a face reaches it: nothing is to be told by dividing it.
        loose &= not bool((loose & (boxes.least > 0.0)).any())
        if gap <= tolerance * total and not loose.any():
            ended = "tolerance"
        elif looked + children > most:
            ended = "boxes"
        elif allowed.over:
            ended = "time"
        else:
            chosen = _chosen(boxes.gap, loose, min(BLOCK, (most - looked) // children))
            parts = _Boxes.of(region, *divided(boxes.centre[chosen], boxes.radius[chosen]))
            looked += len(parts)
            boxes = boxes[~chosen].with_more(parts)
            progress(f"proving the volume: bounds {100.0 * gap / max(total, 1e-300):.2g} % apart")
    closed = not bool(boxes.loose(ends, cut).any())
    low, high, slack = low + boxes.low, high + boxes.high, 2.0**-50 * looked
    return Bracket(low * (1.0 - slack), high * (1.0 + slack), looked, ends, closed, ended)


def _cells(ends: Array) -> tuple[Array, Array]:
    """Middles and half-widths of some boxes that fill a box (d, 2): eight along its longest side."""
    sides = np.ptp(ends, axis=1)
    cells = np.maximum(1, np.rint(sides / sides.max() * 8.0)).astype(int)
    half = np.nextafter(0.5 * sides / cells, np.inf)
    axes = [ends[k, 0] + (np.arange(cells[k]) + 0.5) * (sides[k] / cells[k]) for k in range(len(ends))]
    centre = np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=1)
    return centre, np.tile(half, (len(centre), 1))


@dataclass(frozen=True, slots=True)
class _Boxes:
    """Middles and half-widths (B, d) of boxes, and the least and largest share of each that is inside (B,)."""

    centre: Array
    radius: Array
    least: Array
    largest: Array

    @classmethod
    def of(cls, region: Region, centre: Array, radius: Array) -> _Boxes:
        found = [_shares(region, centre[k : k + BLOCK], radius[k : k + BLOCK]) for k in range(0, len(centre), BLOCK)]
        return cls(centre, radius, *(np.concatenate([part[k] for part in found]) for k in range(2)))

    def __len__(self) -> int:
        return len(self.centre)

    def __getitem__(self, kept: NDArray[np.bool_]) -> _Boxes:
        return _Boxes(self.centre[kept], self.radius[kept], self.least[kept], self.largest[kept])

    def with_more(self, others: _Boxes) -> _Boxes:
        """These and others."""
        pairs = ((getattr(self, name), getattr(others, name)) for name in ("centre", "radius", "least", "largest"))
        return _Boxes(*(np.concatenate(pair) for pair in pairs))

    @property
    def volume(self) -> Array:
        return np.asarray(np.prod(2.0 * self.radius, axis=1))

    @property
    def gap(self) -> Array:
        return (self.largest - self.least) * self.volume

    @property
    def low(self) -> float:
        return float((self.least * self.volume).sum())

    @property
    def high(self) -> float:
        return float((self.largest * self.volume).sum())

    def loose(self, ends: Array, cut: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(B,) which may hold something at a face of the box (d, 2) of all, of those that cut (d, 2)."""
        off, half = self.centre - ends.mean(axis=1), 0.5 * np.ptp(ends, axis=1) * (1.0 - 1e-12)
        at_face = (((self.radius - off >= half) & cut[:, 0]) | ((self.radius + off >= half) & cut[:, 1])).any(axis=1)
        return np.asarray(at_face & (self.largest > 0.0))


def _chosen(gap: Array, loose: NDArray[np.bool_], count: int) -> NDArray[np.bool_]:
    """(B,) which boxes are divided, not more than `count`: those with most of the gap, and loose ones first."""
    order = np.argsort(np.where(loose, np.inf, gap))[::-1]
    needed = int(loose.sum()) + int(np.searchsorted(np.cumsum(gap[order]), CHASED * gap.sum())) + 1
    chosen = np.zeros(len(gap), dtype=bool)
    chosen[order[: min(count, needed)]] = True
    return chosen


def divided(centre: Array, radius: Array) -> tuple[Array, Array]:
    """All halved along every axis."""
    signs = np.array(list(product((-0.5, 0.5), repeat=centre.shape[1])))
    parts = (centre[:, None] + signs * radius[:, None]).reshape(-1, centre.shape[1])
    return parts, np.repeat(np.nextafter(0.5 * radius, np.inf), len(signs), axis=0)


def _shares(region: Region, centre: Array, radius: Array) -> tuple[Array, Array]:
    """(B,) least and largest share of each box that is inside."""
    lower, upper = region.enclosure(centre, radius)
    least, largest = np.ones(len(centre)), np.ones(len(centre))
    out = (highest(upper) < 0.0).any(axis=0)
    rows, boxes = np.nonzero(~(lowest(lower) > 0.0) & ~out)
    low, _ = half_space_share(lower[:, rows, boxes])
    least -= np.bincount(boxes, 1.0 - low, len(centre)) * (1.0 + 2.0**-48)
    rows, boxes = np.nonzero(~(lowest(upper) > 0.0) & ~out)
    _, high = half_space_share(upper[:, rows, boxes])
    np.minimum.at(largest, boxes, high)
    least[out], largest[out] = 0.0, 0.0
    return np.clip(least, 0.0, 1.0), largest


def half_space_share(form: Array) -> tuple[Array, Array]:
    """(K,) bounds of the share of [-1, 1]^d in which forms (d + 2, K) are positive, rounding included."""
    c, s, r = form[0], np.abs(form[1:-1]), form[-1]
    known = np.isfinite(form).all(axis=0)
    c, s, r = (np.where(known, part, 0.0) for part in (c, s, r))
    flat = s <= FLAT * s.max(axis=0)
    r = (r + np.where(flat, s, 0.0).sum(axis=0)) * (1.0 + 2.0**-50) + 2.0**-50 * np.abs(c)
    low, high = _share(c - r, s, flat, -1.0), _share(c + r, s, flat, 1.0)
    return np.where(known, low, 0.0), np.where(known, high, 1.0)


def _share(c: Array, s: Array, flat: NDArray[np.bool_], sign: float) -> Array:
    """(K,) the closed form at c, with its rounding error added to the given side.

    A base c + sum e_i s_i is off by q 2^-53 of the sizes in it, its power by q times that and q more, and the sum of
    2^q of them by q more: (q + 2)^2 2^-53 of (|c| + sum s)^q / (q! prod s) holds all of it, with division.
    """
    count = (~flat).sum(axis=0)
    found = np.where(c > 0.0, 1.0, 0.0)
    for q in range(1, len(s) + 1):
        k = np.flatnonzero(count == q)
        if not len(k):
            continue
        kept = np.sort(np.where(flat[:, k], 0.0, s[:, k]), axis=0)[-q:]
        scale = math.factorial(q) * np.prod(kept, axis=0)
        value = np.zeros(len(k))
        for signs in product((-1.0, 1.0), repeat=q):
            base = np.maximum(c[k] + (np.array(signs)[:, None] * kept).sum(axis=0), 0.0)
            value += math.prod(signs) * base**q
        error = (q + 2) ** 2 * 2.0**-53 * (np.abs(c[k]) + kept.sum(axis=0)) ** q / scale
        found[k] = value / (2.0**q * scale) + sign * error
    return np.clip(found, 0.0, 1.0)
