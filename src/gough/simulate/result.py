"""What a simulation gives: the motion, its forces, and its own audit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gough.robot import Robot
from gough.simulate.events import Occurrence


@dataclass(frozen=True)
class Simulation:
    """A run of one robot at T times.

    Attributes:
        robot: Whose.
        input: What drove it.
        coordinates, actuators: Names on the axes.
        t: (T,) [s].
        x, xd: (T, n) platform coordinates and rates; rates are NaN where the coordinates' own chart is singular.
        q, qd: (T, actuators) from each actuator's zero.
        force: (T, actuators) [N or N m].
        reference: (T, n) coordinates of the motion that was followed, or None.
        kinetic, potential: (T,) energies [J].
        work: (T,) done by actuators and external wrench since the start [J].
        dissipated: (T,) taken by friction since the start [J].
        balance: (T,) energy gained - work + dissipated: what the integration lost or made up [J].
        closure: (T,) largest closure error of a leg [m].
        events: What happened.
        complete: Whether the end was reached.
        why: What ended it early; "" if nothing did.
        method, steps, evaluations: Of the integration.
    """

    robot: Robot
    input: str
    coordinates: tuple[str, ...]
    actuators: tuple[str, ...]
    t: Any
    x: Any
    xd: Any
    q: Any
    qd: Any
    force: Any
    reference: Any
    kinetic: Any
    potential: Any
    work: Any
    dissipated: Any
    balance: Any
    closure: Any
    events: tuple[Occurrence, ...]
    complete: bool
    why: str
    method: str
    steps: int
    evaluations: int
    _dense: Callable[[Any], Any] = field(repr=False, compare=False)

    def at(self, t: Any) -> Simulation:
        """The same run at other times (T,), from the integrator's dense output."""
        found: Simulation = self._dense(np.atleast_1d(np.asarray(t, dtype=float)))
        return found

    @property
    def error(self) -> Any:
        """(T, n) reference - x, angles within half a turn; None if nothing was followed."""
        if self.reference is None:
            return None
        turns = np.array([c.motion.startswith("r") for c in self.robot.platform.coordinates])
        apart = self.reference - self.x
        return np.where(turns, (apart + np.pi) % (2.0 * np.pi) - np.pi, apart)

    @property
    def summary(self) -> str:
        """One line: how far it came, the energies and what their balance leaves, closure, tracking."""
        peak = float(np.max(self.kinetic))
        left = float(np.max(np.abs(self.balance)))
        share = f" ({left / peak:.1e} of peak kinetic)" if peak > 10.0 * left else ""
        parts = [
            f"{self.robot.name}, {self.input}: {self.t[-1] - self.t[0]:.6g} s in {self.steps} steps",
            f"work {self.work[-1]:.4g} J, dissipated {self.dissipated[-1]:.4g} J, balance {left:.1e} J{share}",
            f"closure {float(np.max(self.closure)):.1e} m",
        ]
        if self.error is not None:
            parts.append(f"largest error {worst_errors(self)}")
        if not self.complete:
            parts.append(f"complete: false ({self.why})")
        return "; ".join(parts)

    def columns(self) -> dict[str, Any]:
        """Every column of the table by name, SI units and radians."""
        found: dict[str, Any] = {"t": self.t}
        for prefix, values, names in (
            ("", self.x, self.coordinates),
            ("d_", self.xd, self.coordinates),
            ("reference_", self.reference, self.coordinates),
            ("q_", self.q, self.actuators),
            ("qd_", self.qd, self.actuators),
            ("force_", self.force, self.actuators),
        ):
            if values is not None:
                found |= {f"{prefix}{name}": values[:, k] for k, name in enumerate(names)}
        for name in ("kinetic", "potential", "work", "dissipated", "balance", "closure"):
            found[name] = getattr(self, name)
        return found

    def facts(self) -> dict[str, Any]:
        """What is said beside the table."""
        return {
            "robot": self.robot.name,
            "input": self.input,
            "complete": self.complete,
            "why": self.why,
            "method": self.method,
            "steps": self.steps,
            "evaluations": self.evaluations,
            "events": [str(event) for event in self.events],
            "summary": self.summary,
        }

    def to_csv(self) -> str:
        """CSV text, every number in full; the first line of a run that ended early is `# complete: false`."""
        from gough.simulate.tables import csv_text

        return csv_text(self.columns(), [] if self.complete else [f"complete: false ({self.why})"])

    def to_json(self) -> str:
        """JSON text: the facts, and the columns by name."""
        from gough.simulate.tables import json_text

        return json_text(self.facts() | {"columns": self.columns()})

    def to_parquet(self, path: Any) -> None:
        """A Parquet file of the columns with the facts as metadata; needs the extra `parquet`."""
        from gough.parquet import write_parquet

        write_parquet(path, self.columns(), self.facts())


def worst_errors(run: Simulation) -> str:
    """Largest errors of slides and turns as text."""
    turns = np.array([c.motion.startswith("r") for c in run.robot.platform.coordinates])
    error = np.abs(run.error).max(axis=0)
    parts = [f"{error[~turns].max():.3g} m"] if (~turns).any() else []
    return ", ".join(parts + ([f"{error[turns].max():.3g} rad"] if turns.any() else []))
