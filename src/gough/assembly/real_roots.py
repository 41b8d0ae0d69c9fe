"""How many real angles two equations f T g = 0 can have at most, proved.

That says whether a pose is missing where complex solutions fall together or are infinite. With (cos s, sin s)
eliminated, a trigonometric polynomial D(t) is left (see `angle_equations`). Its Fourier coefficients bound its
derivatives. An interval on which it is larger than its slope allows it to fall has no root, one on which the slope is
larger than its bend allows has one at most.
"""

from __future__ import annotations

import numpy as np

from gough.assembly.angle_equations import eliminant
from gough.graph import Array

_CELLS = 8192
_DEGREE = 4
_ROUND = 256.0 * np.finfo(float).eps
"""Round-off of a value of D, and of what its coefficients were computed from, in shares of what it is made of."""


def most_real_angles(T: Array) -> int | None:
    """How many real t there are at most for which real T (2, 3, 3) have a solution s; None where it is not known."""
    slack = _ROUND * 8.0 * float((T[0] ** 2).sum() * (T[1] ** 2).sum())
    circle = np.exp(2j * np.pi * np.arange(32) / 32)
    spectrum = np.fft.fft(eliminant(T.transpose(0, 2, 1)[None], circle)[0]) / 32
    orders = np.arange(-_DEGREE, _DEGREE + 1)
    c = spectrum[orders % 32]
    slope, bend = float((np.abs(orders) * np.abs(c)).sum() + slack), float((orders**2 * np.abs(c)).sum() + slack)
    half = np.pi / _CELLS
    t = 2.0 * half * np.arange(_CELLS)
    waves = np.exp(1j * np.outer(t, orders))
    value, rate = (waves @ c).real, (waves @ (1j * orders * c)).real
    may = np.abs(value) <= slope * half + slack
    one = np.abs(rate) > bend * half + slack
    if may.all() or (may & ~one).any():
        return None
    starts = may & ~np.roll(may, 1)
    turned = may & np.roll(may, 1) & (np.sign(rate) != np.sign(np.roll(rate, 1)))
    return None if turned.any() else int(starts.sum())
