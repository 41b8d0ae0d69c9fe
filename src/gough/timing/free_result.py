"""The best motion between two poses, beside the straight line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.analysis.check_result import CheckResult
from gough.motion import Motion
from gough.robot import Robot
from gough.table import Block, Result
from gough.timing.fastest_result import Fastest, blocks_dict
from gough.timing.free_search import Found

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROWS = 201
"""Rows of the table: even times from start to end."""
UNITS = {"time": "s", "energy": "J"}


class FreePath(Result):
    """The best motion from one pose to another.

    Attributes:
        robot: The question.
        least: What is least: "time", "energy" or "force".
        motion: A motion like any other, at rest at both ends.
        limits: Those that were given, in SI units; all others are the robot's own.
        value: Time [s], energy delivered [J] or largest force [N or N m] of the motion.
        before: The same along the straight line; NaN if that does not fit.
        straight: The straight line in its best law (of energy: 3 u^2 - 2 u^3), or None if it does not fit.
        certificate: Result of `check` on the motion: it fits.
        found: The spline that the path follows.
        timed: The law along the path, and which limit binds when; None unless `least` is "time".
    """

    robot: Robot
    least: str
    motion: Motion
    limits: Mapping[str, Any]
    value: float
    before: float
    straight: Motion | None
    certificate: CheckResult = field(repr=False)
    found: Found = field(repr=False)
    timed: Fastest | None = field(repr=False)

    INDEX, DRAWN = "t", ("x",)

    @property
    def duration(self) -> float:
        """Duration of the motion [s]."""
        return self.motion.duration

    @property
    def fits(self) -> bool:
        """Whether the certificate says so, and the curve of the robot's motor is kept."""
        return self.certificate.fits and (self.timed is None or self.timed.fits)

    @property
    def gain(self) -> float:
        """Relative change from the straight line: -0.1 is a tenth less."""
        return self.value / self.before - 1.0

    @property
    def unit(self) -> str:
        """Unit of the value."""
        return UNITS.get(self.least) or ("N m" if self.robot.actuators[0].turns else "N")

    def facts(self) -> dict[str, Any]:
        """Facts that go with the motion: what is least, its check, and the path's control points."""
        facts: dict[str, Any] = {
            "robot": self.robot.name,
            "motion": self.motion.name,
            "least": self.least,
            "value": self.value,
            "straight": None if np.isnan(self.before) else self.before,
            "duration": self.duration,
            "fits": self.fits,
            "certificate": [found.to_dict() for found in self.certificate.findings],
            "control_points": self.found.points.tolist(),
            "steps": self.found.steps,
        }
        if self.timed is not None:
            facts["stretches"] = blocks_dict(self.timed.stretches)
        return facts

    def _blocks(self) -> list[Block]:
        """The motion at even times: coordinates, rates and accelerations."""
        t = np.linspace(self.motion.start, self.motion.end, ROWS)
        x, xd, xdd = self.motion.law(t)
        axes = {"coordinate": self.motion.coordinates}
        blocks = [Block("t", t, "s"), Block("x", x, axes=axes, prefix="")]
        return [*blocks, Block("xd", xd, axes=axes), Block("xdd", xdd, axes=axes)]

    def figure(self) -> Figure:
        """Coordinates over time beside those of the straight line, and the actuators' forces."""
        from gough.timing.free_picture import free_picture

        return free_picture(self)

    def motion_csv(self) -> str:
        """CSV text of the motion that `read_csv` takes, and which fits too."""
        if self.timed is not None:
            return self.timed.motion_csv()
        from gough.timing.motion_rows import certified_rows

        return certified_rows(self.robot, self.motion, self.limits)
