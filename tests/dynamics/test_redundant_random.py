"""Random robots with more actuators than coordinates: forces by Pinocchio, agreement of formulations, and back."""

import numpy as np
import pytest

from gough import State
from gough.dynamics import forward_dynamics, inverse_dynamics
from gough.kinematics import forward_kinematics, inverse_kinematics
from gough.kinematics.kinematic_checks import kinematic_faults
from gough.kinematics.status import Status
from tests.support.forces import QUICK, forces, scale, states
from tests.support.given_states import state_of
from tests.support.lanes import sample
from tests.support.pinocchio_dynamics import Oracle
from tests.support.redundant_robots import KINDS, random_redundant

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

CASES = [(kind, seed) for seed in range(4) for kind in KINDS]
"""Twenty machines."""
AGREE = 1e-12  # of cond(K) max |tau|


@pytest.mark.parametrize(("kind", "seed"), sample(CASES, 3, lane="redundant machines"))
def test_forces_are_the_least_of_pinocchios_and_lead_back(kind, seed):
    robot = random_redundant(kind, seed)
    assert kinematic_faults(robot) == []
    given = x, xd, xdd, wrench = states(robot, 3, 21, size=0.03)
    oracle = Oracle(robot)
    wanted = oracle.forces(*given)
    assert oracle.misfit < 1e-12
    for formulation in QUICK:
        error = np.abs(forces(robot, formulation, *given) - wanted).max(axis=1)
        assert (error <= AGREE * scale(robot, x, wanted)).all(), formulation.name
    back = forward_dynamics(robot, State(x, xd, wrench=wrench), wanted)
    assert np.abs(back.xdd - xdd).max() <= 1e-9 * np.abs(xdd).max()
    found = inverse_dynamics(robot, state_of(given))
    assert (found.status == Status.FINE).all()
    K = inverse_kinematics(robot, x).K
    null = np.einsum("nij,nik->njk", K, found.internal)
    assert np.abs(null).max() <= 1e-12 * np.abs(K).max()
    spare = np.einsum("nij,ni->nj", found.internal, wanted)
    assert np.abs(spare).max() <= 1e-11 * np.abs(wanted).max()  # the least forces have no internal part
    again = forward_kinematics(robot, inverse_kinematics(robot, x).q, x)
    assert np.abs(again.x - x).max() <= 1e-10
    assert np.abs(again.residual).max() <= 1e-12
