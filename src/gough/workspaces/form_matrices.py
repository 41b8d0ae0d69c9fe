"""Matrices of forms over boxes: products with fixed matrices, solutions of linear systems, their rounding errors.

Forms are arrays (d + 2, m, n, B) of centre, slopes and rest, as `gough.run.affine_forms` makes them; fixed matrices are
(B, m, n), one per box.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array

POWERS = 4
"""Steps towards the weights in which the row sums of a matrix are nearly alike."""


def inverses(A: Array) -> Array:
    """(B, m, M) about the inverses of A (B, M, m); NaN where A is all but singular.

    Where M > m, each is that of the m most independent rows, and zero in the columns of the others.
    """
    found = np.full((len(A), A.shape[2], A.shape[1]), np.nan)
    good = np.asarray(np.isfinite(A).all(axis=(1, 2)))
    good[good] = np.linalg.cond(A[good]) < 1e12
    if A.shape[1] == A.shape[2]:
        found[good] = np.linalg.inv(A[good])
        return found
    rows = independent_rows(A[good])
    each = np.arange(len(rows))
    own = np.zeros((len(rows), *found.shape[1:]))
    own[each[:, None, None], np.arange(A.shape[2])[:, None], rows[:, None, :]] = np.linalg.inv(
        A[good][each[:, None], rows]
    )
    found[good] = own
    return found


def independent_rows(A: Array) -> NDArray[np.intp]:
    """(B, m) places of the most independent rows of A (B, M, m): the longest, then the longest across it, and so on."""
    across, each = np.array(A), np.arange(len(A))
    chosen = np.empty((len(A), A.shape[2]), dtype=np.intp)
    for k in range(A.shape[2]):
        lengths = np.linalg.norm(across, axis=2)
        chosen[:, k] = lengths.argmax(axis=1)
        n = across[each, chosen[:, k]] / lengths[each, chosen[:, k], None]
        across = across - (across @ n[:, :, None]) * n[:, None, :]
    return chosen


def split(forms: Array) -> tuple[Array, Array, Array, Array]:
    """Centre (B, m, n), slopes (B, d, m, n), rest and size (B, m, n) of forms (d + 2, m, n, B)."""
    parts = np.moveaxis(forms, -1, 0)
    centre, slopes, rest = parts[:, 0], parts[:, 1:-1], parts[:, -1]
    return centre, slopes, rest, np.abs(centre) + np.abs(slopes).sum(axis=1) + rest


def slip(Y: Array, size: Array) -> Array:
    """Round-off of Y A: a sum of M products is off by less than (M + 2) 2^-53 of the sum of their sizes."""
    return np.asarray((Y.shape[2] + 2) * 2.0**-52 * (np.abs(Y) @ size))


def over(Y: Array, forms: Array) -> Array:
    """(B, m, n) not below |Y A| for A of forms (d + 2, m, n, B)."""
    centre, slopes, rest, size = split(forms)
    found = np.abs(Y @ centre) + np.abs(Y[:, None] @ slopes).sum(axis=1) + np.abs(Y) @ rest + slip(Y, size)
    return np.asarray(found * (1.0 + 2.0**-48))


def off(Y: Array, forms: Array) -> Array:
    """(B, m, m) not below |1 - Y A| for A of forms (d + 2, M, m, B), Y (B, m, M)."""
    centre, slopes, rest, size = split(forms)
    off = np.abs(Y @ centre - np.eye(Y.shape[1])) + np.abs(Y[:, None] @ slopes).sum(axis=1)
    return np.asarray((off + np.abs(Y) @ rest + slip(Y, size)) * (1.0 + 2.0**-48) + 2.0**-52)


def rates(Y: Array, Gu: Array, Gx: Array) -> tuple[Array, Array, Array]:
    """Form of D = -G_u^-1 G_x: centre (B, m, n), slopes (B, m, n, d), rest (B, m, n).

    With M = Y G_u and N = -Y G_x, D solves M D = N. What its first-order form leaves of that, at most P, is due to an
    error of D that (1 - E)^-1 P bounds, E >= |1 - M|: in rows weighted by w with E w <= e w that is w max(P / w) / (1 -
    e).
    """
    A, A_slopes, A_rest, A_size = split(Gu)
    B, B_slopes, B_rest, B_size = split(Gx)
    M, M_slopes, M_rest = Y @ A, Y[:, None] @ A_slopes, np.abs(Y) @ A_rest + slip(Y, A_size)
    N, N_slopes, N_rest = -(Y @ B), -(Y[:, None] @ B_slopes), np.abs(Y) @ B_rest + slip(Y, B_size)
    D, D_slopes = N, N_slopes - M_slopes @ N[:, None]
    M_turn, D_turn = np.abs(M_slopes).sum(axis=1), np.abs(D_slopes).sum(axis=1)
    D_size, M_size = np.abs(D) + D_turn, np.abs(M) + M_turn + M_rest
    P = np.abs(N - M @ D) + np.abs(N_slopes - M_slopes @ D[:, None] - M[:, None] @ D_slopes).sum(axis=1)
    P += N_rest + M_turn @ D_turn + M_rest @ D_size
    P += (Y.shape[2] + 4) * 2.0**-51 * (M_size @ D_size + np.abs(N) + np.abs(N_slopes).sum(axis=1) + N_rest)
    w, share = weighted(off(Y, Gu))
    rest = np.where(share < 1.0, w * (P / w).max(axis=1, keepdims=True) / (1.0 - share), np.inf) * (1.0 + 2.0**-46)
    return D, np.moveaxis(D_slopes, 1, -1), rest


def weighted(E: Array) -> tuple[Array, Array]:
    """Weights w (B, m, 1) > 0 and shares (B, 1, 1) with E w <= share w, for E (B, m, m) >= 0: its norm in such rows."""
    w = np.ones((*E.shape[:2], 1))
    for _ in range(POWERS):
        w = E @ w + 1e-9
        w /= w.max(axis=1, keepdims=True)
    return w, ((E @ w) / w).max(axis=1, keepdims=True) * (1.0 + 2.0**-48)


def between(P: Array, forms: Array, Q: Array) -> Array:
    """Forms (d + 2, p, q, B) of P A Q for A of forms (d + 2, m, n, B), P (B, p, m) and Q (B, n, q)."""
    centre, slopes, rest, size = split(forms)
    added = np.abs(P) @ rest @ np.abs(Q) + (P.shape[2] + Q.shape[1] + 4) * 2.0**-52 * (np.abs(P) @ size @ np.abs(Q))
    parts = [P @ centre @ Q, *np.moveaxis(P[:, None] @ slopes @ Q[:, None], 1, 0), added * (1.0 + 2.0**-48)]
    return np.moveaxis(np.stack(parts), 1, -1)


def gram(forms: Array) -> Array:
    """Forms (d + 2, n, n, B) of A^T A for A of forms (d + 2, m, n, B)."""
    centre, slopes, rest, size = split(forms)
    turned = np.swapaxes(centre, 1, 2)
    first = turned[:, None] @ slopes
    linear = np.abs(slopes).sum(axis=1)
    crossed = np.abs(turned) @ rest
    added = crossed + np.swapaxes(crossed, 1, 2) + np.swapaxes(linear + rest, 1, 2) @ (linear + rest)
    added += (forms.shape[1] + 4) * 2.0**-51 * (np.swapaxes(size, 1, 2) @ size)
    parts = [turned @ centre, *np.moveaxis(first + np.swapaxes(first, 2, 3), 1, 0), added * (1.0 + 2.0**-48)]
    return np.moveaxis(np.stack(parts), 1, -1)


def negated(forms: Array) -> Array:
    """Forms (d + 2, ...) of -A."""
    found = -forms
    found[-1] = forms[-1]
    return found
