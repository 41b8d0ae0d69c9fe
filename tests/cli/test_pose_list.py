"""`gough ik --poses`: displacements for a list of poses."""

from __future__ import annotations

import csv
import io
import json
import math
from functools import cache

import numpy as np
import pytest

import gough
from gough.cli.new import starter
from tests.cli.running import outcome


@cache
def rotary():
    return gough.load("rotary")


@cache
def home():
    return dict(zip(rotary().coordinate_names, rotary().platform.home, strict=True))


SERVOS = "rotary"


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def poses(tmp_path):
    def write(text, name="poses.csv"):
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return write


def test_each_row_is_the_pose_solved_by_itself(capsys, poses, tmp_path):
    """Units of the header, of --units, coordinates left out at home; the same bits as a call on one pose."""
    z = 1e3 * home()["z"]
    path = poses(f"pitch,z [mm]\n0,{z}\n5,{z + 2}\n-4.5,{z - 3}\n")
    out = str(tmp_path / "servos.csv")
    code, said, err = outcome(capsys, "ik", SERVOS, "--poses", path, "--units", "deg", "--out", out)
    assert (code, said, err) == (0, f"wrote {out}\n", "")
    found = rows_of((tmp_path / "servos.csv").read_text())
    units = {"x": "m", "y": "m", "z": "m"}
    pose_names = [f"{name} [{units.get(name, 'deg')}]" for name in rotary().coordinate_names]
    assert list(found[0]) == [*pose_names, *[f"q_{name} [deg]" for name in rotary().actuator_names], "status"]
    for row, (pitch, lift) in zip(found, ((0, 0), (5, 2), (-4.5, -3)), strict=True):
        given = f"z={z + lift}mm,pitch={pitch}deg"
        alone = json.loads(outcome(capsys, "ik", SERVOS, "--pose", given, "--format", "json")[1])["actuators"]
        assert row["status"] == "fine"
        told = [float(row[f"q_{name} [deg]"]) for name in rotary().actuator_names]
        np.testing.assert_array_equal(told, np.array([entry["q"] for entry in alone]) * (180 / math.pi))


def test_semicolons_times_and_relative_values(capsys, poses):
    path = poses("Time [ms];Heave;Fly\n0;2,5;7\n500;-1,5;8\n")
    options = ["--units", "mm,deg", "--relative", "--columns", "Time=t,Heave=-z", "--format", "csv"]
    code, out, err = outcome(capsys, "ik", SERVOS, "--poses", path, *options)
    assert (code, err) == (0, "")
    found = rows_of(out)
    assert [float(row["t [s]"]) for row in found] == [0.0, 0.5]
    assert [float(row["z [mm]"]) for row in found] == pytest.approx([1e3 * home()["z"] - 2.5, 1e3 * home()["z"] + 1.5])


def test_statuses_and_exit_codes(capsys, poses):
    """Strokes, reach and the line of the first of each; the worst gives the exit code."""
    robot = rotary().replace({"legs.actuator.stroke": (-0.2, 0.1)})
    z = home()["z"]
    lifts = [0.0, 0.004, 0.012, 1.0]
    alone = [gough.inverse_kinematics(rotary(), [0, 0, z + lift, 0, 0, 0]).q for lift in lifts[:3]]
    beyond = [bool((q > 0.1).any()) for q in alone]
    assert beyond == sorted(beyond)
    assert any(beyond)
    text = "z\n" + "".join(f"{z + lift!r}\n" for lift in lifts)
    settings = ["--set", "legs.actuator.stroke=[-0.2rad,0.1rad]", "--units", "mm,deg"]
    bare = poses(text.replace("z\n", "z [m]\n# remark\n"))
    code, out, err = outcome(capsys, "ik", SERVOS, "--poses", bare, *settings, "--format", "csv")
    first = beyond.index(True)
    assert code == 3
    assert err == (
        f"gough: of 4 poses out of reach: 1 (line 6); beyond limits: {sum(beyond)} "
        f"({'first on ' if sum(beyond) > 1 else ''}line {3 + first})\n"
    )
    words = [row["status"] for row in rows_of(out)]
    assert words[:first] == ["fine"] * first
    past = math.degrees(float(alone[first][0]) - 0.1)
    name = robot.actuator_names[0]
    told = f"actuator {name} is {past:.4g} deg beyond its stroke ({math.degrees(0.1):.6g} deg)"
    assert words[first].startswith(told)
    assert words[3].startswith("leg ")
    assert words[3].endswith(" mm")
    assert rows_of(out)[3][f"q_{name} [deg]"] == ""
    kept = poses("\n".join(text.splitlines()[:4]).replace("z\n", "z [m]\n"), "kept.csv")
    assert outcome(capsys, "ik", SERVOS, "--poses", kept, *settings)[0] == 1


