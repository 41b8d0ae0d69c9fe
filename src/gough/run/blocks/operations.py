"""The operations of a graph on NumPy arrays; each writes into its last argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gough.graph import ops

Operation = Callable[..., Any]

_ONE, _MINUS_ONE = np.array(1.0), np.array(-1.0)


def copy(x: Any, out: Any) -> None:
    """x in all rows."""
    np.copyto(out, x)


def _select(condition: Any, a: Any, b: Any, out: Any) -> None:
    np.copyto(out, b)
    np.copyto(out, a, where=condition)


def _sign(x: Any, out: Any) -> None:
    np.copyto(out, x)
    np.copyto(out, _ONE, where=x > 0.0)
    np.copyto(out, _MINUS_ONE, where=x < 0.0)


def _minimum(a: Any, b: Any, out: Any) -> None:
    _select((b < a) | (b != b), b, a, out)


def _maximum(a: Any, b: Any, out: Any) -> None:
    _select((b > a) | (b != b), b, a, out)


def _recip(x: Any, out: Any) -> None:
    np.divide(_ONE, x, out)


IN_PLACE: dict[int, Operation] = {
    ops.ADD: np.add,
    ops.SUB: np.subtract,
    ops.MUL: np.multiply,
    ops.DIV: np.divide,
    ops.NEG: np.negative,
    ops.RECIP: _recip,
    ops.SQRT: np.sqrt,
    ops.ABS: np.abs,
    ops.FLOOR: np.floor,
    ops.LT: np.less,
    ops.LE: np.less_equal,
    ops.EQ: np.equal,
    ops.NE: np.not_equal,
    ops.AND: np.logical_and,
    ops.OR: np.logical_or,
    ops.NOT: np.logical_not,
    ops.ISFINITE: np.isfinite,
}
"""Operations that may write over what they read."""

APART: dict[int, Operation] = {
    ops.SELECT: _select,
    ops.SIGN: _sign,
    ops.MIN: _minimum,
    ops.MAX: _maximum,
    ops.SIN: np.sin,
    ops.COS: np.cos,
    ops.TAN: np.tan,
    ops.ASIN: np.arcsin,
    ops.ACOS: np.arccos,
    ops.ATAN: np.arctan,
    ops.ATAN2: np.arctan2,
    ops.EXP: np.exp,
    ops.LOG: np.log,
}
"""Operations that must not. NumPy's elementary functions could, but some then take another way to other bits."""
