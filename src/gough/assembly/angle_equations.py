"""Two angles from two equations, or three from three, each linear in the cosine and sine of either of two angles.

An equation is f T g = 0 with f = (cos s, sin s, 1), g = (cos t, sin t, 1) and a matrix T (3, 3), real or complex. Two
of them are linear in cos t and sin t; that these belong to an angle leaves a polynomial in exp(i s), whose coefficients
come from its values on the unit circle. With three angles and an equation for each pair the resultant is such a
polynomial, of degree 16.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_POINTS = 32
"""Values on the unit circle that coefficients are made from."""


def two_angles(T: NDArray[np.inexact], degree: int) -> NDArray[np.complex128]:
    """(N, 2 degree, 4) cosine and sine of both angles, complex, for T (N, 2, 3, 3).

    Args:
        T: The two equations of each sample.
        degree: Of the polynomial in cosine and sine of the first angle.
    """
    w = np.exp(2j * np.pi * np.arange(_POINTS) / _POINTS)
    roots = _roots(eliminant(T, w), degree)
    A = _lines(T[:, None], roots)
    c, s = _solved(A)
    return np.stack([*_cosine_sine(roots), c, s], axis=-1)


def eliminant(T: NDArray[np.inexact], w: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """(N, M) values, at the first angle's w = exp(i s) (M,), of what is zero where T (N, 2, 3, 3) have a solution."""
    return _determinant(_lines(T[:, None], w))


def three_angles(
    T12: NDArray[np.inexact], T13: NDArray[np.inexact], T23: NDArray[np.inexact], every: bool = False
) -> NDArray[np.complex128]:
    """(N, 16, 6) cosine and sine of three angles, complex, for equations (N, 3, 3) of each pair.

    With `every` (N, 64, 6): with each first angle all choices of the others, solutions or not, for symmetric machines,
    where solutions share a first angle.
    """
    w = np.exp(2j * np.pi * np.arange(_POINTS) / _POINTS)
    first = _quadratic(_line(T12[:, None], w))
    second = _quadratic(_line(T13[:, None], w))
    roots = _roots(_resultant(first, second, T23), 8)
    second_choices = _both_roots(_quadratic(_line(T12[:, None], roots)))
    third_choices = _both_roots(_quadratic(_line(T13[:, None], roots)))
    if every:
        choices = [(roots, second_choices[..., a], third_choices[..., b]) for a in (0, 1) for b in (0, 1)]
        return np.concatenate([np.stack([p for w in one for p in _cosine_sine(w)], axis=-1) for one in choices], axis=1)
    f, g = _vector(second_choices), _vector(third_choices)
    misses = np.abs(np.einsum("nkai,nij,nkbj->nkab", f, T23, g))
    best = np.nan_to_num(misses.reshape(*misses.shape[:2], 4), nan=np.inf).argmin(axis=2)
    y = np.take_along_axis(second_choices, best[:, :, None] // 2, axis=2)[..., 0]
    z = np.take_along_axis(third_choices, best[:, :, None] % 2, axis=2)[..., 0]
    return np.stack([*_cosine_sine(roots), *_cosine_sine(y), *_cosine_sine(z)], axis=-1)


def _cosine_sine(w: NDArray[np.complex128]) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    with np.errstate(all="ignore"):
        return 0.5 * (w + 1.0 / w), -0.5j * (w - 1.0 / w)


def _vector(w: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """(.., 3) cosine, sine and one."""
    c, s = _cosine_sine(w)
    return np.stack([c, s, np.ones_like(c)], axis=-1)


def _lines(T: NDArray[np.inexact], w: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """(N, M, 2, 3) the equations at the first angle's w (M,) or (N, M): coefficients of cosine, sine and one."""
    shape = (*np.broadcast_shapes(T.shape[:2], w.shape), 3)
    return np.einsum("...i,...qij->...qj", np.broadcast_to(_vector(w), shape), T)


def _line(T: NDArray[np.inexact], w: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """(N, M, 3) the same of one equation."""
    shape = (*np.broadcast_shapes(T.shape[:2], w.shape), 3)
    return np.einsum("...i,...ij->...j", np.broadcast_to(_vector(w), shape), T)


def _determinant(lines: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """(N, M) zero where the solution of both lines has length one."""
    (a, b, c), (d, e, f) = (np.moveaxis(lines[..., k, :], -1, 0) for k in (0, 1))
    return (a * e - b * d) ** 2 - (b * f - c * e) ** 2 - (c * d - a * f) ** 2


def _solved(lines: NDArray[np.complex128]) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    (a, b, c), (d, e, f) = (np.moveaxis(lines[..., k, :], -1, 0) for k in (0, 1))
    with np.errstate(all="ignore"):
        det = a * e - b * d
        return (b * f - c * e) / det, (c * d - a * f) / det


def _quadratic(line: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """(.., 3) coefficients of w^2, w and 1 of a cos + b sin + c = 0, with w = exp(i angle)."""
    a, b, c = np.moveaxis(line, -1, 0)
    return np.stack([0.5 * (a - 1j * b), c, 0.5 * (a + 1j * b)], axis=-1)


def _both_roots(q: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """(.., 2) roots of quadratics."""
    a, b, c = np.moveaxis(q, -1, 0)
    root = np.sqrt(b * b - 4.0 * a * c)
    larger = np.where(np.abs(b + root) >= np.abs(b - root), -0.5 * (b + root), -0.5 * (b - root))
    with np.errstate(all="ignore"):
        return np.stack([larger / a, c / larger], axis=-1)


def _resultant(
    first: NDArray[np.complex128], second: NDArray[np.complex128], T: NDArray[np.inexact]
) -> NDArray[np.complex128]:
    """(N, M) product of the third equation over the roots of both quadratics: a polynomial in their coefficients."""
    y, z = _both_roots(first), _both_roots(second)
    f, g = (np.stack([v * v + 1.0, -1j * (v * v - 1.0), 2.0 * v], axis=-1) for v in (y, z))
    values = np.einsum("nkai,nij,nkbj->nkab", f, T, g)
    return values.reshape(*values.shape[:2], 4).prod(axis=2) * first[..., 0] ** 4 * second[..., 0] ** 4


def _roots(values: NDArray[np.complex128], degree: int) -> NDArray[np.complex128]:
    """(N, 2 degree) roots of the polynomial in w whose values times w^-degree (N, _POINTS) are given on the circle."""
    count = values.shape[1]
    spectrum = np.fft.fft(values, axis=1) / count
    places = np.arange(-degree, degree + 1)
    c = spectrum[:, places % count]
    c = c / np.abs(c).max(axis=1)[:, None]
    size = 2 * degree
    companion = np.zeros((len(c), size, size), dtype=complex)
    companion[:, np.arange(1, size), np.arange(size - 1)] = 1.0
    with np.errstate(all="ignore"):
        companion[:, :, -1] = -c[:, :-1] / c[:, -1:]
    bad = ~np.isfinite(companion).all(axis=(1, 2))
    companion[bad] = np.eye(size)
    found = np.linalg.eigvals(companion)
    found[bad] = np.nan
    return np.asarray(found, dtype=complex)
