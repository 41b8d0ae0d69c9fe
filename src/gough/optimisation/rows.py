"""Objectives and constraints of a design as rows that must not be above zero, with exact gradients.

A worst value over all states becomes a bound: a further variable that no state may be above. Further variables are the
worst values of the objective (`top`) and, where the ratio or span of lengths is limited, the shortest length (`short`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.analysis.leg_distances import pairs_of
from gough.graph import Array
from gough.motion import State
from gough.optimisation.compliance import NOTHING, Errors, pose_errors, stiffnesses
from gough.optimisation.measured import Measured, Values, singular_values

PEAKS = {"peak force": "force", "peak power": "power", "peak speed": "speed"}
WORST = (*PEAKS, "condition", "singular value", "stiffness", "pose error")
"""Objectives that are the worst over all states."""
MEANS = ("rms force",)
OF_TASK = {"largest box": "task.size", "task time": "task.time"}
"""Objectives that are a free number of the task."""
LARGE = ("singular value", "stiffness", "largest box", "workspace volume")
"""Objectives that are made as large as they can be."""
GAPS = ("base_gap", "platform_gap")
OF_JACOBIAN = ("condition", "singular", "stiffness", "pose_error")
LIMITS = ("force", "power", "speed", "stroke", "angle", "distance", "ratio", "stroke_span", *OF_JACOBIAN, *GAPS)
"""What a design may be limited by."""
BY_SHORT = {"ratio", "stroke_span"}
"""Limits from the shortest of all lengths."""
NEEDS = {
    **PEAKS,
    "rms force": "force",
    **dict.fromkeys(("condition", "singular value", "stiffness", "pose error", *OF_JACOBIAN), "K"),
    **{
        "ratio": "stroke",
        "stroke_span": "stroke",
        "stroke": "stroke",
        "force": "force",
        "power": "power",
        "speed": "speed",
    },
    **{"angle": "angle", "distance": "distance"},
}


def sign_of(objective: str) -> float:
    """By which an objective is counted to be made small."""
    return -1.0 if objective in LARGE else 1.0


@dataclass(frozen=True)
class Rows:
    """Values (r,) that must be at most zero, and their derivatives (r, variables + 2); the last two are top and short.

    Attributes:
        names: Names of each, for tables.
        state: (r,) which state it is of, -1 for none.
    """

    values: Array
    slopes: Array
    names: tuple[str, ...]
    state: Array

    @staticmethod
    def joined(parts: list[Rows], size: int) -> Rows:
        """All together."""
        if not parts:
            return Rows(np.zeros(0), np.zeros((0, size)), (), np.zeros(0, int))
        return Rows(
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.slopes for part in parts]),
            tuple(name for part in parts for name in part.names),
            np.concatenate([part.state for part in parts]),
        )


class _Made:
    """Rows under construction, and what they are made from.

    Attributes:
        states: Number of states.
        size: Number of variables, with top and short.
        number: (N,) numbers of the states.
        found: Measures with their slopes.
        parts: Rows so far.
    """

    def __init__(
        self,
        states: int,
        size: int,
        number: Any,
        found: Values,
        values: tuple[Array, Array] | None,
        of_jacobian: Mapping[str, tuple[Array, Array]],
    ) -> None:
        """No rows yet; `values` are singular values of K with their slopes, if K was measured."""
        self.states, self.size, self.number, self.found = states, size, number, found
        self._values, self.of_jacobian = values, of_jacobian
        self.parts: list[Rows] = []

    @property
    def singular_values(self) -> tuple[Array, Array]:
        """Of K, with their slopes."""
        assert self._values is not None
        return self._values

    def add(self, name: str, value: Array, slope: Array, by_top: Any = 0.0, by_short: Any = 0.0) -> None:
        """Rows value <= 0 at every state, with their slopes by the design, by top and by short."""
        value = np.asarray(value).reshape(self.states, -1)
        k = value.shape[1]
        full = np.zeros((self.states, k, self.size))
        full[:, :, :-2] = np.asarray(slope).reshape(self.states, k, -1)
        full[:, :, -2], full[:, :, -1] = by_top, by_short
        which = np.repeat(self.number, k)
        self.parts.append(Rows(value.ravel(), full.reshape(-1, self.size), (name,) * value.size, which))

    def add_both(self, name: str, what: str, limit: float) -> None:
        """Rows of a measure that must stay within -limit and limit."""
        value, slope = self.found[what]
        for sign in (1.0, -1.0):
            self.add(name, sign * value / limit - 1.0, sign * slope / limit)


@dataclass(frozen=True)
class Judged:
    """Objective and constraints of a design.

    Attributes:
        measured: Programs.
        objective: One of WORST or MEANS, or the name of a user's function.
        limits: By name of LIMITS: a number, for stroke two; and of user's functions: the most allowed.
        caps: Other objectives that may be at most this (a singular value at least): of a Pareto front.
        scale: A typical value of the objective.
        reach: Whether a leg can be out of reach: those that only become longer never are.
    """

    measured: Measured
    objective: str
    limits: Mapping[str, Any]
    caps: Mapping[str, float]
    scale: float = 1.0
    reach: bool = False
    errors: Errors = NOTHING

    @property
    def size(self) -> int:
        """Of all variables, with top and short."""
        return len(self.measured.variables) + 2

    def rows(self, states: State, number: Any, y: Array) -> Rows:
        """All rows at some states, whose numbers are given, at the variables y (variables + 2,)."""
        p, top, short = y[:-2], y[-2], y[-1]
        found, n = self.measured.at(states, p), self.measured.robot.dof
        values = singular_values(*found["K"], n) if "K" in found else None
        made = _Made(len(states), self.size, number, found, values, self._of_jacobian(found, self._asked))
        self._add_objectives(made, top)
        self._add_limits(made, short)
        if self.reach:
            made.add("reach", *found["short"])
        return Rows.joined(made.parts, self.size)

    def _add_objectives(self, made: _Made, top: float) -> None:
        """Rows of the objective, which must not exceed `top`, and of other objectives below their caps."""
        worst = {self.objective: None, **self.caps}
        for name, cap in worst.items():
            level, by = (top, 1.0) if cap is None else (cap, 0.0)
            if name in PEAKS and by:
                value, slope = made.found[PEAKS[name]]
                for sign in (1.0, -1.0):
                    made.add(name, (sign * value - top) / self.scale, sign * slope / self.scale, -1.0 / self.scale)
            elif name in PEAKS:
                made.add_both(name, PEAKS[name], level)
            elif name == "condition":
                s, ds = made.singular_values
                made.add(name, s[:, :1] - level * s[:, -1:], ds[:, :1] - level * ds[:, -1:], -by * s[:, -1:])
            elif name == "singular value":
                s, ds = made.singular_values
                made.add(name, level - s[:, -1:], -ds[:, -1:], by)
            elif name in made.of_jacobian:
                (value, slope), sign = made.of_jacobian[name], sign_of(name) / (self.scale if by else abs(level))
                made.add(name, sign * (value - level), sign * slope, -sign * by)

    def _add_limits(self, made: _Made, short: float) -> None:
        """Rows of all limits; `short` is the variable of the shortest actuator where their ratio or span is limited."""
        for kind, limit in self.limits.items():
            if kind in ("force", "power", "speed"):
                made.add_both(kind, kind, limit)
            elif kind == "stroke":
                value, slope = made.found["stroke"]
                width = limit[1] - limit[0]
                made.add(kind, (value - limit[1]) / width, slope / width)
                made.add(kind, (limit[0] - value) / width, -slope / width)
            elif kind == "condition":
                s, ds = made.singular_values
                made.add(kind, s[:, :1] - limit * s[:, -1:], ds[:, :1] - limit * ds[:, -1:])
            elif kind == "singular":
                s, ds = made.singular_values
                made.add(kind, 1.0 - s[:, -1:] / limit, -ds[:, -1:] / limit)
            elif kind in ("stiffness", "pose_error"):
                value, slope = made.of_jacobian[kind.replace("_", " ")]
                sign = sign_of(kind)
                made.add(kind, sign * (value / limit - 1.0), sign * slope / limit)
            elif kind == "angle":
                value, slope = made.found["angle"]
                made.add(kind, np.cos(limit) - value, -slope)
            elif kind == "distance":
                value, slope = made.found["distance"]
                apart = (limit + np.array([pair.radii for pair in pairs_of(self.measured.robot)])) ** 2
                made.add(kind, 1.0 - value / apart, -slope / apart[:, None])
            elif kind == "ratio":
                value, slope = made.found["stroke"]
                made.add(kind, value - limit * short, slope, by_short=-limit)
                made.add(kind, short - value, -slope, by_short=1.0)
            elif kind == "stroke_span":
                value, slope = made.found["stroke"]
                made.add(kind, (value - short) / limit - 1.0, slope / limit, by_short=-1.0 / limit)
                made.add(kind, (short - value) / limit, -slope / limit, by_short=1.0 / limit)

    @property
    def _asked(self) -> set[str]:
        """Objectives and limits that rows are made of, as objectives are written."""
        return {name.replace("_", " ") for name in (self.objective, *self.caps, *self.limits)}

    def _of_jacobian(self, found: Values, asked: set[str]) -> dict[str, tuple[Array, Array]]:
        """Those asked for of stiffness and pose error at states: (N,) and (N, variables)."""
        out: dict[str, tuple[Array, Array]] = {}
        if not asked & {"stiffness", "pose error"}:
            return out
        (K, slope), robot = found["K"], self.measured.robot
        turns = np.array([c.turns for c in robot.platform.coordinates])
        places = np.arange(3) if robot.dof == 6 else np.flatnonzero(~turns if (~turns).any() else turns)
        if "stiffness" in asked:
            out["stiffness"] = stiffnesses(K, slope, robot.dof, self.errors.stiffness, places)
        if "pose error" in asked:
            out["pose error"] = pose_errors(K, slope, robot.dof, self.errors)
        return out

    def alone(self, y: Array) -> Rows:
        """Rows that depend on no pose."""
        found = self.measured.alone(y[:-2])
        parts = []
        own = (*self.measured.functions, *OF_TASK)
        caps = {name: cap for name, cap in self.caps.items() if name in own}
        for kind, limit in (*self.limits.items(), *caps.items()):
            if kind in OF_TASK:
                place, sign = self.measured.variables.place(OF_TASK[kind]), sign_of(kind)
                full = np.zeros((1, self.size))
                full[0, place] = sign / abs(limit)
                value = np.array([sign * (y[place] - limit) / abs(limit)])
                parts.append(Rows(value, full, (kind,), np.array([-1])))
                continue
            if kind not in found:
                continue
            value, slope = found[kind]
            full = np.zeros((len(value), self.size))
            if kind.endswith("_gap"):
                values, full[:, :-2] = 1.0 - value / limit**2, -slope / limit**2
            else:
                scale = abs(limit) or 1.0
                values, full[:, :-2] = (value - limit) / scale, slope / scale
            parts.append(Rows(values, full, (kind,) * len(value), np.full(len(value), -1)))
        return Rows.joined(parts, self.size)

    def goal(self, states: State, y: Array) -> tuple[float, Array]:
        """The objective and its derivatives; of a worst value the bound itself."""
        slope = np.zeros(self.size)
        if self.objective in WORST:
            sign = sign_of(self.objective)
            slope[-2] = sign
            return sign * float(y[-2]), slope
        if self.objective in OF_TASK:
            place, sign = self.measured.variables.place(OF_TASK[self.objective]), sign_of(self.objective)
            slope[place] = sign
            return sign * float(y[place]), slope
        if self.objective in MEANS:
            value, by = self.measured.at(states, y[:-2])["force"]
            mean = float(np.sqrt(np.mean(value**2)))
            slope[:-2] = np.einsum("nk,nkp->p", value, by) / (value.size * mean)
            return mean, slope
        value, by = self.measured.alone(y[:-2])[self.objective]
        slope[:-2] = by[0]
        return float(value[0]), slope

    def value(self, states: State, p: Array, name: str | None = None) -> float:
        """An objective over all states."""
        name = name or self.objective
        if name in self.measured.functions:
            return float(self.measured.alone(p)[name][0][0])
        if name in OF_TASK:
            return float(p[self.measured.variables.place(OF_TASK[name])])
        found = self.measured.at(states, p)
        if name in ("stiffness", "pose error"):
            values = self._of_jacobian(found, {name})[name][0]
            return float(values.min() if name == "stiffness" else values.max())
        if name in PEAKS:
            return float(np.abs(found[PEAKS[name]][0]).max())
        if name in MEANS:
            return float(np.sqrt(np.mean(found["force"][0] ** 2)))
        s, _ = singular_values(*found["K"], self.measured.robot.dof)
        with np.errstate(divide="ignore"):
            return float((s[:, 0] / s[:, -1]).max() if name == "condition" else s[:, -1].min())
