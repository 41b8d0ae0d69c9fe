"""The best motion of a space of splines under limits at even steps of its time, with exact derivatives.

The variables are no control points but combinations of them that count by their accelerations: a step of one size
changes forces by one size, whichever it is of.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gough.dynamics.drives import dry_friction
from gough.graph import Array
from gough.timing.free_limits import FreeLimits
from gough.timing.linear_steps import Least, least
from gough.timing.spline_space import SplineSpace

PER_SPAN = 6
"""Steps at which limits are looked at, of each stretch between knots; an even number."""
AROUND = 5.0
"""How large a variable may be: accelerations in those of the straight line."""
SOFT = 1e-2
"""Power and speed, of the largest, over which the steps at their zeros are rounded off."""
LEAST = ("time", "energy", "force")
"""What can be made least."""


@dataclass(frozen=True)
class Found:
    """The best of the space.

    Attributes:
        points: (free, n) control points.
        duration: [s].
        value: Time [s], energy [J] or force [N or N m], at the steps looked at.
        violated: Largest miss of a row, in its limit; 0 where all are kept.
        steps: Steps of the solver.
    """

    points: Array
    duration: float
    value: float
    violated: float
    steps: int


@dataclass(frozen=True)
class Search:
    """A space, limits and what is to be least. Variables y: (free n) of the shape, then the time or the largest force.

    Attributes:
        space: The space of motions.
        limits: Rows; without those of force where the largest force is to be least.
        least: One of LEAST.
        unit: (n,) by which coordinates count alike [m or rad].
        duration: [s]; where the time is to be least, that to start from.
        share: Share of the limits that may be used.
    """

    space: SplineSpace
    limits: FreeLimits
    least: str
    unit: Array
    duration: float
    share: float = 1.0

    @cached_property
    def u(self) -> Array:
        """(N,) steps of the time, from 0 to 1."""
        return np.linspace(0.0, 1.0, PER_SPAN * self.space.spans + 1)

    @cached_property
    def mixing(self) -> Array:
        """(free, free) control points by variables: those of rms acceleration as large as the straight line's."""
        bend = self.space.basis(self.u)[2][:, 2:-2]
        law = np.sqrt(np.mean((6.0 - 12.0 * self.u) ** 2))
        return np.asarray(np.linalg.inv(np.linalg.cholesky(bend.T @ bend / len(bend))).T * law)

    @cached_property
    def _shape(self) -> tuple[Array, Array]:
        """The straight line (3, N, n), and what a unit of each variable adds (3, N, free)."""
        basis = self.space.basis(self.u)
        return basis @ self.space.full(self.space.straight), basis[:, :, 2:-2] @ self.mixing

    def points(self, y: Array) -> Array:
        """(free, n) control points."""
        return self.space.straight + self.mixing @ y[:-1].reshape(self.space.free, -1) * self.unit

    def variables(self, points: Array, level: float) -> Array:
        """The variables of control points (free, n), and the last of them."""
        return np.append(np.linalg.solve(self.mixing, (points - self.space.straight) / self.unit).ravel(), level)

    def states(self, y: Array, duration: float) -> Array:
        """(N, 3 n) x, xd, xdd in a time."""
        straight, modes = self._shape
        moved = straight + modes @ (y[:-1].reshape(self.space.free, -1) * self.unit)
        return np.concatenate([moved[k] / duration**k for k in range(3)], axis=1)

    def look(self, y: Array) -> tuple[float, Array, Array, Array]:
        """Goal, its slope (variables,), rows (m,) at most 0 and their slopes (m, variables)."""
        level = float(y[-1])
        duration = level if self.least == "time" else self.duration
        state = self.states(y, duration)
        found = self.limits.at(state)
        values, slopes = self.limits.rows(found, self.share)
        by_shape, by_level = self._chained(slopes, state, duration)
        goal, slope = level, np.zeros(len(y))
        slope[-1] = 1.0
        if self.least != "time":
            by_level = np.zeros_like(by_level)
        if self.least == "force":
            force, (by, _) = found["force"][0] / level, self._chained(found["force"][1] / level, state, duration)
            values = np.concatenate([values, force - 1.0, -force - 1.0], axis=1)
            by_shape = np.concatenate([by_shape, by, -by], axis=1)
            by_level = np.concatenate([by_level, -force / level, force / level], axis=1)
        elif self.least == "energy":
            goal, slope[:-1] = self._energy(found, state, duration)
            slope[-1] = 0.0
        full = np.concatenate([by_shape.reshape(values.size, -1), by_level.reshape(-1, 1)], axis=1)
        return goal, slope, values.ravel(), full

    def _chained(self, slopes: Array, state: Array, duration: float) -> tuple[Array, Array]:
        """(N, r, free n) by the shape and (N, r) by the time, of slopes (N, r, 3 n) by the states."""
        n, modes = len(self.unit), self._shape[1]
        parts = [slopes[:, :, k * n : (k + 1) * n] for k in range(3)]
        by = sum(np.einsum("arn,af->arfn", p * self.unit, modes[k] / duration**k) for k, p in enumerate(parts))
        rate, bend = state[:, None, n : 2 * n], state[:, None, 2 * n :]
        by_time = -((parts[1] * rate).sum(axis=2) + 2.0 * (parts[2] * bend).sum(axis=2)) / duration
        return np.asarray(by).reshape(*slopes.shape[:2], -1), by_time

    def _energy(self, found: dict[str, tuple[Array, Array]], state: Array, duration: float) -> tuple[float, Array]:
        """Work delivered [J], with rounded steps where powers and speeds change their signs, and its slope."""
        (force, by_force), (speed, by_speed) = found["force"], found["speed"]
        slow, soft = self._rounded
        dry, size = dry_friction(self.limits.robot), np.sqrt(speed**2 + slow**2)
        power = (force + dry * speed / size) * speed
        by_rate = force + dry * speed / size * (1.0 + (slow / size) ** 2)
        by = by_force * speed[:, :, None] + by_rate[:, :, None] * by_speed
        rounded = np.sqrt(power**2 + soft**2)
        weight = np.full(len(self.u), 2.0)  # Simpson's
        weight[1::2], weight[0], weight[-1] = 4.0, 1.0, 1.0
        weight *= duration / weight.sum()
        chained, _ = self._chained(0.5 * (1.0 + power / rounded)[:, :, None] * by, state, duration)
        return float((weight @ (0.5 * (power + rounded))).sum()), np.einsum("a,arf->f", weight, chained)

    @cached_property
    def _rounded(self) -> tuple[float, float]:
        """Speed and power over which steps are rounded off, from the straight line."""
        found = self.limits.at(self.states(np.zeros(self.space.straight.size + 1), self.duration))
        speed, power = (np.abs(v).max() for v in (found["speed"][0], found["force"][0] * found["speed"][0]))
        return SOFT * max(float(speed), 1e-12), SOFT * max(float(power), 1e-12)

    def best(self, start: Array) -> Found:
        """The best motion from control points (free, n) on."""
        level = self.duration
        if self.least == "force":
            state = self.states(self.variables(start, 1.0), self.duration)
            level = float(np.abs(self.limits.at(state)["force"][0]).max())
        y = self.variables(start, level)
        unit = np.append(np.ones(len(y) - 1), level)
        size = abs(self.look(y)[0]) or 1.0

        def look(v: Array) -> tuple[float, Array, Array, Array]:
            goal, slope, rows, slopes = self.look(v * unit)
            return goal / size, slope * unit / size, rows, slopes * unit

        low, high = np.full(len(y), -AROUND), np.full(len(y), AROUND)
        low[-1], high[-1] = 0.02, 2.0
        start_at = np.clip(y / unit, low, high)
        found = _curved(look, start_at, low, high) if self.least == "energy" else least(look, start_at, low, high)
        y = found.y * unit
        duration = float(y[-1]) if self.least == "time" else self.duration
        return Found(self.points(y), duration, found.goal * size, found.violated, found.steps)

    def feasible_time(self, points: Array) -> float:
        """A time in which control points keep all rows that more time helps: about the shortest [s]."""
        y = self.variables(points, 0.0)

        def missed(time: float) -> float:
            return float(self.limits.rows(self.limits.at(self.states(y, time)), self.share)[0].max())

        least_miss = max(missed(1e6 * self.duration), 0.0)
        low, high = 1e-3 * self.duration, 1e6 * self.duration
        for _ in range(50):
            middle = float(np.sqrt(low * high))
            low, high = (low, middle) if missed(middle) <= 1.001 * least_miss else (middle, high)
        return high


