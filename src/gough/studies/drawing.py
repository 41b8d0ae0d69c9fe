"""The varied numbers of machines by their number: drawn, enumerated, correlated, or laid out for Sobol indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.draws.counter import STREAMS, Array, uniforms
from gough.draws.normal import normal, share
from gough.problem import Varied

TINY = 2.0**-54


@dataclass(frozen=True)
class Drawing:
    """How machines differ.

    Attributes:
        vary: The numbers.
        seed: Seed of the draws.
        indices: Whether machines are laid out for Sobol indices: in rows of k + 2, the first with the numbers of draw
            A, the second with those of draw B, the others with those of A but one of B (A. Saltelli et al., "Variance
            based sensitivity analysis of model output", 2010).
        factor: (k, k) lower triangular factor of the correlation of normal scores; None where none is stated.
    """

    vary: tuple[Varied, ...]
    seed: int
    indices: bool = False
    factor: Any = None

    @property
    def row(self) -> int:
        """Machines that belong together."""
        return len(self.vary) + 2 if self.indices else 1

    def values(self, first: int, last: int) -> Array:
        """(last - first, k) of machines of these numbers."""
        if self.indices and self.vary:
            return self._rows_values(first, last)
        at = np.arange(first, last)
        found = np.empty((last - first, len(self.vary)))
        u = self._units(at) if self.vary else found
        for k, one in enumerate(self.vary):
            if one.kind == "levels":
                found[:, k] = np.array(one.levels)[at % len(one.levels)]
                at = at // len(one.levels)
            else:
                found[:, k] = one.drawn(np.ascontiguousarray(u[:, k]))
        return found

    def _units(self, numbers: NDArray[np.integer]) -> Array:
        u = uniforms(self.seed, numbers, 0, len(self.vary), STREAMS["machines"])
        if self.factor is None:
            return u
        scores = np.zeros_like(u)
        z = normal(u)
        for i, row in enumerate(np.asarray(self.factor)):
            for k in range(i + 1):
                if row[k] != 0.0:
                    scores[:, i] += row[k] * z[:, k]
        return np.clip(share(scores), TINY, 1.0 - TINY)

    def _rows_values(self, first: int, last: int) -> Array:
        """Those of machines in rows for Sobol indices: each row is drawn once and laid out."""
        size, width = len(self.vary), self.row
        rows = np.arange(first // width, -(-last // width))
        units = uniforms(self.seed, rows, 0, 2 * size, STREAMS["machines"])
        drawn = np.stack(
            [one.drawn(np.ascontiguousarray(units[:, k::size])) for k, one in enumerate(self.vary)], axis=2
        )
        a, b = drawn[:, 0], drawn[:, 1]
        found = np.empty((len(rows), width, size))
        found[:] = a[:, None]
        found[:, 1] = b
        each = np.arange(size)
        found[:, 2 + each, each] = b
        begin = first - width * (first // width)
        return found.reshape(-1, size)[begin : begin + last - first]


def correlation_factor(names: Sequence[str], stated: Sequence[tuple[Sequence[str], Any]]) -> Any:
    """(k, k) lower triangular factor of the correlations of these numbers; stated ones by name, all others zero.

    Raises:
        ValueError: The matrix is not one of correlations; the message is a clause.
    """
    whole = np.eye(len(names))
    for own, matrix in stated:
        given = np.asarray(matrix, dtype=float)
        if given.shape != (len(own), len(own)) or not np.isfinite(given).all():
            raise ValueError(f"must be {len(own)} rows of {len(own)} numbers")
        if not np.array_equal(given, given.T) or not (np.diag(given) == 1.0).all() or np.abs(given).max() > 1.0:
            raise ValueError("must be symmetric with ones on its diagonal")
        places = [list(names).index(name) for name in own]
        whole[np.ix_(places, places)] = given
    try:
        return np.linalg.cholesky(whole)
    except np.linalg.LinAlgError:
        raise ValueError("must be positive definite: these correlations contradict one another") from None
