"""The best design from one start: sequential quadratic programming on the states that matter.

Of the states only those are handed to the solver at which some row was worst so far. When it has found the best design
for these, all states are looked at; those at which a row is violated join, until none is. The gradients are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import Array
from gough.motion import State
from gough.optimisation.rows import BY_SHORT, MEANS, WORST, Judged, Rows

ROUNDS = 40
STEPS = 200
PRECISE = 1e-10
FITS = 1e-7
"""Largest violation of a row, relative to its limit, that is left as round-off of the solver."""
PER_ROUND = 12
"""States that join in a round, at most."""


@dataclass(frozen=True)
class Optimum:
    """A design found from one start.

    Attributes:
        p: The free numbers.
        value: The objective over all states.
        violated: Largest violation of a constraint, relative; at most FITS where all are kept.
        worst: Name of the constraint that is violated most, or kept with the least room.
        states: Numbers of the states that mattered.
        rounds, steps: Of exchange, and of the solver.
        active: Constraints and bounds that the design is at, each with the change of the objective per unit of room.
    """

    p: Array
    value: float
    violated: float
    worst: str
    states: tuple[int, ...]
    rounds: int
    steps: int
    active: tuple[tuple[str, float], ...]

    @property
    def feasible(self) -> bool:
        """Whether all constraints are kept."""
        return self.violated <= FITS


def minimise(judged: Judged, states: State, start: Array, stop: Callable[[], bool] = lambda: False) -> Optimum:
    """The best design near a start.

    Args:
        judged: Objective and constraints.
        states: All of the task.
        start: (variables,) within their bounds.
        stop: Whether to end early.
    """
    from scipy.optimize import minimize

    low, high = judged.measured.variables.low, judged.measured.variables.high
    width = high - low
    y = np.zeros(judged.size)
    y[:-2] = start
    y[-2], y[-1] = _levels(judged, states, start)
    unit = np.concatenate([width, [max(abs(y[-2]), 1e-9), max(abs(y[-1]), 1e-9)]])
    active = set(_worst_states(judged, states, y, PER_ROUND).tolist())
    steps = rounds = 0
    while rounds < ROUNDS:
        rounds += 1
        chosen = np.array(sorted(active), dtype=int)
        some = states if judged.objective in MEANS else states[chosen]
        part = _Part(judged, states, some, np.arange(len(states)) if some is states else chosen, unit)
        part.size = max(abs(part.at(y / unit)[0]), 1e-12)
        bounds = [*zip(low / width, high / width, strict=True), (None, None), (None, None)]
        found = minimize(
            part.goal,
            y / unit,
            jac=part.slope,
            bounds=bounds,
            constraints=[{"type": "ineq", "fun": part.room, "jac": part.room_slopes}],
            method="SLSQP",
            options={"maxiter": STEPS, "ftol": PRECISE},
        )
        steps += int(found.nit)
        if not np.isfinite(found.x).all():
            break
        y = found.x * unit
        y[:-2] = np.clip(y[:-2], low, high)
        more = set(_worst_states(judged, states, y, PER_ROUND, FITS).tolist()) - active
        if some is states or not more or stop():
            break
        active |= more
    return _optimum(judged, states, y, tuple(sorted(active)), rounds, steps)


@dataclass
class _Part:
    """Objective and rows at some states, of variables in units; the last place is kept.

    Attributes:
        judged, states: All.
        some, number: Those that are looked at, and their numbers.
        unit: (variables + 2,).
        size: What the objective is divided by.
    """

    judged: Judged
    states: State
    some: State
    number: Any
    unit: Array
    size: float = 1.0
    _key: bytes = b""
    _last: Any = None

    def at(self, v: Array) -> tuple[float, Array, Rows]:
        """Objective, its derivatives, and all rows."""
        if v.tobytes() != self._key:
            y = v * self.unit
            rows = [self.judged.rows(self.some, self.number, y), self.judged.alone(y)]
            self._last = (*self.judged.goal(self.states, y), Rows.joined(rows, self.judged.size))
            self._key = v.tobytes()
        return self._last

    def goal(self, v: Array) -> float:
        """The objective."""
        return self.at(v)[0] / self.size

    def slope(self, v: Array) -> Array:
        """Its derivatives."""
        return self.at(v)[1] * self.unit / self.size

    def room(self, v: Array) -> Array:
        """What is left to each row."""
        return -self.at(v)[2].values

    def room_slopes(self, v: Array) -> Array:
        """Their derivatives."""
        return -self.at(v)[2].slopes * self.unit


def _levels(judged: Judged, states: State, p: Array) -> tuple[float, float]:
    """The worst objective and the shortest length at a design."""
    top = judged.value(states, p) if judged.objective in WORST else 0.0
    short = 1.0
    if BY_SHORT & set(judged.limits):
        short = float(judged.measured.at(states, p)["stroke"][0].min())
    return min(top, 1e12), short


def _worst_states(judged: Judged, states: State, y: Array, most: int, above: float = -np.inf) -> Array:
    """States at which a row of some name is larger than `above` and the largest, most violated first."""
    rows = judged.rows(states, np.arange(len(states)), y)
    found: list[tuple[float, int]] = []
    names = np.array(rows.names)
    columns = [np.flatnonzero(names == name) for name in dict.fromkeys(rows.names)]
    for own in columns:
        order = own[np.argsort(-rows.values[own])]
        taken: set[int] = set()
        for k in order:
            state = int(rows.state[k])
            if rows.values[k] <= above or len(taken) >= most:
                break
            if state not in taken:
                taken.add(state)
                found.append((float(rows.values[k]), state))
    return np.array([state for _, state in sorted(found, reverse=True)[: 3 * most]], dtype=int)


def optimum_at(judged: Judged, states: State, p: Array, steps: int = 0, value: float | None = None) -> Optimum:
    """A design (variables,) as it is, with an objective that is only a number if that is given."""
    return _optimum(judged, states, np.append(p, [0.0, 1.0]), (), 0, steps, value)


def _optimum(
    judged: Judged,
    states: State,
    y: Array,
    used: tuple[int, ...],
    rounds: int,
    steps: int,
    number: float | None = None,
) -> Optimum:
    y = y.copy()
    top, short = _levels(judged, states, y[:-2])
    value = judged.value(states, y[:-2]) if number is None else number
    y[-2], y[-1] = top, short
    everything = Rows.joined([judged.rows(states, np.arange(len(states)), y), judged.alone(y)], judged.size)
    own = np.array([name != judged.objective for name in everything.names], dtype=bool)
    limits, names = everything.values[own], [n for n, keep in zip(everything.names, own, strict=True) if keep]
    violated = float(limits.max(initial=-np.inf))
    worst = names[int(limits.argmax())] if len(limits) else ""
    held = _active(judged, states, y, everything) if number is None else ()
    return Optimum(y[:-2], value, max(violated, 0.0), worst, used, rounds, steps, held)


def _active(judged: Judged, states: State, y: Array, rows: Rows) -> tuple[tuple[str, float], ...]:
    """Constraints and bounds at the design with their multipliers: least squares of the gradients that balance."""
    from scipy.optimize import nnls

    _, goal = judged.goal(states, y)
    variables = judged.measured.variables
    near = np.flatnonzero(rows.values > -1e-5)
    near = near[np.argsort(-rows.values[near])][:200]
    width = np.concatenate([variables.high - variables.low, [1.0, 1.0]])
    columns, names = [rows.slopes[k] * width for k in near], [rows.names[k] for k in near]
    for k, v in enumerate(variables.all):
        for end, sign in ((v.low, -1.0), (v.high, 1.0)):
            if abs(y[k] - end) <= 1e-6 * width[k]:
                column = np.zeros(judged.size)
                column[k] = sign * width[k]
                columns.append(column)
                names.append(f"{v.name} {'at least' if sign < 0 else 'at most'} {end:.6g}")
    if not columns:
        return ()
    multiplier, _ = nnls(np.array(columns).T, -goal * width)
    total: dict[str, float] = {}
    for name, value in zip(names, multiplier, strict=True):
        if value > 1e-9 * max(1.0, multiplier.max()):
            total[name] = total.get(name, 0.0) + float(value)
    total.pop(judged.objective, None)
    return tuple(sorted(total.items(), key=lambda item: -item[1]))
