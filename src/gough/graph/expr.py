"""A recorded scalar: behaves like a float in equations, and writes itself down."""

from __future__ import annotations

import numbers
from typing import NoReturn

import numpy as np

from gough.graph import ops
from gough.graph.scalars import Scalar, Vector
from gough.graph.tape import Tape

_NUMBERS = frozenset(range(len(ops.NAMES))) - ops.BOOLEAN - {ops.ITEM}


class Expr:
    """A value on a tape. Arithmetic on it records; asking for its value raises.

    NumPy object arrays of it work with `@`, `*`, indexing, `np.cross`, `np.einsum` and with ufuncs that have a method
    of that name here (`np.sin`, `np.sqrt`, `np.arctan2`, ...).
    """

    __slots__ = ("index", "tape")
    __array_priority__ = -1.0  # above NumPy's scalars, which then leave `np.float64(2) < x` to us; below its arrays

    def __init__(self, tape: Tape, index: int) -> None:
        self.tape = tape
        self.index = index

    def __repr__(self) -> str:
        value = self.tape.value(self.index)
        if value is not None:
            return f"Expr({value!r})"
        return f"Expr({ops.NAMES[self.tape.nodes[self.index][0]]} %{self.index})"

    @property
    def is_bool(self) -> bool:
        """Whether it is a truth value (a comparison) and not a number."""
        return self.tape.is_bool(self.index)

    def __add__(self, other: Scalar) -> Scalar:
        return _binary(ops.ADD, self, other)

    def __radd__(self, other: Scalar) -> Scalar:
        return _binary(ops.ADD, other, self)

    def __sub__(self, other: Scalar) -> Scalar:
        return _binary(ops.SUB, self, other)

    def __rsub__(self, other: Scalar) -> Scalar:
        return _binary(ops.SUB, other, self)

    def __mul__(self, other: Scalar) -> Scalar:
        return _binary(ops.MUL, self, other)

    def __rmul__(self, other: Scalar) -> Scalar:
        return _binary(ops.MUL, other, self)

    def __truediv__(self, other: Scalar) -> Scalar:
        return _binary(ops.DIV, self, other)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        return _binary(ops.DIV, other, self)

    def __neg__(self) -> Expr:
        return unary(ops.NEG, self)

    def __pos__(self) -> Expr:
        return self

    def __abs__(self) -> Expr:
        return unary(ops.ABS, self)

    def __pow__(self, exponent: Scalar) -> Scalar:
        return NotImplemented if isinstance(exponent, np.ndarray) else power(self, exponent)

    def __lt__(self, other: Scalar) -> Scalar:
        return _binary(ops.LT, self, other)

    def __gt__(self, other: Scalar) -> Scalar:
        return _binary(ops.LT, other, self)

    def __le__(self, other: Scalar) -> Scalar:
        return _binary(ops.LE, self, other)

    def __ge__(self, other: Scalar) -> Scalar:
        return _binary(ops.LE, other, self)

    def __and__(self, other: Scalar) -> Scalar:
        return _logical(ops.AND, self, other)

    __rand__ = __and__

    def __or__(self, other: Scalar) -> Scalar:
        return _logical(ops.OR, self, other)

    __ror__ = __or__

    def __invert__(self) -> Expr:
        return Expr(self.tape, self.tape.apply(ops.NOT, truth_index(self.tape, self)))

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> NoReturn:
        raise TypeError("== on a recorded value: its value is not known while recording; use gough.graph.equal(a, b)")

    def __ne__(self, other: object) -> NoReturn:
        raise TypeError(
            "!= on a recorded value: its value is not known while recording; use gough.graph.not_equal(a, b)"
        )

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "the truth of a recorded value is not known while recording (if, and, or, min, max, np.where, np.maximum); "
            "use where, minimum, maximum, logical_and, logical_or of gough.graph"
        )

    def __float__(self) -> NoReturn:
        raise TypeError("a recorded value has no float value while recording; use the functions of gough.graph")

    __int__ = __float__
    __index__ = __float__
    __complex__ = __float__

    def sqrt(self) -> Expr:
        """Square root; np.sqrt calls it."""
        return unary(ops.SQRT, self)

    def sin(self) -> Expr:
        """Sine; np.sin calls it."""
        return unary(ops.SIN, self)

    def cos(self) -> Expr:
        """Cosine; np.cos calls it."""
        return unary(ops.COS, self)

    def tan(self) -> Expr:
        """Tangent; np.tan calls it."""
        return unary(ops.TAN, self)

    def arcsin(self) -> Expr:
        """Inverse sine; np.arcsin calls it."""
        return unary(ops.ASIN, self)

    def arccos(self) -> Expr:
        """Inverse cosine; np.arccos calls it."""
        return unary(ops.ACOS, self)

    def arctan(self) -> Expr:
        """Inverse tangent; np.arctan calls it."""
        return unary(ops.ATAN, self)

    def arctan2(self, x: Scalar) -> Scalar:
        """Angle of the point (x, self); np.arctan2 calls it."""
        return _binary(ops.ATAN2, self, x)

    def exp(self) -> Expr:
        """e to this power; np.exp calls it."""
        return unary(ops.EXP, self)

    def log(self) -> Expr:
        """Natural logarithm; np.log calls it."""
        return unary(ops.LOG, self)

    def __floor__(self) -> Expr:
        """Largest integer not above; np.floor and math.floor call it."""
        return unary(ops.FLOOR, self)

    def conjugate(self) -> Expr:
        """Itself: recorded values are real."""
        return self


