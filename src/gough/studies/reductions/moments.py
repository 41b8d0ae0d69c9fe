"""Mean and variance, merged without cancellation.

T. F. Chan, G. H. Golub, R. J. LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances",
1979.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.studies.reductions.contract import Block, State, finite


@dataclass(frozen=True)
class Moments:
    """Number of values and of failures, mean, variance (of the sample, n - 1) and standard deviation."""

    of: str

    @property
    def name(self) -> str:
        """In results."""
        return f"moments of {self.of}"

    def leaf(self, block: Block) -> State:
        """Of one leaf."""
        values = block.values[self.of]
        good = values[finite(values)]
        mean = good.mean() if len(good) else 0.0
        spread = ((good - mean) ** 2).sum()
        return {"n": np.array([len(good), len(values) - len(good)]), "m": np.array([mean, spread])}

    def merge(self, left: State, right: State) -> State:
        """Of both."""
        n = left["n"] + right["n"]
        if left["n"][0] == 0 or right["n"][0] == 0:
            return {"n": n, "m": right["m"] if left["n"][0] == 0 else left["m"]}
        apart = right["m"][0] - left["m"][0]
        part = right["n"][0] / n[0]
        mean = left["m"][0] + apart * part
        spread = left["m"][1] + right["m"][1] + apart * apart * (left["n"][0] * part)
        return {"n": n, "m": np.array([mean, spread])}

    def result(self, state: State) -> dict[str, Any]:
        """Null where there are too few values."""
        (count, failed), (mean, spread) = state["n"].tolist(), state["m"].tolist()
        variance = spread / (count - 1) if count > 1 else None
        return {
            "machines": count + failed,
            "failed": failed,
            "mean": mean if count else None,
            "variance": variance,
            "deviation": None if variance is None else float(np.sqrt(variance)),
        }
