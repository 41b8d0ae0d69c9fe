"""What drives a single run: every kind of input as forces over time, with the instants at which they jump."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.errors import InputError, NumericalError
from gough.robot import Robot
from gough.simulation.control.controller import Custom
from gough.simulation.history import Forces, value_at
from gough.simulation.springs import Springs

Array = NDArray[np.float64]


class Drive:
    """Forces of a run.

    Attributes:
        text: What it is, for the summary.
        jumps: Times at which the forces may jump.
        motion: What is followed, or None.
    """

    text = "no forces"
    motion: Any = None

    def __init__(self, m: int) -> None:
        """Zero forces of m actuators."""
        self.jumps: list[float] = []
        self._zero = np.zeros(m)

    def begin(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> None:
        """Called where a piece between jumps begins."""

    def force(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(actuators,) now."""
        return self._zero

    def forces(self, t: Array, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(T, actuators) at the times of a result; T in front of every array."""
        return np.array([self.force(*row) for row in zip(t, c, z, q, qd, strict=True)]).reshape(q.shape)


class SpringDrive(Drive):
    """Springs and dampers."""

    text = "springs"

    def __init__(self, springs: Springs, robot: Robot, x: Array) -> None:
        """Springs of a run from x."""
        super().__init__(len(robot.actuators))
        self.k, self.d, self.rest = springs.ready(robot, x)

    def force(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(actuators,) now."""
        return -(self.k * (q - self.rest) + self.d * qd)


class HistoryDrive(Drive):
    """A force history."""

    text = "force history"

    def __init__(self, history: Forces, m: int) -> None:
        """Checked for m actuators."""
        super().__init__(m)
        self.t, self.f = history.ready(m)
        self.hold = history.hold
        self.jumps = self.t.tolist()
        self._piece = -np.inf

    def begin(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> None:
        """The sample that is held from now on."""
        self._piece = t

    def force(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(actuators,) now; within a piece a held sample never changes, not even at the piece's end."""
        return value_at(self.t, self.f, self.hold, self._piece if self.hold else t)

    def forces(self, t: Array, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(T, actuators)."""
        return np.array([value_at(self.t, self.f, self.hold, now) for now in t])


class FunctionDrive(Drive):
    """A user's function of t, or of t, q, qd."""

    text = "function"

    def __init__(self, function: Callable[..., Any], robot: Robot, largest: Any = None) -> None:
        """Arguments are counted once."""
        self.names = robot.actuator_names
        super().__init__(len(self.names))
        self.function, self.largest = function, largest
        self.alone = _takes_time_alone(function)

    def force(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(actuators,) now, checked; where a trial step of the integrator left the robot's reach there are none."""
        if not np.isfinite(q).all():
            return np.full(len(q), np.nan)
        given = self.function(t) if self.alone else self.function(t, q.copy(), qd.copy())
        checked = check_forces(given, self.names, t)
        return checked if self.largest is None else np.clip(checked, -self.largest, self.largest)


class Commands:
    """Forces as they were applied, for the result."""

    def __init__(self) -> None:
        """None yet."""
        self.times: list[float] = []
        self.values: list[Array] = []

    def applied(self, t: float, force: Array) -> None:
        """From t on."""
        self.times.append(t)
        self.values.append(force)

    def at(self, t: Array) -> Array:
        """(T, actuators) at times t."""
        which = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, None)
        return np.array(self.values)[which]


class HeldFunctionDrive(FunctionDrive):
    """A user's function called at sample instants, its forces held between."""

    def __init__(self, custom: Custom, robot: Robot, largest: Any, t0: float, t1: float) -> None:
        """Sample instants from t0 to t1."""
        super().__init__(custom.function, robot, largest)
        assert custom.sample_time is not None
        self.jumps = instants(t0, t1, custom.sample_time)
        self.held = self._zero
        self.log = Commands()

    def begin(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> None:
        """A new sample."""
        self.held = super().force(t, c, z, q, qd)
        self.log.applied(t, self.held)

    def forces(self, t: Array, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(T, actuators)."""
        return self.log.at(t)

    def force(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(actuators,) held."""
        return self.held


def check_forces(given: Any, names: tuple[str, ...], t: float) -> Array:
    """(actuators,) what a controller returned.

    Raises:
        InputError: Not so many numbers as there are actuators.
        NumericalError: One of them is not finite.
    """
    try:
        force = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"controller: returned {given!r} at t = {t:.6g} s, expected {len(names)} forces") from None
    if force.shape != (len(names),):
        raise InputError(f"controller: returned shape {force.shape} at t = {t:.6g} s, expected ({len(names)},)")
    if not np.isfinite(force).all():
        k = int(np.argmin(np.isfinite(force)))
        raise NumericalError(f"controller: force of actuator {names[k]} is {force[k]} at t = {t:.6g} s")
    return force


def instants(t0: float, t1: float, period: float) -> list[float]:
    """Sample instants from t0 on, before t1."""
    count = int(np.ceil((t1 - t0) / period * (1.0 - 1e-12)))
    return [t0 + k * period for k in range(max(count, 1))]


def merged(times: list[float], slack: float) -> list[float]:
    """Sorted, those closer than the slack taken as one."""
    kept: list[float] = []
    for t in sorted(times):
        if not kept or t - kept[-1] > slack:
            kept.append(t)
    return kept


def _takes_time_alone(function: Callable[..., Any]) -> bool:
    """Whether it is a function of one argument."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    needed = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty]
    several = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    if not several and len(needed) not in (1, 3):
        raise InputError(f"input: a function of {len(needed)} arguments given, expected f(t) or f(t, q, qd)")
    return len(needed) == 1 and not several
