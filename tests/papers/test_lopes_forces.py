"""Lopes' matrices off the paper's machine: their forces are those of inverse_dynamics, or the robot is refused."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough import Anchor, JointSpring, PointSpring
from gough.dynamics.lopes import body_matrices, lopes_matrices, lopes_parameters
from gough.errors import InputError
from gough.kinematics.random_states import conditions, random_states
from tests.support.lanes import size
from tests.support.random_robots import ring, turn
from tests.support.readings import with_bodies
from tests.support.robots import build, with_values


def machine(seed, kind="UPS"):
    """A 6-UPS platform without a coincidence: joints off their planes, a thick platform, gravity in any direction."""
    rng = np.random.default_rng(seed)
    m_C, m_S, I_C, I_S, b_C, b_S = rng.uniform([0.2, 0.2, 2e-3, 2e-3, 0.1, 0.1], [0.6, 0.6, 9e-3, 9e-3, 0.3, 0.3])
    spin = 3e-3 if kind == "SPS" else 0.0
    bodies = {
        "cylinder": {"mass": m_C, "com": [b_C, 0.0, 0.0], "inertia": [spin, I_C, I_C]},
        "piston": {"mass": m_S, "com": [-b_S, 0.0, 0.0], "inertia": [spin, I_S, I_S]},
    }
    joints = zip(ring(rng, 6, 0.5, 0.1), ring(rng, 6, 0.3, 0.1)[[1, 0, 3, 2, 5, 4]], strict=True)
    platform = {
        "coordinates": {"x": "x", "y": "y", "z": "z", "psi": "rz", "theta": "ry", "phi": "rx"},
        "home": [0.02, -0.03, 0.6, 0.1, -0.07, 0.05],
        "mass": 2.0,
        "inertia": [0.03, 0.05, 0.06],
    }
    tables = {
        "name": "off-paper",
        "gravity": 9.81 * turn(rng)[:, 0],
        "platform": platform,
        "leg": [{"type": kind, "base": b, "platform": p, **bodies} for b, p in joints],
    }
    return build(tables)


def difference(robot, seed):
    """Largest difference to newton_euler's forces, over cond(K) max |force| of a state."""
    states = random_states(robot, 20, seed)
    found = lopes_matrices(robot, gough.State(states.x, states.xd)).force(states.xd, states.xdd)
    expected = gough.inverse_dynamics(robot, gough.State(states.x, states.xd, states.xdd)).force
    return (np.abs(found - expected).max(axis=1) / (conditions(robot, states) * np.abs(expected).max(axis=1))).max()


@pytest.mark.parametrize("kind", ["UPS", "SPS"])
@pytest.mark.parametrize("seed", range(size(20, 3)))
def test_forces_are_those_of_inverse_dynamics(seed, kind):
    assert difference(machine(seed, kind), seed) <= 1e-13


def joints(**changed):
    """A change of every joint of these places in its leg: P, U1 or U2."""
    places = {"U1": 0, "U2": 1, "P": 2}

    def change(robot):
        legs = []
        for leg in robot.legs:
            own = list(leg.joints)
            for name, values in changed.items():
                own[places[name]] = replace(own[places[name]], **values)
            legs.append(replace(leg, joints=tuple(own)))
        return with_values(robot, legs=tuple(legs))

    return change


def bodies(**changed):
    return lambda robot: with_bodies(
        robot, **{name: lambda b, values=values: replace(b, **values) for name, values in changed.items()}
    )


def moved_leg_frame(robot):
    """The same robot but for the first joint of leg 1, whose place is stated by its offset."""
    first = robot.legs[0]
    own = (replace(first.joints[0], offset=(0.0, 0.05, 0.0)), *first.joints[1:])
    return with_values(robot, legs=(replace(first, joints=own), *robot.legs[1:]))


def one_heavier_leg(robot):
    first = robot.legs[0]
    heavy = replace(first.joints[2], body=replace(first.joints[2].body, mass=1.0))
    return with_values(robot, legs=(replace(first, joints=(*first.joints[:2], heavy)), *robot.legs[1:]))


def between_bodies(robot):
    ends = Anchor("base", (0.1, 0.2, 0.0)), Anchor("platform", (0.05, 0.0, 0.02))
    return with_values(robot, springs=(PointSpring("s", *ends, 100.0, 0.3),))


