"""Every reduction against NumPy on all rows, however the rows were cut."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from gough.studies.reductions import (
    Block,
    Extremes,
    Histogram,
    Moments,
    Pareto,
    Quantiles,
    Replicates,
    SobolIndices,
    Top,
    Yield,
)
from gough.studies.reductions.contract import packed, unpacked
from gough.studies.reductions.frequencies import ordered_bits, value_of_bits
from gough.studies.tree import Merger
from tests.support.lanes import size

LEAF = 100


def rows(seed: int, count: int = 1950) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    a = np.round(rng.normal(3.0, 2.0, count), 2)
    b = np.round(rng.lognormal(0.0, 1.0, count), 2) - 0.5 * a
    a[rng.random(count) < 0.02] = np.nan
    return {"a": a, "b": b, "c": rng.choice([0.0, -0.0, 1e-310, 5.0, -7.0], count)}


def reduced(reduction: Any, values: dict[str, Any], leaf: int = LEAF, cuts: tuple[int, ...] = ()) -> dict[str, Any]:
    """The result with leaves added in the order of stretches that end at the cuts, the last stretch first."""
    count = len(next(iter(values.values())))
    leaves = -(-count // leaf)
    whole: Merger[Any] = Merger(reduction.merge, leaves)
    ends = [0, *cuts, leaves]
    for first, last in reversed(list(pairwise(ends))):
        part: Merger[Any] = Merger(reduction.merge, leaves)
        for k in range(first, last):
            own = {name: v[k * leaf : (k + 1) * leaf] for name, v in values.items()}
            part.add((0, k), reduction.leaf(Block(k * leaf, own)))
        for node, state in part.nodes.items():
            whole.add(node, unpacked(packed(state)))
    return reduction.result(whole.root())


REDUCTIONS: list[Any] = [
    Extremes("a"),
    Top("a", 7),
    Top("b", 7, True),
    Moments("a"),
    Quantiles("a", (0.0, 0.1, 0.5, 0.99, 1.0)),
    Histogram("a", 0.0, 6.0, 13),
    Yield(("a", "b"), (-np.inf, 0.0), (4.0, np.inf)),
    Pareto(("a", "b"), (False, True)),
    Pareto(("a", "b", "c"), (False, False, True)),
    Replicates("b", 195, 10),
    SobolIndices("b", ("p",)),
]


@pytest.mark.parametrize("reduction", REDUCTIONS, ids=lambda r: r.name)
def test_the_bits_do_not_depend_on_how_rows_are_cut(reduction: Any) -> None:
    values = rows(1)
    leaf = 99 if isinstance(reduction, SobolIndices) else LEAF
    plain = reduced(reduction, values, leaf)
    for seed in range(size(40, 6)):
        rng = np.random.default_rng(seed)
        cuts = tuple(sorted(rng.choice(np.arange(1, 19), rng.integers(1, 10), replace=False).tolist()))
        assert repr(reduced(reduction, values, leaf, cuts)) == repr(plain)


@pytest.mark.parametrize("seed", range(3))
def test_against_numpy_on_all_rows(seed: int) -> None:
    values = rows(seed)
    a, good = values["a"], np.isfinite(values["a"])
    found = reduced(Extremes("a"), values)
    assert found["min"] == np.nanmin(a)
    assert found["min_machine"] == np.nanargmin(a)
    assert found["max"] == np.nanmax(a)
    assert found["max_machine"] == np.nanargmax(a)
    top = reduced(Top("a", 7), values)
    order = np.argsort(a[good], kind="stable")[:7]
    assert top["machines"] == np.flatnonzero(good)[order].tolist()
    assert top["values"] == a[good][order].tolist()
    moments = reduced(Moments("a"), values)
    assert moments["mean"] == pytest.approx(a[good].mean(), rel=1e-14)
    assert moments["variance"] == pytest.approx(a[good].var(ddof=1), rel=1e-13)
    assert moments["failed"] == (~good).sum()
    histogram = reduced(Histogram("a", 0.0, 6.0, 13), values)
    assert histogram["counts"] == np.histogram(a[good], np.linspace(0, 6, 14))[0].tolist()
    assert histogram["below"] == (a < 0.0).sum()
    assert histogram["above"] == (a > 6.0).sum()
    inside = reduced(Yield(("a", "b"), (-np.inf, 0.0), (4.0, np.inf)), values)
    assert inside["within"] == ((a <= 4.0) & (values["b"] >= 0.0)).sum()
    replicates = reduced(Replicates("b", 195, 10), values)
    assert replicates["mean"] == pytest.approx(values["b"].mean(), rel=1e-13)


@pytest.mark.parametrize("name", ["a", "b", "c"])
def test_quantiles_are_within_their_relative_error(name: str) -> None:
    values = rows(4)
    own = values[name][np.isfinite(values[name])]
    shares = (0.0, 0.01, 0.25, 0.5, 0.9, 1.0)
    found = reduced(Quantiles(name, shares), values)
    exact = np.quantile(own, shares, method="inverted_cdf")
    for share, value in zip(shares, exact, strict=True):
        assert abs(found["quantiles"][str(share)] - value) <= 2.0**-12 * max(abs(value), 2.0**-1022)


def test_ordered_bits_are_in_the_order_of_numbers() -> None:
    values = np.array([-np.inf, -1e300, -1.5, -1e-310, -0.0, 0.0, 5e-324, 1.0, 1.0000000000000002, np.inf])
    bits = ordered_bits(values)
    assert (np.diff(bits.astype(object)) > 0).all()
    assert np.array_equal(value_of_bits(bits).view(np.uint64), values.view(np.uint64))


@pytest.mark.parametrize("columns", [("a", "b"), ("a", "b", "c")])
@pytest.mark.parametrize("seed", range(3))
def test_the_front_is_what_no_other_machine_beats(columns: tuple[str, ...], seed: int) -> None:
    values = rows(seed)
    large = (False, True, False)[: len(columns)]
    found = reduced(Pareto(columns, large), values)
    costs = np.stack([-values[c] if up else values[c] for c, up in zip(columns, large, strict=True)], axis=1)
    numbers = np.flatnonzero(np.isfinite(costs).all(axis=1))
    best = [
        k for k in numbers if not any((costs[j] <= costs[k]).all() and (costs[j] < costs[k]).any() for j in numbers)
    ]
    assert sorted(found["machines"]) == best


def test_yield_intervals_cover_as_stated() -> None:
    """Clopper and Pearson's cover at least so often: 90 %; a lane of 4000 yields is off by less than 1.5 %."""
    rng = np.random.default_rng(8)
    covered = 0
    for k in range(4000):
        p = (0.02, 0.5, 0.93)[k % 3]
        good = rng.binomial(200, p)
        low, high = Yield(("a",), (0,), (1,), 0.9).result({"counts": np.array([good, 200])})["interval"]
        covered += low <= p <= high
    assert covered / 4000 > 0.885


