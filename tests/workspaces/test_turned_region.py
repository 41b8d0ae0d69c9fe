"""Pitch against roll of an ankle: what is filled is what its strokes say."""

import numpy as np

from gough.workspaces.conditions import conditions_of
from gough.workspaces.turned_region import turned_region, turns_twice
from tests.support.guided_feet import ankle, lever
from tests.support.robots import build


def test_the_region_of_passive_strokes_is_a_rectangle():
    table = ankle()
    for joint, stroke in zip(table["leg"][0]["joint"], ([-0.5, 0.3], [-0.2, 0.25]), strict=True):
        joint["stroke"] = stroke
    robot = build(table)
    assert turns_twice(robot)
    first, second, inside = turned_region(robot, conditions_of(robot, None, ["joint"]), np.zeros(2))
    expected = ((second > -0.2) & (second < 0.25))[:, None] & ((first > -0.5) & (first < 0.3))
    assert (inside == expected).all()
    assert not turns_twice(build(lever()))
