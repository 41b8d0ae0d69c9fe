"""The order of operations in machine code: allowed, quick, and kept by LLVM."""

from __future__ import annotations

import re
from itertools import pairwise

import llvmlite.binding as llvm
import pytest

import gough
from gough.graph import expand, ops
from gough.run.llvm import jit
from gough.run.llvm.kernel import write_kernel
from gough.run.llvm.order import LONGEST, by_latency

LEAVES = (ops.INPUT, ops.CONST, ops.BOOL)
DIVISIONS = (ops.DIV, ops.RECIP, ops.SQRT)


def stewart():
    return gough.graph_of(gough.load("stewart"), "inverse")


def test_every_operation_comes_once_and_after_its_operands():
    graph = expand(stewart())
    nodes = [i for i, node in enumerate(graph.nodes) if node[0] not in LEAVES]
    order = by_latency(graph, nodes)
    assert sorted(order) == nodes
    place = {i: k for k, i in enumerate(order)}
    assert all(place[k] < place[i] for i in order for k in ops.operands(graph.nodes[i]) if k in place)


def test_divisions_stand_apart():
    """The one divider is busy for 16 cycles: where there is other work, it stands between two divisions."""
    graph = expand(stewart())
    nodes = [i for i, node in enumerate(graph.nodes) if node[0] not in LEAVES]

    def neighbours(order):
        kinds = [graph.nodes[i][0] in DIVISIONS for i in order]
        return sum(a and b for a, b in pairwise(kinds))

    assert neighbours(nodes) > 0
    assert neighbours(by_latency(graph, nodes)) == 0


def test_long_code_is_left_to_llvm():
    """Of graphs that are longer than the order pays for, and of narrow vectors."""
    rotary = gough.graph_of(gough.load("rotary"), "inverse")
    assert sum(node[0] not in LEAVES for node in expand(rotary).nodes) > LONGEST
    assert not write_kernel(rotary, 8, 8).ordered
    assert not write_kernel(stewart(), 2, 8).ordered


def places(pattern, text, body, end):
    """Where divisions and roots stand among the other operations of the body, by their number."""
    inside = re.search(f"{body}.*?{end}", text, re.DOTALL | re.MULTILINE).group()
    return [k for k, name in enumerate(re.findall(pattern, inside, re.MULTILINE)) if name in ("div", "sqrt")]


@pytest.mark.skipif("+avx" not in jit.describe()[2].split(","), reason="reads the machine code of x86-64 with AVX")
def test_llvm_keeps_the_order_and_its_own_way_comes_back():
    kernel = write_kernel(stewart(), 2, 2)
    assert kernel.ordered
    if llvm.llvm_version_info[0] not in jit.WITH_OPTIONS:
        pytest.skip("this version of LLVM is not known to have the options: look, then add it to WITH_OPTIONS")

    def emitted():
        return jit.target_machine(2).emit_assembly(llvm.parse_assembly(kernel.text))

    def farthest(text):
        found = places(r"^\s+v(add|sub|mul|div|sqrt)pd\s", text, r"^body\.0:", r"^\.Lfunc_end")
        return max(abs(a - b) for a, b in zip(found, written, strict=True))

    named = r"(?: = f|@llvm\.)(add|sub|mul|div|sqrt)\b"
    written = places(named, kernel.text, r"^define internal void @body\.0", "^}")
    assert len(written) == 18
    usual = emitted()
    with jit._emitting(True):
        kept = emitted()
    with jit._emitting(False):
        assert emitted() == usual
    assert emitted() == usual
    assert farthest(kept) < farthest(usual) / 5
