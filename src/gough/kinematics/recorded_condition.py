"""The condition number of a small matrix, recorded: singular values by one-sided Jacobi rotations.

Columns are turned against each other in pairs until all are at right angles; their lengths are the singular values
(Hestenes 1958). Small ones come out as exact as the columns allow, without the square of the condition in between.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from gough.graph import (
    Scalar,
    Step,
    Vector,
    absolute,
    array,
    dot,
    greater,
    iterate,
    logical_or,
    maximum,
    minimum,
    record,
    sqrt,
    where,
)
from gough.run import Program

MOST_SWEEPS = 30
_RIGHT = 2.0**-48
"""Cosine of the angle between two columns that are left as they are."""


def condition(matrix: Vector, wanted: Scalar = True) -> Scalar:
    """Largest by least singular value of a finite matrix (m, n) with m >= n; infinite where the least one is zero.

    Where it is not wanted no sweep is made, and what comes out says nothing.
    """
    m, n = np.shape(matrix)
    if n == 1:
        return 1.0 / where(greater(dot(matrix[:, 0], matrix[:, 0]), 0.0), 1.0, 0.0)

    def sweep(state: Vector) -> Step:
        columns = [state[m * k : m * k + m] for k in range(n)]
        turned: Any = False
        for i in range(n):
            for k in range(i + 1, n):
                columns[i], columns[k], apart = _turned(columns[i], columns[k])
                turned = logical_or(turned, apart)
        return Step(np.concatenate(columns), turned, ~turned)

    start = array([matrix[row][k] for k in range(n) for row in range(m)])
    last = iterate(sweep, start, MOST_SWEEPS, wanted=wanted).state
    squares = [dot(last[m * k : m * k + m], last[m * k : m * k + m]) for k in range(n)]
    largest, least = squares[0], squares[0]
    for square in squares[1:]:
        largest, least = maximum(largest, square), minimum(least, square)
    return sqrt(largest) / sqrt(least)


def _turned(a: Vector, b: Vector) -> tuple[Vector, Vector, Scalar]:
    """Two columns turned to right angles, and whether they were not."""
    aa, bb, ab = dot(a, a), dot(b, b), dot(a, b)
    apart = greater(absolute(ab), sqrt(aa * bb) * _RIGHT)
    half = (bb - aa) / where(apart, ab + ab, 1.0)
    t = where(half < 0.0, -1.0, 1.0) / (absolute(half) + sqrt(half * half + 1.0))
    c = 1.0 / sqrt(t * t + 1.0)
    s = c * t
    return (
        array([where(apart, c * x - s * y, x) for x, y in zip(a, b, strict=True)]),
        array([where(apart, s * x + c * y, y) for x, y in zip(a, b, strict=True)]),
        apart,
    )


@lru_cache(maxsize=16)
def condition_program(m: int, n: int) -> Program:
    """From matrices K (m, n) with m >= n to their condition numbers "out"."""
    return Program(record(lambda K: condition(K), K=(m, n)))
