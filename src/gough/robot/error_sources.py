"""What makes a machine inexact and elastic: values that a robot's file, or a file beside it, may state."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from gough.brief import brief

ERROR_TABLES = ("tolerances", "heat", "stiffness")
POINTS = ("base", "platform")
READINGS = ("zero", "encoder", "backlash")
FORMS = (*POINTS, *READINGS)
PAGE = '"Accuracy and stiffness: pose errors and deflections" in the documentation'
"""Where the keys of these tables are, for messages."""
DISTRIBUTIONS = ("uniform", "normal")
TOLERANCE_WORDS = (*FORMS, "distribution")
"""Keys of `[tolerances]` that are no addresses."""


@dataclass(frozen=True)
class ErrorSources:
    """Tolerances, heat and stiffness of a machine, SI units.

    Attributes:
        by_address: Half widths of numbers by their address.
        by_form: Half widths of `FORMS`; of the encoder its step, of backlash the whole play.
        distribution: Distribution of dimensions: "uniform" or "normal".
        temperature, expansion: Half width of the temperature [K], and what it does [1/K].
        scale_expansion: What it does to the scales of encoders of actuators that slide [1/K].
        stiffness: Stiffness of "actuator", "joint", "tilt", "link", "bending"; rigid where not stated.
    """

    __repr__ = brief

    by_address: Mapping[str, float] = field(default_factory=dict)
    by_form: Mapping[str, float] = field(default_factory=dict)
    distribution: str = "uniform"
    temperature: float = 0.0
    expansion: float = 0.0
    stiffness: Mapping[str, float] = field(default_factory=dict)
    scale_expansion: float = 0.0

    def deviation(self, half_width: float) -> float:
        """Standard deviation of a dimension with a half width."""
        return half_width / (3.0 if self.distribution == "normal" else math.sqrt(3.0))

    @property
    def stated(self) -> bool:
        """Whether anything is inexact or elastic."""
        halves = (*self.by_form.values(), *self.by_address.values(), self.temperature, *self.stiffness.values())
        return any(value > 0.0 for value in halves)
