"""Controllers: exact models track exactly, wrong ones within bounds, and every law does what it says."""

import numpy as np
import pytest

import gough
from tests.simulation.cases import robot
from tests.support.robots import with_values

pytestmark = pytest.mark.slow

MOTIONS = [
    ("stewart", "trig3"),
    ("hexapod", "vertical"),
    ("hexapod", "rotation"),
    ("spatial3", "paper"),
    ("sru", "lecture"),
]


@pytest.mark.parametrize(("name", "motion"), MOTIONS)
def test_computed_torque_tracks_the_papers_motions_at_integration_tolerance(name, motion):
    machine = robot(name)
    law = gough.Controller(gough.ComputedTorque(), gough.Motion.named(machine, motion))
    run = gough.simulate(machine, None, law, on_limit="continue")
    assert run.complete
    assert np.abs(run.error).max() <= 1e-9
    assert np.abs(run.balance).max() <= 1e-9 * max(1.0, run.kinetic.max())


@pytest.mark.parametrize("name", ["stewart", "spatial3", "planar3rrr"])
def test_computed_torque_in_joint_space_tracks_too(name):
    machine = robot(name)
    law = gough.Controller(gough.ComputedTorque(space="joint"), gough.Motion.named(machine))
    run = gough.simulate(machine, None, law, on_limit="continue")
    assert np.abs(run.error).max() <= 1e-9


def test_feedforward_of_the_exact_model_needs_no_feedback():
    machine = robot("stewart")
    law = gough.Controller(gough.Feedforward(), gough.Motion.named(machine))
    assert np.abs(gough.simulate(machine, None, law, 1.0).error).max() <= 1e-7


def test_an_unknown_payload_leaves_a_bounded_error():
    """20 % of the platform's mass: the error stays near g dm / m over kp."""
    machine = robot("stewart")
    carrying = machine.with_payload(0.2 * machine.platform.body.mass)
    motion = gough.Motion.named(machine)
    law = gough.ComputedTorque()
    run = gough.simulate(carrying, None, gough.Controller(law, motion, robot=machine))
    kp = (2 * np.pi * law.bandwidth) ** 2
    largest = np.abs(run.error[:, 2]).max()
    assert run.complete
    assert 0.05 * 0.2 * 9.8 / kp < largest < 1.5 * 0.2 * (9.81 + 2.0) / kp
    assert np.abs(run.error[-20:, 2]).max() <= largest


@pytest.mark.parametrize(
    "law", [gough.PD(), gough.Feedforward(), gough.ComputedTorque(), gough.ComputedTorque(space="joint")]
)
def test_errors_at_the_start_die_out(law):
    machine = robot("planar3rrr")
    motion = gough.Motion.named(machine, "hold")
    start = np.array(machine.platform.home) + [0.01, -0.01, 0.05]
    run = gough.simulate(machine, start, gough.Controller(law, motion), 1.5)
    assert np.abs(run.error[-1]).max() < 0.01 * np.abs(run.error[0]).max()


def test_pd_alone_sags_under_the_weight_that_compensation_takes():
    machine = robot("hexapod")
    motion = gough.Motion.named(machine, "hold")
    sag, none = (
        np.abs(gough.simulate(machine, None, gough.Controller(gough.PD(gravity=g), motion), 1.0).error).max()
        for g in (False, True)
    )
    assert sag > 1e-3
    assert none < 1e-9


def test_samples_are_held_and_delayed():
    machine = robot("planar3rrr")
    motion = gough.Motion.named(machine)
    law = gough.Controller(gough.ComputedTorque(), motion, sample_time=0.01, delay=0.02)
    run = gough.simulate(machine, None, law, 0.2, samples=np.arange(0.0005, 0.2, 0.001))
    changes = np.flatnonzero(np.abs(np.diff(run.force, axis=0)).max(axis=1) > 0)
    assert np.allclose((run.t[changes] + run.t[changes + 1]) / 2, np.arange(0.03, 0.2, 0.01)[: len(changes)], atol=1e-9)
    prompt = gough.simulate(machine, None, gough.Controller(gough.ComputedTorque(), motion, sample_time=0.01), 0.2)
    assert np.abs(prompt.error).max() < np.abs(run.error).max()


def test_saturation_bounds_the_forces():
    machine = robot("delta")
    motion = gough.Motion.named(machine)
    free = gough.simulate(machine, None, gough.Controller(gough.ComputedTorque(), motion))
    top = 0.8 * np.abs(free.force).max()
    bound = gough.simulate(machine, None, gough.Controller(gough.ComputedTorque(), motion, saturation=top), rtol=1e-7)
    assert np.abs(bound.force).max() <= top
    assert np.abs(bound.error).max() > np.abs(free.error).max()
    stated = gough.Controller(gough.ComputedTorque(), motion, saturation=True).largest(machine)
    assert stated.tolist() == [400.0] * 3


def test_the_state_is_found_from_noisy_sensors():
    machine = robot("planar3rrr")
    motion = gough.Motion.named(machine)

    def worst(noise, seed=1):
        law = gough.Controller(gough.ComputedTorque(), motion, sample_time=2e-3, noise=gough.Noise(noise, 0.0, seed))
        return gough.simulate(machine, None, law, 0.3)

    exact, noisy, again, other = worst(0.0), worst(1e-4), worst(1e-4), worst(1e-4, 2)
    assert np.abs(noisy.error).max() > 2 * np.abs(exact.error).max()
    assert (noisy.x == again.x).all()
    assert (noisy.x != other.x).any()


def test_a_controller_with_another_geometry_steers_by_its_own_forward_kinematics():
    machine = robot("planar3rrr")
    other = _shifted(machine)
    motion = gough.Motion.named(machine, "hold")
    run = gough.simulate(machine, None, gough.Controller(gough.ComputedTorque(), motion, robot=other), 1.0)
    assert 1e-5 < np.abs(run.error[-1]).max() < 0.05


def _shifted(machine):
    from dataclasses import replace

    leg = machine.legs[0]
    moved = replace(leg, position=(leg.position[0] + 1e-3, *leg.position[1:]))
    return with_values(machine, legs=(moved, *machine.legs[1:]))


def test_the_motions_own_wrench_acts_and_is_known():
    machine = robot("spatial3")
    motion = gough.Motion.named(machine).with_wrench([0.0, 20.0, -30.0, 4.0, 0.0, 0.0])
    law = gough.Controller(gough.ComputedTorque(), motion)
    run = gough.simulate(machine, None, law, 0.3, on_limit="continue")
    assert np.abs(run.error).max() <= 1e-9
    without = gough.simulate(machine, None, law, 0.3, on_limit="continue", wrench=np.zeros(6))
    assert np.abs(without.error).max() > 1e-3
    sampled = gough.Controller(gough.ComputedTorque(), motion, sample_time=2e-3)
    for given in (law, sampled):
        many = gough.simulate_many(machine, None, given, 0.1)
        held = given if given is sampled else gough.Controller(gough.ComputedTorque(), motion, sample_time=1e-3)
        one = gough.simulate(machine, None, held, 0.1, on_limit="continue")
        assert np.abs(many.x[0] - one.x[-1]).max() <= 1e-8
