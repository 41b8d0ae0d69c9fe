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

_LARGEST = 2.0**30
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
        from gough.run.llvm.arctangent import write_atan2

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
    large = f.put(f"fcmp ugt {v} {size}, {splat(_LARGEST)}")
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
