"""Exact maxima over velocities at a fixed pose: a quadratic, indefinite form plus a linear one.

In units of the envelope the velocities are the cube |v_i| <= 1 or the ball |v| <= 1.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array

ROUNDS = 80


def bound(Q: Array, L: Array) -> Array:
    """(B,) not below the maximum over the cube, nor over the ball in it; Q (B, n, n), L (B, n)."""
    return np.maximum(_diagonal(Q), 0.0).sum(axis=1) + _off_diagonal(Q) + np.abs(L).sum(axis=1)


def corner_maximum(Q: Array, L: Array) -> tuple[Array, Array]:
    """Largest v.Q v + L.v over the corners of the cube (B,), and where (B, n): not above the maximum, and quick."""
    n = Q.shape[1]
    corners = np.array(list(product((-1.0, 1.0), repeat=n))) if n else np.zeros((1, 0))
    values = ((corners @ Q) * corners).sum(axis=2) + L @ corners.T
    return values.max(axis=1), corners[values.argmax(axis=1)]


def box_maximum(Q: Array, L: Array) -> tuple[Array, Array]:
    """Largest v.Q v + L.v over the cube (B,), and where (B, n).

    A maximum is at a corner or inside a face, where the form restricted to the face is concave: all faces whose free
    directions bend downwards are tried.
    """
    n = Q.shape[1]
    best, at = corner_maximum(Q, L)
    bends = _diagonal(Q) < 0.0
    for free in product((False, True), repeat=n):
        some = np.array(free, dtype=bool)
        rows = np.flatnonzero(bends[:, some].all(axis=1)) if some.any() else np.empty(0, dtype=int)
        if len(rows):
            _try_faces(Q, L, some, rows, best, at)
    return best, at


def _try_faces(Q: Array, L: Array, free: NDArray[np.bool_], rows: NDArray[np.intp], best: Array, at: Array) -> None:
    """Stationary points inside the faces with these free directions, for the rows of the batch that need them."""
    inner = Q[np.ix_(rows, free, free)]
    bends = np.linalg.eigvalsh(inner)
    steep = bends[:, -1] < -1e-13 * np.abs(bends[:, 0])
    rows, inner = rows[steep], inner[steep]
    if not len(rows):
        return
    others = np.array(list(product((-1.0, 1.0), repeat=int((~free).sum()))))
    mixed = Q[np.ix_(rows, free, ~free)]
    right = L[np.ix_(rows, free)][:, :, None] + 2.0 * mixed @ others.T
    v = np.linalg.solve(-2.0 * inner, right)
    inside = (np.abs(v) < 1.0).all(axis=1)
    points = np.empty((len(rows), others.shape[0], Q.shape[1]))
    points[:, :, free] = np.swapaxes(v, 1, 2)
    points[:, :, ~free] = others
    values = ((points @ Q[rows]) * points).sum(axis=2)
    values = np.where(inside, values + np.einsum("bci,bi->bc", points, L[rows]), -np.inf)
    top = values.argmax(axis=1)
    value = values[np.arange(len(rows)), top]
    better = value > best[rows]
    best[rows[better]] = value[better]
    at[rows[better]] = points[np.arange(len(rows)), top][better]


def ball_maximum(Q: Array, L: Array) -> tuple[Array, Array]:
    """Largest v.Q v + L.v over the ball (B,), and where (B, n)."""
    values, axes, l, mu, tiny = _dual(Q, L)
    v = 0.5 * l / (mu[:, None] - values)
    size = np.sqrt(np.maximum(1.0 - (v**2).sum(axis=1), 0.0))
    hard = (mu <= np.maximum(values[:, -1], 0.0) + 4.0 * tiny) & (values[:, -1] > 0.0)
    v[:, -1] = np.where(hard, np.sign(v[:, -1] + 1e-300) * np.sqrt(v[:, -1] ** 2 + size**2), v[:, -1])
    at = np.einsum("bij,bj->bi", axes, v)
    at /= np.maximum(np.linalg.norm(at, axis=1), 1.0)[:, None]
    return np.einsum("bi,bij,bj->b", at, Q, at) + np.einsum("bi,bi->b", L, at), at


def ball_bound(Q: Array, L: Array) -> Array:
    """(B,) the same largest value from the dual side: not below it but for round-off."""
    values, _, l, mu, _ = _dual(Q, L)
    return mu + 0.25 * (l**2 / (mu[:, None] - values)).sum(axis=1)


def _dual(Q: Array, L: Array) -> tuple[Array, Array, Array, Array, Array]:
    """Eigenvalues lambda, their axes, L in these axes l, the multiplier mu and what is small beside it.

    The trust-region problem: strong duality makes it the minimum of mu + sum of l_i^2 / (4 (mu - lambda_i)) over
    mu >= max(lambda, 0); its slope is increasing and is bisected.
    """
    values, axes = np.linalg.eigh(Q)
    l = np.einsum("bij,bi->bj", axes, L)
    low = np.maximum(values[:, -1], 0.0)
    tiny = 1e-15 * (np.abs(values).max(axis=1) + np.abs(l).max(axis=1)) + 1e-300
    a, b = low + tiny, low + tiny + 0.5 * np.linalg.norm(l, axis=1) + tiny
    for _ in range(ROUNDS):
        mu = 0.5 * (a + b)
        rising = 1.0 - 0.25 * (l**2 / (mu[:, None] - values) ** 2).sum(axis=1) >= 0.0
        a, b = np.where(rising, a, mu), np.where(rising, mu, b)
    return values, axes, l, b, tiny


def linear_maximum(A: Array, ball: bool) -> tuple[Array, Array]:
    """Largest A.a over the cube or the ball (B,), and where (B, n); A (B, n)."""
    if not ball:
        return np.abs(A).sum(axis=1), np.sign(A)
    size = np.linalg.norm(A, axis=1)
    return size, A / np.maximum(size, 1e-300)[:, None]


def _diagonal(Q: Array) -> Array:
    return np.diagonal(Q, axis1=1, axis2=2)


def _off_diagonal(Q: Array) -> Array:
    return np.abs(Q).sum(axis=(1, 2)) - np.abs(_diagonal(Q)).sum(axis=1)
