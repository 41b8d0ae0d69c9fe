"""Quintic Hermite interpolation: rows with rates, with or without accelerations.

On an interval of length h from row 0 to row 1, with E = x1 - x0 - v0 h and V = v1 - v0, the quintic is
x0 + v0 u + a0/2 u^2 + c3 u^3 + c4 u^4 + c5 u^5 with

    c3 h^3 =  10 E - 4 V h - 3/2 a0 h^2 + 1/2 a1 h^2
    c4 h^4 = -15 E + 7 V h + 3/2 a0 h^2 -     a1 h^2
    c5 h^5 =   6 E - 3 V h - 1/2 a0 h^2 + 1/2 a1 h^2
"""

from __future__ import annotations

import numpy as np

from gough.motion.curve import Array
from gough.motion.pieces import Pieces

# Of c3 h^3, c4 h^4, c5 h^5 (rows): factors of E, V h, a0 h^2, a1 h^2.
_QUINTIC = np.array([[10, -4, -1.5, 0.5], [-15, 7, 1.5, -1], [6, -3, -0.5, 0.5]])
# Derivatives 3, 4, 5 from c3 h^3, c4 h^4, c5 h^5 at the left and at the right end, times h^3, h^4, h^5.
_LEFT = np.diag([6.0, 24.0, 120.0]) @ _QUINTIC
_RIGHT = np.array([[6, 24, 60], [0, 24, 120], [0, 0, 120]]) @ _QUINTIC


def hermite(t: Array, x: Array, xd: Array, xdd: Array) -> Pieces:
    """Between rows the quintic with the values, rates and accelerations (N, n) of both; C2."""
    h = np.diff(t)[:, None]
    high = _QUINTIC @ _terms(h, x, xd, xdd)
    powers = h ** np.arange(3.0, 6.0)[:, None, None]
    low = [x[:-1], xd[:-1], xdd[:-1] / 2]
    return Pieces(np.array(t), np.concatenate([np.stack(low), np.moveaxis(high, -2, 0) / powers]))


def accelerations(t: Array, x: Array, xd: Array) -> Array:
    """(N, n) accelerations that make the Hermite interpolation of values and rates C3 at every inner row.

    End conditions: C4 at the second and at the last but one row. Three rows: one quintic. Two rows: the cubic.
    """
    from scipy.linalg import solve_banded

    rows, mean = len(t), (t[-1] - t[0]) / (len(t) - 1)
    h = np.diff(t)[:, None] / mean
    known = _terms(h, x, xd * mean, np.zeros_like(x))
    if rows == 2:
        order, row = np.array([4, 5]), np.array([0, 0])
    elif rows == 3:
        order, row = np.array([4, 3, 5]), np.array([1, 1, 1])
    else:
        row = np.concatenate([[1], np.arange(1, rows - 1), [rows - 2]])
        order = np.where(np.isin(np.arange(rows), [0, rows - 1]), 4, 3)
    # Each condition: the jump of a derivative at a row is zero, right-hand interval less left-hand one; of two rows the
    # derivative itself.
    width, condition = min(2, rows - 1), np.arange(rows)
    bands, right = np.zeros((2 * width + 1, rows)), np.zeros_like(x)
    for interval, ends, sign in [(row, _LEFT, 1.0)] + ([(row - 1, _RIGHT, -1.0)] if rows > 2 else []):
        factors, span = ends[order - 3], h[interval, 0]
        scale = sign / span**order
        right -= scale[:, None] * np.einsum("ck,ckn->cn", factors, known[interval])
        for side in (0, 1):
            column = interval + side
            np.add.at(bands, (width + condition - column, column), scale * factors[:, 2 + side] * span**2)
    return np.asarray(solve_banded((width, width), bands, right)) / mean**2


def _terms(h: Array, x: Array, xd: Array, xdd: Array) -> Array:
    """(intervals, 4, n): E, V h, a0 h^2, a1 h^2."""
    E = np.diff(x, axis=0) - xd[:-1] * h
    return np.stack([E, np.diff(xd, axis=0) * h, xdd[:-1] * h**2, xdd[1:] * h**2], axis=1)
