"""Paths: a solution is followed to the end, past near misses, and stops at a fold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gough import graph as g
from gough.run import Program
from tests.support.evaluated import evaluated


def near_miss(x: Any) -> dict[str, Any]:
    """u^2 = (2 s - 1)^2 + x from u > 0: two solutions that pass each other at a distance of 2 sqrt(x), or meet."""
    return g.follow(lambda u, s: [u[0] * u[0] - (2.0 * s - 1.0) ** 2 - x], [g.sqrt(1.0 + x)], [1.0])._asdict()


@pytest.mark.parametrize("gap", [1e-2, 1e-4, 1e-8])
def test_a_near_miss_is_passed_on_the_same_side(gap: float) -> None:
    """A step over it goes on straight, to the other solution."""
    found = evaluated(g.record(near_miss, x=()), x=gap)
    assert (found["arrived"], found["left"]) == (1.0, 0.0)
    assert found["solution"][0] == pytest.approx(np.sqrt(1.0 + gap), rel=1e-6)


@pytest.mark.parametrize("gap", [-1e-6, -1e-2, -0.5])
def test_a_fold_ends_the_path(gap: float) -> None:
    found = evaluated(g.record(near_miss, x=()), x=gap)
    assert found["arrived"] == 0.0
    fold = 0.5 - 0.5 * np.sqrt(-gap)
    assert found["left"] == pytest.approx(1.0 - fold, abs=1e-9)
    assert found["left"] > 1.0 - fold


def test_a_path_that_ends_at_its_fold_leaves_round_off() -> None:
    found = g.follow(lambda u, s: [u[0] * u[0] + s - 1.0], [1.0], [1.0])
    assert found.left <= 2.0**-36


def test_nothing_moves() -> None:
    found = g.follow(lambda u, _s: [u[0] - 2.0, u[1] * u[0]], [2.0, 0.0], [1.0, 1.0])
    assert found.solution.tolist() == [2.0, 0.0]
    assert found.arrived is True


def circle(x: Any) -> dict[str, Any]:
    path = g.follow(
        lambda u, s: [u[0] ** 2 + u[1] ** 2 - 1.0 - s * x[0], u[1] - s * x[1] * u[0]], [1.0, 0.0], [1.0, 1.0]
    )
    end = g.root(lambda u: [u[0] ** 2 + u[1] ** 2 - 1.0 - x[0], u[1] - x[1] * u[0]], path.solution)
    derivative = g.jacobian(end.solution, x)
    return {
        "u": end.solution,
        "arrived": path.arrived,
        "left": path.left,
        "J": derivative,
        "of": g.jvp(path.left, x, x),
    }


X = np.array([[1.0, 2.0], [-2.0, 0.3], [0.0, 0.0], [5.0, -40.0], [-0.999, 0.1]])


def test_a_sample_depends_on_nothing_but_itself_on_every_executor() -> None:
    graph = g.record(circle, x=2)
    results = [Program(graph, executor=name)(x=X) for name in ("floats", "blocks", "llvm")]
    for found in results:
        for name, value in found.items():
            assert np.array_equal(value, results[0][name], equal_nan=True), name
        assert found["arrived"].tolist() == [True, False, True, True, True]
        assert (found["of"] == 0.0).all()
    alone = [Program(graph, executor="blocks")(x=row) for row in X]
    for k, found in enumerate(alone):
        for name, value in found.items():
            assert np.array_equal(value, results[0][name][k], equal_nan=True), name


def test_mistakes() -> None:
    with pytest.raises(ValueError, match="a path has 2 unknowns but 1 equations"):
        g.follow(lambda u, s: [u[0] + u[1] - s], [0.0, 0.0], [1.0, 1.0])


@pytest.mark.parametrize("scale", [1e-7, 1e-4, 1e-2])
def test_a_step_that_fails_is_made_smaller_until_it_holds(scale: float) -> None:
    """Out and back: what a step leaves in the third order is much beside its own size, at half its length too."""
    found = g.follow(lambda u, s: [u[0] - scale * (s**3 - 0.25 * s)], [0.0], [1.0])
    assert found.arrived
    assert found.left == 0.0
    assert found.solution[0] == pytest.approx(0.75 * scale, rel=0.01)
