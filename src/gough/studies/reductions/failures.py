"""How many machines failed, why, and where the first of each kind did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.studies.reductions.contract import Block, State, finite


@dataclass(frozen=True)
class Failures:
    """Machines of which a measure has no value, by reason.

    Attributes:
        of: All measures.
        reasons: What `Block.why` counts from 1 on; the last one stands for machines without a stated reason.
    """

    of: tuple[str, ...]
    reasons: tuple[str, ...]

    @property
    def name(self) -> str:
        """In results."""
        return "failures"

    def leaf(self, block: Block) -> State:
        """Of one leaf."""
        numbers = block.numbers
        lost = ~np.all([finite(block.values[of]) for of in self.of], axis=0)
        why = np.where(lost, np.where(block.why > 0, block.why, len(self.reasons)), 0)
        first = np.full((len(self.reasons), 2), -1, dtype=np.int64)
        for k in range(len(self.reasons)):
            rows = np.flatnonzero(why == k + 1)
            if len(rows):
                first[k] = numbers[rows[0]], block.at[rows[0]]
        return {"counts": np.bincount(why, minlength=len(self.reasons) + 1).astype(np.int64), "first": first}

    def merge(self, left: State, right: State) -> State:
        """Of both."""
        known = left["first"][:, :1] >= 0
        return {"counts": left["counts"] + right["counts"], "first": np.where(known, left["first"], right["first"])}

    def result(self, state: State) -> dict[str, Any]:
        """Machines, how many failed, and for each reason how many, the first machine and its sample (None if none)."""
        counts = state["counts"].tolist()
        reasons = [
            {"reason": reason, "machines": count, "first": machine, "sample": sample if sample >= 0 else None}
            for reason, count, (machine, sample) in zip(self.reasons, counts[1:], state["first"].tolist(), strict=True)
            if count
        ]
        reasons.sort(key=lambda entry: -entry["machines"])
        return {"machines": sum(counts), "failed": sum(counts[1:]), "reasons": reasons}
