"""Random machines with dependent motion: forces by Pinocchio on the cut tree, agreement of formulations, and back."""

from functools import cache

import numpy as np
import pytest

from gough import State
from gough.dynamics import FORMULATIONS, forward_dynamics, inverse_dynamics
from gough.kinematics import inverse_kinematics
from gough.kinematics.forward import forward_kinematics
from gough.kinematics.kinematic_checks import kinematic_faults
from gough.kinematics.status import Status
from tests.support.dependent_machines import KINDS, random_machine
from tests.support.forces import QUICK, forces
from tests.support.given_states import state_of
from tests.support.lanes import sample
from tests.support.pinocchio_dependent import DependentOracle

pytestmark = pytest.mark.oracle

CASES = [(kind, seed) for seed in range(5) for kind in KINDS]
"""Thirty machines."""
DEAR = ("exechon", "ankle")
"""Their closure is one root of many unknowns, which takes a while to record."""
CHOSEN = [
    pytest.param(*case, marks=pytest.mark.slow) if case[0] in DEAR else case
    for case in sorted({*sample(CASES, 4, lane="dependent machines"), *((kind, 0) for kind in DEAR)})
]
YARDSTICKS = [f.name for f in FORMULATIONS if f.yardstick]


@cache
def machine(kind, seed):
    """The machine, checked."""
    robot = random_machine(kind, seed)
    assert kinematic_faults(robot) == []
    return robot


def states(robot, count=3):
    """x, xd, xdd and wrenches near home."""
    rng, n = np.random.default_rng(7), robot.dof
    x = np.array(robot.platform.home) + rng.uniform(-0.05, 0.05, (count, n))
    return x, 0.5 * rng.normal(size=(count, n)), rng.normal(size=(count, n)), rng.normal(size=(count, 6))


@pytest.mark.parametrize(("kind", "seed"), CHOSEN)
def test_forces_are_pinocchios_and_lead_back(kind, seed):
    robot = machine(kind, seed)
    given = states(robot)
    oracle = DependentOracle(robot)
    wanted = oracle.forces(*given)
    assert oracle.gap < 1e-14
    assert oracle.inner.misfit < 1e-12
    size = np.abs(wanted).max()
    public = inverse_dynamics(robot, state_of(given))
    assert (public.status == Status.FINE).all()
    found = {"public": public.force} | {f.name: forces(robot, f, *given) for f in QUICK}
    for name, force in found.items():
        np.testing.assert_allclose(force, wanted, rtol=0, atol=1e-13 * size, err_msg=name)
    x, xd, xdd, wrench = given
    back = forward_dynamics(robot, State(x, xd, wrench=wrench), wanted)
    np.testing.assert_allclose(back.xdd, xdd, rtol=0, atol=1e-10 * np.abs(xdd).max())


@pytest.mark.slow
@pytest.mark.parametrize("formulation", YARDSTICKS)
@pytest.mark.parametrize(("kind", "seed"), [("rrs", 0), ("tricept", 0), ("exechon", 0), ("ankle", 0)])
def test_lagrange_agrees(kind, seed, formulation):
    robot = machine(kind, seed)
    given = states(robot, 2)
    wanted = inverse_dynamics(robot, state_of(given)).force
    found = inverse_dynamics(robot, state_of(given), formulation=formulation).force
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())


@pytest.mark.parametrize("kind", ["prs", "tricept"])
def test_poses_come_back_from_displacements(kind):
    robot = machine(kind, 0)
    x, *_ = states(robot)
    found = forward_kinematics(robot, inverse_kinematics(robot, x).q)
    assert (found.status == Status.FINE).all()
    np.testing.assert_allclose(found.x, x, rtol=0, atol=1e-13)
