"""Derivatives below branches: what the branch not taken holds, finite or not, never reaches them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gough import graph as g
from tests.support.evaluated import computed


def slopes(function: Any, at: Any) -> list[Any]:
    """Value, forward and reverse derivative, and the second derivative in both orders, along all ones."""

    def equations(x: Any) -> list[Any]:
        y = function(x)
        ones = np.ones(np.shape(x))
        forward, reverse = g.jvp(y, x, ones), np.sum(g.gradient(y, x))
        return [y, forward, reverse, g.jvp(forward, x, ones), np.sum(g.gradient(forward, x)), g.jvp(reverse, x, ones)]

    return list(computed(equations, x=at))


def unconverged(x: Any) -> Any:
    return g.root(lambda u: [u[0] * u[0] + 1.0 + x * x], [0.0], max_iter=5).solution[0]


def singular(x: Any) -> Any:
    return g.solve(g.array([[x, 2.0 * x], [x, 2.0 * x]]), g.array([x, 1.0]))[0]


SINGULAR_AT_ZERO = {
    "sqrt": g.sqrt,
    "recip": lambda x: 1.0 / x,
    "log": g.log,
    "acos": lambda x: g.acos(1.0 + x),
    "asin": lambda x: g.asin(1.0 + x),
    "acos outside": lambda x: g.acos(2.0 + x),
    "atan2": lambda x: g.atan2(x, x),
    "0 * inf": lambda x: x * (1.0 / x),
    "inf * inf": lambda x: (1.0 / x) * (1.0 / x) * x,
    "sqrt of negative": lambda x: g.sqrt(x - 1.0),
    "exp overflow": lambda x: g.exp(1.0 / x) * x,
    "solve": singular,
    "root": unconverged,
    "norm": lambda x: g.norm([x, 0.0, x * x]),
    "nested": lambda x: g.where(x > -1.0, g.sqrt(x) / x, g.log(x)),
    "maximum": lambda x: g.maximum(g.sqrt(x), 1.0 / x),
}


@pytest.mark.parametrize("name", sorted(SINGULAR_AT_ZERO))
def test_branch_not_taken_is_ignored(name: str) -> None:
    wild = SINGULAR_AT_ZERO[name]
    expected = [0.0, 2.0, 2.0, 2.0, 2.0, 2.0]
    assert slopes(lambda x: g.where(g.greater(g.absolute(x), 1.0), wild(x), 2.0 * x + x * x), 0.0) == expected
    assert slopes(lambda x: g.where(g.less_equal(g.absolute(x), 1.0), 2.0 * x + x * x, wild(x)), 0.0) == expected


@pytest.mark.parametrize("name", sorted(SINGULAR_AT_ZERO))
def test_shared_subexpressions_of_several_branches(name: str) -> None:
    wild = SINGULAR_AT_ZERO[name]

    def function(x: Any) -> Any:
        shared = wild(x)
        a = g.where(x > 1.0, shared * shared, 3.0 * x)
        b = g.where(x < -1.0, g.sin(shared) + a, x * x + a)
        return g.where(g.equal(x, 7.0), shared, b) + g.where(x > 2.0, g.where(x < 3.0, shared, 1.0 / shared), 0.0)

    assert slopes(function, 0.0) == [0.0, 3.0, 3.0, 2.0, 2.0, 2.0]


@pytest.mark.parametrize("name", ["sqrt", "log", "acos", "recip"])
def test_maximum_and_minimum_below_other_branches(name: str) -> None:
    wild = SINGULAR_AT_ZERO[name]

    def function(x: Any) -> Any:
        low = g.minimum(x, 5.0)
        return g.where(low > 1.0, g.maximum(wild(low), low), x * x)

    assert slopes(function, 0.0) == [0.0, 0.0, 0.0, 2.0, 2.0, 2.0]


@pytest.mark.parametrize(
    ("steep", "frozen"),
    [
        (g.sqrt, 0.0),
        (g.asin, 1.0),
        (g.acos, -1.0),
        (lambda w: g.atan(1.0 / w), 0.0),
        (lambda w: g.exp(g.log(w)), 0.0),
        (lambda w: g.atan2(w, 0.0 * w), 0.0),
        (lambda w: g.norm([w, 2.0 * w]), 0.0),
        (lambda w: g.root(lambda u: [u[0] * u[0] - w], [0.0]).solution[0], 0.0),
        (lambda w: g.sqrt(g.solve([[2.0]], [w])[0]), 0.0),
    ],
)
def test_constant_branch_under_a_steep_slope(steep: Any, frozen: float) -> None:
    """f(where(x > 0, x, c)) is constant below 0 and has derivative 0 there, also where f has an infinite slope at c."""
    value, *derivatives = slopes(lambda x: steep(g.where(x > 0.0, 0.5 * x, frozen)), -1.0)
    assert np.isfinite(value)
    assert derivatives == [0.0] * 5


def test_forward_and_reverse_agree_inside_clamps() -> None:
    for at in (-2.0, -1.0, 0.0, 1.0, 2.0):
        _, forward, reverse, *seconds = slopes(lambda x: g.acos(g.minimum(g.maximum(x, -1.0), 1.0)), at)
        if abs(at) > 1.0:
            assert [forward, reverse, *seconds] == [0.0] * 5
        else:
            assert forward == reverse


def test_root_taken_and_not_taken() -> None:
    """sqrt by Newton where it exists, something else elsewhere."""

    def function(x: Any) -> Any:
        found = g.root(lambda u: [u[0] * u[0] - x], [1.0])
        return g.where(found.converged, found.solution[0], 3.0 * x)

    assert slopes(function, -4.0) == [-12.0, 3.0, 3.0, 0.0, 0.0, 0.0]
    np.testing.assert_allclose(slopes(function, 4.0), [2.0, 0.25, 0.25, -1 / 32, -1 / 32, -1 / 32], rtol=1e-15)


def test_guards_end_where_both_branches_use_a_value() -> None:
    """Below a value that either branch uses nothing needs guarding."""

    def function(x: Any) -> Any:
        shared = x[0] * x[1] * x[2]
        return g.where(x[0] > 0.0, 2.0 * shared, 3.0 * shared)

    plain = g.count(g.record(lambda x: g.gradient(x[0] * x[1] * x[2], x), x=3))
    guarded = g.count(g.record(lambda x: g.gradient(function(x), x), x=3))
    assert guarded.select <= plain.select + 4


def test_conditions_have_no_derivative() -> None:
    assert slopes(lambda x: g.where(x > 0.0, 1.0, 2.0) * x, 3.0)[1:3] == [1.0, 1.0]
