"""What a motion is made of: curves, functions of time with exact first and second derivatives."""

from __future__ import annotations

from typing import Protocol

from gough.graph import Array

Jet = tuple[Array, Array, Array]


class Curve(Protocol):
    """A function of time into R^n, analytic between its breakpoints."""

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Times at which one analytic piece ends and the next begins [s], increasing; empty for a single piece."""

    @property
    def analytic(self) -> bool:
        """Whether it is analytic between its breakpoints: false only for a user's function."""

    def __call__(self, t: Array) -> Jet:
        """Values, first and second derivatives at times t (N,), each (N, n)."""
