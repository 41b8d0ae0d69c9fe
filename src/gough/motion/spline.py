"""Splines through rows of values."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gough.motion.curve import Array
from gough.motion.pieces import Pieces


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
    return _spline(t, x, 5, np.arange(len(t)), (rest, rest))


def _spline(t: Array, x: Array, degree: int, knots: NDArray[np.int_], ends: object) -> Pieces:
    """Computed in time counted in mean row spacings from the first row, where the linear system is well scaled."""
    from scipy.interpolate import make_interp_spline

    spacing = (t[-1] - t[0]) / (len(t) - 1)
    u = (t - t[0]) / spacing
    found = make_interp_spline(u, x, k=degree, bc_type=ends)
    orders = range(degree + 1)
    coefficients = [found(u[knots[:-1]], nu=k) / (math.factorial(k) * spacing**k) for k in orders]
    return Pieces(np.array(t[knots]), np.stack(coefficients))
