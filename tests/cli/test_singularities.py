"""`gough singularities`: pages, JSON, exit codes and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.running import outcome
from tests.support.guided_feet import ankle, lever
from tests.support.robots import build


def test_the_page_and_json_of_the_nearest(capsys):
    code, out, err = outcome(capsys, "singularities", "planar3rrr", "--only", "reach", "--prove")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "planar3rrr, singularities around the pose, within: reach"
    assert lines[3].startswith("Type 2 (the actuators do not hold the platform): nearest found 0.1040")
    assert "e-" not in lines[4] + lines[6]
    assert lines[8].startswith("Type 1 (a leg is stretched or folded: the platform cannot go on): nearest found 0.1464")
    assert lines[-1].startswith("Proved: none of type 2 nearer than 0.1")
    code, out, _ = outcome(capsys, "singularities", "planar3rrr", "--only", "reach", "--format", "json")
    shown = json.loads(out)
    assert shown["nearest"][0]["distance"] == pytest.approx(0.10401845, abs=1e-7)
    assert shown["kind"] == "type 2"
    assert shown["cubic"] is None
    assert [row["kind"] for row in shown["nearest"]] == ["type 2", "type 1"]
    assert shown["axes"]["type 2"]["direction"][:2] == [0.0, 0.0]


@pytest.mark.slow
def test_the_picture_has_a_panel_for_each_kind(capsys, tmp_path):
    file = tmp_path / "singular.png"
    code, out, _ = outcome(capsys, "singularities", "fivebar", "--picture", str(file))
    assert code == 0
    assert out.startswith(f"wrote {file}\n")
    assert file.read_bytes().startswith(b"\x89PNG")
    # Without any the result is told all the same, and that there is nothing to draw.
    file.unlink()
    line = (
        f"gough: note: --picture {file}: not drawn: none was found within the limits; --only reach looks wherever the "
        "legs reach\n"
    )
    page = outcome(capsys, "singularities", "delta")[1]
    assert outcome(capsys, "singularities", "delta", "--picture", str(file)) == (0, page, line)
    assert not file.exists()


def test_a_box_a_way_and_a_slice(capsys, tmp_path):
    code, out, _ = outcome(capsys, "singularities", "spatial3", "--box", "y=-10mm:10mm,theta=-5deg:5deg")
    assert code == 0
    assert out.startswith("spatial3: proved, no pose of the box within the limits is singular (")
    code, out, _ = outcome(capsys, "singularities", "spatial3", "--to", "theta=70deg")
    assert code == 1
    assert "theta = 60 deg" in out
    file = tmp_path / "slice.png"
    assert outcome(capsys, "singularities", "spatial3", "--slice", str(file)) == (0, f"wrote {file}\n", "")
    assert file.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--box", "y"], "--box y: y: must be COORDINATE=LOW:HIGH, e.g. x=-0.1:0.1"),
        (["--box", "q=1:2"], "--box q=1:2: no coordinate q (known: y, z, theta)"),
        (["--box", "y=2:1"], "box y: 2 to 1: the first must be smaller than the second"),
        (["--slice", "a.png", "--plane", "y,y"], "--plane y,y: must be two coordinates, e.g. y,theta"),
    ],
)
def test_bad_options_get_one_line(capsys, options, line):
    code, out, err = outcome(capsys, "singularities", "spatial3", *options)
    assert (code, out, err) == (2, "", f"gough: error: {line}\n")


@pytest.fixture
def foot(tmp_path):
    """The file of an ankle whose rods are stretched at pitch -54.498 deg."""
    file = tmp_path / "foot.toml"
    file.write_text(build(ankle()).to_toml())
    return str(file)


def test_a_way_ends_where_legs_are_stretched(capsys, foot):
    code, out, err = outcome(capsys, "singularities", foot, "--to", "pitch=-70deg")
    assert (code, err) == (1, "")
    first, second = out.splitlines()
    assert first == (
        "foot, straight way in its own coordinates: it ends after 77.85399 % of it, at pitch = -54.4978 deg, "
        "roll = 0 deg: legs left, right are stretched or folded there (type 1); beyond is out of reach"
    )
    assert second.startswith("Proved: none of type 2 before 77.85399 % (")
    code, out, _ = outcome(capsys, "singularities", foot, "--to", "pitch=-70deg", "--format", "json")
    shown = json.loads(out)
    assert (shown["share"], shown["end_legs"], shown["stretched"]) == (None, ["left", "right"], True)
    # The crank of 35 mm and the rod of 178 mm in line, across y: 213 mm or nearly so, of base and heel at +-4 mm.
    turned = np.array([[np.cos(p := shown["end_x"][0]), np.sin(p)], [-np.sin(p), np.cos(p)]]) @ [-0.038, 0.008]
    apart = np.hypot(*(turned - [-0.002, 0.185]))
    assert apart == pytest.approx(0.035 + np.sqrt(0.178**2 - 0.004**2), rel=1e-12)
    code, out, _ = outcome(capsys, "singularities", foot, "--pose", "pitch=-70deg", "--to", "pitch=0")
    assert (code, out) == (1, "foot, straight way in its own coordinates: its start is out of reach\n")
    assert outcome(capsys, "singularities", foot, "--to", "pitch=-50deg")[0] == 0


def test_a_box_of_a_guided_foot_is_proved(capsys, foot):
    code, out, _ = outcome(capsys, "singularities", foot, "--box", "pitch=-40deg:40deg,roll=-20deg:20deg")
    assert code == 0
    assert out.startswith("foot: proved, no pose of the box within the limits is singular (")
    line = (
        "no proof: legs A, B, C: closed by iteration, which has no enclosure (state what these legs hold as "
        'coordinates too: x = "x", y = "y", z = "z"; and platform.dependent = ["x", "y", "z"])'
    )
    eye = str(Path(__file__).parents[2] / "examples" / "agile_eye.toml")
    assert line in outcome(capsys, "singularities", eye, "--box", "roll=-1deg:1deg")[2]


def test_distances_are_angles_where_nothing_slides(capsys, tmp_path):
    file = tmp_path / "lever.toml"
    file.write_text(build(lever()).to_toml())
    lines = outcome(capsys, "singularities", str(file))[1].splitlines()
    assert lines[1].startswith("Distance is the angle of rotation; least singular value")
    assert lines[3].endswith("nearest found 73.294 deg away")
    assert lines[4] == "  at pitch = 73.294 deg"
    line = "gough: error: --slice: takes two coordinates, foot has pitch alone; see --to\n"
    assert outcome(capsys, "singularities", str(file), "--slice", str(tmp_path / "s.png")) == (2, "", line)


def test_a_slice_and_json_are_both_given(capsys, tmp_path):
    file = tmp_path / "slice.png"
    code, out, err = outcome(capsys, "singularities", "spatial3", "--slice", str(file), "--format", "json")
    assert (code, err) == (0, f"wrote {file}\n")
    assert json.loads(out)["robot"] == "spatial3"
    assert file.exists()
    line = "--picture and --to: give one of them; it draws what is nearest to the pose"
    assert outcome(capsys, "singularities", "spatial3", "--to", "y=1", "--picture", str(file)) == (
        2,
        "",
        f"gough: error: {line}\n",
    )


def test_a_motion_that_leaves_the_reach_is_told(capsys, foot, tmp_path):
    file = tmp_path / "way.csv"
    file.write_text("t,pitch,roll\n0,0,0\n0.5,-0.6,0\n1,-1.2,0\n")
    code, out, _ = outcome(capsys, "singularities", foot, "--path", str(file))
    assert (code, out.splitlines()[-1]) == (1, "Out of reach from t = 0.792638 s on: gough check tells the legs")
    file.write_text("t,pitch,roll\n0,0,0\n0.5,-0.3,0\n1,-0.6,0\n")
    code, out, _ = outcome(capsys, "singularities", foot, "--path", str(file))
    assert (code, "Out of reach" in out) == (0, False)
