"""Oracle lane: joint reactions by Pinocchio, and what it says of those that statics cannot tell apart."""

import numpy as np
import pytest

from gough.dynamics import joint_reactions
from gough.dynamics.reaction_system import sections
from tests.support.catalogue_lanes import HELD
from tests.support.dynamic_cases import case
from tests.support.forces import states
from tests.support.given_states import state_of
from tests.support.pinocchio_reactions import ReactionOracle, section

pytestmark = pytest.mark.oracle

AGREE = 1e-13  # of the largest reaction: the worst that was seen is 2e-14
FREE, TOUCHED = 1e-9, 1e-5  # of a unit stress: what leaves a reaction alone, and what does not; none is between
NAMES = (
    *HELD,
    *(f"{name} loaded" for name in HELD),
    *("SPS", "RPa", "PPa", "RRU", "skew", "two_and_one", "branched", "driven_universal"),
)


def differences(robot, oracle, given):
    """Of every determinate component of every reaction from Pinocchio's, relative to the sample's largest."""
    mine = joint_reactions(robot, state_of(given))
    compared = []
    for n, found in enumerate(oracle.reactions(*given)):
        assert found.residual < 1e-12
        assert mine.indeterminacy[n] == next(iter(found.stresses.values())).shape[1]
        largest = max(np.abs(w).max() for w in found.wrenches.values())
        for s, (title, leg, joints) in enumerate(sections(robot)):
            wrench, change = section(found, leg, joints, mine.points[n, s])
            assert ((change < FREE) | (change > TOUCHED)).all(), title
            known = change < FREE
            assert (known == mine.determinate[n, s]).all(), title
            value = np.concatenate([mine.joint_force[n, s], mine.joint_moment[n, s]])
            assert (np.isfinite(value) == known).all(), title
            compared += list(np.abs(value - wrench)[known] / largest)
    return np.array(compared)


@pytest.mark.parametrize("name", NAMES)
def test_reactions(name):
    robot = case(name)
    oracle = ReactionOracle(robot)
    found = differences(robot, oracle, states(robot, 3, 41, size=0.05))
    assert oracle.misfit < 1e-12
    assert len(found) > 60
    assert found.max() < AGREE


@pytest.mark.parametrize("change", [{"platform.mass": 3.01}, {"leg.2.joint.3.body.com.1": 0.05}])
def test_the_oracle_sees_a_difference(change):
    robot = case("sru loaded")
    given = states(robot, 2, 42, size=0.05)
    assert differences(robot.replace(change), ReactionOracle(robot), given).max() > 1e-5
