"""Ensembles: each robot depends on its number and the seed alone, and agrees with a run of its own."""

import numpy as np
import pytest

import gough
from gough.draws.counter import philox, uniforms
from gough.errors import InputError, NumericalError
from tests.simulation.cases import pushed, robot, springs

MACHINE = "planar3rrr"


def noisy(motion, **more):
    return gough.Controller(
        gough.ComputedTorque(), motion, sample_time=1e-3, noise=gough.Noise(1e-5, 1e-4, seed=5), **more
    )


def test_results_do_not_depend_on_batch_size_order_or_threads():
    machine = robot(MACHINE)
    law = noisy(gough.Motion.named(machine))
    options = {"vary": {"platform.mass": 0.05}, "seed": 3}
    whole = gough.simulate_many(machine, None, law, 0.05, count=100, **options)
    again = gough.simulate_many(machine, None, law, 0.05, count=100, threads=2, **options)
    parts = [
        gough.simulate_many(machine, None, law, 0.05, count=n, first=k, **options) for k, n in ((0, 1), (1, 7), (8, 92))
    ]
    assert (whole.x == again.x).all()
    assert (whole.x == np.concatenate([part.x for part in parts])).all()
    assert (whole.values == np.concatenate([part.values for part in parts])).all()
    assert len(np.unique(whole.x[:, 0])) == 100


def test_another_seed_gives_other_robots():
    machine = robot(MACHINE)
    one, two = (
        gough.simulate_many(machine, None, None, 0.01, count=50, vary={"platform.mass": 0.05}, seed=k).values
        for k in (1, 2)
    )
    mass = machine.platform.body.mass
    assert (one != two).all()
    assert (np.abs(one / mass - 1.0) <= 0.05).all()
    assert np.abs(one / mass - 1.0).max() > 0.04


def test_philox_gives_the_published_numbers():
    """Known answers of Random123 for philox4x32-10."""
    zero = philox(np.zeros((1, 4), dtype=np.uint64), (0, 0))[0]
    assert [hex(v) for v in zero] == ["0x6627e8d5", "0xe169c58d", "0xbc57ac4c", "0x9b00dbd8"]
    ones = philox(np.full((1, 4), 0xFFFFFFFF, dtype=np.uint64), (0xFFFFFFFF, 0xFFFFFFFF))[0]
    assert [hex(v) for v in ones] == ["0x408f276d", "0x41c83b0e", "0xa20bc7c6", "0x6d5451fd"]


def test_uniform_numbers_are_uniform():
    u = uniforms(7, np.arange(20_000), 3, 4)
    assert ((u > 0) & (u < 1)).all()
    assert np.abs(u.mean(axis=0) - 0.5).max() < 0.01
    assert np.abs(np.corrcoef(u.T) - np.eye(4)).max() < 0.03


def test_a_sampled_controller_in_the_step_is_the_one_of_a_single_run():
    """The same noise numbers; Runge-Kutta's fourth order at 1 ms is all that differs."""
    machine = robot(MACHINE)
    law = noisy(gough.Motion.named(machine))
    many = gough.simulate_many(machine, None, law, 0.1)
    one = gough.simulate(machine, None, law, 0.1)
    assert np.abs(many.x[0] - one.x[-1]).max() <= 1e-10


@pytest.mark.parametrize(("period", "delay"), [(2e-3, 0.0), (2e-3, 4e-3), (1e-3, 1e-3)])
def test_rarer_and_later_samples_are_those_of_a_single_run(period, delay):
    machine = robot(MACHINE)
    law = gough.Controller(gough.PD(), gough.Motion.named(machine), sample_time=period, delay=delay)
    many = gough.simulate_many(machine, None, law, 0.06)
    one = gough.simulate(machine, None, law, 0.06)
    assert np.abs(many.x[0] - one.x[-1]).max() <= 1e-9


