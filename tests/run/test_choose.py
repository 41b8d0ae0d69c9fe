"""Which executor a program gets."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from gough.graph import Step, array, count, factor, iterate, record, solve
from gough.run import Program, choose
from tests.support.random_graphs import random_graph


@pytest.fixture(autouse=True)
def _no_level_is_stated(monkeypatch):
    monkeypatch.delenv("GOUGH_OPT", raising=False)


def test_by_default_it_is_compiled():
    assert Program(record(lambda x: x + 1.0, x=2)).executor == "llvm"


@pytest.mark.parametrize(("size", "executor", "level"), [(20, "llvm", 2), (200, "llvm", 1), (600, "llvm", 0)])
def test_the_level_falls_with_the_size(monkeypatch, size, executor, level):
    monkeypatch.setattr(choose, "OPT_LEVELS", ((20, 2), (200, 1), (600, 0)))
    monkeypatch.setattr(choose, "size_of", lambda graph: size)
    graph = record(lambda x: x + 1.0, x=2)
    assert Program(graph).executor == executor
    assert choose.level(graph) == level


def test_what_takes_too_long_to_compile_runs_on_numpy(monkeypatch):
    monkeypatch.setattr(choose, "OPT_LEVELS", ((5, 2),))
    graph = record(lambda x: sum(x[k] * k for k in range(2, 9)), x=9)
    assert choose.size_of(graph) > 5
    assert Program(graph).executor == "blocks"
    assert Program(graph, "llvm").executor == "llvm"


@pytest.mark.parametrize("seed", range(20))
def test_the_size_is_about_the_number_of_operations(seed):
    graph = random_graph(Random(seed), 200)
    assert 0.4 * count(graph).total - 10 <= choose.size_of(graph) <= 2.0 * count(graph).total + 10


@pytest.mark.parametrize("n", [2, 3, 4, 6, 9])
@pytest.mark.parametrize("spd", [False, True])
def test_the_size_of_systems(n, spd):
    graph = record(lambda A, b: solve(factor(A, spd=spd), b), A=(n, n), b=n)
    assert choose.size_of(graph) == pytest.approx(count(graph).total, rel=0.5)


@pytest.mark.parametrize("n", [3, 30, 70])
def test_the_size_of_a_repeated_step_is_that_of_the_step(n):
    def equations(x):
        return iterate(lambda u: Step(array([v * 0.5 + 1.0 for v in u]), u[0] < 5.0, u[0] > 5.0), x, 9).state

    assert 2 * n <= choose.size_of(record(equations, x=n)) <= 8 * n


def test_nothing_is_expanded_to_choose(monkeypatch):
    """A program from the cache is ready in a millisecond: its size must be known without expanding it."""
    graph = record(lambda A, b: solve(A, b), A=(6, 6), b=6)
    monkeypatch.setattr(choose, "expand", lambda graph: pytest.fail("expanded"))
    assert choose.size_of(graph) > 300
    assert np.isfinite(choose.level(graph))
