"""What drives a single run: every kind of input as forces over time, with the instants at which they jump."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from gough.draws.counter import uniforms
from gough.errors import InputError, NumericalError
from gough.graph import Array
from gough.motion import Motion
from gough.robot import Mechanism, Robot
from gough.simulation.control.controller import Controller, Custom, InputLike
from gough.simulation.control.loop import Loop
from gough.simulation.inputs import Forces, Springs, value_at
from gough.simulation.own_function import call_own
from gough.simulation.run.held_forces import HeldForces
from gough.simulation.system import System


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

    def __init__(self, function: Callable[..., Any], robot: Mechanism, largest: Array | None = None) -> None:
        """Arguments are counted once."""
        self.names = robot.actuator_names
        super().__init__(len(self.names))
        self.function, self.largest = function, largest
        self.alone = _takes_time_alone(function)

    def force(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(actuators,) now, checked; where a trial step of the integrator left the robot's reach there are none."""
        if not np.isfinite(q).all():
            return np.full(len(q), np.nan)
        arguments = (t,) if self.alone else (t, q.copy(), qd.copy())
        given = call_own("controller", t, self.function, *arguments)
        checked = check_forces(given, self.names, t)
        return checked if self.largest is None else np.clip(checked, -self.largest, self.largest)


class Piece:
    """The piece of a motion that is followed.

    A jump of the acceleration belongs to the piece that it begins: a step that ends there must not see it, or its error
    would make all steps before it short.
    """

    def __init__(self, motion: Motion) -> None:
        """None as yet."""
        self._edges, self._end = motion.breakpoints, motion.end
        self._first, self._last = -np.inf, np.inf

    def begin(self, t: float) -> None:
        """That which begins at t."""
        k = int(np.searchsorted(self._edges, t, side="right"))
        self._first = t if t < self._end else float(np.nextafter(t, np.inf))
        self._last = float(np.nextafter(self._edges[k], -np.inf)) if k < len(self._edges) else np.inf

    def within(self, t: float) -> float:
        """The time, inside the piece where it is at its end."""
        return min(max(t, self._first), self._last)