def test_springs_histories_and_functions_agree_with_single_runs():
    machine = robot(MACHINE)
    t = np.linspace(0.0, 0.1, 11)
    force = np.random.default_rng(0).normal(size=(11, 3))
    for given in (springs(machine), gough.Forces(t, force, hold=True)):
        many = gough.simulate_many(machine, pushed(machine), given, 0.1)
        one = gough.simulate(machine, pushed(machine), given, 0.1)
        assert np.abs(many.x[0] - one.x[-1]).max() <= 1e-9
    held = gough.Custom(lambda t, q, qd: -2.0 * q - qd, sample_time=1e-3)
    many = gough.simulate_many(machine, pushed(machine), held, 0.1, count=3)
    one = gough.simulate(machine, pushed(machine), held, 0.1)
    assert np.abs(many.x - one.x[-1]).max() <= 1e-9


def test_histories_are_decimated_unless_asked_for_and_their_size_is_told():
    machine = robot(MACHINE)
    told = []
    coarse = gough.simulate_many(machine, None, springs(machine), 0.2, count=4)
    full = gough.simulate_many(machine, None, springs(machine), 0.2, count=4, history="full", tell=told.append)
    none = gough.simulate_many(machine, None, springs(machine), 0.2, count=4, history="none")
    assert coarse.history.shape == (51, 4, 3)
    assert full.history.shape == (201, 4, 3)
    assert none.history is None
    assert told == ["full history of 4 robots at 201 times: 0.02454 MB"]
    assert (coarse.history == full.history[::4]).all()
    assert np.allclose(coarse.mean, coarse.history.mean(axis=1))
    assert coarse.t[-1] == pytest.approx(0.2)


def test_starts_may_differ():
    machine = robot(MACHINE)
    x = np.array(machine.platform.home) + 0.01 * np.arange(3)[:, None]
    found = gough.simulate_many(machine, x, springs(machine), 0.01)
    assert found.x.shape == (3, 3)
    with pytest.raises(NumericalError, match=r"start: robot 1: leg \w+ is out of reach by"):
        gough.simulate_many(machine, np.array([machine.platform.home, [50.0, 0.0, 0.0]]), None, 0.01)


def test_a_step_that_is_too_long_diverges_and_says_so():
    machine = robot(MACHINE)
    stiff = springs(machine, 40.0)
    with pytest.raises(NumericalError, match=r"the simulation diverged; steps of 0.05 s are too long") as caught:
        gough.simulate_many(machine, pushed(machine), stiff, 5.0, step=0.05)
    assert (caught.value.partial.diverged >= 0).all()


def test_bad_options_are_refused_in_one_line():
    machine = robot(MACHINE)
    for options, line in (
        ({"count": 0}, "count: 0 given, must be a whole number from 1 on"),
        ({"step": 0.0}, r"step: 0.0 given, must be a positive number \[s\]"),
        ({"step": 1.0}, "step: 1 s is longer than the duration, 0.1 s"),
        ({"vary": {"platform.mas": 0.05}}, "platform.mas: no such number in the robot"),
        ({"vary": {"platform.mass": 1.5}}, "vary platform.mass: 1.5 given, expected a share from 0 to 1, e.g. 0.05"),
        ({"history": "all"}, "history: 'all' given, choose decimated, full or none"),
    ):
        with pytest.raises(InputError, match=line):
            gough.simulate_many(machine, None, None, 0.1, **options)
    law = gough.Controller(gough.PD(), gough.Motion.named(machine), sample_time=1.5e-3)
    with pytest.raises(InputError, match=r"controller: sample time 0.0015 s must be a multiple of the step, 0.001 s"):
        gough.simulate_many(machine, None, law, 0.1)


def test_gains_and_bounds_may_be_arrays():
    machine = robot(MACHINE)
    law = gough.ComputedTorque(kp=np.full(3, 400.0), kd=np.full(3, 40.0))
    law = gough.Controller(law, gough.Motion.named(machine), saturation=np.full(3, 20.0))
    assert gough.simulate_many(machine, None, law, 0.01, count=2).complete
