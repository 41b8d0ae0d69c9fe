"""A motion against all limits: the worst value of each quantity beside its limit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from gough.analysis.along_motion import Path, ReachError
from gough.analysis.checked_quantities import Column
from gough.analysis.extremes import Extreme
from gough.motion import Motion
from gough.robot import Robot
from gough.robot.leg_values import ROUND_OFF
from gough.table import Result, records


class CheckResult(Result):
    """The result of a check: a motion against all limits.

    Attributes:
        robot, motion: What was checked.
        limits: As stated, SI units; the robot's own are its own.
        findings: The worst of each kind of limit.
        every: The worst of each limit of each owner.
        unchecked: Why, for each kind that was not checked, or not for all.
        crossings: Times at which det K changes its sign: the motion passes through a singularity [s].
        touched: Others at which det K is 0: the motion touches a singularity, begins, ends or stays in one [s].
        notes: What else must be known.
        sampled: Number of samples checked; 0 where extremes are found between samples.
        length: Characteristic length for condition and singular values [m].
        lost: Where a leg goes out of reach; all above is of the motion up to there. None if none does.
    """

    robot: Robot
    motion: Motion
    limits: Mapping[str, Any]
    findings: tuple[Finding, ...]
    every: tuple[Finding, ...] = records(t="s")
    unchecked: Mapping[str, str]
    crossings: tuple[float, ...]
    touched: tuple[float, ...]
    notes: tuple[str, ...]
    sampled: int
    length: float
    lost: ReachError | None
    _path: Path = field(repr=False)

    DRAWN, LAYOUT, UNDER = ("relative",), "rows", "every"

    @property
    def fits(self) -> bool:
        """Whether all legs reach, no limit is violated and no singularity met."""
        return not self.violated

    @property
    def violated(self) -> tuple[str, ...]:
        """Kinds of limits that are violated.

        "reach" for a leg that cannot follow, "infeasible" where no forces within the limits do, "det K" for a
        singularity.
        """
        reach, crossed = (self.lost.kind,) if self.lost else (), ("det K",) if self.crossings or self.touched else ()
        return reach + tuple(found.kind for found in self.findings if not found.fits) + crossed

    @cached_property
    def advice(self) -> Any:
        """What to try: see `gough.analysis.advice.Advice`."""
        from gough.analysis.advice import advise

        return advise(self)

    def facts(self) -> dict[str, Any]:
        """Facts that go with the table of every limit: the question, the verdicts, and what to try."""
        advice = self.advice
        return {
            "robot": self.robot.name,
            "motion": self.motion.name,
            "duration": self.motion.duration,
            "fits": self.fits,
            "violated": list(self.violated),
            "lost": None if self.lost is None else self.lost.to_dict(),
            "findings": [found.to_dict() for found in self.findings],
            "unchecked": dict(self.unchecked),
            "det_K_changes_sign_at": list(self.crossings),
            "det_K_is_zero_at": list(self.touched),
            "characteristic_length": self.length,
            "sampled": self.sampled,
            "notes": list(self.notes),
            "largest_amplitude": advice.amplitude,
            "shortest_duration": advice.duration,
            "reachable_amplitude": advice.reachable,
            "reachable_duration": advice.reachable_duration,
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """The worst value of one quantity.

    Attributes:
        kind: Of the limit.
        owner: Actuator, leg and joint, or pair of legs; empty for the whole machine.
        t: When [s].
        value, limit: [m or rad, per s, N or N m, W, or plain].
        margin: What is left to the limit, negative if it is passed.
        relative: The margin, of the limit or of the range.
        turns: Whether the quantity belongs to something that turns.
        upper: Whether the limit is the largest value allowed.
        at_end: Whether the limit is passed only where a leg comes to the end of its reach, where the value has no
            bound: that violates the reach, and not this limit.
    """

    kind: str
    owner: str
    t: float
    value: float
    limit: float
    margin: float
    relative: float
    turns: bool
    upper: bool
    at_end: bool = False

    @property
    def fits(self) -> bool:
        """Whether the limit is kept, but for the end of the reach."""
        return self.at_end or self.margin >= -ROUND_OFF * max(abs(self.limit), abs(self.value))

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self) | {"fits": self.fits}


def finding(column: Column, low: Extreme, high: Extreme) -> Finding:
    """The worse of the two ends of a quantity's range."""
    if column.kind == "angle":
        low, high = high, low  # the largest angle has the smallest cosine
    bound, sides = column.bound, []
    for limit, extreme, upper in ((bound.low, low, False), (bound.high, high, True)):
        if math.isfinite(limit):
            value = column.shown(extreme.value)
            margin = limit - value if upper else value - limit
            margin = 0.0 if -column.slack <= margin < 0.0 else margin
            relative = margin / column.width if math.isfinite(margin) else -math.inf
            found = (column.kind, column.owner, extreme.t, value, limit, margin, relative, column.turns, upper)
            sides.append(Finding(*found))
    return worst_finding(sides)


def worst_finding(found: Sequence[Finding]) -> Finding:
    """The one with the least margin of its limit; of those equal but for round-off the earliest.

    One that is beyond its limit at the end of the reach alone counts only where no other violates its own.
    """
    found = [one for one in found if not one.fits] or found
    least = min(found, key=lambda one: one.relative)
    if not math.isfinite(least.relative):
        return least
    slack = ROUND_OFF * max(1.0, abs(least.relative))
    return min((one for one in found if one.relative <= least.relative + slack), key=lambda one: one.t)
