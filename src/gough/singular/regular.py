"""Boxes of poses without a singularity, by proof.

With Y the inverse of S in the middle of a box, S is regular all over it where |Y S - 1| < 1 in some norm. Taken is the
largest row sum, rows and columns weighted by what four power steps of |Y S - 1| give.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array
from gough.run.affine_forms import highest

BLOCK = 4096
POWERS = 4


def regular(S: Array) -> NDArray[np.bool_]:
    """(B,) whether matrices with forms S (d + 2, m, n, B) have full column rank all over their boxes.

    Rounding: an entry of Y S is a sum of m products, off by at most (m + 2) 2^-53 of the sum of their sizes.
    """
    forms = np.moveaxis(S, -1, 0)
    good = np.isfinite(forms).all(axis=(1, 2, 3))
    found = np.zeros(len(forms), dtype=bool)
    if not good.any():
        return found
    forms = forms[good]
    centre, slopes, rest = forms[:, 0], forms[:, 1:-1], forms[:, -1]
    m, n = centre.shape[1:]
    with np.errstate(all="ignore"):
        Y = inverses(centre)
        E = np.abs(Y @ centre - np.eye(n)) + np.abs(Y[:, None] @ slopes).sum(axis=1)
        sizes = np.abs(centre) + np.abs(slopes).sum(axis=1) + rest
        E += np.abs(Y) @ (rest + (m + 2) * 2.0**-52 * sizes) + 2.0**-50
        w = np.ones((len(E), n, 1))
        for _ in range(POWERS):
            w = E @ w + 1e-9
            w /= w.max(axis=1, keepdims=True)
        found[good] = ((E @ w) * (1.0 + 2.0**-48) < w).all(axis=(1, 2))
    return found


def inverses(A: Array) -> Array:
    """(B, n, m) inverses, of least squares where there are more rows; NaN where there is none."""
    found = np.full((len(A), A.shape[2], A.shape[1]), np.nan)
    safe = np.linalg.svd(A, compute_uv=False)[:, -1] > 1e-12 * np.abs(A).max(axis=(1, 2))
    found[safe] = np.linalg.inv(A[safe]) if A.shape[1] == A.shape[2] else np.linalg.pinv(A[safe])
    return found


@dataclass(frozen=True, slots=True)
class Proof:
    """What was proved of a set of boxes.

    Attributes:
        reached: The rank up to which all boxes are done: infinite if all are.
        boxes: How many were looked at.
        left: (k,) the middle of the box of lowest rank that is not done; None if all are.
    """

    reached: float
    boxes: int
    left: Array | None


def prove(
    enclosure: Callable[[Array, Array], dict[str, Array]],
    centre: Array,
    radius: Array,
    metric: Array,
    rank: Callable[[Array, Array], Array],
    enough: float,
    most: int,
) -> Proof:
    """Up to which rank all boxes are regular or outside the limits.

    Boxes of lowest rank come first; what is not decided is halved across its widest side.

    Args:
        enclosure: Forms of S and of margins m, of which one that is negative all over a box puts it outside.
        centre, radius: (B, k) boxes.
        metric: (k,) weights of the sides.
        rank: Of boxes; that of a part is never below that of the whole.
        enough: Rank at which the proof may stop.
        most: Boxes after which it does.
    """
    ranks = rank(centre, radius)
    looked = 0
    while len(centre):
        order = np.argsort(ranks, kind="stable")[:BLOCK] if len(centre) > BLOCK else np.arange(len(centre))
        if ranks.min() >= enough or looked + len(order) > most:
            k = int(ranks.argmin())
            return Proof(float(ranks[k]), looked, centre[k])
        looked += len(order)
        forms = enclosure(centre[order], radius[order])
        out = (highest(forms["m"]) < 0.0).any(axis=0)
        open_ = order[~out]
        open_ = open_[~regular(forms["S"][..., ~out])]
        rest = np.ones(len(centre), dtype=bool)
        rest[order] = False
        halves = _halved(centre[open_], radius[open_], metric)
        new = rank(*halves)
        centre, radius = (np.concatenate([old[rest], part]) for old, part in zip((centre, radius), halves, strict=True))
        ranks = np.concatenate([ranks[rest], new])
    return Proof(np.inf, looked, None)


def _halved(centre: Array, radius: Array, metric: Array) -> tuple[Array, Array]:
    """Boxes halved across the widest side by the metric."""
    across = np.arange(centre.shape[1]) == (radius * metric).argmax(axis=1)[:, None]
    step = np.where(across, 0.5 * radius, 0.0)
    smaller = np.where(across, np.nextafter(0.5 * radius, np.inf), radius)
    return np.concatenate([centre - step, centre + step]), np.concatenate([smaller, smaller])


def least_size(centre: Array, radius: Array) -> Array:
    """(B, k) least absolute values over boxes."""
    return np.maximum(np.abs(centre) - radius, 0.0)