def _curved(look: Any, y: Array, low: Array, high: Array) -> Least:
    """The least of a goal that is curved itself, by sequential quadratic programming on the rows that matter."""
    from scipy.optimize import minimize

    last: dict[bytes, Any] = {}

    def at(v: Array) -> Any:
        key = v.tobytes()
        if key not in last:
            last.clear()
            last[key] = look(v)
        return last[key]

    steps, active = 0, np.flatnonzero(at(y)[2] > -0.02)
    for _ in range(8):
        rows: dict[str, Any] = {"type": "ineq"}
        rows["fun"], rows["jac"] = (lambda v, k=k, own=active: -at(v)[k][own] for k in (2, 3))
        found = minimize(
            lambda v: at(v)[0],
            y,
            jac=lambda v: at(v)[1],
            bounds=list(zip(low, high, strict=True)),
            constraints=[rows] if len(active) else [],
            method="SLSQP",
            options={"maxiter": 100, "ftol": 1e-6},
        )
        steps, y = steps + int(found.nit), found.x
        missed = np.flatnonzero(at(y)[2] > 1e-6)
        if not len(np.setdiff1d(missed, active)):
            break
        active = np.union1d(active, np.flatnonzero(at(y)[2] > -0.02))
    goal, _, values, _ = at(y)
    miss = float(values.max())
    return Least(y, goal, miss if miss > 1e-6 else 0.0, steps)
