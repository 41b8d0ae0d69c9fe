"""The live viewer in a browser: it loads, sliders move the robot, what cannot be is warned of, a motion plays."""

from __future__ import annotations

import time

import numpy as np
import pytest

from gough.display import display_units
from gough.kinematics import inverse_kinematics, load
from gough.motion import choose_motion
from tests.pages.conftest import PATIENCE


@pytest.fixture
def live():
    from gough.view.browser.live import LiveView

    robot = load("planar3rrr")
    view = LiveView(robot, choose_motion(robot, "circle"), display_units("mm,deg"))
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


def set_slider(visit, live, label, value):
    """Type a value into the number beside a slider, as a user does."""
    row = visit.page.locator("input[type=text]")
    names = [slider.label for slider in [*live._sliders, live._scrub, live._speed]]
    visible = [row.nth(k) for k in range(row.count()) if row.nth(k).is_visible()]
    entry = visible[names.index(label) - len(names)]
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
    low = live._sliders[0].min
    set_slider(visit, live, "x [mm]", low)
    until(lambda: "out of reach" in live.warning)
    visit.page.get_by_text("out of reach").first.wait_for()
    assert visit.errors == []
    assert visit.outside(live.url, live.url.replace("http", "ws")) == []


def test_an_assembly_mode_is_chosen_from_a_list(visit, live):
    opened(visit, live)
    visit.page.get_by_text("Find all modes", exact=True).click()
    until(lambda: live._modes.modes is not None and len(live._modes.list.options) == 3)
    modes = live._modes.modes
    visit.page.get_by_text("2 certified, and no other real root").wait_for()
    inputs = visit.page.locator("input")
    shown = [inputs.nth(k) for k in range(inputs.count()) if inputs.nth(k).input_value() == "as posed"]
    shown[0].click()
    visit.page.get_by_text(live._modes.list.options[2], exact=True).click()
    until(lambda: live._modes.chosen == 1)
    until(lambda: np.abs(live.stage._platform.position - modes.p[1]).max() < 1e-6)
    visit.page.get_by_text("Assembly mode 2 of 2").wait_for()
    set_slider(visit, live, "x [mm]", 5)
    until(lambda: live._modes.modes is None)
    assert live._modes.list.options == ("as posed",)
    assert visit.errors == []


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
    np.testing.assert_allclose(live.x, live.motion(live.motion.end)[0], atol=1e-12)
    assert visit.errors == []


def test_nothing_is_shared_and_only_this_machine_is_served(visit, live):
    assert live.server.get_host() == "127.0.0.1"
    opened(visit, live)
    assert "Share" not in visit.page.inner_text("body")
