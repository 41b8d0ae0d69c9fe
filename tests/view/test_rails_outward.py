"""Rails of sliders whose first hinge is along them lie behind the slider, seen from the rod."""

from __future__ import annotations

import numpy as np

from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.view.drawing.machine_parts import Sizes, guide
from tests.support.schoenflies import BASE, PLATFORM, jointed


def test_rails_of_vertical_sliders_are_shifted_away_from_their_rods():
    robot = jointed()
    pose = robot_pose(robot, ways_of(robot), np.array(robot.platform.home))
    sizes = Sizes(1.0)
    for leg, base, tip in zip(pose.legs, BASE, PLATFORM, strict=True):
        rail = guide(leg, 0, sizes, np.zeros(3))
        off = (rail.far + rail.near)[:2] / 2.0 - base
        towards = (tip - base) / np.linalg.norm(tip - base)
        np.testing.assert_allclose(off / np.linalg.norm(off), -towards, atol=1e-12)
