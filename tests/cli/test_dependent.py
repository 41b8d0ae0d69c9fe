"""Commands on a machine with dependent motion: its values are in every output, and an input only as a start."""

import csv
import io
import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gough import State, load
from gough.dynamics import inverse_dynamics
from gough.kinematics import forward_kinematics, inverse_kinematics
from tests.cli.running import outcome
from tests.support.dependent_references import machine, samples

MOVE = ("--to", "z=0.65,pitch=0.2,roll=0.1", "--duration", "1")


def expected(pitch, roll):
    """x, y and yaw of the head: its ends on the platform stay in the planes of the legs."""
    yaw = np.arctan2(np.sin(pitch) * np.sin(roll), np.cos(pitch) + np.cos(roll))
    R = Rotation.from_euler("ZYX", [yaw, pitch, roll]).as_matrix()
    return [0.1 * (R[0, 0] - R[1, 1]), -0.2 * R[1, 0], yaw]


@pytest.fixture(scope="module")
def head(tmp_path_factory):
    path = tmp_path_factory.mktemp("head") / "head.toml"
    path.write_text(machine("3rps").to_toml(), "utf-8")
    return str(path)


def test_ik_says_what_follows(capsys, head):
    code, out, err = outcome(capsys, "ik", head, "--pose", "z=0.65,pitch=0.2,roll=0.1")
    assert (code, err) == (0, "")
    pose = "z = 0.65 m; pitch = 11.459, roll = 5.7296 deg"
    assert out.startswith(f"three-rps at {pose}; with them x = -0.0015136, y = -0.0019683 m; yaw = 0.57535 deg\n")
    code, out, _ = outcome(capsys, "ik", head, "--pose", "z=0.65,pitch=0.2,roll=0.1", "--format", "json")
    found = json.loads(out)["dependent"]
    assert list(found) == ["x", "y", "yaw"]
    np.testing.assert_allclose(list(found.values()), expected(0.2, 0.1), rtol=0, atol=1e-15)


def test_fk_gives_all_coordinates(capsys, head):
    code, out, _ = outcome(capsys, "fk", head, "--displacement", "L1=0.65", "--format", "json")
    assert code == 0
    found = json.loads(out)
    wanted = expected(found["x"]["pitch"], found["x"]["roll"])
    np.testing.assert_allclose(list(found["dependent"].values()), wanted, rtol=0, atol=1e-15)
    _, out, _ = outcome(capsys, "fk", head, "--displacement", "L1=0.65")
    rows = out.split("\n\n")[1].splitlines()[1:]
    assert [row.split()[0] for row in rows] == ["z", "pitch", "roll", "x", "y", "yaw"]


def test_every_table_of_poses_has_them(capsys, head, tmp_path):
    asked = ("--pose", "pitch=0.2,roll=0.1", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(outcome(capsys, "ik", head, *asked)[1])))
    assert len(rows) == 3
    for row in rows:
        np.testing.assert_allclose([float(row[c]) for c in ("x", "y", "yaw")], expected(0.2, 0.1), rtol=0, atol=1e-15)
    text = outcome(capsys, "ik", head, *asked, "--units", "mm,deg", "--csv-units")[1]
    assert text.startswith("actuator,unit,q,x [mm],y [mm],yaw [deg]\n")
    robot = machine("3rps")
    q = inverse_kinematics(robot, [0.65, 0.2, 0.1]).q
    page = outcome(capsys, "fk", head, "--all", "--displacement", ",".join(map(repr, q.tolist())))[1]
    header, *modes = (line.split() for line in page.split("\n\n")[1].splitlines())
    assert header[1:13:2] == ["z", "pitch", "roll", "x", "y", "yaw"]
    *ways, turn = expected(0.2, 0.1)
    told, wanted = np.array([mode[1:7] for mode in modes], dtype=float), [0.65, *np.degrees([0.2, 0.1]), *ways]
    assert np.isclose(told, [*wanted, np.degrees(turn)], rtol=1e-5, atol=0).all(axis=1).sum() == 1
    found = forward_kinematics(robot, q)
    assert "dependent=[-0.0015136, -0.0019683, 0.010042]" in repr(found)
    assert "dependent" in found.table.shown
    assert "dependent" not in repr(forward_kinematics(load("delta"), [0.0] * 3))
    report = tmp_path / "report.html"
    assert outcome(capsys, "report", head, *MOVE, "--out", str(report))[0] in (0, 1)
    poses = report.read_text("utf-8").partition("Poses along the motion")[2].partition("</table>")[0]
    assert all(f"{name} [" in poses for name in ("z", "pitch", "roll", "x", "y", "yaw"))


def test_forces_carry_the_dependent_motion(capsys, head):
    code, out, _ = outcome(capsys, "inverse", head, *MOVE, "--samples", "5", "--format", "csv")
    assert code == 0
    last = list(csv.DictReader(io.StringIO(out)))[-1]
    np.testing.assert_allclose([float(last[c]) for c in ("x", "y", "yaw")], expected(0.2, 0.1), rtol=0, atol=1e-15)
    code, out, _ = outcome(capsys, "inverse", head, *MOVE, "--samples", "5", "--format", "json")
    found = json.loads(out)
    assert found["dependent_coordinates"] == ["x", "y", "yaw"]
    np.testing.assert_allclose(found["dependent"][-1], expected(0.2, 0.1), rtol=0, atol=1e-15)
    assert np.shape(found["dependent_xdd"]) == (5, 3)


