"""Memory for results, used again once the arrays in it are gone.

The system hands out large arrays page by page, and each page costs more at its first touch than the numbers a quick
program puts there. In a new process this doubles the time of a Stewart platform's dynamics:
docs/decisions/04_result_memory.md.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from gough.run.executor import Buffer

_SMALLEST = 1 << 17
_LARGEST = 1 << 22
_GRAIN = 1 << 12
_free: deque[Any] = deque(maxlen=16)
"""Blocks no array lives in, the one used last at the end: at most 16 of at most 4 MiB."""


class _Lease:
    """Owns a block for as long as an array or a view of it lives."""

    __slots__ = ("__array_interface__", "block")

    def __init__(self, block: Any, shape: tuple[int, ...]) -> None:
        self.block = block
        self.__array_interface__ = {
            "version": 3,
            "data": (block.ctypes.data, False),
            "typestr": "<f8" if np.little_endian else ">f8",
            "shape": shape,
        }

    def __del__(self) -> None:
        _free.append(self.block)


def empty(rows: int, columns: int) -> Buffer:
    """An array (rows, columns) of unset numbers."""
    size = 8 * rows * columns
    if not _SMALLEST <= size <= _LARGEST:
        return np.empty((rows, columns))
    return np.asarray(_Lease(_block(-(-size // _GRAIN) * _GRAIN), (rows, columns)))


def _block(size: int) -> Any:
    """A free block of this size, the one last used if there are several, or a new one.

    Each step on the deque is one that threads cannot tear apart.
    """
    for _ in range(len(_free)):
        try:
            block = _free.pop()
        except IndexError:
            break
        if block.nbytes == size:
            return block
        _free.appendleft(block)
    return np.empty(size, np.uint8)
