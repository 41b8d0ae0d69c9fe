"""The benchmark of assembly modes times what finds them all."""

import json

from benchmarks import assembly_modes


def test_a_quick_run_finds_the_modes_it_times(tmp_path, capsys):
    assert assembly_modes.main(["--quick", "--json", str(tmp_path / "figures.json")]) == 0
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert [(row["robot"], row["solutions"]) for row in figures["rows"]] == [("general", 40), ("stewart", 16)]
    assert all(row["complete"] >= 0.98 for row in figures["rows"])
    assert figures["elimination"]["apart"] < 1e-6
    assert "40 modes, batched, per pose" in capsys.readouterr().out
