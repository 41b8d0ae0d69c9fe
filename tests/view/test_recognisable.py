"""What makes machines recognisable: bent bars, names that do not overlap, one rail for two sliders, a box on cables."""

from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from gough import load
from gough.view import theme
from gough.view.browser.moving import MovingRobot
from gough.view.drawing import draw as drawing
from gough.view.drawing.scene import scene
from gough.view.drawing.solids import Ball, Block, Rod
from gough.view.drawing.tensions import tensions_at_rest, with_tensions
from tests.support.random_robots import random_robot
from tests.support.robots import build

EYE = Path(__file__).parents[2] / "examples" / "agile_eye.toml"


def parts(robot, owner, kind, colour, x=None):
    """Shapes of one kind and colour that belong to a leg, the base or the platform."""
    return [s.shape for s in scene(robot, x).solids if (s.owner, s.colour) == (owner, colour) and type(s.shape) is kind]


@pytest.mark.parametrize("x", [None, [0.2, -0.3, 0.1]])
def test_bent_bars_run_on_spheres_from_axis_to_axis(x):
    """Each about the point where the axes meet, 90 mm and less from it; the first from the motor's axis."""
    robot = load(EYE)
    for k, name in enumerate("ABC"):
        outer, inner = (
            np.array([[rod.start, rod.end] for rod in parts(robot, name, Rod, colour, x)][:14])
            for colour in (theme.DRIVEN, theme.ROD)
        )
        for bar, radius in ((outer, 0.09), (inner, 0.09 * 0.84)):
            np.testing.assert_allclose(np.linalg.norm(bar, axis=-1), radius, rtol=1e-6)
            np.testing.assert_allclose(bar[1:, 0], bar[:-1, 1], atol=1e-12)
        np.testing.assert_allclose(outer[0, 0] / 0.09, np.eye(3)[k], atol=1e-6)
        np.testing.assert_allclose(outer[-1, 1] / 0.09, inner[0, 0] / (0.09 * 0.84), atol=1e-6)
        np.testing.assert_allclose(outer[0, 0] @ outer[-1, 1], 0.0, atol=1e-9)


def drawn(name):
    """A robot, and its drawing laid out."""
    robot = load(name)
    figure = drawing.draw(robot)
    figure.canvas.draw()
    return robot, figure


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("name", ["cable8", "tricept", "ankle"])
def test_names_of_legs_do_not_overlap(name):
    robot, figure = drawn(name)
    legs = {leg.name for leg in robot.legs} | {"B", "P"}
    boxes = {t.get_text(): t.get_window_extent() for t in figure.axes[0].texts if t.get_text() in legs}
    assert len(boxes) >= len(robot.legs)
    for one, other in combinations(boxes, 2):
        if {one, other} != {"B", "P"}:
            assert not boxes[one].overlaps(boxes[other]), (one, other)


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("name", ["stewart", "delta"])
def test_names_of_legs_are_beside_the_machine(name):
    robot, figure = drawn(name)
    ax = figure.axes[0]
    legs = {leg.name for leg in robot.legs} - {"B"}  # a frame's name too, which is on the machine
    boxes = {t.get_text(): t.get_window_extent() for t in ax.texts if t.get_text() in legs}
    alpha = np.asarray(ax.images[0].get_array())[::-1, :, 3]
    whole = ax.get_window_extent()
    assert set(boxes) == legs
    for box in boxes.values():
        left, bottom = box.x0 - whole.x0, box.y0 - whole.y0
        under = alpha[int(bottom) : int(bottom + box.height) + 1, int(left) : int(left + box.width) + 1]
        assert under.size > 50
        assert not under.any()


def test_what_hangs_on_cables_is_the_hull_of_its_corners_under_a_frame_on_posts():
    robot = load("cable8")
    (box,) = parts(robot, "platform", Block, theme.PLATFORM)
    assert len(box.faces) == 6
    np.testing.assert_allclose(box.reach(np.eye(3)), [[-0.5, -0.5, 1.5], [0.5, 0.5, 2.5]], atol=1e-12)
    posts = [rod for rod in parts(robot, "base", Rod, theme.BASE) if np.abs((rod.end - rod.start)[:2]).max() < 1e-12]
    assert len(posts) == 8
    for leg in robot.legs:
        (line,) = parts(robot, leg.name, Rod, theme.CABLE)
        np.testing.assert_allclose(line.start, leg.position, atol=1e-12)
        assert line.radius < 0.05
    assert len(parts(robot, "1", Ball, theme.JOINT)) == 1


