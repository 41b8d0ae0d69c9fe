"""`gough accuracy` and what `gough modes` makes of a file of stiffness."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.running import outcome
from tests.support.spindle_heads import head_file

PAGE = (Path(__file__).parents[2] / "docs" / "accuracy.md").read_text("utf-8")


@pytest.fixture
def errors(tmp_path):
    """The file of the page."""
    found = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    path = tmp_path / "errors.toml"
    path.write_text(found[1])
    return str(path)


def test_the_page_s_file_gives_errors_stiffness_and_deflection(capsys, errors, tmp_path):
    picture = tmp_path / "errors.png"
    options = ("--box", "x=0.2,psi=10deg", "--samples", "10", "--plot", str(picture), "--wrench", "100,0,0,0,0,0")
    code, text, err = outcome(capsys, "accuracy", "stewart", "--errors", errors, *options)
    assert (code, err) == (0, "")
    assert "share of the variance" in text
    assert "Under the wrench: x " in text
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_json_and_monte_carlo(capsys, errors):
    given = ("--errors", errors, "--format", "json", "--monte-carlo", "500")
    code, text, _ = outcome(capsys, "accuracy", "stewart", *given)
    found = json.loads(text)
    assert code == 0
    assert len(found["compliance"]) == 6
    assert len(found["monte_carlo"]["sd"]) == 6
    assert sum(share[0] for share in found["contributions"].values()) == pytest.approx(1.0)


def test_along_a_motion_with_a_payload(capsys, errors):
    code, text, _ = outcome(
        capsys, "accuracy", "stewart", "--errors", errors, "--motion", "trig3", "--payload", "5", "--samples", "5"
    )
    assert code == 0
    assert "largest deflection" in text


def test_modes_take_the_file(capsys, errors):
    code, text, _ = outcome(capsys, "modes", "stewart", "--elastic", errors)
    assert code == 0
    assert "Hz" in text
    assumed = "Actuators of 1e6 N/m or N m/rad each: none is stated (--stiffness, --elastic)."
    assert assumed not in text
    assert assumed not in outcome(capsys, "modes", "stewart", "--stiffness", "1e6")[1]
    assert assumed in outcome(capsys, "modes", "stewart")[1].splitlines()
    code, _, err = outcome(capsys, "modes", "stewart", "--elastic", errors, "--stiffness", "1e6")
    assert (code, err) == (2, "gough: error: --elastic: cannot go with --stiffness\n")


def test_every_key_is_on_the_page():
    from gough.robot.file.schema import HeatTable, StiffnessTable, TolerancesTable

    for table in (TolerancesTable, HeatTable, StiffnessTable):
        for key in sorted(table.keys()):
            assert f"`{key}`" in PAGE


def test_without_a_file_or_with_a_bad_one(capsys, tmp_path):
    code, _, err = outcome(capsys, "accuracy", "stewart")
    assert code == 2
    assert err == (
        "gough: error: stewart: its file has no [tolerances], [heat] or [stiffness]; "
        "name one that has by --errors "
        '(see "Accuracy and stiffness: pose errors and deflections" in the documentation)\n'
    )
    bad = tmp_path / "bad.toml"
    bad.write_text('[tolerances]\nbse = "1 mm"\n')
    code, _, err = outcome(capsys, "accuracy", "stewart", "--errors", str(bad))
    assert code == 2
    assert err == f"gough: error: {bad}:2: tolerances.bse: no such number in the robot (did you mean base?)\n"


@pytest.fixture
def own(tmp_path):
    """A robot whose file has the page's tables in millimetres and kilonewtons."""
    robot = tmp_path / "mine.toml"
    tables = '[tolerances]\nbase = 0.1\nzero = "20 um"\nencoder = 0.005\n[stiffness]\nactuator = 20\n'
    shape = 'name = "mine"\n[units]\nlength = "mm"\nforce = "kN"\n[platform]\nmass = 5\nhome = [0, 0, 400, 0, 0, 0]\n'
    axes = 'coordinates = { x = "x", y = "y", z = "z", a = "rx", b = "ry", c = "rz" }\ninertia = [1e5, 1e5, 1e5]\n'
    legs = '[legs]\ntype = "UPS"\nbase = { radius = 300, half_angle = 0.2 }\n'
    legs += "platform = { radius = 200, half_angle = 0.8 }\ncylinder = { mass = 1 }\npiston = { mass = 1 }\n"
    robot.write_text(shape + axes + legs + tables)
    return str(robot)


