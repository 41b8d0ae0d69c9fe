"""Arrays in and out: what callers give becomes float64 in C order, or one clear error; results use pooled memory."""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gough.errors import InputError
from gough.graph import Input
from gough.run.executor import Buffer

_WHOLE = 2**53
_DOUBLE = np.dtype(np.float64)
_KINDS = {
    "c": "complex",
    "O": "object",
    "U": "text",
    "T": "text",
    "S": "bytes",
    "M": "dates",
    "m": "time spans",
    "V": "records",
}


def shape_text(shape: tuple[int, ...], *, rows: bool = False) -> str:
    """A shape as a person writes it; with `rows` it has N in front."""
    sizes = ["N"] * rows + [str(n) for n in shape]
    return f"({', '.join(sizes)}{',' if len(sizes) == 1 else ''})" if sizes else "a number"


def expected(spec: Input) -> str:
    """The shapes an input may have."""
    one = shape_text(spec.shape)
    return one if spec.shared else f"{one} or {shape_text(spec.shape, rows=True)}"


def converted(spec: Input, value: ArrayLike) -> tuple[Buffer, int | None]:
    """`value` as an aligned float64 array in C order, and its number of rows (None for one sample, a shared input)."""
    array: NDArray[Any]
    if type(value) is np.ndarray and is_plain(value) and spec.dtype == "float":
        ready, array = True, value
    else:
        ready, array = False, _as_real_array(spec, value)
    rows: int | None = None
    if array.shape != spec.shape:
        if spec.shared or array.shape[1:] != spec.shape or array.ndim == 0:
            raise InputError(f"input {spec.name}: shape {array.shape} given, expected {expected(spec)}")
        rows = array.shape[0]
    if ready:
        return array, rows
    _check_values(spec, array)
    with np.errstate(all="ignore"):
        return np.require(array, np.float64, ["C", "A"]), rows


def owned(value: ArrayLike) -> Buffer:
    """A copy of real numbers that no one else writes to, float64 in C order; many rows in memory that is used again."""
    if type(value) is not np.ndarray or value.ndim != 2:
        return (
            value.copy() if type(value) is np.ndarray and value.dtype is _DOUBLE else np.array(value, dtype=np.float64)
        )
    copy = empty(*value.shape)
    with np.errstate(all="ignore"):
        np.copyto(copy, value, casting="same_kind")
    return copy


def is_plain(array: NDArray[Any]) -> bool:
    """Whether a kernel can read this array as it is."""
    flags = array.flags
    return bool(array.dtype == _DOUBLE and flags.c_contiguous and flags.aligned)


def _as_real_array(spec: Input, value: ArrayLike) -> NDArray[Any]:
    try:
        array = np.asarray(value)
    except (ValueError, TypeError) as error:
        raise InputError(f"input {spec.name}: not a rectangular array of numbers ({error})") from None
    kind = array.dtype.kind
    if kind not in "fiub" or np.ma.is_masked(value):
        what = "masked" if kind in "fiub" else _KINDS.get(kind, str(array.dtype))
        raise InputError(f"input {spec.name}: {what} values given, expected real numbers of shape {expected(spec)}")
    return array


def _check_values(spec: Input, array: NDArray[Any]) -> None:
    if spec.dtype == "float":
        return
    if spec.dtype == "int":
        good = (array >= -_WHOLE) & (array <= _WHOLE) if array.dtype.kind != "b" else array >= 0
        if array.dtype.kind == "f":
            good &= array == np.floor(array)
        allowed = "whole numbers up to 2^53"
    else:
        good = (array == 0) | (array == 1)
        allowed = "true or false"
    if not good.all():
        first = array[~good].flat[0].item()
        raise InputError(f"input {spec.name}: value {first!r} given, expected {allowed}")


def flattened(spec: Input, array: Buffer, own_rows: int | None, rows: int) -> Buffer:
    """`array` as executors take it: (elements,) if shared, else (rows, elements), a single sample on every row."""
    if spec.shared:
        return array.reshape(spec.size)
    if own_rows is not None or rows == 1:
        return array.reshape(rows, spec.size)
    return np.ascontiguousarray(np.broadcast_to(array.reshape(spec.size), (rows, spec.size)))


def address(array: NDArray[Any]) -> int:
    """Where an array begins in memory; of one that can be written to in a fifth of the time `ctypes.data` takes."""
    try:
        return ctypes.addressof(_FIRST(array))
    except (TypeError, ValueError):
        return array.ctypes.data


_FIRST: Callable[[Any], ctypes.c_char] = ctypes.c_char.from_buffer
_SMALLEST = 1 << 17
_LARGEST = 1 << 22
_GRAIN = 1 << 12
_LINE = 64
"""Bytes of a cache line, at which arrays in blocks begin: vectors that straddle lines cost a tenth of a call."""
_free: deque[_Block] = deque(maxlen=16)
"""Blocks no array lives in, the one used last at the end: at most 16 of at most 4 MiB."""


class _Block(np.ndarray[tuple[int], np.dtype[np.uint8]]):
    """Memory that begins at a cache line. As a class of its own it is where NumPy's search for a base ends."""

    __slots__ = ()


class _Lease(np.ndarray[tuple[int], np.dtype[np.uint8]]):
    """A view of a block, the base of the array that lives there: it is gone when the last view of that array is.

    Its own views are leases by class, but not of a block by their base.
    """

    __slots__ = ()

    def __del__(self) -> None:
        if type(self.base) is _Block:
            _free.append(self.base)


def empty(rows: int, columns: int) -> Buffer:
    """An array (rows, columns) of unset numbers."""
    size = 8 * rows * columns
    if not _SMALLEST <= size <= _LARGEST:
        return np.empty((rows, columns))
    return np.ndarray((rows, columns), _DOUBLE, _block(-(-size // _GRAIN) * _GRAIN).view(_Lease))


def _block(size: int) -> _Block:
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
    memory = np.empty(size + _LINE, np.uint8)
    begin = -address(memory) % _LINE
    return memory[begin : begin + size].view(_Block)
