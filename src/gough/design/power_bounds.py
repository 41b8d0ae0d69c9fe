"""Bounds of powers over boxes of poses and velocities.

With the forms of `gough.design.power_polynomial`, power either way is the larger of qc + f |q| and -qc - f |q|, f being
dry friction, plus |qA| and |qW| summed up (or the norm, over a ball). Without the rests the first is convex, and so is
the second with |q| >= s q for the sign s that q has in the middle: the largest is in a corner of the box.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from gough.design.envelope import Envelope
from gough.design.form_bounds import ROUND_OFF, at_corners, linear


def power_bounds(forms: dict[str, Any], envelope: Envelope, dry: Any) -> Any:
    """(m, B) bounds; not finite where there is none."""
    corners = np.array(list(product((-1.0, 1.0), repeat=len(forms["q"]) - 2)))
    q, qc, qA, qW = (at_corners(forms[name], corners) for name in ("q", "qc", "qA", "qW"))
    ball, friction = envelope.acceleration_ball, dry[:, None]
    spare = forms["qc"][-1] + linear(forms["qA"][-1], ball) + linear(forms["qW"][-1], False)
    spare = spare + friction * forms["q"][-1]
    given = qc + (friction * np.abs(q))[:, None]
    taken = -qc - (friction * np.sign(forms["q"][0]) * q)[:, None]
    reach = linear(qA, ball) + linear(qW, False)
    size = np.abs(qc) + reach + (friction * np.abs(q))[:, None]
    return (np.maximum(given, taken) + reach + ROUND_OFF * size + spare).max(axis=(0, 1))


def steepest(forms: dict[str, Any], radius: Any) -> Any:
    """(B,) the axis of each box along which power changes most, of those that are wide."""
    change = np.abs(forms["qc"][1:-1]).max(axis=(1, 2)) + np.abs(forms["qA"][1:-1]).sum(axis=3).max(axis=(1, 2))
    change = np.where(np.isfinite(change), change, 0.0) + 1e-300
    wide = np.flatnonzero((radius > 0.0).any(axis=0))
    share = change / change.max(axis=0) + (radius[:, wide] / radius[:, wide].max(axis=1, keepdims=True)).T
    return wide[share.argmax(axis=0)]
