"""The peers that the benchmark of dynamics races against compute the forces, and a wrong one is caught."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("pinocchio")
pytest.importorskip("mujoco")

from benchmarks import costs, dynamics_race, stewart_states
from benchmarks.peers.mechanism import Mechanism
from benchmarks.peers.mujoco_batched import MujocoBatched
from benchmarks.peers.pinocchio_batched import PinocchioBatched
from benchmarks.peers.pinocchio_textbook import PinocchioTextbook
from gough import Body, State, load
from gough.dynamics.force_programs import Model, force_program
from gough.dynamics.newton_euler import NewtonEuler
from gough.kinematics import inverse_kinematics
from tests.support.robots import with_values

pytestmark = pytest.mark.oracle

PEERS = {
    "textbook": PinocchioTextbook,
    "per sample": lambda robot: PinocchioBatched(robot, copies=1),
    "groups": PinocchioBatched,
    "small pieces": lambda robot: PinocchioBatched(robot, copies=5, piece=7),
    "parallel": lambda robot: PinocchioBatched(robot, parallel=True),
    "mj_inverse": MujocoBatched,
    "stages": lambda robot: MujocoBatched(robot, stages=True),
}


@pytest.fixture(scope="module", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with costs.cache_folder(str(tmp_path_factory.mktemp("cache"))):
        yield


@pytest.mark.parametrize("peer", PEERS)
def test_peers_give_the_reference_forces(peer: str):
    motion, expected = stewart_states.reference_states()
    tau = PEERS[peer](load("stewart"))(*motion)
    assert stewart_states.worst_error(tau, expected) <= stewart_states.REFERENCE_TOLERANCE


@pytest.mark.parametrize("name", dynamics_race.ROBOTS)
@pytest.mark.parametrize("peer", PEERS)
def test_peers_agree_with_gough(name: str, peer: str):
    robot = load(name)
    x, xd, xdd = dynamics_race.states(robot, 30)
    ours = force_program(Model(robot, NewtonEuler()))(x=x, xd=xd, xdd=xdd)
    assert stewart_states.worst_error(PEERS[peer](robot)(x, xd, xdd), ours) <= dynamics_race.AGREEMENT


@pytest.mark.parametrize("peer", PEERS)
def test_peers_know_platforms_without_symmetry(peer: str):
    robot = load("stewart")
    body = Body("platform", 2.0, (0.02, -0.03, 0.05), (0.2, 0.25, 0.4, 0.01, -0.02, 0.03))
    robot = with_values(robot, platform=replace(robot.platform, body=body), gravity=(1.0, -2.0, -9.0))
    x, xd, xdd = dynamics_race.states(robot, 30)
    ours = force_program(Model(robot, NewtonEuler()))(x=x, xd=xd, xdd=xdd)
    assert stewart_states.worst_error(PEERS[peer](robot)(x, xd, xdd), ours) <= dynamics_race.AGREEMENT


@pytest.mark.parametrize("name", dynamics_race.ROBOTS)
def test_joint_motion_of_the_peers(name: str):
    robot = load(name)
    mechanism = Mechanism(robot)
    x, xd, xdd = dynamics_race.states(robot, 20)
    legs = mechanism.motion(x.T, xd.T, xdd.T).legs
    ours = inverse_kinematics(robot, State(x, xd, xdd))
    angles = [np.arctan2(a[1], a[0]) if isinstance(a, tuple) else a for a in legs.angles]
    for theirs, known in (
        (angles, ours.joint_q),
        (legs.rates, ours.joint_qd),
        (legs.accelerations, ours.joint_qdd),
    ):
        expected = known.reshape(20, 6, -1)[:, :, : mechanism.joints]
        np.testing.assert_allclose(np.array(theirs).transpose(2, 1, 0), expected, rtol=0, atol=1e-11)


def test_a_robot_the_peers_do_not_know_is_refused():
    with pytest.raises(ValueError, match="the peers know"):
        _ = Mechanism(load("delta")).kind


@pytest.mark.parametrize("wrong", [1e-9, np.nan])
def test_a_wrong_contestant_is_caught(wrong: float):
    right = np.ones((5, 6))
    spoiled = right.copy()
    spoiled[-1, 2] += wrong
    with pytest.raises(ArithmeticError, match="is off by"):
        dynamics_race.check({"spoiled": (spoiled.copy, 5)}, right)


def test_every_state_is_in_reach():
    for name in dynamics_race.ROBOTS:
        robot = load(name)
        x, _, _ = dynamics_race.states(robot, 2000)
        assert not inverse_kinematics(robot, x).status.any()
