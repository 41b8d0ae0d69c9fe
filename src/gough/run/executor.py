"""What every executor offers: rows of an expanded graph computed from flat buffers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Buffer = NDArray[np.float64]


class Executor(Protocol):
    """Computes rows. Safe to call from several threads at once.

    Arrays are float64 in C order: per-sample inputs and outputs of shape (N, elements), shared inputs (elements,).
    """

    name: str

    def run(self, inputs: Sequence[Buffer], outputs: Sequence[Buffer], begin: int, end: int) -> None:
        """Fills rows begin to end of the outputs."""

    def bind(self, inputs: Sequence[Buffer], outputs: Sequence[Buffer], rows: int) -> Callable[[], Any]:
        """A call that fills all rows of these very buffers, with nothing left to look up."""
