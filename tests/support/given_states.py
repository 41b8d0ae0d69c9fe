"""States from the arrays that tests have: rows of numbers, and the nine numbers of a base that programs take."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

import gough


def state_of(rows: Any) -> gough.State:
    """The state of x, xd, xdd and, if there is a fourth, a wrench."""
    x, xd, xdd, *more = rows
    return gough.State(x, xd, xdd, wrench=more[0] if more else None)


def base_state(robot: Any, rates: ArrayLike) -> gough.BaseState:
    """A base that is not turned and feels this gravity, w and wd: (9,) or (N, 9)."""
    felt, w, wd = np.split(np.asarray(rates, dtype=float), 3, axis=-1)
    return gough.BaseState(None, np.array(robot.gravity) - felt, w, wd)