def test_tables_in_the_robot_file_need_no_other(capsys, own, tmp_path):
    code, text, err = outcome(capsys, "accuracy", own, "--format", "json")
    assert (code, err) == (0, "")
    beside = tmp_path / "beside.toml"
    stated = "[units]\nlength = 'm'\n[tolerances]\nbase = 1e-4\nzero = 2e-5\nencoder = 5e-6\n"
    beside.write_text(f"{stated}[stiffness]\nactuator = '20 N/um'\n")
    code, same, err = outcome(capsys, "accuracy", own, "--errors", str(beside), "--format", "json")
    assert (code, err) == (0, "")
    ours, theirs = json.loads(text), json.loads(same)
    assert ours["rms"] == [pytest.approx(row, rel=1e-12) for row in theirs["rms"]]
    assert ours["compliance"] == [pytest.approx(row, rel=1e-12) for row in theirs["compliance"]]
    halved = outcome(capsys, "accuracy", own, "--set", "tolerances.base=50um", "--format", "json")[1]
    assert json.loads(halved)["rms"][0][0] < ours["rms"][0][0]
    modes = [outcome(capsys, "modes", own, *more)[1] for more in ((), ("--elastic", str(beside)))]
    assert modes[0] == modes[1]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[tolerances]\nzero = 0.05\n", 'zero: 0.05: {} mm (write "0.05 mm", or [units] length = "mm" above)'),
        ('[units]\nangle = "deg"\n[tolerances]\n"leg.*.base.0" = 1\n',
         'leg.*.base.0: 1: {} mm (write "1 mm", or [units] length = "mm" above)'),
        ("[tolerances]\nzero = 0\n[stiffness]\nactuator = 2\n",
         'stiffness.actuator: 2: {} others than SI (write it with its unit, or [units] above)'),
        ('[units]\nlength = "m"\n[tolerances]\nbase = 0.1\n',
         'base: 0.1: 0.1 m is more than a tenth of the robot\'s size (write "0.1 mm"?)'),
    ],
)  # fmt: skip
def test_a_number_without_a_unit_beside_a_robot_in_millimetres_is_refused(capsys, own, tmp_path, text, line):
    beside = tmp_path / "beside.toml"
    beside.write_text(text)
    said = line.format("has no unit, and the robot's file is in")
    for command in (("accuracy", own, "--errors"), ("modes", own, "--elastic")):
        code, _, err = outcome(capsys, *command, str(beside))
        assert code == 2
        assert err.splitlines()[0].endswith(said)


def test_a_deflection_that_is_none_is_marked(capsys, tmp_path):
    errors = tmp_path / "errors.toml"
    line = "This deflection is larger than a tenth of the robot's size, or 0.1 rad: is a unit missing in [stiffness]? "
    asked = ("--errors", str(errors), "--wrench", "fy=100N,fz=200N")
    for value, marked in (('"50 N/m"', True), ('"50 N/um"', False)):
        errors.write_text(f"[stiffness]\nactuator = {value}\n")
        page = outcome(capsys, "accuracy", head_file(tmp_path), *asked)[1]
        assert (line + '"50 N/um"' in page.splitlines()) is marked
        # Directions that the legs hold are rigid, whatever round-off leaves of them.
        assert "[N/m, N m/rad]: x rigid, y rigid, z 1" in page
        assert "Under the wrench: x 0 um, y 0 um, z " in page
        moved = outcome(capsys, "accuracy", head_file(tmp_path), *asked, "--to", "z=0.72", "--duration", "1")[1]
        assert (line + '"50 N/um"' in moved.splitlines()) is marked


def test_errors_are_those_of_the_tool_and_say_so(capsys, errors):
    """By --tool, or by the file; one line says where it is."""
    given = ("accuracy", "stewart", "--errors", errors)
    told = {}
    for name, options in {
        "origin": (),
        "tool": ("--tool", "0,0,-0.5"),
        "set": ("--set", "tool.position.z=-0.5"),
        "both": ("--convention", "fixed-xyz", "--tool", "0,0,-0.5"),
    }.items():
        code, text, _ = outcome(capsys, *given, *options, "--format", "json", "--wrench", "10,0,0,0,0,0")
        assert code == 0
        told[name] = json.loads(text)
    assert told["tool"] == told["set"] == told["both"]
    for key in ("rms", "compliance", "deflection"):
        assert told["tool"][key] != told["origin"][key]
    _, text, _ = outcome(capsys, *given, "--tool", "0,0,-500", "--units", "mm", "--wrench", "10,0,0,0,0,0")
    assert text.startswith("stewart: errors of the tool at (0, 0, -500) mm of the platform at home from ")
    assert "compliance at the tool at (0, 0, -500) mm of the platform, at home" in text
    assert "Under the wrench at the tool: x " in text
