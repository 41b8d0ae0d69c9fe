"""Curves through rows of values: quintic splines, and the Hermite interpolation of values, rates and accelerations."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array
from gough.motion.curves import Pieces


def through_rows(t: Array, x: Array) -> Pieces:
    """The quintic spline through values x (N, n) at times t (N,), four times continuously differentiable.

    End conditions: not-a-knot, that is, the first three intervals share one polynomial and so do the last three; the
    ends need not be at rest. Fewer than 6 rows: the one polynomial of degree N - 1 through all of them.
    """
    inner = np.arange(3, len(t) - 3)
    return _spline(t, x, min(5, len(t) - 1), np.concatenate([[0], inner, [len(t) - 1]]), None)


def at_rest(t: Array, x: Array) -> Pieces:
    """The quintic spline through x (N, n), N >= 2, with rate and acceleration zero at the first and last row.

    Four times continuously differentiable; two rows give the minimum-jerk law.
    """
    rest = [(1, np.zeros(x.shape[1])), (2, np.zeros(x.shape[1]))]
    found = _spline(t, x, 5, np.arange(len(t)), (rest, rest))
    coefficients = found.coefficients.copy()
    coefficients[1:3, 0] = 0.0
    return Pieces(found.knots, coefficients, still=True)


def _spline(t: Array, x: Array, degree: int, knots: NDArray[np.int_], ends: object) -> Pieces:
    """Computed in time counted in mean row spacings from the first row, where the linear system is well scaled."""
    from scipy.interpolate import make_interp_spline

    spacing = (t[-1] - t[0]) / (len(t) - 1)
    u = (t - t[0]) / spacing
    found = make_interp_spline(u, x, k=degree, bc_type=ends)
    orders = range(degree + 1)
    coefficients = [found(u[knots[:-1]], nu=k) / (math.factorial(k) * spacing**k) for k in orders]
    return Pieces(np.array(t[knots]), np.stack(coefficients))


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
    still = tuple((xd[-1] == 0.0).tolist())
    return Pieces(np.array(t), np.concatenate([np.stack(low), np.moveaxis(high, -2, 0) / powers]), still)


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
