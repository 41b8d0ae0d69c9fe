"""Which number the spread comes from: first-order and total Sobol indices, with intervals by bootstrap.

First order after A. Saltelli et al., "Variance based sensitivity analysis of model output", Comput. Phys. Commun. 181
(2010), total after M. J. W. Jansen (1999); rows of k + 2 machines as `Drawing` lays them out. Rows are spread over
batches by their number, and the bootstrap draws batches: memory does not grow with the number of machines.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.draws.counter import STREAMS, whole_numbers
from gough.graph import Array
from gough.studies.reductions.contract import Block, State, finite

BATCHES = 128
RESAMPLES = 1000


@dataclass(frozen=True)
class SobolIndices:
    """Of one measure.

    Attributes:
        of: The measure.
        names: Names of the numbers that vary.
        origin: Taken off the values, so that squares do not cancel.
        seed: Seed of the bootstrap.
        confidence: Confidence of the intervals.
    """

    of: str
    names: tuple[str, ...]
    origin: float = 0.0
    seed: int = 0
    confidence: float = 0.95

    @property
    def name(self) -> str:
        """In results."""
        return f"Sobol indices of {self.of}"

    def leaf(self, block: Block) -> State:
        """Sums of each batch: rows, failed rows, f, f^2 of A and B, products and squares for each number."""
        k = len(self.names)
        values = block.values[self.of].reshape(-1, k + 2) - self.origin
        rows = block.first // (k + 2) + np.arange(len(values))
        good = finite(values).all(axis=1)
        values, batch = values[good], rows[good] % BATCHES
        a, b, swapped = values[:, 0], values[:, 1], values[:, 2:]
        columns = [a + b, a * a + b * b, *(b[:, None] * (swapped - a[:, None])).T, *((a[:, None] - swapped) ** 2).T]
        sums = np.stack([np.bincount(batch, column, BATCHES) for column in columns], axis=1)
        counts = np.stack(
            [np.bincount(batch, minlength=BATCHES), np.bincount(rows[~good] % BATCHES, minlength=BATCHES)]
        )
        return {"sums": sums, "counts": counts.astype(np.int64)}

    def merge(self, left: State, right: State) -> State:
        """Of both."""
        return {key: left[key] + right[key] for key in left}

    def result(self, state: State) -> dict[str, Any]:
        """First-order and total index of each number with intervals; null where nothing varies."""
        counts, sums = state["counts"][0], state["sums"]
        names = list(self.names)
        rows, failed = int(counts.sum()), int(state["counts"][1].sum())
        base: dict[str, Any] = {"numbers": names, "rows": rows, "failed_rows": failed, "confidence": self.confidence}
        if rows < 2 or not self._variance(counts.sum(), sums.sum(axis=0)) > 0.0:
            return base | {"first": None, "total": None, "first_interval": None, "total_interval": None}
        first, total = self._indices(counts.sum(), sums.sum(axis=0))
        drawn = whole_numbers(self.seed, np.arange(RESAMPLES), 0, BATCHES, BATCHES, STREAMS["resampling"])
        many = [self._indices(counts[pick].sum(), sums[pick].sum(axis=0)) for pick in drawn if counts[pick].sum() > 1]
        tail = (1.0 - self.confidence) / 2.0
        with np.errstate(all="ignore"):
            ends = [np.nanquantile([pair[k] for pair in many], [tail, 1.0 - tail], axis=0) for k in (0, 1)]
        return base | {
            "first": first.tolist(),
            "total": total.tolist(),
            "first_interval": ends[0].T.tolist(),
            "total_interval": ends[1].T.tolist(),
        }

    def _variance(self, rows: int, sums: Array) -> float:
        mean = sums[0] / (2 * rows)
        return float(sums[1] / (2 * rows) - mean * mean)

    def _indices(self, rows: int, sums: Array) -> tuple[Array, Array]:
        k = len(self.names)
        with np.errstate(all="ignore"):
            variance = self._variance(rows, sums)
            return sums[2 : 2 + k] / rows / variance, sums[2 + k :] / (2 * rows) / variance