def test_rates_of_results_are_those_of_the_values():
    x, xd, xdd = (samples("3rps", key) for key in ("x", "xd", "xdd"))
    found = inverse_dynamics(machine("3rps"), State(x, xd, xdd)).dependent
    h = 1e-5
    there, back = (np.array([expected(*row) for row in (x + s * h * xd + h * h / 2 * xdd)[:, 1:]]) for s in (1.0, -1.0))
    now = np.array([expected(*row) for row in x[:, 1:]])
    np.testing.assert_allclose(found[0], now, rtol=0, atol=1e-15)
    np.testing.assert_allclose(found[1], (there - back) / (2 * h), rtol=0, atol=1e-9)
    np.testing.assert_allclose(found[2], (there - 2 * now + back) / h**2, rtol=0, atol=1e-4)


def test_parasitic_motion_has_limits(capsys, head):
    code, out, _ = outcome(
        capsys, "check", head, *MOVE, "--limit", "parasitic=3mm", "--limit", "parasitic_turn=0.1deg", "--json"
    )
    assert code == 1
    found = {entry["kind"]: entry for entry in json.loads(out)["findings"]}
    x, y, yaw = expected(0.2, 0.1)
    assert found["parasitic"]["owner"] == "y"
    assert found["parasitic"]["value"] == pytest.approx(y, abs=1e-12)
    assert found["parasitic_turn"]["value"] == pytest.approx(yaw, abs=1e-12)
    assert abs(x) < abs(y)


def test_a_start_picks_the_assembly(capsys, head):
    """With the platform turned half round its ends are in the legs' planes too."""
    at = "pitch=0.2,roll=0.1"
    for starts in ("x=0.01,", "yaw=-20deg,", "yaw=3deg,y=-1mm,"):
        code, out, err = outcome(capsys, "ik", head, "--pose", starts + at, "--format", "json")
        assert (code, err.count("\n")) == (0, 1)
        assert err.startswith(f"gough: note: --pose {starts.rstrip(',')}: ")
        assert err.endswith("dependent, follows z, pitch, roll; the value only picks the assembly\n")
        np.testing.assert_allclose(list(json.loads(out)["dependent"].values()), expected(0.2, 0.1), rtol=0, atol=1e-15)
    code, out, _ = outcome(capsys, "ik", "rps3", "--pose", f"{at},yaw=170deg", "--format", "json")
    assert code == 1  # its legs overlap there
    x, y, yaw = json.loads(out)["dependent"].values()
    R = Rotation.from_euler("ZYX", [yaw, 0.2, 0.1]).as_matrix()
    for angle in 2 * np.pi * np.arange(3) / 3:
        normal, end = [-np.sin(angle), np.cos(angle), 0], 0.2 * np.array([np.cos(angle), np.sin(angle), 0])
        assert abs(normal @ ([x, y, 0] + R @ end)) < 1e-15
    assert np.cos(yaw) < -0.9


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ("inverse", "--to", "x=0.1", "--duration", "1"),
            "--to x=0.1: x follows z, pitch, roll (leave it out; where it starts at home is platform.home in the file)",
        ),
        (("ik", "--pose", "yaw=1m"), "--pose yaw=1m: yaw turns, so its unit must be deg or rad, not m"),
        (("ik", "--pose", "x=0,z=0.6,x=1"), "--pose x=1: x is given twice"),
        (
            ("ik", "--pose", "yaw=90deg"),
            "--pose yaw=90deg: leg.L1: does not reach the platform at home: 0.2 m short (check platform.home and the "
            "leg's geometry)",
        ),
        (
            ("ik", "--velocity", "yaw=1"),
            "--velocity yaw=1: yaw follows z, pitch, roll (leave it out; where it starts at home is platform.home in "
            "the file)",
        ),
        (
            ("ik", "--convention", "uvw", "--pose", "u=5deg"),
            "--convention uvw: x, y, yaw of three-rps follow z, pitch, roll; state these instead",
        ),
        (
            ("ik", "--convention", "uvw", "--tool", "0,0,-0.25"),
            "--convention uvw: x, y, yaw of three-rps follow z, pitch, roll; state these instead",
        ),
    ],
)
def test_what_follows_is_no_input(capsys, head, arguments, line):
    command, *options = arguments
    code, out, err = outcome(capsys, command, head, *options)
    assert (code, out) == (2, "")
    assert err.splitlines()[0] == f"gough: error: {line}"


def test_a_recording_must_not_have_columns_of_what_follows(capsys, head, tmp_path):
    path = tmp_path / "moved.csv"
    path.write_text("t,z,pitch,roll,yaw\n0,0.6,0,0,0\n1,0.61,0,0,0\n", "utf-8")
    code, out, err = outcome(capsys, "inverse", head, "--motion", str(path))
    assert (code, out) == (2, "")
    assert err == f'gough: error: {path}:1: "yaw": follows z, pitch, roll (leave its column out)\n'
