"""Random graphs on every executor against their values in many digits."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf

from gough.run import Program
from tests.run.same_bits import EXECUTORS
from tests.support.mp_evaluate import Known, evaluate_mp
from tests.support.random_graphs import graphs, ordinary_values


@pytest.mark.parametrize("options", EXECUTORS, ids=str)
@settings(max_examples=40, deadline=None)
@given(graph=graphs(30), seed=st.integers(0, 2**32))
def test_within_the_bound_of_round_off(options, graph, seed):
    rng = Random(seed)
    x, p = ordinary_values(rng, 12).reshape(3, 4), ordinary_values(rng, 2)
    bound = Program(graph, **options).bind(3)
    bound.inputs["x"][...], bound.inputs["p"][...] = x, p
    bound()
    for row in range(3):
        found = [v for values in bound.outputs.values() for v in values[row].flat]
        for value, known in zip(found, evaluate_mp(graph, [*x[row], *p]), strict=True):
            if isinstance(known, Known):
                assert abs(mpf(value) - known.value) <= known.error
            elif known is not None:
                assert known == value
