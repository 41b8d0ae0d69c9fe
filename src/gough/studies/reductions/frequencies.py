"""How often values occur: histograms, quantiles and yields, all by whole numbers, so in any order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gough.graph import Array
from gough.studies.reductions.contract import Block, State, finite

KEPT = 12
"""Bits of the fraction that a quantile's histogram keeps: relative error up to 2^-12."""
_SIGN = np.uint64(1 << 63)


def ordered_bits(values: Array) -> NDArray[np.uint64]:
    """(N,) whole numbers in the order of the doubles they stand for."""
    bits = np.ascontiguousarray(values, dtype=np.float64).view(np.uint64)
    return np.where(bits & _SIGN, ~bits, bits | _SIGN)


def value_of_bits(bits: ArrayLike) -> Array:
    """The doubles of `ordered_bits`."""
    bits = np.ascontiguousarray(bits, dtype=np.uint64)
    return np.where(bits & _SIGN, bits ^ _SIGN, ~bits).view(np.float64)


@dataclass(frozen=True)
class Quantiles:
    """Values below which given shares of the machines are, from a histogram over the leading bits of doubles.

    Attributes:
        of: The measure.
        at: Shares from 0 to 1.
        exact: Whether further passes find the values themselves.
        shift: Bits left out; 0 keeps all.
        prefixes, above: In a further pass the leading bits of the values that count, and how many bits are below those.
    """

    of: str
    at: tuple[float, ...]
    exact: bool = False
    shift: int = 52 - KEPT
    prefixes: tuple[int, ...] = ()
    above: int = 0

    @property
    def name(self) -> str:
        """In results."""
        return f"quantiles of {self.of}" + (f" refined to {self.shift}" if self.prefixes else "")

    def leaf(self, block: Block) -> State:
        """Of one leaf."""
        values = block.values[self.of]
        keys = ordered_bits(values[finite(values)])
        if self.prefixes:
            keys = keys[np.isin(keys >> np.uint64(self.above), np.array(self.prefixes, dtype=np.uint64))]
        found, counts = np.unique(keys >> np.uint64(self.shift), return_counts=True)
        return {"keys": found, "counts": counts.astype(np.int64)}

    def merge(self, left: State, right: State) -> State:
        """Of both."""
        keys = np.concatenate([left["keys"], right["keys"]])
        found, back = np.unique(keys, return_inverse=True)
        counts = np.zeros(len(found), dtype=np.int64)
        np.add.at(counts, back, np.concatenate([left["counts"], right["counts"]]))
        return {"keys": found, "counts": counts}

    def result(self, state: State) -> dict[str, Any]:
        """Each the middle of its interval of the histogram; null where there are no values."""
        found = {}
        for share in self.at:
            key = self.bucket(state, share)
            found[str(share)] = None if key is None else self._value(key)
        return {"quantiles": found, "relative_error": 0.0 if self.shift == 0 else 2.0 ** (self.shift - 52)}

    def bucket(self, state: State, share: float) -> int | None:
        """Leading bits of the value of rank ceil(share n), counted from 1; None where there are no values."""
        total = int(state["counts"].sum())
        if not total:
            return None
        rank = rank_of(share, total)
        place = int(np.searchsorted(np.cumsum(state["counts"]), rank))
        return int(state["keys"][place])

    def _value(self, key: int) -> float:
        low = key << self.shift
        high = low + (1 << self.shift) - 1
        ends = value_of_bits(np.array([low, high], dtype=np.uint64))
        return float(ends[0] + (ends[1] - ends[0]) * 0.5) if self.shift else float(ends[0])


def rank_of(share: float, total: int) -> int:
    """Rank, from 1, of a quantile: NumPy's method "inverted_cdf"."""
    return min(total, max(1, math.ceil(share * total)))


@dataclass(frozen=True)
class Histogram:
    """Counts in equal bins from `low` to `high`, below and above; the last bin has its upper end."""

    of: str
    low: float
    high: float
    bins: int

    @property
    def name(self) -> str:
        """In results."""
        return f"histogram of {self.of} from {self.low!r} to {self.high!r} in {self.bins}"

    @property
    def edges(self) -> Any:
        """(bins + 1,)."""
        return np.linspace(self.low, self.high, self.bins + 1)

    def leaf(self, block: Block) -> State:
        """Of one leaf."""
        values = block.values[self.of]
        good = values[finite(values)]
        counts, _ = np.histogram(good, self.edges)
        ends = [(good < self.low).sum(), (good > self.high).sum(), len(values) - len(good)]
        return {"counts": counts.astype(np.int64), "ends": np.array(ends, dtype=np.int64)}

    def merge(self, left: State, right: State) -> State:
        """Of both."""
        return {key: left[key] + right[key] for key in left}

    def result(self, state: State) -> dict[str, Any]:
        """Edges and counts."""
        below, above, failed = state["ends"].tolist()
        counts = state["counts"].tolist()
        return {"edges": self.edges.tolist(), "counts": counts, "below": below, "above": above, "failed": failed}


@dataclass(frozen=True)
class Yield:
    """The share of machines whose values are within limits, with an interval; one that failed is not.

    Attributes:
        of: Measures.
        least, most: Of each; infinite where there is none.
        confidence: Least confidence of the interval, by Clopper and Pearson.
    """

    of: tuple[str, ...]
    least: tuple[float, ...]
    most: tuple[float, ...]
    confidence: float = 0.95

    @property
    def name(self) -> str:
        """In results."""
        parts = [f"{low!r} <= {of} <= {high!r}" for of, low, high in zip(self.of, self.least, self.most, strict=True)]
        return f"yield of {' and '.join(parts)}"

    def leaf(self, block: Block) -> State:
        """Of one leaf."""
        good = np.ones(len(block.numbers), dtype=bool)
        for of, low, high in zip(self.of, self.least, self.most, strict=True):
            values = block.values[of]
            good &= finite(values) & (values >= low) & (values <= high)
        return {"counts": np.array([good.sum(), len(good)], dtype=np.int64)}

    def merge(self, left: State, right: State) -> State:
        """Of both."""
        return {"counts": left["counts"] + right["counts"]}

    def result(self, state: State) -> dict[str, Any]:
        """Share and interval."""
        from scipy.special import betaincinv

        good, total = (int(v) for v in state["counts"])
        tail = (1.0 - self.confidence) / 2.0
        low = float(betaincinv(good, total - good + 1, tail)) if good else 0.0
        high = float(betaincinv(good + 1, total - good, 1.0 - tail)) if good < total else 1.0
        share = good / total if total else None
        return {
            "within": good,
            "machines": total,
            "yield": share,
            "interval": [low, high],
            "confidence": self.confidence,
        }
