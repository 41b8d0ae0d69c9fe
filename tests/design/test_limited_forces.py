"""Sizing over an envelope where forces keep to limits: the least margin is exact, forces are the largest found."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import gough
from gough import Actuation
from gough.design.limited_forces import WithinLimits, freely_shared
from gough.design.worst import Worst
from gough.dynamics.sharing.margin import margins
from tests.cli.running import outcome
from tests.support.robots import with_values

SMALL = """
[pose]
x = [0.0, 0.3]
[velocity]
x = 1
z = 1
[acceleration]
z = 1
[wrench]
fz = [-100, 50]
"""
PROOF = (
    "proof: forces shared by criterion 'bounded' keep to limits and are not the sum of what causes them: their bounds "
    "over an envelope cannot be proved; size without a proof gives the least margin and the largest forces found, or "
    'state [actuation] criterion = "least-norm"'
)


@cache
def planar(criterion="bounded", **changes):
    """Four cranks for three coordinates, with dry friction."""
    robot = gough.load("planar4rrr")
    legs = [
        replace(leg, joints=tuple(replace(j, coulomb=0.2) if j.actuated else j for j in leg.joints))
        for leg in robot.legs
    ]
    limits = replace(robot.actuators[0].limits, force=5.0)
    legs = [
        replace(leg, joints=tuple(replace(j, limits=limits) if j.actuated else j for j in leg.joints)) for leg in legs
    ]
    return with_values(robot, legs=tuple(legs), actuation=Actuation(criterion))


TEXT = """
[pose]
x = [-0.02, 0.02]
phi = [-0.1, 0.1]
[velocity]
shape = "ellipsoid"
x = 0.5
y = 0.5
phi = 2
[acceleration]
x = 3
y = 3
[payload]
mass = [0, 1]
"""


def drawn(robot, envelope, count):
    """x, xd, xdd, wrench of random states of an envelope of coordinates without a payload, half of them at corners."""
    rng = np.random.default_rng(5)

    def within(pairs):
        low, high = np.array(pairs, dtype=float).T
        u = rng.uniform(size=(count, len(low)))
        u[::2] = np.round(u[::2])
        return low + u * (high - low)

    x, wrench = within(envelope.pose), within(envelope.wrench)
    v, a = (within([(-s, s) for s in sizes]) for sizes in (envelope.velocity, envelope.acceleration))
    if envelope.velocity_ball:
        size = np.linalg.norm(v / np.where(np.array(envelope.velocity) > 0, envelope.velocity, 1.0), axis=1)
        v /= np.maximum(size, 1.0)[:, None]
    return x, v, a, wrench


@pytest.mark.parametrize("shape", ["box", "ellipsoid"])
def test_the_least_margin_is_below_that_of_every_state_and_reached(shape):
    robot = gough.load("cable8")
    envelope = gough.envelope_of(robot, SMALL.replace("[velocity]", f'[velocity]\nshape = "{shape}"'))
    limits = WithinLimits(robot, envelope, Worst(freely_shared(robot), envelope))
    at = np.array(robot.platform.home)
    at[0] = 0.2
    least = limits.margins(at[None])[0]
    x, xd, xdd, wrench = drawn(robot, envelope, 20_000)
    x[:] = at
    free = gough.inverse_dynamics(freely_shared(robot), gough.State(x, xd, xdd, wrench=wrench))
    every = margins(robot, x, free.force)
    assert every.min() >= least - 1e-9
    assert every.min() == pytest.approx(least, abs=1e-9 if shape == "box" else 0.05 * np.ptp(every))


@pytest.mark.parametrize("criterion", ["bounded", "centre"])
def test_forces_found_are_not_below_those_of_many_states(criterion):
    robot = planar(criterion)
    envelope = gough.envelope_of(robot, TEXT.split("[payload]")[0])
    found = gough.size(robot, envelope, seeds=(1,), power=8)
    assert found.margin is not None
    x, xd, xdd, _ = drawn(robot, envelope, 20_000)
    states = gough.inverse_dynamics(robot, gough.State(x, xd, xdd))
    assert found.margin.feasible == np.isfinite(states.force).all()
    slack = 1e-3 * np.nanmax(np.abs(states.force))
    assert (found.of("force+") >= np.nanmax(states.force, axis=0) - slack).all()
    assert (found.of("force-") <= np.nanmin(states.force, axis=0) + slack).all()
    assert (np.abs(found.force) <= 5.0 + 1e-9).all()
    assert (found.of("power") >= np.nanmax(np.abs(states.power), axis=0) * 0.999).all()


def test_cases_give_their_forces_and_carry_their_payload():
    robot = planar()
    found = gough.size(robot, gough.envelope_of(robot, TEXT), seeds=(1,), power=7)
    force = found.cases_table.columns()
    for row, requirement in enumerate(r for r in found.requirements if r.kind.startswith("force")):
        name = found.actuators[requirement.actuator]
        column = next(values for key, values in force.items() if key.startswith("force") and name in key)
        assert column[row] == pytest.approx(requirement.value, rel=1e-9)
    plain = found.to_dict()
    assert plain["margin"]["criterion"] == "bounded"
    assert plain["margin"]["value"] == found.margin.value


def test_the_page_says_whether_there_are_forces_everywhere(tmp_path, capsys):
    file, one = tmp_path / "envelope.toml", SMALL.replace("[0.0, 0.3]", "[0.3, 0.3]")
    file.write_text(one)
    code, text, _ = outcome(capsys, "size", "cable8", "--envelope", str(file))
    assert code == 0
    assert "Forces by criterion bounded: the largest found, never beyond the limits\nLeast force margin: " in text
    assert "NO FORCES" not in text
    file.write_text(one.replace("[-100, 50]", "[-900, 50]"))
    code, text, _ = outcome(capsys, "size", "cable8", "--envelope", str(file))
    assert code == 1
    assert "Least force margin: -" in text
    assert "NO FORCES WITHIN THE LIMITS do everywhere in the envelope: " in text
    file.write_text(one.replace("[-100, 50]", "[-9000, -8000]"))
    assert outcome(capsys, "size", "cable8", "--envelope", str(file)) == (
        3,
        "",
        "gough: error: size: no examined state of the envelope has forces within the limits of cable8; make "
        "the envelope smaller, or the limits wider\n",
    )
    assert outcome(capsys, "size", "cable8", "--envelope", str(file), "--prove") == (2, "", f"gough: error: {PROOF}\n")


def test_least_norm_has_a_worst_case():
    """At the largest of x and of the acceleration either way: here forces are linear in it."""
    robot = with_values(gough.load("cable8"), actuation=Actuation("least-norm"))
    envelope = gough.envelope_of(robot, {"pose": {"x": [0.0, 0.5]}, "acceleration": {"z": 1.0}})
    found = gough.size(robot, envelope, seeds=(1,), power=4)
    x = np.tile(robot.platform.home, (202, 1))
    x[:, 0] = np.tile(np.linspace(0.0, 0.5, 101), 2)
    xdd = np.zeros_like(x)
    xdd[:, 2] = np.repeat([-1.0, 1.0], 101)
    force = gough.inverse_dynamics(robot, gough.State(x, 0 * x, xdd)).force
    assert found.of("force-") == pytest.approx(force.min(axis=0), rel=1e-9)
    assert found.margin is None
