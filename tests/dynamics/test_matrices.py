"""M, C, G of the model: by every formulation that has them, in both coordinates, single and many."""

import numpy as np
import pytest

from gough import State, load
from gough.dynamics import (
    FORMULATIONS,
    angeles_terms,
    dynamics_matrices,
    inverse_dynamics,
    lopes_matrices,
)
from gough.errors import InputError
from gough.kinematics import PoseError, Status, inverse_kinematics
from gough.kinematics.random_states import conditions, random_states
from tests.support.loaded_robots import loaded

HAVING = [f.name for f in FORMULATIONS if f.matrix_coordinates is not None]
ROBOTS = {"spatial3": lambda: load("spatial3"), "other planar": lambda: loaded(load("planar3rrr"), 4)}
"""Small ones: matrices of six legs take long to compile, and are tested in tests/papers."""


def test_which_formulations_have_matrices():
    assert HAVING == ["generalized_momentum", "orthogonal_complement", "lagrange", "koditschek"]


@pytest.mark.parametrize("formulation", HAVING)
@pytest.mark.parametrize("name", ROBOTS)
def test_matrices_give_the_forces(name, formulation):
    """M xdd + C xd + G = K^T tau on the platform, M qdd + C qd + G = tau at the actuators, less rotors and friction."""
    robot = ROBOTS[name]()
    states = random_states(robot, 20, seed=9)
    result = inverse_dynamics(robot, State(states.x, states.xd, states.xdd))
    parts = result.parts()
    tau = parts["inertia"] + parts["velocity"] + parts["gravity"]
    kinematics = inverse_kinematics(robot, State(states.x, states.xd, states.xdd))
    scale = 1e-12 * np.abs(tau).max() * conditions(robot, states).max()
    for coordinates, rates, second, expected in (
        ("platform", states.xd, states.xdd, np.einsum("nij,ni->nj", kinematics.K, tau)),
        ("actuator", kinematics.qd, kinematics.qdd, tau),
    ):
        found = dynamics_matrices(robot, State(states.x, states.xd), formulation=formulation, coordinates=coordinates)
        total = np.einsum("nij,nj->ni", found.M, second) + np.einsum("nij,nj->ni", found.C, rates) + found.G
        assert total == pytest.approx(expected, rel=0, abs=scale)
        assert np.abs(found.M - np.swapaxes(found.M, 1, 2)).max() <= 1e-12 * np.abs(found.M).max()
        assert (found.coordinates, found.formulation) == (coordinates, formulation)
        assert found.names == {"platform": robot.coordinate_names, "actuator": robot.actuator_names}[coordinates]


@pytest.mark.parametrize("coordinates", ["platform", "actuator"])
@pytest.mark.parametrize("formulation", HAVING)
def test_for_which_formulations_md_less_2c_is_skew(formulation, coordinates):
    """As the docstring says; Md by a central difference of fourth order, which leaves some 1e-10.

    In the plane all of them are skew but lagrange.
    """
    robot = load("delta")
    states, h = random_states(robot, 5, seed=9), 1e-4
    own = dynamics_matrices(robot, State(states.x, states.xd), formulation=formulation, coordinates=coordinates)
    moved = [states.x + k * h * states.xd for k in (-2, -1, 1, 2)]
    near = [
        dynamics_matrices(robot, State(x, states.xd), formulation=formulation, coordinates=coordinates).M for x in moved
    ]
    difference = (near[0] - 8 * near[1] + 8 * near[2] - near[3]) / (12 * h) - 2 * own.C
    error = np.abs(difference + np.swapaxes(difference, 1, 2)).max() / np.abs(difference).max()
    assert error < 1e-8 if formulation in ("koditschek", "orthogonal_complement") else error > 1e-5


def test_one_sample_and_samples_out_of_reach():
    robot = load("spatial3")
    home = np.array(robot.platform.home)
    far = home + [5.0, 0, 0]
    many = dynamics_matrices(robot, State(np.array([home, far]), np.zeros((2, 3))))
    assert many.status.tolist() == [Status.FINE, Status.OUT_OF_REACH]
    assert np.isnan(many.M[1]).all()
    one = dynamics_matrices(robot, State(home, np.zeros(3)))
    assert np.array_equal(one.M, many.M[0])
    with pytest.raises(PoseError, match="out of reach"):
        dynamics_matrices(robot, State(far, np.zeros(3)))


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({"formulation": "newton_euler"}, "has no matrices; choose generalized_momentum, orthogonal_complement"),
        ({"formulation": "lagrnge"}, "lagrange"),
        ({"coordinates": "joint"}, "choose platform or actuator"),
    ],
)
def test_bad_calls(arguments, line):
    robot = load("spatial3")
    with pytest.raises(InputError, match=line):
        dynamics_matrices(robot, State(np.zeros(3), np.zeros(3)), **arguments)


def test_lopes_matrices_are_of_a_stewart_platform():
    with pytest.raises(InputError, match="6-UPS"):
        lopes_matrices(load("hexapod"), State(np.zeros(6), np.zeros(6)))


def test_lectures_terms_of_another_robot():
    """T qd is the platform's twist, L_J qd the joint rates, Lambda the identity, whatever the robot."""
    robot = load("spatial3")
    states = random_states(robot, 5, seed=10)
    terms = angeles_terms(robot, State(states.x, states.xd))
    kinematics = inverse_kinematics(robot, State(states.x, states.xd))
    qd = kinematics.qd
    at = 0
    for leg in robot.legs:
        own = kinematics.joint_qd[:, at : at + len(leg.joints)]
        assert np.einsum("nij,nj->ni", terms.L[leg.name], qd) == pytest.approx(own, abs=1e-12)
        at += len(leg.joints)
    y, z, theta = states.xd.T
    expected = np.stack([0 * y, y, z, 0 * y, theta, 0 * y], axis=1)
    assert np.einsum("nij,nj->ni", terms.T, qd) == pytest.approx(expected, abs=1e-12)
    assert np.abs(terms.Lambda - np.eye(3)).max() < 1e-13
