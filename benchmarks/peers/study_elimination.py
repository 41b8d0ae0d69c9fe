"""All assembly modes of six distance legs by elimination and an eigenproblem of size 40, in plain NumPy.

For an orientation e the equations of legs 1 to 5 and Study's condition are six linear ones in g = p e, so that a matrix
of size 6 x 5 has rank 4. Its minors, and the equation of leg 0 in the cofactors, are polynomials in e times n = e.e;
divided by n they have degrees 4 and 8. Multiples of them up to degree 10 span all polynomials but for 40 dimensions, in
which multiplication by a coordinate of e is a matrix: its eigenvectors are the solutions (Auzinger & Stetter 1988).
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

import numpy as np
from scipy.linalg import svd

DEGREE = 10
SOLUTIONS = 40
_THREE_LEGS = ((0, 1, 2), (1, 2, 3), (0, 2, 4), (0, 3, 4))


@cache
def _exponents(degree: int) -> tuple[tuple[int, ...], ...]:
    found = []
    for chosen in combinations_with_replacement(range(4), degree):
        found.append(tuple(chosen.count(k) for k in range(4)))
    return tuple(found)


def _monomials(e: Any, degree: int) -> Any:
    return np.prod(e[:, None, :] ** np.array(_exponents(degree))[None], axis=2)


@cache
def _sampled(degree: int, seed: int) -> tuple[Any, Any]:
    """Points on the sphere, and the matrix from values there to coefficients."""
    count = 2 * len(_exponents(degree))
    e = np.random.default_rng(seed).normal(size=(count, 4))
    e /= np.linalg.norm(e, axis=1)[:, None]
    return e, np.linalg.pinv(_monomials(e, degree))


@cache
def _shifted(degree: int, total: int) -> Any:
    """(multipliers, monomials of `degree`) places of the products among the monomials of degree `total`."""
    places = {exponent: k for k, exponent in enumerate(_exponents(total))}
    rows = []
    for factor in _exponents(total - degree):
        rows.append([places[tuple(np.add(factor, own))] for own in _exponents(degree)])
    return np.array(rows)


def _matrix(e: Any, skew: Any, even: Any, k: Any) -> Any:
    """(N, 6, 5) the linear equations in (g, 1)."""
    left = np.einsum("ni,lij->nlj", e, skew)
    last = np.einsum("ni,lij,nj->nl", e, even, e) + k * (e * e).sum(axis=1)[:, None]
    legs = np.concatenate([left, last[:, :, None]], axis=2)
    study = np.concatenate([e, np.zeros((len(e), 1))], axis=1)
    return np.concatenate([legs, study[:, None]], axis=1)


def _cofactors(M: Any) -> Any:
    """(N, 5) kernel of (N, 4, 5)."""
    columns = [(-1.0) ** c * np.linalg.det(np.delete(M, c, axis=2)) for c in range(5)]
    return np.stack(columns, axis=1)


def modes_by_elimination(a: Any, b: Any, k: Any, m: float) -> Any:
    """(40, 8) complex points (e, g) of length one, for a, b (5, 3), k (5,) and m of `gough.assembly.study_quadrics`."""
    skew, even = _skew(a, b), _even(a, b)
    polynomials = []
    e, fit = _sampled(4, 1)
    M, n = _matrix(e, skew, even, k), (e * e).sum(axis=1)
    for left_out in range(5):
        polynomials.append((4, fit @ (np.linalg.det(np.delete(M, left_out, axis=1)) / n)))
    e, fit = _sampled(8, 2)
    M, n = _matrix(e, skew, even, k), (e * e).sum(axis=1)
    kernels = [_cofactors(M[:, [*rows, 5]]) for rows in _THREE_LEGS]
    for u, v in combinations_with_replacement(kernels, 2):
        value = (u[:, :4] * v[:, :4]).sum(axis=1) - m * n * u[:, 4] * v[:, 4]
        polynomials.append((8, fit @ (value / n)))
    rows = []
    for degree, coefficients in polynomials:
        places = _shifted(degree, DEGREE)
        block = np.zeros((len(places), len(_exponents(DEGREE))))
        np.put_along_axis(block, places, np.broadcast_to(coefficients, places.shape), axis=1)
        rows.append(block / np.linalg.norm(coefficients))
    # A common scale for monomials of the sphere: the multinomial weights.
    weights = np.array([_weight(exponent) for exponent in _exponents(DEGREE)])
    triangle = np.linalg.qr(np.vstack(rows) / weights, mode="r")
    try:
        right = np.linalg.svd(triangle)[2]
    except np.linalg.LinAlgError:
        # The quicker of LAPACK's ways does not always converge.
        right = svd(triangle, lapack_driver="gesvd")[2]
    N = right[-SOLUTIONS:].T / weights[:, None]
    shift = _shifted(DEGREE - 1, DEGREE)
    by = [N[places] for places in shift]
    weight = np.random.default_rng(3).normal(size=(2, 4))
    first, second = (sum(w * part for w, part in zip(row, by, strict=True)) for row in weight)
    _, vectors = np.linalg.eig(np.linalg.lstsq(first, second, rcond=None)[0])
    parts = np.stack([part @ vectors for part in by], axis=2)
    largest = np.abs(parts).sum(axis=2).argmax(axis=0)
    e = parts[largest, np.arange(SOLUTIONS)]
    e = e / np.linalg.norm(e, axis=1)[:, None]
    M = _matrix(e, skew, even, k)
    g = np.stack([np.linalg.lstsq(one[:, :4], -one[:, 4], rcond=None)[0] for one in M])
    x = np.concatenate([e, g], axis=1)
    return x / np.linalg.norm(x, axis=1)[:, None]


def _weight(exponent: tuple[int, ...]) -> float:
    return float(np.sqrt(factorial(sum(exponent)) / prod(map(factorial, exponent))))


def _skew(a: Any, b: Any) -> Any:
    """(5, 4, 4) of e.(a g - g b), by products of quaternions of unit vectors."""
    units = np.eye(4)
    found = []
    for p, q in _pairs(a, b):
        found.append(np.stack([_times(p, unit) - _times(unit, q) for unit in units], axis=1))
    return np.array(found)


def _even(a: Any, b: Any) -> Any:
    """(5, 4, 4) of e.(a e b)."""
    units = np.eye(4)
    return np.array([np.stack([_times(_times(p, unit), q) for unit in units], axis=1) for p, q in _pairs(a, b)])


def _pairs(a: Any, b: Any) -> Any:
    return [(np.array([0.0, *p]), np.array([0.0, *q])) for p, q in zip(a, b, strict=True)]


def _times(p: Any, q: Any) -> Any:
    return np.array([p[0] * q[0] - p[1:] @ q[1:], *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])
