"""Forward dynamics undoes inverse dynamics, by every formulation that has a mass matrix."""

import numpy as np
import pytest

import gough
from gough.dynamics.contract import choose
from gough.dynamics.forward_dynamics import forward_graph
from gough.errors import InputError
from gough.kinematics import Status, inverse_kinematics
from gough.run import Program
from tests.simulate.cases import ROBOTS, robot
from tests.support.loaded_robots import loaded
from tests.support.motions import scales

FORMULATIONS = ("newton_euler", "generalized_momentum", "orthogonal_complement", "lagrange", "koditschek")
COUNT = 10_000


def states(machine, count, seed):
    """Poses up to 0.15 lengths and radians from home with cond(K) < 1e3, random rates and accelerations."""
    rng = np.random.default_rng(seed)
    scale, home = scales(machine), np.array(machine.platform.home)
    x = home + 0.15 * scale * rng.uniform(-1, 1, (4 * count, len(home)))
    found = inverse_kinematics(machine, x)
    good = (found.status == Status.FINE) & (found.condition < 1e3)
    x = x[good][:count]
    assert len(x) == count
    return x, scale * rng.normal(size=x.shape), scale * rng.normal(size=x.shape)


def misses(machine, formulation, x, xd, xdd):
    """(N,) error of the accelerations relative to max(|xdd|, |M^-1 h|)."""
    tau = gough.inverse_dynamics(machine, x, xd, xdd).force
    program = Program(forward_graph(machine, choose(formulation)), "blocks")
    back = program(x=x, xd=xd, force=tau)["xdd"]
    free = program(x=x, xd=xd, force=np.zeros_like(tau))["xdd"]
    assert np.isfinite(back).all()
    scale = np.maximum(np.abs(xdd).max(axis=1), np.abs(free).max(axis=1))
    return np.abs(back - xdd).max(axis=1) / scale


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("formulation", ["newton_euler", "generalized_momentum", "orthogonal_complement"])
def test_forward_undoes_inverse(name, formulation):
    machine = robot(name)
    assert misses(machine, formulation, *states(machine, COUNT, 1)).max() <= 1e-12


@pytest.mark.parametrize("name", ["spatial3", "delta", "planar3rrr", "stewart", "hexapod"])
@pytest.mark.parametrize("formulation", ["lagrange", "koditschek"])
def test_forward_undoes_inverse_by_lagrange(name, formulation):
    machine = robot(name)
    assert misses(machine, formulation, *states(machine, COUNT, 2)).max() <= 1e-12


@pytest.mark.parametrize("name", ["sru", "rotary"])
def test_forward_undoes_inverse_by_lagrange_on_large_models(name):
    """Some 100 000 to 300 000 operations."""
    machine = robot(name)
    assert misses(machine, "lagrange", *states(machine, COUNT, 3)).max() <= 1e-12


@pytest.mark.parametrize("name", ["stewart", "spatial3", "planar3rrr"])
@pytest.mark.parametrize("formulation", ["newton_euler", "generalized_momentum", "orthogonal_complement"])
def test_forward_undoes_inverse_with_rotors_and_friction(name, formulation):
    machine = loaded(robot(name), 4)
    assert misses(machine, formulation, *states(machine, 500, 5)).max() <= 1e-11


def test_a_wrench_accelerates_like_the_inverse_says():
    machine = robot("stewart")
    x, xd, xdd = states(machine, 200, 6)
    wrench = np.random.default_rng(0).normal(size=(200, 6))
    tau = gough.inverse_dynamics(machine, x, xd, xdd, wrench).force
    assert np.abs(gough.forward_dynamics(machine, x, xd, tau, wrench).xdd - xdd).max() <= 1e-11


def test_virtual_work_has_no_mass_matrix():
    with pytest.raises(InputError, match="formulation 'virtual_work': has no mass matrix; choose newton_euler, "):
        gough.forward_dynamics(robot("stewart"), np.zeros(6), np.zeros(6), np.zeros(6), formulation="virtual_work")


def test_a_sample_without_a_solution_has_a_status_and_one_alone_raises():
    machine = robot("hexapod")
    x = np.array([machine.platform.home, [0.0, 0.0, 5.0, 0.0, 0.0, 0.0]])
    found = gough.forward_dynamics(machine, x, np.zeros((2, 6)), np.zeros((2, 6)))
    assert found.status.tolist() == [Status.FINE, Status.OUT_OF_REACH]
    assert np.isfinite(found.xdd[0]).all()
    assert np.isnan(found.xdd[1]).all()
    with pytest.raises(gough.kinematics.PoseError, match="is out of reach by"):
        gough.forward_dynamics(machine, x[1], np.zeros(6), np.zeros(6))


def test_numbers_that_are_not_finite_are_refused():
    machine = robot("stewart")
    with pytest.raises(InputError, match=r"xd: theta is nan: must be finite"):
        gough.forward_dynamics(machine, machine.platform.home, [0, 0, 0, 0, np.nan, 0], np.zeros(6))
    with pytest.raises(InputError, match="force: must be finite"):
        gough.forward_dynamics(machine, machine.platform.home, np.zeros(6), np.full(6, np.inf))
    with pytest.raises(InputError, match=r"robot: 'stewart' given, expected a Robot: gough.load\(name or file\)"):
        gough.forward_dynamics("stewart", machine.platform.home, np.zeros(6), np.zeros(6))
    with pytest.raises(InputError, match=r"robot: 'stewart' given"):
        gough.simulate("stewart", None, None, 1.0)
