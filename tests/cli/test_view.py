"""`gough view` from the command line: files written whole or not at all, clear refusals, no server left behind."""

from __future__ import annotations

import socket
import sys

import numpy as np
import pytest

from gough import load
from gough.cli.motion_options import MotionOptions
from gough.cli.view import motion_if_any
from gough.display import display_units
from tests.cli.running import outcome


def test_a_picture_is_that_of_show(capsys, tmp_path):
    pose = ["--pose", "z=2.2,psi=10deg"]
    assert outcome(capsys, "view", "stewart", *pose, "--png", str(tmp_path / "a.png"))[0] == 0
    assert outcome(capsys, "show", "stewart", *pose, "--png", str(tmp_path / "b.png"))[0] == 0
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--html", "a.htm"], "--html a.htm: the file's name must end in .html"),
        (["--png", "nowhere/a.png"], "--png nowhere/a.png: no such folder nowhere"),
        (["--port", "99999"], "--port 99999: must be at most 65535"),
        (["--motion", "trig4"], "did you mean trig3"),
        (["--hmtl", "a.html"], "no such option --hmtl; did you mean --html?"),
    ],
)
def test_wrong_values_get_a_line_and_leave_nothing(capsys, tmp_path, monkeypatch, arguments, line):
    monkeypatch.chdir(tmp_path)
    code, out, err = outcome(capsys, "view", "stewart", *arguments)
    assert (code, out) == (2, "")
    assert line in err
    assert len(err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_taken(capsys):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        code, _, err = outcome(capsys, "view", "planar3rrr", "--port", str(port))
    assert code == 2
    assert f"--port {port}: is taken by another program" in err


def test_without_viser_the_way_out_is_named(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "viser", None)
    code, _, err = outcome(capsys, "view", "planar3rrr", "--html", str(tmp_path / "a.html"))
    assert code == 2
    assert "pip install 'gough[view]'" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["view", "report"])
def test_an_interruption_leaves_nothing(capsys, tmp_path, monkeypatch, command):
    def interrupted(*_args):
        raise KeyboardInterrupt

    monkeypatch.setattr("gough.view.browser.animation_file.recorded_html", interrupted)
    option = ["--html"] if command == "view" else ["--states", "0", "--samples", "11", "--animation", "--out"]
    code, out, err = outcome(capsys, command, "planar3rrr", *option, str(tmp_path / "a.html"))
    assert (code, out, err) == (130, "", "gough: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_serving_ends_with_ctrl_c_and_says_where_it_was(capsys, monkeypatch):
    from gough.view.browser.live import LiveView

    def interrupted(view):
        assert view.playing
        raise KeyboardInterrupt

    monkeypatch.setattr(LiveView, "run", interrupted)
    code, out, err = outcome(capsys, "view", "planar3rrr")
    assert (code, err) == (130, "gough: interrupted\n")
    assert out.startswith("planar3rrr at http://127.0.0.1:")
    assert len(out.splitlines()) == 1


def test_a_robot_without_a_motion_is_shown_at_rest(tmp_path):
    from gough.view.browser.live import LiveView

    mine = tmp_path / "mine.toml"
    mine.write_text(load("planar3rrr").to_toml().replace('name = "planar3rrr"', 'name = "mine"', 1))
    robot = load(str(mine))
    assert motion_if_any(robot, MotionOptions()) is None
    view = LiveView(robot, None, display_units("mm,deg"))
    try:
        view.play(True)
        assert not view.playing
        view.pose(np.array(robot.platform.home) + [0.01, 0, 0])
        assert view.warning == ""
        assert view.controls.sliders.handles[0].value == pytest.approx(1e3 * (robot.platform.home[0] + 0.01))
    finally:
        view.close()


def test_a_picture_beyond_limits_says_so(capsys, tmp_path):
    file = tmp_path / "far.png"
    code, out, err = outcome(capsys, "view", "stewart", "--pose", "z=3.2", "--png", str(file))
    assert (code, out) == (0, f"wrote {file}\n")
    assert err.splitlines()[0].startswith("gough: warning: actuator 1 is 0.08")
