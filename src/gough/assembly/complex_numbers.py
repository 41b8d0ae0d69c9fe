"""Complex numbers as pairs of reals, which may be recorded, and elimination with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array, Scalar, absolute, greater, sqrt, where


class Complex:
    """re + i im."""

    __slots__ = ("im", "re")

    def __init__(self, re: Scalar, im: Scalar = 0.0) -> None:
        self.re, self.im = re, im

    def __add__(self, other: Complex) -> Complex:
        """Sum."""
        return Complex(self.re + other.re, self.im + other.im)

    def __sub__(self, other: Complex) -> Complex:
        """Difference."""
        return Complex(self.re - other.re, self.im - other.im)

    def __neg__(self) -> Complex:
        """The negative."""
        return Complex(-self.re, -self.im)

    def __mul__(self, other: Complex) -> Complex:
        """Product."""
        return Complex(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)

    def times(self, factor: Scalar) -> Complex:
        """Product with a real number."""
        return Complex(self.re * factor, self.im * factor)

    def squared(self) -> Complex:
        """Product with itself."""
        cross = self.re * self.im
        return Complex(self.re * self.re - self.im * self.im, cross + cross)

    def size2(self) -> Scalar:
        """Square of the absolute value."""
        return self.re * self.re + self.im * self.im

    def reciprocal(self) -> Complex:
        """1 / self."""
        scale = 1.0 / self.size2()
        return Complex(self.re * scale, -(self.im * scale))

    def root(self) -> Complex:
        """The square root whose real part is not below zero."""
        large = sqrt(0.5 * (absolute(self.re) + sqrt(self.size2())))
        small = 0.5 * self.im / where(large > 0.0, large, 1.0)
        right = self.re >= 0.0
        turned = where(self.im < 0.0, -large, large)
        return Complex(where(right, large, absolute(small)), where(right, small, turned))


Complexes = list[Complex]

ZERO = Complex(0.0, 0.0)
ONE = Complex(1.0, 0.0)


def paired(values: Sequence[Scalar]) -> Complexes:
    """Complex numbers of their parts, one after the other: re, im, re, im and so on."""
    return [Complex(values[k], values[k + 1]) for k in range(0, len(values), 2)]


def parts(values: Sequence[Complex]) -> list[Scalar]:
    """Real and imaginary parts, one after the other."""
    return [part for value in values for part in (value.re, value.im)]


def as_parts(values: NDArray[np.inexact]) -> Array:
    """(.., 2 n) parts of complex numbers (.., n) in an array."""
    return np.ascontiguousarray(values, dtype=complex).view(float)


def conjugate(values: Sequence[Complex]) -> Complexes:
    """The conjugates."""
    return [Complex(value.re, -value.im) for value in values]


def total(values: Sequence[Complex]) -> Complex:
    """Sum of at least one."""
    found = values[0]
    for value in values[1:]:
        found = found + value
    return found


def product(a: Sequence[Complex], b: Sequence[Complex]) -> Complex:
    """Sum of the products, without conjugation."""
    return total([x * y for x, y in zip(a, b, strict=True)])


def scaled_sum(factors: Sequence[Scalar], values: Sequence[Complex]) -> Complex:
    """Sum of products with real factors."""
    return total([value.times(factor) for factor, value in zip(factors, values, strict=True)])


def size2(values: Sequence[Complex]) -> Scalar:
    """Sum of the squares of the absolute values."""
    found = values[0].size2()
    for value in values[1:]:
        found = found + value.size2()
    return found


def chosen(condition: Scalar, yes: Sequence[Complex], no: Sequence[Complex]) -> Complexes:
    """The one or the other, number by number."""
    return [Complex(where(condition, a.re, b.re), where(condition, a.im, b.im)) for a, b in zip(yes, no, strict=True)]


@dataclass(frozen=True, slots=True)
class Factored:
    """L U of a square matrix with partial pivoting: row k meets each later row and keeps the larger pivot."""

    rows: list[Complexes]
    reciprocals: Complexes
    multipliers: dict[tuple[int, int], Complex]
    swaps: dict[tuple[int, int], Scalar]

    def solve(self, b: Complexes) -> Complexes:
        """x with A x = b."""
        x, n = list(b), len(b)
        for k in range(n):
            for i in range(k + 1, n):
                swap = self.swaps[k, i]
                x[k], x[i] = chosen(swap, [x[i], x[k]], [x[k], x[i]])
            for i in range(k + 1, n):
                x[i] = x[i] - self.multipliers[i, k] * x[k]
        for k in reversed(range(n)):
            for j in range(k + 1, n):
                x[k] = x[k] - self.rows[k][j] * x[j]
            x[k] = x[k] * self.reciprocals[k]
        return x


def factored(A: Sequence[Complexes]) -> Factored:
    """The factorisation of a square matrix."""
    rows, n = [list(row) for row in A], len(A)
    reciprocals: Complexes = []
    multipliers: dict[tuple[int, int], Complex] = {}
    swaps: dict[tuple[int, int], Any] = {}
    for k in range(n):
        for i in range(k + 1, n):
            swap = swaps[k, i] = greater(_size(rows[i][k]), _size(rows[k][k]))
            rows[k][k:], rows[i][k:] = (
                chosen(swap, rows[i][k:], rows[k][k:]),
                chosen(swap, rows[k][k:], rows[i][k:]),
            )
        reciprocals.append(rows[k][k].reciprocal())
        for i in range(k + 1, n):
            m = multipliers[i, k] = rows[i][k] * reciprocals[k]
            rows[i][k + 1 :] = [a - m * b for a, b in zip(rows[i][k + 1 :], rows[k][k + 1 :], strict=True)]
    return Factored(rows, reciprocals, multipliers, swaps)


def _size(value: Complex) -> Scalar:
    return absolute(value.re) + absolute(value.im)
