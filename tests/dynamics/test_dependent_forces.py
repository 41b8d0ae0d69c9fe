"""Forces of machines with dependent motion: independent computations by every formulation, identities, derivatives."""

import numpy as np
import pytest

from gough import State, load
from gough.dynamics import force_derivatives, forward_dynamics, inverse_dynamics
from gough.dynamics.contract import FORMULATIONS, VARIANTS
from gough.dynamics.matrices import SolvedFor
from tests.support.dependent_references import NAMES, machine, samples
from tests.support.robots import value_at

KEYS = ("x", "xd", "xdd")
CATALOGUE = {"3rps": "rps3", "tricept": "tricept"}


@pytest.mark.parametrize("formulation", [f.name for f in (*FORMULATIONS, *VARIANTS)])
@pytest.mark.parametrize("name", NAMES)
def test_forces_are_those_of_the_independent_computation(name, formulation):
    robot = load(CATALOGUE[name]) if name in CATALOGUE else machine(name)
    found = inverse_dynamics(robot, State(*(samples(name, key) for key in KEYS)), formulation=formulation)
    wanted = samples(name, "force")
    assert np.isfinite(found.force).all()
    np.testing.assert_allclose(found.force, wanted, rtol=0, atol=1e-14 * np.abs(wanted).max())


@pytest.mark.parametrize("formulation", [f.name for f in FORMULATIONS if f.solved_for is not SolvedFor.NOTHING])
@pytest.mark.parametrize("name", NAMES)
def test_accelerations_come_back_from_the_forces(name, formulation):
    robot, wrench = machine(name), [3.0, -2.0, 5.0, 0.4, 0.3, -0.2]
    x, xd, xdd = (samples(name, key) for key in KEYS)
    force = inverse_dynamics(robot, State(x, xd, xdd, wrench=wrench)).force
    found = forward_dynamics(robot, State(x, xd, wrench=wrench), force, formulation=formulation)
    np.testing.assert_allclose(found.xdd, xdd, rtol=0, atol=1e-12 * np.abs(xdd).max())


def test_derivatives_by_pose_and_by_the_planes_of_legs_are_differences():
    robot, h = machine("3rps"), 1e-6
    x, xd, xdd = (samples("3rps", key)[:2] for key in KEYS)
    places = ("leg.L1.position.2", "leg.L2.end.platform_point.0")
    found = force_derivatives(robot, State(x, xd, xdd), wrt=("x", *places))
    for path in places:
        value = value_at(robot, path)
        there, back = (inverse_dynamics(robot.replace({path: value + s}), State(x, xd, xdd)).force for s in (h, -h))
        np.testing.assert_allclose(found[path], (there - back) / (2 * h), rtol=0, atol=1e-7)
    for k, unit in enumerate(np.eye(3)):
        there, back = (inverse_dynamics(robot, State(x + s * unit, xd, xdd)).force for s in (h, -h))
        np.testing.assert_allclose(found["x"][:, :, k], (there - back) / (2 * h), rtol=0, atol=1e-7)
