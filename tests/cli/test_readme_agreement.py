"""The README's tables are what the commands print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gough.dynamics.default import CANDIDATES
from gough.report.counts import operation_counts
from gough.robot import catalogue, load

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def printed(command):
    """Rows under the header of a command's output, by robot."""
    block = re.search(rf"```console\n\$ {command}\n(.*?)```", README, re.DOTALL)[1]
    header, *lines = block.splitlines()
    return header, {line.split()[0]: line.split()[1:] for line in lines}


@pytest.mark.parametrize("name", catalogue())
def test_counts(name):
    """Newton and Euler to the complement; Lagrange's columns are checked to be far larger, not counted again here."""
    _, rows = printed("gough count all")
    counts = [c.total.flops for c in operation_counts(load(name), CANDIDATES)]
    values = [int(cell) for cell in rows[name]]
    assert values[: len(counts)] == counts
    assert min(values[len(counts) :]) > 3 * max(counts)


def test_agreement():
    header, rows = printed("gough verify all")
    assert header.split() == ["robot", "largest", "condition", "forces", "power", "matrices", "passed"]
    assert list(rows) == catalogue()
    for _, *figures, passed in rows.values():
        assert max(map(float, figures)) < 1e-12
        assert passed == "yes"
