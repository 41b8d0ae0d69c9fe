"""`gough workspace`: the page, JSON and CSV, and what it refuses."""

from __future__ import annotations

import json

import numpy as np
import pytest

import gough
from tests.cli.running import ROBOTS, outcome
from tests.support.spindle_heads import head_file


def test_the_page_names_ends_and_limits(capsys):
    code, out, err = outcome(capsys, "workspace", "stewart", "--units", "mm", "--only", "stroke,side", "--cells", "24")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "stewart, workspace at x = 0, y = 0, z = 2000 mm; psi = 0, theta = 0, phi = 0 deg"
    z = next(line for line in lines if line.startswith("z "))
    assert z.split()[1:6] == ["mm", "1420.736", "3109.42", "-579.2642", "1109.42"]
    assert z.endswith("stroke 1 2 3 4 5 6, low  stroke 1 2 3 4 5 6, high")
    near = next(line for line in lines if line.startswith("Nearest singularity inside: "))
    assert near.startswith("Nearest singularity inside: type 2, 771.0")
    assert lines[-2:] == [
        "  stroke: displacement of an actuator",
        "  side: det K = 0: home's side of the singularities",
    ]


@pytest.mark.parametrize("options", [["--convention", "uvw", "--tool", "100,0,300"], ["--tool", "100,0,300"]])
def test_table_json_mesh_and_picture_are_of_one_point_in_the_units_asked_for(capsys, tmp_path, monkeypatch, options):
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    drawn = []
    monkeypatch.setattr(
        "gough.workspaces.pictures.Poly3DCollection",
        lambda corners, **style: drawn.append(corners) or Poly3DCollection(corners, **style),
    )
    mesh = tmp_path / "ws.stl"
    files = ["--mesh", str(mesh), "--picture", str(tmp_path / "ws.png")]
    few = ["--only", "stroke,side", "--cells", "12", "--units", "mm,deg", "--format", "json"]
    code, out, err = outcome(capsys, "workspace", "stewart", *options, *few, *files)
    shown = json.loads(out)
    assert code == 0
    assert err.splitlines()[0] == f"wrote {mesh}, in mm, positions of the tool"
    assert shown["tool"] == [0.1, 0.0, 0.3]
    ends = np.array(list(shown["volume"]["extent"].values()))
    travel = np.array([[row["low"], row["high"]] for row in shown["travel"][:3]])
    assert travel[2] == pytest.approx([1.7207358, 3.4094202])
    assert (ends[:, 0] - 0.02 < travel[:, 0]).all()
    assert (travel[:, 1] < ends[:, 1] + 0.02).all()
    rows = np.frombuffer(mesh.read_bytes()[84:], dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("limit", "<u2")])
    assert mesh.read_bytes().startswith(b"gough workspace of stewart [mm], positions of the tool ")
    for corners in (rows["v"], drawn[0]):
        points = corners.reshape(-1, 3).astype(float)
        np.testing.assert_allclose([points.min(axis=0), points.max(axis=0)], 1000.0 * ends.T, rtol=1e-6)


def test_a_robot_with_more_actuators_than_coordinates_has_a_rank(capsys):
    """K of planar4rrr has no determinant; poses at which its rank is less are a curve that no ray meets."""
    code, out, _ = outcome(capsys, "workspace", "planar4rrr", "--only", "reach,side", "--cells", "24")
    assert code == 0
    assert "det K" not in out
    assert "where K has full rank and joined to the pose" in out
    code, out, _ = outcome(capsys, "workspace", "planar4rrr", "--only", "reach", "--cells", "24", "--format", "json")
    shown = json.loads(out)["nearest_singularity"]
    x = list(shown["x"].values())
    K = gough.inverse_kinematics(gough.load("planar4rrr"), x).K
    assert np.linalg.svd(K, compute_uv=False)[-1] < 1e-8
    assert shown["kind"] == "type 2"


def test_forces_that_grow_without_bound_warn_of_nothing(capsys):
    options = ["--payload", "3", "--limit", "force=300", "--cells", "12"]
    code, out, err = outcome(capsys, "workspace", "delta", *options)
    assert (code, err) == (0, "")
    assert "Nearest singularity inside: none found" in out


@pytest.mark.parametrize("name", ROBOTS)
def test_json_of_every_robot(capsys, name):
    code, out, err = outcome(capsys, "workspace", name, "--travel", "--format", "json")
    shown = json.loads(out)
    assert (code, err) == (0, "")
    assert [row["axis"] for row in shown["travel"]] == list(shown["pose"])
    for row in shown["travel"]:
        at = shown["pose"][row["axis"]]
        assert row["low"] < at < row["high"]
        assert isinstance(row["low_limits"], str)


