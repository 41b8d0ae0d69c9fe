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
    """Kind of statistic."""
    of: Any = None
    """Measure, or list of measures; for "pareto" the objectives. Default: all."""
    at: list[float] = [0.05, 0.5, 0.95]  # noqa: RUF012
    """Probabilities of the quantiles."""
    exact: bool = False
    """Whether quantiles are exact to the last bit, by two further passes."""
    low: Any = None
    """Lower end of a histogram. Default: needed by "histogram"."""
    high: Any = None
    """Upper end of a histogram. Default: needed by "histogram"."""
    bins: int = 50
    """Number of bins of a histogram."""
    at_most: Any = None
    """Largest value of a good machine, for "yield". Default: no limit."""
    at_least: Any = None
    """Smallest value of a good machine, for "yield". Default: no limit."""
    confidence: float = 0.95
    """Confidence of the interval of a yield."""
    count: int = 10
    """Number of machines in a "top" list."""
    largest: Any = False
    """Whether large values are good; for "pareto" the objectives that should be large."""


class CorrelationTable(Table):
    """`[[correlation]]`: of normal scores of some numbers."""

    numbers: list[str]
    """Names of numbers that vary together."""
    matrix: list[list[float]]
    """Their correlation matrix, of normal scores."""


class SimulateTable(Table):
    """`[simulate]`: how machines follow the motion."""

    controller: Literal["computed-torque", "pd", "feedforward"] = "computed-torque"
    """Control law with which machines follow the motion."""
    bandwidth: float = 5.0
    """Bandwidth of the controller [Hz]."""
    step: float = 1e-3
    """Time step of the simulation [s]."""


class StudyTable(ProblemTable):
    """The whole file."""

    machines: int | None = None
    """Number of machines. Default: all combinations of lists and grids, or all poses."""
    seed: int = 0
    """Seed of all random numbers."""
    motion: str | None = None
    """Motion instead of poses: a named motion of the robot, or a CSV file. Default: none."""
    samples: int = 51
    """Number of instants along the motion."""
    measure: Any
    """Measure, or list of measures; also a function "module:function"."""
    reduce: list[ReduceTable] = EMPTY
    """Statistics to keep. Default: mean, variance and extremes of every measure."""
    correlation: list[CorrelationTable] = EMPTY
    """Correlations between numbers that vary. Default: none."""
    simulate: SimulateTable = SimulateTable()
    """How machines follow the motion, for "tracking_error"."""
    keep: Literal["reductions", "rows"] = "reductions"
    """"rows" keeps every machine's numbers too, as a Parquet data set."""
