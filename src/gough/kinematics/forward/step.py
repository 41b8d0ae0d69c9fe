"""A step along the path, and how a path is followed by steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array
from gough.kinematics.status import Status

SHORTEST = 1e-6
"""A step that must be shorter than this, in the robot's length, is at a fold: steps shrink as its square root."""
MOST_STEPS = 5000
"""Steps of a path that does not fold; one of 0.4 lengths takes four to forty."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of N samples.

    Attributes:
        c: (N, m) where it leads.
        share: (N,) of what was left of the path.
        size: (N,) its length [m].
        arrived: (N,) whether it can be relied on.
    """

    c: Array
    share: Any
    size: Any
    arrived: Any


@dataclass(frozen=True, slots=True)
class Followed:
    """The ends of N paths.

    Attributes:
        c: (N, m) the last configuration on the path.
        status: (N,) FINE where it is the end; else PATH_FOLDS or NOT_CONVERGED.
        share: (N,) of the path that was followed.
        steps: (N,) taken.
        actuator: (N,) whose leg is stretched or folded where the path ends early, -1 if none.
        plain: (N,) whether the end is certainly not near singular.
    """

    c: Array
    status: Any
    share: Any
    steps: Any
    actuator: Any
    plain: Any


def nowhere(c: Array) -> Followed:
    """Paths that are still at their beginning c (N, m)."""
    count = len(c)
    return Followed(
        np.array(c, dtype=float),
        np.full(count, int(Status.NOT_CONVERGED)),
        np.zeros(count),
        np.zeros(count, dtype=int),
        np.full(count, -1),
        np.zeros(count, dtype=bool),
    )


def follow(readings: Readings, c: Array, q: Array, left: Array) -> Followed:
    """The ends of paths from c (N, m) with `left` (N, actuators) to go to displacements q, by checked steps."""
    path = nowhere(c)
    left, rest, rows = np.array(left, dtype=float), np.ones(len(c)), np.arange(len(c))
    for _ in range(MOST_STEPS):
        if not len(rows):
            break
        found = checked_step(readings, np.ascontiguousarray(path.c[rows]), q[rows], left[rows])
        path.steps[rows] += 1
        with np.errstate(invalid="ignore"):
            short = (found.share < 1.0) & (found.size <= SHORTEST * readings.length)
        path.status[rows[short]] = Status.PATH_FOLDS
        going = found.arrived & ~short
        ended = going & (found.share >= 1.0)
        path.status[rows[ended]] = Status.FINE
        path.c[rows[going]] = found.c[going]
        rest[rows[going]] *= 1.0 - found.share[going]
        left[rows[going]] *= 1.0 - found.share[going, None]
        rows = rows[going & ~ended]
    path.share[:] = 1.0 - rest
    return path


CHANGE = 0.25
"""Largest change of K over a step, relative to itself."""
CAP = 0.5
"""Longest step, in the robot's length."""
SMALL = 2.0**-26
"""Corrections below this, in the robot's length, need not shrink."""
_MOST = 60


class Readings(Protocol):
    """What is followed: displacements and their derivatives over configurations.

    Attributes:
        sizes: (n,) by which displacements y are measured: 1 where they slide, the robot's length where they turn.
        length: The robot's [m].
    """

    sizes: Any
    length: float

    def at(self, c: Array) -> tuple[Any, Any, Any]:
        """(q (N, actuators), K (N, actuators, n), (N,) whether all legs reach) at c (N, m)."""

    def way(self, here: Array, there: Array) -> Array:
        """(N, actuators) from displacements to displacements."""

    def moved(self, c: Array, y: Array) -> Array:
        """(N, m) configurations after displacements y (N, n)."""


def checked_step(readings: Readings, c: Array, q: Array, left: Array) -> Step:
    """A step from configurations c (N, m) with `left` (N, actuators) to go to displacements q (N, actuators)."""
    count = len(c)
    _, K, good = readings.at(c)
    G = _inverse(K, good)
    whole = (G @ left[:, :, None])[:, :, 0]
    length = _size(readings, whole)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.minimum(1.0, CAP * readings.length / length)
    end, arrived = np.array(c), np.zeros(count, dtype=bool)
    open_rows = np.flatnonzero(good & np.isfinite(length))
    while len(open_rows):
        k = open_rows
        target = q[k] - left[k] * (1.0 - share[k])[:, None]
        reached, found = _corrected(readings, c[k], G[k], whole[k] * share[k][:, None], target)
        end[k[reached]], arrived[k[reached]] = found[reached], True
        share[k[~reached]] *= 0.5
        open_rows = k[~reached & (share[k] * length[k] > SHORTEST * readings.length)]
    return Step(end, share, share * length, arrived)


def _corrected(readings: Readings, c: Array, G: Array, y: Array, target: Array) -> tuple[Any, Any]:
    """Whether the step y from c leads to displacements `target`, and where to."""
    before = _size(readings, y)
    good = _like(readings, G, readings.moved(c, 0.5 * y))
    at, done = readings.moved(c, y), np.zeros(len(c), dtype=bool)
    limit = np.maximum(CHANGE * before, SMALL * readings.length)
    for _ in range(_MOST):
        rows = np.flatnonzero(good & ~done)
        if not len(rows):
            break
        q, K, reached = readings.at(at[rows])
        dy = (_inverse(K, reached) @ readings.way(q, target[rows])[:, :, None])[:, :, 0]
        size = _size(readings, dy)
        floor = (size <= SMALL * readings.length) & ((size > limit[rows]) | (size == 0.0))
        fine = reached & _close(readings, G[rows], K) & ((size <= limit[rows]) | floor)
        good[rows[~fine]] = False
        at[rows[fine]] = readings.moved(at[rows[fine]], dy[fine])
        done[rows[fine & floor]] = True
        limit[rows] = 0.5 * size
    return good & done, at


def _like(readings: Readings, G: Array, c: Array) -> NDArray[np.bool_]:
    _, K, reached = readings.at(c)
    return reached & _close(readings, G, K)


def _close(readings: Readings, G: Array, K: Array) -> NDArray[np.bool_]:
    """(N,) whether G K is the identity but for `CHANGE`, in displacements measured by their sizes."""
    change = (G @ K - np.eye(K.shape[2])) * readings.sizes[:, None] / readings.sizes
    with np.errstate(invalid="ignore"):
        return np.sqrt((change * change).sum(axis=(1, 2))) <= CHANGE


def _size(readings: Readings, y: Array) -> Array:
    return np.sqrt(((y * readings.sizes) ** 2).sum(axis=1))


def _inverse(K: Array, good: NDArray[np.bool_]) -> Array:
    """(N, n, actuators) pseudoinverses; zero where a pose has no K."""
    finite = good & np.isfinite(K).all(axis=(1, 2))
    return np.linalg.pinv(np.where(finite[:, None, None], K, 0.0))
