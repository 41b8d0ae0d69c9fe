"""Whether points of a projective space that are known to within radii are different ones."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gough.assembly.complex_numbers import Complexes, as_parts, conjugate, paired, product, size2
from gough.graph import Array, Scalar, Vector, array, isfinite, record, sqrt, where
from gough.run import Program

Element = TypeVar("Element", bound=np.generic)
NEARLY = 1e-4
"""Square of the sine of an angle between points that are far apart."""
_WIDEST = 0.5 * np.sqrt(NEARLY)
"""Sum of radii above which nothing is said."""


def by_set(values: NDArray[Element], shape: tuple[int, int]) -> NDArray[Element]:
    """(N, n, ..) what stands one after the other (N n, ..), of N sets of n: `shape`."""
    return values.reshape(*shape, *values.shape[1:])


@cache
def below(n: int) -> NDArray[np.bool_]:
    """(n, n) what is below the diagonal."""
    return np.tri(n, k=-1, dtype=bool)


def apart(
    x: NDArray[np.inexact], others: NDArray[np.inexact], radius: Array | float, radii: Array | float
) -> NDArray[np.bool_]:
    """(N,) whether what is within `radius` of x is surely none of what is within `radii` (N,) of others (N, k).

    All have length one; radii are tangents of angles. x is (k,) or (N, k), its radius one or (N,).
    """
    along = (others * np.conj(x)).sum(axis=-1)
    away = np.linalg.norm(others - along[:, None] * x, axis=-1)
    return np.asarray(away > _bound(radius + radii))


def gaps(x: NDArray[np.inexact], radius: Array) -> Array:
    """(2, N, n, n) by how much points x (N, n, k) are too far apart to be the same: not above zero, they may be.

    First from each other, then from each other's conjugates. All have length one; radii (N, n) are tangents of angles.
    Infinite where they are far apart; minus that where too little is known of them.

    Points that are nearly the same, or conjugates, have nearly the same squares |x_i|^2: if |x.y| is the cosine of an
    angle t, these differ by 2 sin t at most in their sum. Only pairs for which that holds are looked at closely.
    """
    flat = as_parts(x)
    squares = x.real**2 + x.imag**2
    products = squares @ squares.swapaxes(1, 2)
    lengths = products.diagonal(axis1=1, axis2=2)
    away = lengths[:, :, None] + lengths[:, None, :] - 2.0 * products
    at, i, j = np.nonzero(~(away > 8.0 * NEARLY) & ~below(x.shape[1]).T)
    near = _pairs(flat.shape[2])(x=flat[at, i], y=flat[at, j], radii=radius[at, i] + radius[at, j])
    found = np.full((2, *away.shape), np.inf)
    found[:, at, i, j] = found[:, at, j, i] = near.T
    if 2.0 * radius.max(initial=0.0) > _WIDEST:
        found[:, radius[:, :, None] + radius[:, None, :] > _WIDEST] = -np.inf
    return found


@cache
def _pairs(size: int) -> Program:
    """Parts x, y (2 k,) of two points, the sum of their radii -> their gaps."""

    def equations(x: Vector, y: Vector, radii: Scalar) -> dict[str, Vector]:
        one, other = paired(x), paired(y)
        both = (across(one, point) - _bound(radii) for point in (other, conjugate(other)))
        return {"out": array([where(isfinite(gap), gap, -np.inf) for gap in both])}

    return Program(record(equations, x=size, y=size, radii=()))


def across(x: Complexes, other: Complexes) -> Scalar:
    """Distance of a point of length one from the line of another: recorded."""
    along = product(conjugate(x), other)
    return sqrt(size2([v - along * u for u, v in zip(x, other, strict=True)]))


def _bound(radii: Any) -> Any:
    """How far apart points may be that are the same one, known to within radii whose sum is this."""
    return radii * (1.0 + 1e-8) + 1e-14