def test_indices_of_a_function_that_is_known_and_their_intervals() -> None:
    """f = 4 x1 + 2 x2 + x1 x3 of uniform numbers in [-1, 1]: variances 16/3, 4/3 and 1/9 of 61/9."""
    from gough.problem import Varied
    from gough.studies.drawing import Drawing

    vary = tuple(Varied(f"x{k}", f"x{k}", 0.0, -1.0, 1.0) for k in (1, 2, 3))
    total = 61.0 / 9.0
    first, whole = np.array([48 / 9, 12 / 9, 0]) / total, np.array([49 / 9, 12 / 9, 1 / 9]) / total
    covered = np.zeros(2)
    runs = size(200, 40)
    for seed in range(runs):
        x = Drawing(vary, seed, True).values(0, 5 * 1600)
        f = 100.0 + 4.0 * x[:, 0] + 2.0 * x[:, 1] + x[:, 0] * x[:, 2]
        found = reduced(SobolIndices("f", ("x1", "x2", "x3"), 100.0, seed), {"f": f}, leaf=100)
        for k, (key, true) in enumerate((("first", first), ("total", whole))):
            ends = np.array(found[f"{key}_interval"])
            covered[k] += ((ends[:, 0] <= true) & (true <= ends[:, 1])).mean()
        if seed == 0:
            assert np.abs(np.array(found["first"]) - first).max() < 0.08
            assert np.abs(np.array(found["total"]) - whole).max() < 0.08
    assert (covered / runs > 0.95 - 3.0 * np.sqrt(0.95 * 0.05 / runs) - 0.02).all(), covered / runs
