"""Least and largest value with their machines, and the best few."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array
from gough.studies.reductions.contract import Block, State, finite


@dataclass(frozen=True)
class Top:
    """The `count` machines with the least (or largest) values; of equal ones the smaller number comes first."""

    of: str
    count: int
    largest: bool = False

    @property
    def name(self) -> str:
        """In results."""
        return f"{'largest' if self.largest else 'least'} {self.count} of {self.of}"

    def leaf(self, block: Block) -> State:
        """Of one leaf."""
        values = block.values[self.of]
        good = finite(values)
        return self._best(values[good], block.numbers[good])

    def merge(self, left: State, right: State) -> State:
        """Of both."""
        return self._best(*(np.concatenate([left[k], right[k]]) for k in ("values", "numbers")))

    def result(self, state: State) -> dict[str, Any]:
        """Values and machines, the best first."""
        return {"values": state["values"].tolist(), "machines": state["numbers"].tolist()}

    def _best(self, values: Array, numbers: NDArray[np.int64]) -> State:
        order = np.lexsort((numbers, -values if self.largest else values))[: self.count]
        return {"values": values[order], "numbers": numbers[order].astype(np.int64)}


@dataclass(frozen=True)
class Extremes:
    """Least and largest value and their machines."""

    of: str

    @property
    def name(self) -> str:
        """In results."""
        return f"extremes of {self.of}"

    def leaf(self, block: Block) -> State:
        """Of one leaf."""
        return self._both(lambda top: top.leaf(block))

    def merge(self, left: State, right: State) -> State:
        """Of both."""
        return {
            f"{end}_{key}": value
            for end, top in self._tops().items()
            for key, value in top.merge(_part(left, end), _part(right, end)).items()
        }

    def result(self, state: State) -> dict[str, Any]:
        """Null where no machine has a value."""
        found: dict[str, Any] = {}
        for end in self._tops():
            own = _part(state, end)
            some = len(own["values"]) > 0
            found[end] = float(own["values"][0]) if some else None
            found[f"{end}_machine"] = int(own["numbers"][0]) if some else None
        return found

    def _tops(self) -> dict[str, Top]:
        return {"min": Top(self.of, 1), "max": Top(self.of, 1, True)}

    def _both(self, state_of: Callable[[Top], State]) -> State:
        return {f"{end}_{key}": value for end, top in self._tops().items() for key, value in state_of(top).items()}


def _part(state: State, end: str) -> State:
    return {key.removeprefix(f"{end}_"): value for key, value in state.items() if key.startswith(f"{end}_")}