def test_json_is_in_si_units_and_tables_show_all_rows(capsys, poses):
    path = poses("roll [deg]\n0\n3\n")
    code, out, _ = outcome(capsys, "ik", SERVOS, "--poses", path, "--units", "mm,deg", "--format", "json")
    assert code == 0
    assert json.loads(out)["columns"]["roll"] == pytest.approx([0.0, math.radians(3)])
    lines = outcome(capsys, "ik", SERVOS, "--poses", path, "--units", "mm,deg")[1].splitlines()
    assert len(lines) == 3
    assert "roll [deg]" in lines[0]


def test_poses_of_a_convention_do_not_depend_on_the_rows_before(capsys, poses):
    """Whatever stands above a row, its displacements are the same."""
    z = home()["z"]
    turns = [math.radians(d) for d in (0, 10, 170, -170, -10, 350)]
    path = poses("z,w\n" + "".join(f"{z!r},{w!r}\n" for w in turns))

    def rows(file):
        line = ("ik", SERVOS, "--poses", file, "--convention", "uvw", "--format", "json")
        columns = json.loads(outcome(capsys, *line)[1])["columns"]
        return list(zip(*[columns[f"q_{name}"] for name in rotary().actuator_names], columns["status"], strict=True))

    together = rows(path)
    assert [row[-1] == "fine" for row in together] == [True, True, False, False, True, True]
    for k, w in enumerate(turns):
        assert rows(poses(f"z,w\n{z!r},{w!r}\n", "one.csv")) == together[k : k + 1]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("t\n0\n", ":1: has no coordinate (known: x, y, z, yaw, pitch, roll)"),
        ("x,y\n", ": has no poses (one row for each is needed)"),
        ("z\n0.1\n130\n", ":3: z: 130: is more than 50 times the robot's size from home (millimetres? say --units mm)"),
        ("z,q\n0.1,2\n", ':1: "q": no such column'),
        (
            "z,rx\n0.1,2\n",
            ':1: "rx": no such column (did you mean roll? that is rx of this robot; --columns rx=roll reads it)',
        ),
        ("x,y\n0.1\n", ":2: has 1 cell, the header has 2"),
        ("x,X [mm]\n0,0\n", ":1: x: is there twice"),
        ("xd_x [mm/s],z_mm\n0,0\n", ":1: z_mm: has a unit that is not in brackets (write z [mm])"),
        ("x\nnan\n", ':2: x: "nan": must be a finite number'),
    ],
)
def test_faults_name_the_line(capsys, poses, text, line):
    path = poses(text)
    code, out, err = outcome(capsys, "ik", SERVOS, "--poses", path)
    assert (code, out) == (2, "")
    assert err.startswith(f"gough: error: {path}{line}")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("--poses", "a.csv", "--pose", "x=0.1"), "--pose: cannot go with --poses"),
        (("--out", "a.csv"), "--out: only with --poses"),
        (("--motion", "a.csv"), "ik: no such option --motion; say --poses FILE.csv for a list of poses"),
        (("--csv",), "ik: no such option --csv; say --format csv"),
    ],
)
def test_options_that_do_not_fit(capsys, options, line):
    code, _, err = outcome(capsys, "ik", SERVOS, *options)
    assert code == 2
    assert err.startswith(f"gough: error: {line}")


def test_legs_that_overlap_are_told_in_their_own_row(capsys, poses, tmp_path):
    (tmp_path / "thick.toml").write_text(starter("UPS"))
    path = poses("x,y,z,yaw\n0,0,0.5,0\n0.03,0.02,0.5,1.2\n0,0,0.5,0.1\n")
    options = ["--set", "legs.radius=45mm", "--format", "csv"]
    _, out, _ = outcome(capsys, "ik", str(tmp_path / "thick.toml"), "--poses", path, *options)
    found = ["overlap" in row["status"] for row in rows_of(out)]
    alone = []
    for pose in ("z=0.5", "x=0.03,y=0.02,z=0.5,yaw=1.2rad", "z=0.5,yaw=0.1rad"):
        err = outcome(capsys, "ik", str(tmp_path / "thick.toml"), "--set", "legs.radius=45mm", "--pose", pose)[2]
        alone.append("overlap" in err)
    assert found == alone
    assert set(alone) == {True, False}
