"""Global search for the largest values of several functions on a cube: Sobol points and corners, then local polish."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array

Objective = Callable[[Any, Any], Any]
"""(N, d) points of the unit cube and a column for each -> (N,) values, NaN where there is none."""

STARTS = 8
APART = 0.05
"""Least distance in the cube between starting points, and between listed optima."""
FIRST_STEP = 0.05
SMALLEST = 1e-8
RANDOM = 4


@dataclass(frozen=True, slots=True)
class Optimum:
    """A local maximum: its place in the unit cube (d,) and its value."""

    point: Array
    value: float


def scan_points(d: int, seed: int, power: int = 11) -> Array:
    """(N, d) Sobol points, the middle, all corners and the middles of all faces of the unit cube."""
    from scipy.stats import qmc

    if d == 0:
        return np.zeros((1, 0))
    sobol = qmc.Sobol(d, seed=seed).random_base2(power)
    fixed = [np.full(d, 0.5)]
    if d <= 6:
        fixed += [np.array(p) for p in product((0.0, 0.5, 1.0), repeat=d)]
    else:
        fixed += [np.array(p) for p in product((0.0, 1.0), repeat=d)] if d <= 12 else []
    return np.concatenate([sobol, np.array(fixed)])


def best_starts(
    points: Array, values: Array, count: int = STARTS, known: dict[bytes, NDArray[np.intp]] | None = None
) -> list[int]:
    """Indices of the largest values among those that no neighbour exceeds, so that each is in a basin of its own.

    `known` holds neighbours of the same points from other calls, by the points whose values are finite.
    """
    good = np.flatnonzero(np.isfinite(values))
    if points.shape[1] == 0 or len(good) <= count:
        return [int(k) for k in good[np.argsort(-values[good])][:count]]
    known = {} if known is None else known
    if good.tobytes() not in known:
        known[good.tobytes()] = _neighbours(points[good])
    here, near = values[good], known[good.tobytes()]
    tops = good[here >= here[near].max(axis=1)]
    found: list[int] = []
    for k in tops[np.argsort(-values[tops])]:
        if all(np.abs(points[k] - points[j]).max() > APART for j in found):
            found.append(int(k))
        if len(found) == count:
            break
    return found


def _neighbours(points: Array) -> NDArray[np.intp]:
    """(N, k) indices of the nearest of points (N, d) to each, itself among them."""
    from scipy.spatial import cKDTree

    return np.asarray(cKDTree(points).query(points, min(2 * points.shape[1] + 2, len(points)))[1])


def polish(objective: Objective, points: Array, columns: NDArray[np.intp], seed: int = 0) -> tuple[Array, Array]:
    """Local maxima reached from points (P, d), each of its own column (P,): places (P, d) and values (P,).

    A compass search of all points at once: steps along the axes, along the last success and in some random directions
    (which find their way along ridges), halved where none is better.
    """
    count, d = points.shape
    points, values = points.copy(), objective(points, columns)
    if d == 0:
        return points, values
    rng = np.random.default_rng(seed)
    axes = np.concatenate([np.eye(d), -np.eye(d)])
    step, last = np.full(count, FIRST_STEP), np.zeros((count, d))
    while (step > SMALLEST).any():
        live = np.flatnonzero(step > SMALLEST)
        any_way = rng.normal(size=(len(live), RANDOM, d))
        any_way /= np.linalg.norm(any_way, axis=2, keepdims=True)
        ways = np.concatenate([np.broadcast_to(axes, (len(live), 2 * d, d)), any_way], axis=1) * step[live, None, None]
        ways = np.concatenate([ways, 2.0 * last[live, None]], axis=1)
        trials = np.clip(points[live, None] + ways, 0.0, 1.0)
        found = objective(trials.reshape(-1, d), np.repeat(columns[live], trials.shape[1])).reshape(len(live), -1)
        found = np.where(np.isfinite(found), found, -np.inf)
        k = found.argmax(axis=1)
        top = found[np.arange(len(live)), k]
        better = top > values[live] + 1e-15 * np.abs(values[live])
        winners, places = live[better], trials[np.arange(len(live)), k][better]
        last[winners] = places - points[winners]
        points[winners], values[winners] = places, top[better]
        losers = live[~better]
        step[losers] *= 0.4
        last[losers] = 0.0
    return points, values


def polished(objective: Objective, points: Array, values: Array, seed: int) -> list[list[Optimum]]:
    """Local maxima of each column, from the best of the scan."""
    starts, known = [], dict[bytes, NDArray[np.intp]]()
    for column in range(values.shape[1]):
        tops = best_starts(points, values[:, column], 3 * STARTS, known)
        exact = objective(points[tops], np.full(len(tops), column))
        starts += [(column, tops[k]) for k in np.argsort(-exact)[:STARTS]]
    columns = np.array([column for column, _ in starts])
    places, found = polish(objective, points[[j for _, j in starts]], columns, seed)
    result: list[list[Optimum]] = [[] for _ in range(values.shape[1])]
    for column, place, value in zip(columns, places, found, strict=True):
        result[column].append(Optimum(place, float(value)))
    return result


def distinct(optima: list[Optimum]) -> list[Optimum]:
    """Optima from the largest down, those that are the same place once."""
    found: list[Optimum] = []
    for optimum in sorted(optima, key=lambda o: -o.value):
        near = [np.abs(optimum.point - other.point).max(initial=0.0) <= APART for other in found]
        if not any(near):
            found.append(optimum)
    return found
