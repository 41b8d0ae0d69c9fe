"""`gough fk --all`: tables, JSON, CSV, the picture, verdicts."""

import json

import numpy as np
import pytest
from PIL import Image

import gough
from tests.cli.running import outcome

STEWART = ("fk", "stewart", "--displacement", "2.6,2.5,2.5,2.5,2.5,2.5", "--all")


def test_json_has_every_mode(capsys):
    code, out, err = outcome(capsys, *STEWART, "--format", "json")
    shown = json.loads(out)
    assert (code, err) == (0, "")
    assert list(shown) == ["robot", "displacement", "modes", "complex", "complete", "claim", "convention"]
    assert shown["displacement"] == dict(zip("123456", [2.6, 2.5, 2.5, 2.5, 2.5, 2.5], strict=True))
    assert (len(shown["modes"]), shown["complex"], shown["complete"]) == (16, 0, True)
    assert shown["claim"] == "16 found by three start systems, closed under conjugation"
    one = shown["modes"][0]
    assert set(one) >= {"x", "R", "p", "branch", "within_limits", "singular_value", "certified"}
    robot = gough.load("stewart")
    back = gough.inverse_kinematics(robot, [list(mode["x"].values()) for mode in shown["modes"]]).q
    assert np.abs(back - [2.6, 2.5, 2.5, 2.5, 2.5, 2.5]).max() < 1e-12


def test_the_table_and_csv(capsys):
    code, out, err = outcome(capsys, *STEWART)
    head, how, _, header, *rows, _, claim = out.splitlines()
    assert (code, err, head) == (0, "", "stewart: 16 assembly modes")
    assert how.startswith("Poses by the robot's own coordinates")
    assert header.split()[:3] == ["mode", "x", "[m]"]
    assert len(rows) == 16
    assert claim == "16 found by three start systems, closed under conjugation; 0 complex solutions"
    csv = outcome(capsys, *STEWART, "--format", "csv")[1].splitlines()
    assert len(csv) == 17
    assert csv[0].startswith("x,y,z,psi,theta,phi,p_x,p_y,p_z,branch_1,")
    assert float(rows[0].split()[1]) == pytest.approx(float(csv[1].split(",")[0]), abs=1e-5)


def test_without_displacements_home_is_the_first_mode(capsys):
    code, out, err = outcome(capsys, "fk", "sru", "--all", "--format", "json")
    robot, shown = gough.load("sru"), json.loads(out)
    assert (code, err) == (0, "")
    assert list(shown["displacement"].values()) == gough.inverse_kinematics(robot, robot.platform.home).q.tolist()
    first, *others = (list(mode["x"].values()) for mode in shown["modes"])
    assert first == pytest.approx(list(robot.platform.home), abs=1e-12)
    assert len(others) == 7
    shifts = [np.linalg.norm(np.array(mode["p"]) - shown["modes"][0]["p"]) for mode in shown["modes"]]
    assert shifts[1] < shifts[-1]


def test_complex_solutions_are_listed_on_request(capsys):
    line = ["fk", "planar3rrr", "--displacement", "A=20deg", "--all", "--complex"]
    shown = json.loads(outcome(capsys, *line, "--format", "json")[1])
    assert shown["claim"] == "6 of 6 certified: none is missing"
    assert len(shown["complex_modes"]) == shown["complex"] == 6 - len(shown["modes"])
    real = len(shown["modes"])
    modes = f"{real} assembly mode{'s' if real > 1 else ''}"
    assert outcome(capsys, *line)[1].splitlines()[0] == f"planar3rrr: {modes} (6 solutions, {real} real)"
    p = np.array([mode["p"] for mode in shown["complex_modes"]])
    assert np.abs(np.sort(p[:, 0, 1]) + np.sort(p[:, 0, 1])[::-1]).max() < 1e-12
    assert "complex  x [m]" in outcome(capsys, *line)[1]


def test_the_picture_has_a_panel_for_each_mode(capsys, tmp_path):
    path = tmp_path / "modes.png"
    code, out, err = outcome(capsys, "fk", "delta", "--displacement", "A=5deg", "--all", "--png", str(path))
    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == f"wrote {path}"
    pixels = np.asarray(Image.open(path).convert("L"))
    assert pixels.shape == (320, 560)
    assert all((panel < 200).mean() > 0.02 for panel in (pixels[90:, :260], pixels[90:, 260:520]))


@pytest.mark.slow
def test_legs_without_a_closed_form_are_drawn(capsys, tmp_path):
    path = tmp_path / "ankle.png"
    assert outcome(capsys, "fk", "ankle", "--all", "--png", str(path))[0] == 0
    pixels = np.asarray(Image.open(path).convert("L"))
    panels = [pixels[90:310, 260 * k : 260 * k + 260] for k in range(3)]
    assert all((panel < 200).mean() > 0.02 for panel in panels)


@pytest.mark.parametrize(
    ("arguments", "code", "line"),
    [
        (["stewart", "--displacement", "0.1,0.1,0.1,0.1,0.1,0.1", "--all"], 3, "no pose has these displacements"),
        (
            ["stewart", "--displacement", "1=2.6", "--all", "--guess", "z=2"],
            2,
            "--guess: not with --all, which finds every pose; leave one of them out",
        ),
        (["stewart", "--displacement", "1=2.6", "--complex"], 2, "--complex: only with --all"),
        (["stewart", "--displacement", "1=2.6", "--png", "a.png"], 2, "--png: only with --all"),
        (
            ["stewart", "--displacement", "1=2.6", "--all", "--png", "a.jpg"],
            2,
            "--png a.jpg: the file's name must end in .png",
        ),
    ],
)
def test_what_is_refused(capsys, arguments, code, line):
    found, _, err = outcome(capsys, "fk", *arguments)
    assert (found, err) == (code, f"gough: {'error: ' if code == 2 else ''}{line}\n")
