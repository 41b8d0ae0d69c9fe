"""What inverse dynamics checks of the times it is given."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.errors import InputError


def times_of(time: Any, rows: int | None) -> Any:
    """Times as an array of floats: (rows,), or a single one for rows None; None stays None.

    Raises:
        InputError: Not that many, or not finite numbers.
    """
    if time is None:
        return None
    try:
        times = np.array(time, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"time: {str(time)[:40]!r} given, expected seconds") from None
    shape = () if rows is None else (rows,)
    if times.shape != shape:
        raise InputError(f"time: shape {times.shape} given, expected {shape}, one per sample")
    if not np.isfinite(times).all():
        raise InputError("time: must be finite")
    return times
