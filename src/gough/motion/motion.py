"""A platform motion: coordinates, rates and accelerations over an interval of time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from gough.brief import brief
from gough.graph import Array
from gough.motion.curves import Curve, Jet, constant
from gough.motion.faults import MotionError, number
from gough.motion.recording import Recording
from gough.motion.scaled import Scaled
from gough.motion.state import State
from gough.resources import check_memory
from gough.robot import Robot
from gough.robot.quantities import measure, quantity

SAMPLE_BYTES = 240.0
"""Per coordinate of each sample: of the motion and of the forces along it."""
SLACK = 1e-9
"""Times outside the motion by no more than this share of its duration count as its ends: round-off."""


@dataclass(frozen=True, slots=True)
class Motion:
    """Platform coordinates over time.

    Attributes:
        name: For tables and messages.
        coordinates: Names of the platform coordinates, in the robot's order.
        start, end: The interval [s].
        law: The coordinates as a curve.
        load: External wrench [force; moment] in base axes at the platform's reference point as a curve, or None.
        description: One line for lists.
        recording: Rows it was read from, and how they were smoothed; None for motions that are no table.
    """

    __repr__ = brief

    name: str
    coordinates: tuple[str, ...]
    start: float
    end: float
    law: Curve
    load: Curve | None = None
    description: str = ""
    recording: Recording | None = field(default=None, repr=False)

    @property
    def rows(self) -> Array | None:
        """(N,) times of the rows it was recorded at [s], or None."""
        return np.array(self.recording.rows) if self.recording is not None and self.recording.rows else None

    def read_in(self, units: str) -> Motion:
        """The same motion, whose remarks on noise are in these units, "mm,deg"."""
        return self if self.recording is None else replace(self, recording=replace(self.recording, units=units))

    @property
    def smoothing(self) -> str:
        """One line on how a recording was smoothed; empty where nothing was asked for."""
        if self.recording is None:
            return ""
        return self.recording.text(self.coordinates)

    @property
    def duration(self) -> float:
        """end - start [s]."""
        return self.end - self.start

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Times at which an analytic piece begins or ends, start and end included [s]."""
        inner = {*self.law.breakpoints, *(self.load.breakpoints if self.load is not None else ())}
        return (self.start, *sorted(t for t in inner if self.start < t < self.end), self.end)

    @property
    def pieces(self) -> tuple[tuple[float, float], ...]:
        """The intervals between neighbouring breakpoints."""
        points = self.breakpoints
        return tuple(pairwise(points))

    @property
    def analytic(self) -> bool:
        """Whether it is analytic on each of its pieces: false only for user functions."""
        return self.law.analytic and (self.load is None or self.load.analytic)

    def __call__(self, t: ArrayLike) -> State:
        """The state at time t, or at N times.

        Args:
            t: A number or (N,), within [start, end] [s]. At a breakpoint the piece to the right counts.
        Raises:
            MotionError: A time outside the motion.
        """
        times = self.within(t)
        rows = np.atleast_1d(times)
        load = None if self.load is None else self.load(rows)[0]
        state = State(*self.law(rows), wrench=load, t=rows, coordinates=self.coordinates)
        return state if times.ndim else state[0]

    def wrench(self, t: ArrayLike) -> Array | None:
        """External wrench at time t: (6,) or (N, 6) [N, N m], force first; None if the motion has none."""
        if self.load is None:
            return None
        times = self.within(t)
        value = self.load(np.atleast_1d(times))[0]
        return value if times.ndim else value[0]

    def with_wrench(self, wrench: Sequence[float | str] | Array) -> Motion:
        """The same motion under a constant wrench [fx fy fz mx my mz], base axes [N, N m], instead of its own.

        It acts at the tool of the robot that moves. Any of the numbers may be a text with its unit, "2 kN".
        """
        each = [measure("force")] * 3 + [measure("torque")] * 3
        try:
            values = np.array([quantity(value, own) for value, own in zip(wrench, each, strict=True)])
        except (TypeError, ValueError):
            values = np.zeros(0)
        if values.shape != (6,) or not np.isfinite(values).all():
            raise MotionError("wrench", "", str(wrench), "must be six finite numbers: fx fy fz mx my mz")
        return replace(self, load=constant(values.tolist()))

    def scaled(self, factor: float) -> Motion:
        """The same motion `factor` times as large about its first pose, in the same time and under the same wrench.

        Raises:
            MotionError: A factor that is not positive.
        """
        if not (np.isfinite(factor) and factor > 0.0):
            raise MotionError(f"motion {self.name}", "scale", float(factor), "must be a positive number")
        first = tuple(self(self.start).x.tolist())
        recording = self.recording
        if recording is not None and recording.smoothed is not None:
            recording = replace(recording, smoothed=Scaled(recording.smoothed, first, factor))
        name = f"{self.name} scaled by {number(factor)}"
        return replace(self, name=name, law=Scaled(self.law, first, factor), recording=recording)

    def sample(self, samples: int | ArrayLike) -> State:
        """The state at a number of times.

        Args:
            samples: A whole number N >= 2 for N evenly spaced times, both ends included; or the times (N,).
        Raises:
            MotionError: Neither of these; a time outside the motion.
        """
        if isinstance(samples, (int, np.integer)) and not isinstance(samples, bool):
            if samples < 2:
                raise MotionError("samples", "", int(samples), "must be at least 2", "both ends are sampled")
            check_memory(f"samples {samples:g}", int(samples), len(self.coordinates) * SAMPLE_BYTES, "samples")
            samples = np.linspace(self.start, self.end, int(samples))
        return self(np.atleast_1d(self.within(samples)))

    def covers(self, t: float) -> bool:
        """Whether it is defined at a time [s], but for round-off."""
        slack = SLACK * self.duration
        return bool(self.start - slack <= t <= self.end + slack)

    def within(self, t: ArrayLike) -> Array:
        """Times as an array, those out by round-off moved to the ends.

        Raises:
            MotionError: Times outside the motion, or none.
        """
        try:
            times = np.asarray(t)
            if times.dtype.kind not in "iuf" or times.ndim > 1:
                raise ValueError
            times = times.astype(float)
        except (ValueError, TypeError):
            raise MotionError(f"motion {self.name}", "t", str(t), "must be a time or a list of times") from None
        slack = SLACK * self.duration
        bad = ~((times >= self.start - slack) & (times <= self.end + slack))
        if bad.any():
            first = float(np.atleast_1d(times)[np.atleast_1d(bad)][0])
            allowed = f"must be within {number(self.start)} and {number(self.end)} s, where the motion is defined"
            raise MotionError(f"motion {self.name}", "t", first, allowed)
        return np.clip(times, self.start, self.end)


