"""What every executor offers: rows of an expanded graph computed from flat buffers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Buffer = NDArray[np.float64]
Outputs = Sequence[Buffer | None]
"""An array for each output, None for one that nobody wants."""
Copies = Sequence[Buffer | None]
"""An array for each input that its rows are copied to, None for no copy; empty for no copies at all."""


class Executor(Protocol):
    """Computes rows. Safe to call from several threads at once.

    Arrays are float64 in C order: per-sample inputs and outputs of shape (N, elements), shared inputs (elements,).
    """

    name: str

    def run(self, inputs: Sequence[Buffer], outputs: Outputs, begin: int, end: int, copies: Copies = ()) -> None:
        """Fills rows begin to end of the outputs, and of the copies of inputs that are asked for."""

    def bind(self, inputs: Sequence[Buffer], outputs: Sequence[Buffer], rows: int) -> Callable[[], Any]:
        """A call that fills all rows of these very buffers, with nothing left to look up."""


def copy_rows(inputs: Sequence[Buffer], copies: Copies, begin: int, end: int) -> None:
    """Fills rows begin to end of the copies."""
    for values, copy in zip(inputs, copies, strict=False):
        if copy is not None:
            copy[begin:end] = values[begin:end]
