"""Short text of values for `repr`: at most ten lines, whatever they hold."""

from __future__ import annotations

import reprlib
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

WIDTH, LINES, LONGEST = 98, 9, 60
"""Characters of a line, lines, and characters of a value within."""


def brief(value: Any) -> str:
    """The `repr` of a dataclass: its fields, arrays by shape and range, long values cut.

    Properties that its class names in `SHOWN` follow the fields, unless they are empty.
    """
    shown = [field.name for field in fields(value) if field.repr and not field.name.startswith("_")]
    shown += [name for name in getattr(type(value), "SHOWN", ()) if np.size(getattr(value, name))]
    text = ", ".join(f"{name}={_short(getattr(value, name))}" for name in shown)
    lines = textwrap.wrap(f"{type(value).__name__}({text})", WIDTH, subsequent_indent="    ", break_on_hyphens=False)
    return "\n".join(lines if len(lines) <= LINES else [*lines[:LINES], "    ...)"])


def _short(value: object) -> str:
    """A value on a part of a line."""
    if isinstance(value, np.ndarray) and value.ndim:
        return _array(value)
    if is_dataclass(value) and not isinstance(value, type):
        name = getattr(value, "name", None)
        return f"{type(value).__name__}({name!r})" if isinstance(name, str) else f"{type(value).__name__}(...)"
    if isinstance(value, Mapping):
        return f"{{{_cut(', '.join(map(str, value)))}}}"
    if isinstance(value, (tuple, list)):
        whole = f"({', '.join(_short(entry) for entry in value[:8])}{', ...' if len(value) > 8 else ''})"
        return whole if len(whole) <= LONGEST else f"{len(value)} x {_kind(value)}"
    if callable(value):
        return getattr(value, "__qualname__", type(value).__name__).replace(".<locals>", "")
    return _cut(reprlib.repr(value))


def _array(value: NDArray[Any]) -> str:
    """Its shape and, of numbers, their range."""
    if value.size <= 6 and value.ndim == 1 and value.dtype.kind in "fiub":
        return f"[{', '.join(f'{v:.5g}' for v in value.tolist())}]"
    shape = " x ".join(map(str, value.shape))
    good = value[np.isfinite(value)] if value.dtype.kind == "f" else value
    if value.dtype.kind not in "fiu" or not good.size:
        return f"[{shape}]"
    return f"[{shape}, {good.min():.4g} to {good.max():.4g}]"


def _kind(values: Iterable[object]) -> str:
    return "/".join(dict.fromkeys(type(entry).__name__ for entry in values))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
