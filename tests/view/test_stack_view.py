"""A stack in the browser: the upper robot stands on the lower platform, at every sample and by the sliders."""

import numpy as np
import pytest

import gough
from gough.display import display_units
from gough.dynamics.stacks.stack_dynamics import stack_dynamics_along, stack_kinematics
from gough.dynamics.stacks.stack_file import Stack
from gough.view.browser.meshes import quaternion
from gough.view.browser.stack_view import StackView, stack_html

TURN = ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))


@pytest.fixture(scope="module")
def tower():
    """A planar robot on a delta, and some samples of both."""
    stack = Stack("tower", gough.load("delta"), gough.load("planar3rrr"), (0.05, -0.03, 0.2), TURN)
    return stack, stack_dynamics_along(
        stack, gough.Motion.named(stack.lower), gough.Motion.named(stack.upper, "hold"), 7
    )


@pytest.fixture
def view(tower):
    running = StackView(*tower, display_units("mm,deg"))
    yield running
    running.close()


def test_the_upper_robot_stands_on_the_lower_platform(tower, view):
    stack, found = tower
    for k in (0, 3, 6):
        view.show_sample(k)
        placed = stack_kinematics(stack, found.lower.x[k], found.upper.x[k])
        assert np.allclose(view.stage._mount.position, placed.p, atol=1e-12)
        assert np.allclose(view.stage._mount.wxyz, quaternion(placed.R), atol=1e-12)
    assert view.warning == ""
    assert [len(table.content.splitlines()) for table in view._tables] == [5, 5]


def test_it_plays_and_begins_again(view):
    view.play(True)
    seen = []
    for _ in range(7):
        view.step(0.01)
        seen.append(view.k)
    assert seen == [1, 2, 3, 4, 5, 6, 0]


def test_sliders_hold_both_and_warn_of_what_cannot_be(tower, view):
    stack, _ = tower
    home, away = np.array(stack.lower.platform.home), np.array(stack.upper.platform.home)
    view.show_poses(home, away + [0.01, 0.0, 0.0])
    assert view.warning == ""
    view.show_poses(home + [2.0, 0.0, 0.0], away)
    assert view.warning.startswith("delta: ")
    assert "Warning" in view._words.content


def test_sliders_end_where_each_platform_does(tower, view):
    """In millimetres and degrees; the lower robot is followed to another pose."""
    stack, _ = tower
    upper = np.array(stack.upper.platform.home)
    for lower in (np.array(stack.lower.platform.home), np.array(stack.lower.platform.home) + [0.05, 0.0, 0.0]):
        for sliders, x in zip(view._sliders, (lower, upper), strict=True):
            sliders.set(x)
        view.show_poses(lower, upper)
        view.step(0.01)
        for robot, x, sliders in zip((stack.lower, stack.upper), (lower, upper), view._sliders, strict=True):
            for row, handle in zip(gough.workspace(robot, x, travel_only=True).travel, sliders.handles, strict=True):
                factor = 180.0 / np.pi if row.turns else 1e3
                assert handle.min >= row.low * factor - 1e-6
                assert handle.min - row.low * factor <= handle.step
                assert handle.max <= row.high * factor + 1e-6
                assert row.high * factor - handle.max <= handle.step


def test_the_animated_file_has_both(tower):
    page = stack_html(*tower, display_units(""))
    assert page.startswith("<!") or "<html" in page[:500]
    assert len(page) > 200_000
