"""Tables as text and for LaTeX."""

from __future__ import annotations

import numpy as np

import gough
from gough import Table
from gough.table import Block

SMALL = Table(
    2,
    (
        Block("x", np.array([[0.05, -0.0], [1.0 / 3.0, np.nan]]), ("m", "rad"), {"coordinate": ("x", "yaw")}, ""),
        Block("certified", np.array([True, False])),
        Block("leg_name", np.array(["A", "B_1"])),
    ),
)


def test_a_table_prints_its_rows():
    assert str(SMALL).splitlines() == [
        "   x [m]  yaw [rad]  certified  leg_name",
        "    0.05          0  yes        A",
        "0.333333          -  no         B_1",
    ]
    assert SMALL.to_text(units="mm,deg").splitlines()[0].split("  ")[0].strip() == "x [mm]"
    assert repr(SMALL) == "Table(2 rows of x, certified, leg_name)"


def test_a_long_table_prints_its_ends():
    table = Table(1000, (Block("t", np.arange(1000) * 0.5, "s"),))
    lines = table.to_text(rows=5).splitlines()
    assert [line.strip() for line in lines] == ["t [s]", "0", "0.5", "1", "...", "499", "499.5", "(1000 rows)"]


def test_a_wide_table_goes_on_below():
    table = Table(1, tuple(Block(f"a_rather_long_name_{k}", np.array([float(k)])) for k in range(12)))
    text = str(table)
    assert max(map(len, text.splitlines())) <= 118
    assert text.count("\n\n") == 2
    assert all(f"name_{k}" in text for k in range(12))


def test_latex():
    assert SMALL.to_latex().splitlines() == [
        r"\begin{tabular}{rrll}",
        r"\toprule",
        r"x [m] & yaw [rad] & certified & leg\_name \\",
        r"\midrule",
        r"0.05 & 0 & yes & A \\",
        r"0.333333 & - & no & B\_1 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_results_hand_their_table_on():
    found = gough.assembly_modes(gough.load("fivebar"), [2.0, 1.1])
    assert found.to_text() == str(found.table)
    assert found.to_latex().count(r"\\") == 3
