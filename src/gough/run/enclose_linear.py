"""Linear systems of Taylor forms.

With Y the inverse of the matrix in the middle of the box, Y A = I + E. Then A z = b is (I + E) z = Y b =: beta, and
z = beta - E beta + E^2 beta - E^3 z. With the norm e of E below 1, E z is at most |E| |beta| / (1 - e), so that E^3 z,
which is cubic in the size of the box, is bounded by row sums of |E| times that. The transposed system A^T z = b has
z = Y^T u with (I + E^T) u = b. Y need not be exact: its error is part of E.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.run.taylor_forms import EPS, Array, Form, add, constant, multiply, negative, rounded

LARGEST = 0.9
"""Norm of E above which nothing is said: the matrix may be singular."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """A matrix made ready: Y (B, n, n) and the forms of E by rows."""

    Y: Array
    E: list[list[Form]]


def precondition(entries: list[Form], n: int, spd: bool) -> Matrix:
    """From the entries of a matrix by rows, or of the lower triangle of a symmetric one."""
    if spd:
        entries = [entries[max(i, j) * (max(i, j) + 1) // 2 + min(i, j)] for i in range(n) for j in range(n)]
    middle = np.stack([form.centre for form in entries], axis=1).reshape(-1, n, n)
    safe = np.flatnonzero(np.isfinite(middle).all(axis=(1, 2)))
    safe = safe[np.linalg.matrix_rank(middle[safe]) == n]
    Y = np.full(middle.shape, np.nan)
    Y[safe] = np.linalg.inv(middle[safe])
    minus_one = constant(-1.0, entries[0])
    E = []
    for i in range(n):
        row = [_weighted(Y[:, i], [entries[n * k + j] for k in range(n)]) for j in range(n)]
        row[i] = add(row[i], minus_one)
        E.append(row)
    return Matrix(Y, E)


def solved(matrix: Matrix, b: list[Form], transposed: bool) -> list[Form]:
    """z with A z = b, or A^T z = b; unbounded where the matrix may be singular."""
    n = len(b)
    if transposed:
        u = _series([[matrix.E[j][i] for j in range(n)] for i in range(n)], b)
        return [_weighted(matrix.Y[:, :, i], u) for i in range(n)]
    return _series(matrix.E, [_weighted(matrix.Y[:, i], b) for i in range(n)])


def _series(E: list[list[Form]], beta: list[Form]) -> list[Form]:
    """beta - E beta + E^2 beta with the bound of E^3 z in the rests."""
    size = np.array([[form.size for form in row] for row in E])
    row = size.sum(axis=1) * (1.0 + EPS)
    e = row.max(axis=0)
    e = np.where(e < LARGEST, e, np.nan)
    reach = np.einsum("ijb,jb->ib", size, np.array([form.size for form in beta])).max(axis=0) / (1.0 - e)
    left = row * e * reach * (1.0 + 8.0 * EPS)
    once = _applied(E, beta)
    twice = _applied(E, once)
    z = [add(add(b, negative(first)), second) for b, first, second in zip(beta, once, twice, strict=True)]
    for form, more in zip(z, left, strict=True):
        form.rows[-1] += more * (1.0 + EPS)
    return z


def _applied(E: list[list[Form]], beta: list[Form]) -> list[Form]:
    """Forms of E beta."""
    found = []
    for row in E:
        products = [multiply(entry, b).rows for entry, b in zip(row, beta, strict=True)]
        found.append(rounded(np.sum(products, axis=0), beta[0].d))
    return found


def _weighted(weights: Array, forms: list[Form]) -> Form:
    """Sum of forms, each times exact numbers: weights (B, n)."""
    rows = weights[:, 0] * forms[0].rows
    size = np.abs(weights[:, 0]) * forms[0].size
    rest = np.abs(weights[:, 0]) * forms[0].rest
    for k, form in enumerate(forms[1:], start=1):
        rows += weights[:, k] * form.rows
        rest += np.abs(weights[:, k]) * form.rest
        size += np.abs(weights[:, k]) * form.size
    rows[-1] = rest + EPS * size
    return Form(rows, forms[0].d)
