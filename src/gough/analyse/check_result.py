"""A motion against all limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from gough.analyse.finding import Finding
from gough.analyse.path import Path
from gough.motion import Motion
from gough.robot import Robot


@dataclass(frozen=True)
class CheckResult:
    """A motion against all limits.

    Attributes:
        robot, motion: What was checked.
        limits: As stated, SI units; the robot's own are its own.
        findings: The worst of each kind of limit.
        every: The worst of each limit of each owner.
        unchecked: Why, for each kind that was not checked, or not for all.
        crossings: Times at which det K changes its sign: the motion passes through a singularity [s].
        notes: What else must be known.
        sampled: How many samples were looked at; 0 where extremes are found between samples.
        length: Characteristic length for condition and singular values [m].
    """

    robot: Robot
    motion: Motion
    limits: Mapping[str, Any]
    findings: tuple[Finding, ...]
    every: tuple[Finding, ...]
    unchecked: Mapping[str, str]
    crossings: tuple[float, ...]
    notes: tuple[str, ...]
    sampled: int
    length: float
    _path: Path = field(repr=False)

    @property
    def fits(self) -> bool:
        """Whether no limit is violated and no singularity passed."""
        return all(found.fits for found in self.findings) and not self.crossings

    @property
    def violated(self) -> tuple[str, ...]:
        """Kinds of limits that are violated; "det K" for a singularity on the way."""
        return tuple(found.kind for found in self.findings if not found.fits) + (("det K",) if self.crossings else ())

    @cached_property
    def advice(self) -> Any:
        """What to try: see `gough.analyse.advice.Advice`."""
        from gough.analyse.advice import advise

        return advise(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, SI units and radians."""
        advice = self.advice
        return {
            "robot": self.robot.name,
            "motion": self.motion.name,
            "duration": self.motion.duration,
            "fits": self.fits,
            "violated": list(self.violated),
            "findings": [found.to_dict() for found in self.findings],
            "every": [found.to_dict() for found in self.every],
            "unchecked": dict(self.unchecked),
            "det_K_changes_sign_at": list(self.crossings),
            "characteristic_length": self.length,
            "sampled": self.sampled,
            "notes": list(self.notes),
            "largest_amplitude": advice.amplitude,
            "shortest_duration": advice.duration,
        }
