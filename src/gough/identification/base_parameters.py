"""Base parameters: the combinations of dynamic parameters that forces depend on, and their meaning.

Columns of the regressor at many random states, each scaled to length 1, have the rank r of the map. Going through the
parameters in their order, platform and drives first, a column that those before it give to round-off adds nothing new;
the others are the base: Y p = Y[:, kept] B p. A base parameter is the kept one plus what others add to it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gough.brief import brief
from gough.errors import NumericalError
from gough.graph import Array
from gough.kinematics.random_states import random_states

if TYPE_CHECKING:
    from gough.identification.regressor import Regressor

NOTHING = 1e-10
"""Length of a scaled column below which it is round-off."""
GAP = 100.0
"""Factor by which the smallest singular value that counts exceeds the largest that does not, at least."""
SMALL = 1e-9
"""Coefficients below this are round-off."""
SHOWN = 4
"""Terms of a base parameter that its text lists."""


@dataclass(frozen=True)
class BaseParameters:
    """Base parameters: the combinations of parameters that forces depend on.

    Attributes:
        names: (p,) of all parameters.
        kept: (r,) indices of those that lead a base parameter.
        map: (r, p) base = map p.
        without: Indices of parameters that no force depends on.
        gap: Smallest singular value that counts over the largest that does not; infinite where all count.
    """

    __repr__ = brief

    names: tuple[str, ...]
    kept: NDArray[np.intp]
    map: Array
    without: tuple[int, ...]
    gap: float

    def __len__(self) -> int:
        """How many."""
        return len(self.kept)

    @property
    def labels(self) -> tuple[str, ...]:
        """(r,) names of the parameters that lead them."""
        return tuple(self.names[k] for k in self.kept)

    def terms(self, k: int) -> list[tuple[str, float]]:
        """Parameters that make up base parameter k, and their factors, the leading one first."""
        row = self.map[k]
        others = [j for j in np.argsort(-np.abs(row), kind="stable") if j != self.kept[k] and abs(row[j]) > SMALL]
        return [(self.names[j], float(row[j])) for j in (int(self.kept[k]), *others)]

    def text(self, k: int, shown: int = SHOWN) -> str:
        """Base parameter k in words: "platform.mass + 1.P.mass + 2.P.mass and 4 more"."""
        (first, _), *others = self.terms(k)
        words = [first]
        for name, factor in others[:shown]:
            size = _factor(abs(factor))
            words.append(f"{'-' if factor < 0 else '+'} {size}{name}")
        more = len(others) - shown
        return " ".join(words) + (f" and {more} more" if more > 0 else "")


def _factor(size: float) -> str:
    """A factor before a name: nothing for 1, 1/2 as such."""
    near = Fraction(size).limit_denominator(12)
    if abs(float(near) - size) < SMALL * size:
        return "" if near == 1 else f"{near} "
    return f"{size:.4g} "


def base_parameters(regressor: Regressor, seed: int = 0) -> BaseParameters:
    """The base of a regressor, from random states within reach.

    Raises:
        NumericalError: Next to no pose is within reach, or there is no telling round-off from small effects.
    """
    robot = regressor.robot
    Y, length = _columns(regressor, seed)
    moving = _acting(regressor.names, length)
    scaled = np.where(moving, Y / np.where(moving, length, 1.0), 0.0)
    order = _order(regressor)
    kept = _independent(scaled[:, order])
    rank, gap = _rank(np.linalg.svd(scaled, compute_uv=False))
    if len(kept) != rank:
        raise NumericalError(
            f"base parameters of {robot.name}: rank {rank} by singular values, {len(kept)} by elimination; effects "
            "differ too much in size"
        )
    lead = np.sort(np.array([order[k] for k in kept], dtype=np.intp))
    B = np.linalg.lstsq(scaled[:, lead], scaled, rcond=None)[0] * length / length[lead, None]
    scale = np.where(moving, length, np.inf) / length[lead, None]
    B[np.abs(B) < SMALL * np.maximum(scale, 1e-3)] = 0.0
    B[:, ~moving] = 0.0
    B[np.arange(rank), lead] = 1.0
    return BaseParameters(regressor.names, lead, B, tuple(np.flatnonzero(~moving).tolist()), gap)


def acting(regressor: Regressor, seed: int = 0) -> NDArray[np.bool_]:
    """(p,) whether some force depends on a parameter, at random states within reach."""
    return _acting(regressor.names, _columns(regressor, seed)[1])


def _columns(regressor: Regressor, seed: int) -> tuple[Array, Array]:
    """(M, p) rows of the regressor at random states, divided by what they weigh on the actuators, and lengths (p,)."""
    robot, p = regressor.robot, len(regressor.names)
    states = random_states(robot, max(60, math.ceil(3 * p / robot.dof)), seed)
    found = regressor.columns(states.x, states.xd, states.xdd)
    weights = np.linalg.norm(found.K, axis=1)
    Y = (found.Q / weights[:, :, None])[found.sound].reshape(-1, p)
    return Y, np.linalg.norm(Y, axis=0)


def _acting(names: tuple[str, ...], length: Array) -> NDArray[np.bool_]:
    """(p,) which columns of these lengths exceed the round-off of others of their kind."""
    kinds = [name.rpartition(".")[2][:1] for name in names]
    largest = {kind: max(s for s, own in zip(length, kinds, strict=True) if own == kind) for kind in kinds}
    return np.array([s > NOTHING * largest[kind] for s, kind in zip(length, kinds, strict=True)])


def _order(regressor: Regressor) -> list[int]:
    """Platform first, then drives, then legs from the last body to the first: what is nearest to the task leads."""
    parameters = regressor.parameters
    drives = list(range(parameters.drives_first, len(regressor.names)))
    platform, *others = parameters.blocks
    found = list(range(platform.first, platform.first + platform.size)) + drives
    for block in others:
        found += range(block.first, block.first + block.size)
    return found


def _independent(columns: Array) -> list[int]:
    """Indices of columns that those before them do not give, by orthogonalisation done twice."""
    basis = np.empty((columns.shape[0], min(columns.shape)))
    kept: list[int] = []
    for k, column in enumerate(columns.T):
        rest = column
        for _ in range(2):
            rest = rest - basis[:, : len(kept)] @ (basis[:, : len(kept)].T @ rest)
        size = float(np.linalg.norm(rest))
        if size > NOTHING and len(kept) < basis.shape[1]:
            basis[:, len(kept)] = rest / size
            kept.append(k)
    return kept


def _rank(singular: Array) -> tuple[int, float]:
    """Number of singular values above the widest gap, if any lies below `NOTHING` of the largest, and the gap."""
    low = singular < NOTHING * singular[0]
    rank = int(np.argmax(low)) if low.any() else len(singular)
    if rank == len(singular):
        return rank, math.inf
    gap = float(singular[rank - 1] / max(singular[rank], 1e-300))
    return (rank, gap) if gap > GAP else (-1, gap)
