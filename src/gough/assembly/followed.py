"""Where paths from start systems lead, and what is proved there: real poses, complex solutions, which are the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.assembly.certificate import certify
from gough.assembly.path_ends import NEARLY_REAL, PathEnds, few_path_ends, path_ends
from gough.assembly.separate import below, by_set, gaps
from gough.assembly.start_systems import CAREFUL, StartSystem
from gough.assembly.tracker import track
from gough.graph import Array

FEW = 160
"""Up to so many paths are followed in one call: those of one set of displacements."""
_DOUBTFUL = 1e-5
"""Imaginary parts below which a solution that nothing is proved of counts as a pose."""
_SLACK = 2e-9
"""How far beyond their radii solutions from two start systems may be apart and are said to be the same."""
_ANYWHERE = np.eye(1, 8, dtype=complex)[0]
"""In the place of what is no point at all."""


@dataclass(frozen=True, slots=True)
class Targets:
    """The equations of N sets of displacements.

    Attributes:
        k: (N, 6) k_1 .. k_5 and m.
        sizes: (N, 6) sizes of what k is the difference of.
        points: (30,) or, where the actuators move the legs' points, (N, 30).
        origin: (N, 3) A_0 [m].
    """

    k: Array
    sizes: Array
    points: Array
    origin: Array

    def rows(self, chosen: NDArray[np.intp]) -> Targets:
        """Those of some sets."""
        points = self.points if self.points.ndim == 1 else self.points[chosen]
        return Targets(self.k[chosen], self.sizes[chosen], points, self.origin[chosen])

    def repeated(self, count: int) -> tuple[Array, Array, Array]:
        """k, points and sizes, each set `count` times."""
        points = self.points if self.points.ndim == 1 else np.repeat(self.points, count, axis=0)
        return np.repeat(self.k, count, axis=0), points, np.repeat(self.sizes, count, axis=0)


@dataclass(frozen=True, slots=True)
class Found:
    """Solutions of N sets of displacements that n paths each led to.

    Attributes:
        x: (N, n, 8) on Study's quadric.
        real: (N, n) whether it is a pose, or may be.
        proved: (N, n) whether there is one solution near it, and one only.
        radius: (N, n) how far it may be.
        new: (N, n) whether it is none of those before it.
        whole: (N,) whether all n are proved, different, surely real or surely not, and closed under conjugation.
    """

    x: NDArray[np.complex128]
    real: NDArray[np.bool_]
    proved: NDArray[np.bool_]
    radius: Array
    new: NDArray[np.bool_]
    whole: NDArray[np.bool_]

    def rows(self, chosen: NDArray[np.intp]) -> Found:
        """Those of some sets."""
        return Found(*(getattr(self, name)[chosen] for name in Found.__slots__))


def followed(start: StartSystem, targets: Targets, moves: bool, care: dict[str, float] | None = None) -> Found:
    """Where the paths from a start system lead, to the points of each set if these move; with how much `care`."""
    return _led((start,), targets, moves, care)[0][0]


def followed_together(starts: Sequence[StartSystem], targets: Targets) -> tuple[list[Found], NDArray[np.bool_]]:
    """Where the paths from several start systems of as many solutions lead, the points as they are, and whether (N,)
    all of them found what the first one did.

    For few sets of displacements that is quicker than one system at a time. What is found is the same.
    """
    return _led(starts, targets, False, None)


def _led(
    starts: Sequence[StartSystem], targets: Targets, moves: bool, care: dict[str, float] | None
) -> tuple[list[Found], NDArray[np.bool_]]:
    """Where paths lead: those of a set from all start systems, then those of the next."""
    sets, n = len(targets.k), len(starts[0].z)
    k, points, sizes = targets.repeated(n * len(starts))
    begin, k0 = np.concatenate([start.z for start in starts]), np.repeat([start.k for start in starts], n, axis=0)
    if sets > 1:
        begin, k0 = np.tile(begin, (sets, 1)), np.tile(k0, (sets, 1))
    shape = sets, len(starts), n
    at = starts[0].points
    if len(begin) <= FEW and not care:
        ends, arrived = few_path_ends(begin, k0, k, at, points if moves else None, sizes)
        if arrived.all():
            return _judged(ends, arrived, k, points, sizes, shape)
    found = track(begin, k0, k, at, points if moves else None, **(care or {}))
    z, arrived = found.z, found.arrived
    lost = np.flatnonzero(~arrived)
    if len(lost) and not care:
        again = track(begin[lost], k0[lost], k[lost], at, points[lost] if moves else None, **CAREFUL)
        z[lost], arrived[lost] = again.z, again.arrived
    return _judged(path_ends(z, k, points, sizes), arrived, k, points, sizes, shape)


def _judged(
    ends: PathEnds, arrived: NDArray[np.bool_], k: Array, points: Array, sizes: Array, shape: tuple[int, int, int]
) -> tuple[list[Found], NDArray[np.bool_]]:
    """What is proved of the ends of paths: sets, start systems and solutions of each."""
    best, radius = ends.best, ends.radius
    good = arrived & np.isfinite(best.view(float).sum(axis=1))
    if not good.all():
        best[~good] = _ANYWHERE
    nearly = good & (ends.imaginary < NEARLY_REAL)
    real = nearly & ends.proved & ends.near
    proved = good & ends.proved & (real | ~nearly)
    doubtful = np.flatnonzero(nearly & ~real)
    if len(doubtful):
        x, own = ends.x[doubtful], points if points.ndim == 1 else points[doubtful]
        tried = certify(x, k[doubtful], own, sizes[doubtful])
        proved[doubtful], radius[doubtful] = tried.proved, tried.radius
        real[doubtful] = ~tried.proved & (ends.imaginary[doubtful] < _DOUBTFUL)
        flat = x.real / np.linalg.norm(x.real, axis=1)[:, None]
        best[doubtful] = np.where(real[doubtful][:, None], flat, tried.x)
    sets, systems, n = shape
    radius = np.where(proved, radius, 0.0)
    gap = gaps(by_set(best, (sets, systems * n)), by_set(radius, (sets, systems * n)))
    gap = gap.reshape(2, sets, systems, n, systems, n)
    best, real, proved, radius = (_by_system(values, shape) for values in (best, real, proved, radius))
    found = _found(best, real, proved, radius, gap)
    every = [Found(*(getattr(found, name)[k] for name in Found.__slots__)) for k in range(systems)]
    return every, _agree(found.proved[0], found.proved[1:], gap[0, :, 0, :, 1:])


def _by_system(values: Any, shape: tuple[int, int, int]) -> Any:
    """(S, N, n, ..) what stands one after the other: N sets, S start systems, n solutions."""
    return values.reshape(*shape, *values.shape[1:]).swapaxes(0, 1)


def _found(
    x: NDArray[np.complex128], real: NDArray[np.bool_], proved: NDArray[np.bool_], radius: Array, gap: Array
) -> Found:
    """What `Found` holds, of each start system: arrays (S, N, n) and their gaps (2, N, S, n, S, n)."""
    systems = range(len(x))
    same, conjugate = (gap[:, :, systems, :, systems] <= 0.0).swapaxes(0, 1)
    used = proved | real
    new = used & ~(same & used[:, :, None] & below(x.shape[2])).any(axis=3)
    unreal = ~conjugate.diagonal(axis1=2, axis2=3)
    mirrored = (conjugate & (proved & ~real)[:, :, None]).any(axis=3)
    whole = (proved & new & (real | (unreal & mirrored))).all(axis=2)
    return Found(x, real, proved, radius, new, whole)


def _agree(one: NDArray[np.bool_], others: NDArray[np.bool_], gap: Array) -> NDArray[np.bool_]:
    """(N,) whether all of one (N, n) that is proved may be some of each other (S, N, n) and all of these some of it.

    `gap` is (N, n, S, n).
    """
    each = others.swapaxes(0, 1)
    matched = (gap <= _SLACK) & one[:, :, None, None] & each[:, None]
    covered = (matched.any(axis=3) | ~one[:, :, None]).all(axis=(1, 2))
    return np.asarray(covered & (matched.any(axis=1) | ~each).all(axis=(1, 2)))


def take(best: Found, rows: NDArray[np.intp], other: Found) -> None:
    """Puts other's sets in the place of some, where they are whole, or hold more that is proved."""
    better = other.whole | ((other.proved & other.new).sum(axis=1) > (best.proved & best.new)[rows].sum(axis=1))
    for name in Found.__slots__:
        getattr(best, name)[rows[better]] = getattr(other, name)[better]


def same_solutions(one: Found, other: Found) -> NDArray[np.bool_]:
    """(N,) whether what is proved in one is the same as what is proved in the other: each may be one of those."""
    n = one.x.shape[1]
    gap = gaps(np.concatenate([one.x, other.x], axis=1), np.concatenate([one.radius, other.radius], axis=1))
    return _agree(one.proved, other.proved[None], gap[0, :, :n, None, n:])
