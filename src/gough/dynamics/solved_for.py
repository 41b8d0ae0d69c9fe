"""What the forward dynamics of a formulation solves for."""

from __future__ import annotations

from enum import Enum


class SolvedFor(Enum):
    """The unknowns of M times acceleration = force - bias."""

    FREE_RATES = "free rates"
    """Accelerations of the platform; the equations hold on any of its rates, also the free ones."""

    COORDINATES = "coordinates"
    """Accelerations of the platform; the bias differentiates by x and needs the rates of the coordinates."""

    ACTUATORS = "actuators"
    """Accelerations of the actuators."""

    NOTHING = "nothing"
    """No forward dynamics."""
