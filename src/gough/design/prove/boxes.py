"""Boxes, many at once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Boxes:
    """Middles and half-widths (B, n)."""

    centre: Any
    radius: Any

    @classmethod
    def around(cls, ranges: Any) -> Boxes:
        """The one box of these ranges (n, 2)."""
        low, high = np.array(ranges, dtype=float).T
        radius = np.where(high > low, np.nextafter(0.5 * (high - low), np.inf), 0.0)
        return cls(0.5 * (low + high)[None], radius[None])

    def __len__(self) -> int:
        return len(self.centre)

    @property
    def volume(self) -> Any:
        """(B,) over the axes that have a width."""
        return np.prod(np.where(self.radius > 0.0, 2.0 * self.radius, 1.0), axis=1)

    def some(self, which: Any) -> Boxes:
        """Those of them."""
        return Boxes(self.centre[which], self.radius[which])

    def halves(self) -> Boxes:
        """All halved along every axis that has a width."""
        wide = (self.radius > 0.0).any(axis=0)
        signs = np.array(list(product(*[(-0.5, 0.5) if w else (0.0,) for w in wide])))
        centre = np.concatenate([self.centre + sign * self.radius for sign in signs])
        return Boxes(centre, np.tile(0.5 * self.radius, (len(signs), 1)))

    def halved(self, axis: Any) -> Boxes:
        """Each halved along one axis of its own (B,)."""
        along = np.arange(self.radius.shape[1]) == axis[:, None]
        radius = np.where(along, 0.5 * self.radius, self.radius)
        step = np.where(along, radius, 0.0)
        return Boxes(np.concatenate([self.centre - step, self.centre + step]), np.concatenate([radius, radius]))

    def then(self, others: Boxes) -> Boxes:
        """These, then the others."""
        return Boxes(np.concatenate([self.centre, others.centre]), np.concatenate([self.radius, others.radius]))


ROUND_OFF = 1e-11
"""Of the sizes added up: more than what follows the enclosures can be off by round-off."""


def at_corners(form: Any, corners: Any) -> Any:
    """(C, ...) values of forms (d + 2, ...) without their rests."""
    return form[0] + np.tensordot(corners, form[1:-1], axes=1)


def linear(rows: Any, ball: bool) -> Any:
    """Largest value of linear forms (..., n, B) over the cube or the ball."""
    return np.sqrt((rows**2).sum(axis=-2)) * (1.0 + ROUND_OFF) if ball else np.abs(rows).sum(axis=-2)


def ends(form: Any) -> tuple[Any, Any]:
    """Lowest and highest values of forms (d + 2, k, B)."""
    radius = np.abs(form[1:]).sum(axis=0) * (1.0 + ROUND_OFF)
    return form[0] - radius, form[0] + radius
