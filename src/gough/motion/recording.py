"""Recordings: rows whose accelerations come from differentiating them, and what their noise does to those.

By default rows are interpolated as they are; where the noise found in them then makes up a good part of
the accelerations, the recording carries the smoothed curve too, so that who needs accelerations can compare and ask.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array
from gough.motion.curves import Curve, Sum, components
from gough.motion.faults import MotionError, number
from gough.motion.smooth import FEWEST, LONGEST, Column, smooth_auto, smooth_by
from gough.robot.file.units import DIMENSIONS, Units, parse
from gough.robot.quantities import QuantityError, measure, quantity

if TYPE_CHECKING:
    from gough.motion.motion import Motion
    from gough.robot import Robot

NOISY = 0.01
"""Noise matters if a quarter of the rows are farther than this from the smoothed acceleration, relative to its peak."""

Smooth = str | float | None
"""The setting of smoothing: "auto", "none", a cut-off period [s], or None."""


@dataclass(frozen=True, slots=True)
class Recording:
    """Rows of a recording, and how they were smoothed.

    Attributes:
        source: File name, or what stands for it in messages.
        rows: (N,) times of the rows [s]; empty for waypoints, which are no recording.
        setting: "auto", "none" or the cut-off period, "0.2 s"; empty if none was given.
        turns: Whether each coordinate turns.
        columns: How each coordinate was, or where nothing was said would be, smoothed; None where it is as given.
        smoothed: The smoothed curve where nothing was said and there is noise that matters; else None.
        units: In which people want to read about it, "mm,deg"; mm and deg where not stated.
        bridged: Start and end [s] of each gap that the curve goes across because `max_gap` allows it.
    """

    source: str
    rows: tuple[float, ...]
    setting: str
    turns: tuple[bool, ...]
    columns: tuple[Column | None, ...]
    smoothed: Curve | None = None
    units: str = ""
    bridged: tuple[tuple[float, float], ...] = ()

    @property
    def open(self) -> bool:
        """Whether there is noise that matters, and no setting of smoothing."""
        return self.smoothed is not None

    def to_dict(self, coordinates: Sequence[str]) -> dict[str, Any]:
        """The setting, cut-off period [s] and noise [m or rad] of each smoothed coordinate, bridged gaps [s]."""
        columns = {
            name: {"cutoff_period": column.period, "noise": column.noise, "chosen_by": column.by}
            for name, column in zip(coordinates, self.columns, strict=True)
            if column is not None and not self.open
        }
        return {"smooth": self.setting or None, "smoothed": columns, "bridged": [list(span) for span in self.bridged]}

    def text(self, coordinates: Sequence[str]) -> str:
        """One line on smoothing and bridged gaps; empty where neither was set."""
        return " ".join(filter(None, (self._smoothing(coordinates), self._bridges())))

    def _bridges(self) -> str:
        if not self.bridged:
            return ""
        spans = ", ".join(f"{number(start)} to {number(end)} s" for start, end in self.bridged)
        return f"No rows, bridged: {spans}."

    def _smoothing(self, coordinates: Sequence[str]) -> str:
        if not self.setting:
            return ""
        columns = [
            f"{name} {column.period:.3g} s (took away {shown_noise(column.noise, turns, self.units)}, {column.by})"
            for name, column, turns in zip(coordinates, self.columns, self.turns, strict=True)
            if column is not None
        ]
        if columns:
            return f"Smoothed ({self.setting}), cut-off periods: {', '.join(columns)}."
        why = ": no noise that matters" if self.setting == "auto" else ""
        return f"Not smoothed ({self.setting}){why}."


def smooth_of(value: str | float | None, units: Units | None = None, place: str = "smooth") -> Smooth:
    """The setting of smoothing: None, "auto", "none", or a positive number of seconds.

    Raises:
        MotionError: None of these.
    """
    if value is None or value in ("auto", "none"):
        return value
    try:
        period = quantity(value, measure("time", units))
    except QuantityError:
        period = math.nan
    if not period > 0.0:
        allowed = "must be auto, none, or a cut-off period in seconds, e.g. 0.2"
        raise MotionError(place, "", value if isinstance(value, str) else str(value), allowed)
    return period


def bridge_of(value: str | float | None, units: Units | None = None, place: str = "max_gap") -> float:
    """The longest gap that may be bridged [s], 0 where none is given.

    Raises:
        MotionError: Not a positive time.
    """
    if value is None:
        return 0.0
    try:
        longest = quantity(value, measure("time", units))
    except QuantityError:
        longest = math.nan
    if not 0.0 < longest < math.inf:
        allowed = "must be the longest gap to bridge, in seconds, e.g. 0.5"
        raise MotionError(place, "", value if isinstance(value, str) else str(value), allowed)
    return longest


def recorded(
    source: str, turns: tuple[bool, ...], t: Array, x: Array, law: Curve, smooth: Smooth, rates: bool = False
) -> tuple[Curve, Recording]:
    """The curve of a recording, smoothed by its setting, and its record.

    Args:
        source: For messages.
        turns: (n,) whether each coordinate turns.
        t, x: Times (N,) and values (N, n).
        law: The curve through the rows as they are.
        smooth: See `Smooth`.
        rates: The curve is made of rates too, which may be noisy where values are not.
    Raises:
        MotionError: Too few rows to smooth, or a period that does not suit them.
    """
    rows, setting = tuple(t.tolist()), _shown_setting(smooth)
    given = Recording(source, rows, setting, turns, (None,) * x.shape[1])
    if smooth == "none":
        return law, given
    if len(t) < FEWEST:
        if smooth is None:
            return law, given
        raise MotionError(
            source, "", None, f"has {len(t)} rows: smoothing needs at least {FEWEST}", 'take it as given: smooth="none"'
        )
    moving = np.ptp(x, axis=0) > 0.0
    if not moving.any():
        return law, given
    try:
        if isinstance(smooth, float):
            _check_period(source, t, smooth)
            found, smoothed = smooth_by(t, x, smooth)
            taken = moving
        else:
            if smooth is None and not rates and _evidently_clean(t, x):
                return law, given
            found, smoothed = smooth_auto(t, x)
            noisy = np.array([rates or column.by != "no noise" for column in smoothed])
            taken = moving & noisy & _differ(t, law, found)
    except np.linalg.LinAlgError:
        raise MotionError(source, "", None, "its rows are too uneven to be smoothed", "fill the gaps") from None
    if not taken.any():
        return law, given
    columns = tuple(column if use else None for column, use in zip(smoothed, taken.tolist(), strict=True))
    curve = found if taken.all() else _columns_of(found, law, taken)
    if smooth is None:
        return law, Recording(source, rows, "", turns, columns, curve)
    return curve, Recording(source, rows, setting, turns, columns)


def _columns_of(found: Curve, law: Curve, taken: NDArray[np.bool_]) -> Curve:
    """Columns of one curve where they are taken (n,), of another elsewhere."""
    n, places = len(taken), np.arange(len(taken))
    parts = (np.where(use, places, -1).tolist() for use in (taken, ~taken))
    one, other = (components(curve, use, n, (0.0,) * n) for curve, use in zip((found, law), parts, strict=True))
    return Sum(one, other)


def without_noise(robot: Robot, motion: Motion) -> Motion:
    """The motion, whose forces its noise does not decide; or it was said what to do about the noise.

    Raises:
        MotionError: Noise changes the largest force of an actuator by more than a tenth, and nothing was said.

    Warns:
        GoughWarning: It changes a force at some row by more than a hundredth of the actuator's largest.
    """
    if motion.recording is None or motion.recording.smoothed is None:
        return motion
    from gough.dynamics.recording_noise import check_noise

    check_noise(robot, motion, motion.recording, motion.recording.smoothed)
    return motion


def shown_noise(noise: float, turns: bool, units: str = "") -> str:
    """A standard deviation in the unit of a list such as "m,rad"; in mm or deg where it has none."""
    dimension = DIMENSIONS["angle" if turns else "length"]
    for entry in [*(part.strip() for part in units.split(",")), "deg" if turns else "mm"]:
        known = parse(entry)
        if known is not None and known[0] == dimension:
            return f"{noise / known[1]:.2g} {entry}"
    raise AssertionError("deg and mm are units")


def _shown_setting(smooth: Smooth) -> str:
    return f"{smooth:g} s" if isinstance(smooth, float) else smooth or ""


def _check_period(source: str, t: Array, period: float) -> None:
    duration = float(t[-1] - t[0])
    shortest, longest = 2.0 * duration / (len(t) - 1), LONGEST * duration
    if not shortest <= period <= longest:
        allowed = f"must be from {shortest:.3g} s, two rows, to {longest:.3g} s"
        raise MotionError(f"smooth {period:g} s", source, None, allowed, "auto finds a period; none does not smooth")


def _differ(t: Array, law: Curve, smoothed: Curve) -> NDArray[np.bool_]:
    """(n,) whether accelerations of two curves differ in a good part of the rows."""
    plain, smooth = law(t)[2], smoothed(t)[2]
    return np.quantile(np.abs(plain - smooth), 0.75, axis=0) > NOISY * np.abs(smooth).max(axis=0)


def _evidently_clean(t: Array, x: Array) -> bool:
    """Whether tenth differences of even rows leave no room for noise that matters."""
    steps = np.diff(t)
    if len(t) < 2 * FEWEST or np.abs(steps - steps.mean()).max() > 1e-6 * steps.mean():
        return False
    noise = np.sqrt((np.diff(x, 10, axis=0) ** 2).mean(axis=0) / math.comb(20, 10))
    bend = np.sqrt((np.diff(x, 2, axis=0) ** 2).mean(axis=0))
    # White noise of deviation 1 has second derivatives of deviation pi^2 / sqrt(5) in an ideal interpolation.
    return bool((math.pi**2 / math.sqrt(5.0) * noise <= 0.1 * NOISY * bend).all())
