"""Python text computes what gough computes, and can be read."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.graph import record, sqrt
from gough.kinematics.random_states import random_states


def made(text, name):
    names = {}
    exec(compile(text, name, "exec"), names)
    return names[name]


@pytest.mark.parametrize("name", ["delta", "fivebar", pytest.param("ankle", marks=pytest.mark.slow)])
def test_forces(name):
    robot = gough.load(name)
    function = made(gough.to_python(gough.graph_of(robot), "forces"), "forces")
    states = random_states(robot, 5, 1)
    expected = gough.inverse_dynamics(robot, states.x, states.xd, states.xdd).force
    for k in range(5):
        found = function(*(row.tolist() for row in (states.x[k], states.xd[k], states.xdd[k])))["out"]
        assert np.abs(np.array(found) - expected[k]).max() <= 1e-14 * np.abs(expected).max()


def test_text_reads_as_written():
    graph = record(lambda a, b: {"c": sqrt(a[0] * a[0] + a[1] * a[1]) - b, "d": [a[0] * a[0], -2.0]}, a=2, b=())
    assert gough.to_python(graph, "length").split("\n\n\n")[-1] == (
        "def length(a, b):\n"
        '    """c, d of a (2,), b a number."""\n'
        "    t1 = a[0] * a[0]\n"
        "    return {'c': sqrt(t1 + (a[1] * a[1])) - b, 'd': [t1, -2.0]}\n"
    )


def test_robot_graphs_by_name():
    robot = gough.load("delta")
    assert [spec.name for spec in gough.graph_of(robot, wrench=True, parameters=["platform.mass"]).inputs] == [
        "x", "xd", "xdd", "wrench", "p",
    ]  # fmt: skip
    assert [spec.name for spec in gough.graph_of(robot, "forward").inputs] == ["x", "xd", "force"]
    assert "joint_q" in [o.name for o in gough.graph_of(robot, "ik").outputs]
    with pytest.raises(gough.InputError, match=r"function 'invers': did you mean inverse\?"):
        gough.graph_of(robot, "invers")
    with pytest.raises(gough.InputError, match="parameters: are for the function inverse, not ik"):
        gough.graph_of(robot, "ik", parameters=["platform.mass"])
