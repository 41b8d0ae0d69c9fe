"""Solutions in cosines and sines, proved as intersections of quadrics, and told to be real or complex."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gough.assembly.quadric_certificate import certify_quadrics
from gough.assembly.separate import below, by_set, gaps
from gough.graph import Array

Number = TypeVar("Number", bound=np.inexact)
"""Real or complex."""
_NEARLY_REAL = 1e-3
_DOUBTFUL = 1e-5


@dataclass(frozen=True, slots=True)
class Judged:
    """Solutions of N systems, n each, that closed forms gave.

    Attributes:
        y: (N, n, k) complex unknowns, improved.
        real: (N, n) whether it is real, or may be.
        proved: (N, n) whether there is one solution near it, and one only.
        radius: (N, n) how far it may be.
        new: (N, n) whether it is none of those before it.
        whole: (N,) whether all there can be are proved, different and surely real or surely not.
    """

    y: NDArray[np.inexact]
    real: NDArray[np.bool_]
    proved: NDArray[np.bool_]
    radius: Array
    new: NDArray[np.bool_]
    whole: NDArray[np.bool_]


def judged(y: NDArray[np.complex128], Q: NDArray[np.inexact], sizes: Array, most: int | None = None) -> Judged:
    """What is proved of solutions y (N, n, k) of k quadrics.

    Args:
        y: Affine unknowns; NaN where there is none.
        Q: (N, k, k + 1, k + 1) the quadrics in (1, y).
        sizes: (N, k) bounds of the sums of the sizes of the terms they were computed from.
        most: How many solutions there are at most; n unless given.
    """
    sets, n, k = y.shape
    x = np.concatenate([np.ones((sets, n, 1)), y], axis=2).reshape(sets * n, k + 1)
    there = np.isfinite(x).all(axis=1)
    x[~there] = 1.0
    Q, sizes = np.repeat(Q, n, axis=0), np.repeat(sizes, n, axis=0)
    found = certify_quadrics(x.astype(complex), Q, sizes)
    best, proved = _affine(found.x), found.proved & there & (np.abs(found.x[:, 0]) > found.radius)
    radius = found.radius.copy()
    real = np.zeros(len(x), dtype=bool)
    with np.errstate(invalid="ignore"):
        imaginary = np.abs(best.imag).max(axis=1) / (1.0 + np.abs(best).max(axis=1))
    nearly = np.flatnonzero(there & (imaginary < _NEARLY_REAL) & (Q.imag == 0.0).all(axis=(1, 2, 3)))
    if len(nearly):
        tried = certify_quadrics(best[nearly].real, Q[nearly].real, sizes[nearly])
        moved = np.linalg.norm(np.abs(_affine(tried.x) - best[nearly]), axis=1)
        sure = tried.proved & (moved < 0.5 * tried.alone) & (np.abs(tried.x[:, 0]) > tried.radius)
        real[nearly] = sure | (~proved[nearly] & (imaginary[nearly] < _DOUBTFUL))
        taken = real[nearly]
        best[nearly[taken]] = np.where(sure[:, None], _affine(tried.x), best[nearly].real)[taken]
        proved[nearly[sure]], radius[nearly[sure]] = True, tried.radius[sure]
    unit = best / np.linalg.norm(best, axis=1)[:, None]
    unit[~(proved | real)] = np.nan
    shape = (sets, n)
    radius = by_set(np.where(proved, radius, 0.0), shape)
    unit, best, real, proved = by_set(unit, shape), by_set(best, shape), by_set(real, shape), by_set(proved, shape)
    used = proved | real
    same, conjugate = gaps(unit, radius) <= 0.0
    new = used & ~(same & used[:, None, :] & below(n)).any(axis=2)
    unreal = ~conjugate.diagonal(axis1=1, axis2=2)
    complex_T = (Q.reshape(sets, n, -1).imag != 0.0).any(axis=2)
    whole = (proved & new & (real | unreal | complex_T)).sum(axis=1) == (n if most is None else most)
    return Judged(best[:, :, 1:], real, proved, radius, new, whole)


def _affine(x: NDArray[np.inexact]) -> NDArray[np.inexact]:
    """Points whose first entry is one."""
    with np.errstate(all="ignore"):
        return x / x[:, :1]


def circle(size: int, place: int) -> Array:
    """(size + 1, size + 1) quadric of unknowns `place` and the next, a cosine and a sine."""
    found = np.zeros((size + 1, size + 1))
    found[0, 0] = -1.0
    found[place + 1, place + 1] = found[place + 2, place + 2] = 1.0
    return found


def bilinear(T: NDArray[Number], size: int, first: int, second: int) -> NDArray[Number]:
    """(N, size + 1, size + 1) quadric of f T g, of angles whose cosines are unknowns `first` and `second`."""
    found = np.zeros((len(T), size + 1, size + 1), dtype=T.dtype)
    rows, columns = [first + 1, first + 2, 0], [second + 1, second + 2, 0]
    for i, r in enumerate(rows):
        for j, c in enumerate(columns):
            found[:, r, c] += 0.5 * T[:, i, j]
            found[:, c, r] += 0.5 * T[:, i, j]
    return found
