"""Linear systems: `factor` once, then `solve` and `solve_transposed` with it; tall ones by orthogonal factors.

Recorded, each is one compound node, differentiated implicitly and expanded only when a program is made. The elimination
itself (`lu`, `ldl` and their substitutions) is written once and runs on floats as well: partial pivoting by compare and
select, so that it has no branches.

Tall matrices have orthogonal factors by Householder's reflections, A = Q R without branches. The reflections are kept,
not Q: applying them is stable to round-off however A is conditioned. All of it is made of recorded operations, and
differentiated through.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import ieee, ops
from gough.graph.expr import Expr, number_index, tape_of
from gough.graph.functions import absolute, array, dot, greater, sqrt, where
from gough.graph.scalars import Scalar, Vector
from gough.graph.tape import Tape


@dataclass(frozen=True, slots=True)
class Factor:
    """A factorised square matrix: recorded (`tape`, `index`) or of plain floats (`matrix`, `parts`)."""

    size: int
    spd: bool
    tape: Tape | None = None
    index: int = -1
    matrix: Vector = None
    parts: LU | LDL | None = None


def factor(A: Vector, *, spd: bool = False) -> Factor:
    """Factorised (n, n) matrix for `solve` and `solve_transposed`.

    Args:
        A: Square matrix. With `spd` it must be symmetric and positive definite; only its lower triangle is read.
        spd: L D L^T without pivoting: half the work.
    """
    A = array(A)
    if A.ndim != 2 or A.shape[0] != A.shape[1] or A.shape[0] == 0:
        raise ValueError(f"factor needs a square matrix, not one of shape {A.shape}")
    n = A.shape[0]
    tape = tape_of(A)
    if tape is None:
        rows = A.tolist()
        return Factor(n, spd, matrix=rows, parts=ldl(rows) if spd else lu(rows))
    return _recorded(tape, A.tolist(), spd)


def _recorded(tape: Tape, A: list[list[Scalar]], spd: bool) -> Factor:
    n = len(A)
    entries = [A[i][j] for i in range(n) for j in range(i + 1 if spd else n)]
    args = tuple([number_index(tape, v) for v in entries])
    return Factor(n, spd, tape, tape.bundle(ops.FACTOR_SPD if spd else ops.FACTOR, n, args))


def solve(A: Vector, b: Vector) -> Vector:
    """x with A x = b, for b of shape (n,) or (n, m); A is a matrix or a `Factor`."""
    return _solve(A, b, ops.SOLVE)


def solve_transposed(A: Vector, b: Vector) -> Vector:
    """x with A^T x = b, for b of shape (n,) or (n, m); A is a matrix or a `Factor`."""
    return _solve(A, b, ops.SOLVE_T)


def _solve(A: Vector, b: Vector, op: int) -> Vector:
    f = A if isinstance(A, Factor) else factor(A)
    b = array(b)
    if b.ndim not in (1, 2) or b.shape[0] != f.size:
        raise ValueError(f"solve of a {f.size} x {f.size} system needs b with {f.size} rows, not shape {b.shape}")
    if b.ndim == 2:
        return np.stack([_solve(f, column, op) for column in b.T], axis=1)
    tape = f.tape or tape_of(b)
    if tape is None and f.parts is not None:
        return np.array(substitute(f.parts, b.tolist(), op == ops.SOLVE_T))
    assert tape is not None
    if f.tape is None:
        f = _recorded(tape, f.matrix, f.spd)
    args = (f.index, *[number_index(tape, v) for v in b])
    return array([Expr(tape, i) for i in tape.items(tape.bundle(op, 0, args), f.size)])


def substitute(parts: LU | LDL, b: list[Scalar], transposed: bool) -> list[Scalar]:
    """Solution for one right-hand side from the parts of a factorisation."""
    if isinstance(parts, LDL):
        return ldl_solve(parts, b)
    return lu_solve_transposed(parts, b) if transposed else lu_solve(parts, b)


@dataclass(frozen=True, slots=True)
class LU:
    """`U` upper triangle by rows, reciprocals of its diagonal, multipliers, and whether rows k, i were swapped."""

    U: list[list[Scalar]]
    pivot_recips: list[Scalar]
    multipliers: dict[tuple[int, int], Scalar]
    swaps: dict[tuple[int, int], Scalar]


def lu(A: list[list[Scalar]]) -> LU:
    """Elimination with partial pivoting: row k meets each later row and keeps the larger pivot."""
    n = len(A)
    rows = [list(row) for row in A]
    recips: list[Scalar] = []
    multipliers: dict[tuple[int, int], Scalar] = {}
    swaps: dict[tuple[int, int], Scalar] = {}
    for k in range(n):
        for i in range(k + 1, n):
            swap = swaps[k, i] = greater(absolute(rows[i][k]), absolute(rows[k][k]))
            for j in range(k, n):
                a, b = rows[k][j], rows[i][j]
                rows[k][j], rows[i][j] = where(swap, b, a), where(swap, a, b)
        recips.append(_recip(rows[k][k]))
        for i in range(k + 1, n):
            m = multipliers[i, k] = rows[i][k] * recips[k]
            for j in range(k + 1, n):
                rows[i][j] = rows[i][j] - m * rows[k][j]
    return LU(rows, recips, multipliers, swaps)


def _recip(x: Scalar) -> Scalar:
    return 1.0 / x if type(x) is Expr else ieee.recip(x)


def lu_solve(f: LU, b: list[Scalar]) -> list[Scalar]:
    """x with A x = b."""
    n = len(b)
    x = list(b)
    for k in range(n):
        for i in range(k + 1, n):
            x[k], x[i] = where(f.swaps[k, i], x[i], x[k]), where(f.swaps[k, i], x[k], x[i])
        for i in range(k + 1, n):
            x[i] = x[i] - f.multipliers[i, k] * x[k]
    for k in reversed(range(n)):
        for j in range(k + 1, n):
            x[k] = x[k] - f.U[k][j] * x[j]
        x[k] = x[k] * f.pivot_recips[k]
    return x


def lu_solve_transposed(f: LU, b: list[Scalar]) -> list[Scalar]:
    """x with A^T x = b: the steps of `lu_solve`, transposed, in reverse."""
    n = len(b)
    x = list(b)
    for k in range(n):
        for j in range(k):
            x[k] = x[k] - f.U[j][k] * x[j]
        x[k] = x[k] * f.pivot_recips[k]
    for k in reversed(range(n)):
        for i in range(k + 1, n):
            x[k] = x[k] - f.multipliers[i, k] * x[i]
        for i in reversed(range(k + 1, n)):
            x[k], x[i] = where(f.swaps[k, i], x[i], x[k]), where(f.swaps[k, i], x[k], x[i])
    return x


@dataclass(frozen=True, slots=True)
class LDL:
    """Unit lower triangle and the reciprocals of the diagonal."""

    L: dict[tuple[int, int], Scalar]
    diagonal_recips: list[Scalar]


def ldl(A: list[list[Scalar]]) -> LDL:
    """L D L^T of a symmetric positive definite matrix given by its lower triangle."""
    n = len(A)
    L: dict[tuple[int, int], Scalar] = {}
    LD: dict[tuple[int, int], Scalar] = {}
    recips: list[Scalar] = []
    for j in range(n):
        for i in range(j, n):
            value = A[i][j]
            for k in range(j):
                value = value - L[i, k] * LD[j, k]
            LD[i, j] = value
        recips.append(_recip(LD[j, j]))
        for i in range(j + 1, n):
            L[i, j] = LD[i, j] * recips[j]
    return LDL(L, recips)


def ldl_solve(f: LDL, b: list[Scalar]) -> list[Scalar]:
    """x with A x = b."""
    n = len(b)
    x = list(b)
    for i in range(n):
        for k in range(i):
            x[i] = x[i] - f.L[i, k] * x[k]
    for i in reversed(range(n)):
        x[i] = x[i] * f.diagonal_recips[i]
        for k in range(i + 1, n):
            x[i] = x[i] - f.L[k, i] * x[k]
    return x


@dataclass(frozen=True, slots=True)
class Orthogonal:
    """A = Q [R; 0] of an (m, n) matrix, m >= n.

    Attributes:
        mirrors: For each column k the normal (m - k,) of its reflection, and 2 over its square.
        R: (n, n) rows of the upper triangle.
    """

    mirrors: tuple[tuple[Any, Any], ...]
    R: Vector

    def turned(self, b: Vector) -> Vector:
        """(m,) Q b."""
        b = array(b).copy()
        for k in reversed(range(len(self.mirrors))):
            b = self._mirrored(k, b)
        return b

    def turned_back(self, b: Vector) -> Vector:
        """(m,) Q^T b."""
        b = array(b).copy()
        for k in range(len(self.mirrors)):
            b = self._mirrored(k, b)
        return b

    def _mirrored(self, k: int, b: Vector) -> Vector:
        v, twice = self.mirrors[k]
        share = dot(v, b[k:]) * twice
        return np.concatenate([b[:k], b[k:] - v * share])

    def upper_solved(self, b: Vector) -> Vector:
        """(n,) x with R x = b."""
        x: list[Any] = list(b)
        for k in reversed(range(len(x))):
            for j in range(k + 1, len(x)):
                x[k] = x[k] - self.R[k][j] * x[j]
            x[k] = x[k] / self.R[k][k]
        return array(x)

    def lower_solved(self, b: Vector) -> Vector:
        """(n,) y with R^T y = b."""
        y: list[Any] = list(b)
        for k in range(len(y)):
            for j in range(k):
                y[k] = y[k] - self.R[j][k] * y[j]
            y[k] = y[k] / self.R[k][k]
        return array(y)

    def least_squares(self, b: Vector) -> Vector:
        """(n,) x for which |A x - b| is least, b (m,)."""
        return self.upper_solved(self.turned_back(b)[: len(self.mirrors)])

    def least_norm(self, b: Vector, size: int) -> Vector:
        """(m,) the smallest x with A^T x = b, b (n,); `size` is m."""
        y = self.lower_solved(b)
        return self.turned(np.concatenate([y, np.zeros(size - len(y))]))

    def null_space(self, size: int) -> Vector:
        """(m, m - n) orthonormal columns: a basis of all x with A^T x = 0; `size` is m."""
        n = len(self.mirrors)
        return np.stack([self.turned(np.eye(size)[k]) for k in range(n, size)], axis=1)


def orthogonal(A: Vector) -> Orthogonal:
    """The orthogonal factors of an (m, n) matrix, m >= n, of floats or recorded; NaN where a column vanishes."""
    A = array(A).copy()
    m, n = A.shape
    if m < n:
        raise ValueError(f"orthogonal needs at least as many rows as columns, not shape {A.shape}")
    mirrors = []
    R = np.zeros((n, n), dtype=A.dtype)
    for k in range(n):
        x = A[k:, k]
        size = sqrt(dot(x, x))
        side = where(x[0] < 0.0, -1.0, 1.0)
        v = x.copy()
        v[0] = x[0] + side * size
        twice = 1.0 / (size * (size + absolute(x[0])))
        R[k, k] = -side * size
        for j in range(k + 1, n):
            share = dot(v, A[k:, j]) * twice
            A[k:, j] = A[k:, j] - v * share
            R[k, j] = A[k, j]
        mirrors.append((v, twice))
    return Orthogonal(tuple(mirrors), R)


def least_squares(A: Vector, b: Vector) -> Vector:
    """(n,) x with A x = b where A is square, for which |A x - b| is least where it has more rows than columns."""
    m, n = np.shape(A)
    return solve(factor(A), b) if m == n else orthogonal(A).least_squares(b)
