"""Controllers, ensembles and checks on a base that moves."""

import numpy as np
import pytest

import gough
from gough.dynamics.base_motion import base_motion
from tests.support.given_states import base_state

LAWS = (gough.ComputedTorque(), gough.ComputedTorque(space="joint"))


def standing():
    """A planar robot in a plane that is not level: what the base does to its weight is felt."""
    return gough.load("planar3rrr").replace({"gravity.2": 0.0, "gravity.1": -9.81})


def controlled(machine, law, base, **more):
    motion = gough.Motion.named(machine)
    return gough.Controller(law, motion if base is None else motion.on_base(base), **more)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.space)
def test_a_controller_that_knows_the_base_tracks_exactly(law):
    machine = standing()
    known = gough.simulate(machine, None, controlled(machine, law, "vehicle"), 0.3, base="vehicle", samples=7)
    blind = gough.simulate(machine, None, controlled(machine, law, None), 0.3, base="vehicle", samples=7)
    assert np.abs(known.error).max() <= 1e-9
    assert np.abs(blind.error).max() > 1e-6


def test_a_controller_under_a_wrench_knows_the_base_too():
    machine = standing()
    motion = gough.Motion.named(machine).with_wrench([3.0, -5.0, 0.0, 0.0, 0.0, 0.0])
    law = gough.Controller(gough.ComputedTorque(), motion.on_base("vehicle"))
    run = gough.simulate(machine, None, law, 0.05, samples=5)
    assert np.abs(run.error).max() <= 1e-9
    many = gough.simulate_many(machine, None, law, 0.05, step=2.5e-4, history="none")
    assert np.abs(many.x[0] - run.x[-1]).max() < 1e-4  # forces are held over a step


@pytest.mark.parametrize("input", [None, gough.Springs(3e2, 3.0)], ids=["none", "springs"])
def test_an_ensemble_moves_as_one_robot_does(input):
    """Steps of the fourth order: the two differ by their own errors alone."""
    machine = standing()
    one = gough.simulate(machine, None, input, 0.05, base="vehicle", samples=3)
    many = gough.simulate_many(machine, None, input, 0.05, count=2, step=2.5e-4, base="vehicle")
    still = gough.simulate(machine, None, input, 0.05, samples=3)
    assert np.abs(many.x - one.x[-1]).max() < 1e-9
    assert np.abs(still.x[-1] - one.x[-1]).max() > 1e-6


def test_sampled_controllers_of_an_ensemble_know_the_base():
    machine = standing()
    motion = gough.Motion.named(machine, "hold")
    runs = []
    for known in (motion, motion.on_base("vehicle")):
        law = gough.Controller(gough.PD(), known, sample_time=1e-3)
        runs.append(gough.simulate_many(machine, None, law, 0.1, step=5e-4, base="vehicle"))
    blind, known = (np.abs(run.x[0] - machine.platform.home).max() for run in runs)
    assert known < 0.1 * blind


def test_a_base_that_ends_too_soon_is_named(tmp_path):
    path = tmp_path / "short.csv"
    path.write_text("t,z\n0,0\n0.01,0.001\n0.02,0\n0.03,0.001\n")
    base = base_motion(path, smooth="none")
    for run in (gough.simulate, gough.simulate_many):
        with pytest.raises(
            gough.InputError, match=r"^base motion short\.csv: is known from 0 to 0\.03 s, must be known"
        ):
            run(gough.load("delta"), None, None, 0.05, base=base)


@pytest.mark.parametrize(("name", "base"), [("hexapod", "vehicle"), ("delta", "shaker"), ("delta", "recorded")])
def test_peaks_of_a_check_are_those_of_dense_samples(name, base, tmp_path):
    machine = gough.load(name)
    given = base
    if base == "recorded":
        t = np.linspace(-0.1, 1.0, 41)
        given = tmp_path / "deck.csv"
        given.write_text("t,z,roll\n" + "".join(f"{s},{0.02 * np.sin(9 * s)},{0.1 * np.sin(5 * s)}\n" for s in t))
        given = base_motion(given, smooth="none")
    found = gough.check(machine, gough.Motion.named(machine).on_base(given), limits={"force": 1e6})
    still = gough.check(machine, gough.Motion.named(machine), limits={"force": 1e6})
    dense = np.abs(gough.inverse_dynamics(machine, gough.Motion.named(machine).on_base(given).sample(20001)).force).max(
        axis=0
    )
    worst = {f.owner: abs(f.value) for f in found.every if f.kind == "force"}
    assert np.allclose(list(worst.values()), dense, rtol=1e-4)  # samples miss a peak at a knot by their step
    assert (np.array(list(worst.values())) >= dense * (1.0 - 1e-9)).all()
    assert found.notes[0] == f"the base moves: {found.motion.base.name}"
    at_rest = {f.owner: abs(f.value) for f in still.every if f.kind == "force"}
    assert any(abs(value - at_rest[owner]) > 1e-3 * value for owner, value in worst.items())
    assert found.advice.duration is None
    assert found.advice.slowest == "base"


def test_bound_calls_take_the_base():
    machine = gough.load("delta")
    call = gough.bind(machine, "inverse_dynamics", base=True)
    x = np.array(machine.platform.home)
    base = base_state(machine, [1.0, 2.0, -9.0, 0.1, 0.2, 0.3, 1.0, 2.0, 3.0])
    for name, value in {"x": x, "xd": x * 0.1, "xdd": x * 0.3, "base": base.felt(machine.gravity)}.items():
        call.inputs[name][:] = value
    call()
    assert np.array_equal(
        call.outputs["force"], gough.inverse_dynamics(machine, gough.State(x, x * 0.1, x * 0.3, base=base)).force
    )
