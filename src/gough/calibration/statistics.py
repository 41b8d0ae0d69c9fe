"""What residuals say of the noise: whether it is as stated, how large each kind is, and which poses do not belong.

With H the map from noise to residuals, r = H e, a kind of noise whose rows have the redundancy tr(H_kk) would leave
a sum of squares equal to it. The ratio of the two is the variance in units of the stated one (Foerstner's estimator).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from gough.calibration.model import Model
from gough.calibration.sensors import KINDS
from gough.calibration.solve import Data, Solution
from gough.graph import Array

UNLIKELY = 0.025
"""Probability at each end beyond which stated noise is called wrong."""
STRANGE = 1e-3
"""Chance that any pose at all of a sound set is called an outlier."""
_SOFT = 6.0
"""Scale of the robust weights, in squares per degree of freedom beyond the usual one."""


@dataclass(frozen=True)
class NoiseVerdict:
    """Whether the noise is what it was said to be.

    Attributes:
        squares: Sum of the squares of all residuals, in units of the stated noise.
        freedom: What it should be: rows less unknowns.
        p: Chance of a sum as far off.
        ratios: For each kind of noise, actual over stated standard deviation, and by how much that may be off.
        estimated: The noise was not stated but found from the residuals.
        text: In words.
        as_stated: Nothing speaks against it.
    """

    squares: float
    freedom: int
    p: float
    ratios: dict[str, tuple[float, float]]
    estimated: bool
    text: str
    as_stated: bool = True


IGNORED = 1e-12
"""Weight of a pose that is left out: it still has a place, but no say."""


def used_rows(data: Data) -> NDArray[np.bool_]:
    """(N,) which poses count."""
    return np.asarray(data.weight > 1e3 * IGNORED)


def covariance(model: Model, solution: Solution, weight: Array) -> Array:
    """(g, g) of the unknowns [m and rad], the prior included."""
    A = (solution.J * np.sqrt(weight)[:, None, None]).reshape(-1, len(model.names)) * model.priors
    R = np.linalg.qr(np.concatenate([A, np.eye(len(model.names))]), mode="r")
    inverse = np.linalg.inv(R)
    return np.asarray((inverse @ inverse.T) * np.outer(model.priors, model.priors))


def redundancies(model: Model, solution: Solution, data: Data) -> Array:
    """(N, columns) how much of each value's own noise is left in its residual, 0 to 1; 0 where none was measured."""
    J, weight = solution.J, data.weight
    C = covariance(model, solution, weight)
    own = np.diagonal(solution.H, axis1=1, axis2=2) - np.einsum("nig,gh,nih->ni", J, C, J)
    return np.asarray(np.where(np.isfinite(data.sigma) & used_rows(data)[:, None], np.clip(own, 0.0, 1.0), 0.0))


def noise_ratios(model: Model, solution: Solution, data: Data) -> dict[str, tuple[float, float]]:
    """For each kind of noise the actual standard deviation over the stated one, and its own standard deviation."""
    left = redundancies(model, solution, data)
    kinds = np.array(model.sensors.kinds)
    found = {}
    for kind in KINDS:
        columns = kinds == kind
        total = float(left[:, columns].sum())
        if total > 1.0:
            used = used_rows(data)
            ratio = np.sqrt(float((solution.r[used][:, columns] ** 2).sum()) / total)
            found[kind] = (float(ratio), float(ratio / np.sqrt(2.0 * total)))
    return found


def freedom_of(model: Model, data: Data, rank: int) -> int:
    """Degrees of freedom of all residuals: values less the coordinates of poses and the rank of the unknowns."""
    used = used_rows(data)
    return max(int(np.isfinite(data.sigma[used]).sum()) - model.robot.dof * int(used.sum()) - rank, 0)


def verdict(
    model: Model, solution: Solution, data: Data, rank: int, estimated: bool, free_squares: float | None = None
) -> NoiseVerdict:
    """Chi-square test of all residuals, and the kind of noise that is off most.

    Args:
        model, solution, data: The fit.
        rank: How many of its unknowns are determined.
        estimated: The noise was not stated.
        free_squares: The sum of squares without tolerances that hold the parameters back; None if they do not.
    """
    used = used_rows(data)
    freedom = freedom_of(model, data, rank)
    squares = float((solution.r[used] ** 2).sum())
    ratios = noise_ratios(model, solution, data)
    if freedom == 0:
        return NoiseVerdict(squares, 0, 1.0, ratios, estimated, "as many unknowns as values: nothing tells the noise")
    high = float(chi2.sf(squares, freedom))
    sums = f"chi-square {squares:.0f} for {freedom} degrees of freedom"
    if estimated:
        return NoiseVerdict(squares, freedom, 1.0, ratios, True, "not stated: estimated from the residuals")
    if UNLIKELY <= high <= 1.0 - UNLIKELY:
        return NoiseVerdict(squares, freedom, high, ratios, False, f"{sums}: as stated")
    much = high < UNLIKELY
    if much and free_squares is not None and chi2.sf(free_squares, freedom) >= UNLIKELY:
        text = f"{sums}, {free_squares:.0f} without the tolerances: the tolerances do not fit, the noise does"
        return NoiseVerdict(squares, freedom, high, ratios, False, text, False)
    off = {kind: (ratio - 1.0) / max(error, 1e-12) for kind, (ratio, error) in ratios.items()}
    worst = (max if much else min)(off, key=lambda kind: off[kind])
    word = "understated" if much else "overstated"
    text = f"{sums}, p = {min(high, 1 - high):.2g}: {worst} noise is {word}, actual / stated {ratios[worst][0]:.2f}"
    if free_squares is not None:
        text += f" (chi-square {free_squares:.0f} without the tolerances)"
    return NoiseVerdict(squares, freedom, min(high, 1.0 - high), ratios, False, text, False)


def pose_freedom(model: Model, data: Data) -> Array:
    """(N,) degrees of freedom of each pose: its values less its coordinates, at least 1."""
    return np.asarray(np.maximum(np.isfinite(data.sigma).sum(axis=1) - model.robot.dof, 1))


def soft_weights(model: Model, solution: Solution, data: Data) -> Array:
    """(N,) weights that let a pose far from the model count little, by its Mahalanobis distance (Cauchy's form)."""
    freedom = pose_freedom(model, data)
    typical = max(float(np.median(solution.squares / chi2.median(freedom))), 1e-300)
    return np.asarray(1.0 / (1.0 + solution.squares / (freedom * typical * _SOFT)))


def outliers(model: Model, solution: Solution, data: Data) -> NDArray[np.bool_]:
    """(N,) which poses are farther from the model than noise takes any of them, noise scaled by the usual pose."""
    freedom = pose_freedom(model, data)
    typical = max(float(np.median(solution.squares / chi2.median(freedom))), 1e-300)
    limit = chi2.isf(STRANGE / len(freedom), freedom)
    return np.asarray(solution.squares > limit * max(typical, 1.0))


def listed(rows: Sequence[int]) -> str:
    """Numbers of rows: "15, 36 and 50"."""
    words = [str(row) for row in rows]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
