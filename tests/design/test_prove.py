"""Branch and bound: what was found over an envelope is proved, box by box, and a wrong value cannot be."""

from dataclasses import replace

import numpy as np
import pytest

from gough import load
from gough.design import envelope_of, prove, size
from gough.design.prove_envelope import (
    check_provable,
    force_bounds,
    force_polynomial,
    polar,
    power_bounds,
    power_polynomial,
    velocity_box,
)
from gough.design.worst import Worst
from gough.errors import InputError
from gough.kinematics import Status, inverse_kinematics
from gough.run.enclose import enclose
from tests.design.envelopes import TEXTS, envelope
from tests.support.loaded_robots import loaded

SMALL = {"delta": TEXTS["delta"].replace("[-0.2, 0.2]", "[0, 0.1]").replace("[-0.95, -0.75]", "[-0.9, -0.8]")}
THREE = ("delta", "planar3rrr", "spatial3")


@pytest.fixture(scope="module")
def results():
    found = {}
    for name in THREE:
        robot = load(name)
        found[name] = size(robot, envelope_of(robot, SMALL.get(name, TEXTS[name])), seeds=(1,), power=9)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "most"), [("delta", 5_000), ("planar3rrr", 15_000), ("spatial3", 1_000)])
def test_what_was_found_is_proved(results, name, most):
    result = results[name]
    proof = prove(result, 1e-3, None)
    assert proof.power == pytest.approx(np.maximum(proof.force_high, -proof.force_low) * proof.qd)
    assert (proof.power >= result.of("power")).all()
    assert proof.boxes < most
    assert proof.gap <= 1e-3
    assert (proof.force_high >= result.of("force+")).all()
    assert (proof.force_low <= result.of("force-")).all()
    assert (proof.qd >= result.of("speed")).all()
    assert proof.unreachable == 0.0


@pytest.mark.parametrize("name", THREE)
@pytest.mark.parametrize("dressed", [False, True])
def test_bounds_hold_in_every_box(name, dressed):
    """Boxes of all sizes against exact inner maxima at their corners and inside, through another formulation."""
    robot = loaded(load(name), 6) if dressed else load(name)
    e = envelope_of(robot, TEXTS[name])
    rng = np.random.default_rng(4)
    low, high = np.array(e.pose).T
    radius = (high - low) * 10.0 ** rng.uniform(-5, -0.7, size=(64, 1)) / 2
    centre = low + radius + (high - low - 2 * radius) * rng.uniform(size=(64, 3))
    worst = Worst(robot, e)
    forms = enclose(force_polynomial(robot, e), centre, radius)
    m = len(robot.legs)
    for ready in (np.full(3 * m, -np.inf), np.full(3 * m, np.inf)):
        bounds = force_bounds(forms, e, worst.coulomb, ready)
        for t in (*rng.uniform(-1, 1, (3, 64, 3)), *np.sign(rng.normal(size=(5, 64, 3)))):
            x = centre + radius * t
            values = np.concatenate([worst.forces(x), worst.speeds(x)], axis=1).T
            assert (values <= np.where(np.isfinite(bounds), bounds, np.inf)).all()
    small = radius[:, 0] < 1e-3 * (high - low)[0]
    tight = force_bounds(forms, e, worst.coulomb, np.full(3 * m, -np.inf))[:, small]
    inside = np.concatenate([worst.forces(centre), worst.speeds(centre)], axis=1).T[:, small]
    assert tight == pytest.approx(inside, rel=2e-2, abs=2e-2 * np.abs(inside).max())


def test_too_small_a_value_is_not_proved(results):
    """A search that missed the largest force by 5 % is found out: the bound stays above the truth."""
    true = results["spatial3"]
    low = [replace(r, value=0.95 * r.value) if r.kind == "force+" else r for r in true.requirements]
    proof = prove(replace(true, requirements=tuple(low)), 1e-3, None, most=4_000)
    assert (proof.force_high >= true.of("force+")).all()
    assert proof.gap > 0.04


POWER = {
    "spatial3": TEXTS["spatial3"],
    "planar3rrr": TEXTS["planar3rrr"]
    .replace("[-0.05, 0.05]", "[0.03, 0.04]")
    .replace("[-10, 10]", "[4, 6]")
    .replace("y = 1.5\n", ""),
}


@pytest.mark.parametrize("name", sorted(POWER))
def test_power_is_proved(name):
    """Over poses and velocities, of a ball and of a box."""
    robot = load(name)
    result = size(robot, envelope_of(robot, POWER[name]), seeds=(1,), power=9)
    proof = prove(result, 1e-2, 1e-2, power_most=20_000)
    assert proof.power_gap <= 1e-2
    assert (proof.power >= result.of("power")).all()


