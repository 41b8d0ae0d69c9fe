"""Numbers of a page: as many digits as help, the same number of decimals in a row."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np


def short(value: float, digits: int = 4) -> str:
    """A number of about so many digits, "-" for what is not finite."""
    if not math.isfinite(value):
        return "-"
    if abs(value) < 1e-12:
        return "0"
    size = math.floor(math.log10(abs(value)))
    if -4 <= size <= 6:
        text = f"{value:.{max(0, digits - 1 - size)}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return f"{value:.{digits}g}"


def row(values: Any, digits: int = 4) -> list[str]:
    """Numbers with the same number of decimals, as many as the largest needs for so many digits."""
    flat = np.asarray(values, dtype=float)
    good = np.abs(flat[np.isfinite(flat)])
    size = math.floor(math.log10(good.max())) if good.size and good.max() > 0.0 else 0
    if not -4 <= size <= 6:
        return [short(v, digits) for v in flat.tolist()]
    decimals = max(0, digits - 1 - size)
    rounded = (np.round(flat, decimals) + 0.0).tolist()
    return [f"{v:.{decimals}f}" if math.isfinite(v) else "-" for v in rounded]


def vector(values: Sequence[float], digits: int = 4) -> str:
    """Numbers with commas between them."""
    return ", ".join(short(float(v), digits) for v in values)


def peak(values: Any) -> Any:
    """(k,) of each column (N, k), the finite entry farthest from zero; NaN where there is none."""
    filled = np.where(np.isfinite(values), values, 0.0)
    found = np.take_along_axis(filled, np.abs(filled).argmax(axis=0)[None], axis=0)[0]
    return np.where(np.isfinite(values).any(axis=0), found, np.nan)