@dataclass(frozen=True, slots=True)
class Function:
    """A function called once per sample with a time.

    Attributes:
        call: Returns `orders` arrays of `size` numbers.
        what: Of what it is the function, for messages.
        size, orders: See `call`; what is not returned counts as zero.
        breakpoints: Where the user says that pieces meet [s].
    """

    call: Callable[[float], Any]
    what: str
    size: int
    orders: int
    breakpoints: tuple[float, ...] = ()
    analytic: ClassVar[bool] = False

    def __call__(self, t: Array) -> Jet:
        """Values and derivatives at times t (N,), each (N, n)."""
        out = np.zeros((3, len(t), self.size))
        for row, time in enumerate(t.tolist()):
            out[: self.orders, row] = self._at(time)
        return out[0], out[1], out[2]

    def _at(self, time: float) -> Array:
        returned = self.call(time)
        try:
            values = np.array(returned if self.orders > 1 else [returned], float)
        except (ValueError, TypeError):
            values = np.zeros(0)
        place = f"{self.what}({number(time)})"
        if values.shape != (self.orders, self.size):
            names = "x, xd, xdd, each" if self.orders == 3 else "an array"
            hint = "rates and accelerations are not made up; without them use arrays" if self.orders == 3 else ""
            raise MotionError(place, "", None, f"must return {names} of {self.size} numbers", hint)
        if not np.isfinite(values).all():
            order, k = map(int, np.argwhere(~np.isfinite(values))[0])
            key = ("x", "xd", "xdd")[order] if self.orders == 3 else "wrench"
            raise MotionError(place, f"{key}[{k}]", float(values[order, k]), "must be a finite number")
        return values


def from_function(
    robot: Robot,
    function: Callable[[float], Any],
    start: float,
    end: float,
    wrench: Callable[[float], Any] | None = None,
    breakpoints: Sequence[float] = (),
    name: str = "function",
) -> Motion:
    """The motion of a Python function of time.

    Args:
        robot: The robot whose coordinates they are.
        function: Called with a time [s]; returns x, xd, xdd, each (n,) [m or rad, per s, per s^2].
        start, end: Where it is defined [s].
        wrench: Called with a time; returns (6,) on the platform, base axes, force first [N, N m].
        breakpoints: Times at which it is not smooth, if known [s].
        name: For tables and messages.
    Raises:
        MotionError: The interval is empty, or the function does not return what it must at its start.
    """
    start, end = float(start), float(end)
    if not (np.isfinite([start, end]).all() and start < end):
        raise MotionError(name, "", None, f"start {number(start)} must be before end {number(end)}, both finite")
    names = robot.coordinate_names
    places = tuple(sorted(map(float, breakpoints)))
    law = Function(function, name, len(names), 3, places)
    load = None if wrench is None else Function(wrench, f"{name} wrench", 6, 1, places)
    motion = Motion(name, names, start, end, law, load)
    motion(motion.start)
    motion.wrench(motion.start)
    return motion
