"""Bounds from affine forms: values at the corners of boxes, ends, and largest linear values.

A form is c + s.t + r e with t, e in [-1, 1], of shape (d + 2, ..., B): c, s_1, ..., s_d, r.
"""

from __future__ import annotations

from typing import Any

import numpy as np

ROUND_OFF = 1e-11
"""Of the sizes added up: more than what follows the enclosures can be off by round-off."""


def at_corners(form: Any, corners: Any) -> Any:
    """(C, ...) values of forms (d + 2, ...) without their rests."""
    return form[0] + np.tensordot(corners, form[1:-1], axes=1)


def linear(rows: Any, ball: bool) -> Any:
    """Largest value of linear forms (..., n, B) over the cube or the ball."""
    return np.sqrt((rows**2).sum(axis=-2)) * (1.0 + ROUND_OFF) if ball else np.abs(rows).sum(axis=-2)


def ends(form: Any) -> tuple[Any, Any]:
    """Lowest and highest values of forms (d + 2, k, B)."""
    radius = np.abs(form[1:]).sum(axis=0) * (1.0 + ROUND_OFF)
    return form[0] - radius, form[0] + radius
