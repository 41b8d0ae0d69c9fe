"""What is zero or one in a robot's file is so in its program: round-off there would cost operations."""

import math

import pytest

import gough
from gough.dynamics.contract import choose
from gough.dynamics.force_programs import Model, force_graph
from gough.graph import ieee, ops

GUARDS = {ops.MAX, ops.MIN, ops.SELECT, ops.LT, ops.LE}
"""Operations whose small constants are bounds, not round-off."""


def constants(graph):
    """Constants that are added or multiplied."""
    used = {k for node in graph.nodes if node[0] not in GUARDS for k in ops.operands(node)}
    return [ieee.from_bits(n[1]) for k, n in enumerate(graph.nodes) if n[0] == ops.CONST and k in used]


@pytest.mark.parametrize("formulation", ["newton_euler", "virtual_work"])
@pytest.mark.parametrize("name", ["delta", "hexapod", "planar3rrr", "rotary", "spatial3", "sru", "stewart"])
def test_no_constant_is_round_off(name, formulation):
    graph = force_graph(Model(gough.load(name), choose(formulation)))
    found = [abs(value) for value in constants(graph)]
    assert found
    assert [v for v in found if 0.0 < v < 1e-12 or (v != 1.0 and math.isclose(v, 1.0, abs_tol=1e-12))] == []
