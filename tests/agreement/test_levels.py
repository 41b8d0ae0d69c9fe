"""Machine code of every level of optimisation gives the same bits: `make test` compiles at the quickest to compile."""

import numpy as np
import pytest

from gough import catalogue, load
from gough.dynamics.contract import choose
from gough.dynamics.force_programs import Model, inverse_graph
from gough.errors import InputError
from gough.graph import record
from gough.kinematics.random_states import random_states
from gough.run import Program
from gough.run.choose import level


@pytest.mark.parametrize("name", catalogue())
def test_forces_have_the_same_bits_at_every_level(name):
    robot = load(name)
    graph = inverse_graph(Model(robot, choose("auto")))
    states = random_states(robot, 19, 8)
    found = [Program(graph, "llvm", opt=opt)(x=states.x, xd=states.xd, xdd=states.xdd) for opt in (0, 2)]
    assert np.isfinite(found[0]["force"]).any()
    for key, values in found[0].items():
        numbers = np.isfinite(values)
        assert np.array_equal(numbers, np.isfinite(found[1][key])), key
        assert values[numbers].tobytes() == found[1][key][numbers].tobytes(), key


def test_the_level_can_be_stated(monkeypatch):
    graph = record(lambda x: x + 1.0, x=2)
    monkeypatch.setenv("GOUGH_OPT", "1")
    assert level(graph) == 1
    monkeypatch.setenv("GOUGH_OPT", "fast")
    with pytest.raises(InputError, match=r"GOUGH_OPT='fast': choose LLVM's optimisation level, 0 to 3, or unset it"):
        level(graph)
    monkeypatch.delenv("GOUGH_OPT")
    assert level(graph) == 2
