"""On which side of det K = 0 boxes of poses are, and whether the least singular value of K is above a limit.

A determinant that is enclosed by its minors has a rest many times its size. With U S V^T = K in the middle of a box and
A = U^T K V all over it, A is nearly diagonal. Without its last row and column it is A' there, and where |1 - S'^-1 A'|
< 1, which keeps det A' positive,

    det A = det A' (a - b A'^-1 c)        a the last diagonal number, b and c what is beside and above it

has the sign of a - b A'^-1 c, in which a is of first order and all else of second. So is it with the symmetric matrix
V^T K^T K V - s^2, which is positive definite where all singular values are above s: a alone is an upper bound then.
"""

from __future__ import annotations

import numpy as np

from gough.graph import Array
from gough.workspaces.form_matrices import between, gram, split, weighted


def side_forms(K: Array, side: float) -> Array:
    """(d + 2, B) forms with the sign of det K times `side`, for K of forms (d + 2, n, n, B); without bounds if not."""
    centre = np.moveaxis(K[0], -1, 0)
    good = np.asarray(np.isfinite(K).all(axis=(0, 1, 2)))
    U, sizes, Vt = np.linalg.svd(np.where(good[:, None, None], centre, np.eye(len(K[0]))))
    V = np.swapaxes(Vt, 1, 2)
    # Of matrices that are orthogonal to round-off: 1 or -1, which no rounding error can mistake.
    sign = np.sign(np.linalg.det(U) * np.linalg.det(V)) * side
    with np.errstate(all="ignore"):
        rest, linear = _last(between(np.swapaxes(U, 1, 2), K, V), sizes[:, :-1], symmetric=False)
    linear[:-1] *= np.sign(sign)
    linear[-1] = np.where(good, linear[-1] + rest, np.inf)
    return linear


def above_forms(K: Array, least: float) -> tuple[Array, Array]:
    """(d + 2, B) lower and upper forms that are positive where all singular values of K are above `least`.

    Args:
        K: (d + 2, m, n, B) forms, m >= n.
        least: Not below 0.
    """
    centre = np.moveaxis(K[0], -1, 0)
    good = np.asarray(np.isfinite(K).all(axis=(0, 1, 2)))
    usual = np.eye(*centre.shape[1:])
    _, sizes, Vt = np.linalg.svd(np.where(good[:, None, None], centre, usual), full_matrices=False)
    count = len(Vt)
    whole = np.broadcast_to(np.eye(centre.shape[1]), (count, centre.shape[1], centre.shape[1]))
    n, square = K.shape[2], least * least
    # V^T V is 1 to round-off only.
    slip = np.abs(Vt @ np.swapaxes(Vt, 1, 2) - np.eye(n)) + (n + 4) * 2.0**-52
    with np.errstate(all="ignore"):
        G = gram(between(whole, K, np.swapaxes(Vt, 1, 2)))
        G[0, range(n), range(n)] -= square
        G[-1] += 2.0 * square * np.moveaxis(slip, 0, -1)
        rest, linear = _last(G, sizes[:, :-1] ** 2 - square, symmetric=True)
    lower, upper = linear.copy(), linear
    lower[-1] = np.where(good, lower[-1] + rest, np.inf)
    upper[-1] = np.where(good, upper[-1], np.inf)
    return lower, upper


def _last(A: Array, sizes: Array, symmetric: bool) -> tuple[Array, Array]:
    """(B,) not below |b A'^-1 c|, infinite where A' is not known to be positive, and (d + 2, B) the form a.

    Args:
        A: (d + 2, n, n, B) forms.
        sizes: (B, n - 1) about what is on the diagonal of A'.
        symmetric: Whether A is, which A' then must be positive definite for.
    """
    linear = A[:, -1, -1].copy()
    if A.shape[1] == 1:
        return np.zeros(A.shape[-1]), linear
    good = np.asarray((sizes > 0.0).all(axis=1))
    scale = 1.0 / np.where(good[:, None], sizes, 1.0)
    centre, slopes, rest, size = split(A)
    reach = (np.abs(slopes).sum(axis=1) + rest) * (1.0 + 2.0**-48)
    above, beside = (np.abs(centre) + reach)[:, :-1, -1], (np.abs(centre) + reach)[:, -1, :-1]
    kept = slice(None, -1)
    # A symmetric matrix is scaled on both sides, which keeps it so: its norm is then that of its largest eigenvalue.
    left = np.sqrt(scale) if symmetric else scale
    right = np.sqrt(scale) if symmetric else np.ones_like(scale)
    off = np.abs(left[:, :, None] * centre[:, kept, kept] * right[:, None] - np.eye(A.shape[1] - 1))
    off += left[:, :, None] * (reach[:, kept, kept] + 2.0**-50 * size[:, kept, kept]) * right[:, None] + 2.0**-52
    w, share = weighted(off * (1.0 + 2.0**-48))
    sure = good & (share[:, 0, 0] < 1.0)
    y = w[..., 0] * (left * above / w[..., 0]).max(axis=1, keepdims=True) / (1.0 - share[..., 0])
    found = (right * beside * y).sum(axis=1) * (1.0 + 2.0**-44)
    return np.where(sure, found, np.inf), linear
