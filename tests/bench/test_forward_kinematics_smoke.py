"""The benchmark of forward kinematics times what finds the poses."""

import json

from benchmarks import forward_kinematics
from gough import forward_kinematics as solved
from gough import load


def test_a_quick_run_finds_the_poses_it_times(tmp_path, capsys):
    assert forward_kinematics.main(["--quick", "--json", str(tmp_path / "figures.json")]) == 0
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert [row["robot"] for row in figures["rows"]] == ["stewart", "planar3rrr"]
    for row in figures["rows"]:
        assert row["residual"] <= 1e-13
        assert row["same pose"] == 1.0
        assert row["one step"] == 1.0
        assert row["arrived from far"] > 0.9
    assert "on fixed buffers" in capsys.readouterr().out


def test_near_guesses_are_as_near_as_they_say():
    robot = load("stewart")
    x, q, near, _ = forward_kinematics.poses(robot, 100)
    assert abs(near - x)[:, :3].max() <= 2e-3
    assert abs(near - x)[:, 3:].max() <= 4e-3
    assert abs(solved(robot, q, near).x - x).max() <= 1e-12
