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
    return stack, stack_dynamics_along(stack, None, "hold", 7)


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


def test_the_animated_file_has_both(tower):
    page = stack_html(*tower, display_units(""))
    assert page.startswith("<!") or "<html" in page[:500]
    assert len(page) > 200_000
