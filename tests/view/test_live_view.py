"""The live viewer without a browser: bounded sliders, actuators that the platform follows, faults and modes."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("viser")

from gough import load, loads
from gough.cli.new import starter
from gough.display import display_units
from gough.errors import GoughError
from gough.kinematics import inverse_kinematics
from gough.simulation import modes
from gough.view import theme
from gough.view.browser.live import LiveView
from gough.view.browser.mode_lists import swung


@pytest.fixture(scope="module")
def stewart():
    view = LiveView(load("stewart"), None, display_units("mm,deg"))
    view.settle()
    yield view
    view.close()


@pytest.fixture
def live(stewart):
    stewart.controls.bounded.value = True
    stewart.pose(stewart.robot.platform.home)
    stewart.settle()
    return stewart


def red_legs(view):
    pairs = zip(view.stage._legs, view.stage.moving.parts, strict=True)
    return {solid.owner for node, solid in pairs if tuple(node.color) == theme.whole(theme.LOST)}


def test_sliders_end_within_the_reach_of_the_pose(live):
    z = live.controls.sliders.handles[2]
    assert (z.min, z.max) == (1421.0, 3109.0)
    live.pose([0.4, 0.2, 2.6, 0.0, 0.0, 0.0])
    live.settle()
    assert z.max < 3109.0
    q = inverse_kinematics(live.robot, [0.4, 0.2, z.max / 1e3, 0.0, 0.0, 0.0]).q
    assert q.max() == pytest.approx(3.3, abs=2e-3)
    assert q.max() <= 3.3
    assert "| z | " in live.controls.travel.content
    assert "stroke" in live.controls.travel.content


def test_sliders_of_actuators_end_where_their_strokes_do():
    """At once and once they are bounded; at an end nothing is beyond the stroke. Without bounds they go further."""
    text = (
        starter("RUS")
        .replace("stroke = [-75, 75]", "stroke = [-60, 60]")
        .replace("home = [0, 0, 220", "home = [0, 0, 225")
    )
    view = LiveView(loads(text), None, display_units("mm,deg"))
    try:
        assert abs(np.degrees(view.controls.joints.values[0])) > 1.0
        for settled in (lambda: None, view.settle):
            settled()
            ends = [(handle.min, handle.max) for handle in view.controls.joints.handles]
            assert ends == [(pytest.approx(-60.0, abs=1e-9), pytest.approx(60.0, abs=1e-9))] * 6
        view.pose([0.0, 0.0, 0.5, 0.0, 0.0, 0.0])
        assert view.warning.endswith("; drawn at home")
        view.pose([0.0, 0.0, 0.22, 0.0, 0.0, 0.0])
        view.pose([0.0, 0.0, 0.5, 0.0, 0.0, 0.0])
        assert view.warning.endswith("; drawn at the last pose within reach")
        view.pose(view.robot.platform.home)
        q = view.controls.joints.values
        q[0] = np.radians(60.0) + 1e-12
        view.show_joints(q)
        assert view.warning == ""
        view.pose(view.robot.platform.home)
        view.controls.bounded.value = False
        view.settle()
        first = view.controls.joints.handles[0]
        assert first.min <= -60.0 + 1e-9
        assert first.max >= 60.0 - 1e-9
        assert first.max - first.min > 121.0
    finally:
        view.close()


def test_the_platform_follows_an_actuator_and_all_sliders_it(live):
    q = live.controls.joints.values
    q[2] += 0.1
    live.show_joints(q)
    assert inverse_kinematics(live.robot, live.x).q == pytest.approx(q, abs=1e-12)
    assert live.controls.sliders.values == pytest.approx(live.x, abs=1e-15)
    with pytest.raises(GoughError, match="cannot follow its actuators"):
        live.show_joints(q + np.array([1.5, 0, 0, 0, 0, 0]))


def test_a_number_typed_beyond_the_end_of_a_slider_counts_as_that_end(live):
    """Browsers send what is typed, digit by digit, also 24993600 where 3600 was meant."""
    for bounded in (True, False):
        live.controls.bounded.value = bounded
        live.controls.bound(None, None)
        handle = live.controls.sliders.handles[2]
        for typed, end in ((24993600.0, handle.max), (-5.0, handle.min)):
            handle.value = typed
            assert live.controls.sliders.values[2] == pytest.approx(end / 1e3, abs=1e-12)
        live.pose(live.robot.platform.home)
        assert handle.max < 4000.0


def test_a_slider_that_no_one_moved_keeps_its_exact_value(live):
    live.pose([0.0, 0.0, 2.0001234567, 0.0, 0.0, 0.0])
    handle = live.controls.sliders.handles[2]
    assert handle.value == 2000.1
    assert live.controls.sliders.values[2] == 2.0001234567
    handle.value = 2100.0
    assert live.controls.sliders.values[2] == 2.1


def test_legs_at_fault_are_red_and_the_limit_is_named(live):
    live.controls.bounded.value = False
    live.pose([0.6, 0.0, 3.0, 0.0, 0.0, 0.0])
    live.settle()
    beyond = {
        leg.name for leg, q in zip(live.robot.legs, inverse_kinematics(live.robot, live.x).q, strict=True) if q > 3.3
    }
    assert beyond
    assert red_legs(live) == beyond
    assert all(f"{name} is " in live.warning for name in beyond)
    assert "beyond its stroke, 1800 to 3300 mm" in live.warning
    assert max(map(len, live.stage.warning.text.splitlines())) <= 46
    live.pose(live.robot.platform.home)
    assert (red_legs(live), live.warning, live.stage.warning.visible) == (set(), "", False)


def test_a_singularity_that_was_passed_is_a_fault(live):
    live.pose([0.0, 0.0, 2.0, 1.6, 0.0, 0.0])
    live.settle()
    assert "det K has another sign than at home" in live.warning


def test_a_natural_mode_swings_about_the_pose(live):
    live.find_vibration()
    choice = live.controls.vibration
    assert choice.chosen == 0
    assert choice.list.options[1] == f"1: {choice.found.frequency[0]:.2f} Hz"
    places = []
    for _ in range(4):
        live.step(0.5)
        places.append(np.array(live.stage._platform.position))
    assert places[0] == pytest.approx(-places[2], abs=2e-3)
    assert places[1] == pytest.approx(places[3], abs=1e-9)
    assert np.abs(places[0] - places[1]).max() > 0.05
    live.pose(live.robot.platform.home)
    assert choice.chosen is None


@pytest.mark.parametrize("name", ["stewart", "rps3"])
def test_a_mode_as_shown_moves_actuators_as_it_says(name):
    robot = load(name)
    x = np.array(robot.platform.home) + 0.03
    found = modes(robot, x)
    size = 1e-6
    for k in range(robot.dof):
        ends = [inverse_kinematics(robot, swung(found, k, s)).q for s in (-size, size)]
        assert (ends[1] - ends[0]) / (2 * size) == pytest.approx(found.actuator_shapes[k], abs=1e-8)


def test_actuators_are_followed_in_the_assembly_mode_that_is_shown(live):
    live.find_modes()
    choice = live.controls.modes
    other = next(k for k in range(1, len(choice.modes.sample)) if choice.modes.singular_value[k] > 0.2)
    start, q = choice.modes.x[other], choice.modes.q + 1e-4
    choice.list.value = choice.list.options[other + 1]
    live.show_joints(q)
    assert np.abs(live.x[:3] - start[:3]).max() < 0.01
    assert inverse_kinematics(live.robot, live.x).q == pytest.approx(q, abs=1e-12)


def test_cables_say_their_tensions():
    view = LiveView(load("cable8"), None, display_units("mm,deg"))
    try:
        result, k = view._shown
        for leg, tension in zip(view.robot.legs, result.tension[k], strict=True):
            assert view.stage.names[leg.name].text == f"{leg.name}: {tension:.0f} N"
        assert "| actuator | displacement | tension |" in view.controls.table.content
        view.pose([3.4, 0.0, 1.5, 0.0, 0.0, 0.0])
        assert "no " in view.warning
        assert view.stage.names["1"].text == "1"
    finally:
        view.close()
