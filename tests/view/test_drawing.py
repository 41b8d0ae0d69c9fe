"""Drawings of every robot: complete, inside their frame, readable."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from gough import catalogue, load
from gough.assembly import assembly_modes
from gough.kinematics import PoseError, inverse_kinematics
from gough.view.drawing import draw as drawing
from gough.view.drawing.base_and_platform import plane
from gough.view.drawing.camera import window_of
from gough.view.drawing.mode_pose import mode_pose
from gough.view.drawing.raster import look
from gough.view.drawing.scene import best_view, front_view, plan_view, scene, scene_of, upright

ROBOTS = catalogue()
PLANAR = ("planar3rrr", "planar4rrr", "fivebar")
LONGER = ("stewart", "cable8", "tricept")
"""Their longest bars are pistons and cables."""


def poses(robot):
    """Home and two poses near it, within reach of every catalogue robot."""
    home = np.array(robot.platform.home)
    reach = scene(robot).sizes.extent
    turning = np.array([c.motion.startswith("r") for c in robot.platform.coordinates])
    step = np.where(turning, 0.12, 0.03 * reach)
    return [home, home + step, home - step * np.arange(1, len(home) + 1) / len(home)]


@pytest.mark.parametrize("name", ROBOTS)
def test_png(name):
    content = drawing.png(load(name))
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert content.endswith(b"IEND\xaeB`\x82")
    assert struct.unpack(">II", content[16:24]) == (drawing.WIDTH, drawing.HEIGHT)
    assert 15_000 < len(content) < 120_000


@pytest.mark.parametrize("name", ROBOTS)
def test_figures_at_three_poses_keep_inside_their_frame(name, coarse):
    robot = load(name)
    for x in poses(robot):
        figure = drawing.draw(robot, x)
        box = figure.get_tightbbox()
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= drawing.WIDTH / drawing.DPI
        assert box.y1 <= drawing.HEIGHT / drawing.DPI
        main = figure.axes[0]
        written = {text.get_text() for text in main.texts}
        assert {leg.name for leg in robot.legs} <= written
        assert {"x", "y", "z", "g"} <= written
        scales = 1 if robot.cables else 0
        assert len(figure.axes) == (2 if name in PLANAR else 3) + scales


@pytest.mark.parametrize("name", ROBOTS)
def test_every_leg_and_the_platform_are_seen_and_nothing_is_cut_off(name):
    robot = load(name)
    for x in poses(robot):
        shown = scene(robot, x)
        camera = best_view(shown)
        window = window_of(shown.reach(camera.view[:2])).grown(0.02).shaped(1.0)
        side = 700 if name == "cable8" else 200
        seen = look(shown.solids, camera, window, (side, side))
        owners = np.array([solid.owner for solid in shown.solids] + [""])[seen.which]
        for owner in ("base", "platform", *[leg.name for leg in robot.legs]):
            assert np.sum(owners == owner) > 25, owner
        rim = np.concatenate([seen.which[0], seen.which[-1], seen.which[:, 0], seen.which[:, -1]])
        assert (rim == -1).all()


@pytest.mark.parametrize(
    ("name", "colours"),
    [("delta", 4), ("hexapod", 4), ("planar3rrr", 4), ("rotary", 4), ("spatial3", 4), ("sru", 4), ("stewart", 3)],
)
def test_the_legend_names_what_is_there(name, colours, coarse):
    assert len(drawing.draw(load(name)).legends[0].get_texts()) == colours


@pytest.mark.parametrize("name", ROBOTS)
def test_bars_end_where_the_joints_are(name):
    """The longest bar of each leg runs between two joints: its length does not change with the pose but for pistons."""
    robot = load(name)

    def lengths(x):
        found = []
        for leg in robot.legs:
            rods = [s.shape for s in scene(robot, x).solids if s.owner == leg.name and hasattr(s.shape, "end")]
            found.append(max(np.linalg.norm(rod.end - rod.start) for rod in rods))
        return found

    if name not in LONGER:
        home, moved, _ = poses(robot)
        assert lengths(home) == pytest.approx(lengths(moved), rel=1e-12)


def test_z_is_up_on_paper_unless_gravity_is_along_it():
    for name in ROBOTS:
        shown = scene(load(name))
        up = np.array([0.0, 0.0, -1.0 if name == "hexapod" else 1.0])
        assert np.array_equal(shown.up, up)
        for camera in (best_view(shown), front_view(shown)):
            assert camera.view[1] @ up > 0
        assert plan_view(shown).view[2] @ up == 1
        assert np.linalg.det(front_view(shown).view) == pytest.approx(1)
    assert upright((0, -9.81, 0)).tolist() == [0, 1, 0]
    assert upright((0, 0, 0)).tolist() == [0, 0, 1]


def test_the_front_shows_the_plane_of_motion():
    assert np.abs(front_view(scene(load("spatial3"))).view[0]).tolist() == [0, 1, 0]
    assert np.abs(front_view(scene(load("stewart"))).view[0]).tolist() == [1, 0, 0]


def test_the_same_robot_gives_the_same_file(coarse):
    robot = load("rotary")
    assert drawing.png(robot) == drawing.png(robot)


def test_out_of_reach_is_not_drawn():
    with pytest.raises(PoseError, match="leg A is out of reach by"):
        drawing.draw(load("delta"), [0, 0, -1.9])


def test_a_sideways_robot_is_drawn_upright(coarse):
    robot = load("stewart").replace({"gravity": [0.0, 9.81, 0.0]})
    assert scene(robot).up.tolist() == [0, -1, 0]
    drawing.draw(robot)


def test_without_gravity_there_is_no_arrow(coarse):
    robot = load("stewart").replace({"gravity": [0.0, 0.0, 0.0]})
    assert "g" not in {text.get_text() for text in drawing.draw(robot).axes[0].texts}


def test_the_normal_of_points_without_a_plane_is_the_other():
    assert plane(np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0]], float), [0, 0, 2]).tolist() == [0, 0, 1]
    tilted = plane(np.array([[0, 0, 0], [1, 0, 1], [0, 1, 0], [1, 1, 1]], float), [0, 0, 1])
    assert tilted == pytest.approx(np.array([-1, 0, 1]) / np.sqrt(2))


@pytest.mark.parametrize("name", ["hexapod", "src/gough/cli/starters/prs.toml"])
def test_the_base_stands_still_in_every_assembly_mode_and_pose(name):
    robot = load(name)
    home = [solid.shape for solid in scene(robot).solids if solid.owner == "base"]
    found = assembly_modes(robot, inverse_kinematics(robot, robot.platform.home).q)
    assert len({tuple(branch) for branch in found.branch.tolist()}) > 1
    shown = [scene_of(mode_pose(found, k), found.x[k]) for k in range(len(found.x))]
    for other in [*shown, *[scene(robot, x) for x in poses(robot)]]:
        base = [solid.shape for solid in other.solids if solid.owner == "base"]
        assert [type(shape) for shape in base] == [type(shape) for shape in home]
        np.testing.assert_array_equal([s.reach(np.eye(3)) for s in base], [s.reach(np.eye(3)) for s in home])
