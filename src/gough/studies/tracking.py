"""Tracking errors of simulated machines: the ensemble of `simulate_many`, with the study's numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gough.errors import NumericalError
from gough.graph import Array

if TYPE_CHECKING:
    from gough.studies.study import Study

TOGETHER = 1024
"""Robots stepped together."""


def tracking_errors(study: Study, first: int, values: Array) -> Array:
    """(N,) largest distance from the motion at the history's times; NaN for a robot that diverged.

    Args:
        study: With a motion.
        first: Number of the first machine.
        values: (N, k) of the varied numbers.
    """
    from gough.simulation import simulate_many

    found = []
    for begin in range(0, len(values), TOGETHER):
        part = values[begin : begin + TOGETHER]
        changes: dict[str, Any] = {}
        for k, one in enumerate(study.vary):
            changes |= one.changes(part[:, k])
        try:
            done = simulate_many(
                study.robot,
                input=study.controller,
                count=len(part),
                step=study.simulated.step,
                vary=changes,
                seed=study.drawing.seed,
                first=first + begin,
                threads=1,
            )
            found.append(np.where(done.diverged >= 0, np.nan, done.worst_error))
        except NumericalError:
            found.append(np.full(len(part), np.nan))
    return np.concatenate(found)
