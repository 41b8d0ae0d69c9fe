"""How exported C code is put, so that processors run it fast: its bits stay those of the operations recorded."""

from __future__ import annotations

import re

import numpy as np
import pytest

import gough
from gough.codegen.c_choices import CommonChoices
from gough.codegen.c_module import Parameter
from gough.codegen.c_sines import neighbours
from gough.codegen.sample_inputs import sample_inputs
from gough.graph import absolute, array, expand, record, solve, where
from gough.graph.graph import Graph, ops
from tests.codegen.compiled import Library, differing, tool


def equations_of(size: int) -> Graph:
    """Equations with pivots, whose right-hand side is recorded after the matrix."""

    def equations(A, b):
        return solve(A, array([b[k] * 2.0 for k in range(size)]))

    return expand(record(equations, A=(size, size), b=size))


def test_rows_change_places_at_once():
    """A branch for each comparison of pivots, with the right-hand side in it; every operation once and in time."""
    graph = equations_of(4)
    found = CommonChoices(graph, range(len(graph.nodes)), {})
    comparisons = {node[1] for node in graph.nodes if node[0] == ops.SELECT}
    assert len(found.branches) == len(comparisons) == 6
    assert sorted(found.order) == list(range(len(graph.nodes)))
    turn = {i: k for k, i in enumerate(found.order)}
    assert all(turn[k] < turn[i] for i, node in enumerate(graph.nodes) for k in ops.operands(node))


def test_a_choice_that_needs_another_by_its_condition_comes_later():
    def equations(x):
        first = where(x[0] < x[1], x[1], x[0])
        second = where(x[0] < x[1], x[0], x[1])
        return array([where(x[0] < x[1], first * second, absolute(second)), first])

    graph = expand(record(equations, x=2))
    found = CommonChoices(graph, range(len(graph.nodes)), {})
    ((one, two),) = found.branches.values()
    assert {graph.nodes[one][2:], graph.nodes[two][2:]} == {graph.nodes[one][2:], graph.nodes[one][:1:-1]}
    assert len([i for i in found.order if graph.nodes[i][0] == ops.SELECT]) == 3


@pytest.mark.parametrize(
    ("size", "angles", "want"),
    [
        (6, (3, 4, 5), ("x", 2, 1, (3, 4, 5))),
        (6, (0, 1, 2), ("x", 0, 0, (0, 1, 2))),
        (6, (1, 2, 3, 4), ("x", 1, 0, (1, 2, 3, 4))),
        (3, (0, 1, 2), None),
        (6, (4, 5), None),
        (6, (1, 3, 5), None),
        (8, (0, 1, 2, 3, 4), None),
    ],
)
def test_angles_next_to_each_other(size, angles, want):
    texts = {k: f"x[{k}]" for k in angles} | {99: "parameters->angle"}
    parameters = [Parameter("y", "double y[9]"), Parameter("x", f"const double x[{size}]")]
    found = neighbours(angles[-1], texts, parameters)
    assert (found and (found.array, found.start, found.first, found.angles)) == want
    assert neighbours(99, texts, parameters) is None


def test_small_and_large_angles_have_the_bits(tmp_path):
    """By the loop over angles that are all small, and one by one as soon as one is not; zeros keep their signs."""
    tool("tcc")
    robot = gough.load("stewart")
    library = Library(robot, tmp_path, ["tcc"], ["inverse"])
    text = (tmp_path / "r.c").read_text()
    assert "fabs(x[3]) <= 0.785 && fabs(x[4]) <= 0.785 && fabs(x[5]) <= 0.785" in text
    inputs = {name: np.array(values[:40], dtype=float) for name, values in sample_inputs(robot, 60, 2).items()}
    edge = 0.785
    angles = [0.0, -0.0, 1e-310, edge, -edge, np.nextafter(edge, 1.0), 2.0, np.nan]
    inputs["x"][:, 3:] = np.random.default_rng(4).choice(angles, (40, 3))
    assert differing(library("inverse", inputs), library.by_gough("inverse", inputs)) == 0


def test_the_pivots_of_stewart_are_branches(tmp_path):
    """One for each comparison: fifteen of a six by six matrix, less six with elements that are zero."""
    tool("tcc")
    Library(gough.load("stewart"), tmp_path, ["tcc"], ["inverse"])
    text = (tmp_path / "r.c").read_text().partition("int r_inverse(")[2]
    blocks = re.findall(r"\n    if \(v\d+\) \{\n(.*?)\n    \} else", text, re.DOTALL)
    assert len(blocks) == 9
    assert all(block.count(" = ") >= 6 for block in blocks)
