"""What tolerances say of the parameters before anything is measured, and whether the measurements bear it out.

A prior that is too tight holds the parameters back, and residuals then look like noise. So changes are tested against
the prior first; where they are beyond it, a fit without the stated tolerances tells what noise is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.stats import chi2

from gough.calibration.geometric_parameters import Parameter
from gough.calibration.model import Model
from gough.calibration.solve import Data, Solution, solve
from gough.calibration.statistics import UNLIKELY, used_rows
from gough.errors import InputError, NumericalError
from gough.graph import Array

BEYOND = 3.0
"""Standard deviations of the prior from which a change is called beyond it."""


@dataclass(frozen=True)
class PriorVerdict:
    """Whether the parameters are where the stated tolerances have them.

    Attributes:
        ratios: (p,) change of each parameter over its stated standard deviation; 0 where none was stated.
        stated: How many parameters have a tolerance.
        p: Chance of changes as large; at least so, since a fit takes them towards the prior.
        free_squares: Sum of the squares of all residuals of a fit without the tolerances, in units of the noise; None
            where the changes bear out the tolerances or nothing fits better.
    """

    ratios: Array
    stated: int
    p: float
    free_squares: float | None

    @property
    def beyond(self) -> list[int]:
        """Parameters whose change is more than three standard deviations of their tolerance."""
        return [int(k) for k in np.flatnonzero(np.abs(self.ratios) > BEYOND)]

    @property
    def worst(self) -> int:
        """The parameter that is farthest beyond its tolerance, or nearest to it."""
        return int(np.argmax(np.abs(self.ratios)))

    @property
    def too_tight(self) -> bool:
        """Whether the changes are larger than the tolerances let expect."""
        return self.p < UNLIKELY and bool(self.beyond)


def without_tolerances(model: Model, loose: Sequence[Parameter]) -> Model:
    """The model with the priors that parameters have where nobody states any."""
    free = {p.path: p.prior for p in loose}
    return replace(model, parameters=tuple(replace(p, prior=free[p.path]) for p in model.parameters))


def prior_verdict(
    model: Model, loose: Sequence[Parameter], solution: Solution, data: Data, freedom: int
) -> PriorVerdict:
    """The changes of a fit against the tolerances of its model.

    Args:
        model: With tolerances.
        loose: The parameters as they are where nobody states any.
        solution, data: The fit.
        freedom: Its degrees of freedom.
    """
    without = without_tolerances(model, loose)
    count = len(model.parameters)
    own, free = model.priors[:count], without.priors[:count]
    ratios = np.where(own != free, solution.g[:count] / own, 0.0)
    count = int((own != free).sum())
    found = PriorVerdict(ratios, count, float(chi2.sf((ratios**2).sum(), count)) if count else 1.0, None)
    if not found.too_tight or freedom == 0:
        return found
    used = np.flatnonzero(used_rows(data))
    try:
        again = solve(without, data.some(used), solution.x[used], solution.g)
    except (InputError, NumericalError):
        return found
    return replace(found, free_squares=float((again.r**2).sum()))
