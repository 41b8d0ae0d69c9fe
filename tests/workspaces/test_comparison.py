"""Two machines' workspaces side by side."""

import json

import pytest

import gough
from gough.workspaces.comparison import compare_workspaces
from tests.cli.running import outcome


def test_shorter_strokes_take_travel_and_area_away():
    one = gough.load("spatial3")
    first = gough.workspace(one, cells=16)
    second = gough.workspace(one, limits={"stroke": (-0.05, 0.05)}, cells=16)
    found = compare_workspaces(first, second, ("whole", "short"))
    by_name = {figure.what: figure for figure in found.figures}
    assert by_name["travel z, whole"].second < by_name["travel z, whole"].first
    assert by_name["area"].relative < 0.0
    assert by_name["area"].first == first.volume.measure
    assert found.to_dict()["names"] == ["whole", "short"]


def test_the_command(capsys):
    code, out, err = outcome(capsys, "compare", "fivebar", "fivebar", "--set", "legs.crank.length=200mm", "--workspace")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "fivebar and fivebar (legs.crank.length=200mm), workspaces from home; area at a grid of 64 cells"
    assert any(line.startswith("area ") and "%" in line for line in lines)
    code, out, _ = outcome(capsys, "compare", "fivebar", "fivebar", "--workspace", "--json")
    figures = json.loads(out)["figures"]
    assert all(row["first"] == pytest.approx(row["second"]) for row in figures)
    code, _, err = outcome(capsys, "compare", "fivebar", "fivebar", "--workspace", "--motion", "circle")
    assert (code, err) == (2, "gough: error: --workspace: takes no motion; leave the motion out\n")