def boxed():
    """A box held by cables over pulleys from the eight corners of a frame."""
    leg = {"type": "cable", "tension": [5, 500], "pulley": {"radius": 0.12}}
    corners = [np.array(c) for c in product((-1, 1), (-1, 1), (-1, 1))]
    legs = [
        leg | {"base": (c * [2, 1.5, 1] + [0, 0, 1]).tolist(), "platform": (c * [0.2 * c[2], 0.2, -0.15]).tolist()}
        for c in corners
    ]
    turns = {"x": "x", "y": "y", "z": "z", "yaw": "rz", "pitch": "ry", "roll": "rx"}
    platform = {"coordinates": turns, "home": [0, 0, 1, 0, 0, 0], "mass": 5, "inertia": [0.1] * 3}
    return build({"name": "boxed", "platform": platform, "leg": legs})


def test_cables_from_above_and_below_have_a_ring_for_each_and_posts_between():
    rods = [np.array([rod.start, rod.end]) for rod in parts(boxed(), "base", Rod, theme.BASE)]
    edges = {tuple(np.abs(end - start).round(9).tolist()) for start, end in rods}
    assert edges == {(4, 0, 0), (0, 3, 0), (0, 0, 2)}
    assert len(rods) == 12


def test_a_pulley_is_a_wheel_with_rims_that_its_cable_leaves_along_a_tangent():
    for leg in boxed().legs:
        wheel, *rims = parts(boxed(), leg.name, Rod, theme.DRIVEN)
        (line,) = parts(boxed(), leg.name, Rod, theme.CABLE)
        assert wheel.radius == 0.12
        assert [rim.radius > 0.12 for rim in rims] == [True, True]
        hub, way = (wheel.start + wheel.end) / 2, line.end - line.start
        assert np.linalg.norm(line.start - hub) == pytest.approx(0.12, abs=1e-12)
        assert abs(way @ (line.start - hub)) <= 1e-12
        assert np.linalg.norm(hub - leg.position) == pytest.approx(0.12, abs=1e-12)


def test_cables_have_the_colours_of_their_tensions_at_rest():
    """From light at the least tension allowed to blue at the largest; tensions hold the weight."""
    robot = load("cable8")
    x = np.array([2.0, 1.0, 2.2, 0.0, 0.0, 0.0])
    tensions = tensions_at_rest(robot, x)
    pulls = np.zeros(3)
    for solid in scene(robot, x).solids:
        if solid.owner in tensions and type(solid.shape) is Rod:
            way = solid.shape.start - solid.shape.end
            pulls += tensions[solid.owner] * way / np.linalg.norm(way)
    np.testing.assert_allclose(pulls, -robot.platform.body.mass * np.array(robot.gravity), atol=1e-9)
    shown = {s.owner: s.colour for s in with_tensions(scene(robot, x), tensions).solids if type(s.shape) is Rod}
    grey, blue = (np.array(theme.rgb(colour)) for colour in (theme.NOTHING, theme.PULL))
    for name, tension in tensions.items():
        wanted = grey + (0.3 + 0.7 * (tension - 193.0) / (450.0 - 193.0)) * (blue - grey)
        np.testing.assert_allclose(theme.rgb(shown[name]), wanted, atol=0.5 / 255 + 1e-9)
    assert len({shown[name] for name in tensions}) > 4


@pytest.mark.usefixtures("coarse")
def test_cables_that_do_not_hold_stand_out():
    robot = load("cable8")
    x = np.array([6.5, 0.0, 1.5, 0.0, 0.0, 0.0])
    tensions = tensions_at_rest(robot, x)
    assert np.isnan(list(tensions.values())).all()
    shown = {s.owner: s.colour for s in with_tensions(scene(robot, x), tensions).solids if type(s.shape) is Rod}
    assert {shown[name] for name in tensions} == {theme.LOST}
    figure = drawing.draw(robot, x)
    assert "no tensions within the\nlimits hold the platform" in {text.get_text() for text in figure.texts}
    assert len(figure.axes) == 3


