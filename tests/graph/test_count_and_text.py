"""What a graph costs, by output and by label, and how it is printed."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from gough import graph as g
from tests.support.random_graphs import graphs, random_graph


def test_every_operation_is_counted_in_its_place() -> None:
    def equations(x: Any) -> Any:
        a, b, c = x
        arithmetic = [a + b, a - b, a * c, a / b, g.sqrt(c), -a]
        functions = [f(a) for f in (g.sin, g.cos, g.tan, g.asin, g.acos, g.atan, g.exp, g.log)] + [g.atan2(a, b)]
        choices = [g.absolute(a), g.sign(a), g.floor(a), g.minimum(a, b), g.maximum(a, b), g.where(a < b, a, c)]
        return arithmetic + functions + choices

    assert g.count(g.record(equations, x=3)) == g.Count(add=2, mul=2, div=1, sqrt=1, transcendental=9, select=7)


def test_totals() -> None:
    counted = g.Count(1, 2, 3, 4, 5, 6)
    assert counted.flops == 10
    assert counted.total == 21
    assert counted + g.Count(add=1) == g.Count(2, 2, 3, 4, 5, 6)


def test_powers_are_products() -> None:
    for n, products in ((2, 1), (3, 2), (4, 2), (7, 4), (8, 3), (15, 6)):
        assert g.count(g.record(lambda x, n=n: x**n, x=())) == g.Count(mul=products)


def test_solves_cost_their_elimination() -> None:
    """55 + 15 products eliminate, 15 + 15 substitute, 6 scale by the reciprocals of the pivots."""
    counted = g.count(g.record(g.solve, A=(6, 6), b=6))
    assert counted.mul == 55 + 15 + 15 + 15 + 6
    assert counted.add == 55 + 15 + 15
    assert counted.div == 6
    assert g.count(g.record(lambda A, b: g.solve(g.factor(A, spd=True), b), A=(6, 6), b=6)).total < counted.total / 2


def test_a_root_counts_one_step() -> None:
    graph = g.record(lambda x: g.root(lambda u: [g.sin(u[0]) - x], [0.0]).solution, x=())
    counted = g.count(graph)
    assert counted.transcendental == 2
    assert counted.div == 1


def test_per_output() -> None:
    graph = g.record(lambda x: {"a": x[0] * x[1], "b": x[0] * x[1] + x[2], "c": g.sin(x[0])}, x=3)
    assert g.count(graph, "a") == g.Count(mul=1)
    assert g.count(graph, "b") == g.Count(add=1, mul=1)
    assert g.count(graph, "c") == g.Count(transcendental=1)
    assert g.count(graph) == g.Count(add=1, mul=1, transcendental=1)
    with pytest.raises(ValueError, match="no output 'd'; there are a, b, c"):
        g.count(graph, "d")


def labelled(x: Any) -> Any:
    with g.label("kinematics"):
        v = g.array([x[0] * x[1], g.sin(x[2])])
        with g.label("inner"):
            n = g.norm(v)
        v = v / n
    with g.label("dynamics"):
        again = x[0] * x[1] + 1.0
    return v * again + x[0]


def test_labels_are_whoever_recorded_first() -> None:
    by_label = g.count_by_label(g.record(labelled, x=3))
    assert by_label["kinematics"] == g.Count(mul=3, div=1, transcendental=1)
    assert by_label["inner"] == g.Count(add=1, mul=2, sqrt=1)
    assert by_label["dynamics"] == g.Count(add=1)
    assert by_label[""] == g.Count(add=2, mul=2)


def test_labels_are_outside_the_digest() -> None:
    def renamed(x: Any) -> Any:
        with g.label("all"):
            return labelled(x)

    def unlabelled(x: Any) -> Any:
        v = g.array([x[0] * x[1], g.sin(x[2])])
        v = v / g.norm(v)
        return v * (x[0] * x[1] + 1.0) + x[0]

    assert len({g.record(f, x=3).digest for f in (labelled, renamed, unlabelled)}) == 1


def test_derivatives_inherit_labels() -> None:
    def equations(x: Any) -> Any:
        with g.label("leg"):
            y = g.sin(x[0]) * g.solve(g.array([[x[1], 1.0], [0.5, x[0]]]), x)[0]
            u = g.root(lambda u: [u[0] ** 3 + u[0] - y], [0.0]).solution[0]
        with g.label("platform"):
            z = u * u + x[1]
        with g.label("derivative"):
            return [*g.gradient(z, x), *g.jvp(g.array([z, y]), x, [1.0, 2.0])]

    by_label = g.count_by_label(g.record(equations, x=2))
    assert set(by_label) == {"leg", "platform"}
    assert by_label["platform"].total < by_label["leg"].total


def test_a_graph_called_inside_a_recording_brings_its_labels() -> None:
    inner = g.record(labelled, x=3)

    def outer(x: Any) -> Any:
        with g.label("outer"):
            y = inner(x=x)["out"]
        return {"y": y, "J": g.jacobian(y, x)}

    by_label = g.count_by_label(g.record(outer, x=3))
    assert set(by_label) == {"kinematics", "inner", "dynamics", "outer"}


def test_label_is_restored_after_an_error() -> None:
    def equations(x: Any) -> Any:
        try:
            with g.label("broken"):
                raise RuntimeError
        except RuntimeError:
            return x * x

    assert set(g.count_by_label(g.record(equations, x=()))) == {""}


@settings(max_examples=40, deadline=None)
@given(graphs(40))
def test_counts_add_up(graph: g.Graph) -> None:
    whole = g.count(graph)
    parts = g.Count()
    for counted in g.count_by_label(graph).values():
        parts = parts + counted
    assert parts == whole
    for output in graph.outputs:
        assert g.count(graph, output.name).total <= whole.total
    # an output counts alike alone and among others
    for output in graph.outputs:
        parts = g.Count()
        for counted in g.count_by_label(graph, output.name).values():
            parts = parts + counted
        assert parts == g.count(graph, output.name)


def test_printout() -> None:
    def equations(x: Any, p: Any, t: Any) -> dict[str, Any]:
        with g.label("part"):
            y = g.solve(g.array([[x[0, 0], 2.0], [x[1, 0], t]]), g.array([p[0], -t]))
        return {"y": y / g.norm(y), "on": (t < 0.5) & True, "k": g.Integer(g.floor(t))}

    graph = g.record(equations, x=(2, 1), p=g.Input((1,), shared=True), t=())
    assert str(graph) == (
        """\
