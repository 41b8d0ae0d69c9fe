"""Objectives and constraints of a design as rows that must not be above zero, with exact gradients.

A worst value over all states becomes a bound: a further variable that no state may be above. Further variables are the
worst values of the objective (`top`) and, where a ratio of lengths is limited, the shortest length (`short`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import Array
from gough.optimisation.measured import Measured, States, singular_values

PEAKS = {"peak force": "force", "peak power": "power", "peak speed": "speed"}
WORST = (*PEAKS, "condition", "singular value")
"""Objectives that are the worst over all states; a singular value is made as large as it can be."""
MEANS = ("rms force",)
LIMITS = ("force", "power", "speed", "stroke", "condition", "singular", "ratio", "base_gap", "platform_gap")
"""What a design may be limited by."""
NEEDS = {
    **PEAKS,
    "rms force": "force",
    **{"condition": "K", "singular value": "K", "singular": "K", "ratio": "stroke", "stroke": "stroke"},
    **{"force": "force", "power": "power", "speed": "speed"},
}


@dataclass(frozen=True)
class Rows:
    """Values (r,) that must be at most zero, and their derivatives (r, variables + 2); the last two are top and short.

    Attributes:
        names: Of each, for tables.
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

    @property
    def size(self) -> int:
        """Of all variables, with top and short."""
        return len(self.measured.variables) + 2

    def rows(self, states: States, number: Any, y: Array) -> Rows:
        """All rows at some states, whose numbers are given, at the variables y (variables + 2,)."""
        p, top, short = y[:-2], y[-2], y[-1]
        found, n = self.measured.at(states, p), self.measured.robot.dof
        parts: list[Rows] = []

        def add(name: str, value: Array, slope: Array, by_top: Any = 0.0, by_short: Any = 0.0) -> None:
            value = np.asarray(value).reshape(len(states), -1)
            k = value.shape[1]
            full = np.zeros((len(states), k, self.size))
            full[:, :, :-2] = np.asarray(slope).reshape(len(states), k, -1)
            full[:, :, -2], full[:, :, -1] = by_top, by_short
            which = np.repeat(number, k)
            parts.append(Rows(value.ravel(), full.reshape(-1, self.size), (name,) * value.size, which))

        def both(name: str, what: str, limit: float) -> None:
            value, slope = found[what]
            for sign in (1.0, -1.0):
                add(name, sign * value / limit - 1.0, sign * slope / limit)

        if "K" in found:
            s, ds = singular_values(*found["K"], n)
        worst = {self.objective: None, **self.caps}
        for name, cap in worst.items():
            level, by = (top, 1.0) if cap is None else (cap, 0.0)
            if name in PEAKS and by:
                value, slope = found[PEAKS[name]]
                for sign in (1.0, -1.0):
                    add(name, (sign * value - top) / self.scale, sign * slope / self.scale, -1.0 / self.scale)
            elif name in PEAKS:
                both(name, PEAKS[name], level)
            elif name == "condition":
                add(name, s[:, :1] - level * s[:, -1:], ds[:, :1] - level * ds[:, -1:], -by * s[:, -1:])
            elif name == "singular value":
                add(name, level - s[:, -1:], -ds[:, -1:], by)
        for kind, limit in self.limits.items():
            if kind in ("force", "power", "speed"):
                both(kind, kind, limit)
            elif kind == "stroke":
                value, slope = found["stroke"]
                width = limit[1] - limit[0]
                add(kind, (value - limit[1]) / width, slope / width)
                add(kind, (limit[0] - value) / width, -slope / width)
            elif kind == "condition":
                add(kind, s[:, :1] - limit * s[:, -1:], ds[:, :1] - limit * ds[:, -1:])
            elif kind == "singular":
                add(kind, 1.0 - s[:, -1:] / limit, -ds[:, -1:] / limit)
            elif kind == "ratio":
                value, slope = found["stroke"]
                add(kind, value - limit * short, slope, by_short=-limit)
                add(kind, short - value, -slope, by_short=1.0)
        if self.reach:
            add("reach", *found["short"])
        return Rows.joined(parts, self.size)

    def alone(self, y: Array) -> Rows:
        """Rows that depend on no pose."""
        found = self.measured.alone(y[:-2])
        parts = []
        caps = {name: cap for name, cap in self.caps.items() if name in self.measured.functions}
        for kind, limit in (*self.limits.items(), *caps.items()):
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

    def goal(self, states: States, y: Array) -> tuple[float, Array]:
        """The objective and its derivatives; of a worst value the bound itself."""
        slope = np.zeros(self.size)
        if self.objective in WORST:
            sign = -1.0 if self.objective == "singular value" else 1.0
            slope[-2] = sign
            return sign * float(y[-2]), slope
        if self.objective in MEANS:
            value, by = self.measured.at(states, y[:-2])["force"]
            mean = float(np.sqrt(np.mean(value**2)))
            slope[:-2] = np.einsum("nk,nkp->p", value, by) / (value.size * mean)
            return mean, slope
        value, by = self.measured.alone(y[:-2])[self.objective]
        slope[:-2] = by[0]
        return float(value[0]), slope

    def value(self, states: States, p: Array, name: str | None = None) -> float:
        """An objective over all states."""
        name = name or self.objective
        if name in self.measured.functions:
            return float(self.measured.alone(p)[name][0][0])
        found = self.measured.at(states, p)
        if name in PEAKS:
            return float(np.abs(found[PEAKS[name]][0]).max())
        if name in MEANS:
            return float(np.sqrt(np.mean(found["force"][0] ** 2)))
        s, _ = singular_values(*found["K"], self.measured.robot.dof)
        with np.errstate(divide="ignore"):
            return float((s[:, 0] / s[:, -1]).max() if name == "condition" else s[:, -1].min())
