"""`gough singularities`: pages, JSON, exit codes and what it refuses."""

from __future__ import annotations

import json

import pytest

from tests.cli.running import outcome


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
