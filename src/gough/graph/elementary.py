"""sin, cos, tan, asin, acos, atan and atan2 in + - * / sqrt, comparisons and choices alone.

Those are rounded correctly everywhere, so the functions have the same bits on every executor, processor and compiler
that does not contract products and sums. The equations are written once: `FLOATS` makes them compute on floats, the
functions of `gough.graph` record them, and every executor and the C code run that recording.

Errors stay below 1 ulp: see `gough.run.accuracy`. What rounding leaves of sums and products is carried along (Dekker
1971): of a sum whose first term is the larger, a + b - fl(a + b) = (a - fl(a + b)) + b; of a product by splitting the
factors into halves. Polynomials are minimax fits with relative errors of the function below 6e-18.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from gough.graph import ops

Number = Any
"""A float, or a recorded number."""


class Primitives(Protocol):
    """What the equations need beside operators."""

    def where(self, condition: Any, a: Number, b: Number, /) -> Number:
        """a where the condition holds, else b."""

    def sqrt(self, x: Number, /) -> Number:
        """Square root, NaN below zero."""

    def less_product(self, a: Number, b: Number, c: Number, /) -> Number:
        """a - b c, where the product is exact: a fused operation gives the same."""

    def rest(self, a: Number, b: Number, product: Number, /) -> Number:
        """a b less its rounded product, which is exact: a fused operation gives the same."""


class Unfused:
    """Both in products and sums."""

    @staticmethod
    def less_product(a: Number, b: Number, c: Number) -> Number:
        """a - b c."""
        return a - b * c

    @staticmethod
    def rest(a: Number, b: Number, product: Number) -> Number:
        """From the halves of the factors."""
        a1, a2 = _halves(a)
        b1, b2 = _halves(b)
        return a2 * b2 - (((product - a1 * b1) - a2 * b1) - a1 * b2)


class _Floats(Unfused):
    @staticmethod
    def where(condition: bool, a: float, b: float) -> float:
        return a if condition else b

    @staticmethod
    def sqrt(x: float) -> float:
        return math.sqrt(x) if x >= 0.0 else math.nan


FLOATS: Primitives = _Floats()

FARTHEST = 2.0**30
"""The largest angle; the C library computes beyond."""
NEAR = 0.785
"""Angles up to it, just below pi/4, need no reduction."""
LEAST, LARGEST = 2.0**-400, 2.0**400
"""Coordinates of points, if not zero, that lead to no overflow and no underflow; the C library computes others."""


def _coefficients(text: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Of even powers, and of odd ones."""
    values = tuple(map(float.fromhex, text.split()))
    return values[0::2], values[1::2]


