"""Trigonometric splines of third order through N points, at rest at the first and the last.

On an interval of length h, with theta = pi (t - t_i)/h from 0 to pi, a coordinate is

    y = a0 + a1 cos theta + b1 sin theta + a2 cos 2 theta + b2 sin 2 theta + a3 cos 3 theta

Values y, slopes d and bends s (by theta) at both ends give the six coefficients:

    a0 + a2 = (y0 + y1)/2    a1 + a3 = (y0 - y1)/2    b1 = (d0 - d1)/2    b2 = (d0 + d1)/4
    a2 = -(s0 + s1)/8        a1 + 9 a3 = (s1 - s0)/2

The rates and accelerations at inner points are those that make the integral of the squared jerk smallest; acceleration
is continuous. (Continuous third and fourth derivatives would fix them too, but such splines oscillate, more with more
points.) Between two points it is the law trig3, that is 1/2 - 9/16 cos theta + 1/16 cos 3 theta. Lopes2009
moves by "third order trigonometric splines" between its two poses.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gough.graph import Array
from gough.motion.curves import LAWS, Jet, Piecewise, at_rest
from gough.motion.faults import MotionError
from gough.motion.motion_table import Spline
from gough.robot.names import did_you_mean

# Of a0, a1, b1, a2, b2, a3 (rows): factors of y0, y1, d0, d1, s0, s1.
_HERMITE = np.array(
    [
        [1 / 2, 1 / 2, 0, 0, 1 / 8, 1 / 8],
        [9 / 16, -9 / 16, 0, 0, 1 / 16, -1 / 16],
        [0, 0, 1 / 2, -1 / 2, 0, 0],
        [0, 0, 0, 0, -1 / 8, -1 / 8],
        [0, 0, 1 / 4, 1 / 4, 0, 0],
        [-1 / 16, 1 / 16, 0, 0, -1 / 16, 1 / 16],
    ]
)
# Third derivative by theta: factors of sin, cos, sin 2, cos 2, sin 3 from a1, b1, a2, b2, a3.
_JERK = np.diag([1.0, -1.0, 8.0, -8.0, 27.0])
_KINDS = ((True, 1), (False, 1), (True, 2), (False, 2), (True, 3))


def _product(one: tuple[bool, int], other: tuple[bool, int]) -> float:
    """Integral from 0 to pi of the product of two of sin and cos of multiples of theta."""
    (sine, m), (second, n) = one, other
    if sine == second:
        return math.pi / 2 if m == n else 0.0
    if (m + n) % 2 == 0:
        return 0.0
    return 2.0 * m / (m * m - n * n) if sine else 2.0 * n / (n * n - m * m)


# Integral of the squared third derivative by theta as a form of y0, y1, d0, d1, s0, s1.
_COST = (_JERK @ _HERMITE[1:]).T @ np.array([[_product(a, b) for b in _KINDS] for a in _KINDS]) @ (_JERK @ _HERMITE[1:])


@dataclass(frozen=True, slots=True, eq=False)
class TrigPieces(Piecewise):
    """On [knots[k], knots[k+1]] the sum of coefficients[:, k] times 1, cos, sin, cos 2, sin 2, cos 3 of theta."""

    def __call__(self, t: Array) -> Jet:
        """Values and derivatives at times t (N,), each (N, n)."""
        piece = self.pieces_at(t)
        rate = (math.pi / np.diff(self.knots)[piece])[:, None]
        theta = rate * (t - self.knots[piece])[:, None]
        a0, a1, b1, a2, b2, a3 = (c[piece] for c in self.coefficients)
        c1, s1, c2, s2, c3, s3 = (f(k * theta) for k in (1, 2, 3) for f in (np.cos, np.sin))
        x = a0 + a1 * c1 + b1 * s1 + a2 * c2 + b2 * s2 + a3 * c3
        xd = -a1 * s1 + b1 * c1 - 2 * a2 * s2 + 2 * b2 * c2 - 3 * a3 * s3
        xdd = -a1 * c1 - b1 * s1 - 4 * a2 * c2 - 4 * b2 * s2 - 9 * a3 * c3
        return x, self.rates(rate * xd, t), rate * rate * xdd


def trig_at_rest(t: Array, x: Array) -> TrigPieces:
    """The spline through x (N, n) at times t (N,), N >= 2; rate and acceleration zero at the first and last row; C2."""
    rates, bends = _inner(t, x)
    h = (np.diff(t) / math.pi)[:, None]
    ends = [x[:-1], x[1:], rates[:-1] * h, rates[1:] * h, bends[:-1] * h**2, bends[1:] * h**2]
    return TrigPieces(np.array(t), np.einsum("ck,kmn->cmn", _HERMITE, np.stack(ends)), still=True)


def _inner(t: Array, x: Array) -> tuple[Array, Array]:
    """(N, n) rates and accelerations that make the integral of the squared jerk smallest; zero at the ends."""
    from scipy.linalg import solveh_banded

    rows = len(t)
    rates, bends = np.zeros_like(x), np.zeros_like(x)
    if rows == 2:
        return rates, bends
    mean = (t[-1] - t[0]) / (rows - 1)
    g = np.diff(t) / mean / math.pi  # dt by dtheta, time counted in mean spacings
    # The unknowns of a point are its rate and its acceleration; an interval couples those of its two points.
    bands, right = np.zeros((4, 2 * rows)), np.zeros((2 * rows, x.shape[1]))
    powers = np.array([0, 0, 1, 1, 2, 2])
    first = 2 * np.arange(rows - 1)
    places = ((2, 0), (4, 1), (3, 2), (5, 3))
    for entry, row in places:
        cost = _COST[entry] * g[:, None] ** (powers[entry] + powers - 5)
        np.add.at(right, first + row, -(cost[:, 0, None] * x[:-1] + cost[:, 1, None] * x[1:]))
        for other, column in places:
            if row <= column:
                np.add.at(bands[3 + row - column], first + column, cost[:, other])
    solved = np.asarray(solveh_banded(bands[:, 2:-2], right[2:-2])).reshape(rows - 2, 2, -1)
    rates[1:-1], bends[1:-1] = solved[:, 0] / mean, solved[:, 1] / mean**2
    return rates, bends


SPLINES: dict[str, Spline] = {"minimum-jerk": at_rest, "trig3": trig_at_rest}


def spline_of(law: str | None, place: str = "law") -> Spline:
    """The spline at rest at both ends for a law; the quintic one, which is minimum-jerk between two points, for None.

    Raises:
        MotionError: There is no such law, or it has no spline.
    """
    name = "minimum-jerk" if law is None else law
    if name in SPLINES:
        return SPLINES[name]
    if name in LAWS:
        allowed = f"is for straight moves: its acceleration would jump; through points {' or '.join(SPLINES)}"
        raise MotionError(place, "", name, allowed)
    raise MotionError(place, "", name, "no such law", did_you_mean(name, list(SPLINES)))
