"""Branch and bound: boxes are divided until their bounds are near enough to what was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.design.prove.boxes import Boxes, ends
from gough.graph import Graph
from gough.kinematics.leg import REACH_SLACK
from gough.run.enclose import enclose

BLOCK = 512
"""Boxes at a time."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What holds over all boxes.

    Attributes:
        proved: (k,) upper bounds, infinite where there is none.
        boxes: How many were looked at.
        unreachable: Share of the volume that a leg is proved not to reach.
        undecided: Share in boxes of which it is not decided whether all of it is in reach.
    """

    proved: Any
    boxes: int
    unreachable: float
    undecided: float


def branch(
    graph: Graph,
    start: Boxes,
    bounds_of: Callable[[dict[str, Any]], Any],
    divided: Callable[[Boxes, dict[str, Any]], Boxes],
    enough: Any,
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
