"""The door: whatever array-like a caller hands in becomes float64 in C order, or one clear error."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.errors import InputError
from gough.graph import Input
from gough.run.executor import Buffer

_WHOLE = 2.0**53


def _shapes(spec: Input) -> str:
    inner = ", ".join(map(str, spec.shape))
    one = f"({inner},)" if len(spec.shape) == 1 else f"({inner})" if spec.shape else "a number"
    return one if spec.shared else f"{one} or ({'N, ' + inner if spec.shape else 'N,'})"


def converted(spec: Input, value: Any) -> tuple[Buffer, int | None]:
    """`value` as a float64 array in C order, and its number of rows (None for a single sample or a shared input)."""
    try:
        array = np.asarray(value)
    except (ValueError, TypeError) as error:
        raise InputError(f"input {spec.name}: not a rectangular array of numbers ({error})") from None
    if array.dtype.kind not in "fiub":
        kind = {"c": "complex", "O": "object", "U": "text", "S": "bytes", "M": "dates", "m": "time spans"}
        what = kind.get(array.dtype.kind, str(array.dtype))
        raise InputError(f"input {spec.name}: {what} values given, expected real numbers of shape {_shapes(spec)}")
    rows: int | None = None
    if array.shape != spec.shape:
        if spec.shared or array.ndim != len(spec.shape) + 1 or array.shape[1:] != spec.shape:
            raise InputError(f"input {spec.name}: shape {array.shape} given, expected {_shapes(spec)}")
        rows = array.shape[0]
    floats = np.ascontiguousarray(array, dtype=np.float64).reshape(array.shape)
    _check_values(spec, floats)
    return floats, rows


def _check_values(spec: Input, floats: Buffer) -> None:
    if spec.dtype == "int":
        bad = ~((floats == np.floor(floats)) & (np.abs(floats) <= _WHOLE))
        allowed = "whole numbers up to 2^53"
    elif spec.dtype == "bool":
        bad = ~((floats == 0.0) | (floats == 1.0))
        allowed = "true or false"
    else:
        return
    if bad.any():
        first = floats[bad].flat[0]
        raise InputError(f"input {spec.name}: value {first!r} given, expected {allowed}".replace("np.float64", ""))


def with_rows(array: Buffer, rows: int) -> Buffer:
    """The single sample `array` repeated on every row."""
    return np.ascontiguousarray(np.broadcast_to(array, (rows, *array.shape)))


def finished(raw: Buffer, dtype: str) -> Any:
    """A raw output in its own type."""
    if dtype == "bool":
        return raw != 0.0
    return raw.astype(np.int64) if dtype == "int" else raw
