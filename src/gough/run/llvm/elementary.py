"""Elementary functions in LLVM IR on vectors of doubles.

sin and cos: the argument is brought to [-pi/4, pi/4] with pi/2 in three full doubles and fused multiply-adds, kept as a
sum of two doubles, and put into polynomials (minimax fits, relative error below 4e-18). The largest error
found is 0.76 ulp (`tests/run/test_elementary.py`). Arguments above 2^30 and everything not finite go to the C library,
lane by lane, and so do the other functions; atan2 has a file of its own.
"""

from __future__ import annotations

from gough.graph import ops

LIBM = {
    ops.SIN: "sin",
    ops.COS: "cos",
    ops.TAN: "tan",
    ops.ASIN: "asin",
    ops.ACOS: "acos",
    ops.ATAN: "atan",
    ops.ATAN2: "atan2",
    ops.EXP: "exp",
    ops.LOG: "log",
}

SINCOS = frozenset((ops.SIN, ops.COS))

_FARTHEST = 2.0**30
_TWO_OVER_PI = float.fromhex("0x1.45f306dc9c883p-1")
_PIO2 = tuple(map(float.fromhex, ("0x1.921fb54442d18p+0", "0x1.1a62633145c07p-54", "-0x1.f1976b7ed8fbcp-110")))
_ROUND = 1.5 * 2.0**52
_SIN = (
    "-0x1.5555555555548p-3 0x1.111111110f7c9p-7 -0x1.a01a019bfd123p-13 "
    "0x1.71de35670e05fp-19 -0x1.ae5e59f298af3p-26 0x1.5d8fa2581e71ap-33"
).split()
_COS = (
    "0x1.555555555554bp-5 -0x1.6c16c16c14f89p-10 0x1.a01a019c8387ep-16 "
    "-0x1.27e4f7ea31bd4p-22 0x1.1ee9d74ef78c1p-29 -0x1.8fa4643880e1fp-37"
).split()


def constant(value: float) -> str:
    """A double as LLVM writes it: by its bits."""
    from gough.graph import ieee

    return f"0x{ieee.bits(value) & (2**64 - 1):016X}"


def splat(value: float) -> str:
    """A vector with this value in every lane."""
    return f"splat (double {constant(value)})"


def definitions(used: set[int], width: int) -> str:
    """IR of the functions `@g.NAME` for the operations used; sin and cos are one, `@g.sincos`."""
    vector = f"<{width} x double>"
    text = [f"declare {vector} @llvm.fma.v{width}f64({vector}, {vector}, {vector})"]
    if used & SINCOS:
        text.append(_sincos(width))
    if ops.ATAN2 in used:
        text.append(write_atan2(width))
    text += [_by_lane(LIBM[op], width) for op in sorted(used - SINCOS - {ops.ATAN2})]
    return "\n".join(text)


def _by_lane(name: str, width: int) -> str:
    vector = f"<{width} x double>"
    lines = [f"declare double @{name}(double)", f"define internal {vector} @g.{name}({vector} %a) {{"]
    before = "poison"
    for k in range(width):
        lines.append(f"  %a{k} = extractelement {vector} %a, i32 {k}")
        lines.append(f"  %y{k} = call double @{name}(double %a{k})")
        lines.append(f"  %v{k} = insertelement {vector} {before}, double %y{k}, i32 {k}")
        before = f"%v{k}"
    return "\n".join([*lines, f"  ret {vector} {before}", "}"])


