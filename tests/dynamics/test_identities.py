"""Identities of the forces: their parts, linearity, rest, rigid motion of the machine, payloads."""

from dataclasses import replace

import numpy as np
import pytest

from gough import Body, State, load
from gough.dynamics import inverse_dynamics
from gough.dynamics.parts import PARTS
from gough.errors import InputError
from tests.support.dynamic_cases import case
from tests.support.forces import QUICK, forces, scale, states
from tests.support.random_robots import moved, reframed, turn
from tests.support.robots import with_values

EXACT = 1e-13  # of cond(K) max |tau|
SOME = ("stewart", "hexapod thin", "spatial3 loaded", "planar3rrr loaded", "delta", "RSS", "two_and_one")

formulations = pytest.mark.parametrize("formulation", QUICK, ids=lambda f: f.name)
robots = pytest.mark.parametrize("name", SOME)


def assert_same(robot, x, one, other):
    size = scale(robot, x, np.maximum(np.abs(one), np.abs(other)))
    assert (np.abs(one - other).max(axis=1) <= EXACT * size).all()


@robots
@pytest.mark.parametrize("platform_coordinates", [False, True])
def test_parts_sum_to_the_force(name, platform_coordinates):
    robot = case(name)
    x, xd, xdd, wrench = states(robot, 4, 51, size=0.05)
    result = inverse_dynamics(robot, State(x, xd, xdd, wrench=wrench))
    parts = result.parts(platform_coordinates)
    assert tuple(parts) == PARTS
    assert_same(robot, x, sum(parts.values()), result.force)
    plain = inverse_dynamics(robot, State(x, xd, xdd))
    assert (plain.parts(platform_coordinates)["external"] == 0.0).all()
    assert_same(robot, x, plain.force + parts["external"], result.force)


@pytest.mark.parametrize("name", ["stewart", "spatial3", "planar3rrr loaded"])
@formulations
def test_bodies_sum_to_the_force(name, formulation):
    robot = case(name)
    x, xd, xdd, wrench = states(robot, 3, 52, size=0.05)
    result = inverse_dynamics(robot, State(x, xd, xdd, wrench=wrench), formulation=formulation)
    parts, bodies = result.parts(), result.by_body()
    rest = [parts[key] for key in ("friction", "rotor", "external")]
    assert_same(robot, x, sum(bodies.values()) + sum(rest), result.force)


@robots
@formulations
def test_linear_in_accelerations_and_wrench(name, formulation):
    robot = case(name)
    x, xd, xdd, wrench = states(robot, 3, 53, size=0.05)
    other, push = xdd[::-1] * 0.7, wrench[::-1] * -1.3

    def force(a, w):
        return forces(robot, formulation, x, xd, a, w)

    none = force(0 * xdd, 0 * wrench)
    mixed = force(2.0 * xdd - 3.0 * other, 0.5 * wrench + push)
    separate = 2.0 * (force(xdd, 0 * wrench) - none) - 3.0 * (force(other, 0 * wrench) - none)
    separate = separate + 0.5 * (force(0 * xdd, wrench) - none) + (force(0 * xdd, push) - none)
    assert_same(robot, x, mixed, separate + none)


@robots
def test_at_rest_only_gravity_acts(name):
    robot = case(name)
    x = states(robot, 3, 54, size=0.05)[0]
    result = inverse_dynamics(robot, x)
    parts = result.parts()
    for key in PARTS:
        if key != "gravity":
            assert np.abs(parts[key]).max() <= EXACT * max(1.0, np.abs(result.force).max()), key
    assert_same(robot, x, parts["gravity"], result.force)
    weightless = robot.replace({"gravity": [0.0, 0.0, 0.0]})
    assert np.abs(inverse_dynamics(weightless, x).force).max() <= EXACT


@robots
@formulations
def test_moving_the_whole_machine_changes_nothing(name, formulation):
    robot, rng = case(name), np.random.default_rng(55)
    x, xd, xdd, wrench = states(robot, 3, 55, size=0.05)
    R, p = turn(rng), rng.normal(size=3)
    turned = np.concatenate([wrench[:, :3] @ R.T, wrench[:, 3:] @ R.T], axis=1)
    one = forces(robot, formulation, x, xd, xdd, wrench)
    other = forces(moved(robot, R, p), formulation, x, xd, xdd, turned)
    assert (np.abs(one - other).max(axis=1) <= 100 * EXACT * scale(robot, x, one)).all()  # R is a rotation to 1e-16