def real(value: Scalar) -> float:
    """A plain real number as a float."""
    if isinstance(value, float):
        return value
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{value!r} of type {type(value).__name__} is not a real number")
    return float(value)


def truth(value: Scalar) -> bool:
    """A plain truth value as a bool."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{value!r} of type {type(value).__name__} is not a truth value")
    return bool(value)


def number_index(tape: Tape, value: Scalar) -> int:
    """Index on `tape` of a recorded or plain real number."""
    if type(value) is Expr:
        if value.tape is not tape:
            raise ValueError("values of two different recordings cannot be mixed")
        if tape.is_bool(value.index):
            raise TypeError("a recorded truth value is not a number; use where(condition, a, b)")
        return value.index
    return tape.const(real(value))


def truth_index(tape: Tape, value: Scalar) -> int:
    """Index on `tape` of a recorded or plain truth value."""
    if type(value) is Expr:
        if value.tape is not tape:
            raise ValueError("values of two different recordings cannot be mixed")
        if not tape.is_bool(value.index):
            raise TypeError("a condition must be a truth value; compare the number with something")
        return value.index
    return tape.boolean(truth(value))


def is_truth(value: Scalar) -> bool:
    """Whether it is a recorded or plain truth value."""
    return value.is_bool if type(value) is Expr else isinstance(value, (bool, np.bool_))


def tape_of(*values: Vector) -> Tape | None:
    """The tape of the first recorded value among `values` (scalars or arrays), or None."""
    for value in values:
        if type(value) is Expr:
            return value.tape
        if isinstance(value, np.ndarray):
            if value.dtype != object:
                continue
            value = value.flat
        elif not isinstance(value, (list, tuple)):
            continue
        found = tape_of(*value)
        if found is not None:
            return found
    return None


def unary(op: int, x: Expr) -> Expr:
    """Recorded `op` of one number."""
    return Expr(x.tape, x.tape.apply(op, number_index(x.tape, x)))


def _binary(op: int, a: Scalar, b: Scalar) -> Scalar:
    if type(a) is Expr and type(b) is Expr and a.tape is b.tape:
        tape = a.tape
        nodes = tape.nodes
        if nodes[a.index][0] in _NUMBERS and nodes[b.index][0] in _NUMBERS:
            return Expr(tape, tape.apply(op, a.index, b.index))
    elif type(a) is float or type(b) is float:
        pass
    elif isinstance(a, (np.ndarray, str)) or isinstance(b, (np.ndarray, str)):
        return NotImplemented
    tape = a.tape if type(a) is Expr else b.tape
    return Expr(tape, tape.apply(op, number_index(tape, a), number_index(tape, b)))


def _logical(op: int, a: Expr, b: Scalar) -> Scalar:
    if isinstance(b, np.ndarray):
        return NotImplemented
    return Expr(a.tape, a.tape.apply(op, truth_index(a.tape, a), truth_index(a.tape, b)))


def power(x: Expr, exponent: Scalar) -> Expr:
    """x to an integer power as products by repeated squaring; 0.5 is a square root, negative powers are reciprocals."""
    is_number = isinstance(exponent, numbers.Real) and not isinstance(exponent, bool)
    if not is_number or (exponent % 1 != 0 and abs(exponent) != 0.5):
        raise TypeError(f"power {exponent!r}: integer powers and 0.5 are recorded; write exp(y * log(x)) for others")
    if abs(exponent) == 0.5:
        result = x.sqrt()
    else:
        n = abs(int(exponent))
        result, square = Expr(x.tape, x.tape.const(1.0)), x
        while n:
            if n & 1:
                result = result * square
            n >>= 1
            if n:
                square = square * square
    return 1.0 / result if exponent < 0 else result