class Lines:
    """IR lines of one function on vectors, with a method per instruction."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.vector = f"<{width} x double>"
        self.lines: list[str] = []

    def put(self, text: str) -> str:
        """Name of a new value."""
        name = f"%t{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def binary(self, op: str, a: str, b: str) -> str:
        """a op b."""
        return self.put(f"{op} {self.vector} {a}, {b}")

    def negative(self, a: str) -> str:
        """-a."""
        return self.put(f"fneg {self.vector} {a}")

    def absolute(self, a: str) -> str:
        """|a|."""
        return self.put(f"call {self.vector} @llvm.fabs.v{self.width}f64({self.vector} {a})")

    def compare(self, predicate: str, a: str, b: str) -> str:
        """A mask."""
        return self.put(f"fcmp {predicate} {self.vector} {a}, {b}")

    def fma(self, a: str, b: str, c: str) -> str:
        """a b + c, rounded once."""
        v = self.vector
        return self.put(f"call {v} @llvm.fma.v{self.width}f64({v} {a}, {v} {b}, {v} {c})")

    def polynomial(self, coefficients: list[str], z: str) -> str:
        """By Horner's rule, the constant first."""
        *rest, last = [splat(float.fromhex(c)) for c in coefficients]
        value = last
        for c in reversed(rest):
            value = self.fma(value, z, c)
        return value

    def select(self, condition: str, a: str, b: str) -> str:
        """a where the condition holds, else b."""
        return self.put(f"select <{self.width} x i1> {condition}, {self.vector} {a}, {self.vector} {b}")


def _reduced(f: Lines, x: str) -> tuple[str, str, str]:
    """(hi, lo, bits): x = k pi/2 + hi + lo with the integer k in the low bits of `bits`."""
    shifted = f.binary("fadd", f.binary("fmul", x, splat(_TWO_OVER_PI)), splat(_ROUND))
    k = f.binary("fsub", shifted, splat(_ROUND))
    minus_k = f.put(f"fneg {f.vector} {k}")
    p1, p2, p3 = map(splat, _PIO2)
    r0 = f.fma(minus_k, p1, x)
    w = f.binary("fmul", k, p2)
    w_low = f.fma(k, p2, f.put(f"fneg {f.vector} {w}"))
    r1 = f.binary("fsub", r0, w)
    back = f.binary("fsub", r1, r0)
    lost = f.binary("fsub", f.binary("fsub", r0, f.binary("fsub", r1, back)), f.binary("fadd", w, back))
    low = f.fma(minus_k, p3, f.binary("fsub", lost, w_low))
    hi = f.binary("fadd", r1, low)
    lo = f.binary("fadd", f.binary("fsub", r1, hi), low)
    return hi, lo, f.put(f"bitcast {f.vector} {shifted} to <{f.width} x i64>")


def _quadrant(f: Lines, bits: str, even: str, odd: str) -> str:
    """`even` or `odd` by the lowest of the bits, with the sign of the next."""
    v, i64 = f.vector, f"<{f.width} x i64>"
    low = f.put(f"and {i64} {bits}, splat (i64 1)")
    chosen = f.select(f.put(f"icmp ne {i64} {low}, zeroinitializer"), odd, even)
    sign = f.put(f"shl {i64} {f.put(f'and {i64} {bits}, splat (i64 2)')}, splat (i64 62)")
    signed = f.put(f"xor {i64} {f.put(f'bitcast {v} {chosen} to {i64}')}, {sign}")
    return f.put(f"bitcast {i64} {signed} to {v}")


def _sincos(width: int) -> str:
    """IR of `@g.sincos`, which returns both: equations that need one nearly always need the other too."""
    f = Lines(width)
    v = f.vector
    hi, lo, bits = _reduced(f, "%x")
    z = f.binary("fmul", hi, hi)
    half_z = f.binary("fmul", z, splat(0.5))
    one_less = f.binary("fsub", splat(1.0), half_z)
    odd = f.fma(f.binary("fmul", z, hi), f.polynomial(_SIN, z), f.binary("fmul", lo, one_less))
    sine = f.binary("fadd", hi, odd)
    rounding = f.binary("fsub", f.binary("fsub", splat(1.0), one_less), half_z)
    cross = f.put(f"fneg {v} {f.binary('fmul', hi, lo)}")
    even = f.fma(f.binary("fmul", z, z), f.polynomial(_COS, z), f.binary("fadd", rounding, cross))
    cosine = f.binary("fadd", one_less, even)
    sin = _quadrant(f, bits, sine, cosine)
    sin = f.select(f.put(f"fcmp oeq {v} %x, zeroinitializer"), "%x", sin)
    cos = _quadrant(f, f.put(f"add <{width} x i64> {bits}, splat (i64 1)"), sine, cosine)
    size = f.put(f"call {v} @llvm.fabs.v{width}f64({v} %x)")
    large = f.put(f"fcmp ugt {v} {size}, {splat(_FARTHEST)}")
    mask = f.put(f"bitcast <{width} x i1> {large} to i{width}")
    any_large = f.put(f"icmp ne i{width} {mask}, 0")
    return "\n".join(
        [
            "declare double @sin(double)",
            "declare double @cos(double)",
            f"define internal {{ {v}, {v} }} @g.sincos({v} %x) {{",
            "entry:",
            *f.lines,
            f"  br i1 {any_large}, label %lane, label %done",
            *_large_lanes(width, sin, cos, large),
            "}",
        ]
    )


