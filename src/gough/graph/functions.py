"""The functions equations are written with: on floats they compute, on recorded values they record.

Each takes scalars or arrays of either; arrays broadcast. Vectors and matrices are small NumPy arrays: of floats, or of
objects where any element is recorded.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gough.graph import ieee, ops
from gough.graph.expr import Expr, is_truth, number_index, real, tape_of, truth, truth_index
from gough.graph.scalars import Scalar, Vector


def array(values: Vector) -> Vector:
    """`values` as a small array: of floats, or of objects if any element is recorded."""
    if tape_of(values) is None:
        return np.asarray(values, dtype=float)
    return np.array(values, dtype=object)


def is_plain(value: object) -> bool:
    """Whether a scalar is an ordinary number rather than a recorded one."""
    return isinstance(value, (int, float))


def is_constant(value: Scalar) -> bool:
    """Whether a scalar is an ordinary number, or was recorded as one."""
    return is_plain(value) or value.tape.value(value.index) is not None


def is_value(a: Scalar, value: float) -> bool:
    """Whether a scalar is plain and has this value."""
    return isinstance(a, (float, int)) and a == value


def is_zero(v: Vector) -> bool:
    """Whether a vector is of plain numbers and exactly zero."""
    return all([is_value(a, 0.0) for a in v])


def _elementwise(scalar: Callable[..., Any], args: tuple[Any, ...]) -> Vector:
    """`scalar` mapped over broadcast arguments, or called once when all are scalars."""
    for a in args:
        if type(a) is not Expr and isinstance(a, (np.ndarray, list, tuple)):
            break
    else:
        return scalar(*args)
    broadcast = np.broadcast(*[np.asarray(a, dtype=object) for a in args])
    values = [scalar(*row) for row in broadcast]
    plain: Any = bool if all(isinstance(v, (bool, np.bool_)) for v in values) else float
    dtype = object if any(type(v) is Expr for v in values) else plain
    out = np.empty(len(values), dtype=dtype)
    out[:] = values
    return out.reshape(broadcast.shape)


def _function(op: int, convert: Callable[[Any, Any], int] = number_index) -> Callable[..., Any]:
    plain = ieee.FUNCTIONS[op]
    as_plain: Callable[[Any], Any] = real if convert is number_index else truth

    def scalar(*args: Scalar) -> Scalar:
        tape = tape_of(*args)
        if tape is None:
            return plain(*[as_plain(a) for a in args])
        return Expr(tape, tape.apply(op, *[convert(tape, a) for a in args]))

    return lambda *args: _elementwise(scalar, args)


_unary = {
    op: _function(op)
    for op in (ops.SQRT, ops.ABS, ops.SIGN, ops.FLOOR, ops.SIN, ops.COS, ops.TAN, ops.ASIN, ops.ACOS, ops.ATAN, ops.EXP)
}
_log = _function(ops.LOG)
_isfinite = _function(ops.ISFINITE)
_minimum, _maximum, _atan2 = _function(ops.MIN), _function(ops.MAX), _function(ops.ATAN2)
_less, _less_equal, _equal, _not_equal = (_function(op) for op in (ops.LT, ops.LE, ops.EQ, ops.NE))
_and, _or, _not = (_function(op, truth_index) for op in (ops.AND, ops.OR, ops.NOT))


def sqrt(x: Scalar) -> Scalar:
    """Square root; NaN below zero."""
    return _unary[ops.SQRT](x)


def absolute(x: Scalar) -> Scalar:
    """Absolute value."""
    return _unary[ops.ABS](x)


def sign(x: Scalar) -> Scalar:
    """1, 0 or -1; NaN stays."""
    return _unary[ops.SIGN](x)


def floor(x: Scalar) -> Scalar:
    """Largest integer not above x."""
    return _unary[ops.FLOOR](x)


def sin(x: Scalar) -> Scalar:
    """Sine of an angle [rad]."""
    return _unary[ops.SIN](x)


def cos(x: Scalar) -> Scalar:
    """Cosine of an angle [rad]."""
    return _unary[ops.COS](x)


def tan(x: Scalar) -> Scalar:
    """Tangent of an angle [rad]."""
    return _unary[ops.TAN](x)


def asin(x: Scalar) -> Scalar:
    """Inverse sine in [-pi/2, pi/2]; NaN outside [-1, 1]."""
    return _unary[ops.ASIN](x)


def acos(x: Scalar) -> Scalar:
    """Inverse cosine in [0, pi]; NaN outside [-1, 1]."""
    return _unary[ops.ACOS](x)


def atan(x: Scalar) -> Scalar:
    """Inverse tangent in [-pi/2, pi/2]."""
    return _unary[ops.ATAN](x)


def atan2(y: Scalar, x: Scalar) -> Scalar:
    """Angle of the point (x, y) in [-pi, pi]."""
    return _atan2(y, x)


def exp(x: Scalar) -> Scalar:
    """e^x."""
    return _unary[ops.EXP](x)


def log(x: Scalar) -> Scalar:
    """Natural logarithm; NaN below zero."""
    return _log(x)


def minimum(a: Scalar, b: Scalar) -> Scalar:
    """The smaller; NaN if either is; the first of equals, whose derivative is taken."""
    return _minimum(a, b)


def maximum(a: Scalar, b: Scalar) -> Scalar:
    """The larger; NaN if either is; the first of equals, whose derivative is taken."""
    return _maximum(a, b)


def less(a: Scalar, b: Scalar) -> Scalar:
    """a < b."""
    return _less(a, b)


def less_equal(a: Scalar, b: Scalar) -> Scalar:
    """a <= b."""
    return _less_equal(a, b)


def greater(a: Scalar, b: Scalar) -> Scalar:
    """a > b."""
    return _less(b, a)


def greater_equal(a: Scalar, b: Scalar) -> Scalar:
    """a >= b."""
    return _less_equal(b, a)


def equal(a: Scalar, b: Scalar) -> Scalar:
    """a == b; false where either is NaN."""
    return _equal(a, b)


def not_equal(a: Scalar, b: Scalar) -> Scalar:
    """a != b; true where either is NaN."""
    return _not_equal(a, b)


def isfinite(x: Scalar) -> Scalar:
    """Whether x is neither infinite nor NaN."""
    return _isfinite(x)


def logical_and(a: Scalar, b: Scalar) -> Scalar:
    """Both."""
    return _and(a, b)


def logical_or(a: Scalar, b: Scalar) -> Scalar:
    """Either or both."""
    return _or(a, b)


def logical_not(a: Scalar) -> Scalar:
    """Not."""
    return _not(a)


def _where(condition: Scalar, a: Scalar, b: Scalar) -> Scalar:
    tape = tape_of(condition, a, b)
    if tape is None:
        return a if truth(condition) else b
    if is_truth(a) or is_truth(b):
        return _or(_and(condition, a), _and(_not(condition), b))
    return Expr(tape, tape.select(truth_index(tape, condition), number_index(tape, a), number_index(tape, b)))


def where(condition: Scalar, a: Scalar, b: Scalar) -> Scalar:
    """a where the condition holds, else b; the branch not taken never leaks, not even as NaN."""
    return _elementwise(_where, (condition, a, b))


def divide(a: Scalar, b: Scalar) -> Scalar:
    """a / b of scalars; NaN, not an infinity, where b is a plain zero."""
    return math.nan if is_value(b, 0.0) else a / b


def dot(a: Vector, b: Vector) -> Scalar:
    """Scalar product of two vectors, summed from the first element on."""
    if len(a) != len(b):
        raise ValueError(f"dot of vectors of {len(a)} and {len(b)} elements")
    total = a[0] * b[0]
    for x, y in zip(a[1:], b[1:], strict=True):
        total = total + x * y
    return total


def cross(a: Vector, b: Vector) -> Vector:
    """(3,) vector product."""
    return array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def norm(a: Vector) -> Scalar:
    """Euclidean length of a vector."""
    return sqrt(dot(a, a))


def exact_cos(angle: Scalar) -> Scalar:
    """Cosine of an angle [rad]; of one that is a round number of degrees but for round-off, of those degrees.

    Then quarter turns have zeros, and what is symmetric in a robot's file is symmetric to the last bit in the robot,
    which saves its programs operations.
    """
    degrees = _round_degrees(angle)
    return cos(angle) if degrees is None else _cos_degrees(degrees)


def exact_sin(angle: Scalar) -> Scalar:
    """Sine of an angle [rad]; of one that is a round number of degrees as `exact_cos`."""
    degrees = _round_degrees(angle)
    if degrees is None:
        return sin(angle)
    if degrees == 0.0:
        return angle
    return _cos_degrees(degrees - 90.0) if degrees > 0.0 else -_cos_degrees(degrees + 90.0)


def _round_degrees(angle: Scalar) -> float | None:
    """The degrees of a plain angle if they have at most six decimals, but for a few units in the last place."""
    if not is_plain(angle):
        return None
    degrees = math.degrees(angle)
    near = round(degrees, 6) if math.isfinite(degrees) else math.nan
    return near if abs(degrees - near) <= 4 * math.ulp(max(abs(degrees), 45.0)) else None


def _cos_degrees(degrees: float) -> float:
    """By way of an angle of at most an eighth of a turn, the same for all that are its mirror images."""
    part = abs(degrees) % 360.0
    part = min(part, 360.0 - part)
    if part > 90.0:
        return -_cos_degrees(180.0 - part)
    if part == 60.0:
        return 0.5
    return math.sin(math.radians(90.0 - part)) if part > 45.0 else math.cos(math.radians(part))
