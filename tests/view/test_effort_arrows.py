"""Arrows of forces and torques: which way they point, how large they are, and when there is none."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gough import load
from gough.view.browser.meshes import SPIN_GAP, spin_arrow
from gough.view.browser.moving import MovingRobot
from gough.view.browser.stage import LONGEST, WIDEST, EffortArrows, open_towards


class Scene:
    """Keeps what is added."""

    def __init__(self):
        self.nodes = {}

    def add_arrows(self, name, points, colors, **_sizes):
        self.nodes[name] = SimpleNamespace(points=points, colors=colors, visible=True)
        return self.nodes[name]

    def add_mesh_simple(self, name, *_mesh, **given):
        self.nodes[name] = SimpleNamespace(**given, visible=True)
        return self.nodes[name]


def shown(name, forces, most=2.0):
    robot = load(name)
    moving, scene = MovingRobot(robot), Scene()
    snapshot = moving.at(moving.home.x)
    turns = [joint.kind == "R" for leg in robot.legs for joint in leg.joints if joint.actuated]
    arrows = EffortArrows(SimpleNamespace(scene=scene), moving.home, turns)
    arrows.show(snapshot, np.array(forces), most)
    return arrows, scene.nodes, snapshot, moving.home.sizes.extent


def test_forces_are_straight_arrows_along_the_actuators():
    arrows, nodes, snapshot, extent = shown("stewart", [2.0, -1.0, 0.5, 0, 0, 0])
    assert list(nodes) == ["/forces"]
    way = nodes["/forces"].points[:, 1] - nodes["/forces"].points[:, 0]
    lengths = np.einsum("ij,ij->i", way, snapshot.axes)
    assert lengths == pytest.approx(LONGEST * extent * np.array([1, -0.5, 0.25, 0, 0, 0]), abs=1e-6)
    arrows.hide()
    assert not nodes["/forces"].visible


def test_torques_go_round_the_actuators_in_their_sense():
    arrows, nodes, snapshot, extent = shown("planar3rrr", [2.0, -1.0, 0.01])
    assert sorted(nodes) == ["/torques/0", "/torques/1", "/torques/2"]
    assert [nodes[f"/torques/{k}"].visible for k in range(3)] == [True, True, False]
    for k, sign, share in ((0, 1, 1.0), (1, -1, 0.5)):
        node = nodes[f"/torques/{k}"]
        assert node.scale == pytest.approx((WIDEST * extent * share,) * 3)
        w, x, y, z = node.wxyz
        assert Rotation.from_quat([x, y, z, w]).apply([0, 0, 1]) == pytest.approx(sign * snapshot.axes[k], abs=1e-9)
    arrows.show(snapshot, np.full(3, np.nan), 2.0)
    assert not any(node.visible for node in nodes.values())


def test_a_round_arrow_turns_about_z_and_opens_towards_the_base():
    corners = spin_arrow().corners
    angles = np.unwrap(np.arctan2(corners[::8, 1], corners[::8, 0]))
    assert (np.diff(angles) >= -1e-6).all()
    assert angles[-1] - angles[0] > 1.5 * np.pi
    axis, base = np.array([1.0, 0.0, 0.0]), np.array([0.1, 0.0, -1.0])
    R = open_towards(axis, base)
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-12)
    assert np.linalg.det(R) == pytest.approx(1.0)
    np.testing.assert_allclose(R @ [np.cos(SPIN_GAP), np.sin(SPIN_GAP), 0.0], [0, 0, -1], atol=1e-12)
