"""Names of the elementary functions in LLVM IR, and constants as LLVM writes them."""

from __future__ import annotations

from gough.graph import ieee, ops

LIBM = {
    ops.SIN: "sin",
    ops.COS: "cos",
    ops.TAN: "tan",
    ops.ATAN2: "atan2",
    ops.EXP: "exp",
    ops.LOG: "log",
}
"""Functions of the C library by operation; see `gough.graph.elementary` for those of our own."""


def constant(value: float) -> str:
    """A double as LLVM writes it: by its bits."""
    return f"0x{ieee.bits(value) & (2**64 - 1):016X}"


def splat(value: float) -> str:
    """A vector with this value in every lane."""
    return f"splat (double {constant(value)})"
