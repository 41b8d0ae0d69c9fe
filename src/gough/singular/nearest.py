"""The singularity nearest to a pose, as found, and a bound below which none is, as proved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.graph import Array
from gough.robot.rotation import about
from gough.singular.charts import Chart
from gough.singular.regular import Proof, least_size, prove
from gough.workspaces.conditions import Conditions
from gough.workspaces.rays import Rays, RayTracer, ray_tracer
from gough.workspaces.travel import machine_size

STARTS, BEST, ROUNDS, TRIES = 6000, 12, 60, 24
"""Rays looked at first, those looked at closer, in how many rounds, and how many around each."""


@dataclass(frozen=True, slots=True)
class Nearest:
    """A singular pose.

    Attributes:
        distance: From the middle: sqrt(way^2 + (length turn)^2) [m].
        way: (3,) of the platform's origin in B [m].
        turn: (3,) rotation vector in B [rad].
        p, R: The pose in B.
    """

    distance: float
    way: Array
    turn: Array
    p: Array
    R: Array


def nearest(chart: Chart, seed: int = 0) -> Nearest | None:
    """The nearest singular pose found within the limits; None if no ray from the middle meets one.

    Rays go from the middle in all directions of ways and turns, which count by the characteristic length.
    """
    far = 2.0 * machine_size(chart.robot)
    crossing = ray_tracer(chart.robot, Conditions(("side",)))
    others = tuple(kind for kind in chart.conditions.kinds if kind != "side")
    limits = ray_tracer(chart.robot, Conditions(others, chart.conditions.stated)) if others else None
    rng = np.random.default_rng(seed)
    directions = _unit(rng.normal(size=(STARTS, chart.size)))
    value = _met(chart, crossing, limits, directions, far)
    if not np.isfinite(value).any():
        return None
    order = np.argsort(value)[:BEST]
    middles, best, spread = directions[order], value[order], 0.4
    for _ in range(ROUNDS):
        around = _unit(middles[:, None] + spread * rng.normal(size=(len(middles), TRIES, chart.size)))
        found = _met(chart, crossing, limits, around.reshape(-1, chart.size), far).reshape(len(middles), TRIES)
        k = found.argmin(axis=1)
        rows = np.arange(len(middles))
        better = found[rows, k] < best
        middles = np.where(better[:, None], around[rows, k], middles)
        best = np.where(better, found[rows, k], best)
        spread *= 0.8
    k = int(best.argmin())
    ray = _rays(chart, middles[k : k + 1], far)
    t, s = float(best[k]), len(chart.slides)
    way, turn = t * middles[k, :s] @ chart.slides, t / chart.length * middles[k, s:] @ chart.axes
    return Nearest(t, way, turn, *_pose(ray, t))


def _unit(directions: Array) -> Array:
    return np.asarray(directions / np.linalg.norm(directions, axis=-1, keepdims=True))


def _rays(chart: Chart, directions: Array, far: float) -> Rays:
    """Rays from the middle along unit directions (N, k), by the distance of poses."""
    s, at = len(chart.slides), chart.middle
    v = directions[:, :s] @ chart.slides
    w = directions[:, s:] @ chart.axes / chart.length
    rate = np.linalg.norm(w, axis=1, keepdims=True)
    axis = np.where(rate > 0.0, w / np.where(rate > 0.0, rate, 1.0), [1.0, 0.0, 0.0])
    count = len(directions)
    p = np.broadcast_to(np.array(at.p_BP, dtype=float), (count, 3))
    R = np.broadcast_to(np.array(at.R_BP, dtype=float).ravel(), (count, 9))
    return Rays(np.hstack([p, np.zeros((count, 3)), v, axis, rate, R]), np.full(count, far))


def _met(chart: Chart, crossing: RayTracer, limits: RayTracer | None, directions: Array, far: float) -> Array:
    """(N,) how far the rays' first singularities are; infinite where none is within half a turn and the limits."""
    rays = _rays(chart, directions, far)
    rays = rays.until(np.minimum(far, np.pi / np.maximum(rays.values[:, 12], 1e-9)))
    found = crossing.trace(rays)
    inside = found.ended if limits is None else found.ended & (limits.margins(rays, found.t) > 0.0).all(axis=1)
    return np.where(inside, found.t, np.inf)


def _pose(ray: Rays, t: float) -> tuple[Array, Array]:
    values = ray.values[0]
    turn = np.array(about(tuple(values[9:12]), float(values[12] * t)))
    return values[:3] + values[6:9] * t, turn @ values[13:].reshape(3, 3)


def proved_distance(chart: Chart, found: float, share: float = 0.95, most: int = 400_000) -> Proof:
    """A distance below which no pose within the limits is singular, up to a share of what was found.

    Raises:
        InputError: The robot's equations have an operation without enclosure.
    """
    s, turns = len(chart.slides), len(chart.axes)
    turn = found / chart.length
    reach = np.tan(0.5 * min(turn, 0.99 * np.pi)) if turns == 3 else min(turn, np.pi)
    radius = np.concatenate([np.full(s, found), np.full(turns, reach)])[None]
    metric = np.concatenate([np.ones(s), np.full(turns, (2.0 if turns == 3 else 1.0) * chart.length)])

    def rank(centre: Array, half: Array) -> Array:
        return chart.distance(least_size(centre, half)) * (1.0 - 1e-12)

    return prove(chart.enclosure, np.zeros((1, chart.size)), radius, metric, rank, share * found, most)
