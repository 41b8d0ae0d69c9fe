"""The papers' tables and figures as `gough count` and `gough paper` give them."""

import itertools

import numpy as np
import pytest

from gough.report.lopes_table import lopes_table, lopes_text
from gough.report.papers import PAPERS
from gough.report.plots import COLORS, DASHES, curves, figure
from tests.support.papers import assert_printed, paper

FIGURES = {
    "stewart": ("fig4", "fig5", "fig6"),
    "hexapod": ("fig3", "fig4", "fig5", "fig6", "fig7", "fig8"),
    "spatial3": ("fig3", "fig4", "fig5"),
    "sru": ("joint_motions", "torques", "terms"),
}


@pytest.mark.parametrize("name", PAPERS)
def test_every_paper_has_its_figures(name):
    files = PAPERS[name]()
    pictures = [file for file in files if file.endswith(".png")]
    assert len(pictures) == len(FIGURES[name])
    for drawn in FIGURES[name]:
        assert sum(file.startswith(drawn) for file in pictures) == 1
    assert all(files[file].startswith(b"\x89PNG") for file in pictures)
    assert any(file.endswith(".txt") for file in files)


def test_tables_hold_the_companions_numbers():
    text = PAPERS["stewart"]()["forces.txt"].decode()
    rows = np.array([[float(cell) for cell in line.split()] for line in text.splitlines()[3:]])
    samples = paper("stewart")["trig3"]["samples"]
    assert rows[:, 0] == pytest.approx([s["t"] for s in samples])
    assert rows[:, 1:] == pytest.approx(np.array([s["tau"] for s in samples]), rel=1e-8)


def test_lopes_table_has_the_papers_ratios():
    """Ours are 6.4 and 6.5 times; companion B.1 has 6.9 and 7.1 for this convention, the paper 10.4 and 7.8."""
    rows = lopes_table()
    totals = {row.method: row for row in rows if row.body == "total"}
    assert totals["L"].paper == (101483, 177095, 180)
    assert totals["K"].paper == (76056, 133311, 180)
    assert totals["GM"].paper == (8708, 18026, 144)
    printed = {method: sum(row.paper) for method, row in totals.items()}
    assert printed == {"L": 278758, "K": 209547, "GM": 26878}
    assert_printed([printed["L"] / printed["GM"], printed["K"] / printed["GM"]], [10.4, 7.8], digits=3)
    for method, low, high in (("L", 5.5, 7.0), ("K", 5.5, 7.1)):
        assert low < sum(totals[method].ours) / sum(totals["GM"].ours) < high
    by_name = {(row.body, row.method): row.ours for row in rows}
    assert by_name["C_rot", "GM"] == by_name["S_rot", "GM"]
    for method in ("L", "K", "GM"):
        piston, cylinder = by_name["S_tra", method], by_name["C_tra", method]
        assert piston[1:] == cylinder[1:]
        assert piston[0] > cylinder[0]
        assert sum(by_name["platform", method]) < sum(cylinder)
    assert "L : GM" in lopes_text(rows)


def test_curves_that_coincide_have_one_line_and_a_joint_name():
    _, (ax,) = figure()
    t = np.linspace(0.0, 1.0, 5)
    for values, expected in (
        ([t, t, t, t], ["all legs"]),
        ([t, 2 * t, t, 2 * t], ["legs 1, 3", "legs 2, 4"]),
        ([t, t, 3 * t], ["legs 1, 2", "leg 3"]),
    ):
        ax.clear()
        curves(ax, t, np.array(values).T, [f"leg {k + 1}" for k in range(len(values))])
        assert ax.get_legend_handles_labels()[1] == expected
    ax.clear()
    curves(ax, t, np.array([t, t]).T, ["x", "y"])
    assert ax.get_legend_handles_labels()[1] == ["x, y"]


def test_lines_differ_without_their_colours():
    """By their pattern: on and off lengths of dashes, solid once."""
    assert DASHES[0] == "-"
    periods = {dash[1] for dash in DASHES[1:]}
    assert len(periods) == len(COLORS) - 1
    plain = sorted(sum(period) for period in periods if len(period) == 2)
    assert all(longer / shorter > 1.5 for shorter, longer in itertools.pairwise(plain))
