"""The fastest law along a path under rows A u + B z + C <= 1: reachability analysis by toppra (Pham and Pham, 2018).

toppra's own scheme that looks at both ends of a cell counts one value of each coefficient per place. Here each cell has
its own at either end, as dry friction needs, and they are handed over as rows of the cell's beginning: at its end
z is z + 2 step u.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.errors import InputError
from gough.graph import Array
from gough.timing.limit_rows import Rows

SCALES = (1.0, 10.0, 3.0, 30.0, 0.3)
"""Units of the pace that are tried: toppra's linear programs fail now and then at one of them, for rounding."""
BISECTIONS = 12
"""Halvings of the interval that the rate at a rolling end is in."""
FAR = 1e4
"""Where toppra ends its search for the largest rate, squared and in units of the pace."""


@dataclass(frozen=True)
class Profile:
    """Squared speed over the place.

    Attributes:
        grid: (N + 1,) places.
        z: (N + 1,) squared rates of the place.
    """

    grid: Array
    z: Array

    @property
    def u(self) -> Array:
        """(N,) accelerations of the place, one in each cell."""
        return np.diff(self.z) / (2.0 * np.diff(self.grid))

    @property
    def ends(self) -> Array:
        """(2, N) z at the beginnings and ends of the cells."""
        return np.stack([self.z[:-1], self.z[1:]])

    @property
    def durations(self) -> Array:
        """(N,) of the cells; infinite between two places of rest."""
        with np.errstate(divide="ignore"):
            return 2.0 * np.diff(self.grid) / (np.sqrt(self.z[:-1]) + np.sqrt(self.z[1:]))

    @property
    def duration(self) -> float:
        """Of all."""
        return float(self.durations.sum())


def toppra_parts() -> tuple[Any, Any]:
    """toppra and its class of linear constraints.

    Raises:
        InputError: It is not installed.
    """
    try:
        import toppra
        from toppra.constraint import LinearConstraint
    except ImportError:
        raise InputError("fastest: needs the package toppra: pip install 'gough[fastest]'") from None
    return toppra, LinearConstraint


def fastest_profile(grid: Array, rows: Sequence[Rows], pace: float, rolling: bool = False) -> Profile | None:
    """The fastest profile; None where there is none.

    Args:
        grid: (N + 1,) places.
        rows: Limits in each cell.
        pace: A typical rate of the place, by which rates are scaled for toppra.
        rolling: Whether the rates of the place at both ends are free: the path has no slope there, and the motion is at
            rest at any rate. Otherwise they are zero.
    """
    for unit in (factor * pace for factor in SCALES):
        solver = _solver(grid, rows, unit)
        begin, end = _end_rates(solver) if rolling else (0.0, 0.0)
        _, rate, _ = solver.compute_parameterization(begin, end)
        if rate is not None and np.isfinite(rate).all():
            z = np.asarray(rate, dtype=float) ** 2 * unit**2
            if not rolling:
                z[0] = z[-1] = 0.0
            return Profile(grid, z)
    return None


def _end_rates(solver: Any) -> tuple[float, float]:
    """The largest rates at the beginning and at the end with which the path can be passed.

    The largest of all profiles that keep to the rows keeps to them too: both ends are largest together.
    """

    def begin(end: float) -> float:
        sets = solver.compute_controllable_sets(end, end)
        fine = sets is not None and np.isfinite(sets).all() and (sets[:, 1] >= sets[:, 0]).all()
        return float(np.sqrt(max(sets[0, 1], 0.0))) if fine else np.nan

    top = solver.compute_feasible_sets()[-1, 1]
    high = float(np.sqrt(min(top, FAR))) if np.isfinite(top) else 1.0
    low, first = 0.0, begin(0.0)
    for k in range(BISECTIONS):
        end = high if k == 0 else 0.5 * (low + high)
        found = begin(end)
        if np.isfinite(found):
            low, first = end, found
            if k == 0:
                break
        else:
            high = end
    return (1.0 - 1e-9) * (first if np.isfinite(first) else 0.0), (1.0 - 1e-9) * low


def highest_rates(grid: Array, rows: Sequence[Rows], pace: float) -> Array:
    """(N + 1,) squared rates of the place beyond which no acceleration keeps to the limits there, infinite if none."""
    alone = [Rows(r.kind, r.owner, *(np.repeat(part[:, :1], 2, axis=1) for part in (r.A, r.B, r.C))) for r in rows]
    found = _solver(grid, alone, pace, ends=False).compute_feasible_sets()[:, 1]
    return np.where(found < 0.99 * FAR, found, np.inf) * pace**2


def _solver(grid: Array, rows: Sequence[Rows], pace: float, ends: bool = True) -> Any:
    """toppra's own, on places from 0 to 1 and rates in units of `pace`."""
    toppra, constraint = toppra_parts()
    size, span = pace * pace, float(grid[-1] - grid[0])
    A, B, C = (np.concatenate([getattr(r, name) for r in rows]) for name in "ABC")
    later = A[:, 1] + 2.0 * np.diff(grid) * B[:, 1] if ends else A[:, 1]
    a = np.concatenate([A[:, 0], later]).T * (size / span)
    b = np.concatenate([B[:, 0], B[:, 1]]).T * size
    c = np.concatenate([C[:, 0], C[:, 1]]).T
    parts = [np.concatenate([part, part[-1:]]) for part in (a, b, c)]

    class Limits(constraint):  # type: ignore[misc, valid-type]
        def __init__(self) -> None:
            super().__init__()
            self.identical = True

        def compute_constraint_params(self, path: Any, gridpoints: Any) -> tuple[Any, ...]:
            return (*parts, np.eye(a.shape[1]), np.ones(a.shape[1]), None, None)

    class Straight:
        path_interval = np.array([0.0, 1.0])
        dof = 1

    logging.getLogger("toppra").setLevel(logging.CRITICAL)
    places = (grid - grid[0]) / span
    places[-1] = 1.0
    return toppra.algorithm.TOPPRA([Limits()], Straight(), gridpoints=places, solver_wrapper="seidel")
