"""C expressions of single operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gough.codegen.c_module import Module
from gough.graph import ops
from gough.graph.elementary import BY_OPERATION

_INFIX = {ops.ADD: "+", ops.SUB: "-", ops.MUL: "*", ops.DIV: "/"}
_COMPARE = {ops.LT: "<", ops.LE: "<=", ops.EQ: "==", ops.NE: "!=", ops.AND: "&&", ops.OR: "||"}
_HELPERS = {ops.MIN: "min", ops.MAX: "max", ops.SIGN: "sign", ops.FLOOR: "floor"}
_LIBRARY = {ops.SQRT: "sqrt", ops.ABS: "fabs", ops.EXP: "exp", ops.LOG: "log"}


def expression(module: Module, op: int, operands: Sequence[str], called: Callable[[str], str]) -> str:
    """The expression of an operation, which may stand within another.

    Args:
        module: Where it stands.
        op: Which.
        operands: Their expressions.
        called: By the name of an elementary function the C function that computes it, which is called from now on.
    """
    a, *rest = operands
    given = ", ".join(bare(x) for x in operands)
    if op in _INFIX:
        return f"({a} {_INFIX[op]} {rest[0]})"
    if op in _COMPARE:
        return f"({a} {_COMPARE[op]} {rest[0]})"
    if op in _LIBRARY:
        return f"{module.library(_LIBRARY[op])}({given})"
    if op in _HELPERS:
        module.helpers.add(_HELPERS[op])
        return f"{module.prefix}_{_HELPERS[op]}({given})"
    if op in BY_OPERATION:
        name = ops.NAMES[op]
        return f"{module.library(name) if module.single else called(name)}({given})"
    if op == ops.NEG:
        return f"(-{a})"
    if op == ops.RECIP:
        return f"({module.literal(1.0)} / {a})"
    if op == ops.SELECT:
        module.helpers.add("choose")
        return f"{module.prefix}_choose({given})"
    if op == ops.NOT:
        return f"(!{a})"
    assert op == ops.ISFINITE
    return f"({module.library('fabs')}({given}) <= {module.largest})"


def bare(text: str) -> str:
    """An expression without the parentheses around it."""
    if not text.startswith("(") or not text.endswith(")") or text.startswith(("(double)", "(-")):
        return text
    depth = 0
    for k, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and k < len(text) - 1:
            return text
    return text[1:-1]
