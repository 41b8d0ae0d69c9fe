"""`gough fk --displacements`: poses for a list of displacements, each from the last one found."""

from __future__ import annotations

import csv
import io
import json
import math
from functools import cache

import numpy as np
import pytest

import gough
from gough.cli.displacement_list import followed
from tests.cli.running import outcome


@cache
def hexapod():
    return gough.load("hexapod")


@cache
def home_displacements():
    return gough.inverse_kinematics(hexapod(), hexapod().platform.home).q


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def log(tmp_path):
    def write(text, name="log.csv"):
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return write


@pytest.mark.parametrize("name", ["rotary", "delta", "ankle", "planar4rrr"])
def test_what_ik_writes_is_read_back_and_again(capsys, tmp_path, name):
    """Poses -> displacements -> poses -> displacements in other units, to round-off; a pose out of reach is a gap."""
    robot = gough.load(name)
    x = np.array(robot.platform.home) + 0.01 * np.random.default_rng(3).uniform(-1, 1, (6, robot.dof))
    x[3, 0] += 2.0
    files = [str(tmp_path / f"{k}.csv") for k in range(4)]
    header = ",".join(("t", *robot.coordinate_names))
    rows = [",".join(map(repr, (0.1 * k, *row))) for k, row in enumerate(x.tolist())]
    (tmp_path / "0.csv").write_text("\n".join([header, *rows]))
    assert outcome(capsys, "ik", name, "--poses", files[0], "--out", files[1])[0] == 3
    code, _, err = outcome(capsys, "fk", name, "--displacements", files[1], "--units", "mm,deg", "--out", files[2])
    assert (code, err) == (3, "gough: of 6 rows without displacements: 1 (line 5)\n")
    text = (tmp_path / "2.csv").read_text()
    kept = [0, 1, 2, 4, 5]
    given, found = (rows_of((tmp_path / f"{k}.csv").read_text()) for k in (1, 2))
    assert found[3]["status"] == f"no displacement of {', '.join(robot.actuator_names)}"
    assert [float(row["t [s]"]) for row in found] == [0.1 * k for k in range(6)]
    for coordinate, k in zip(robot.platform.coordinates, range(robot.dof), strict=True):
        unit, factor = ("deg", math.pi / 180) if coordinate.turns else ("mm", 1e-3)
        back = [float(found[row][f"{coordinate.name} [{unit}]"]) * factor for row in kept]
        np.testing.assert_allclose(back, x[kept, k], rtol=0, atol=1e-14)
    assert {found[row]["status"] for row in kept} == {"fine"}
    if robot.dependent_names:
        return
    (tmp_path / "2.csv").write_text("".join(line for k, line in enumerate(text.splitlines(keepends=True)) if k != 4))
    assert outcome(capsys, "ik", name, "--poses", files[2], "--out", files[3])[0] == 0
    again = rows_of((tmp_path / "3.csv").read_text())
    for actuator in robot.actuator_names:
        column = next(c for c in given[0] if c.startswith(f"q_{actuator} ["))
        np.testing.assert_allclose(
            [float(row[column]) for row in again], [float(given[k][column]) for k in kept], rtol=0, atol=1e-13
        )


def test_each_row_goes_on_from_the_last_pose_found():
    """Round a fold that the straight way from home runs into; a gap and a row without a pose change nothing after."""
    robot = gough.load("fivebar")
    s = np.linspace(0.0, 1.0, 20)[:, None]
    home, end, bow = np.array(robot.platform.home), np.array([-0.179, 0.019]), np.array([-0.118, -0.215])
    x = home + s * (end - home) + np.sin(np.pi * s) * bow
    q = gough.inverse_kinematics(robot, x).q
    assert gough.forward_kinematics(robot, q[-1:]).status[0] == gough.Status.PATH_FOLDS
    found = followed(robot, q, robot.platform.home)
    assert (found.status == gough.Status.FINE).all()
    np.testing.assert_allclose(found.x, x, rtol=0, atol=1e-13)
    broken = np.insert(q, 1, [[np.nan, 0.1], q[-1]], axis=0)
    after = followed(robot, broken, robot.platform.home)
    assert [*after.status[1:3]] == [gough.Status.NOT_FINITE, gough.Status.PATH_FOLDS]
    np.testing.assert_array_equal(np.delete(after.x, [1, 2], axis=0), found.x)
    np.testing.assert_array_equal(followed(robot, q[-1:], x[-2]).x[0], gough.forward_kinematics(robot, q[-1], x[-2]).x)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("t,q_A [mm],q_B\n0,{a},0\n500,{b},0.001\n", ["--units", "ms"]),
        ("A [mm],time [ms],b [m]\n{a},0,0\n{b},500,0.001\n", []),
        ("Zeit;B;A\n0;0;{a}\n0,5;1;{b}\n", ["--units", "mm", "--columns", "Zeit=t,A=q_A,B=B"]),
        ("q1 [mm];q2 [mm];t\n{a};0;0\n{b};1;0,5\n", []),
        ("t,Up,Down,Fan\n0,{a},0,x\n0.5,{b},-1,y\n", ["--units", "mm", "--columns", "Up=A,Down=-B"]),
        ("t,B [mm],A [mm],x,force_A [N],status\n0,0,{a},1,1,fine\n0.5,1,{b},2,2,\n", []),
    ],
)  # fmt: skip
def test_names_units_and_marks_of_columns(capsys, log, text, options):
    """The same two rows of A and B in every spelling; those left out are as at home, where values may count from."""
    comma = ";" in text
    file = log(text.format(a="2,5" if comma else "2.5", b="-1,5" if comma else "-1.5"))

    def read(*more):
        line = ("fk", "hexapod", "--displacements", file, *options, *more, "--format", "json")
        code, out, err = outcome(capsys, *line)
        assert (code, err.splitlines()[0]) == (0, "gough: note: C, D, E, F not given, taken as at home")
        columns = json.loads(out)["columns"]
        return np.transpose([columns[f"q_{name}"] for name in "ABCDEF"]), columns.get("t")

    expected = np.array([[0.0025, 0.0], [-0.0015, 0.001]])
    q, t = read()
    np.testing.assert_allclose(q[:, :2], expected, rtol=1e-15)
    np.testing.assert_array_equal(q[:, 2:], np.tile(home_displacements()[2:], (2, 1)))
    if "Up=A" not in str(options):
        np.testing.assert_allclose(t, [0.0, 0.5])
    far = hexapod().replace({"legs.actuator.zero": -0.1})
    shifted, _ = read("--relative", "--set", "legs.actuator.zero=-100mm")
    from_home = shifted[:, :2] - gough.inverse_kinematics(far, far.platform.home).q[:2]
    np.testing.assert_allclose(from_home, expected, rtol=0, atol=3e-17)