class FollowingDrive(FunctionDrive):
    """A user's function that follows a motion all the time."""

    def __init__(self, function: Callable[..., Any], robot: Mechanism, largest: Array | None, motion: Motion) -> None:
        """The forces may jump where the motion's acceleration does."""
        super().__init__(function, robot, largest)
        self.jumps, self.piece = list(motion.breakpoints), Piece(motion)

    def begin(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> None:
        """The piece of the motion that is followed from now on."""
        self.piece.begin(t)

    def force(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(actuators,) now."""
        return super().force(self.piece.within(t), c, z, q, qd)

    def forces(self, t: Array, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(T, actuators)."""
        rows = zip(t, c, z, q, qd, strict=True)
        return np.array([super(FollowingDrive, self).force(*row) for row in rows]).reshape(q.shape)


class HeldFunctionDrive(FunctionDrive):
    """A user's function called at sample instants, its forces held between."""

    def __init__(self, custom: Custom, robot: Mechanism, largest: Array | None, t0: float, t1: float) -> None:
        """Sample instants from t0 to t1."""
        super().__init__(custom.function, robot, largest)
        self.held = HeldForces(t0, t1, custom.sample_time, custom.delay, len(self.names))
        self.jumps = self.held.jumps

    def begin(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> None:
        """A new sample, if its instant has come."""
        self.held.begin(t, lambda _: super(HeldFunctionDrive, self).force(t, c, z, q, qd))

    def forces(self, t: Array, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(T, actuators)."""
        return self.held.at(t)

    def force(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(actuators,) held."""
        return self.held.now


def check_forces(given: object, names: tuple[str, ...], t: float) -> Array:
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


MISSING = 1e-6
"""A controller's forward kinematics that misses the sensed displacements by more has failed [m or rad]."""


class LoopDrive(Drive):
    """A controller that acts all the time."""

    def __init__(self, loop: Loop, guess: Array, robot_number: int = 0) -> None:
        """From a configuration near which the estimate starts."""
        super().__init__(len(loop.plant.robot.actuators))
        self.loop, self.number = loop, robot_number
        self.text, self.motion = loop.controller.text, loop.controller.motion
        self.names = loop.plant.robot.actuator_names
        self.bound = loop.program.bind()
        self.guess = guess.copy()
        self.jumps = list(self.motion.breakpoints)
        self.piece = Piece(self.motion)

    def begin(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> None:
        """The piece of the motion that is followed from now on."""
        self.piece.begin(t)

    def command(self, t: float, c: Array, z: Array, sample: int = 0) -> Array:
        """(actuators,) worked out now."""
        inputs, outputs = self.bound.inputs, self.bound.outputs
        inputs["c"][:], inputs["z"][:], inputs["u"][:] = c, z, self.loop.reference(t)[0]
        if "draw" in inputs:
            noise = self.loop.controller.noise
            assert noise is not None
            inputs["draw"][:] = uniforms(noise.seed, [self.number], sample, self.loop.draws)[0]
        if "guess" in inputs:
            inputs["guess"][:] = self.guess
        self.bound()
        if "reading" in inputs:
            if sample == 0:  # nothing was read before: at rest
                inputs["reading"][:] = outputs["reading"]
                self.bound()
            inputs["reading"][:] = outputs["reading"]
        if "guess" in inputs:
            if not np.abs(outputs["missing"]).max() < MISSING:
                raise NumericalError(f"t = {t:.6g} s: the controller's forward kinematics did not converge")
            self.guess[:] = outputs["guess"]
        return outputs["force"].copy()

    def force(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(actuators,) now; NaN where a trial step of the integrator left the robot's reach."""
        return self.command(self.piece.within(t), c, z)

    def forces(self, t: Array, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(T, actuators)."""
        return np.array([self.command(*row) for row in zip(t, c, z, strict=True)]).reshape(q.shape)


class SampledDrive(LoopDrive):
    """A controller that acts at sample instants, with a delay; its forces are held between."""

    def __init__(self, loop: Loop, guess: Array, t0: float, t1: float, robot_number: int = 0) -> None:
        """Sample instants from t0 to t1."""
        super().__init__(loop, guess, robot_number)
        controller = loop.controller
        self.held = HeldForces(t0, t1, controller.sample_time, controller.delay, len(self.names))
        self.jumps = self.held.jumps

    def begin(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> None:
        """Take a sample if its instant has come, and let the force act whose time it is."""
        self.held.begin(t, lambda sample: check_forces(self.command(t, c, z, sample), self.names, t))

    def forces(self, t: Array, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(T, actuators)."""
        return self.held.at(t)

    def force(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(actuators,) held."""
        return self.held.now


def drive_of(given: InputLike, system: System, x: Array, c: Array, t0: float, t1: float) -> Drive:
    """The drive of an input: None or 0, springs, a force history, a function, or a controller."""
    robot = system.robot
    m = len(robot.actuators)
    if given is None or (isinstance(given, (int, float)) and given == 0):
        return Drive(m)
    if isinstance(given, Springs):
        return SpringDrive(given, robot, x)
    if isinstance(given, tuple) and len(given) == 2:
        given = Forces(*given)
    if isinstance(given, Forces):
        return HistoryDrive(given, m)
    if isinstance(given, Controller):
        loop = Loop(given, system)
        return LoopDrive(loop, c) if given.sample_time is None else SampledDrive(loop, c, t0, t1)
    if isinstance(given, Custom):
        largest = Controller.largest(given, robot)  # type: ignore[arg-type]
        own: FunctionDrive
        if given.sample_time is not None:
            own = HeldFunctionDrive(given, robot, largest, t0, t1)
        elif given.motion is not None:
            own = FollowingDrive(given.function, robot, largest, given.motion)
        else:
            own = FunctionDrive(given.function, robot, largest)
        own.motion = given.motion
        return own
    if callable(given):
        return FunctionDrive(given, robot)
    raise InputError(
        f"input: {type(given).__name__} given, expected None, Springs, Forces, (t, forces), a function or a controller"
    )
