"""The benchmark of checks runs the command it times, to its answer."""

import json

import pytest

from benchmarks import check
from gough import check as checked
from gough import load
from gough.motion import point_to_point


@pytest.mark.slow
def test_a_quick_run_gives_the_answers_of_the_library(tmp_path, capsys):
    assert check.main(["--quick", "--json", str(tmp_path / "figures.json")]) == 0
    figures = json.loads((tmp_path / "figures.json").read_text())
    rows = figures["rows"]
    assert [row["share"] for row in rows] == [0.99, 1.01]
    assert [row["code"] for row in rows] == [1, 3]
    robot = load("delta")
    for row in rows:
        result = checked(robot, point_to_point(robot, {row["coordinate"]: row["value"]}, 1.0))
        assert row["violated"] == list(result.violated)
        assert row["largest_amplitude"] == result.advice.amplitude
        assert row["reachable_duration"] == result.advice.reachable_duration
    assert {goal["unit"] for goal in figures["goals"]} == {"s", "MB"}
    assert "most memory" in capsys.readouterr().out


def test_reach_is_where_a_leg_is_lost():
    robot = load("delta")
    far = check.reach(robot, 2)
    fine, lost = (
        checked(robot, point_to_point(robot, {"z": robot.platform.home[2] + s * far}, 1.0)).lost for s in (0.999, 1.001)
    )
    assert fine is None
    assert lost is not None
    assert lost.t == pytest.approx(1.0, abs=0.1)
