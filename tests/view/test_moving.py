"""Meshes that move: they show the same solids as the drawing, and keep their shape."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gough import load
from gough.kinematics.status import PoseError
from gough.view.browser.meshes import mesh_of, place_of
from gough.view.browser.moving import MovingRobot
from gough.view.drawing.machine_parts import leg_solids
from gough.view.drawing.solids import Ball, Rod, box
from gough.view.theme import PULL, PUSH, force_colour, whole
from tests.cli.running import ROBOTS


def placed(mesh, place):
    w, x, y, z = place.wxyz
    R = Rotation.from_quat([x, y, z, w]).as_matrix()
    return (mesh.corners * place.scale) @ R.T + place.position


@pytest.mark.parametrize(
    "shape",
    [
        Ball(np.array([1.0, 2, 3]), 0.4),
        Rod(np.array([1.0, 2, 3]), np.array([1.5, 1, 3.2]), 0.1),
        box([0.1, 0.2, 0.3], np.eye(3)[[1, 2, 0]], [0.5, 0.1, 0.2]),
    ],
)
def test_a_mesh_is_as_large_as_its_solid_and_closed(shape):
    mesh = mesh_of(shape)
    points = placed(mesh, place_of(shape, shape))
    low, high = shape.reach(np.eye(3))
    assert (points >= low - 1e-6).all()
    assert (points <= high + 1e-6).all()
    assert mesh.triangles.max() < len(mesh.corners)
    a, b, c = (points[mesh.triangles[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
    expected = {Ball: 4 / 3 * np.pi * 0.4**3, Rod: np.pi * 0.01 * np.linalg.norm([0.5, -1, 0.2])}
    assert volume == pytest.approx(expected.get(type(shape), 8 * 0.5 * 0.1 * 0.2), rel=0.04)


@pytest.mark.parametrize("name", ROBOTS)
def test_parts_are_where_the_drawing_has_them(name):
    robot = load(name)
    moving = MovingRobot(robot)
    rng = np.random.default_rng(3)
    x = moving.home.x + 0.02 * moving.home.sizes.extent * rng.uniform(-1, 1, len(moving.home.x))
    snapshot = moving.at(x)
    assert None not in snapshot.places
    rest = moving._rest
    solids = [
        s for leg, own in zip(moving._pose(x).legs, rest, strict=True) for s in leg_solids(leg, moving.home.sizes, own)
    ]
    for solid, first, place in zip(solids, moving.parts, snapshot.places, strict=True):
        points = placed(mesh_of(first.shape), place)
        low, high = solid.shape.reach(np.eye(3))
        assert (points >= low - 1e-5).all()
        assert (points <= high + 1e-5).all()


def test_out_of_reach_is_an_error():
    with pytest.raises(PoseError, match="out of reach"):
        MovingRobot(load("hexapod")).at([0, 0, 9, 0, 0, 0])


def test_forces_have_colours_on_a_scale():
    assert force_colour(5.0, 5.0) == whole(PUSH)
    assert force_colour(-9.0, 5.0) == whole(PULL)
    assert force_colour(0.0, 5.0) == force_colour(1.0, 0.0)
    assert force_colour(float("nan"), 5.0) not in (whole(PUSH), whole(PULL))
