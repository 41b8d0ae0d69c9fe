"""What is kept of all machines: each reduction has a state of a leaf, a merge of two states, and a result.

Leaves are merged in a fixed tree (`gough.studies.tree`), so that a result has the same bits however the work was cut.
"""

from gough.studies.reductions.contract import Block, Reduction, State
from gough.studies.reductions.extremes import Extremes, Top
from gough.studies.reductions.failures import Failures
from gough.studies.reductions.frequencies import Histogram, Quantiles, Yield
from gough.studies.reductions.moments import Moments
from gough.studies.reductions.pareto import Pareto
from gough.studies.reductions.replicates import Replicates
from gough.studies.reductions.sobol_indices import SobolIndices

__all__ = [
    "Block",
    "Extremes",
    "Failures",
    "Histogram",
    "Moments",
    "Pareto",
    "Quantiles",
    "Reduction",
    "Replicates",
    "SobolIndices",
    "State",
    "Top",
    "Yield",
]
