"""Errors lane: files with many faults of every kind, each told once, in the order of the file, in one run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import outcome

DATA = Path(__file__).parents[1] / "data" / "bad_robots" / "several"
LEAST = {"six": 6, "chains": 9, "ring": 11, "count": 6, "kinds": 8, "rps": 5}


@pytest.mark.parametrize("name", sorted(LEAST))
def test_every_fault_in_one_run(capsys, tmp_path, monkeypatch, name):
    (tmp_path / f"{name}.toml").write_text((DATA / f"{name}.toml").read_text("utf-8"), "utf-8")
    monkeypatch.chdir(tmp_path)
    expected = (DATA / f"{name}.txt").read_text("utf-8")
    assert outcome(capsys, "show", f"{name}.toml", "--png", "robot.png") == (2, "", expected)
    assert expected.count("\n") == LEAST[name]
    assert [entry.name for entry in tmp_path.iterdir()] == [f"{name}.toml"]


def test_the_files_without_their_faults_are_robots(tmp_path):
    """The six-fault file put right, fault by fault, loses one line at a time."""
    from gough import RobotError, load

    cures = [
        ("lenght", "length"),
        ("[0.02, 0.02, 0.05]", "[0.02, 0.02, 0.03]"),
        ("mass = -1", "mass = 1"),
        ('name = "A"\nbase = [-300, 300, 0]', 'name = "C"\nbase = [-300, 300, 0]'),
        ("length = 200", "length = 400"),
        ("[10, -10]", "[-10, 10]"),
    ]
    text = (DATA / "six.toml").read_text("utf-8")
    for left, (old, new) in zip(range(5, -1, -1), cures, strict=True):
        assert text.count(old) == 1
        text = text.replace(old, new)
        (tmp_path / "six.toml").write_text(text, "utf-8")
        if left:
            with pytest.raises(RobotError) as caught:
                load(tmp_path / "six.toml")
            assert len(caught.value.faults) == left
    assert [leg.name for leg in load(tmp_path / "six.toml").legs] == ["A", "B", "C", "D", "E", "F"]
