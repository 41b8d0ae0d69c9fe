"""The Pareto front: machines that no other beats in every respect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array
from gough.studies.reductions.contract import Block, State, finite


@dataclass(frozen=True)
class Pareto:
    """Machines of which none is at least as good in all objectives and better in one; of equal ones all.

    Attributes:
        of: Objectives.
        largest: For each whether it should be large.
    """

    of: tuple[str, ...]
    largest: tuple[bool, ...]

    @property
    def name(self) -> str:
        """In results."""
        ways = [f"{'largest' if up else 'least'} {of}" for of, up in zip(self.of, self.largest, strict=True)]
        return f"front of {' and '.join(ways)}"

    def leaf(self, block: Block) -> State:
        """Of one leaf."""
        values = np.stack([block.values[of] for of in self.of], axis=1)
        good = finite(values).all(axis=1)
        return self._front(values[good], block.numbers[good])

    def merge(self, left: State, right: State) -> State:
        """Of both."""
        return self._front(*(np.concatenate([left[key], right[key]]) for key in ("values", "numbers")))

    def result(self, state: State) -> dict[str, Any]:
        """Objectives and machines, in the order of the first objective."""
        found = {of: state["values"][:, k].tolist() for k, of in enumerate(self.of)}
        return {"front": found, "machines": state["numbers"].tolist()}

    def _front(self, values: Array, numbers: NDArray[np.int64]) -> State:
        points, back = np.unique(np.where(np.array(self.largest), -values, values), axis=0, return_inverse=True)
        places = np.flatnonzero(_best(points)[back.ravel()])
        places = places[np.lexsort((numbers[places], back.ravel()[places]))]
        return {"values": values[places], "numbers": numbers[places].astype(np.int64)}


def _best(points: Array) -> NDArray[np.bool_]:
    """(N,) which of different points (N, d), in lexical order, no other is below."""
    if points.shape[1] == 2:
        before = np.minimum.accumulate(np.concatenate([[np.inf], points[:-1, 1]])) if len(points) else np.empty(0)
        return points[:, 1] < before
    kept, left = np.zeros(len(points), dtype=bool), np.arange(len(points))
    while len(left):
        first = left[np.argmin(points[left].sum(axis=1))]
        rivals = left[(points[left] <= points[first]).all(axis=1)]
        first = rivals[0]
        kept[first] = True
        left = left[~(points[left] >= points[first]).all(axis=1)]
    return kept