_ROUND = 1.5 * 2.0**52
_SPLIT = 2.0**27 + 1.0
_TWO_OVER_PI = float.fromhex("0x1.45f306dc9c883p-1")
_HALF_PI = tuple(
    map(
        float.fromhex,
        ("0x1.921fb4p+0", "0x1.4442dp-24", "0x1.84698p-48", "0x1.3198ap-69", "0x1.701b839a25205p-92"),
    )
)
"""pi/2 in parts; products of all but the last with whole numbers below 2^30 are exact."""
_QUARTER_PI = (float.fromhex("0x1.921fb54442d18p-1"), float.fromhex("0x1.1a62633145c07p-55"))
"""pi/4 in two parts; the first has 50 bits."""
_SIN = _coefficients(
    "-0x1.5555555555548p-3 0x1.111111110f7c9p-7 -0x1.a01a019bfd123p-13 "
    "0x1.71de35670e05fp-19 -0x1.ae5e59f298af3p-26 0x1.5d8fa2581e71ap-33"
)
_COS = _coefficients(
    "0x1.555555555554bp-5 -0x1.6c16c16c14f89p-10 0x1.a01a019c8387ep-16 "
    "-0x1.27e4f7ea31bd4p-22 0x1.1ee9d74ef78c1p-29 -0x1.8fa4643880e1fp-37"
)
_ATAN = _coefficients(
    "-0x1.5555555555555p-2 0x1.9999999999635p-3 -0x1.249249246ff40p-3 0x1.c71c71b4a654ep-4 -0x1.745d148b0cd9fp-4 "
    "0x1.3b13711d09f73p-4 -0x1.110d29c473000p-4 0x1.e18dfc9917fc7p-5 -0x1.acae04a87058dp-5 0x1.78d20ac799d97p-5 "
    "-0x1.320ff482d3705p-5 0x1.88f68579d02bbp-6 -0x1.18a2f995eb67dp-7"
)
_ASIN = _coefficients(
    "0x1.5555555555556p-3 0x1.3333333332ec4p-4 0x1.6db6db6e3292ep-5 0x1.f1c71c1d4aa0dp-6 0x1.6e8bb1d89492bp-6 "
    "0x1.1c4d343fa57f6p-6 0x1.c9cf3759fd8ffp-7 0x1.78246f32d075cp-7 0x1.524ea8b3aad31p-7 0x1.653a8f8cfd43cp-8 "
    "0x1.1d661531b222ep-6 -0x1.e7a24f548c99fp-7 0x1.d78189767524ep-6"
)


def _polynomial(coefficients: tuple[tuple[float, ...], tuple[float, ...]], z: Number, square: Number) -> Number:
    """Value at z: even and odd powers apart, which take half the time of one chain."""
    (*evens, even), (*odds, odd) = coefficients
    for c in reversed(evens):
        even = even * square + c
    for c in reversed(odds):
        odd = odd * square + c
    return even + z * odd


def _halves(x: Number) -> tuple[Number, Number]:
    """x as a sum of two numbers of 26 bits."""
    shifted = x * _SPLIT
    high = shifted - (shifted - x)
    return high, x - high


@dataclass(frozen=True, slots=True)
class _Turned:
    """An angle k pi/2 + high + low with |high| below pi/4: its quadrant, and sine and cosine of the rest in two parts.

    Attributes:
        quarter: k / 4 less the nearest whole number, a multiple of 1/4 from -1/2 to 1/2.
        sine, cosine: Large and small part, which are to be added.
    """

    quarter: Number
    sine: tuple[Number, Number]
    cosine: tuple[Number, Number]


def _turned(m: Primitives, x: Number) -> _Turned:
    """The angle x, at most `FARTHEST`, reduced.

    The first two differences are exact. So are the others where what is left is smaller than what is taken off: then
    both are whole multiples of the same power of two, and small enough.
    """
    k = (x * _TWO_OVER_PI + _ROUND) - _ROUND
    p1, p2, p3, p4, p5 = _HALF_PI
    left = m.less_product(m.less_product(x, k, p1), k, p2)
    a = m.less_product(left, k, p3)
    b = m.less_product(a, k, p4)
    tail = (m.less_product(left - a, k, p3) + m.less_product(a - b, k, p4)) - k * p5
    high = b + tail
    turns = k * 0.25
    return _Turned(turns - ((turns + _ROUND) - _ROUND), *_of_rest(high, (b - high) + tail))


def _of_rest(high: Number, low: Number) -> tuple[tuple[Number, Number], tuple[Number, Number]]:
    """Sine and cosine of high + low, where |high| is below pi/4, in two parts each."""
    z = high * high
    square = z * z
    half = z * 0.5
    one_less = 1.0 - half
    sine = (z * high) * _polynomial(_SIN, z, square) + low * one_less
    lost = (1.0 - one_less) - half
    cosine = square * _polynomial(_COS, z, square) + (lost - high * low)
    return (high, sine), (one_less, cosine)


