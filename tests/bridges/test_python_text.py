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
    expected = gough.inverse_dynamics(robot, gough.State(states.x, states.xd, states.xdd)).force
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


def test_other_formulations_and_matrices():
    robot = gough.load("planar3rrr")
    states = random_states(robot, 1, 1)
    x, xd, xdd = (row[0].tolist() for row in (states.x, states.xd, states.xdd))
    texts = {n: gough.to_python(gough.graph_of(robot, formulation=n), "f") for n in ("auto", "virtual_work_full")}
    assert texts["auto"] != texts["virtual_work_full"]
    force = gough.inverse_dynamics(robot, gough.State(x, xd, xdd)).force
    for text in texts.values():
        np.testing.assert_allclose(made(text, "f")(x, xd, xdd)["out"], force, rtol=0, atol=1e-12 * np.abs(force).max())
    for formulation in ("generalized_momentum", gough.OrthogonalComplement()):
        expected = gough.dynamics_matrices(robot, gough.State(x, xd), formulation=formulation)
        found = made(gough.to_python(gough.graph_of(robot, "matrices", formulation=formulation), "f"), "f")(x, xd)
        for name in "MCG":
            value = getattr(expected, name)
            np.testing.assert_allclose(found[name], value, rtol=0, atol=1e-13 * max(np.abs(value).max(), 1.0))
    with pytest.raises(gough.InputError, match="'newton_euler' has no matrices"):
        gough.graph_of(robot, "matrices", formulation="newton_euler")
    with pytest.raises(gough.InputError, match="formulation: is for functions of forces, not ik"):
        gough.graph_of(robot, "ik", formulation="lagrange")