@pytest.mark.parametrize("name", THREE)
@pytest.mark.parametrize("dressed", [False, True])
def test_bounds_of_power_hold_in_every_box(name, dressed):
    """Against powers at random states inside, with and without friction."""
    robot = loaded(load(name), 6) if dressed else load(name)
    e = envelope_of(robot, TEXTS[name])
    rng = np.random.default_rng(5)
    ranges = np.array([*e.pose, *velocity_box(e, half=False)])
    radius = (ranges[:, 1] - ranges[:, 0]) * 10.0 ** rng.uniform(-4, -0.7, size=(48, 1)) / 2
    centre = ranges[:, 0] + radius + (ranges[:, 1] - ranges[:, 0] - 2 * radius) * rng.uniform(size=(48, 6))
    worst = Worst(robot, e)
    forms = enclose(power_polynomial(robot, e), centre, radius)
    bounds = power_bounds(forms, e, worst.coulomb)
    for t in (*rng.uniform(-1, 1, (4, 48, 6)), *np.sign(rng.normal(size=(8, 48, 6)))):
        y = centre + radius * t
        v = np.array([polar(s) for s in y[:, 3:]]) if e.velocity_ball else y[:, 3:]
        powers = worst.powers(y[:, :3], v).T
        assert (powers <= np.where(np.isfinite(bounds), bounds, np.inf)).all()
    small = radius[:, 0] < 1e-3 * (ranges[0, 1] - ranges[0, 0])
    v = np.array([polar(s) for s in centre[:, 3:]]) if e.velocity_ball else centre[:, 3:]
    inside = worst.powers(centre[:, :3], v).T[:, small]
    assert bounds[:, small] == pytest.approx(inside, abs=2e-2 * inside.max())


def test_half_of_the_velocities_is_enough_without_friction():
    robot = load("spatial3")
    e = envelope(robot)
    assert velocity_box(e, half=True)[1] == (-np.nextafter(np.pi, 4.0), 0.0)
    rng = np.random.default_rng(2)
    low, high = np.array(e.pose).T
    x, v = low + (high - low) * rng.uniform(size=(50, 3)), rng.uniform(-0.5, 0.5, (50, 3))
    worst = Worst(robot, e)
    assert worst.powers(x, v) == pytest.approx(worst.powers(x, -v), rel=1e-12)
    assert [float(u) for u in polar([1.0, -np.pi / 2, np.pi / 2])] == pytest.approx([0.0, -1.0, 0.0], abs=1e-15)


def test_six_coordinates_of_which_two_vary():
    robot = load("stewart")
    text = "[pose]\nz = [1.9, 2.2]\npsi = [-0.15, 0.15]\n[velocity]\nz = 0.5\nphi = 0.5\n[acceleration]\nx = 3\n"
    result = size(robot, envelope_of(robot, text + "[payload]\nmass = [0, 20]\n"), seeds=(1,), power=7)
    proof = prove(result, 1e-5, None)
    assert proof.gap <= 1e-5
    assert proof.boxes < 500


def test_too_many_coordinates():
    robot = load("stewart")
    e = envelope_of(robot, "[pose]\nx = [0, 0.1]\ny = [0, 0.1]\nz = [2, 2.1]\npsi = [0, 0.1]")
    with pytest.raises(InputError, match="proof: 4 coordinates of the pose vary, at most 3 can; hold some of them"):
        check_provable(robot, e)


def test_out_of_reach_is_proved_or_said():
    robot = load("delta")
    graph = force_polynomial(robot, envelope(robot))
    near, far = -0.8, -2.0
    for _ in range(40):
        middle = 0.5 * (near + far)
        reached = inverse_kinematics(robot, [[0.0, 0.0, middle]]).status[0] != Status.OUT_OF_REACH
        near, far = (middle, far) if reached else (near, middle)
    forms = enclose(graph, np.array([[0.0, 0.0, z] for z in (-0.8, -2.0, near)]), np.full((3, 3), 0.05))
    short = forms["short"]
    radius = np.abs(short[1:]).sum(axis=0)
    assert ((short[0] + radius <= 0.0).all(axis=0)).tolist() == [True, False, False]
    assert ((short[0] - radius > 0.0).any(axis=0)).tolist() == [False, True, False]
    bounds = force_bounds(forms, envelope(robot), np.zeros(3), np.zeros(9))
    assert not np.isfinite(bounds[:, 2]).all()
