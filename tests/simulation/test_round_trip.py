"""Forward dynamics undoes inverse dynamics, by every formulation that has a mass matrix."""

from functools import lru_cache

import numpy as np
import pytest

import gough
from gough.dynamics.contract import choose
from gough.dynamics.force_programs import Model, force_graph
from gough.dynamics.forward import forward_graph
from gough.errors import InputError
from gough.kinematics import Status, inverse_kinematics
from gough.run import Program
from tests.simulation.cases import ROBOTS, robot
from tests.support.lanes import with_dear_ones_slow
from tests.support.loaded_robots import loaded
from tests.support.motions import scales

COUNT = 10_000
BOUND = 1e-12
FORMULATIONS = ["newton_euler", "generalized_momentum", "orthogonal_complement", "lagrange", "koditschek"]
MOST_ABOVE, LARGEST = 0.001, 5e-11
"""Of the states of Lagrange's forms against the default's forces: share above `BOUND`, and how far. They differentiate
the legs' closed forms: next to a leg all but stretched they subtract terms that are larger than the forces."""
NEAR = 0.15
"""Lengths and radians of home within which even those are below `BOUND`."""


def states(machine, count, seed, far=1.0):
    """Poses up to `far` lengths and radians from home with cond(K) < 1e3, random rates and accelerations.

    The distance itself is drawn evenly: a good part of them are near home.
    """
    rng = np.random.default_rng(seed)
    scale, home = scales(machine), np.array(machine.platform.home)
    found = np.empty((0, len(home)))
    while len(found) < count:
        x = home + far * rng.uniform(size=(2 * count, 1)) * scale * rng.uniform(-1, 1, (2 * count, len(home)))
        at = inverse_kinematics(machine, x)
        found = np.concatenate([found, x[(at.status == Status.FINE) & (at.condition < 1e3)]])
    x = found[:count]
    return x, scale * rng.normal(size=x.shape), scale * rng.normal(size=x.shape)


def misses(machine, formulation, x, xd, xdd, inverse="auto"):
    """(N,) error of the accelerations relative to max(|xdd|, |M^-1 h|), the forces being those of `inverse`."""
    model = Model(machine, choose(inverse))
    tau = Program(force_graph(model), "blocks")(x=x, xd=xd, xdd=xdd)
    program = Program(forward_graph(machine, choose(formulation)), "blocks")
    back = program(x=x, xd=xd, force=tau)["xdd"]
    assert np.isfinite(back).all()
    return np.abs(back - xdd).max(axis=1) / sizes(machine, x, xd, xdd)


def sizes(machine, x, xd, xdd):
    """(N,) max(|xdd|, |M^-1 h|)."""
    program = Program(forward_graph(machine, choose("newton_euler")), "blocks")
    free = program(x=x, xd=xd, force=np.zeros_like(x))["xdd"]
    return np.maximum(np.abs(xdd).max(axis=1), np.abs(free).max(axis=1))


@lru_cache
def everywhere(name):
    """States of a catalogue robot."""
    return states(robot(name), COUNT, 1)


LONG, SIX_LEGS = ("lagrange", "koditschek"), ("sru", "rotary", "hexapod")
"""Formulations that take long to compile, and the robots on which they do."""


@pytest.mark.parametrize(
    ("formulation", "name"),
    [
        pytest.param(formulation, name, marks=[pytest.mark.slow] if formulation in LONG and name in SIX_LEGS else [])
        for formulation in FORMULATIONS
        for name in ROBOTS
    ],
)
def test_forward_undoes_inverse(name, formulation, record_property):
    """Each formulation its own, to what the rounding of the forces alone would leave of the accelerations."""
    missed = misses(robot(name), formulation, *everywhere(name), inverse=formulation)
    record_property("worst", float(missed.max()))
    assert missed.max() <= BOUND


@pytest.mark.parametrize("name", with_dear_ones_slow(ROBOTS))
@pytest.mark.parametrize("formulation", ["generalized_momentum", "orthogonal_complement"])
def test_forward_undoes_the_default_inverse(name, formulation, record_property):
    missed = misses(robot(name), formulation, *everywhere(name))
    record_property("worst", float(missed.max()))
    assert missed.max() <= BOUND


