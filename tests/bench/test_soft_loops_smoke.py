"""Soft loops give wrong forces, stiff ones nearly right ones; the page states what the benchmark prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("mujoco")

from benchmarks import soft_loops

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "soft_constraints.md"
ROW = re.compile(r"^(\w+) +([\d.]+)% +([\d.]+)%$", re.MULTILINE)


def test_the_page_has_a_row_of_every_robot():
    assert [row[0] for row in ROW.findall(PAGE.read_text("utf-8"))] == list(soft_loops.ROBOTS)


@pytest.mark.parametrize("name", ["stewart", "planar3rrr"])
def test_errors_are_those_of_the_page(name):
    stated = {row[0]: (float(row[1]), float(row[2])) for row in ROW.findall(PAGE.read_text("utf-8"))}
    soft, stiff = (100 * soft_loops.force_error(name, solimp) for solimp in (soft_loops.DEFAULTS, soft_loops.STIFFEST))
    assert soft == pytest.approx(stated[name][0], rel=0.1)
    assert stiff == pytest.approx(stated[name][1], abs=0.01)
