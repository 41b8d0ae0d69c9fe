"""Tuples of three, against NumPy's arrays and SciPy's rotations; recorded scalars go through."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gough.graph import divide, record
from gough.graph.triples import (
    add,
    apply,
    cross,
    from_columns,
    perpendicular,
    product,
    rotation_about,
    scale,
    subtract,
    transpose,
    unit,
)
from gough.run import Program

RNG = np.random.default_rng(7)
A, B, C = (tuple(RNG.normal(size=3).tolist()) for _ in range(3))
M, N = (tuple(tuple(row) for row in RNG.normal(size=(3, 3)).tolist()) for _ in range(2))


def test_they_are_the_operations_of_arrays() -> None:
    a, b, m, n = (np.array(value) for value in (A, B, M, N))
    for found, expected in (
        (add(A, B), a + b),
        (subtract(A, B), a - b),
        (scale(3.5, A), 3.5 * a),
        (cross(A, B), np.cross(a, b)),
        (unit(A), a / np.linalg.norm(a)),
        (transpose(M), m.T),
        (from_columns(A, B, C), np.column_stack([A, B, C])),
        (apply(M, A), m @ a),
        (product(M, N), m @ n),
    ):
        assert isinstance(found, tuple)
        assert np.array(found) == pytest.approx(expected, rel=1e-14)


def test_a_rotation_and_a_perpendicular() -> None:
    axis, angle = unit(A), 0.7
    expected = Rotation.from_rotvec(angle * np.array(axis)).as_matrix()
    assert np.array(rotation_about(axis, math.cos(angle), math.sin(angle))) == pytest.approx(expected, abs=1e-15)
    across = np.array(perpendicular(B, axis))
    assert np.linalg.norm(across) == pytest.approx(1.0, rel=1e-15)
    assert across @ axis == pytest.approx(0.0, abs=1e-15)
    assert across @ B > 0.0
    assert np.linalg.det([across, axis, B]) == pytest.approx(0.0, abs=1e-15)


def test_no_direction_is_no_number() -> None:
    assert all(map(math.isnan, unit((0.0, 0.0, 0.0))))
    assert math.isnan(divide(1.0, 0.0))
    assert math.isnan(divide(0.0, -0.0))
    assert divide(1.0, 4.0) == 0.25


def test_recorded_scalars_go_through() -> None:
    program = Program(record(lambda a, b: list(unit(cross(tuple(a), tuple(b)))), a=3, b=3), "floats")
    found = program(a=A, b=B)
    expected = np.cross(A, B) / np.linalg.norm(np.cross(A, B))
    assert found == pytest.approx(expected, rel=1e-14)
