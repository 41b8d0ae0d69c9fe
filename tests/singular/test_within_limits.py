"""Singular poses that are found lie within the limits, also of stretched legs, which an iteration cannot close."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

import gough
from gough import catalogue
from gough.singular.around import around
from gough.singular.coordinates import coordinates_of
from gough.singular.nearest import OUTSIDE, _Stretched
from gough.workspaces.conditions import conditions_of
from tests.support.schoenflies import BASE, PLATFORM, RING, ROD, STROKE, jointed, sliders

LUCKY = [
    [0.93223432, -0.07245913, 0.3075035, -0.17643823],
    [0.91800961, -0.11557539, 0.30777223, -0.22175872],
    [0.92559366, -0.07987752, 0.29967204, -0.21700834],
    [0.91737907, -0.10750768, 0.30250679, -0.23526024],
]
"""Ways on which a leg is stretched far beyond its stroke, and an iteration at that place goes elsewhere, within it."""


def test_a_stretched_leg_closed_by_iteration_is_within_its_stroke_on_the_way_to_it():
    robot = jointed(skew=True)
    met = _Stretched(around(robot, conditions_of(robot), np.zeros(4)))
    assert (met(np.array(LUCKY)) >= OUTSIDE).all()


@pytest.fixture(scope="module")
def found():
    return gough.singularities(jointed())


def aside(v, leg):
    """Horizontal length of a rod at v = (x, y, yaw)."""
    c, s = np.cos(v[2]), np.sin(v[2])
    return np.hypot(*(PLATFORM[leg] @ np.array([[c, s], [-s, c]]) + v[:2] - BASE[leg]))


def test_rods_lie_flat_at_the_nearest_of_type_1_and_all_sliders_are_on_their_rails(found):
    """Another search: the slider of a flat rod is as high as the platform, which its stroke bounds."""
    stretched = found.of_kind("type 1")
    q = sliders(stretched.x[None] * (1.0 - 1e-10))[0]
    slack = ROD * 2e-5  # a rod rises as the root of the way before it lies flat
    assert ((q > STROKE[0] - 1e-9) & (q < STROKE[1] + 1e-9)).all()
    assert q.min() - stretched.x[2] < slack
    best = np.inf
    rng = np.random.default_rng(4)
    for start in rng.uniform(-1, 1, (8, 3)) * [0.2, 0.2, 1.5]:
        flat = {"type": "eq", "fun": lambda v: aside(v, 1) - ROD}
        other = minimize(lambda v: v[0] ** 2 + v[1] ** 2 + (RING * v[2]) ** 2, start, constraints=[flat])
        if other.success:
            best = min(best, np.sqrt(other.fun + STROKE[0] ** 2))
    assert best * (1.0 - 1e-9) <= stretched.distance <= best * (1.0 + 3e-4)  # what a search along the limit leaves


def test_the_singular_value_of_type_1_is_that_of_K_on_the_way(found):
    bare = gough.singularities(jointed(), only=["reach"])
    for one in (found.of_kind("type 1"), bare.of_kind("type 1")):
        K = gough.inverse_kinematics(found.robot, one.x * (1.0 - 1e-10)).K / np.array([1, 1, 1, found.length])
        # There 1e-10 of the way is left, of which K has the root.
        assert one.singular_value == pytest.approx(np.linalg.svd(K, compute_uv=False)[-1], rel=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("name", catalogue())
def test_strokes_of_the_catalogue(name):
    robot = gough.load(name)
    home = np.array(robot.platform.home)
    for one in gough.singularities(robot).found:
        x = home + (one.x - home) * (1.0 - (1e-8 if one.kind == "type 1" else 0.0))
        q = gough.inverse_kinematics(robot, x[None]).q[0]
        for joint, value in zip(robot.actuators, q, strict=True):
            if joint.limits.stroke is not None:
                low, high = joint.limits.stroke
                slack = 1e-3 * (high - low)  # a leg bends as the root of the way
                assert low - slack <= value <= high + slack, (one.kind, joint.name)


def test_a_search_tells_its_steps():
    told = []
    gough.singularities(gough.load("fivebar"), progress=told.append)
    assert told[:2] == ["compiling the equations", "looking for the nearest of type 2"]
    rounds = [line for line in told if line.startswith("looking for the nearest of type 1: round ")]
    assert len(rounds) > 20
    assert rounds[-1].endswith(" m")


def test_a_proof_of_legs_closed_by_iteration_names_what_they_hold():
    robot = jointed(skew=True)
    with pytest.raises(gough.GoughError) as refused:
        coordinates_of(robot, conditions_of(robot)).box({"x": (-1e-3, 1e-3)}, np.zeros(4))
    hint = 'coordinates too: pitch = "ry", roll = "rx"; and platform.dependent = ["pitch", "roll"]'
    assert hint in str(refused.value)
