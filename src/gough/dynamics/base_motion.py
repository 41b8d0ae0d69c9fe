"""A motion of the base: a ship, a vehicle, a shaker, or a recording."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import pi, radians
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.errors import InputError
from gough.graph import Vector, record
from gough.kinematics.pose import platform_pose
from gough.motion import BaseState, CsvLayout, Motion, MovingBase
from gough.motion.curves import Series, Wave
from gough.motion.faults import MotionError, number
from gough.motion.files import read_motion
from gough.motion.motion import BaseLike
from gough.robot import Body, Coordinate, Mechanism, Platform, Robot
from gough.robot.file.write import mechanism_spec
from gough.robot.names import did_you_mean
from gough.run import Program

COORDINATES = ("x", "y", "z", "yaw", "pitch", "roll")
"""Of the base in the world: its origin, then turns about its z, y and x axis, each about the already turned axis."""
_FREE = Platform(
    Body("base", 1.0),
    tuple(Coordinate(name, kind) for name, kind in zip(COORDINATES, ("x", "y", "z", "rz", "ry", "rx"), strict=True)),  # type: ignore[arg-type]
    (0.0,) * 6,
)
_ALWAYS = 1e9

_WAVES = {
    "ship": ((0.0, 0.0, 0.8, 0.0, 0.0, 0.0), 8.0), "ship pitch": ((0.0, 0.0, 0.0, 0.0, radians(3.0), 0.0), 7.0),
    "ship roll": ((0.0, 0.0, 0.0, 0.0, 0.0, radians(8.0)), 10.0),
    "vehicle": ((0.0, 0.0, 0.04, 0.0, 0.0, 0.0), 0.7), "vehicle pitch": ((0.0, 0.0, 0.0, 0.0, radians(1.5), 0.0), 0.9),
    "vehicle roll": ((0.0, 0.0, 0.0, 0.0, 0.0, radians(2.0)), 1.1),
    "shaker": ((0.0, 0.0, 0.005, 0.0, 0.0, 0.0), 0.1),
}  # fmt: skip
"""(amplitudes [m, rad], period [s]) of the waves, by the first word of their names."""
NAMES = tuple(dict.fromkeys(name.split()[0] for name in _WAVES))


@dataclass(frozen=True)
class BaseMotion:
    """Motion of a base in the world, where gravity is the robot's own.

    Attributes:
        motion: Motion of the coordinates x y z yaw pitch roll: R0 = Rz Ry Rx.
    """

    motion: Motion

    @property
    def name(self) -> str:
        """Of the motion."""
        return self.motion.name

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Of the motion."""
        return self.motion.breakpoints

    @property
    def analytic(self) -> bool:
        """Of the motion."""
        return self.motion.analytic

    def state(self, t: NDArray[np.floating[Any]]) -> BaseState:
        """How it moves at times t (N,).

        Raises:
            MotionError: A time outside the motion.
        """
        x, xd, xdd = self.motion.law(self.motion.within(t))
        found = _program()(x=x, xd=xd, xdd=xdd)
        return BaseState(found["R"], found["a"], found["w"], found["wd"])


@lru_cache(maxsize=1)
def _program() -> Program:
    def equations(x: Vector, xd: Vector, xdd: Vector) -> dict[str, Any]:
        pose = platform_pose(_FREE, x)
        _, w = pose.twist(xd)
        a, wd = pose.twist_rate(xd, xdd)
        return {"R": pose.R_BP, "a": a, "w": w, "wd": wd}

    return Program(record(equations, x=6, xd=6, xdd=6))


def check_span(moving: MovingBase, start: float, end: float) -> None:
    """Refuse a base whose motion is not known from `start` to `end` [s].

    Raises:
        MotionError: It begins later or ends sooner.
    """
    motion = moving.motion if isinstance(moving, BaseMotion) else None
    if motion is not None and not (motion.covers(start) and motion.covers(end)):
        known = f"is known from {number(motion.start)} to {number(motion.end)} s"
        needed = f"must be known from {number(start)} to {number(end)} s, as long as the robot moves"
        raise MotionError(f"base motion {moving.name}", "", None, f"{known}, {needed}")
    moving.state(np.array([start, end]))


def base_motion(
    given: BaseLike,
    layout: CsvLayout | None = None,
    smooth: str | float | None = None,
    max_gap: str | float | None = None,
) -> MovingBase:
    """The motion of a base; see `Motion.on_base`.

    Raises:
        InputError: What cannot be read.
    """
    if isinstance(given, Motion):
        if given.coordinates != COORDINATES:
            stated = ", ".join(given.coordinates)
            raise InputError(f"base motion {given.name}: has coordinates {stated}: must be {', '.join(COORDINATES)}")
        if given.base is not None:
            allowed = f"stands on a base that moves itself ({given.base.name}): state one motion of both together"
            raise InputError(f"base motion {given.name}: {allowed}")
        if given.load is not None:
            raise InputError(f"base motion {given.name}: has a wrench, which does nothing to a base; leave it out")
        return BaseMotion(given)
    if not isinstance(given, (str, Path)):
        if not callable(getattr(given, "state", None)):
            shown = "None" if given is None else type(given).__name__
            names = ", ".join(NAMES)
            raise InputError(
                f"base: {shown} given, must be {names}, a CSV file or a Motion of {', '.join(COORDINATES)}"
            )
        return given
    if given in NAMES:
        waves = [
            Wave(amplitude, 2.0 * pi / period, 0.0)
            for name, (amplitude, period) in _WAVES.items()
            if name.split()[0] == given
        ]
        return BaseMotion(Motion(str(given), COORDINATES, -_ALWAYS, _ALWAYS, Series(((0.0,) * 6,), tuple(waves))))
    if not str(given).endswith(".csv"):
        hint = did_you_mean(str(given), NAMES, listed=False)
        raise InputError(
            f"base motion {given}: choose {', '.join(NAMES)} or a CSV file of t and some of {', '.join(COORDINATES)}"
            + (f" ({hint})" if hint else "")
        )
    held = replace(CsvLayout.of(layout), hold_missing=True)
    base = Robot.from_spec(mechanism_spec(Mechanism("base", _FREE, ())))
    found = read_motion(base, Path(given), held, smooth, max_gap, forces=False)
    if found.load is not None:
        raise InputError(f"base motion {given}: has forces (fx to mz), which do nothing to a base; leave them out")
    return BaseMotion(found)
