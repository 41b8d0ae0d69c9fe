"""Each formulation fails where its own coordinates do, the angles where theirs do."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough import Coordinate
from gough.dynamics.contract import choose
from gough.dynamics.forward import forward_graph
from gough.kinematics import Status, inverse_kinematics
from tests.simulation.cases import robot
from tests.support import mp_evaluate
from tests.support.robots import with_values

pytestmark = pytest.mark.slow


def at(machine, x, formulation):
    x = np.atleast_2d(x)
    still = np.zeros_like(x)
    return gough.forward_dynamics(machine, gough.State(x, still), still, formulation=formulation)


def type_2_pose():
    """The hexapod turned by a right angle about z has a singular K (Fichter's)."""
    machine = robot("stewart")
    home = np.array(machine.platform.home)

    def smallest(angle):
        x = home.copy()
        x[3] = angle
        return np.linalg.det(inverse_kinematics(machine, x).K)

    low, high = 1.0, 1.6
    while np.sign(smallest(low)) == np.sign(smallest(high)):
        high += 0.05
        assert high < 3.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if np.sign(smallest(middle)) == np.sign(smallest(low)) else (low, middle)
    home[3] = low
    return machine, home


def test_at_a_type_2_singularity_platform_coordinates_are_regular_and_actuator_ones_are_not():
    machine, x = type_2_pose()
    for name in ("newton_euler", "generalized_momentum"):
        found = at(machine, x, name)
        assert found.status[0] == Status.FINE
        assert np.isfinite(found.xdd).all()
    assert at(machine, x, "orthogonal_complement").status[0] == Status.NEAR_SINGULAR


STRETCHING = {
    "planar3rrr": (1.0, 0.0, 0.0),
    "hexapod": (0.0, 1.0, 0.0, 0.0, 0.0, 0.0),
    "delta": (1.0, 0.0, 0.0),
    "rotary": (0.0, 0.0, 1.0, 0.0, 0.0, 0.0),
}
"""Ways from home on which a leg is stretched in the end, on the last one all of them together."""


def stretched(name, short_of=0.0):
    """A robot and its last pose on the way, or one that much before it [m]."""
    machine = robot(name)
    home, way = np.array(machine.platform.home), np.array(STRETCHING[name])
    low, high = 0.0, 5.0
    for _ in range(100):
        middle = (low + high) / 2
        inside = inverse_kinematics(machine, (home + middle * way)[None]).status[0] <= Status.NEAR_SINGULAR
        low, high = (middle, high) if inside else (low, middle)
    return machine, home + (low - short_of) * way


@pytest.mark.parametrize("name", ["planar3rrr", "hexapod", "rotary"])
def test_at_a_type_1_singularity_actuator_coordinates_are_regular_and_platform_ones_are_not(name):
    for short_of in (0.0, 1e-14, 1e-12):
        machine, x = stretched(name, short_of)
        assert at(machine, x, "newton_euler").status[0] == Status.NEAR_SINGULAR
        found = at(machine, x, "orthogonal_complement")
        assert found.status[0] == Status.FINE
        assert np.isfinite(found.xdd).all()
        assert inverse_kinematics(machine, x).status == Status.NEAR_SINGULAR
        assert gough.inverse_dynamics(machine, x).status == Status.NEAR_SINGULAR
    machine, x = stretched(name, 1e-9)
    for formulation in ("newton_euler", "orthogonal_complement"):
        assert at(machine, x, formulation).status[0] == Status.FINE


@pytest.mark.parametrize("name", ["planar3rrr", "hexapod", "delta"])
def test_next_to_a_type_1_singularity_actuator_coordinates_stay_accurate(name, monkeypatch):
    """From rest, against 60 digits; platform coordinates lose what the largest row of K stands out by, squared."""
    monkeypatch.setattr(mp_evaluate, "EPS", mp_evaluate.mpf(0))
    for short_of in (1e-6, 1e-9, 3e-12):
        machine, x = stretched(name, short_of)
        n = len(x)
        given = [*x, *np.zeros(n), *np.full(n, 0.3)]
        exact = mp_evaluate.evaluate_mp(forward_graph(machine, choose("newton_euler")), given)[:n]
        exact = np.array([float(v.value) for v in exact])
        error = {}
        for formulation in ("newton_euler", "orthogonal_complement"):
            found = gough.forward_dynamics(
                machine, gough.State(x, np.zeros(n)), np.full(n, 0.3), formulation=formulation
            )
            error[formulation] = np.abs(found.free - exact).max() / np.abs(exact).max()
        assert error["orthogonal_complement"] <= 3e-10
        if short_of < 1e-6:
            assert error["orthogonal_complement"] <= 0.1 * error["newton_euler"]
    assert error["newton_euler"] > 1e-8


def test_next_to_a_type_2_singularity_platform_coordinates_stay_accurate(monkeypatch):
    monkeypatch.setattr(mp_evaluate, "EPS", mp_evaluate.mpf(0))
    machine, singular = type_2_pose()
    force = np.linspace(5.0, 10.0, 6)
    for away, status in ((1e-3, Status.FINE), (1e-9, Status.NEAR_SINGULAR), (0.0, Status.NEAR_SINGULAR)):
        x = singular - away * np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0])
        exact = mp_evaluate.evaluate_mp(forward_graph(machine, choose("newton_euler")), [*x, *np.zeros(6), *force])[:6]
        exact = np.array([float(v.value) for v in exact])
        found = gough.forward_dynamics(machine, gough.State(x, np.zeros(6)), force)
        assert found.status == Status.FINE
        assert np.abs(found.free - exact).max() <= 1e-14 * np.abs(exact).max()
        other = gough.forward_dynamics(machine, gough.State(x, np.zeros(6)), force, formulation="orthogonal_complement")
        assert other.status == status


def test_the_chart_of_the_angles_has_a_status_of_its_own():
    machine = zyz(robot("stewart"))
    found = at(machine, machine.platform.home, "newton_euler")
    assert found.status[0] == Status.FINE
    assert np.isfinite(found.free).all()
    assert not found.chart[0]
    assert np.isnan(found.xdd).all()


def zyz(machine):
    """The same machine described with angles about z, y and z, singular at home."""
    slides = machine.platform.coordinates[:3]
    turns = tuple(Coordinate(f"a{k}", motion) for k, motion in enumerate(("rz", "ry", "rz")))
    platform = replace(machine.platform, coordinates=(*slides, *turns))
    return with_values(machine, platform=platform)
