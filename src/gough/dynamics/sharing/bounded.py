"""Forces nearest to the reference within the limits of all actuators.

`polygon` and `active_set` find which limits the forces are at. Those are then fixed, and the others share what is left
by least norm: exact to round-off, and differentiated like any other solve. Derivatives are those of the limits that are
held; where one is just being reached they have a kink.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gough.dynamics.sharing.active_set import polytope
from gough.dynamics.sharing.polygon import AtLimits, interval, polygon, strips, within
from gough.dynamics.sharing.shares import Shared, Shares
from gough.graph import array, greater, logical_or, orthogonal, where


def limits_reached(given: Shares, limits: Sequence[tuple[Any, Any]]) -> AtLimits:
    """Which limits the smallest forces within them are at; the limits are those of s."""
    search = {0: within, 1: interval, 2: polygon}.get(given.spare, polytope)
    basis = given.internal() if given.spare else [[]] * len(given.K)
    return search(strips(basis, given.smallest(), limits))


def bounded(given: Shares, limits: Sequence[tuple[Any, Any]]) -> Shared:
    """The forces with the least sum of weight (tau - reference)^2 within `limits` of tau."""
    scaled = given.scaled(limits)
    if all(limit is None for pair in scaled for limit in pair):
        return Shared(given.force(given.smallest()), True)
    found = limits_reached(given, scaled)
    return Shared(given.force(at_limits_shared(given, scaled, found)), found.feasible)


def at_limits_shared(given: Shares, limits: Sequence[tuple[Any, Any]], found: AtLimits) -> Any:
    """(m,) s: at the limits found where it is, of least norm otherwise."""
    if given.spare == 0:
        return given.smallest()
    fixed = []
    for upper, lower, (low, high) in zip(found.upper, found.lower, limits, strict=True):
        at = where(greater(upper, 0.5), 0.0 if high is None else high, 0.0)
        fixed.append(where(greater(lower, 0.5), 0.0 if low is None else low, at))
    held = [logical_or(greater(u, 0.5), greater(v, 0.5)) for u, v in zip(found.upper, found.lower, strict=True)]
    free = array([[where(held[k], 0.0, entry) for entry in row] for k, row in enumerate(given.K)])
    left = given.Q - given.K.T @ array(fixed)
    rest = orthogonal(free).least_norm(left, len(free))
    return array([where(held[k], fixed[k], rest[k]) for k in range(len(fixed))])
