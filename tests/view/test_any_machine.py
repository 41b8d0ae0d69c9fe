"""Drawings of machines other than the catalogue's: written joint by joint, without lucky coincidences, far from B."""

from __future__ import annotations

import numpy as np
import pytest

from gough import load, loads
from gough.view.drawing import draw as drawing
from gough.view.drawing.machine_parts import is_telescope
from gough.view.drawing.scene import scene
from tests.support.random_robots import KINDS, moved, odd_robot, random_robot, reframed


def owners(shown):
    return {solid.owner for solid in shown.solids}


@pytest.mark.parametrize("kind", KINDS)
def test_random_robots_and_their_explicit_form_look_alike(kind):
    robot = random_robot(kind, 3)
    short, explicit, other = scene(robot), scene(loads(robot.to_toml())), scene(reframed(robot, 2))
    assert owners(short) == {"base", "platform", *[leg.name for leg in robot.legs]}
    for shown in (explicit, other):
        assert [solid.colour for solid in shown.solids] == [solid.colour for solid in short.solids]
        assert shown.reach(np.eye(3)) == pytest.approx(short.reach(np.eye(3)), abs=1e-6)


@pytest.mark.parametrize("name", ["offset_universal", "slanted", "skew", "arm"])
def test_machines_closed_by_iteration_are_drawn(name):
    robot = odd_robot(name)
    assert owners(scene(robot)) == {"base", "platform", *[leg.name for leg in robot.legs]}


def test_legs_between_points_are_telescopes_and_guides_are_not():
    from gough.kinematics.robot_pose import robot_pose, ways_of

    for name, k, expected in (("stewart", 2, True), ("hexapod", 0, False), ("spatial3", 0, False)):
        robot = load(name)
        pose = robot_pose(robot, ways_of(robot), robot.platform.home)
        assert is_telescope(pose.legs[0], k, scene(robot).sizes) is expected


def test_a_base_frame_far_away_is_left_out():
    robot = load("stewart")
    assert list(scene(robot).frames()) == ["B", "P"]
    assert list(scene(load("planar3rrr")).frames()) == ["B P"]
    away = moved(robot, np.eye(3), np.array([40.0, 0.0, 0.0]))
    assert list(scene(away).frames()) == ["P"]
    figure = drawing.draw(away)
    assert "B" not in {text.get_text() for text in figure.axes[0].texts}