def _sincos(m: Primitives, x: Number) -> tuple[Number, Number]:
    t = _turned(m, x)
    sine, cosine = t.sine[0] + t.sine[1], t.cosine[0] + t.cosine[1]
    odd = abs(abs(t.quarter) - 0.25) < 0.125
    far = abs(t.quarter) > 0.375
    a, b = m.where(odd, cosine, sine), m.where(odd, sine, cosine)
    sin = m.where(far | (t.quarter < -0.125), -a, a)
    cos = m.where(far | (t.quarter > 0.125), -b, b)
    return m.where(abs(x) <= 0.0, x, sin), cos  # the sine of -0 is -0


def _sincos_near(m: Primitives, x: Number) -> tuple[Number, Number]:
    """Of an angle below `NEAR`, which is its own rest: the same bits once the sine has the sign of the angle."""
    del m
    sine, cosine = _of_rest(x, 0.0)
    return sine[0] + sine[1], cosine[0] + cosine[1]


def _tan(m: Primitives, x: Number) -> tuple[Number]:
    t = _turned(m, x)
    odd = abs(abs(t.quarter) - 0.25) < 0.125
    s, c = _summed(t.sine), _summed(t.cosine)
    n, n_low = m.where(odd, -c[0], s[0]), m.where(odd, -c[1], s[1])
    d, d_low = m.where(odd, s[0], c[0]), m.where(odd, s[1], c[1])
    inverse = 1.0 / d
    q = n * inverse
    product = q * d
    left = (((n - product) - m.rest(q, d, product)) + n_low) - q * d_low
    return (m.where(abs(x) <= 0.0, x, q + left * inverse),)


def _summed(parts: tuple[Number, Number]) -> tuple[Number, Number]:
    """The sum of a large and a small number, and what its rounding left."""
    high = parts[0] + parts[1]
    return high, (parts[0] - high) + parts[1]


def _angle(m: Primitives, y: Number, x: Number) -> tuple[Number]:
    """Angle of the point (x, y), without its sign.

    With b the larger and a the smaller of |x|, |y|: atan(a / b) where a <= b / 2, else pi/4 + atan((a - b) / (a + b)),
    whose numerator is exact. The octant adds a multiple of pi/4: from the x axis the angle is counted up, or down from
    pi to the left; from the y axis down, or up to the left.
    """
    height, width = abs(y), abs(x)
    steep, left_half = height > width, x < 0.0
    a, b = m.where(steep, width, height), m.where(steep, height, width)
    middle = a + a > b
    total = a + b
    n = m.where(middle, a - b, a)
    d = m.where(middle, total, b)
    d_low = m.where(middle, a - (total - b), 0.0)
    inverse = 1.0 / d
    q = n * inverse
    product = q * d
    left = ((n - product) - m.rest(q, d, product)) - q * d_low
    z = q * q
    square = z * z
    slope = 1.0 - (z - square)
    low = (q * z) * _polynomial(_ATAN, z, square) + (left * inverse) * slope

    back = m.where(steep, m.where(left_half, 1.0, -1.0), m.where(left_half, -1.0, 1.0))
    count = m.where(steep, 2.0, m.where(left_half, 4.0, 0.0)) + m.where(middle, back, 0.0)
    turn = count * _QUARTER_PI[0]
    q, low = q * back, low * back
    angle = turn + q
    return (angle + (((turn - angle) + q) + (count * _QUARTER_PI[1] + low)),)


def _atan(m: Primitives, x: Number) -> tuple[Number]:
    size = abs(x)
    angle = _angle(m, m.where(size > LARGEST, LARGEST, size), 1.0)
    return (m.where(size < LEAST, size, angle[0]),)


def _arcs(m: Primitives, x: Number) -> tuple[Number, Number, Number, Number]:
    """Of |x|: (high, low, outer, middle), asin = high + low where |x| <= 1/2, else pi/2 - 2 (high + low)."""
    size = abs(x)
    outer = size > 0.5
    z = m.where(outer, (1.0 - size) * 0.5, x * x)
    root = m.sqrt(z)
    half, _ = _halves(root)
    missing = (z - half * half) / m.where(root > 0.0, root + half, 1.0) - (root - half)
    high = m.where(outer, root, size)
    low = (high * z) * _polynomial(_ASIN, z, z * z)
    return high, low, outer, missing


