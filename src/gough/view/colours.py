"""Colours of forces: blue where an actuator is pulled, red where it is pushed, grey where it does little."""

from __future__ import annotations

import numpy as np

from gough.view.theme import rgb

PULL, NOTHING, PUSH = "#2166ac", "#d9dde1", "#c0392b"
LOST = "#d81b60"
"""A leg that does not reach."""


def force_colour(force: float, most: float) -> tuple[int, int, int]:
    """Red, green, blue (0 to 255) of a force on a scale from -most to most."""
    if not np.isfinite(force):
        return whole(LOST)
    share = float(np.clip(force / most, -1.0, 1.0)) if most > 0.0 else 0.0
    far, near = np.array(rgb(PUSH if share > 0 else PULL)), np.array(rgb(NOTHING))
    red, green, blue = np.rint(255 * (near + abs(share) * (far - near))).astype(int).tolist()
    return red, green, blue


def whole(colour: str) -> tuple[int, int, int]:
    """Red, green, blue (0 to 255) of a colour such as "#1b1f24"."""
    red, green, blue = (round(255 * c) for c in rgb(colour))
    return red, green, blue


def lighter(colour: tuple[int, int, int]) -> tuple[int, int, int]:
    """Half way to white."""
    red, green, blue = ((255 + c) // 2 for c in colour)
    return red, green, blue
