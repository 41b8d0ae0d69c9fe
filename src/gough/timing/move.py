"""Motions with bounded jerk along a path, by the law of motion controllers, certified.

On each stretch between stops the place follows an S-curve: ramps as long as the limits of jerk and force make them, and
constant speed between. The shape with the shortest time is searched for each stretch. There is no claim that no other
law is faster: that is `fastest`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from gough.analysis.advice import ROUNDS, shortest_duration
from gough.analysis.along_motion import Path
from gough.analysis.check import check
from gough.analysis.check_result import CheckResult
from gough.analysis.extremes import pieces_of
from gough.analysis.limits import LimitsLike, check_limits, in_si
from gough.errors import InputError
from gough.graph import Array
from gough.kinematics import inverse_kinematics
from gough.motion import Motion
from gough.motion.curves import Pieces, Retimed
from gough.robot import Mechanism, Robot
from gough.table import Block, Result
from gough.table.result import robot_block
from gough.timing.fastest_result import InfeasibleError
from gough.timing.geometry import Way, way_of
from gough.timing.ramps import Shape, best_shape

_JERKS = np.array([1.0, 0.0, -1.0, 0.0, -1.0, 0.0, 1.0])
"""Sign of the jerk on each stretch of an S-curve."""


def s_curve(jerk: float, steady: float, begin: float = 0.0, start: float = 0.0) -> Pieces:
    """Seven stretches of constant jerk from `start` to `start` + 1, at rest at both ends, in one unit of time.

    Args:
        begin: Time at the start.
        jerk: Share of the time of each of the four stretches in which the acceleration changes, up to 1/4.
        steady: Share of the time at constant speed; with 4 jerk at most 1. The rest is constant acceleration.
    """
    push = 0.5 * (1.0 - 4.0 * jerk - steady)
    steps = np.array([jerk, push, jerk, steady, jerk, push, jerk])
    signs, steps = _JERKS[steps > 1e-12], steps[steps > 1e-12]
    state, rows = np.zeros(3), []
    for sign, h in zip(signs, steps, strict=True):
        s, v, a = state
        rows.append([s, v, a / 2.0, sign / 6.0])
        state = np.array([s + v * h + a * h**2 / 2 + sign * h**3 / 6, v + a * h + sign * h**2 / 2, a + sign * h])
    coefficients = np.array(rows).T / state[0]
    coefficients[0] += start
    return Pieces(begin + np.concatenate([[0.0], np.cumsum(steps)]), coefficients[:, :, None])


STEP = 1e-3
"""Of set points [s]."""


class Move(Result):
    """A motion with bounded jerk.

    Attributes:
        robot: The robot.
        motion: At rest at both ends and at corners; acceleration without jumps.
        limits: Those that were given, in SI units; all others are the robot's own.
        jerk: Largest jerk of an actuator that is allowed [m/s^3 or rad/s^3], or None.
        largest: That is not exceeded by any actuator: a bound of the polynomials of their accelerations.
        certificate: Result of `check` on the motion.
        step: Step of the set points [s].
    """

    robot: Robot
    motion: Motion
    limits: Mapping[str, Any]
    jerk: float | None
    largest: float
    certificate: CheckResult = field(repr=False)
    step: float = STEP

    INDEX, DRAWN = "t", ("q", "qd", "qdd")

    @property
    def duration(self) -> float:
        """[s]."""
        return self.motion.duration

    @property
    def fits(self) -> bool:
        """Whether all limits are kept, that of jerk too."""
        return self.certificate.fits and (self.jerk is None or self.largest <= self.jerk * (1.0 + 1e-9))

    def facts(self) -> dict[str, Any]:
        """Facts that go with the set points: what was planned, and its check."""
        return {
            "robot": self.robot.name,
            "motion": self.motion.name,
            "duration": self.duration,
            "fits": self.fits,
            "jerk": self.largest,
            "certificate": [f.to_dict() for f in self.certificate.findings],
        }

    def _blocks(self) -> list[Block]:
        """Set points of the actuators at even steps of time, the end included."""
        t = np.append(np.arange(0.0, self.duration * (1.0 - 1e-12), self.step), self.duration)
        found = inverse_kinematics(self.robot, self.motion(t))
        orders = {"q": "displacement", "qd": "rate", "qdd": "acceleration"}
        blocks = [robot_block(self.robot, k, getattr(found, k), "actuator", order) for k, order in orders.items()]
        return [Block("t", t, "s"), *blocks]


def move(
    robot: Robot,
    motion: Motion,
    limits: LimitsLike | None = None,
    jerk: float | None = None,
    step: float = STEP,
) -> Move:
    """A motion with bounded jerk along the path of a motion, as short as S-curves make it.

    Args:
        robot: Any robot.
        motion: As in `fastest`: its path counts, not its time.
        limits: In place of the robot's own, as in `check`.
        jerk: Largest of an actuator [m/s^3 or rad/s^3].
        step: Step of set points [s].

    Raises:
        InputError: A jerk or step that is not positive; nothing that bounds the time.
        InfeasibleError: A limit cannot be kept at any speed.
    """
    for name, value in (("jerk", jerk), ("step", step)):
        if value is not None and not (np.isfinite(value) and value > 0.0):
            raise InputError(f"move: {name} {value:g}: must be a positive number")
    stated = check_limits(in_si(robot, limits))
    moved = Motion.of(robot, motion).path()
    way = way_of(robot, moved)
    stretches = [_stretch(way, begin, end) for begin, end in pairwise(way.stops)]
    shapes = [best_shape(partial(_sampled_time, robot, own, stated, jerk)) for own in stretches]
    found = [_shortest(robot, own, shape, stated, jerk) for own, shape in zip(stretches, shapes, strict=True)]
    law = motion_of(robot, way, shapes, [time for time, _ in found], moved.name)
    certificate = check(robot, law, stated)
    for worst in certificate.findings:
        if not worst.fits:
            raise InfeasibleError(worst.kind, worst.owner, worst.value, worst.limit)
    return Move(robot, law, stated, jerk, max(largest for _, largest in found), certificate, step)


def _stretch(way: Way, begin: float, end: float) -> Way:
    """The part of a path between two stops."""
    return replace(way, knots=tuple(k for k in way.knots if begin <= k <= end), stops=(begin, end))


def motion_of(robot: Mechanism, way: Way, shapes: Sequence[Shape], durations: Sequence[float], name: str) -> Motion:
    """S-curves from stop to stop, each of its own shape and in its own time."""
    knots, parts, places = [0.0], [], [way.stops[0]]
    for (begin, end), shape, time in zip(pairwise(way.stops), shapes, durations, strict=True):
        unit = s_curve(shape.jerk, shape.steady)
        cut = np.array([k for k in way.knots if begin < k < end])
        u = _times_of(unit, (cut - begin) / (end - begin))
        fine = np.unique(np.concatenate([unit.knots, u]))
        fine = fine[np.concatenate([[True], np.diff(fine) > 1e-12])]
        fine[-1] = unit.knots[-1]
        s, sd, sdd = unit(fine[:-1])
        third = unit.coefficients[3][unit.pieces_at(fine[:-1])]
        rows = np.stack([s, sd, 0.5 * sdd, third]) * (end - begin)
        rows[0] += begin
        rows = rows / (time ** np.arange(4.0))[:, None, None]
        parts.append(rows)
        knots += (knots[-1] + fine[1:] * time).tolist()
        places += [*rows[0, 1:, 0].tolist(), end]
    timing = Pieces(np.array(knots), np.concatenate(parts, axis=1), still=True)
    law = Retimed(way.curve, timing, tuple(_snapped(places, way)))
    load = None if way.load is None else replace(law, path=way.load)
    return Motion(f"{name}, S-curve", robot.coordinate_names, 0.0, knots[-1], law, load)


def _snapped(places: list[float], way: Way) -> list[float]:
    """Places at knots of the path are these, without round-off."""
    knots = np.array(way.knots)
    near = knots[np.abs(np.array(places)[:, None] - knots[None]).argmin(axis=1)]
    return [float(k) if abs(p - k) < 1e-9 else p for p, k in zip(places, near, strict=True)]


def _times_of(unit: Pieces, places: Array) -> Array:
    """Times at which an S-curve passes places, by halving."""
    low, high = np.zeros(len(places)), np.ones(len(places))
    for _ in range(60):
        middle = 0.5 * (low + high)
        before = unit(middle)[0][:, 0] < places if len(places) else np.zeros(0, bool)
        low, high = np.where(before, middle, low), np.where(before, high, middle)
    return 0.5 * (low + high)


def _shortest(
    robot: Robot, way: Way, shape: Shape, stated: Mapping[str, Any], jerk: float | None, rounds: int = ROUNDS
) -> tuple[float, float]:
    """The shortest time of an S-curve on one stretch in which all limits are kept [s], and its largest jerk."""
    law = motion_of(robot, way, [shape], [1.0], "stretch")
    pace, kind = shortest_duration(Path(robot, law), dict(stated), rounds=rounds)
    if pace is None:
        found = check(robot, law, stated)
        worst = min(found.findings, key=lambda f: f.relative)
        raise InfeasibleError(kind or worst.kind, worst.owner, worst.value, worst.limit)
    largest = largest_jerk(robot, law)
    if jerk is not None and largest > 0.0:
        pace = min(pace, (jerk / largest) ** (1.0 / 3.0))
    if not np.isfinite(pace):
        raise InputError(f"move: nothing bounds the time of {robot.name}; give a limit of speed, force or jerk")
    pace *= 1.0 - 1e-9
    return 1.0 / pace, largest * pace**3


def _sampled_time(robot: Robot, way: Way, stated: Mapping[str, Any], jerk: float | None, shape: Shape) -> float:
    """The shortest time of a shape as samples tell it [s]: enough to compare shapes."""
    return _shortest(robot, way, shape, stated, jerk, rounds=0)[0]


def largest_jerk(robot: Robot, motion: Motion) -> float:
    """A bound of the third derivatives of all actuators' displacements [m/s^3 or rad/s^3].

    Accelerations are polynomials on short pieces; the sum of the sizes of their derivative's coefficients is a bound.
    """

    def accelerations(t: Array, inside: Array) -> Array:
        return np.asarray(inverse_kinematics(robot, motion(t)).qdd)

    found = pieces_of(accelerations, list(motion.breakpoints), kinds=["qdd"] * len(robot.actuators))
    slope = np.polynomial.chebyshev.chebder(found.coefficients, axis=1)
    bound = np.abs(slope).sum(axis=1) * (2.0 / (found.end - found.begin))[:, None]
    return float(bound.max())