def _asin(m: Primitives, x: Number) -> tuple[Number]:
    high, low, outer, missing = _arcs(m, x)
    low = m.where(outer, low + missing, low)
    turn, turn_low = 2.0 * _QUARTER_PI[0], 2.0 * _QUARTER_PI[1]
    rest = turn - 2.0 * high
    beyond = rest + (((turn - rest) - 2.0 * high) + (turn_low - 2.0 * low))
    return (m.where(outer, beyond, high + low),)


def _acos(m: Primitives, x: Number) -> tuple[Number]:
    high, low, outer, missing = _arcs(m, x)
    low = m.where(outer, low + missing, low)
    signed = m.where(x < 0.0, m.where(outer, -2.0, 1.0), m.where(outer, 2.0, -1.0))
    count = m.where(outer, m.where(x < 0.0, 4.0, 0.0), 2.0)
    turn = count * _QUARTER_PI[0]
    high, low = high * signed, low * signed
    angle = turn + high
    return (angle + (((turn - angle) + high) + (count * _QUARTER_PI[1] + low)),)


def _within_farthest(m: Primitives, x: Number) -> Any:
    del m
    return abs(x) <= FARTHEST


def _within_sizes(m: Primitives, y: Number, x: Number) -> Any:
    height, width = abs(y), abs(x)
    a, b = m.where(height > width, width, height), m.where(height > width, height, width)
    return (b >= LEAST) & (b <= LARGEST) & ((a >= LEAST) | (a <= 0.0))


@dataclass(frozen=True, slots=True)
class Elementary:
    """A function, or a pair that is computed together.

    Attributes:
        name: Of what is computed.
        operations: For each value its operation.
        arguments: How many.
        equations: (primitives, arguments) -> values.
        inside: (primitives, arguments) -> whether the equations hold; elsewhere the C library computes. None: always.
        signed: Whether the values are those of a positive first argument, whose sign they are to get.
        near: The same for arguments up to `NEAR`, with the same bits in fewer operations, for code that can branch; the
            first value is to get the sign of the argument, which a zero would lose.
    """

    name: str
    operations: tuple[int, ...]
    arguments: int
    equations: Callable[..., tuple[Number, ...]]
    inside: Callable[..., Any] | None = None
    signed: bool = False
    near: Callable[..., tuple[Number, ...]] | None = None


FUNCTIONS: tuple[Elementary, ...] = (
    Elementary("sincos", (ops.SIN, ops.COS), 1, _sincos, _within_farthest, near=_sincos_near),
    Elementary("tan", (ops.TAN,), 1, _tan, _within_farthest),
    Elementary("asin", (ops.ASIN,), 1, _asin, signed=True),
    Elementary("acos", (ops.ACOS,), 1, _acos),
    Elementary("atan", (ops.ATAN,), 1, _atan, signed=True),
    Elementary("atan2", (ops.ATAN2,), 2, _angle, _within_sizes, signed=True),
)

BY_OPERATION: dict[int, Elementary] = {op: function for function in FUNCTIONS for op in function.operations}


def on_floats(op: int, library: Callable[..., float] | None) -> Callable[..., float]:
    """The value of an operation on floats; `library` is asked where the equations do not hold, if anywhere."""
    function = BY_OPERATION[op]
    place, equations, inside = function.operations.index(op), function.equations, function.inside

    def value(*arguments: float) -> float:
        if inside is not None and library is not None and not inside(FLOATS, *arguments):
            return library(*arguments)
        found: float = equations(FLOATS, *arguments)[place]
        return math.copysign(found, arguments[0]) if function.signed else found

    return value
