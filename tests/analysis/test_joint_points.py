"""Points of joints for CAD programs, against the robots' own files."""

import csv
import io

import numpy as np
import pytest

import gough
from gough import load
from gough.analysis.joint_points import joint_points
from tests.cli.running import outcome


def rows_of(text):
    return [
        (row["leg"], row["point"], row["frame"], np.array([float(row[name]) for name in row if name[0] in "xyz"]))
        for row in csv.DictReader(io.StringIO(text))
    ]


@pytest.mark.parametrize("name", ["stewart", "cable8", "hexapod", "delta", "tricept", "rps3"])
def test_ends_in_both_frames_are_one_point_and_bases_are_the_files(name):
    robot = load(name)
    x = np.array(robot.platform.home)
    rows = rows_of(joint_points(robot, x).to_csv())
    assert {leg for leg, *_ in rows} == {leg.name for leg in robot.legs}
    bodies = gough.body_motion(robot, x)
    p, R = bodies.p[0], bodies.R[0]
    for leg in robot.legs:
        own = [row for row in rows if row[0] == leg.name]
        np.testing.assert_allclose(own[0][3], leg.position, atol=1e-12)
        (inside,) = (point for _, what, where, point in own if (what, where) == ("end", "platform"))
        (outside,) = (point for _, what, where, point in own if (what, where) == ("end", "base"))
        np.testing.assert_array_equal(inside, leg.end.platform_point)
        np.testing.assert_allclose(outside, p + R @ inside, atol=1e-12)


def test_the_command_writes_them_in_units_at_the_pose(capsys, tmp_path):
    file = tmp_path / "points.csv"
    code, out, err = outcome(capsys, "show", "delta", "--pose", "x=100mm", "--units", "mm", "--points", str(file))
    assert (code, err) == (0, "")
    assert out.endswith(f"wrote {file}\n")
    text = file.read_text()
    assert text.startswith("leg,point,frame,x [mm],y [mm],z [mm]\n")
    points = {(leg, what, where): point for leg, what, where, point in rows_of(text)}
    np.testing.assert_allclose(points["A", "end", "base"] - points["A", "end", "platform"], [100.0, 0.0, -850.0])
    # The crank is as long as the file says.
    crank = np.linalg.norm(points["A", "R2", "base"] - points["A", "R", "base"])
    assert crank == pytest.approx(1e3 * load("delta").legs[0].joints[1].offset[0], rel=1e-12)


def test_a_pose_out_of_reach_has_no_points():
    with pytest.raises(gough.InputError, match="points of delta: leg A does not reach the pose"):
        joint_points(load("delta"), [0.0, 0.0, -3.0])