@pytest.mark.slow
@pytest.mark.parametrize("name", ["spatial3", "delta", "planar3rrr", "stewart", "hexapod"])
@pytest.mark.parametrize("formulation", ["lagrange", "koditschek"])
def test_lagrange_undoes_the_default_inverse(name, formulation, record_property):
    missed = misses(robot(name), formulation, *everywhere(name))
    record_property("worst", float(missed.max()))
    assert missed.max() <= LARGEST
    assert (missed > BOUND).mean() <= MOST_ABOVE


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
def test_lagrange_undoes_the_default_inverse_near_home(name):
    machine = robot(name)
    assert misses(machine, "lagrange", *states(machine, COUNT, 2, NEAR)).max() <= BOUND


@pytest.mark.slow
@pytest.mark.parametrize("name", ["spatial3", "delta", "planar3rrr", "stewart", "hexapod"])
def test_koditschek_undoes_the_default_inverse_near_home(name):
    machine = robot(name)
    assert misses(machine, "koditschek", *states(machine, COUNT, 2, NEAR)).max() <= BOUND


@pytest.mark.parametrize("name", ["stewart", "spatial3", "planar3rrr"])
@pytest.mark.parametrize("formulation", ["newton_euler", "generalized_momentum", "orthogonal_complement"])
def test_forward_undoes_inverse_with_rotors_and_friction(name, formulation):
    machine = loaded(robot(name), 4)
    assert misses(machine, formulation, *states(machine, 500, 5, 0.15)).max() <= 1e-11


def test_a_wrench_accelerates_like_the_inverse_says():
    machine = robot("stewart")
    x, xd, xdd = states(machine, 200, 6, 0.15)
    wrench = np.random.default_rng(0).normal(size=(200, 6))
    tau = gough.inverse_dynamics(machine, gough.State(x, xd, xdd, wrench=wrench)).force
    assert np.abs(gough.forward_dynamics(machine, gough.State(x, xd, wrench=wrench), tau).xdd - xdd).max() <= 1e-11


def test_virtual_work_has_no_mass_matrix():
    with pytest.raises(InputError, match="formulation 'virtual_work': has no mass matrix; choose newton_euler, "):
        gough.forward_dynamics(
            robot("stewart"), gough.State(np.zeros(6), np.zeros(6)), np.zeros(6), formulation="virtual_work"
        )


def test_a_sample_without_a_solution_has_a_status_and_one_alone_raises():
    machine = robot("hexapod")
    x = np.array([machine.platform.home, [0.0, 0.0, 5.0, 0.0, 0.0, 0.0]])
    found = gough.forward_dynamics(machine, gough.State(x, np.zeros((2, 6))), np.zeros((2, 6)))
    assert found.status.tolist() == [Status.FINE, Status.OUT_OF_REACH]
    assert np.isfinite(found.xdd[0]).all()
    assert np.isnan(found.xdd[1]).all()
    with pytest.raises(gough.kinematics.PoseError, match="is out of reach by"):
        gough.forward_dynamics(machine, gough.State(x[1], np.zeros(6)), np.zeros(6))


def test_numbers_that_are_not_finite_are_refused():
    machine = robot("stewart")
    with pytest.raises(InputError, match=r"xd: theta is nan: must be finite"):
        gough.forward_dynamics(machine, gough.State(machine.platform.home, [0, 0, 0, 0, np.nan, 0]), np.zeros(6))
    with pytest.raises(InputError, match=r"^force: actuator 1 is inf: must be finite$"):
        gough.forward_dynamics(machine, gough.State(machine.platform.home, np.zeros(6)), np.full(6, np.inf))
    with pytest.raises(InputError, match=r"robot: 'stewart' given, expected a Robot: gough.load\(name or file\)"):
        gough.forward_dynamics("stewart", gough.State(machine.platform.home, np.zeros(6)), np.zeros(6))
    with pytest.raises(InputError, match=r"robot: 'stewart' given"):
        gough.simulate("stewart", None, None, 1.0)
