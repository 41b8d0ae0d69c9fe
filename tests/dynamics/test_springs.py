"""Springs in joints and between bodies: forces against Pinocchio, energy, parts, and the way back."""

from functools import cache

import numpy as np
import pytest

from gough import State, joint_reactions, load, loads, modes, simulate
from gough.dynamics import FORMULATIONS, dynamics_matrices, forward_dynamics, inverse_dynamics
from gough.dynamics.force_programs import Model
from gough.kinematics import inverse_kinematics
from gough.kinematics.thin_leg import ThinLeg
from tests.support.forces import QUICK, forces, scale, states
from tests.support.pinocchio_dynamics import Oracle
from tests.support.random_robots import random_robot
from tests.support.sprung_robots import with_joint_springs, with_point_springs

AGREE = 1e-13  # of cond(K) max |tau|, as without springs


@cache
def sprung(name):
    match name:
        case "thin":
            return with_joint_springs(load("stewart"), 1, lambda _, joint: joint.actuated)
        case "universal":
            return with_joint_springs(load("stewart"), 2, lambda leg, _: leg.name in "12")
        case "carriers":
            robot = with_joint_springs(load("hexapod"), 3, lambda _, joint: joint.actuated)
            return with_point_springs(robot, 3, [("base", "A.P"), ("B.P", "platform"), ("C.P", "D.P")])
        case "rods":
            return with_point_springs(load("hexapod"), 4, [("base", "A.U2"), ("platform", "base")])
        case "delta":
            robot = with_joint_springs(load("delta"), 5)
            ends = [("base", "A.R"), ("A.Pa1", "B.Pa3"), ("C.Pa2", "platform"), ("B.R", "A.R")]
            return with_point_springs(robot, 5, ends)
        case "spinning":
            robot = with_joint_springs(random_robot("RSS", 6), 6)
            first = robot.legs[0]
            return with_point_springs(robot, 6, [("base", f"{first.name}.{first.joints[0].name}")])
        case "planar":
            robot = with_joint_springs(load("planar3rrr"), 7)
            second = f"{robot.legs[1].name}.{robot.legs[1].joints[1].name}"
            return with_point_springs(robot, 7, [("base", "platform"), (second, "platform"), (second, "base")])


NAMES = ("thin", "universal", "carriers", "rods", "delta", "spinning", "planar")
SMALL = ("delta", "planar")


@cache
def expected(name):
    given = states(sprung(name), 4, 41, size=0.05)
    return given, Oracle(sprung(name)).forces(*given)


def assert_agrees(name, formulation):
    given, found = expected(name)
    error = np.abs(forces(sprung(name), formulation, *given) - found).max(axis=1)
    assert (error <= AGREE * scale(sprung(name), given[0], found)).all()


@pytest.mark.parametrize("formulation", QUICK, ids=lambda f: f.name)
@pytest.mark.parametrize("name", NAMES)
def test_forces_are_those_of_pinocchio(name, formulation):
    assert_agrees(name, formulation)


@pytest.mark.parametrize("formulation", [f for f in FORMULATIONS if f not in QUICK], ids=lambda f: f.name)
@pytest.mark.parametrize("name", SMALL)
def test_forces_of_large_formulations_are_those_of_pinocchio(name, formulation):
    assert_agrees(name, formulation)


def test_only_legs_whose_links_are_pulled_need_frames():
    def thin(name):
        x, xd, xdd, _ = expected(name)[0]
        legs = Model(sprung(name), QUICK[0]).motion(x[0], xd[0], xdd[0]).pose.legs
        return [type(leg) is ThinLeg for leg in legs]

    assert thin("thin") == thin("carriers") == [True] * 6
    assert thin("universal") == [False] * 2 + [True] * 4
    assert thin("rods") == [False] + [True] * 5
    assert thin("spinning") == [True] * 6


