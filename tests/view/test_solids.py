"""Solids against points sampled on and in them: what is seen is on the surface and nothing of the solid is nearer."""

from __future__ import annotations

import numpy as np
import pytest

from gough.view.drawing.camera import looking
from gough.view.drawing.solids import Ball, Rod, across, box, hull, outline, plate, unit

RNG = np.random.default_rng(7)
VIEWS = [
    looking(towards, up).view
    for towards, up in (([1, 2, 3], [0, 0, 1]), ([0, 0, 1], [0, 1, 0]), ([1, 0, 0], [0, 0, 1]))
]
ROD = Rod(np.array([0.1, -0.2, 0.3]), np.array([0.6, 0.4, 0.9]), 0.2)
UPRIGHT = Rod(np.array([0.0, 0.0, -0.4]), np.array([0.0, 0.0, 0.5]), 0.3)
BALL = Ball(np.array([0.2, 0.1, -0.3]), 0.5)
BLOCK = box([0.1, 0.2, 0.3], np.eye(3), [0.5, 0.3, 0.2])


def inside(shape, p, slack=0.0):
    """Whether points (n, 3) are in a solid grown by `slack`."""
    if isinstance(shape, Ball):
        return np.linalg.norm(p - shape.centre, axis=1) <= shape.radius + slack
    if isinstance(shape, Rod):
        length = np.linalg.norm(shape.end - shape.start)
        u = (shape.end - shape.start) / length
        s = (p - shape.start) @ u
        off = np.linalg.norm(p - shape.start - np.outer(s, u), axis=1)
        return (s >= -slack) & (s <= length + slack) & (off <= shape.radius + slack)
    return (p @ shape.faces[:, :3].T + shape.faces[:, 3] <= slack).all(axis=1)


@pytest.mark.parametrize("shape", [ROD, UPRIGHT, BALL, BLOCK], ids=["rod", "upright rod", "ball", "block"])
@pytest.mark.parametrize("view", VIEWS, ids=["slanting", "above", "side"])
def test_what_is_seen_is_the_nearest_of_the_solid(shape, view):
    low, high = shape.reach(view)
    points = RNG.uniform(low, high, (20_000, 3))
    in_it = inside(shape, points @ view)
    depth, normal = shape.seen(view, points[:, 0], points[:, 1])
    assert in_it.any()
    assert np.all(depth[in_it] >= points[in_it, 2] - 1e-12)
    hit = np.isfinite(depth)
    surface = np.column_stack([points[hit, :2], depth[hit]])
    assert inside(shape, surface @ view, 1e-9).all()
    assert np.all(surface[:, 2] <= high[2] + 1e-12)
    assert np.allclose(np.linalg.norm(normal[hit], axis=1), 1.0, atol=1e-9)
    assert not inside(shape, (surface + 1e-6 * normal[hit]) @ view, -1e-9).any()


def test_a_plate_holds_its_points_with_a_margin():
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=float)
    made = plate(points, [0, 0, 1], 0.1, 0.2)
    low, high = made.reach(np.eye(3))
    assert low == pytest.approx([-0.2, -0.2, -0.05])
    assert high == pytest.approx([1.2, 1.2, 0.05])


def test_a_plate_on_one_line_of_points_is_still_a_plate():
    made = plate([[0, 0, 0], [1, 0, 0]], [0, 0, 1], 0.1, 0.2)
    assert made.reach(np.eye(3))[1] == pytest.approx([1.2, 0.2, 0.05], rel=0.05)


def test_tiny_and_distant_hulls_are_exact():
    corners = 1e-4 * np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)]) + 100.0
    made = hull(corners)
    assert len(made.faces) == 6
    assert np.abs((corners @ made.faces[:, :3].T + made.faces[:, 3]).max(axis=0)).max() < 1e-12


@pytest.mark.parametrize("n", [[0, 0, 1], [1, 1, 1], [-1, 0, 0.1]])
def test_across_makes_a_right_handed_frame(n):
    a, b = across(unit(n))
    R = np.column_stack([a, b, unit(n)])
    assert np.allclose(R.T @ R, np.eye(3), atol=1e-15)
    assert np.linalg.det(R) == pytest.approx(1)


def test_a_plate_by_its_outline_is_the_hull_of_its_corners():
    for points in (RNG.uniform(-1, 1, (7, 2)), np.array([[0, 0], [1, 0], [2, 0], [2, 1], [0, 1]], dtype=float)):
        n = unit([1.0, -2.0, 0.5])
        a, b = across(n)
        made = plate(points @ np.array([a, b]), n, 0.1, 0.2)
        slow = hull(made.corners)
        at = RNG.uniform(*slow.reach(np.eye(3)), (20_000, 3))
        np.testing.assert_array_equal(inside(made, at), inside(slow, at))
        assert 0.01 < inside(made, at).mean() < 1.0


def test_an_outline_goes_round_its_corners_once_and_leaves_out_the_rest():
    square = np.array([[0, 0], [1, 1], [0.5, 0], [1, 0], [0.3, 0.4], [0, 1], [0, 0.5]])
    assert [tuple(square[k]) for k in outline(square)] == [(0, 0), (1, 0), (1, 1), (0, 1)]