@pytest.mark.parametrize("name", ["stewart", "hexapod thin", "spatial3 loaded", "sru"])
def test_frames_do_not_matter(name):
    robot = case(name)
    x, xd, xdd, wrench = states(robot, 3, 56, size=0.05)
    one = forces(robot, QUICK[0], x, xd, xdd, wrench)
    other = forces(reframed(robot, 56), QUICK[0], x, xd, xdd, wrench)
    assert (np.abs(one - other).max(axis=1) <= 100 * EXACT * scale(robot, x, one)).all()


def test_rates_backwards_reverse_only_friction():
    """Inertia, Coriolis and gravity forces are even in the rates; friction is odd."""
    robot = case("stewart loaded")
    x, xd, xdd, _ = states(robot, 4, 57)
    ahead, back = (inverse_dynamics(robot, State(x, v, xdd)).parts() for v in (xd, -xd))
    for key in ("inertia", "velocity", "gravity", "rotor"):
        assert_same(robot, x, ahead[key], back[key])
    assert_same(robot, x, ahead["friction"], -back["friction"])


def test_no_speed_no_friction():
    """sign(0) = 0: an actuator at rest has no Coulomb friction, in either direction."""
    robot = load("stewart").replace({"legs.actuator.coulomb": 5.0, "legs.actuator.viscous": 1.0})
    x = np.array(robot.platform.home)
    assert (inverse_dynamics(robot, x).parts()["friction"] == 0.0).all()
    up = np.array([0, 0, 0.1, 0, 0, 0])
    expected = 5.0 + 0.1 * 2.0 / inverse_dynamics(robot, State(x, up, 0 * x)).q[0]  # ld = zd n_z
    for sign in (1.0, -1.0):
        result = inverse_dynamics(robot, State(x, sign * up, 0 * x))
        assert result.parts()["friction"] == pytest.approx(np.full(6, sign * expected), rel=1e-14)


@formulations
def test_payload_is_another_body(formulation):
    """By the parallel axes, against the sum of the forces of two platforms: forces are linear in bodies."""
    robot = case("stewart loaded")
    x, xd, xdd, wrench = states(robot, 3, 58)
    mass, com, inertia = 1.7, (0.2, -0.1, 0.3), (0.02, 0.03, 0.04, 1e-3, 2e-3, -3e-3)
    carried = forces(robot.with_payload(mass, com, inertia), formulation, x, xd, xdd, wrench)
    load_only = with_values(robot, platform=replace(robot.platform, body=Body("load", mass, com, inertia)))
    bare = with_values(robot, platform=replace(robot.platform, body=Body("none")))
    parts = [forces(r, formulation, x, xd, xdd, wrench) for r in (robot, load_only, bare)]
    assert_same(robot, x, carried, parts[0] + parts[1] - parts[2])


def test_payload_keeps_the_short_form():
    robot = load("spatial3").with_payload(2.0, (0.01, 0.02, 0.03))
    assert robot.platform.body.mass == 8.1573 + 2.0
    again = robot.replace({"legs.slider.mass": 0.9751})
    assert again == robot
    assert again.platform.body.com == pytest.approx(robot.platform.body.com, abs=1e-17)


def test_a_light_payload_changes_little():
    robot = load("rotary")
    x, xd, xdd, _ = states(robot, 2, 59)
    plain = inverse_dynamics(robot, State(x, xd, xdd)).force
    assert_same(robot, x, plain, inverse_dynamics(robot.with_payload(1e-300), State(x, xd, xdd)).force)


@pytest.mark.parametrize(
    ("call", "line"),
    [
        ((0.0,), "stewart: payload.mass: 0.0: must be greater than 0"),
        ((-1.0,), "stewart: payload.mass: -1.0: must be greater than 0"),
        ((float("nan"),), "stewart: payload.mass: nan: must be a finite number"),
        (("heavy",), 'stewart: payload.mass: "heavy": must be a number'),
        ((1.0, (0.0, 1.0)), "stewart: payload.com: [0.0, 1.0]: must be three numbers [x, y, z] (2 given)"),
        (
            (1.0, (0.0, 0.0, 0.0), (1.0,) * 2),
            "stewart: payload.inertia: [1.0, 1.0]: must be 3 principal moments, 6 numbers xx, yy, zz, xy, xz, yz, "
            "or 3 rows of 3 (2 given)",
        ),
    ],
)
def test_bad_payloads(call, line):
    with pytest.raises(InputError) as error:
        load("stewart").with_payload(*call)
    assert str(error.value) == line
