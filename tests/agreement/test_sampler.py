"""The states that the agreement lane draws are what they claim to be."""

import numpy as np
import pytest

from gough import catalogue, load
from gough.kinematics import Status, inverse_kinematics
from gough.kinematics.random_states import GRAVITY, conditions, random_states, scales
from tests.support.catalogue_lanes import DEAR
from tests.support.states import near_edge, near_home, states_everywhere

NAMES = [pytest.param(name, marks=pytest.mark.slow) if name in DEAR else name for name in catalogue()]


@pytest.mark.parametrize("name", NAMES)
def test_states_are_reachable_and_reproducible(name):
    robot = load(name)
    states = states_everywhere(robot, 1000, seed=1)
    assert len(states) == 1000
    assert (inverse_kinematics(robot, states.x).status == Status.FINE).all()
    for values in (*states.inputs(robot).values(), conditions(robot, states)):
        assert np.isfinite(values).all()
    again = states_everywhere(robot, 1000, seed=1)
    assert all((a == b).all() for a, b in zip(states.inputs(robot).values(), again.inputs(robot).values(), strict=True))
    assert not (states_everywhere(robot, 1000, seed=2).x == states.x).all()


@pytest.mark.parametrize("name", NAMES)
def test_states_cover_the_workspace(name):
    """Some poses are far from home, accelerations are as large as gravity, every coordinate moves both ways."""
    robot = load(name)
    states = random_states(robot, 1000, seed=3)
    away = (states.x - robot.platform.home) / scales(robot)
    assert np.abs(away).max() > 0.15
    assert (away.min(axis=0) < -0.02).all()
    assert (away.max(axis=0) > 0.02).all()
    slides = [not c.motion.startswith("r") for c in robot.platform.coordinates]
    if any(slides):
        typical = np.sqrt((states.xdd[:, slides] ** 2).mean())
        assert 0.5 * GRAVITY < typical < 2.0 * GRAVITY


@pytest.mark.parametrize("name", NAMES)
def test_states_near_home(name):
    robot = load(name)
    poses = near_home(robot, 200, np.random.default_rng(4))
    away = np.abs((poses - robot.platform.home) / scales(robot)).max(axis=1)
    assert away[0] == 0.0
    assert away.max() <= 1e-3
    assert away[1:].min() < 1e-7


@pytest.mark.parametrize("name", NAMES)
def test_states_near_the_edge(name):
    """A little further along the way most of them are lost."""
    robot = load(name)
    poses = near_edge(robot, 200, np.random.default_rng(5))
    assert (inverse_kinematics(robot, poses).status == Status.FINE).all()
    worst = inverse_kinematics(robot, poses).condition.max()
    ordinary = np.median(inverse_kinematics(robot, random_states(robot, 200).x).condition)
    assert worst > 3.0 * ordinary
