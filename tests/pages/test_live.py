"""The live viewer in a browser: it loads, sliders move the robot, what cannot be is warned of, a motion plays."""

from __future__ import annotations

import time

import numpy as np
import pytest

from gough import Motion, load
from gough.display import display_units
from gough.kinematics import inverse_kinematics
from gough.view.browser.framing import step_back
from tests.pages.conftest import PATIENCE


@pytest.fixture
def live():
    from gough.view.browser.live import LiveView

    robot = load("planar3rrr")
    view = LiveView(robot, Motion.named(robot, "circle"), display_units("mm,deg"))
    yield view
    view.close()


def until(holds):
    end = time.monotonic() + PATIENCE / 1000
    while not holds():
        assert time.monotonic() < end, "nothing happened in time"
        time.sleep(0.05)


def opened(visit, live):
    visit.page.goto(live.url)
    visit.page.get_by_text("Play", exact=True).wait_for()


def names(live):
    """Of what has a number in a field, in the panel's order."""
    c = live.controls
    return [handle.label for handle in [*c.sliders.handles, c.scrub, c.speed, *c.joints.handles]]


def set_slider(visit, live, label, value):
    """Type a value into the number beside a slider, as a user does."""
    entry = visit.page.locator("input[type=text]").nth(names(live).index(label))
    entry.fill(str(value))
    entry.press("Enter")


def test_a_slider_moves_the_robot_and_what_cannot_be_is_warned_of(visit, live):
    opened(visit, live)
    assert "Within reach" in visit.page.inner_text("body")
    before = np.array(live.stage._platform.position)
    set_slider(visit, live, "x [mm]", 15)
    until(lambda: abs(live.x[0] - 0.015) < 1e-9)
    assert np.abs(live.stage._platform.position - before).max() > 1e-3
    wanted = np.degrees(inverse_kinematics(live.robot, live.x).q)
    visit.page.get_by_text(f"{wanted[0]:.5g} deg").wait_for()
    live.pose([5.0, 0.0, 0.0])
    visit.page.get_by_text("out of reach").first.wait_for()
    assert visit.errors == []
    assert visit.outside(live.url, live.url.replace("http", "ws")) == []


@pytest.mark.slow
def test_an_assembly_mode_is_chosen_from_a_list(visit, live):
    opened(visit, live)
    visit.page.get_by_text("Find all modes", exact=True).click()
    until(lambda: live.controls.modes.modes is not None and len(live.controls.modes.list.options) == 3)
    modes = live.controls.modes.modes
    visit.page.get_by_text("2 certified, and no other real root").wait_for()
    inputs = visit.page.locator("input")
    shown = [inputs.nth(k) for k in range(inputs.count()) if inputs.nth(k).input_value() == "as posed"]
    shown[0].click()
    visit.page.get_by_text(live.controls.modes.list.options[2], exact=True).click()
    until(lambda: live.controls.modes.chosen == 1)
    until(lambda: np.abs(live.stage._platform.position - modes.p[1]).max() < 1e-6)
    visit.page.get_by_text("Assembly mode 2 of 2").wait_for()
    set_slider(visit, live, "x [mm]", 5)
    until(lambda: live.controls.modes.modes is None)
    assert live.controls.modes.list.options == ("as posed",)
    assert visit.errors == []


def test_sliders_end_at_the_reach_and_actuators_move_the_platform(visit, live):
    opened(visit, live)
    live.settle()
    end = live.controls.sliders.handles[0].max
    visit.page.get_by_text(f"{end:g}", exact=True).first.wait_for()
    first = live.controls.joints.handles[0]
    q = live.controls.joints.values
    set_slider(visit, live, first.label, first.value + 5)
    q[0] += np.radians(5)
    until(lambda: np.abs(inverse_kinematics(live.robot, live.x).q - q).max() < 2e-3)
    live.settle()
    assert live.warning == ""
    visit.page.get_by_text("Find natural modes", exact=True).click()
    until(lambda: live.controls.vibration.chosen == 0)
    visit.page.get_by_text("Shown slowed down").wait_for()
    assert visit.errors == []


def out_of_frame(live, camera):
    """How far the camera would have to step back to see the platform [m]."""
    shown = live.stage.moving.at(live.x)
    corners = live.stage._platform_corners(shown.p_BP, shown.R_BP)
    aspect = camera.image_width / camera.image_height
    return step_back(corners, camera.position, camera.look_at, camera.up_direction, camera.fov, aspect)


@pytest.mark.slow
def test_the_camera_steps_back_where_the_platform_would_leave_the_frame(visit, live):
    opened(visit, live)
    until(lambda: [c.camera.image_height > 0 for c in live.server.get_clients().values()] == [True])
    camera = next(iter(live.server.get_clients().values())).camera
    visit.page.wait_for_timeout(500)
    eye, middle = np.array(camera.position), np.array(camera.look_at)
    camera.position = middle + 0.05 * (eye - middle)
    camera.look_at = middle
    visit.page.wait_for_timeout(500)
    assert out_of_frame(live, camera) > 0.01
    live.pose([0.02, 0.0, 0.0])
    until(lambda: out_of_frame(live, camera) < 1e-3)
    assert visit.errors == []


@pytest.mark.slow
def test_a_motion_plays_and_pauses(visit, live):
    opened(visit, live)
    visit.page.get_by_text("Play", exact=True).click()
    until(lambda: live.playing)
    seen = set()
    for _ in range(8):
        live.step(0.05)
        seen.add((live.time, tuple(live.x)))
    assert len(seen) == 8
    visit.page.get_by_text("Pause", exact=True).click()
    until(lambda: not live.playing)
    stopped = live.time
    live.step(0.5)
    assert live.time == stopped
    live.show_time(live.motion.end)
    np.testing.assert_allclose(live.x, live.motion(live.motion.end).x, atol=1e-12)
    assert visit.errors == []


def test_nothing_is_shared_and_only_this_machine_is_served(visit, live):
    assert live.server.get_host() == "127.0.0.1"
    opened(visit, live)
    assert "Share" not in visit.page.inner_text("body")
