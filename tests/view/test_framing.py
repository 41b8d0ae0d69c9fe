"""A camera steps back as far as it must, and no farther."""

import numpy as np
import pytest

from gough.view.browser.framing import ROOM, step_back

UP = np.array([0.0, 0.0, 1.0])


@pytest.mark.parametrize("aspect", [0.5, 1.0, 2.0])
def test_points_end_on_the_rim_of_the_frame(aspect):
    rng = np.random.default_rng(2)
    points, eye, look_at = rng.uniform(-3, 3, (20, 3)), np.array([4.0, -2.0, 1.0]), np.array([0.2, 0.1, 0.5])
    back = step_back(points, eye, look_at, UP, np.radians(75), aspect)
    assert back > 0.0
    forward = (look_at - eye) / np.linalg.norm(look_at - eye)
    assert step_back(points, eye - back * forward, look_at, UP, np.radians(75), aspect) == pytest.approx(0.0, abs=1e-12)
    right = np.cross(forward, UP) / np.linalg.norm(np.cross(forward, UP))
    to = points - (eye - back * forward)
    tall = np.tan(np.radians(75) / 2) * (to @ forward)
    shares = np.maximum(np.abs(to @ np.cross(right, forward)) / tall, np.abs(to @ right) / (tall * aspect))
    assert shares.max() == pytest.approx(ROOM)


def test_what_is_in_the_frame_needs_no_step():
    assert step_back(np.zeros((1, 3)), [5.0, 0, 0], [0.0, 0, 0], UP, 1.0, 1.0) == 0.0
