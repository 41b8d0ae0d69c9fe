"""Forces of machines with dependent motion: independent computations by every formulation, identities, derivatives."""

import numpy as np
import pytest

from gough.dynamics import forward_dynamics, inverse_dynamics
from gough.dynamics.contract import FORMULATIONS, VARIANTS
from gough.dynamics.solved_for import SolvedFor
from tests.support.dependent_references import NAMES, machine, samples

KEYS = ("x", "xd", "xdd")


@pytest.mark.parametrize("formulation", [f.name for f in (*FORMULATIONS, *VARIANTS)])
@pytest.mark.parametrize("name", NAMES)
def test_forces_are_those_of_the_independent_computation(name, formulation):
    found = inverse_dynamics(machine(name), *(samples(name, key) for key in KEYS), formulation=formulation)
    wanted = samples(name, "force")
    assert np.isfinite(found.force).all()
    np.testing.assert_allclose(found.force, wanted, rtol=0, atol=1e-14 * np.abs(wanted).max())


@pytest.mark.parametrize("formulation", [f.name for f in FORMULATIONS if f.solved_for is not SolvedFor.NOTHING])
@pytest.mark.parametrize("name", NAMES)
def test_accelerations_come_back_from_the_forces(name, formulation):
    robot, wrench = machine(name), [3.0, -2.0, 5.0, 0.4, 0.3, -0.2]
    x, xd, xdd = (samples(name, key) for key in KEYS)
    force = inverse_dynamics(robot, x, xd, xdd, wrench).force
    found = forward_dynamics(robot, x, xd, force, wrench, formulation)
    np.testing.assert_allclose(found.xdd, xdd, rtol=0, atol=1e-12 * np.abs(xdd).max())
