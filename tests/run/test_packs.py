"""Elementary functions side by side in one call, in code for single samples: the same bits, in fewer calls."""

from __future__ import annotations

import re

import numpy as np
import pytest

import gough.graph as g
from gough.graph import expand, record
from gough.run import Program
from gough.run.llvm.kernel import write_kernel
from gough.run.llvm.packs import call_of, packed
from tests.run.same_bits import assert_same


def equations(x, y):
    """Calls that need none, one and two others, most of them on operands that no other has."""
    turned = [g.sin(v) + 2.0 * g.cos(v) for v in x]
    angles = [g.atan2(a, b) for a, b in zip(turned, y, strict=True)]
    more = [g.sin(a) for a in angles] + [g.cos(angles[0]), g.tan(angles[1]), g.asin(0.1 * turned[2])]
    return {"turned": turned, "angles": angles, "more": more, "last": g.atan2(more[0], turned[0]) + g.exp(more[1])}


GRAPH = record(equations, x=7, y=7)


def calls_in(width, lanes):
    """Names of the functions called by the body, with their widths."""
    text = write_kernel(GRAPH, width, lanes).text
    body = "".join(part for part in text.split("\ndefine ") if part.startswith("internal void @body"))
    return sorted(re.findall(r"call [^@]* @g\.(\w+\.\d)", body))


def test_calls_that_do_not_wait_for_each_other_are_one():
    assert calls_in(8, 8) == sorted(["sincos.8"] * 14 + ["atan2.8"] * 8 + ["tan.8", "asin.8", "exp.8"])
    wide = ["sincos.8"] * 4 + ["atan2.8"] * 2 + ["atan2.2", "tan.2", "asin.2", "exp.2"]
    assert calls_in(2, 8) == sorted(wide)
    assert calls_in(2, 2) == [name.replace(".8", ".2") for name in calls_in(8, 8)]


def test_units_come_after_what_they_need():
    graph = expand(GRAPH)
    leaves = (g.ops.INPUT, g.ops.CONST, g.ops.BOOL)
    nodes = [i for i, node in enumerate(graph.nodes) if node[0] not in leaves]
    done = {i for i, node in enumerate(graph.nodes) if node[0] in leaves}
    units = packed(graph, nodes, 4)
    assert sorted(i for unit in units for i in unit) == nodes
    for unit in units:
        assert {k for i in unit for k in g.ops.operands(graph.nodes[i])} <= done
        assert len({call_of(graph.nodes[i]) for i in unit}) <= 4
        done |= set(unit)


@pytest.mark.parametrize("rows", [1, 2, 9])
def test_the_same_bits_also_where_the_c_library_computes(rows):
    rng = np.random.default_rng(8)
    x, y = rng.normal(size=(2, rows, 7))
    x[0, 2], x[-1, 5], y[0, 3], y[-1, 6] = 2.0**40, np.inf, 1e-200, np.nan
    x[0, 0], y[-1, 1] = -0.0, 1e300
    expected = Program(GRAPH, "floats")(x=x, y=y)
    assert_same(Program(GRAPH, "llvm", width=2)(x=x, y=y), expected)
    assert_same(Program(GRAPH, "blocks")(x=x, y=y), expected)
