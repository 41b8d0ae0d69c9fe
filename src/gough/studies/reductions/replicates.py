"""The mean over poses in a box, with an interval from replicates: sets of points shifted at random, each by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.studies.reductions.contract import Block, State, finite


@dataclass(frozen=True)
class Replicates:
    """Means of replicates, their mean, and Student's interval of it.

    Attributes:
        of: The measure.
        each: Rows of a replicate.
        count: Replicates.
        confidence: Confidence of the interval.
    """

    of: str
    each: int
    count: int
    confidence: float = 0.95

    @property
    def name(self) -> str:
        """In results."""
        return f"mean of {self.of} over {self.count} replicates"

    def leaf(self, block: Block) -> State:
        """Of one leaf."""
        values = block.values[self.of]
        good = finite(values)
        place = block.numbers // self.each
        sums = np.bincount(place[good], values[good], self.count)
        return {"sums": sums, "counts": np.bincount(place[good], minlength=self.count).astype(np.int64)}

    def merge(self, left: State, right: State) -> State:
        """Of both."""
        return {key: left[key] + right[key] for key in left}

    def result(self, state: State) -> dict[str, Any]:
        """Null where a replicate has no value."""
        from scipy.special import stdtrit

        if (state["counts"] == 0).any():
            return {"mean": None, "interval": None, "replicates": [], "confidence": self.confidence}
        means = state["sums"] / state["counts"]
        mean = float(means.mean())
        half = float(stdtrit(self.count - 1, 0.5 + self.confidence / 2.0) * means.std(ddof=1) / np.sqrt(self.count))
        interval = [mean - half, mean + half]
        return {"mean": mean, "interval": interval, "replicates": means.tolist(), "confidence": self.confidence}
