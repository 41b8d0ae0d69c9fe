"""CasADi computes what gough computes, with the same derivatives."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.graph import jacobian, record, root, where
from gough.kinematics.random_states import random_states

casadi = pytest.importorskip("casadi", reason="CasADi is not installed: the bridge to it is not checked")
pytestmark = pytest.mark.oracle

ROBOTS = ["delta", "fivebar", *[pytest.param(name, marks=pytest.mark.slow) for name in ("stewart", "ankle", "tricept")]]


@pytest.mark.parametrize("name", ROBOTS)
def test_forces_and_their_derivatives(name):
    robot = gough.load(name)
    graph = gough.graph_of(robot)
    function = gough.to_casadi(graph, "forces")
    assert function.name_in() == ["x", "xd", "xdd"]
    states = random_states(robot, 5, 1)
    expected = gough.inverse_dynamics(robot, gough.State(states.x, states.xd, states.xdd)).force
    slope = gough.Program(record(lambda **given: jacobian(graph(**given)["out"], given["x"]), **_shapes(graph)))
    by_x = function.factory("by_x", ["x", "xd", "xdd"], ["jac:out:x"])
    for k in range(5):
        given = {"x": states.x[k], "xd": states.xd[k], "xdd": states.xdd[k]}
        found = np.asarray(function(**given)["out"]).ravel()
        assert np.abs(found - expected[k]).max() <= 1e-12 * np.abs(expected).max()
        J, own = np.asarray(by_x(**given)["jac_out_x"]), slope(**given)
        assert np.abs(J - own).max() <= 1e-10 * np.abs(own).max()  # CasADi's rootfinder stops at a residual of 1e-13


def _shapes(graph):
    return {spec.name: spec.shape for spec in graph.inputs}


def test_kind_follows_from_roots():
    plain = gough.to_casadi(record(lambda a: {"b": a * 2.0}, a=3))
    rooted = gough.to_casadi(record(lambda a: {"u": root(lambda u: [u[0] * u[0] - a], [1.0]).solution}, a=()))
    assert plain.class_name() == "SXFunction"
    assert rooted.class_name() == "MXFunction"
    assert abs(float(rooted(a=2.0)["u"]) - np.sqrt(2.0)) < 1e-14
    assert abs(float(rooted.jacobian()(a=2.0)["jac_u_a"]) - 0.5 / np.sqrt(2.0)) < 1e-13


def test_matrices_keep_their_rows():
    function = gough.to_casadi(record(lambda A, v: {"w": A @ v, "T": A.T}, A=(2, 3), v=3))
    A, v = np.arange(6.0).reshape(2, 3), np.array([1.0, -1.0, 2.0])
    found = function(A=A, v=v)
    np.testing.assert_array_equal(np.asarray(found["w"]).ravel(), A @ v)
    np.testing.assert_array_equal(np.asarray(found["T"]), A.T)


def test_a_branch_not_taken_does_no_harm():
    function = gough.to_casadi(record(lambda a: {"b": where(a > 0.0, 1.0 / a, 5.0)}, a=()))
    assert float(function(a=0.0)["b"]) == 5.0
    assert float(function(a=4.0)["b"]) == 0.25
