"""The best motion between two poses: the path is free, and is passed in the best law of time.

Splines of time are searched for the path; along it the law is then found again by `fastest`, which knows no splines,
and certified by `check`. It is never worse than the straight line: that comes back where no path is better.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from gough.analysis.along_motion import ReachError
from gough.analysis.check import check
from gough.analysis.check_result import CheckResult
from gough.analysis.limits import LimitsLike, actuator_bounds, check_limits, in_si
from gough.design.demand import demand
from gough.errors import GoughError, InputError
from gough.graph import Array
from gough.motion import Motion
from gough.motion.curves import linear
from gough.robot import Robot
from gough.robot.names import did_you_mean
from gough.timing.drive_terms import terms_of
from gough.timing.facets import shares_within_limits
from gough.timing.fastest import CELLS, along, check_bounded, grid_of, profile_if_any, scaled
from gough.timing.fastest_result import Fastest, InfeasibleError
from gough.timing.free_limits import FreeLimits, quantities_of
from gough.timing.free_result import FreePath
from gough.timing.free_search import LEAST, Found, Search
from gough.timing.geometry import Way, is_steady, weights_of
from gough.timing.limit_rows import Bounds
from gough.timing.reachability import toppra_parts
from gough.timing.spline_space import SplineSpace

SPANS = 8
SHARES = (1.0, 0.97, 0.9)
"""Of the limits that the search may use, one after the other: what happens between its steps is not in its sight."""
COARSE = 300
"""Cells of the grid while a force is searched for."""
Lost = (InfeasibleError, ReachError)
Best = tuple[float, Motion, CheckResult, Fastest | None]
"""Value, motion, certificate, and its law along the path where the time is least."""


def free_path(
    robot: Robot,
    motion: Motion,
    limits: LimitsLike | None = None,
    least: str = "time",
    spans: int = SPANS,
    cells: int = CELLS,
) -> FreePath:
    """The best motion from the first pose of a motion to its last, at rest at both; the way between is free.

    Args:
        robot: Any; where it has a motor, or actuators share forces within limits, for the least time only.
        motion: Its ends count, and its duration counts where energy or force is to be least.
        limits: In place of the robot's own, as of `check`.
        least: "time"; "energy", the work that actuators deliver, none of it taken back; or "force", the largest.
        spans: Of the spline, 4 or more: the more, the more a path can bend.
        cells: Of the grid of places along the path, as of `fastest`.

    Raises:
        InputError: Something that cannot be; no limit that bounds the time; toppra is not installed.
        InfeasibleError: No path was found that keeps all limits; says which is missed, and by how much.
    """
    toppra_parts()
    stated = check_limits(in_si(robot, limits))
    moved = Motion.of(robot, motion).path()
    _check_asked(robot, moved, least, spans)
    if least == "time":
        check_bounded(robot, stated)
    ends = [moved(t).x for t in (moved.start, moved.end)]
    if np.allclose(ends[0], ends[1], rtol=0.0, atol=1e-12):
        raise InputError(f"motion {moved.name}: ends where it starts; give --to POSE, or a motion between two poses")
    space = SplineSpace(ends[0], ends[1], spans)
    job = FreeTask(robot, moved, stated, least, space, cells)
    return job.result()


def _check_asked(robot: Robot, motion: Motion, least: str, spans: int) -> None:
    if least not in LEAST:
        raise InputError(f"least {least}: must be one of {', '.join(LEAST)} ({did_you_mean(least, LEAST)})")
    if not 4 <= spans <= 100:
        raise InputError(f"spans {spans}: must be from 4 to 100")
    if robot.motor is not None and least != "time":
        raise InputError(f"least {least}: {robot.name} has a motor, whose curve is kept to for the least time only")
    if shares_within_limits(robot) and least != "time":
        raise InputError(f"least {least}: {robot.name} shares forces within limits: only the least time is known")
    if not is_steady(motion.load):
        raise InputError(f"motion {motion.name}: its load changes with time; on a free path it must be constant")


class FreeTask:
    """A question, and the steps to its answer."""

    def __init__(
        self,
        robot: Robot,
        motion: Motion,
        stated: Mapping[str, Any],
        least: str,
        space: SplineSpace,
        cells: int,
    ) -> None:
        self.robot, self.motion, self.stated, self.least, self.space = robot, motion, stated, least, space
        self.cells, self.name = cells, f"free path of least {least}"

    def result(self) -> FreePath:
        """The better of the free path and the straight line."""
        self._check_ends()
        straight, cause = self._tried(None)
        best, found = None, None
        for share in SHARES:
            found = self._searched(share, found)
            best, why = self._tried(found.points)
            cause = cause or why
            if best is not None:
                break
        assert found is not None
        if best is None and straight is None:
            assert cause is not None
            raise cause
        own = best if straight is None or (best is not None and best[0] <= straight[0]) else straight
        assert own is not None
        value, motion, certificate, timed = own
        before, line = (np.nan, None) if straight is None else (straight[0], straight[1])
        motion = replace(motion, name=self.name)
        return FreePath(
            self.robot, self.least, motion, dict(self.stated), value, before, line, certificate, found, timed
        )

    def _check_ends(self) -> None:
        """Refuse poses at which a limit is exceeded at rest: no path leads there."""
        limits, zero = self._limits(), np.zeros(2 * self.robot.dof)
        found = limits.at(np.stack([np.append(pose, zero) for pose in (self.space.start, self.space.end)]))
        for q in limits.quantities:
            for place, value in enumerate(found[q.part][0][:, q.place]):
                if not q.low <= value <= q.high and q.kind != "reach":
                    limit = q.high if value > q.high else q.low
                    raise InfeasibleError(q.kind, q.owner, q.shown(value), q.shown(limit), float(place))

    def _straight_way(self) -> Way:
        curve = linear(np.array([0.0, 1.0]), np.stack([self.space.start, self.space.end]))
        return Way(curve, (0.0, 1.0), (0.0, 1.0), self.motion.load)

    def _free_way(self, points: Array) -> Way:
        curve = self.space.pieces(points)
        return Way(curve, curve.breakpoints, (0.0, 1.0), self.motion.load, rolling=True)

    def _searched(self, share: float, last: Found | None) -> Found:
        """The best of the space with a share of the limits."""
        weights = weights_of(self.robot)
        unit = float(np.linalg.norm((self.space.end - self.space.start) * weights)) / weights
        search = Search(self.space, self._limits(), self.least, unit, self.motion.duration, share)
        if self.least == "time":
            search = replace(search, duration=search.feasible_time(self.space.straight))
        return search.best(self.space.straight if last is None else last.points)

    def _limits(self) -> FreeLimits:
        load = None if self.motion.load is None else self.motion.load(np.array([self.motion.start]))[0][0]
        more = () if self.least == "time" else ("force", "speed")
        limits = FreeLimits(self.robot, tuple(self._quantities()), load, more)
        return limits.without_constant_reach(np.append(self.space.start, np.zeros(2 * self.robot.dof))[None])

    def _quantities(self) -> list[Any]:
        """What the search keeps to: a motor's curve by its largest torque and speed."""
        stated = dict(self.stated)
        if (motor := self.robot.motor) is not None:
            curve = motor.limiting
            for kind, most in (
                ("force", max(curve.torque) * motor.ratio * motor.efficiency),
                ("speed", curve.speed[-1] / motor.ratio),
            ):
                own = [b.high for _, b in actuator_bounds(self.robot, kind, stated) if b is not None]
                stated[kind] = min([most, *own])
        found = quantities_of(self.robot, stated)
        return [q for q in found if not (self.least == "force" and q.kind == "force")]

    def _tried(self, points: Array | None) -> tuple[Best | None, GoughError | None]:
        """What control points (free, n) come to, or the straight line; or why they do not fit."""
        try:
            if self.least == "energy":
                return self._leanest(self.space.straight if points is None else points), None
            way = self._straight_way() if points is None else self._free_way(points)
            if self.least == "time":
                timed = along(self.robot, way, self.stated, self.name, self.cells)
                return (timed.duration, timed.motion, timed.certificate, timed), None
            return self._weakest(way), None
        except Lost as error:
            return None, error

    def _weakest(self, way: Way) -> Best:
        """The least force with which a path is passed in the time given, and that motion."""
        duration, robot = self.motion.duration, self.robot
        terms = terms_of(robot, way, grid_of(robot, way, min(self.cells, COARSE)))

        def fits(force: float) -> bool:
            found = profile_if_any(Bounds(terms, {**self.stated, "force": force}))
            return found is not None and found.duration <= duration

        hold = float(np.abs(terms.c).max()) or 1.0
        low, high = 0.0, hold
        while not fits(high):
            low, high = high, 2.0 * high
            if high > 1e6 * hold:
                raise InputError(f"free path: {duration:g} s is too short for any force; give more time")
        while high - low > 1e-5 * high:
            middle = 0.5 * (low + high)
            low, high = (low, middle) if fits(middle) else (middle, high)
        for give in (1e-5, 1e-4, 1e-3, 1e-2, 3e-2):
            force = high * (1.0 + give)
            timed = along(robot, way, {**self.stated, "force": force}, self.name, self.cells)
            if timed.duration <= duration:
                break
        motion = scaled(timed.motion, duration / timed.duration) if timed.duration < duration else timed.motion
        certificate = self._certified(motion)
        return float(np.abs(demand(robot, motion).force).max()), motion, certificate, None

    def _leanest(self, points: Array) -> Best:
        """The energy of the spline of control points (free, n) in the time given, and that motion."""
        curve, names = self.space.pieces(points, self.motion.duration), self.robot.coordinate_names
        motion = Motion(self.name, names, 0.0, self.motion.duration, curve, self.motion.load)
        certificate = self._certified(motion)
        return float(demand(self.robot, motion).energy.sum()), motion, certificate, None

    def _certified(self, motion: Motion) -> CheckResult:
        """The certificate of a motion in its time.

        Raises:
            InfeasibleError: It does not fit.
        """
        found = check(self.robot, motion, self.stated)
        if found.lost is not None:
            raise found.lost
        for worst in found.findings:
            if not worst.fits:
                raise InfeasibleError(worst.kind, worst.owner, worst.value, worst.limit)
        if found.crossings or found.touched:
            raise InfeasibleError("det K", "", 0.0, 0.0)
        return found
