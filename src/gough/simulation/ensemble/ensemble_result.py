"""What an ensemble gives: final states, statistics, and a history as coarse as was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.robot import Robot
from gough.robot.si_units import coordinate_units

STATISTICS = ("mean", "deviation", "least", "most")


@dataclass(frozen=True)
class Ensemble:
    """N robots stepped together.

    Attributes:
        robot: In nominal numbers.
        input: What drove them.
        coordinates, actuators: Names on the axes.
        numbers: (N,) of the robots; what is drawn for a robot depends on its number and the seed alone.
        varied: Paths that differ from robot to robot.
        values: (N, paths) their values.
        step: [s].
        steps: How many were done.
        x, xd: (N, n) final platform coordinates and rates.
        t: (T,) times of the history [s].
        history: (T, N, n) platform coordinates, or None.
        mean, deviation, least, most: (T, n) over the robots that did not diverge.
        reference: (T, n) of the motion that was followed, or None.
        worst_error: (N,) largest distance from the reference at the history's times, turns taken in rad; or None.
        diverged: (N,) step at which a robot's state was no longer finite, -1 if it always was.
        complete: Whether all steps were done.
        why: What ended it early; "" if nothing did.
        smoothing: One line on how the recording that was followed was smoothed; "" where nothing was asked for.
    """

    robot: Robot
    input: str
    coordinates: tuple[str, ...]
    actuators: tuple[str, ...]
    numbers: Any
    varied: tuple[str, ...]
    values: Any
    step: float
    steps: int
    x: Any
    xd: Any
    t: Any
    history: Any
    mean: Any
    deviation: Any
    least: Any
    most: Any
    reference: Any
    worst_error: Any
    diverged: Any
    complete: bool
    why: str
    smoothing: str = ""

    @property
    def summary(self) -> str:
        """One line."""
        lost = int((self.diverged >= 0).sum())
        parts = [f"{self.robot.name}, {self.input}: {len(self.numbers)} robots, {self.steps} steps of {self.step:g} s"]
        if self.worst_error is not None and lost < len(self.numbers):
            parts.append(
                f"largest error {np.nanmax(self.worst_error):.3g}, median {np.nanmedian(self.worst_error):.3g}"
            )
        parts.append(f"{lost} diverged")
        if not self.complete:
            parts.append(f"complete: false ({self.why})")
        return "; ".join(parts)

    def columns(self) -> dict[str, Any]:
        """A row per robot: number, what varied, final state, worst error."""
        found: dict[str, Any] = {"robot": self.numbers}
        found |= {path: self.values[:, k] for k, path in enumerate(self.varied)}
        found |= {name: self.x[:, k] for k, name in enumerate(self.coordinates)}
        found |= {f"xd_{name}": self.xd[:, k] for k, name in enumerate(self.coordinates)}
        if self.worst_error is not None:
            found["worst_error"] = self.worst_error
        return found | {"diverged": self.diverged}

    def statistics(self) -> dict[str, Any]:
        """A row per time of the history: mean, deviation, least and most of every coordinate."""
        found: dict[str, Any] = {"t": self.t}
        for name in STATISTICS:
            found |= {f"{name}_{c}": getattr(self, name)[:, k] for k, c in enumerate(self.coordinates)}
        return found

    def history_columns(self) -> dict[str, Any]:
        """A row per time of the history and robot."""
        times, robots = len(self.t), len(self.numbers)
        found: dict[str, Any] = {"t": np.repeat(self.t, robots), "robot": np.tile(self.numbers, times)}
        flat = self.history.reshape(times * robots, -1)
        return found | {name: flat[:, k] for k, name in enumerate(self.coordinates)}

    def si_units(self) -> dict[str, str]:
        """Unit of the columns of all tables; none of what varied, which is in SI units, nor of worst_error."""
        found = {"t": "s"}
        for name, unit in zip(self.coordinates, coordinate_units(self.robot), strict=True):
            found |= {name: unit, f"xd_{name}": f"{unit}/s"} | {f"{kind}_{name}": unit for kind in STATISTICS}
        return found

    def facts(self) -> dict[str, Any]:
        """Facts stated beside the tables."""
        return {
            "robot": self.robot.name,
            "input": self.input,
            "complete": self.complete,
            "why": self.why,
            "step": self.step,
            "steps": self.steps,
            "summary": self.summary,
            "smoothing": self.smoothing,
        }

    def to_csv(self, units: str | None = None, table: str = "columns") -> str:
        """CSV text of a table, after remarks (#) on a run that ended early and on smoothing.

        Args:
            units: Such as "mm,deg", which the header then names; SI and radians if left out.
            table: "columns", "statistics" or "history_columns".
        """
        from gough.simulation.column_text import csv_text, remarks_on

        return csv_text(getattr(self, table)(), remarks_on(self), self.si_units(), units)

    def to_json(self) -> str:
        """JSON text: summary, rows per robot, statistics over time."""
        from gough.simulation.column_text import json_text

        return json_text(self.facts() | {"robots": self.columns(), "statistics": self.statistics()})

    def to_parquet(self, path: Any) -> None:
        """A Parquet file of `columns` with the facts as metadata; needs the extra `parquet`."""
        from gough.parquet import write_parquet

        write_parquet(path, self.columns(), self.facts())