def test_csv_and_files(capsys, tmp_path):
    file = tmp_path / "travel.csv"
    code, out, err = outcome(capsys, "workspace", "spatial3", "--travel", "--prove", "--out", str(file))
    assert (code, out, err) == (0, f"wrote {file}\n", "")
    header, y, z, theta = file.read_text().splitlines()
    assert header == "axis,unit,low,high,low_limits,high_limits,proved"
    assert z.split(",")[:2] == ["z", "m"]
    assert z.endswith("yes")
    assert float(z.split(",")[2]) == pytest.approx(-0.2, abs=1e-12)
    assert y.startswith("y,m,")
    assert theta.startswith("theta,rad,")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--format", "xml"], "--format xml: must be table, json or csv"),
        (["--twist", "1,2"], "twist: must be six numbers, not 2"),
        (["--twist", "1,2,x,0,0,0"], "--twist 1,2,x,0,0,0: x is not a finite number; give vx,vy,vz,wx,wy,wz"),
        (["--cells", "3"], "cells 3: must be a whole number from 8 to 512"),
        (["--mesh", "a.stl"], "--mesh a.stl: a mesh needs three sliding coordinates; spatial3 has 2"),
        (
            ["--tilt", "20deg"],
            "tilt of spatial3: 1 of its coordinates turn, a tilt in every direction takes three; see its travel",
        ),
        (["--mesh", "a.step"], "--mesh a.step: the file's name must end in .stl, .ply or .obj"),
        (["--csv-units"], "--csv-units: is for --format csv"),
    ],
)
def test_bad_options_get_one_line(capsys, options, line):
    code, out, err = outcome(capsys, "workspace", "spatial3", *options)
    assert (code, out, err) == (2, "", f"gough: error: {line}\n")


@pytest.mark.parametrize("name", ["spatial3", "stewart"])
def test_a_picture_beside_the_page(capsys, tmp_path, name):
    file = tmp_path / "space.png"
    options = ["--only", "reach,stroke", "--cells", "16", "--picture", str(file)]
    code, out, err = outcome(capsys, "workspace", name, *options)
    assert (code, err) == (0, "")
    assert out.startswith(f"wrote {file}\n{name}, workspace at ")
    assert file.read_bytes().startswith(b"\x89PNG")


def test_a_head_says_what_its_travel_keeps(capsys, tmp_path):
    head = head_file(tmp_path)
    asked = ("--units", "mm,deg", "--tool", "0,0,-250", "--travel")
    code, out, _ = outcome(capsys, "workspace", head, *asked)
    assert code == 0
    z = next(line for line in out.splitlines() if line.startswith("z "))
    assert z.split()[1:6] == ["mm", "289.8979", "639.8979", "-160.1021", "189.8979"]
    assert (
        "\nPositions are those of the tool at (0, 0, -250) mm of the platform.\npitch, roll: travel keeps z of the "
        "platform's origin, not of the tool; a robot file with its joints stated from the tool (platform z) has travel "
        "that keeps the tool's.\n"
    ) in out


def test_the_range_of_a_head_is_its_travel(capsys, tmp_path):
    out = outcome(capsys, "workspace", head_file(tmp_path), "--units", "mm,deg", "--tool", "0,0,-250", "--cells", "16")[
        1
    ]
    lines = out.splitlines()
    assert next(line for line in lines if line.startswith("Range")).endswith(" joined to the pose: 350 mm")
    assert "  of the tool: z 289.9 to 639.9 mm" in lines
    assert (
        "  tilt is one turn by pitch and roll together, about an axis in the base's x-y plane, up to 90 deg from "
        "upright, with z held; x, y, yaw follow"
    ) in lines


def test_a_room_that_no_limit_closes_has_no_mesh_but_all_else(capsys, tmp_path):
    mesh, file = tmp_path / "room.stl", tmp_path / "room.png"
    options = ["--only", "side", "--cells", "12", "--mesh", str(mesh), "--picture", str(file)]
    code, out, err = outcome(capsys, "workspace", "stewart", *options)
    why = (
        "workspace of stewart: no limit ends it within 17.3 m of the pose towards -x, +x, -y, +y, +z; "
        "state the room, e.g. --box x=-1.06:1.45,y=-1.45:1.45,z=:2.86, or other limits"
    )
    assert (code, err) == (0, f"gough: note: --mesh {mesh}: not written; {why}\n")
    assert out.startswith(f"wrote {file}\nstewart, workspace at ")
    travel = next(line for line in out.splitlines() if line.startswith("x "))
    assert travel.split() == ["x", "m", "<", "-17.3", ">", "17.3", "<", "-17.3", ">", "17.3", "open", "open"]
    assert file.read_bytes().startswith(b"\x89PNG")
    assert not mesh.exists()


def test_limits_that_limit_nothing_are_refused(capsys):
    line = "gough: error: workspace of stewart: reach does not limit it anywhere; name other limits, e.g. stroke\n"
    assert outcome(capsys, "workspace", "stewart", "--only", "reach") == (2, "", line)


def test_a_box_of_coordinates_in_units_and_with_open_ends(capsys):
    options = ["--box", "x=-50:60,y=300:", "--units", "mm", "--cells", "12"]
    code, out, err = outcome(capsys, "workspace", "fivebar", *options)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    (x,) = (line.split() for line in lines if line.startswith("x "))
    assert x[2:4] == ["-50", "60"]
    assert x[6:] == ["box", "x,", "low", "box", "x,", "high"]
    assert lines[-1] == "  box: a range of the robot's own coordinates (x -50 to 60 mm, y from 300 mm up)"


@pytest.mark.parametrize(
    ("box", "why"),
    [
        ("x=1", "x=1: must be COORDINATE=LOW:HIGH, e.g. x=-0.1:0.1 or z=0:"),
        ("x=:", "x=:: must be COORDINATE=LOW:HIGH, e.g. x=-0.1:0.1 or z=0:"),
        ("x=0:1,x=0:2", "x: stated twice"),
    ],
)
def test_a_box_that_cannot_be_read_is_one_line(capsys, box, why):
    assert outcome(capsys, "workspace", "fivebar", "--box", box) == (2, "", f"gough: error: --box {box}: {why}\n")
