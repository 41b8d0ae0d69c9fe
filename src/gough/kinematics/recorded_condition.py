"""The condition number of a small matrix, recorded, and the program of it."""

from __future__ import annotations

from functools import lru_cache, reduce

import numpy as np

from gough.graph import Scalar, Vector, dot, greater, maximum, minimum, record, sqrt, where
from gough.kinematics.small_matrices import squared_singular_values
from gough.run import Program


def condition(matrix: Vector, wanted: Scalar = True) -> Scalar:
    """Largest by least singular value of a finite matrix (m, n) with m >= n; infinite where the least one is zero.

    Where it is not `wanted` no sweep is made, and the result means nothing.
    """
    if np.shape(matrix)[1] == 1:
        return 1.0 / where(greater(dot(matrix[:, 0], matrix[:, 0]), 0.0), 1.0, 0.0)
    squares = squared_singular_values(matrix, wanted)
    return sqrt(reduce(maximum, squares)) / sqrt(reduce(minimum, squares))


@lru_cache(maxsize=16)
def condition_program(m: int, n: int) -> Program:
    """From matrices K (m, n) with m >= n to their condition numbers "out"."""
    return Program(record(lambda K: condition(K), K=(m, n)))
