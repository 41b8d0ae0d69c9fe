"""The path of a motion without its time: a curve of a place s that is passed at a steady rate.

A straight move is straight in s. Any other motion is sampled at even steps of its arc length, turns counted by the
machine's length, and a quintic spline is laid through the samples, the more the more it bends. Where a motion turns
sharply, it is at rest, and a path of its own begins: the motion stops there whatever its time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gough.analysis.extremes import Pieces as Polynomials
from gough.analysis.extremes import pieces_of
from gough.errors import InputError
from gough.graph import Array
from gough.kinematics.programs import characteristic_length
from gough.motion import Motion
from gough.motion.curves import Affine, Curve, Pieces, Series, linear
from gough.motion.splines import through_rows
from gough.robot import Mechanism

CLOSE = 1e-6
"""How near the spline comes to the motion, of the path's length, unless MOST rows do not do."""
ROWS, MOST = 32, 256
"""Of a stretch between stops: first, and at most."""
REST = 1e-7
"""A motion slower than this, of its largest speed, is at rest."""
STRAIGHT = 1e-3
"""Angle [rad] by which the direction at a rest may change without being a corner."""


@dataclass(frozen=True)
class Way:
    """A path.

    Attributes:
        curve: Coordinates over the place s.
        knots: Places between which it is analytic, the first and the last included.
        stops: Those of the knots at which the motion stops: the ends, and corners.
        load: External wrench over the place, or None.
        apart: How far the curve is from the motion that was given [m, or rad where nothing slides].
        rolling: Whether the curve has no slope at its ends, so that the place may have any rate there.
    """

    curve: Curve
    knots: tuple[float, ...]
    stops: tuple[float, ...]
    load: Curve | None = None
    apart: float = 0.0
    rolling: bool = False


def way_of(robot: Mechanism, motion: Motion) -> Way:
    """The path of a motion.

    Raises:
        InputError: The motion stays where it is, or is a function whose pieces are not known.
    """
    law = motion.law
    if isinstance(law, Affine) and len(law.at) == 1 and is_steady(motion.load):
        there = float(law.curve(np.array([motion.end]))[0][0, 0])
        start, way = np.array(law.to), np.array(law.gain)[:, 0]
        if not way.any():
            raise InputError(f"motion {motion.name}: stays where it is, and has no path")
        rows = np.array([start, start + way, *([start] if abs(there) < 0.5 else [])])
        places = np.arange(len(rows), dtype=float)
        knots = tuple(places.tolist())
        return Way(linear(places, rows), knots, knots, motion.load)
    return _sampled(robot, motion)


def through_poses(poses: Array, weights: Array) -> Way:
    """The path through poses (N, n): a spline over the lengths of the chords, coordinates times `weights` (n,)."""
    steps = np.linalg.norm(np.diff(poses, axis=0) * weights, axis=1)
    if not (steps > 0.0).all():
        row = int(np.argmin(steps)) + 1
        raise InputError(f"waypoints: rows {row} and {row + 1} are the same pose; leave one out")
    s = np.concatenate([[0.0], np.cumsum(np.sqrt(steps))])
    curve = through_rows(s / s[-1], poses)
    return Way(curve, curve.breakpoints, (0.0, 1.0))


def weights_of(robot: Mechanism) -> Array:
    """(n,) by which coordinates are counted as lengths [m]: the machine's length for those that turn."""
    turning = np.array([c.turns for c in robot.platform.coordinates])
    return np.where(turning, characteristic_length(robot), 1.0)


def is_steady(load: Curve | None) -> bool:
    """Whether a load stays the same all the time, or there is none."""
    return load is None or (isinstance(load, Series) and len(load.polynomial) == 1 and not load.waves)


