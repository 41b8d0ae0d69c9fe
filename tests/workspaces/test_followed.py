"""Proofs for machines whose coordinates depend on each other: what is enclosed or proved holds at samples."""

import numpy as np
import pytest

import gough
from gough import load
from gough.graph import array
from gough.kinematics import inverse_kinematics
from gough.run.affine_forms import highest, lowest
from gough.singular.coordinates import coordinates_of
from gough.workspaces.conditions import conditions_of
from gough.workspaces.followed import enclosure_of
from gough.workspaces.region import region_of
from tests.support.dependent_references import machine
from tests.support.lanes import size


def _enclosed(robot, width, count, seed=0):
    """Middles and half-widths of boxes about home, and forms of what `coordinates_of` tells."""
    told = coordinates_of(robot, conditions_of(robot))
    enclosure = enclosure_of(robot, told.equations.ways, None, array, told._told, robot.dof, range(robot.dof))
    rng = np.random.default_rng(seed)
    scales = np.where([c.turns for c in robot.platform.coordinates], 2.0, 1.0) * width
    centre = np.array(robot.platform.home) + scales * rng.uniform(-1.0, 1.0, (count, robot.dof))
    radius = scales * 10.0 ** rng.uniform(-4.0, -0.7, (count, 1))
    return told, rng, centre, radius, enclosure


@pytest.mark.parametrize(
    "name", ["rps3", *(pytest.param(name, marks=pytest.mark.slow) for name in ("tricept", "ankle", "3prs"))]
)
def test_forms_hold_every_sample_of_their_boxes(name):
    robot = machine(name) if name == "3prs" else load(name)
    count, each = 60, size(20_000, 40)
    told, rng, centre, radius, enclosure = _enclosed(robot, 0.1, count)
    forms = enclosure(centre, radius)
    x = centre[:, None] + radius[:, None] * rng.uniform(-1.0, 1.0, (count, each, robot.dof))
    at = told.matrices(x=x.reshape(-1, robot.dof))
    K = np.moveaxis(at["S"].reshape(count, each, *at["S"].shape[1:]), 0, -1)
    proved = np.isfinite(forms["S"]).all(axis=(0, 1, 2))
    assert proved.mean() > 0.8
    # A form of a sample differs from what is computed there by the sample's own round-off.
    slack = 1e-11 * (1.0 + np.abs(K))
    held = (lowest(forms["S"]) - slack <= K) & (highest(forms["S"]) + slack >= K)
    assert held[..., proved].all()
    # What is beside the slopes is of second order.
    whole, half = (enclosure(centre, np.full_like(centre, r))["S"][-1].max(axis=(0, 1)) for r in (4e-4, 2e-4))
    assert np.median(whole / half) == pytest.approx(4.0, rel=0.1)


def test_a_box_of_a_machine_in_three_planes_is_regular_and_samples_agree():
    robot = load("rps3")
    ranges = {"roll": (-0.35, 0.3), "z": (0.55, 0.7), "pitch": (-0.3, 0.4)}
    found = gough.regular_box(robot, ranges)
    assert (found.proved, found.left) == (True, None)
    rng = np.random.default_rng(1)
    low, high = np.array([ranges[name] for name in robot.coordinate_names]).T
    there = inverse_kinematics(robot, rng.uniform(low, high, (size(1_000_000, 20_000), 3)))
    signs = np.sign(np.linalg.det(there.K[there.status == 0]))
    assert len(signs) > 1000
    assert np.unique(signs).size == 1
    wide = gough.regular_box(robot, {"pitch": (0.0, 1.1), "z": (0.6, 0.7)}, only=["reach"], most=3000)
    assert not wide.proved
    assert wide.left[2] == robot.platform.home[2]


@pytest.mark.slow
def test_ways_motions_and_travel_of_machines_with_dependent_coordinates():
    robot = load("rps3")
    way = gough.first_singularity(robot, "home", "pitch=1.2")
    assert way.proved == pytest.approx(way.share, rel=1e-8)
    assert np.linalg.svd(inverse_kinematics(robot, way.x).K, compute_uv=False)[-1] <= 1e-10
    passed = gough.tube(robot, gough.Motion.named(robot))
    assert passed.proved
    end = gough.workspace(robot, travel_only=True, prove=True).travel[1]
    assert end.proved is True
    assert [limit.kind for limit in end.high_limits] == ["side"]
    assert end.high == pytest.approx(way.x[1], abs=1e-9)


def test_the_bounds_of_a_range_hold_it():
    robot = load("rps3")
    volume = gough.workspace(robot, prove=True, cells=24).volume
    # All legs are as long at home: 0.45 and 0.85 between joints 0.15 m apart in the plan.
    exact = np.sqrt(0.85**2 - 0.15**2) - np.sqrt(0.45**2 - 0.15**2)
    assert volume.bracket.low <= exact <= volume.bracket.high
    assert volume.bracket.gap <= 2e-3


@pytest.mark.slow
def test_boxes_of_a_machine_on_a_passive_leg_are_decided_rightly():
    robot = load("tricept")
    region = region_of(robot, conditions_of(robot), np.array(robot.platform.home))
    rng = np.random.default_rng(0)
    centre = rng.uniform([-1.2, -1.2, 0.3], [1.4, 1.2, 1.7], (4000, 3))
    radius = np.full((4000, 3), 0.02)
    lower, upper = region.enclosure(centre, radius)
    inside, outside = (lowest(lower) > 0.0).all(axis=0), (highest(upper) < 0.0).any(axis=0)
    assert inside.sum() > 200
    assert outside.sum() > 1000
    for _ in range(size(400, 20)):
        found = region.inside(centre + radius * rng.uniform(-1.0, 1.0, centre.shape))
        assert found[inside].all()
        assert not found[outside].any()
