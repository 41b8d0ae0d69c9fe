"""The file of a study: what `gough.problem.schema` has, and

machines = 100000                    # how many; by default all combinations of lists and grids, or all poses
seed = 1
measure = ["position_error"]         # names of `MEASURES`, "tracking_error", or a function "module:function"
motion = "helix"                     # instead of poses: a motion's name or a CSV file, at `samples = 51` instants
keep = "rows"                        # every machine's numbers too, as a Parquet data set

[[reduce]]                           # without any: mean, variance and extremes of every measure
kind = "quantiles"                   # extremes, moments, quantiles, histogram, yield, sobol, top, pareto, replicates
of = "position_error"                # one or several; all if left out

[[correlation]]
numbers = ["leg.1.base.x", "leg.1.base.y"]
matrix = [[1, 0.5], [0.5, 1]]

[simulate]                           # for tracking_error
controller = "computed-torque"       # or pd, feedforward; bandwidth = 5 (Hz), step = 0.001 (s)
"""

from __future__ import annotations

from typing import Any, Literal

from gough.problem import ProblemTable
from gough.robot.file.fields import EMPTY, Table

KINDS = ("extremes", "moments", "quantiles", "histogram", "yield", "sobol", "top", "pareto", "replicates")


class ReduceTable(Table):
    """`[[reduce]]`: what is kept of all machines.

    `of`: measures. quantiles: `at` shares, `exact`. histogram: `low`, `high`, `bins`. yield: `at_most`, `at_least`,
    `confidence`. top: `count`, `largest`. pareto: `of` objectives, `largest` those that should be large.
    """

    kind: Literal["extremes", "moments", "quantiles", "histogram", "yield", "sobol", "top", "pareto", "replicates"]
    of: Any = None
    at: list[float] = [0.05, 0.5, 0.95]  # noqa: RUF012
    exact: bool = False
    low: Any = None
    high: Any = None
    bins: int = 50
    at_most: Any = None
    at_least: Any = None
    confidence: float = 0.95
    count: int = 10
    largest: Any = False


class CorrelationTable(Table):
    """`[[correlation]]`: of normal scores of some numbers."""

    numbers: list[str]
    matrix: list[list[float]]


class SimulateTable(Table):
    """`[simulate]`: how machines follow the motion."""

    controller: Literal["computed-torque", "pd", "feedforward"] = "computed-torque"
    bandwidth: float = 5.0
    step: float = 1e-3


class StudyTable(ProblemTable):
    """The whole file."""

    machines: int | None = None
    seed: int = 0
    motion: str | None = None
    samples: int = 51
    measure: Any
    reduce: list[ReduceTable] = EMPTY
    correlation: list[CorrelationTable] = EMPTY
    simulate: SimulateTable = SimulateTable()
    keep: Literal["reductions", "rows"] = "reductions"
