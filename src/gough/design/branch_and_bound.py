"""Branch and bound over boxes, many at once, and the proof it ends with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gough.graph import Array, Graph
from gough.kinematics.leg import REACH_SLACK
from gough.run.enclose import enclose
from gough.table import Result, column

BLOCK = 512
"""Boxes at a time."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What holds over all boxes.

    Attributes:
        proved: (k,) upper bounds, infinite where there is none.
        boxes: Number of boxes examined.
        unreachable: Share of the volume that a leg is proved not to reach.
        undecided: Share in boxes of which it is not decided whether all of it is in reach.
    """

    proved: Array
    boxes: int
    unreachable: float
    undecided: float


def branch(
    graph: Graph,
    start: Boxes,
    bounds_of: Callable[[dict[str, Any]], Any],
    divided: Callable[[Boxes, dict[str, Any]], Boxes],
    enough: Array,
    most: int,
) -> Outcome:
    """Upper bounds over a box, at most `enough` (k,) each if `most` boxes suffice.

    Args:
        graph: Its enclosures give the bounds; one output is "short", how far each leg falls short.
        start: One box.
        bounds_of: From enclosures to bounds (k, B).
        divided: Parts of boxes that need it, from their enclosures.
        enough: A box with no bound above is done.
        most: Boxes after which none is divided any more.
    """
    todo, whole = start, float(start.volume[0])
    proved, looked, outside, unsure = np.full(len(enough), -np.inf), 0, 0.0, 0.0
    while len(todo):
        boxes, todo = todo.some(slice(0, BLOCK)), todo.some(slice(BLOCK, None))
        looked += len(boxes)
        forms = enclose(graph, boxes.centre, boxes.radius)
        lowest, highest = ends(forms["short"])
        missed = (lowest > REACH_SLACK).any(axis=0)
        bounds = bounds_of(forms)
        larger = ~missed & ~(bounds <= enough[:, None]).all(axis=0)
        if not (boxes.radius > 0.0).any() or looked + len(todo) > most:
            larger[:] = False
        done = ~missed & ~larger
        proved = np.maximum(proved, np.where(np.isfinite(bounds), bounds, np.inf)[:, done].max(axis=1, initial=-np.inf))
        outside += float(boxes.volume[missed].sum())
        unsure += float(boxes.volume[done & ~(highest <= REACH_SLACK).all(axis=0)].sum())
        if larger.any():
            some = {name: form[..., larger] for name, form in forms.items()}
            todo = todo.then(divided(boxes.some(larger), some))
    return Outcome(proved, looked, outside / whole, unsure / whole)


@dataclass(frozen=True, slots=True)
class Boxes:
    """Middles and half-widths (B, n)."""

    centre: Array
    radius: Array

    @classmethod
    def around(cls, ranges: ArrayLike) -> Boxes:
        """The one box of these ranges (n, 2)."""
        low, high = np.array(ranges, dtype=float).T
        radius = np.where(high > low, np.nextafter(0.5 * (high - low), np.inf), 0.0)
        return cls(0.5 * (low + high)[None], radius[None])

    def __len__(self) -> int:
        return len(self.centre)

    @property
    def volume(self) -> Array:
        """(B,) over the axes that have a width."""
        return np.prod(np.where(self.radius > 0.0, 2.0 * self.radius, 1.0), axis=1)

    def some(self, which: NDArray[np.bool_] | slice) -> Boxes:
        """Those of them."""
        return Boxes(self.centre[which], self.radius[which])

    def halves(self) -> Boxes:
        """All halved along every axis that has a width."""
        wide = np.any(self.radius > 0.0, axis=0)
        signs = np.array(list(product(*[(-0.5, 0.5) if w else (0.0,) for w in wide])))
        centre = np.concatenate([self.centre + sign * self.radius for sign in signs])
        return Boxes(centre, np.tile(0.5 * self.radius, (len(signs), 1)))

    def halved(self, axis: NDArray[np.intp]) -> Boxes:
        """Each halved along one axis of its own (B,)."""
        along = np.arange(self.radius.shape[1]) == axis[:, None]
        radius = np.where(along, 0.5 * self.radius, self.radius)
        step = np.where(along, radius, 0.0)
        return Boxes(np.concatenate([self.centre - step, self.centre + step]), np.concatenate([radius, radius]))

    def then(self, others: Boxes) -> Boxes:
        """These, then the others."""
        return Boxes(np.concatenate([self.centre, others.centre]), np.concatenate([self.radius, others.radius]))


ROUND_OFF = 1e-11
"""Of the sizes added up: more than what follows the enclosures can be off by round-off."""


def at_corners(form: Array, corners: Array) -> Array:
    """(C, ...) values of forms (d + 2, ...) without their rests."""
    return form[0] + np.tensordot(corners, form[1:-1], axes=1)


def linear(rows: Array, ball: bool) -> Array:
    """Largest value of linear forms (..., n, B) over the cube or the ball."""
    return np.sqrt((rows**2).sum(axis=-2)) * (1.0 + ROUND_OFF) if ball else np.abs(rows).sum(axis=-2)


def ends(form: Array) -> tuple[Array, Array]:
    """Lowest and highest values of forms (d + 2, k, B)."""
    radius = np.abs(form[1:]).sum(axis=0) * (1.0 + ROUND_OFF)
    return form[0] - radius, form[0] + radius


class Proof(Result):
    """Bounds that hold at every reachable pose of an envelope.

    Attributes:
        force_high, force_low: (m,) what the force of each actuator is never above and never below (both signed).
        qd: (m,) what its speed is never above.
        power: (m,) what its power, either way, is never above; no more than force times speed.
        gap: Largest distance of a bound of forces and speeds from what was found, of the actuator's largest force or
            speed; infinite if there is no bound.
        power_gap: The same of the powers.
        boxes: Number of boxes examined.
        unreachable: Share of the pose box that is proved to be out of reach.
        undecided: Share in boxes that may hold poses out of reach; the bounds hold there for those within.
    """

    force_high: Array = column()
    force_low: Array = column()
    qd: Array = column()
    power: Array = column()
    gap: float
    power_gap: float
    boxes: int
    unreachable: float
    undecided: float

    FACTS, UNDER = ("gap", "power_gap", "boxes", "unreachable", "undecided"), ""
