"""Motions from a user's function: exact where the function is, known only where it is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gough.graph import Array
from gough.motion.curve import Jet
from gough.motion.faults import MotionError, number
from gough.motion.motion import Motion
from gough.robot import Robot


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
        robot: Whose coordinates.
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
