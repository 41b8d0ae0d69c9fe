"""The words beside a live robot: what is warned of, and in which units."""

from __future__ import annotations

import numpy as np
import pytest

from gough import MotionError, load
from gough.display import display_units
from gough.dynamics import inverse_dynamics
from gough.view.browser.panel import actuator_table, faults
from gough.view.drawing.scene import is_small

MM = display_units("mm,deg")


def at(name, x):
    return inverse_dynamics(load(name), np.array([x], dtype=float))


@pytest.mark.parametrize(
    ("name", "x", "words"),
    [
        ("stewart", [0, 0, 2, 0, 0, 0], []),
        ("stewart", [0, 0, 3.6, 0, 0, 0], ["1 is ", "mm beyond its stroke"]),
        ("stewart", [0, 0, 2, np.pi / 2 - 1e-3, 0, 0], ["poorly conditioned: condition number"]),
        ("stewart", [0, 0, 2, np.pi / 2, 0, 0], ["near singular: condition number"]),
        ("hexapod", [0, 0, 0.9, 0, 0, 0], ["is out of reach by", " mm"]),
    ],
)
def test_warnings(name, x, words):
    found = "; ".join(fault.text for fault in faults(at(name, x), 0, MM))
    assert bool(found) == bool(words)
    for word in words:
        assert word in found


def test_the_table_is_in_the_units_asked_for():
    text = actuator_table(at("stewart", [0, 0, 2, 0, 0, 0]), 0, display_units("mm,kN"))
    assert "| 1 | 2285.1 mm | 0.0070425 kN |" in text
    assert "| - | - |" in actuator_table(at("hexapod", [0, 0, 0.9, 0, 0, 0]), 0, MM)


def test_units_that_are_none_are_refused():
    with pytest.raises(MotionError, match="did you mean deg"):
        display_units("mm,dge")
    assert is_small(load("rotary")) != is_small(load("stewart"))