%0 = x[0]
%1 = x[1]
%2 = p[0]
%3 = t
%4 = neg %3    # part
%5 = 2.0    # part
%6 = factor 2 %0 %5 %1 %3    # part
%7 = solve %6 %2 %4    # part
%8 = item 0 %7    # part
%9 = item 1 %7    # part
%10 = mul %8 %8
%11 = mul %9 %9
%12 = add %10 %11
%13 = sqrt %12
%14 = recip %13
%15 = mul %8 %14
%16 = mul %9 %14
%17 = 0.5
%18 = lt %3 %17
%19 = floor %3
%20 = 1.0
%21 = 0.0
%22 = select %18 %20 %21
y[2] float = %15 %16
on[] bool = %22
k[] int = %19"""
    )


def test_printout_of_a_root() -> None:
    graph = g.record(lambda x: g.root(lambda u: [u[0] * u[0] - x], [1.0]).solution, x=())
    assert str(graph).splitlines() == [
        "%0 = x",
        "%1 = 1.0",
        "%2 = root 0 %1 %0",
        "%3 = item 0 %2",
        "out[1] float = %3",
    ]


def test_random_graphs_print_one_line_per_node() -> None:
    for seed in range(20):
        graph = random_graph(Random(seed), 30)
        assert len(str(graph).splitlines()) == len(graph.nodes) + len(graph.outputs)


def test_seeded_graphs_are_the_same_again() -> None:
    for seed in range(5):
        assert random_graph(Random(seed), 30).digest == random_graph(Random(seed), 30).digest
    assert np.unique([random_graph(Random(seed), 30).digest for seed in range(20)]).size == 20
