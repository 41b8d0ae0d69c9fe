"""The result of an ensemble: final states, statistics, and a history in the detail asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from gough.display import Display
from gough.errors import InputError
from gough.graph import Array
from gough.robot import Mechanism, Robot
from gough.simulation.run.run_result import errors_text, remarks_on, within_half_a_turn
from gough.table import Block, Result, Table, column
from gough.table.formats import plain
from gough.table.result import robot_block

if TYPE_CHECKING:
    from matplotlib.figure import Figure

History = Literal["decimated", "full", "none"]

INSTANTS = 51
"""Times of a decimated history."""
DECIMATED_BYTES = 64 * 2**20
"""A decimated history is coarser if it would take more."""


def steps_between(history: str, steps: int, count: int, n: int, tell: Callable[[str], None] | None) -> int:
    """Steps from one kept instant to the next; the size of a full history is printed first.

    Args:
        history: One of `History`.
        steps: Steps of the simulation.
        count: Number of robots.
        n: Of platform coordinates.
        tell: Called with a line; None for standard error.
    """
    if history not in ("decimated", "full", "none"):
        raise InputError(f"history: {history!r} given, choose decimated, full or none")
    if history == "full":
        size = (steps + 1) * count * (n + 1) * 8
        say = tell if tell is not None else lambda line: print(line, file=sys.stderr)
        say(f"full history of {count} robots at {steps + 1} times: {size / 2**20:.4g} MB")
        return 1
    fits = max(2, DECIMATED_BYTES // max(1, count * (n + 1) * 8))
    instants = min(INSTANTS, fits, steps + 1)
    return max(1, -(-steps // (instants - 1)))


def statistics(xs: Array, good: NDArray[np.bool_]) -> dict[str, Any]:
    """Mean, deviation, least and most (T, n) of xs (T, N, n) over the good robots (N,); NaN if there are none."""
    if not good.any():
        return dict.fromkeys(("mean", "deviation", "least", "most"), np.full(xs[:, 0].shape, np.nan))
    kept = xs[:, good]
    return {
        "mean": kept.mean(axis=1),
        "deviation": kept.std(axis=1),
        "least": kept.min(axis=1),
        "most": kept.max(axis=1),
    }


def worst_errors(robot: Mechanism, xs: Array, reference: Array) -> Array:
    """(N,) largest distance of xs (T, N, n) from the reference (T, n), turns taken in rad."""
    apart = within_half_a_turn(robot, xs - reference[:, None])
    with np.errstate(all="ignore"):
        return np.sqrt((apart**2).sum(axis=2)).max(axis=0)


STATISTICS = ("mean", "deviation", "least", "most")


class Ensemble(Result):
    """N robots stepped together.

    Attributes:
        robot: In nominal numbers.
        input: Name of the input.
        coordinates, actuators: Names on the axes.
        numbers: (N,) of the robots; what is drawn for a robot depends on its number and the seed alone.
        varied: Paths that differ from robot to robot.
        values: (N, paths) their values.
        step: [s].
        steps: Number of steps done.
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
    numbers: Any = column(name="robot")
    varied: tuple[str, ...]
    values: Any = column("path:varied", prefix="")
    step: float
    steps: int
    x: Any = column("coordinate", "displacement", prefix="")
    xd: Any = column("coordinate", "rate")
    t: Any
    history: Any
    mean: Any
    deviation: Any
    least: Any
    most: Any
    reference: Any
    worst_error: Any = column()
    diverged: Any = column()
    complete: bool
    why: str
    smoothing: str = ""

    FACTS = ("robot", "input", "complete", "why", "step", "steps", "summary", "smoothing")
    INDEX, DRAWN, UNDER = "robot", ("worst_error", "x"), "robots"

    @property
    def summary(self) -> str:
        """One line, SI and radians."""
        return self.summary_in(Display(angle=(1.0, "rad")))

    def summary_in(self, display: Display) -> str:
        """The summary in the units shown."""
        lost = int((self.diverged >= 0).sum())
        pace, clock = display.time
        steps = f"{self.steps} steps of {self.step * pace:g} {clock}"
        parts = [f"{self.robot.name}, {self.input}: {len(self.numbers)} robots, {steps}"]
        if self.reference is not None and lost < len(self.numbers):
            apart = np.stack([self.least, self.most]) - self.reference
            largest = np.abs(within_half_a_turn(self.robot, apart)).max(axis=(0, 1))
            parts.append(f"largest error {errors_text(self.robot, largest, display)}")
        parts.append(f"{lost} diverged")
        if not self.complete:
            parts.append(f"complete: false ({self.why})")
        return "; ".join(parts)

    @property
    def statistics_table(self) -> Table:
        """A row per time of the history: mean, deviation, least and most of every coordinate."""
        blocks = [robot_block(self.robot, name, getattr(self, name), "coordinate") for name in STATISTICS]
        blocks = [Block("t", self.t, "s"), *blocks]
        return Table(len(self.t), tuple(blocks), self.facts(), "t", STATISTICS, self._remarks(), under="statistics")

    @property
    def history_table(self) -> Table:
        """A row per time of the history and robot: t, robot, x."""
        times, robots = len(self.t), len(self.numbers)
        blocks = (
            Block("t", np.repeat(self.t, robots), "s"),
            Block("robot", np.tile(self.numbers, times)),
            robot_block(self.robot, "x", self.history.reshape(times * robots, -1), "coordinate", prefix=""),
        )
        return Table(times * robots, blocks, self.facts(), "", ("x",), self._remarks(), under="history")

    def _remarks(self) -> tuple[str, ...]:
        return remarks_on(self.why, self.smoothing)

    def to_dict(self) -> dict[str, Any]:
        """Facts, rows per robot, statistics over time."""
        return self.table.to_dict() | {"statistics": plain(self.statistics_table.columns())}

    def figure(self) -> Figure:
        """The statistics over time."""
        return self.statistics_table.plot()
