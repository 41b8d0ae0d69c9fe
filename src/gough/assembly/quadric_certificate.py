"""The certificate of `certificate`, for any n quadrics in n + 1 homogeneous unknowns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gough.assembly.certificate import ROUND, Certified
from gough.graph import Array

_SCALARS = 1e-8


def certify_quadrics(x: NDArray[np.inexact], Q: NDArray[np.inexact], sizes: Array) -> Certified:
    """What is proved near points x (N, n + 1), after they were improved by Newton's method.

    Args:
        x: Real or complex, of any length; real ones stay so.
        Q: (N, n, n + 1, n + 1) symmetric matrices of the quadrics x.Q x = 0.
        sizes: (N, n) for each a bound of the sum of the sizes of all terms its matrix was computed from.
    """
    x = x / np.linalg.norm(x, axis=1)[:, None]
    with np.errstate(all="ignore"):
        for _ in range(4):
            J, F = _evaluated(x, Q)
            x = x - np.einsum("nij,nj->ni", _inverse(J), F)
            x = x / np.linalg.norm(x, axis=1)[:, None]
        J, F = _evaluated(x, Q)
        G = _inverse(J)
        heights = np.linalg.norm(G, axis=1)
        bounds = np.column_stack([sizes, np.ones(len(x))])
        slips = ROUND * bounds
        beta = np.linalg.norm(np.einsum("nij,nj->ni", G, F), axis=1)
        beta = beta + (heights * (slips + ROUND * np.abs(F))).sum(axis=1)
        drift = np.linalg.norm(np.eye(x.shape[1]) - G @ J, axis=(1, 2))
        drift = drift + (heights * (2.0 * slips + ROUND * np.linalg.norm(J, axis=2))).sum(axis=1)
        curve = 2.0 * (heights[:, :-1] * sizes).sum(axis=1)
        room = 1.0 - drift
        radius = 2.0 * beta / room * (1.0 + _SCALARS)
        proved = (room > 0.0) & (2.0 * curve * beta * (1.0 + _SCALARS) <= room * room)
        return Certified(x, proved, radius, room / curve * (1.0 - _SCALARS))


def _evaluated(x: NDArray[np.inexact], Q: NDArray[np.inexact]) -> tuple[NDArray[np.inexact], NDArray[np.inexact]]:
    """Derivatives and values of the quadrics, and of the chart, which holds at x."""
    rows = np.einsum("nqij,nj->nqi", Q, x)
    F = np.einsum("nqi,ni->nq", rows, x)
    J = np.concatenate([2.0 * rows, np.conj(x)[:, None]], axis=1)
    return J, np.column_stack([F, np.zeros(len(x))])


def _inverse(J: NDArray[np.inexact]) -> NDArray[np.inexact]:
    """(N, m, m) inverses; NaN where there is none."""
    good = np.isfinite(J).all(axis=(1, 2))
    found = np.full(J.shape, np.nan, dtype=J.dtype)
    usable = np.where(good[:, None, None], J, np.eye(J.shape[1]))
    try:
        inverses = np.linalg.inv(usable)
    except np.linalg.LinAlgError:
        inverses = np.stack([_one(matrix) for matrix in usable])
    found[good] = inverses[good]
    return found


def _one(matrix: NDArray[np.inexact]) -> NDArray[np.inexact]:
    try:
        return np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return np.full(matrix.shape, np.nan)
