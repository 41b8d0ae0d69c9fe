"""Random graphs over all operations, and the numbers that break them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from hypothesis import strategies as st

from gough import graph as g

EXACT: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
    "recip": lambda a: 1.0 / a,
    "square": lambda a: a**2,
    "sqrt": g.sqrt,
    "abs": g.absolute,
    "sign": g.sign,
    "floor": g.floor,
    "min": g.minimum,
    "max": g.maximum,
    "bounded recip": lambda a: 1.0 / (1.5 + a * a),
    "bounded sqrt": lambda a: g.sqrt(g.absolute(a) + 0.125),
}
"""Operations on numbers whose bits are the same everywhere."""

ELEMENTARY: dict[str, Callable[..., Any]] = {
    "sin": g.sin,
    "cos": g.cos,
    "tan": g.tan,
    "asin": g.asin,
    "acos": g.acos,
    "atan": g.atan,
    "atan2": g.atan2,
    "exp": g.exp,
    "log": g.log,
    "bounded asin": lambda a: g.asin(a / (1.25 + g.absolute(a))),
    "bounded acos": lambda a: g.acos(a / (1.25 + g.absolute(a))),
    "bounded exp": lambda a: g.exp(-g.absolute(a)),
    "bounded log": lambda a: g.log(g.absolute(a) + 0.5),
}
"""Operations on numbers that a library computes to some ulp."""

BINARY = frozenset(("add", "sub", "mul", "div", "min", "max", "atan2"))
COMPARISONS = (g.less, g.less_equal, g.greater, g.greater_equal, g.equal, g.not_equal)


def random_graph(
    rng: Random,
    size: int,
    *,
    exact_only: bool = False,
    compound: bool = True,
    inputs: int = 4,
    parameters: int = 2,
    outputs: int = 3,
) -> g.Graph:
    """A graph of about `size` random operations.

    Its inputs are `x` (inputs,) and the shared `p` (parameters,); its outputs `y` (outputs,), a truth value `holds` and
    a whole number `code`.

    Args:
        rng: Where the choices come from.
        size: How many times an operation is drawn.
        exact_only: Only operations whose bits are the same everywhere.
        compound: Also linear solves and roots.
        inputs, parameters, outputs: Sizes.
    """
    return g.record(
        lambda x, p: _Equations(rng, [*x, *p], exact_only, compound).outputs(size, outputs),
        x=inputs,
        p=g.Input((parameters,), shared=True),
    )


class _Equations:
    """A growing pool of recorded numbers and truth values."""

    def __init__(self, rng: Random, numbers: list[Any], exact_only: bool, compound: bool) -> None:
        self.rng = rng
        self.numbers = numbers
        self.truths: list[Any] = [numbers[0] < numbers[-1]]
        self.functions = EXACT if exact_only else {**EXACT, **ELEMENTARY}
        self.kinds = ["number"] * 12 + ["compare"] * 2 + ["logic", "where", "where", "finite", "constant"]
        self.kinds += ["solve", "root"] if compound else []

    def outputs(self, size: int, count: int) -> dict[str, Any]:
        for _ in range(size):
            getattr(self, f"_{self.rng.choice(self.kinds)}")()
        y = [self.numbers[-1], *[self._pick() for _ in range(count - 1)]]
        return {"y": y, "holds": self.truths[-1], "code": g.Integer(g.floor(g.minimum(g.absolute(self._pick()), 9.0)))}

    def _pick(self) -> Any:
        """A number, more often a recent one."""
        pool = self.numbers[-8:] if self.rng.random() < 0.6 else self.numbers
        return self.rng.choice(pool)

    def _number(self) -> None:
        name = self.rng.choice(sorted(self.functions))
        args = [self._pick() for _ in range(2 if name in BINARY else 1)]
        self.numbers.append(self.functions[name](*args))

    def _constant(self) -> None:
        self.numbers.append(self._pick() * self.rng.choice([0.5, -3.0, 0.1, 7.25, 1e-3]))

    def _compare(self) -> None:
        self.truths.append(self.rng.choice(COMPARISONS)(self._pick(), self._pick()))

    def _logic(self) -> None:
        a, b = self.rng.choice(self.truths), self.rng.choice(self.truths)
        self.truths.append(self.rng.choice([a & b, a | b, ~a]))

    def _finite(self) -> None:
        self.truths.append(g.isfinite(self._pick()))

    def _where(self) -> None:
        self.numbers.append(g.where(self.rng.choice(self.truths), self._pick(), self._pick()))

    def _solve(self) -> None:
        n = self.rng.randrange(1, 4)
        A = g.array([[g.minimum(g.absolute(self._pick()), 3.0) for _ in range(n)] for _ in range(n)])
        b = g.array([self._pick() for _ in range(n)])
        kind = self.rng.choice(["plain", "transposed", "spd", "constant"])
        if kind == "plain":
            x = g.solve(A, b)
        elif kind == "transposed":
            x = g.solve_transposed(A + np.eye(n), b)
        elif kind == "spd":
            x = g.solve(g.factor(A.T @ A + np.eye(n), spd=True), b)
        else:
            x = g.solve(np.eye(n)[::-1] * 2.0 + 0.25, b)
        self.numbers += list(x)

    def _root(self) -> None:
        a, b, c = g.absolute(self._pick()), self._pick(), self.rng.choice(self.truths)
        b = b / (1.0 + g.absolute(b))

        def residual(u: Any) -> Any:
            if len(u) == 1:
                return [u[0] ** 3 + (1.0 + a) * u[0] - b]
            return [2.0 * u[0] + a * u[0] + 0.25 * u[1] * u[1] - b, u[1] + g.where(c, 0.25, -0.5) * u[0] - 0.1]

        found = g.root(residual, [0.0] * self.rng.randrange(1, 3))
        self.numbers += list(found.solution)
        self.truths.append(found.converged)


def graphs(max_size: int = 40, **options: Any) -> st.SearchStrategy[g.Graph]:
    """Random graphs that hypothesis can shrink; `options` are those of `random_graph`."""
    return st.builds(
        lambda rng, size: random_graph(rng, size, **options),
        st.randoms(use_true_random=False),
        st.integers(1, max_size),
    )


def ordinary_values(rng: Random, count: int) -> np.ndarray:
    """(count,) numbers of everyday size with all their digits."""
    return np.array([rng.uniform(-2.5, 2.5) for _ in range(count)])


def special_values() -> np.ndarray:
    """Numbers at the edges: signed zeros, subnormals, inf, NaN, huge, tiny, and next to multiples of pi/2."""
    edges = [0.0, 5e-324, 2.2250738585072014e-308, 1e-300, 1e-160, 2.0**-53, 0.5, np.nextafter(1.0, 0.0), 1.0]
    edges += [np.nextafter(1.0, 2.0), 1.5, 2.0**52 + 0.5, 2.0**53, 1e9, 1e22, 1e160, 1.7976931348623157e308, np.inf]
    near_pi = [k * np.pi / 2 for k in (1, 2, 3, 4, 101, 1000001, 6381956970095103)]
    near_pi += [np.nextafter(v, 0.0) for v in near_pi] + [np.nextafter(v, np.inf) for v in near_pi]
    positive = np.array(edges + near_pi)
    return np.concatenate([positive, -positive, [np.nan]])
