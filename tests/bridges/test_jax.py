"""JAX computes what gough computes, with the same derivatives, on one sample and on many."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.graph import jacobian, record, sin
from gough.kinematics.random_states import random_states

jax = pytest.importorskip("jax", reason="JAX is not installed: the bridge to it is not checked")
pytestmark = pytest.mark.oracle


@pytest.fixture
def doubles():
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


def test_32_bits_are_refused():
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", False)
    try:
        with pytest.raises(gough.InputError, match=r'32 bits, too few .* jax.config.update\("jax_enable_x64", True\)'):
            gough.to_jax(record(lambda a: a * 2.0, a=()))
    finally:
        jax.config.update("jax_enable_x64", before)


@pytest.mark.usefixtures("doubles")
@pytest.mark.parametrize("name", ["delta", pytest.param("stewart", marks=pytest.mark.slow)])
def test_forces_and_their_derivatives(name):
    robot = gough.load(name)
    graph = gough.graph_of(robot)
    function = gough.to_jax(graph)
    states = random_states(robot, 7, 1)
    expected = gough.inverse_dynamics(robot, gough.State(states.x, states.xd, states.xdd)).force

    def force(x, xd, xdd):
        return function(x=x, xd=xd, xdd=xdd)

    many = jax.jit(jax.vmap(force))(states.x, states.xd, states.xdd)
    np.testing.assert_array_equal(many, expected)
    np.testing.assert_array_equal(jax.vmap(force, (0, None, None))(states.x, states.xd[0], states.xdd[0])[0], many[0])
    one = states.x[0], states.xd[0], states.xdd[0]
    np.testing.assert_array_equal(jax.jit(force)(*one), expected[0])
    shapes = {spec.name: spec.shape for spec in graph.inputs}
    slope = gough.Program(record(lambda **given: jacobian(graph(**given)["out"], given["x"]), **shapes))
    own = slope(x=one[0], xd=one[1], xdd=one[2])
    for found in (jax.jacfwd(force)(*one), jax.jacrev(force)(*one)):
        assert np.abs(found - own).max() <= 1e-13 * np.abs(own).max()


@pytest.mark.usefixtures("doubles")
def test_derivatives_of_derivatives():
    f = gough.to_jax(record(lambda a, b: {"s": sin(a) * b, "t": a > b}, a=(), b=()))
    assert set(f(a=1.0, b=2.0)) == {"s", "t"}
    third = jax.grad(jax.grad(jax.grad(lambda a: f(a=a, b=2.0)["s"])))
    assert abs(third(0.3) + 2.0 * np.cos(0.3)) < 1e-15
    mixed = jax.grad(lambda b: jax.grad(lambda a: f(a=a, b=b)["s"])(0.3))
    assert abs(mixed(2.0) - np.cos(0.3)) < 1e-15


@pytest.mark.usefixtures("doubles")
def test_wrong_inputs_get_one_line():
    f = gough.to_jax(record(lambda a: a, a=3))
    with pytest.raises(gough.InputError, match=r"input a: shape \(2,\), expected \(3,\); jax.vmap is for many"):
        f(a=np.zeros(2))
    with pytest.raises(gough.InputError, match="inputs are a; given were b"):
        f(b=np.zeros(3))