@pytest.mark.parametrize("name", SMALL)
def test_parts_sum_to_the_force_and_the_springs_part_is_the_difference_they_make(name):
    (x, xd, xdd, wrench), full = expected(name)
    robot = sprung(name)
    result = inverse_dynamics(robot, State(x, xd, xdd, wrench=wrench))
    parts = result.parts()
    assert np.allclose(sum(parts.values()), full, rtol=0, atol=1e-12 * np.abs(full).max())
    oracle = Oracle(robot)
    oracle.springs = lambda q: np.zeros(oracle.tree.model.nv)
    without = oracle.forces(x, xd, xdd, wrench)
    assert np.abs(parts["spring"]).max() > 0.1
    assert np.allclose(parts["spring"], full - without, rtol=0, atol=1e-11 * np.abs(full).max())


@pytest.mark.parametrize("formulation", [f for f in FORMULATIONS if f.name != "virtual_work"], ids=lambda f: f.name)
def test_accelerations_come_back(formulation):
    (x, xd, xdd, wrench), force = expected("delta")
    found = forward_dynamics(sprung("delta"), State(x, xd, wrench=wrench), force, formulation=formulation)
    assert np.allclose(found.xdd, xdd, rtol=0, atol=1e-11 * np.abs(xdd).max())


@pytest.mark.parametrize("coordinates", ["platform", "actuator"])
def test_matrices_have_the_springs_in_G(coordinates):
    (x, xd, _, _), _ = expected("delta")
    robot = sprung("delta")
    found = [
        dynamics_matrices(robot, State(x, xd), formulation=name, coordinates=coordinates).G
        for name in ("generalized_momentum", "orthogonal_complement", "lagrange")
    ]
    still = np.zeros_like(xd)
    oracle = Oracle(robot).forces(x, still, still)
    if coordinates == "actuator":
        assert np.allclose(found[0], oracle, rtol=0, atol=1e-11 * np.abs(oracle).max())
    for other in found[1:]:
        assert np.allclose(other, found[0], rtol=0, atol=1e-12 * np.abs(found[0]).max())


def test_reactions_carry_the_springs_and_give_the_actuators_their_effort():
    (x, xd, xdd, wrench), force = expected("planar")
    robot = sprung("planar")
    found = joint_reactions(robot, State(x, xd, xdd, wrench=wrench))
    for k, leg in enumerate(robot.legs):
        joint = leg.joints[0]
        place = found.names.index(f"{leg.name}.{joint.name}")
        position = inverse_kinematics(robot, x).joint_q[:, 3 * k]
        spring = joint.spring
        held = -(spring.stiffness * (position - joint.zero - spring.rest) + spring.preload)
        assert np.allclose(
            found.joint_moment[:, place, 2], force[:, k] + held, rtol=0, atol=1e-11 * np.abs(force).max()
        )


def test_a_simulation_keeps_its_books_with_springs():
    robot = sprung("planar")
    run = simulate(robot, duration=0.3)
    assert np.ptp(run.potential) > 1e-3
    assert np.abs(run.balance).max() < 1e-9 * np.ptp(run.potential)


def test_modes_feel_springs():
    """A slider on a spring: the frequency is sqrt(k / m) / 2 pi, with gravity across it."""
    robot = loads(SLIDER)
    found = modes(robot, stiffness=50.0)
    assert found.frequency == pytest.approx([np.sqrt(350.0 / 1.5) / (2.0 * np.pi)], rel=1e-12)


SLIDER = """name = "slider"

[platform]
coordinates = { y = "y" }
mass = 1.0

[[leg]]
name = "A"

[[leg.joint]]
name = "rail"
type = "P"
axis = [0, 1, 0]
actuated = true
spring = { stiffness = 100, rest = 0.1, preload = 10 }
body = { mass = 0.5 }

[leg.end]
type = "rigid"

[[spring]]
name = "return"
stiffness = 200
first = { body = "base", point = [0, 0.05, 0] }
second = { body = "A.rail" }
"""


def test_a_slider_is_held_by_hand():
    robot = loads(SLIDER)
    y = np.array([[0.3], [-0.2]])
    found = inverse_dynamics(robot, y)
    by_hand = 100.0 * (y - 0.1) + 10.0 + 200.0 * (y - 0.05)
    assert np.allclose(found.force, by_hand, rtol=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_files_keep_springs(name):
    assert loads(sprung(name).to_toml()) == sprung(name)