def _sampled(robot: Mechanism, motion: Motion) -> Way:
    if not motion.analytic:
        raise InputError(f"motion {motion.name}: is a Python function; give the path as arrays or waypoints")
    weights = weights_of(robot)

    def speed(t: Array, inside: Array) -> Array:
        return np.linalg.norm(motion.law(t)[1] * weights, axis=1)[:, None]

    edges = list(motion.breakpoints)
    speeds = pieces_of(speed, edges)
    length = float(speeds.integral()[0])
    if not length > 1e-12 * weights.max():
        raise InputError(f"motion {motion.name}: stays where it is, and has no path")
    arc = _Arc(speeds)
    parts = _stretches(motion, speeds, weights)
    knots, pieces, stops, loads, apart = [0.0], [], [0.0], [], 0.0
    for k, (begin, end) in enumerate(parts):
        rows = ROWS
        while True:
            s = np.linspace(0.0, 1.0, 2 * rows + 1)
            t = arc.times(arc(begin) + s * (arc(end) - arc(begin)), begin, end)
            x = motion.law(t)[0]
            curve = through_rows(s[::2], x[::2])
            away = float(np.linalg.norm((curve(s[1::2])[0] - x[1::2]) * weights, axis=1).max())
            if away <= CLOSE * length or rows >= MOST:
                break
            rows *= 2
        apart = max(apart, away)
        pieces.append(curve)
        knots += (curve.knots[1:] + k).tolist()
        stops.append(k + 1.0)
        if motion.load is not None:
            loads.append(motion.load(t[::2])[0])
    joined = Pieces(np.array(knots), np.concatenate([piece.coefficients for piece in pieces], axis=1))
    load = None
    if motion.load is not None:
        load = motion.load if is_steady(motion.load) else _loads(loads)
    return Way(joined, tuple(knots), tuple(stops), load, apart / (1.0 if (weights == 1.0).any() else weights.max()))


def _loads(values: Sequence[Array]) -> Curve:
    """Straight between rows of each stretch: places 0 to 1, 1 to 2, ...; it may jump where they meet."""
    knots, offset, slope = [], [], []
    for k, rows in enumerate(values):
        places = np.linspace(k, k + 1.0, len(rows))
        knots += places[:-1].tolist()
        offset.append(rows[:-1])
        slope.append(np.diff(rows, axis=0) / np.diff(places)[:, None])
    return Pieces(np.array([*knots, float(len(values))]), np.stack([np.concatenate(offset), np.concatenate(slope)]))


@dataclass(frozen=True)
class _Arc:
    """The length passed up to a time, from the polynomials of the speed."""

    speed: Polynomials

    @property
    def sums(self) -> tuple[Array, Array]:
        """Polynomials (degree + 2, m) of the integral in each piece from its beginning, and the length before it."""
        c, half = self.speed.coefficients[:, :, 0], 0.5 * (self.speed.end - self.speed.begin)
        inner: Array = np.asarray(np.polynomial.chebyshev.chebint(c.T * half, lbnd=-1.0), dtype=np.float64)
        ends = inner.sum(axis=0)
        return inner, np.concatenate([[0.0], np.cumsum(ends)])

    def __call__(self, t: float) -> float:
        return float(self._at(np.array([t]))[0])

    def _at(self, t: Array) -> Array:
        inner, before = self.sums
        k = np.clip(np.searchsorted(self.speed.begin, t, side="right") - 1, 0, len(self.speed.begin) - 1)
        u = 2.0 * (t - self.speed.begin[k]) / (self.speed.end[k] - self.speed.begin[k]) - 1.0
        value = np.polynomial.chebyshev.chebval(u, inner[:, k], tensor=False)
        return before[k] + value

    def times(self, lengths: Array, begin: float, end: float) -> Array:
        """Times between two at which these lengths are passed, by halving."""
        low, high = np.full(len(lengths), begin), np.full(len(lengths), end)
        for _ in range(60):
            middle = 0.5 * (low + high)
            short = self._at(middle) < lengths
            low, high = np.where(short, middle, low), np.where(short, high, middle)
        found = 0.5 * (low + high)
        found[0], found[-1] = begin, end
        return found


def _stretches(motion: Motion, speeds: Polynomials, weights: Array) -> list[tuple[float, float]]:
    """Intervals of time between rests at which the path has a corner; long rests are left out."""
    fine = np.unique(np.concatenate([np.linspace(a, b, 65) for a, b in zip(speeds.begin, speeds.end, strict=True)]))
    rate = motion.law(fine)[1] * weights
    size = np.linalg.norm(rate, axis=1)
    moving = np.flatnonzero(size > REST * size.max())
    ends = [float(fine[max(moving[0] - 1, 0)])]
    for last, k in pairwise(moving.tolist()):
        cosine = float(rate[last] @ rate[k]) / (size[last] * size[k])
        if cosine < np.cos(STRAIGHT if k > last + 1 else 0.5 * np.pi):
            middle = 0.5 * float(fine[last] + fine[k])
            ends += [float(fine[last + 1]), float(fine[k - 1])] if k > last + 1 else [middle, middle]
    ends.append(float(fine[min(moving[-1] + 1, len(fine) - 1)]))
    return list(zip(ends[::2], ends[1::2], strict=True))
