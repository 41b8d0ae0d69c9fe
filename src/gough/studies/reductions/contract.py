"""What every reduction is, and its states as bytes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array

State = dict[str, Any]
"""Arrays by name."""


@dataclass(frozen=True)
class Block:
    """Consecutive machines with what was measured.

    Attributes:
        first: Number of the first.
        values: (N,) of each measure; NaN for a machine that failed.
        why: (N,) number of the reason for which each failed, 0 where it did not or none is known.
        at: (N,) number of the sample at which it did first, -1 where none is known.
    """

    first: int
    values: dict[str, Any]
    why: Any = field(default_factory=lambda: np.int64(0))
    at: Any = field(default_factory=lambda: np.int64(-1))

    def __post_init__(self) -> None:
        """One number of each for every machine."""
        for name in ("why", "at"):
            object.__setattr__(self, name, np.broadcast_to(getattr(self, name), self.numbers.shape))

    @property
    def numbers(self) -> Any:
        """(N,) numbers of the machines."""
        return np.arange(self.first, self.first + len(next(iter(self.values.values()))))


class Reduction(Protocol):
    """Of the values of all machines."""

    @property
    def name(self) -> str:
        """Unique in its study, and the same in every run of it."""

    def leaf(self, block: Block) -> State:
        """State of one leaf."""

    def merge(self, left: State, right: State) -> State:
        """State of both; the left one has the smaller numbers."""

    def result(self, state: State) -> dict[str, Any]:
        """Plain values."""


def packed(state: State) -> bytes:
    """A state as bytes, the same for the same arrays."""
    parts, head = [], []
    for name in sorted(state):
        value = np.ascontiguousarray(state[name])
        value = value.astype(value.dtype.newbyteorder("<"))
        head.append([name, value.dtype.str, list(value.shape)])
        parts.append(value.tobytes())
    text = json.dumps(head).encode()
    return len(text).to_bytes(8, "little") + text + b"".join(parts)


def unpacked(content: bytes) -> State:
    """The state of `packed` bytes."""
    size = int.from_bytes(content[:8], "little")
    state, at = {}, 8 + size
    for name, kind, shape in json.loads(content[8:at]):
        dtype = np.dtype(kind)
        length = dtype.itemsize * int(np.prod(shape, dtype=np.int64))
        state[name] = np.frombuffer(content[at : at + length], dtype).reshape(shape).astype(dtype.newbyteorder("="))
        at += length
    return state


def finite(values: Array) -> NDArray[np.bool_]:
    """(N,) which machines have a value."""
    return np.isfinite(values)
