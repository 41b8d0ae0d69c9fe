"""Forces given over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.brief import brief
from gough.errors import InputError


@dataclass(frozen=True)
class Forces:
    """A force history: samples held until the next, or joined by straight lines.

    Attributes:
        t: (T,) increasing times [s].
        force: (T, actuators) [N or N m].
        hold: True holds each sample until the next; False joins them. Before and after, the nearest counts.
    """

    __repr__ = brief

    t: Any
    force: Any
    hold: bool = False

    def ready(self, m: int) -> tuple[Any, Any]:
        """The arrays, checked for m actuators."""
        t, force = np.asarray(self.t, dtype=float), np.asarray(self.force, dtype=float)
        if t.ndim != 1 or len(t) == 0 or not np.isfinite(t).all() or (np.diff(t) <= 0.0).any():
            raise InputError("forces: t must be increasing finite times (T,)")
        if force.shape != (len(t), m):
            raise InputError(f"forces: force of shape {force.shape} given, expected ({len(t)}, {m})")
        if not np.isfinite(force).all():
            raise InputError(
                f"forces: a force at t = {t[int(np.argmin(np.isfinite(force).all(axis=1)))]:g} s is no number"
            )
        return t, force


def value_at(t: Any, force: Any, hold: bool, now: float) -> Any:
    """(actuators,) of a checked history at a time."""
    k = int(np.searchsorted(t, now, side="right")) - 1
    if k < 0:
        return force[0]
    if hold or k == len(t) - 1:
        return force[k]
    share = (now - t[k]) / (t[k + 1] - t[k])
    return force[k] + share * (force[k + 1] - force[k])
