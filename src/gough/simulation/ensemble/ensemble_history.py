"""What is kept of an ensemble over time, and its statistics."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from gough.errors import InputError
from gough.robot import Robot

History = Literal["decimated", "full", "none"]

INSTANTS = 51
"""Times of a decimated history."""
DECIMATED_BYTES = 64 * 2**20
"""A decimated history is coarser if it would take more."""


def steps_between(history: str, steps: int, count: int, n: int, tell: Callable[[str], None] | None) -> int:
    """Steps from one kept instant to the next; the size of a full history is printed first.

    Args:
        history: One of `History`.
        steps: Of the simulation.
        count: Of robots.
        n: Of platform coordinates.
        tell: Called with a line; None for standard error.
    """
    if history not in ("decimated", "full", "none"):
        raise InputError(f"history: {history!r} given, choose decimated, full or none")
    if history == "full":
        size = (steps + 1) * count * (n + 1) * 8
        say = tell if tell is not None else lambda line: print(line, file=sys.stderr)
        say(f"full history of {count} robots at {steps + 1} times: {size / 2**20:.4g} MB")
        return 1
    fits = max(2, DECIMATED_BYTES // max(1, count * (n + 1) * 8))
    instants = min(INSTANTS, fits, steps + 1)
    return max(1, -(-steps // (instants - 1)))


def statistics(xs: Any, good: Any) -> dict[str, Any]:
    """Mean, deviation, least and most (T, n) of xs (T, N, n) over the good robots (N,); NaN if there are none."""
    if not good.any():
        return dict.fromkeys(("mean", "deviation", "least", "most"), np.full(xs[:, 0].shape, np.nan))
    kept = xs[:, good]
    return {
        "mean": kept.mean(axis=1),
        "deviation": kept.std(axis=1),
        "least": kept.min(axis=1),
        "most": kept.max(axis=1),
    }


def worst_errors(robot: Robot, xs: Any, reference: Any) -> Any:
    """(N,) largest distance of xs (T, N, n) from the reference (T, n), turns taken in rad."""
    turns = np.array([c.turns for c in robot.platform.coordinates])
    apart = xs - reference[:, None]
    apart = np.where(turns, (apart + np.pi) % (2.0 * np.pi) - np.pi, apart)
    with np.errstate(all="ignore"):
        return np.sqrt((apart**2).sum(axis=2)).max(axis=0)