def _large_lanes(width: int, sin: str, cos: str, large: str) -> list[str]:
    """The C library's values in the lanes that are too large, the others as they are."""
    v = f"<{width} x double>"
    return [
        "lane:",
        "  %k = phi i32 [ 0, %entry ], [ %k1, %next ]",
        f"  %s = phi {v} [ {sin}, %entry ], [ %s1, %next ]",
        f"  %c = phi {v} [ {cos}, %entry ], [ %c1, %next ]",
        f"  %is_large = extractelement <{width} x i1> {large}, i32 %k",
        "  br i1 %is_large, label %call, label %next",
        "call:",
        f"  %xk = extractelement {v} %x, i32 %k",
        "  %sk = call double @sin(double %xk)",
        "  %ck = call double @cos(double %xk)",
        f"  %s0 = insertelement {v} %s, double %sk, i32 %k",
        f"  %c0 = insertelement {v} %c, double %ck, i32 %k",
        "  br label %next",
        "next:",
        f"  %s1 = phi {v} [ %s, %lane ], [ %s0, %call ]",
        f"  %c1 = phi {v} [ %c, %lane ], [ %c0, %call ]",
        "  %k1 = add i32 %k, 1",
        f"  %more = icmp ult i32 %k1, {width}",
        "  br i1 %more, label %lane, label %done",
        "done:",
        f"  %sin = phi {v} [ {sin}, %entry ], [ %s1, %next ]",
        f"  %cos = phi {v} [ {cos}, %entry ], [ %c1, %next ]",
        f"  %one = insertvalue {{ {v}, {v} }} poison, {v} %sin, 0",
        f"  %both = insertvalue {{ {v}, {v} }} %one, {v} %cos, 1",
        f"  ret {{ {v}, {v} }} %both",
    ]


_LEAST, _LARGEST = 2.0**-400, 2.0**400
_ATAN = (
    "-0x1.5555555555555p-2 0x1.9999999999635p-3 -0x1.249249246ff40p-3 0x1.c71c71b4a654ep-4 -0x1.745d148b0cd9fp-4 "
    "0x1.3b13711d09f73p-4 -0x1.110d29c473000p-4 0x1.e18dfc9917fc7p-5 -0x1.acae04a87058dp-5 0x1.78d20ac799d97p-5 "
    "-0x1.320ff482d3705p-5 0x1.88f68579d02bbp-6 -0x1.18a2f995eb67dp-7"
).split()
_QUARTER = tuple(map(float.fromhex, ("0x1.921fb54442d18p-1", "0x1.1a62633145c07p-55")))
"""pi/4 as a sum of two doubles."""


def write_atan2(width: int) -> str:
    """IR of `@g.atan2`, the angle of a point.

    With b the larger and a the smaller of |x|, |y|: atan(a / b) where a <= b / 2, else pi/4 + atan((a - b) / (a + b)),
    whose numerator is exact. The quotient is kept with what its rounding left, as is every sum, and put into a
    polynomial (a minimax fit, relative error below 3e-19); the octant adds a multiple of pi/4 in two doubles. The
    largest error found is 0.61 ulp (`tests/run/test_elementary.py`). Points outside 2^-400 to 2^400, except on an axis,
    and everything not finite go to the C library, lane by lane.
    """
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