SPIN = "the spin of legs"
REFUSED = {
    "viscous friction of the drives": (joints(P={"viscous": 2.0}), "friction"),
    "dry friction of the drives": (joints(P={"coulomb": 2.0}), "friction"),
    "passive friction": (joints(U2={"viscous": 0.1}), "friction"),
    "rotors": (joints(P={"rotor_inertia": 1e-5, "gear": 300.0}), "rotors"),
    "springs in joints": (joints(P={"spring": JointSpring(50.0, 0.1, 0.0)}), "springs"),
    "springs between bodies": (between_bodies, "springs"),
    "cylinder off the axis": (bodies(cylinder={"com": (0.2, 0.03, 0.0)}), "a centre of mass off the leg's axis"),
    "piston off the axis": (bodies(piston={"com": (-0.2, 0.0, 0.03)}), "a centre of mass off the leg's axis"),
    "uneven cylinder": (bodies(cylinder={"inertia": (0.0, 4e-3, 5e-3, 0.0, 0.0, 0.0)}), SPIN),
    "uneven piston": (bodies(piston={"inertia": (0.0, 4e-3, 5e-3, 0.0, 0.0, 0.0)}), SPIN),
    "thick cylinder": (bodies(cylinder={"inertia": (1e-3, 5e-3, 5e-3, 0.0, 0.0, 0.0)}), SPIN),
    "turned piston": (bodies(piston={"inertia": (1e-3, 5e-3, 5e-3, 2e-4, 0.0, 0.0)}), "leg bodies with products"),
    "cross": (bodies(cross={"mass": 0.1}), "the mass of universal joints"),
    "platform off its origin": (bodies(platform={"com": (0.0, 0.01, 0.05)}), "a platform whose centre of mass"),
    "platform with products": (
        bodies(platform={"inertia": (0.03, 0.05, 0.06, 1e-3, 0.0, 0.0)}),
        "a platform with products of inertia",
    ),
    "payload": (lambda robot: robot.with_payload(1.0, (0.0, 0.02, 0.1)), "a platform whose centre of mass"),
    "heavier leg": (one_heavier_leg, "legs of different bodies"),
    "leg frame elsewhere": (moved_leg_frame, "leg frames"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_paper_leaves_out_is_refused_by_name(name):
    change, feature = REFUSED[name]
    robot = change(machine(1))
    x = np.array(robot.platform.home)
    with pytest.raises(InputError, match=f"Lopes' matrices do not include {feature}") as found:
        lopes_matrices(robot, gough.State(x, np.zeros(6)))
    assert "\n" not in str(found.value)


def test_an_origin_that_is_turned_is_refused():
    robot = machine(1)
    turned = replace(robot.platform, rotation=((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
    with pytest.raises(InputError, match="in coordinates x, y, z, then turns about z, y and x, in base axes"):
        lopes_matrices(with_values(robot, platform=turned), gough.State(np.array(robot.platform.home), np.zeros(6)))


def test_legs_turned_over_are_refused():
    """A leg in its other posture points from its piston to its base: its bodies are on the other side of the joint."""
    robot = machine(1)
    over = [branch for branch in (1, -1, 2, -2) if np.sign(lengths(robot, branch)).max() < 0.0]
    assert over
    for branch in over:
        with pytest.raises(InputError, match="leg frames whose x axis is not along the leg"):
            lopes_matrices(on_branch(robot, branch), gough.State(np.array(robot.platform.home), np.zeros(6)))


def on_branch(robot, branch):
    legs = []
    for leg in robot.legs:
        free = tuple(replace(joint, start=None) for joint in leg.joints)
        legs.append(replace(leg, branch=branch, joints=free))
    return with_values(robot, legs=tuple(legs))


def lengths(robot, branch):
    return gough.inverse_kinematics(on_branch(robot, branch), robot.platform.home).q


def test_matrices_of_plain_numbers_are_those_of_lopes_matrices():
    robot = machine(2)
    states = random_states(robot, 3, 5)
    parameters = lopes_parameters(robot)
    whole = lopes_matrices(robot, gough.State(states.x, states.xd))
    for k, (x, xd) in enumerate(zip(states.x, states.xd, strict=True)):
        legs = [body_matrices(parameters, x, xd, i) for i in range(6)]
        assert np.abs(legs[0]["V_P"]).max() > 1e-3
        np.testing.assert_allclose(legs[0]["V_P"], whole.V_P[k], rtol=0, atol=1e-14)
        for name in whole.V:
            for letter, summed in (("V", whole.V), ("I", whole.I)):
                total = sum(leg[f"{letter}_{name}"] for leg in legs)
                np.testing.assert_allclose(total, summed[name][k], rtol=0, atol=1e-13 * np.abs(summed[name]).max())
