"""Solid angles against closed forms and samples; margins of legs that are closed by iteration."""

from types import SimpleNamespace

import numpy as np
import pytest

import gough
from gough import load
from gough.errors import InputError
from gough.kinematics import inverse_kinematics
from gough.workspaces.conditions import conditions_of
from gough.workspaces.region import grid_of, region_of
from gough.workspaces.solid_angle import from_tilts, solid_angle
from gough.workspaces.surface import surface_of
from tests.support.lanes import size


def test_a_cone_of_tilts():
    found = from_tilts(SimpleNamespace(tilt=np.full(90, 0.4)))
    assert found.value == pytest.approx(2.0 * np.pi * (1.0 - np.cos(0.4)), rel=1e-12)


def test_two_turns_against_samples_of_the_sphere():
    robot = load("ankle")
    found = solid_angle(robot, conditions_of(robot, only=["stroke", "side"]), np.zeros(2), 120)
    count = size(400_000, 20_000)
    rng = np.random.default_rng(0)
    # pitch about y, then roll about x: dA = cos(roll) dpitch droll.
    x = rng.uniform(-2.3, 2.3, size=(count, 2))
    solved = inverse_kinematics(robot, x)
    low, high = np.array([joint.limits.stroke for joint in robot.actuators]).T
    inside = ((solved.q > low) & (solved.q < high)).all(axis=1) & (solved.status == 0)
    inside &= np.sign(np.linalg.det(np.nan_to_num(solved.K))) == np.sign(
        np.linalg.det(inverse_kinematics(robot, np.zeros(2)).K)
    )
    estimate = np.where(inside, np.abs(np.cos(x[:, 1])), 0.0) * 4.6**2
    error = estimate.std() / np.sqrt(count)
    assert found.value == pytest.approx(estimate.mean(), abs=5.0 * error + 0.02 * found.value)
    line = "solid angle of delta: takes two coordinates, which turn; see its travel and volume"
    with pytest.raises(InputError) as caught:
        solid_angle(load("delta"), conditions_of(load("delta")), np.zeros(3))
    assert str(caught.value) == line


@pytest.mark.slow
def test_the_boundary_of_a_machine_on_a_passive_leg_is_where_its_strokes_end():
    robot = load("tricept")
    region = region_of(robot, conditions_of(robot, only=["reach", "stroke", "side"]), np.array(robot.platform.home))
    surface = surface_of(region, grid_of(region, 16))
    assert surface.shares["stroke"] > 0.95
    strokes = np.array([limit.kind == "stroke" for limit in surface.limits])[surface.face_limits]
    margins = region.margins(surface.crossings[strokes])[np.arange(strokes.sum()), surface.face_limits[strokes]]
    assert np.quantile(np.abs(margins), 0.95) <= 1e-9


def test_the_json_has_it():
    found = gough.workspace(load("ankle"), only=["stroke", "side"])
    assert found.to_dict()["solid_angle"]["value"] == found.solid_angle.value
