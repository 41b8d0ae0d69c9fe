"""+ - * / sqrt, compare, select and what is made of them: the same bits on every executor."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gough.graph import expand, record, solve, where
from gough.graph.evaluate import evaluate
from gough.run import Program
from tests.run.same_bits import COMPILERS, assert_same, inputs
from tests.support.random_graphs import graphs, random_graph

EVERYWHERE = settings(max_examples=20, deadline=None)


@EVERYWHERE
@given(graph=graphs(50, exact_only=True), seed=st.integers(0, 2**32))
def test_all_executors_widths_and_levels_agree(graph, seed):
    given_inputs = inputs(Random(seed), rows=19)
    expected = Program(graph, "floats")(**given_inputs)
    for options in [{"executor": "blocks"}, *COMPILERS]:
        assert_same(Program(graph, **options)(**given_inputs), expected, options)


@EVERYWHERE
@given(graph=graphs(50, exact_only=True), seed=st.integers(0, 2**32))
def test_the_definition_of_the_operations_agrees(graph, seed):
    given_inputs = inputs(Random(seed), rows=5)
    found = Program(graph, "floats").bind(5)
    for name, values in given_inputs.items():
        found.inputs[name][...] = values
    found()
    flat = expand(graph)
    for row, x in enumerate(given_inputs["x"]):
        flat_inputs = [float(v) for v in (*x, *given_inputs["p"])]
        expected = evaluate(flat.nodes, flat.inners, flat.output_nodes, flat_inputs)
        assert_same([v for o in found.outputs.values() for v in o[row].flat], expected, row)


@pytest.mark.parametrize("seed", range(3))
def test_long_graphs_agree(seed):
    """Several pieces, with solves and roots among them."""
    graph = random_graph(Random(seed), 1500, exact_only=True, outputs=12)
    given_inputs = inputs(Random(seed + 100), rows=11, special=0.1)
    expected = Program(graph, "floats")(**given_inputs)
    for options in [{"executor": "blocks"}, COMPILERS[3 * seed], COMPILERS[3 * seed + 2]]:
        assert_same(Program(graph, **options)(**given_inputs), expected, options)


def test_large_systems_agree():
    rng = np.random.default_rng(5)
    A, b = rng.normal(size=(23, 6, 6)), rng.normal(size=(23, 6))
    A[3] = 0.0
    A[4, 2] = A[4, 1]
    A[5, :, 3] = np.inf
    graph = record(lambda A, b: solve(A, b), A=(6, 6), b=6)
    expected = Program(graph, "floats")(A=A, b=b)
    for options in [{"executor": "blocks"}, *COMPILERS]:
        assert_same(Program(graph, **options)(A=A, b=b), expected, options)
    good = np.r_[0:3, 6:23]
    np.testing.assert_allclose(expected[good], np.linalg.solve(A[good], b[good][..., None])[..., 0], rtol=1e-10)


def test_no_contraction_into_fused_operations():
    """a * b - c with a * b rounded first: 0, where a fused operation would leave the rounding error."""
    a = 1.0 + 2.0**-30
    graph = record(lambda a, b, c: a * b - c, a=(), b=(), c=())
    for options in [{"executor": "floats"}, {"executor": "blocks"}, *COMPILERS]:
        assert Program(graph, **options)(a=a, b=a, c=a * a) == 0.0


def test_branches_not_taken_do_not_leak():
    graph = record(lambda x: where(x > 0.0, 1.0 / x, 0.0), x=())
    for options in [{"executor": "floats"}, {"executor": "blocks"}, *COMPILERS]:
        assert_same(Program(graph, **options)(x=[0.0, -0.0, 4.0, np.nan]), [0.0, 0.0, 0.25, 0.0], options)
