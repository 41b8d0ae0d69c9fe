"""Screws are drawn with their threads: where the spindle is, of its hand, moving with the leg."""

import numpy as np
import pytest

from gough.view import theme
from gough.view.browser.moving import MovingRobot
from gough.view.drawing.scene import scene
from gough.view.drawing.screw_solids import threads
from gough.view.drawing.solids import Rod
from tests.support.screw_robots import LEAD, spindles, star


@pytest.mark.parametrize("make", [star, spindles, lambda: star(coordinate="slide")], ids=["star", "spindles", "slide"])
def test_every_leg_has_one_thread(make):
    robot = make()
    assert [len(threads(leg)) for leg in robot.legs] == [1] * len(robot.legs)
    assert not any(left for leg in robot.legs for _, left in threads(leg))
    assert all(robot.legs[0].joints[k].kind == "P" for k, _ in threads(robot.legs[0]))


def test_a_negative_lead_is_left_handed():
    robot = star(-LEAD)
    assert all(left for leg in robot.legs for _, left in threads(leg))


def test_the_helix_goes_about_the_spindle_and_with_it():
    """Pieces of a right-handed thread turn with their way along the axis."""
    robot = spindles()
    shown = scene(robot)
    leg = robot.legs[0].name
    pieces = [s.shape for s in shown.solids if s.owner == leg and s.colour == theme.JOINT and isinstance(s.shape, Rod)]
    pieces = [p for p in pieces if p.radius == pytest.approx(0.35 * shown.sizes.pin)]
    assert len(pieces) == 45
    points = np.array([p.start for p in pieces] + [pieces[-1].end])
    along = points[-1] - points[0]
    along /= np.linalg.norm(along)
    off = points - points[0]
    middle = (points[:-1] + points[1:]) / 2
    axis = middle.mean(axis=0)
    out = points[:5] - axis - np.outer((points[:5] - axis) @ along, along)
    assert np.cross(out[0], out[1]) @ along > 0.0
    assert (np.diff(off @ along) > 0.0).all()
    moving = MovingRobot(robot)
    assert len(moving.parts) == len([s for s in shown.solids if s.owner not in ("base", "platform")])


def test_other_machines_have_none():
    from gough import catalogue, load

    assert [name for name in catalogue() if any(threads(leg) for leg in load(name).legs)] == []