def sliders():
    """A planar machine with two sliders on one rail along x, and a third across."""
    rod = {"length": 0.5, "mass": 0.2, "com": [0.25, 0, 0], "inertia": [0, 4e-3, 4e-3]}
    common = {"type": "PRR", "hinge": [0, 0, 1], "rod": rod}
    left = {
        "name": "A",
        "base": [-0.2, 0, 0],
        "platform": [-0.05, 0, 0],
        "guide": {"direction": [1, 0, 0]},
        "branch": 1,
    }
    right = {
        "name": "B",
        "base": [0.2, 0, 0],
        "platform": [0.05, 0, 0],
        "guide": {"direction": [1, 0, 0]},
        "branch": -1,
    }
    third = {"name": "C", "base": [0.4, 0.2, 0], "platform": [0.0, 0.05, 0], "guide": {"direction": [0, 1, 0]}}
    actuator = {"actuator": {"stroke": [-0.4, 0.4]}}
    platform = {"coordinates": {"x": "x", "y": "y", "phi": "rz"}, "home": [0, 0.4, 0], "mass": 1.0}
    platform |= {"inertia": [0.01, 0.01, 0.01]}
    return build({"name": "m", "platform": platform, "leg": [common | actuator | leg for leg in (left, right, third)]})


def test_two_sliders_share_one_rail_that_does_not_move():
    robot = sliders()
    poses = [None, [0.05, 0.38, 0.2], [-0.06, 0.42, -0.1]]
    rails = [[s.shape for s in scene(robot, x).solids if s.colour == theme.GUIDE] for x in poses]
    assert [len(found) for found in rails] == [2, 2, 2]
    for found in rails:
        # Parts are a little larger where the machine's joints are farther apart.
        np.testing.assert_allclose(found[0].reach(np.eye(3)), rails[0][0].reach(np.eye(3)), atol=2e-3)
    (low, high) = rails[0][0].reach(np.eye(3))[:, 0]
    assert low < -0.6
    assert high > 0.6
    moving = MovingRobot(robot)
    assert sum(part.colour == theme.GUIDE for part in moving.parts) == 2
    assert all(place is not None for place in moving.at([0.05, 0.38, 0.2]).places)


def test_a_rail_beside_other_legs_hangs_on_what_they_stand_on():
    """On the plate of two motors, or on the frame that cables come from; never in the air."""
    cranks = random_robot("RRU", 0)
    spokes = 2.0 * np.stack([np.cos([0.3, 2.4, 4.5]), np.sin([0.3, 2.4, 4.5]), [0.5, 0.6, 0.4]], axis=1)
    cables = [
        {"type": "cable", "base": spoke.tolist(), "platform": [0.2 * spoke[1], -0.2 * spoke[0], 0], "tension": [1, 80]}
        for spoke in spokes
    ]
    post = [{"type": "P", "axis": [0, 0, 1], "actuated": True}, {"type": "R", "axis": [0, 0, 1]}]
    platform = {"coordinates": {"z": "z", "yaw": "rz"}, "home": [0.1, 0.0], "mass": 3.0, "inertia": [0.1, 0.1, 0.2]}
    mast = build(
        {"name": "mast", "platform": platform, "leg": [*cables, {"name": "d", "joint": post, "end": {"type": "rigid"}}]}
    )
    for robot, rail_owner in ((cranks, cranks.legs[2].name), (mast, "d")):
        (rail,) = parts(robot, rail_owner, Block, theme.GUIDE)
        corners = rail.corners
        reach = 0.6 * np.ptp(corners, axis=0).min() + 1e-9
        arms = parts(robot, "base", Rod, theme.BASE)
        ends = np.array([end for arm in arms for end in (arm.start, arm.end)])
        inside = ((ends > corners.min(0) - reach) & (ends < corners.max(0) + reach)).all(axis=1)
        assert inside.any()
