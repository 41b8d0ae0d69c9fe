"""The companions' numbers and how near a computed one must come."""

import json
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parents[1] / "data" / "papers"


def paper(name):
    """The companion's numbers."""
    return json.loads((FOLDER / f"{name}.json").read_text())


def assert_printed(computed, printed, digits=12, zero=1e-12):
    """Asserts that `computed` rounds to `printed`, which has so many significant digits.

    Args:
        computed: Any shape.
        printed: Same shape.
        digits: Rounding admits five units of the next digit; 1 % more for the last bits.
        zero: Admitted in any case.
    """
    computed, printed = np.asarray(computed, float), np.asarray(printed, float)
    assert computed.shape == printed.shape
    assert np.isfinite(computed).all()
    with np.errstate(divide="ignore"):
        last = np.floor(np.where(printed == 0.0, 0.0, np.log10(np.abs(printed)))) - digits + 1
    allowed = np.where(printed == 0.0, zero, np.maximum(zero, 0.505 * 10.0**last))
    worst = np.abs(computed - printed) / allowed
    assert (worst <= 1.0).all(), f"{np.max(worst):.3g} times what rounding allows, {computed} against {printed}"
