"""Orientations as quaternions, scalar first, N at a time."""

from __future__ import annotations

import numpy as np

from gough.graph import Array


def matrices(q: Array) -> Array:
    """(N, 3, 3) rotations of quaternions (N, 4) of any length but zero."""
    a, b, c, d = (q / np.linalg.norm(q, axis=1, keepdims=True)).T
    rows = [
        [1.0 - 2.0 * (c * c + d * d), 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)],
        [2.0 * (b * c + a * d), 1.0 - 2.0 * (b * b + d * d), 2.0 * (c * d - a * b)],
        [2.0 * (b * d - a * c), 2.0 * (c * d + a * b), 1.0 - 2.0 * (b * b + c * c)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def of_matrices(R: Array) -> Array:
    """(N, 4) unit quaternions of rotations (N, 3, 3), without jumps from row to row; the first with scalar >= 0."""
    t, out = np.einsum("nii->n", R), np.zeros((len(R), 4))
    sizes = np.stack([t, R[:, 0, 0], R[:, 1, 1], R[:, 2, 2]], axis=1)
    largest = np.argmax(sizes, axis=1)
    for row, k in enumerate(largest.tolist()):  # on the largest of four pivots nothing cancels
        M = R[row]
        if k == 0:
            out[row] = [1.0 + t[row], M[2, 1] - M[1, 2], M[0, 2] - M[2, 0], M[1, 0] - M[0, 1]]
            continue
        i, j, m = k - 1, k % 3, (k + 1) % 3
        out[row, 0] = M[m, j] - M[j, m]
        out[row, 1 + i] = 1.0 + 2.0 * M[i, i] - t[row]
        out[row, 1 + j], out[row, 1 + m] = M[j, i] + M[i, j], M[m, i] + M[i, m]
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    first = -1.0 if out[0, 0] < 0.0 else 1.0
    turns = np.where(np.einsum("nk,nk->n", out[1:], out[:-1]) < 0.0, -1.0, 1.0)
    return out * (first * np.concatenate([[1.0], np.cumprod(turns)]))[:, None]


def product(p: Array, q: Array) -> Array:
    """(N, 4) products p q."""
    a, u, b, v = p[:, :1], p[:, 1:], q[:, :1], q[:, 1:]
    scalar = a * b - np.einsum("nk,nk->n", u, v)[:, None]
    return np.hstack([scalar, a * v + b * u + np.cross(u, v)])


def velocity(q: Array, qd: Array) -> Array:
    """(N, 3) angular velocity in base axes: twice the vector part of qd / q; a change of length has no part in it."""
    return 2.0 * product(qd, _inverse(q))[:, 1:]


def acceleration(q: Array, qd: Array, qdd: Array) -> Array:
    """(N, 3) its rate: twice the vector part of qdd / q - (qd / q)^2."""
    rate = product(qd, _inverse(q))
    return 2.0 * (product(qdd, _inverse(q)) - product(rate, rate))[:, 1:]


def rates(q: Array, w: Array) -> Array:
    """(N, 4) rates of quaternions that turn with w (N, 3), base axes: half of w q."""
    return 0.5 * product(np.hstack([np.zeros((len(w), 1)), w]), q)


def _inverse(q: Array) -> Array:
    return q * np.array([1.0, -1.0, -1.0, -1.0]) / np.einsum("nk,nk->n", q, q)[:, None]
