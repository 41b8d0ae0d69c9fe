"""The angle of a point, atan2(y, x), in LLVM IR on vectors of doubles.

With b the larger and a the smaller of |x|, |y|: atan(a / b) where a <= b / 2, else pi/4 + atan((a - b) / (a + b)),
whose numerator is exact. The quotient is kept with what its rounding left, as is every sum, and put into a polynomial
(a minimax fit, relative error below 3e-19); the octant adds a multiple of pi/4 in two doubles. The largest error found
is 0.61 ulp (`tests/run/test_elementary.py`). Points outside 2^-400 to 2^400, except on an axis, and everything not
finite go to the C library, lane by lane.
"""

from __future__ import annotations

from gough.run.llvm.elementary import Lines, splat

_LEAST, _LARGEST = 2.0**-400, 2.0**400
_ATAN = (
    "-0x1.5555555555555p-2 0x1.9999999999635p-3 -0x1.249249246ff40p-3 0x1.c71c71b4a654ep-4 -0x1.745d148b0cd9fp-4 "
    "0x1.3b13711d09f73p-4 -0x1.110d29c473000p-4 0x1.e18dfc9917fc7p-5 -0x1.acae04a87058dp-5 0x1.78d20ac799d97p-5 "
    "-0x1.320ff482d3705p-5 0x1.88f68579d02bbp-6 -0x1.18a2f995eb67dp-7"
).split()
_QUARTER = tuple(map(float.fromhex, ("0x1.921fb54442d18p-1", "0x1.1a62633145c07p-55")))
"""pi/4 as a sum of two doubles."""


def write_atan2(width: int) -> str:
    """IR of `@g.atan2`."""
    f = Lines(width)
    v = f.vector
    size_y, size_x = f.absolute("%y"), f.absolute("%x")
    steep = f.compare("ogt", size_y, size_x)
    a, b = f.select(steep, size_x, size_y), f.select(steep, size_y, size_x)
    middle = f.compare("ogt", f.binary("fadd", a, a), b)
    total = f.binary("fadd", a, b)
    lost = f.binary("fsub", a, f.binary("fsub", total, b))
    zero = splat(0.0)
    n = f.select(middle, f.binary("fsub", a, b), a)
    d = f.select(middle, total, b)
    d_low = f.select(middle, lost, zero)
    inverse = f.binary("fdiv", splat(1.0), d)
    q = f.binary("fmul", n, inverse)
    minus_q = f.negative(q)
    left = f.fma(minus_q, d_low, f.fma(minus_q, d, n))
    z = f.binary("fmul", q, q)
    slope = f.fma(z, f.binary("fsub", z, splat(1.0)), splat(1.0))
    q_low = f.binary("fmul", f.binary("fmul", left, inverse), slope)
    low = f.fma(f.binary("fmul", q, z), f.polynomial(_ATAN, z), q_low)
    left_half = f.put(f"icmp slt <{width} x i64> {f.put(f'bitcast {v} %x to <{width} x i64>')}, zeroinitializer")
    back = f.put(f"xor <{width} x i1> {steep}, {left_half}")
    turn, turn_low = _octant(f, steep, left_half, middle)
    q, low = f.select(back, minus_q, q), f.select(back, f.negative(low), low)
    angle = f.binary("fadd", turn, q)
    rounding = f.binary("fadd", f.binary("fsub", turn, angle), q)
    angle = f.binary("fadd", angle, f.binary("fadd", rounding, f.binary("fadd", turn_low, low)))
    angle = f.put(f"call {v} @llvm.copysign.v{width}f64({v} {angle}, {v} %y)")
    usual = f.put(f"and <{width} x i1> {f.compare('oge', b, splat(_LEAST))}, {f.compare('ole', b, splat(_LARGEST))}")
    small = f.put(f"or <{width} x i1> {f.compare('oge', a, splat(_LEAST))}, {f.compare('oeq', a, zero)}")
    other = f.put(f"xor <{width} x i1> {f.put(f'and <{width} x i1> {usual}, {small}')}, splat (i1 true)")
    mask = f.put(f"bitcast <{width} x i1> {other} to i{width}")
    any_other = f.put(f"icmp ne i{width} {mask}, 0")
    return "\n".join(
        [
            "declare double @atan2(double, double)",
            f"declare {v} @llvm.copysign.v{width}f64({v}, {v})",
            f"define internal {v} @g.atan2({v} %y, {v} %x) {{",
            "entry:",
            *f.lines,
            f"  br i1 {any_other}, label %lane, label %done",
            *_other_lanes(width, angle, other),
            "}",
        ]
    )


def _octant(f: Lines, steep: str, left_half: str, middle: str) -> tuple[str, str]:
    """The multiple of pi/4 that the polynomial's angle is added to or taken from, in two doubles.

    From the x axis atan(a / b) is counted up, or down from pi to the left; from the y axis down, or up to the left. In
    the middle of an octant pi/4 comes in between.
    """
    side = f.select(left_half, splat(4.0), splat(0.0))
    count = f.select(steep, splat(2.0), side)
    back = f.put(f"xor <{f.width} x i1> {steep}, {left_half}")
    step = f.select(middle, f.select(back, splat(-1.0), splat(1.0)), splat(0.0))
    count = f.binary("fadd", count, step)
    high, low = (f.binary("fmul", count, splat(part)) for part in _QUARTER)
    rest = f.fma(count, splat(_QUARTER[0]), f.negative(high))
    return high, f.binary("fadd", low, rest)


def _other_lanes(width: int, angle: str, other: str) -> list[str]:
    """The C library's values in the lanes of other points, the rest as they are."""
    v = f"<{width} x double>"
    return [
        "lane:",
        "  %k = phi i32 [ 0, %entry ], [ %k1, %next ]",
        f"  %s = phi {v} [ {angle}, %entry ], [ %s1, %next ]",
        f"  %is_other = extractelement <{width} x i1> {other}, i32 %k",
        "  br i1 %is_other, label %call, label %next",
        "call:",
        f"  %yk = extractelement {v} %y, i32 %k",
        f"  %xk = extractelement {v} %x, i32 %k",
        "  %sk = call double @atan2(double %yk, double %xk)",
        f"  %s0 = insertelement {v} %s, double %sk, i32 %k",
        "  br label %next",
        "next:",
        f"  %s1 = phi {v} [ %s, %lane ], [ %s0, %call ]",
        "  %k1 = add i32 %k, 1",
        f"  %more = icmp ult i32 %k1, {width}",
        "  br i1 %more, label %lane, label %done",
        "done:",
        f"  %angle = phi {v} [ {angle}, %entry ], [ %s1, %next ]",
        f"  ret {v} %angle",
    ]
