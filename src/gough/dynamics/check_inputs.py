"""What inverse dynamics checks of the times it is given."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.errors import InputError


def times_of(t: Any, rows: int | None) -> Any:
    """Times as an array of floats: (rows,), or a single one for rows None; None stays None.

    Raises:
        InputError: Not that many, or not finite numbers.
    """
    if t is None:
        return None
    try:
        times = np.array(t, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"t: {str(t)[:40]!r} given, expected seconds") from None
    shape = () if rows is None else (rows,)
    if times.shape != shape:
        raise InputError(f"t: shape {times.shape} given, expected {shape}, one per sample")
    if not np.isfinite(times).all():
        raise InputError("t: must be finite")
    return times
