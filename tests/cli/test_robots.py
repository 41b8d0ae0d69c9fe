"""`gough robots`."""

from __future__ import annotations

import json

from gough import catalogue
from tests.cli.running import ROBOTS, outcome


def test_one_line_per_robot(capsys):
    code, out, err = outcome(capsys, "robots")
    assert (code, err) == (0, "")
    header, *lines = out.splitlines()
    assert header.split() == ["name", "legs", "coordinates", "source"]
    assert [line.split()[0] for line in lines] == list(ROBOTS) == catalogue()
    rows = {line.split()[0]: line for line in lines}
    assert rows["stewart"].split(maxsplit=8)[1:] == ["6-UPS", "x", "y", "z", "psi", "theta", "phi", "A. M. Lopes"]
    assert "2-PRU + 1-PPa  y z theta" in rows["spatial3"]
    assert rows["hexapod"].endswith("R. Sinatra, F.-F. Xi, S. Staicu")


def test_json(capsys):
    code, out, _ = outcome(capsys, "robots", "--json")
    entries = json.loads(out)
    assert code == 0
    assert [entry["name"] for entry in entries] == list(ROBOTS)
    for entry in entries:
        assert set(entry) == {"name", "type", "coordinates", "description", "source"}
        assert all(entry.values())