def test_forms_lines_and_exit_codes(capsys, log):
    names = hexapod().actuator_names
    path = log(",".join(names[:5]) + "\n# remark\n0,0,0,0,0\n1,0,,nan,0\n900,0,0,0,0\n2,0,0,0,0\n")
    line = ["fk", "hexapod", "--displacements", path, "--units", "mm,deg"]
    code, out, err = outcome(capsys, *line, "--format", "csv")
    assert code == 3
    assert err == (
        f"gough: note: {names[5]} not given, taken as at home\n"
        "gough: of 4 rows without displacements: 1 (line 4); path folds: 1 (line 5)\n"
    )
    rows = rows_of(out)
    assert [row["status"] for row in rows[:2]] == ["fine", f"no displacement of {names[2]}, {names[3]}"]
    assert " % of the way from the guess" in rows[2]["status"]
    assert (rows[2]["z [mm]"], rows[2][f"q_{names[0]} [mm]"]) == ("", "900.0")
    alone = gough.forward_kinematics(hexapod(), home_displacements() + [0.002, 0, 0, 0, 0, 0], hexapod().platform.home)
    assert float(rows[3]["z [mm]"]) == pytest.approx(1e3 * alone.x[2], rel=1e-14)
    document = json.loads(outcome(capsys, *line, "--format", "json")[1])
    assert document["columns"]["z"][1:3] == [None, None]
    assert document["columns"]["z"][3] == pytest.approx(float(rows[3]["z [mm]"]) * 1e-3)
    table = outcome(capsys, *line, "--convention", "quaternion", "--guess", "z=610")[1].splitlines()
    assert len(table) == 5
    assert table[0].split()[:9:2] == ["x", "y", "z", "qw", "qy"]
    fine = log(",".join(names) + "\n0,0,0,0,0,0\n", "fine.csv")
    assert outcome(capsys, "fk", "hexapod", "--displacements", fine)[::2] == (0, "")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("t\n0\n", ":1: has no displacement (known: q_A, q_B, q_C, q_D, q_E, q_F)"),
        ("A,B\n", ": has no displacements (one row for each time is needed)"),
        ("0,0\n0,0\n", ":1: must be the header q_A,q_B,q_C,q_D,q_E,q_F, found numbers"),
        ("A\n0\n130\n", ":3: q_A: 130: is more than 50 times the robot's size from home (millimetres? say --units mm)"),
        ("A,Motor\n0,2\n", ':1: "Motor": no such column (known: t, q_A'),
        ("A,q_A,B\n0,2,1\n", ':1: "A": no such column (did you mean q_A?)'),
        ("A,a\n0,2\n", ":1: q_A: is there twice"),
        ("A,B\n0.1\n", ":2: has 1 cell, the header has 2"),
        ("A,B\n1,inf\n", ':2: q_B: "inf": must be a finite number'),
        ("A [deg]\n1\n", ":1: q_A [deg]: its unit must be"),
        ("A\n1mm\n", ':2: q_A: "1mm": must be a number (units are stated by option, not in cells)'),
    ],
)
def test_faults_name_the_line(capsys, log, text, line):
    path = log(text)
    code, out, err = outcome(capsys, "fk", "hexapod", "--displacements", path)
    assert (code, out) == (2, "")
    assert err.startswith(f"gough: error: {path}{line}")
    assert err.count("\n") == 1


def test_angles_in_degrees_are_not_taken_for_radians(capsys, log):
    """Without a unit anywhere; where one is stated an encoder may count turns."""
    _, _, err = outcome(capsys, "fk", "delta", "--displacements", log("A,B,C\n30,20,10\n"))
    assert "q_A: 30: is more than a turn from home (degrees? say --units deg)" in err
    _, out, _ = outcome(capsys, "fk", "delta", "--displacements", log("A [rad]\n30\n"), "--format", "json")
    assert json.loads(out)["columns"]["q_A"] == [30.0]


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("--displacements", "a.csv", "--displacement", "A=1"), "--displacement: cannot go with --displacements"),
        (("--displacements", "a.csv", "--all"), "--all: cannot go with --displacements"),
        (("--displacement", "A=0", "--out", "a.csv"), "--out: only with --displacements"),
        (("--poses", "a.csv"), "fk: no such option --poses; say --displacements FILE.csv for a list of displacements"),
        (("--displacements", "no.csv"), "no.csv: no such file"),
    ],
)
def test_options_that_do_not_fit(capsys, options, line):
    code, _, err = outcome(capsys, "fk", "hexapod", *options)
    assert code == 2
    assert err.startswith(f"gough: error: {line}")
