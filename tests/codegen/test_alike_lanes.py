"""Legs that are alike are computed in loops, with the bits of the operations that were recorded."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

import gough
from gough.codegen.c_body import write_function
from gough.codegen.c_functions import definitions
from gough.codegen.c_module import Interface, Module, Parameter
from gough.codegen.lane_loops import LaneLoop, looped
from gough.codegen.robot_functions import FUNCTIONS, Exported, function_graph
from gough.codegen.sample_inputs import sample_inputs
from gough.graph import Graph, absolute, array, expand, maximum, record, sqrt, where
from gough.graph.graph import label
from gough.run import Program
from tests.codegen.compiled import STRICT, Library, differing, run, tool


def leg(x, numbers):
    """Results of a leg: signs of its numbers end up in sums, as they do in robots."""
    a, b, c = numbers
    u = array([a * x[0] + b * x[1], b * x[2] - a * x[0], c * x[1] + x[2]])
    v = array([u[1] * x[2] - u[2] * c, u[2] * a - u[0] * x[1], u[0] * b + u[1] * x[0]])
    size = sqrt(maximum(u[0] * u[0] + u[1] * u[1] + u[2] * u[2], 1e-300))
    share = (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) / size
    turned = where(share < c, v[0] * u[1] - v[1] * u[0], absolute(v[2]) * share)
    return [share, turned * a - b * share, -(turned * size)]


def graph_of(legs, per_leg: bool = False) -> Graph:
    """All legs, and sums over them; numbers of legs are an input if they are per leg."""

    def equations(x, p=None):
        found = []
        for k, numbers in enumerate(legs):
            with label(f"leg {k + 1}"):
                found.append(leg(x, p[3 * k : 3 * k + 3] if per_leg else numbers))
        return array([*(sum(row[k] for row in found) for k in range(3)), *(row[1] for row in found)])

    return expand(record(equations, x=3, p=3 * len(legs)) if per_leg else record(equations, x=3))


def in_c(graph: Graph, folder, compiler: list[str], filled: bool):
    """The graph as a function of one flat array."""
    count, results = sum(s.size for s in graph.inputs), len(graph.output_nodes)
    given = Parameter("x", f"const double x[{count}]"), Parameter("out", f"double out[{results}]")
    inputs = tuple(("x", f"x[{k}]") for k in range(count))
    module = Module("g")
    write_function(module, graph, "g_f", Interface(given, inputs, tuple(("out", f"out[{k}]") for k in range(results))))
    lanes = f"#define G_LANES(legs, filled) ({'filled' if filled else 'legs'})"
    texts = ["#include <float.h>\n#include <math.h>", lanes, *definitions(module), *module.functions]
    (folder / "g.c").write_text("\n".join(texts).replace("static void g_f", "void g_f") + "\n")
    run(*compiler, "-ffp-contract=off", "-shared", "-fPIC", "-o", folder / f"g{filled}.so", folder / "g.c", "-lm")
    call = ctypes.CDLL(str(folder / f"g{filled}.so")).g_f

    def function(rows):
        out = np.zeros((len(rows), results))
        for row, place in zip(rows, out, strict=True):
            call(ctypes.c_void_p(row.ctypes.data), ctypes.c_void_p(place.ctypes.data))
        return out

    return function, module


def same_bits(a, b) -> bool:
    return bool(((a.view(np.int64) == b.view(np.int64)) | (np.isnan(a) & np.isnan(b))).all())


ALIKE = [(0.3, 0.7, 0.2), (-0.3, 0.5, 0.9), (0.4, -0.7, 0.2), (-0.6, -0.8, -0.1), (0.3, 0.9, -0.4)]
UNLIKE = [(0.3, 0.7, 0.2), (0.0, 0.5, 1.0), (0.4, 0.0, -1.0), (-1.0, -0.8, 0.0), (0.3, 0.9, -0.4)]
"""Zeros and ones leave operations out."""


@pytest.mark.parametrize("filled", [False, True])
@pytest.mark.parametrize(
    ("legs", "per_leg", "lanes"),
    [(ALIKE, False, [5]), (ALIKE, True, [5]), (UNLIKE, False, [2]), (ALIKE[:2], False, [2]), (UNLIKE[:3], False, [])],
)
def test_bits_of_loops(legs, per_leg, lanes, filled, tmp_path):
    tool("tcc")
    graph = graph_of(legs, per_leg)
    plan = looped(graph)
    loops = [] if plan is None else [item for item in plan.order if isinstance(item, LaneLoop)]
    assert [len(loop.legs) for loop in loops] == lanes
    function, module = in_c(graph, tmp_path, ["tcc"], filled)
    assert bool(module.looping) == bool(loops)
    x = np.vstack([np.random.default_rng(5).normal(size=(200, 3)), np.zeros((1, 3)), np.eye(3), [[1, np.nan, np.inf]]])
    inputs = {"x": x} | ({"p": np.tile(np.ravel(legs), (len(x), 1))} if per_leg else {})
    want = np.asarray(Program(graph)(**inputs)).reshape(len(x), -1)
    assert same_bits(function(np.ascontiguousarray(np.hstack(list(inputs.values())))), want)


def inverse_of(name: str) -> Graph:
    inverse = next(f for f in FUNCTIONS if f.name == "inverse")
    return expand(function_graph(inverse, Exported(gough.load(name))))


def test_which_robots_have_loops():
    """Four legs of stewart and the two that have no y; none of a cable robot, whose legs are short."""
    assert looped(inverse_of("cable8")) is None
    plan = looped(inverse_of("stewart"))
    assert plan is not None
    loops = [item.legs for item in plan.order if isinstance(item, LaneLoop)]
    assert loops == [("leg 1", "leg 2", "leg 5", "leg 6"), ("leg 3", "leg 4")]
    assert plan.operations < 1000


def test_truth_values_of_two_legs_are_numbers(tmp_path):
    """gcc makes no vectors of two whole numbers, nor of loops that have some."""
    tool("tcc")
    robot = gough.load("fivebar")
    library = Library(robot, tmp_path, ["tcc"], ["inverse"])
    text = (tmp_path / "r.c").read_text()
    assert " ? 1.0 : 0.0;" in text.partition("lane < 2")[2].partition("\n    }\n")[0]
    assert "int a" not in text
    inputs = sample_inputs(robot, 300)
    found = library("inverse", inputs)
    assert differing(found, library.by_gough("inverse", inputs)) == 0
    assert len(set(found["status"])) > 2


@pytest.mark.slow
def test_vectors_with_free_numbers_have_the_bits(tmp_path):
    tool("clang")
    robot = gough.load("hexapod")
    compiler = ["clang", "-O3", "-march=native", *STRICT]
    library = Library(robot, tmp_path, compiler, ["inverse"], ("platform.mass", "legs.rod.mass"))
    inputs = sample_inputs(robot, 300)
    for numbers in (None, np.array(library.given.defaults) * [1.5, 0.9]):
        want = library.by_gough("inverse", inputs, numbers)
        assert differing(library("inverse", inputs, numbers), want) == 0


@pytest.mark.slow
@pytest.mark.parametrize(("name", "function"), [("sru", "inverse"), ("hexapod", "reactions")])
def test_optimised_code_has_the_bits(name, function, tmp_path):
    """gcc's vectors of neighbouring statements would contract sums and products, whatever it is told."""
    tool("gcc")
    robot = gough.load(name)
    library = Library(robot, tmp_path, ["gcc", "-O3", "-march=native", *STRICT], [function])
    inputs = sample_inputs(robot, 300)
    assert differing(library(function, inputs), library.by_gough(function, inputs)) == 0
