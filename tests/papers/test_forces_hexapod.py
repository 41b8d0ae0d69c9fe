"""Papers lane: the tables and claims of the hexapod's companion, by every formulation."""

import numpy as np
import pytest

from gough import Motion, load
from gough.dynamics import VirtualWork, inverse_dynamics
from tests.support.forces import QUICK
from tests.support.papers import assert_printed, paper

MOTIONS = ("vertical", "horizontal", "rotation")
FINE = np.linspace(0.0, 3.0, 301)
A, B, C, D, E, F = range(6)


def computed(motion, times, formulation="newton_euler", robot=None):
    robot = robot or load("hexapod")
    return inverse_dynamics(robot, Motion.named(robot, motion)(times), formulation=formulation)


def column(motion, key):
    return np.array([sample[key] for sample in paper("hexapod")["motions"][motion]["samples"]])


@pytest.mark.parametrize("formulation", [*QUICK, VirtualWork("full")], ids=lambda f: f.name)
@pytest.mark.parametrize("motion", MOTIONS)
def test_samples(motion, formulation):
    result = computed(motion, column(motion, "t"), formulation)
    assert result.actuators == ("A", "B", "C", "D", "E", "F")
    for name, key in (("q", "displacement"), ("qd", "velocity"), ("force", "force"), ("power", "power")):
        assert_printed(getattr(result, name), column(motion, key))
    assert_printed(result.power.sum(axis=1), column(motion, "dE_dt"))


@pytest.mark.parametrize("motion", MOTIONS)
def test_work(motion):
    """Gauss-Legendre over the 3 s: exact to round-off for a smooth motion."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    result = computed(motion, 1.5 * (nodes + 1.0))
    work = 1.5 * weights @ result.power
    assert_printed(work, paper("hexapod")["motions"][motion]["work"])
    assert_printed(work.sum(), paper("hexapod")["motions"][motion]["work_total"])


def test_statics_at_home():
    robot = load("hexapod")
    force = inverse_dynamics(robot, robot.platform.home).force
    beta0, beta = (paper("hexapod")["geometry"][key] for key in ("beta0", "beta"))
    ne = np.sin(beta0) * np.sin(beta) * np.sin(np.pi / 6 - np.pi / 36) + np.cos(beta0) * np.cos(beta)
    held = (3.983 / 6 + 0.398 / 2) * ne / np.cos(beta) + (0.1 + 0.05 + 0.398 / 2) * np.cos(beta0)
    assert force == pytest.approx(np.full(6, -9.81 * held), rel=1e-11)  # the angles are printed to 12 digits
    assert_printed(force, np.full(6, -7.81848324098))


@pytest.mark.parametrize(
    ("motion", "leg", "power", "time"), [("vertical", A, 1.5781, 1.42), ("rotation", B, 0.43748, 1.34)]
)
def test_peak_power(motion, leg, power, time):
    """On a grid of 0.01 s, as printed."""
    values = computed(motion, FINE).power[:, leg]
    assert FINE[np.argmax(values)] == pytest.approx(time, abs=1e-9)
    assert_printed(values.max(), power, digits=5)


def test_vertical_motion_loads_all_legs_alike():
    result = computed("vertical", FINE)
    for values in (result.force, result.power):
        assert np.ptp(values, axis=1).max() <= 3e-14 * np.abs(values).max()
    assert (np.diff(np.abs(result.force), axis=0) > 0).all()


def test_rotation_is_driven_by_every_other_leg():
    result = computed("rotation", FINE)
    size, inner = np.abs(result.force), slice(1, -1)
    assert (result.power[inner, [[B], [D], [F]]] > 0).all()
    assert (result.power[inner, [[A], [C], [E]]] < 0).all()
    assert (np.diff(size[:, [B, D, F]], axis=0) > 0).all()
    assert (np.diff(size[:, [A, C, E]], axis=0) < 0).all()


def test_horizontal_motion_is_symmetric():
    force = computed("horizontal", FINE).force
    for one, other in ((A, F), (B, E), (C, D)):
        assert force[:, one] == pytest.approx(force[:, other], rel=0, abs=1e-13 * np.abs(force).max())


def test_gravity_the_other_way_contradicts_the_paper():
    up = load("hexapod").replace({"gravity.2": -9.81})
    rotation = computed("rotation", FINE, robot=up).power[1:-1]
    assert (rotation[:, [A, C, E]] > 0).all()
    assert (computed("vertical", FINE, robot=up).power[1:-1] < 0).all()


def test_condition_of_the_delicate_motion():
    """The companion divides angle columns by l0; so do we, the leg ends being at that radius."""
    condition = computed("horizontal", FINE).condition
    assert_printed(condition[0], 2.8, digits=2)
    assert_printed(condition.max(), 21.0, digits=2)
