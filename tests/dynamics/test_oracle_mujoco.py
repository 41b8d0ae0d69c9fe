"""Oracle lane: forces with MuJoCo's inverse dynamics of the cut tree, by the default formulation."""

import numpy as np
import pytest

from gough.dynamics.newton_euler import NewtonEuler
from tests.support.catalogue_lanes import HELD
from tests.support.dynamic_cases import case
from tests.support.forces import forces, scale, states
from tests.support.mujoco_dynamics import MujocoOracle
from tests.support.pinocchio_dependent import oracle_of

pytestmark = pytest.mark.oracle

AGREE = 1e-13  # of cond(K) max |tau|: the worst that was seen is 2e-14
NAMES = (*HELD, *(f"{name} loaded" for name in (*HELD, "planar4rrr", "rps3")), "SPS", "branched", "two_and_one")


@pytest.mark.parametrize("name", NAMES)
def test_forces(name):
    robot = case(name)
    given = states(robot, 4, 51, size=0.05)
    oracle = oracle_of(robot, MujocoOracle)
    found = oracle.forces(*given)
    assert np.isfinite(found).all()
    error = np.abs(forces(robot, NewtonEuler(), *given) - found).max(axis=1)
    assert (error <= AGREE * scale(robot, given[0], found)).all()
