"""What actuators can give together against linear programs; and machines whose constraints let go."""

import numpy as np
import pytest
from scipy.optimize import linprog

import gough
from gough import load
from gough.dynamics.sharing.margin import margins
from gough.errors import InputError
from gough.graph import record
from gough.kinematics import inverse_kinematics
from gough.run import Program
from gough.workspaces.available import available
from gough.workspaces.conditions import conditions_of
from gough.workspaces.region import region_of


def spare(K, Q, low, high):
    """Negative where no forces within the limits give Q: how much they must exceed them, by a linear program."""
    m, n = K.shape
    one = np.ones((m, 1))
    limits = np.block([[np.eye(m), one], [-np.eye(m), one]])
    found = linprog([*np.zeros(m), -1.0], limits, [*high, *-low], np.hstack([K.T, np.zeros((n, 1))]), Q,
                    bounds=(None, None))  # fmt: skip
    return -found.fun


@pytest.mark.parametrize(("m", "n"), [(4, 3), (8, 6), (3, 3), (3, 1)])
def test_what_is_available_is_what_a_linear_program_finds(m, n):
    rng = np.random.default_rng(m + n)
    low, high = rng.uniform(-2.0, 0.5, m), rng.uniform(0.6, 2.0, m)
    K, Q = rng.normal(size=(60, m, n)), rng.normal(size=(60, n))
    program = Program(record(lambda K, Q: available(K, Q, list(zip(low, high, strict=True))), K=(m, n), Q=n), "blocks")
    found = program(K=K, Q=Q)
    expected = np.array([spare(*sample, low, high) for sample in zip(K, Q, strict=True)])
    assert ((found > 0.0) == (expected > 0.0)).all()
    assert 5 < (expected > 0.0).sum() < 58


@pytest.mark.slow
def test_a_cable_robot_ends_where_its_cables_cannot_hold_it():
    robot = load("cable8")
    conditions = conditions_of(robot, wrench=[0.0, 0.0, -50.0, 0.0, 0.0, 0.0])
    assert conditions.kinds == ("reach", "stroke", "side", "margin")
    region = region_of(robot, conditions, np.array(robot.platform.home))
    u = np.random.default_rng(3).uniform([-3, -2, 0.3], [3, 2, 4], size=(150, 3))
    inside = region.inside(u)
    weight = np.array([0.0, 0.0, 79.0 * 9.81 + 50.0, 0.0, 0.0, 0.0])
    low, high = np.full(8, -450.0), np.full(8, -193.0)
    K = inverse_kinematics(robot, region.coordinates(u)).K
    expected = np.array([spare(own, weight, low, high) > 0.0 for own in K])
    assert (inside == expected).all()
    assert 10 < expected.sum() < 140


def test_a_stated_margin_is_as_far_inside_as_the_distance_to_the_facets():
    robot = load("planar4rrr")
    conditions = conditions_of(robot, {"margin": 13.0}, ["reach", "margin"], wrench=[166.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    region = region_of(robot, conditions, np.array(robot.platform.home))
    u = np.random.default_rng(0).uniform(-0.3, 0.3, size=(300, 2))
    x = region.coordinates(u)
    K = inverse_kinematics(robot, x).K
    reached = np.isfinite(K).all(axis=(1, 2))
    force = np.full((300, 4), np.nan)
    force[reached] = [np.linalg.lstsq(own.T, [-166.0, 0.0, 0.0], rcond=None)[0] for own in K[reached]]
    expected = margins(robot, x, force)
    assert (region.inside(u) == (expected > 13.0)).all()
    assert 20 < (expected > 13.0).sum() < (expected > 0.0).sum() < 290


@pytest.mark.parametrize(
    ("name", "axis", "end", "off"), [("tricept", "z", 0.0, 1e-5), ("rps3", "pitch", -np.pi, 5e-3)]
)  # the tube has no length; the platform is upside down and free to spin. Ends come a millionth of the usual before.
def test_constraints_that_let_go_end_travel(name, axis, end, off):
    found = gough.workspace(load(name), only=["reach", "constraint"], travel_only=True)
    row = next(row for row in found.travel if row.axis == axis)
    assert [limit.kind for limit in row.low_limits] == ["constraint"]
    assert row.low == pytest.approx(end, abs=off)
    assert "constraint" in conditions_of(load(name)).kinds


def test_constraints_are_of_machines_with_dependent_coordinates():
    with pytest.raises(InputError) as caught:
        conditions_of(load("stewart"), only=["constraint"])
    assert str(caught.value) == "only constraint: stewart has no dependent coordinates; take side"
