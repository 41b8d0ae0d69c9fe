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

from typing import Any

from gough.problem import ProblemTable
from gough.robot.file import fields as f
from gough.robot.file.reader import Each, Key, Table, key_of

KINDS = ("extremes", "moments", "quantiles", "histogram", "yield", "sobol", "top", "pareto", "replicates")


class ReduceTable(Table):
    """`[[reduce]]`: what is kept of all machines.

    `of`: measures. quantiles: `at` shares, `exact`. histogram: `low`, `high`, `bins`. yield: `at_most`, `at_least`,
    `confidence`. top: `count`, `largest`. pareto: `of` objectives, `largest` those that should be large.
    """

    kind: str = key_of(
        f.one_of(*KINDS),
        needed=True,
    )
    """Kind of statistic."""
    of: Any = key_of(f.anything)
    """Measure, or list of measures; for "pareto" the objectives. Default: all."""
    at: list[float] = key_of(f.number_list, default=[0.05, 0.5, 0.95])
    """Probabilities of the quantiles."""
    exact: bool = key_of(f.truth, default=False)
    """Whether quantiles are exact to the last bit, by two further passes."""
    low: Any = key_of(f.anything)
    """Lower end of a histogram. Default: needed by "histogram"."""
    high: Any = key_of(f.anything)
    """Upper end of a histogram. Default: needed by "histogram"."""
    bins: int = key_of(f.whole, default=50)
    """Number of bins of a histogram."""
    at_most: Any = key_of(f.anything)
    """Largest value of a good machine, for "yield". Default: no limit."""
    at_least: Any = key_of(f.anything)
    """Smallest value of a good machine, for "yield". Default: no limit."""
    confidence: float = key_of(f.number, default=0.95)
    """Confidence of the interval of a yield."""
    count: int = key_of(f.whole, default=10)
    """Number of machines in a "top" list."""
    largest: Any = key_of(f.anything, default=False)
    """Whether large values are good; for "pareto" the objectives that should be large."""


class CorrelationTable(Table):
    """`[[correlation]]`: of normal scores of some numbers."""

    numbers: list[str] = key_of(Each(f.TEXT), needed=True)
    """Names of numbers that vary together."""
    matrix: list[list[float]] = key_of(Each(Key(f.number_list)), needed=True)
    """Their correlation matrix, of normal scores."""


class SimulateTable(Table):
    """`[simulate]`: how machines follow the motion."""

    controller: str = key_of(f.one_of("computed-torque", "pd", "feedforward"), default="computed-torque")
    """Control law with which machines follow the motion."""
    bandwidth: float = key_of(f.number, default=5.0)
    """Bandwidth of the controller [Hz]."""
    step: float = key_of(f.number, default=1e-3)
    """Time step of the simulation [s]."""


class StudyTable(ProblemTable):
    """The whole file."""

    machines: int | None = key_of(f.whole)
    """Number of machines. Default: all combinations of lists and grids, or all poses."""
    seed: int = key_of(f.whole, default=0)
    """Seed of all random numbers."""
    motion: str | None = key_of(f.text)
    """Motion instead of poses: a named motion of the robot, or a CSV file. Default: none."""
    samples: int = key_of(f.whole, default=51)
    """Number of instants along the motion."""
    measure: Any = key_of(f.anything, needed=True)
    """Measure, or list of measures; also a function "module:function"."""
    reduce: list[ReduceTable] = key_of([ReduceTable], default=())
    """Statistics to keep. Default: mean, variance and extremes of every measure."""
    correlation: list[CorrelationTable] = key_of([CorrelationTable], default=())
    """Correlations between numbers that vary. Default: none."""
    simulate: SimulateTable = key_of(SimulateTable, default={})
    """How machines follow the motion, for "tracking_error"."""
    keep: str = key_of(f.one_of("reductions", "rows"), default="reductions")
    """"rows" keeps every machine's numbers too, as a Parquet data set."""
