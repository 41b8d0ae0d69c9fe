"""Vectors of three and 3x3 matrices as tuples of scalars, plain or recorded: the form in which a robot keeps them.

Sums of products are taken from the first element on, by plain multiplications and additions: what is symmetric in a
robot's numbers stays so to the last bit, whatever library multiplies arrays.
"""

from __future__ import annotations

from collections.abc import Iterable

from gough.graph.functions import divide, dot, norm
from gough.graph.scalars import Scalar

Triple = tuple[Scalar, Scalar, Scalar]
Triples = tuple[Triple, Triple, Triple]


def vector(values: Iterable[Scalar]) -> Triple:
    """(3,) tuple of the three values."""
    a, b, c = values
    return (a, b, c)


def matrix(rows: Iterable[Iterable[Scalar]]) -> Triples:
    """(3, 3) tuple of the three rows."""
    a, b, c = rows
    return (vector(a), vector(b), vector(c))


def from_columns(x: Triple, y: Triple, z: Triple) -> Triples:
    """Matrix whose columns are the three vectors: the rotation that takes their frame's coordinates out of it."""
    return transpose((x, y, z))


def add(a: Triple, b: Triple) -> Triple:
    """a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def subtract(a: Triple, b: Triple) -> Triple:
    """a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scale(factor: float, a: Triple) -> Triple:
    """factor * a."""
    return (factor * a[0], factor * a[1], factor * a[2])


def cross(a: Triple, b: Triple) -> Triple:
    """Triple product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a: Triple) -> Triple:
    """a / |a|; NaN for the zero vector."""
    length = norm(a)
    return (divide(a[0], length), divide(a[1], length), divide(a[2], length))


def perpendicular(a: Triple, n: Triple) -> Triple:
    """Unit vector along the part of `a` that is perpendicular to the unit vector `n`."""
    return unit(subtract(a, scale(dot(a, n), n)))


def transpose(m: Triples) -> Triples:
    """Transposed matrix."""
    return ((m[0][0], m[1][0], m[2][0]), (m[0][1], m[1][1], m[2][1]), (m[0][2], m[1][2], m[2][2]))


def apply(m: Triples, a: Triple) -> Triple:
    """m a."""
    return (dot(m[0], a), dot(m[1], a), dot(m[2], a))


def product(m: Triples, n: Triples) -> Triples:
    """m n."""
    columns = transpose(n)
    return (apply(columns, m[0]), apply(columns, m[1]), apply(columns, m[2]))


def rotation_about(axis: Triple, c: Scalar, s: Scalar) -> Triples:
    """Rotation about a unit axis by the angle with cosine c and sine s (Rodrigues)."""
    x, y, z = axis
    k = 1.0 - c
    return (
        (c + k * (x * x), k * (x * y) - s * z, k * (x * z) + s * y),
        (k * (x * y) + s * z, c + k * (y * y), k * (y * z) - s * x),
        (k * (x * z) - s * y, k * (y * z) + s * x, c + k * (z * z)),
    )
