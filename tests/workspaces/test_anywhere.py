"""Largest shapes with their middles searched, boxes of an aspect, and the tool's positions."""

import numpy as np
import pytest

import gough
from gough import load
from gough.errors import InputError
from gough.workspaces.anywhere import largest_anywhere
from gough.workspaces.conditions import conditions_of
from gough.workspaces.inscribed import largest
from gough.workspaces.region import region_of
from gough.workspaces.volume import volume_of
from tests.support.lanes import size


@pytest.fixture(scope="module")
def volume():
    robot = load("fivebar")
    region = region_of(robot, conditions_of(robot, only=["reach", "side"]), np.array(robot.platform.home))
    return volume_of(region, 48)


def _reaches(x, y):
    """Both legs of the catalogue's five-bar, cranks of 0.22 and rods of 0.3 at +-0.1, and on home's side y > 0."""
    near = [np.hypot(x - a, y) for a in (-0.1, 0.1)]
    return all(((r > 0.08) & (r < 0.52)).all() for r in near)


SHAPES = [
    ("sphere", None),
    pytest.param("cube", None, marks=pytest.mark.slow),
    pytest.param("box", (1.0, 0.5), marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("shape", "aspect"), SHAPES)
def test_a_shape_anywhere_is_inside_and_none_found_elsewhere_is_larger_than_the_bound(volume, shape, aspect):
    found = largest_anywhere(volume, shape, aspect)
    home = largest(volume.region, shape, aspect)
    assert home.size <= found.size <= found.most
    assert found.gap <= 0.02
    rng = np.random.default_rng(2)
    t = rng.uniform(-1.0, 1.0, size=(size(100_000, 5000), 2))
    t = t if shape != "sphere" else t[np.hypot(*t.T) < 1.0]
    points = found.centre + t * found.half * (1.0 - 1e-9)
    assert _reaches(*points.T)
    # Other middles, at random, never have more than the bound.
    nodes = volume.grid.nodes(np.argwhere(volume.grid.own))
    for centre in nodes[rng.choice(len(nodes), size(60, 6))]:
        assert largest(volume.region, shape, aspect, centre=centre).size <= found.most * (1.0 + 1e-9)


def test_the_tool_shifts_positions_and_tells_where_it_turns():
    robot = load("stewart")
    asked = {"only": ["stroke", "side"], "cells": 12}
    plain = gough.workspace(robot, **asked)
    moved = gough.workspace(robot.with_tool((0.1, 0.0, 0.3)), **asked)
    assert moved.volume.measure == plain.volume.measure
    for name, shift in (("x", 0.1), ("y", 0.0), ("z", 0.3)):
        ends = np.array(plain.volume.largest_extent[name]) + shift
        assert moved.volume.largest_extent[name] == pytest.approx(ends, abs=1e-12)
    assert moved.tilts.least != pytest.approx(plain.tilts.least, abs=1e-6)
    document = moved.to_dict()
    assert document["tool"] == [0.1, 0.0, 0.3]
    assert document["limit_values"]["stroke"]["1"] == [1.8, 3.3]
    assert document["shapes"]["cube"]["centre"] == pytest.approx([0.1, 0.0, 2.3])
    with pytest.raises(InputError, match=r"^aspect: must be 3 positive numbers, one per sliding coordinate$"):
        gough.workspace(robot, aspect=(1.0, 2.0), **asked)
