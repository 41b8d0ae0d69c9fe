"""`Motion`: the operating condition of a robot over an interval of time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from gough.brief import brief
from gough.errors import InputError
from gough.graph import Array
from gough.motion.columns import CsvLayout
from gough.motion.curves import LAWS, Curve, Function, constant, line, scaled
from gough.motion.faults import MotionError, number
from gough.motion.pose import PoseLike, duration_of, law_of, parse_pose
from gough.motion.recording import Recording
from gough.motion.state import MovingBase, State
from gough.resources import check_memory
from gough.robot import Mechanism, Robot
from gough.robot.quantities import measure, quantity

if TYPE_CHECKING:
    from gough.motion.conventions import Convention

BaseLike: TypeAlias = "str | Path | Motion | MovingBase"
"""How a base moves, as `Motion.on_base` takes it."""
SAMPLES = 101
"""Default number of samples of a motion that is no recording."""

SAMPLE_BYTES = 240.0
"""Per coordinate of each sample: of the motion and of the forces along it."""
SLACK = 1e-9
"""Times outside the motion by no more than this share of its duration count as its ends: round-off."""


@dataclass(frozen=True, slots=True)
class Motion:
    """Platform coordinates, external wrench and motion of the base over time.

    Attributes:
        name: For tables and messages.
        coordinates: Names of the platform coordinates, in the robot's order.
        start, end: The interval [s].
        law: The coordinates as a curve.
        load: External wrench [force; moment] in base axes at the robot's tool as a curve, or None.
        description: One line for lists.
        recording: Rows it was read from, and how they were smoothed; None for motions that are no table.
        base: How the base moves meanwhile; None where it stands still.
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
    base: MovingBase | None = None

    @classmethod
    def named(cls, robot: Robot, name: str | None = None) -> Motion:
        """One of the motions that come with a robot, its default one if no name is given; every robot has "hold".

        Raises:
            MotionError: The robot has no such motion, or no default one.
        """
        from gough.motion.named import named

        return named(robot, name)

    @classmethod
    def hold(cls, robot: Robot, x: PoseLike | None = None, duration: float | str = 1.0) -> Motion:
        """At rest at a pose, as `Robot.pose` takes it or (n,) numbers; at home if left out.

        Raises:
            MotionError: A bad pose or duration.
        """
        pose = parse_pose(robot, {} if x is None else x, "pose")
        return cls("hold", robot.coordinate_names, 0.0, duration_of(duration), constant(pose))

    @classmethod
    def to(
        cls,
        robot: Robot,
        x: PoseLike,
        duration: float | str,
        *,
        start: PoseLike | None = None,
        law: str = "minimum-jerk",
        back: bool = False,
    ) -> Motion:
        """A straight line in coordinates from one pose to another, at rest at both.

        Args:
            robot: The robot whose coordinates they are.
            x, start: Poses, "z=2.1, psi=5deg" or (n,) numbers in SI units; from home if left out.
            duration: Duration of the whole motion, positive [s]; or a text with its unit, "300 ms".
            law: Of time: minimum-jerk, trig3 or cos; see `gough.motion.curves`.
            back: There and back within `duration`.
        Raises:
            MotionError: A bad pose, duration or law.
        """
        first = parse_pose(robot, {} if start is None else start, "start")
        last = parse_pose(robot, x, "pose")
        time, s = duration_of(duration), LAWS[law_of(law)]
        return cls(law, robot.coordinate_names, 0.0, time, line(first, last, s(time, back)))

    @classmethod
    def through(
        cls,
        robot: Robot,
        t: ArrayLike,
        x: ArrayLike,
        *,
        wrench: ArrayLike | None = None,
        name: str = "waypoints",
        convention: str | Convention | None = None,
        smooth: str | None = None,
    ) -> Motion:
        """The quintic spline through waypoints, four times differentiable, at rest at the first and the last.

        Args:
            robot: The robot whose coordinates they are.
            t: (N,) increasing times, N >= 2 [s].
            x: (N, n) coordinates [m or rad].
            wrench: (N, 6) on the platform at the robot's tool, base axes, force first [N, N m]; linear in between.
            name: For tables and messages.
            convention: Convention in which x is stated, by name; the robot's own coordinates if left out.
            smooth: "none" takes waypoints as given where they look like noise.
        Raises:
            MotionError: Wrong shapes, or rows that are no motion.
        """
        from gough.motion.rows import through

        return through(robot, t, x, wrench, name, convention, smooth)

    @classmethod
    def from_samples(
        cls,
        robot: Robot,
        samples: State,
        *,
        name: str = "arrays",
        convention: str | Convention | None = None,
        smooth: str | float | None = None,
        max_gap: str | float | None = None,
    ) -> Motion:
        """The motion through states with times; `gough.motion.rows` says what happens between them.

        Args:
            robot: The robot whose coordinates they are.
            samples: N >= 2 states with increasing times, with rates and accelerations or without.
            name: For tables and messages.
            convention: Convention in which x is stated, by name; the robot's own coordinates if left out.
            smooth, max_gap: As in `read_csv`.
        Raises:
            MotionError: Rows that are no motion, or whose noise decides their forces.
        """
        from gough.motion.rows import from_samples

        return from_samples(robot, samples, name, convention, smooth, max_gap)

    @classmethod
    def from_function(
        cls,
        robot: Robot,
        function: Callable[[float], Any],
        start: float,
        end: float,
        *,
        wrench: Callable[[float], Any] | None = None,
        breakpoints: Sequence[float] = (),
        name: str = "function",
    ) -> Motion:
        """The motion of a Python function of time.

        Args:
            robot: The robot whose coordinates they are.
            function: Called with a time [s]; returns x, xd, xdd, each (n,) [m or rad, per s, per s^2].
            start, end: Where it is defined [s].
            wrench: Called with a time; returns (6,) at the robot's tool, base axes, force first [N, N m].
            breakpoints: Times at which it is not smooth, if known [s].
            name: For tables and messages.
        Raises:
            MotionError: A function that cannot be called, or does not return what it must at its start; times that are
                not finite numbers; an empty interval.
        """
        for what, given in (("function", function), ("wrench", wrench)):
            if given is not None and not callable(given):
                raise MotionError(name, what, str(given), "must be a function of time")
        start, end = _seconds(name, "start", start), _seconds(name, "end", end)
        if not start < end:
            raise MotionError(name, "", None, f"start {number(start)} must be before end {number(end)}")
        names = robot.coordinate_names
        if not isinstance(breakpoints, Iterable):
            raise MotionError(name, "breakpoints", str(breakpoints), "must be a list of times in seconds")
        places = tuple(sorted(_seconds(name, "breakpoints", time) for time in breakpoints))
        law = Function(function, name, len(names), 3, places)
        load = None if wrench is None else Function(wrench, f"{name} wrench", 6, 1, places)
        motion = cls(name, names, start, end, law, load)
        motion(motion.start)
        return motion

    @classmethod
    def read_csv(
        cls,
        robot: Robot,
        path: str | Path,
        layout: CsvLayout | None = None,
        *,
        smooth: str | float | None = None,
        max_gap: str | float | None = None,
    ) -> Motion:
        """The motion of a CSV file with columns t, coordinates, perhaps their rates and accelerations, and a wrench.

        Args:
            robot: Whose coordinates the columns are.
            path: The file.
            layout: Units of columns without one, names of columns, and how the values are stated.
            smooth: For rows without accelerations: "auto" smooths as much as the noise needs, a number with this
                cut-off period [s], "none" takes them as given. If left out they are taken as given too, but refused
                where noise decides the forces that the motion takes, with a warning where it changes them.
            max_gap: The longest gap among evenly spaced rows that the curve may go across [s]; longer ones are refused.
                If left out one or two missing rows are bridged, with a warning.
        Raises:
            MotionError: One line naming file, row and column; a recording whose noise decides its forces.
        """
        from gough.motion.files import read_motion

        return read_motion(robot, path, layout, smooth, max_gap)

    @classmethod
    def read_waypoints(
        cls, robot: Robot, path: str | Path, layout: CsvLayout | None = None, *, smooth: str | None = None
    ) -> Motion:
        """The spline through a CSV file of waypoints with times, as `through` makes it; see `read_csv`.

        Raises:
            MotionError: One line naming file, row and column.
        """
        from gough.motion.files import read_waypoints

        return read_waypoints(robot, path, layout, smooth)

    @classmethod
    def of(cls, robot: Mechanism, given: object) -> Motion:
        """What is given as a motion of a robot.

        Raises:
            InputError: It is a motion of other coordinates, or no motion.
        """
        if not isinstance(given, Motion):
            shown = "None" if given is None else type(given).__name__
            raise InputError(f"motion: {shown} given, must be a Motion (e.g. gough.Motion.named(robot))")
        if given.coordinates != robot.coordinate_names:
            names, own = ", ".join(given.coordinates), ", ".join(robot.coordinate_names)
            raise MotionError(f"motion {given.name}", "", None, f"is for coordinates {names}; {robot.name} has {own}")
        return given

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
        base = None if self.base is None else self.base.state(rows)
        state = State(*self.law(rows), wrench=load, base=base, t=rows, coordinates=self.coordinates, motion=self)
        return state if times.ndim else state[0]

    def wrench(self, t: ArrayLike) -> Array | None:
        """External wrench at time t: (6,) or (N, 6) [N, N m], force first; None if the motion has none."""
        if self.load is None:
            return None
        times = self.within(t)
        value = self.load(np.atleast_1d(times))[0]
        return value if times.ndim else value[0]

    def with_wrench(self, wrench: Sequence[float | str] | Array) -> Motion:
        """The same motion under a constant wrench [fx fy fz mx my mz], base axes [N, N m], in place of its own.

        It acts at the tool of the robot that moves. Any of the numbers may be a text with its unit, "2 kN".

        Raises:
            MotionError: Not six finite numbers.
        """
        each = [measure("force")] * 3 + [measure("torque")] * 3
        try:
            values = np.array([quantity(value, own) for value, own in zip(wrench, each, strict=True)])
        except (TypeError, ValueError):
            values = np.zeros(0)
        if values.shape != (6,) or not np.isfinite(values).all():
            raise MotionError("wrench", "", str(wrench), "must be six finite numbers: fx fy fz mx my mz")
        return replace(self, load=constant(values.tolist()))

    def on_base(
        self,
        base: BaseLike,
        layout: CsvLayout | None = None,
        *,
        smooth: str | float | None = None,
        max_gap: str | float | None = None,
    ) -> Motion:
        """The same motion on a base that moves.

        Args:
            base: "ship", "vehicle", "shaker", a CSV file with columns t and some of x y z yaw pitch roll, or a `Motion`
                of these coordinates: the base's origin in the world, then turns about its z, y and x axis, each about
                the already turned axis. The robot's gravity is that of the world.
            layout, smooth, max_gap: Of a CSV file, as in `read_csv`.
        Raises:
            InputError: A base that is not known, that has a wrench or a moving base of its own, or whose motion does
                not last as long as this one.
        """
        from gough.dynamics.base_motion import base_motion, check_span

        moving = base_motion(base, layout, smooth, max_gap)
        check_span(moving, self.start, self.end)
        return replace(self, base=moving)

    def path(self) -> Motion:
        """The motion itself, if its base stands still: for what reads only its path.

        Raises:
            InputError: The base moves.
        """
        if self.base is not None:
            raise InputError(
                f"motion {self.name}: its base moves ({self.base.name}), which cannot be taken into account here; give "
                "the motion without it"
            )
        return self

    def scaled(self, factor: float) -> Motion:
        """The same motion `factor` times as large about its first pose, in the same time and under the same wrench.

        Raises:
            MotionError: A factor that is not positive.
        """
        if not 0.0 < (times := _real(factor)) < math.inf:
            value = str(factor) if math.isnan(times) else times
            raise MotionError(f"motion {self.name}", "factor", value, "must be a positive number")
        first = tuple(self(self.start).x.tolist())
        name = f"{self.name} scaled by {number(times)}"
        return replace(self, name=name, law=scaled(self.law, first, times))

    def sample(self, samples: int | ArrayLike | None = None) -> State:
        """The state at a number of times.

        Args:
            samples: A whole number N >= 2 for N evenly spaced times, both ends included; or the times (N,). By default
                the rows of a recording, or 101 times.
        Raises:
            MotionError: Neither of these; a time outside the motion.
        """
        if samples is None:
            samples = SAMPLES if self.rows is None else self.rows
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


def _real(given: Any) -> float:
    """A number as a float, NaN for anything else."""
    try:
        return math.nan if isinstance(given, str) else float(given)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _seconds(place: str, what: str, given: object) -> float:
    """A finite time [s].

    Raises:
        MotionError: Anything else.
    """
    if not math.isfinite(time := _real(given)):
        value = str(given) if math.isnan(time) else time
        raise MotionError(place, what, value, "must be a finite number of seconds")
    return time
