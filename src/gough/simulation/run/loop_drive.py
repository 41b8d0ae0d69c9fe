"""Controllers that drive a single run: all the time, or at sample instants with a delay."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.errors import InputError, NumericalError
from gough.simulation.control.controller import Controller, Custom
from gough.simulation.control.loop import Loop
from gough.simulation.control.noise import uniforms
from gough.simulation.history import Forces
from gough.simulation.run.drive import (
    Commands,
    Drive,
    FunctionDrive,
    HeldFunctionDrive,
    HistoryDrive,
    SpringDrive,
    check_forces,
    instants,
    merged,
)
from gough.simulation.springs import Springs
from gough.simulation.system import System

Array = NDArray[np.float64]

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

    def command(self, t: float, c: Array, z: Array, sample: int = 0) -> Array:
        """(actuators,) worked out now."""
        inputs = self.bound.inputs
        inputs["c"][:], inputs["z"][:], inputs["u"][:] = c, z, self.loop.reference(t)[0]
        if "draw" in inputs:
            noise = self.loop.controller.noise
            assert noise is not None
            inputs["draw"][:] = uniforms(noise.seed, [self.number], sample, self.loop.draws)[0]
        if "guess" in inputs:
            inputs["guess"][:] = self.guess
        self.bound()
        if "guess" in inputs:
            if not np.abs(self.bound.outputs["missing"]).max() < MISSING:
                raise NumericalError(f"t = {t:.6g} s: the controller's forward kinematics did not converge")
            self.guess[:] = self.bound.outputs["guess"]
        return self.bound.outputs["force"].copy()

    def force(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(actuators,) now; NaN where a trial step of the integrator left the robot's reach."""
        return self.command(t, c, z)


class SampledDrive(LoopDrive):
    """A controller that acts at sample instants, with a delay; its forces are held between."""

    def __init__(self, loop: Loop, guess: Array, t0: float, t1: float, robot_number: int = 0) -> None:
        """Sample instants from t0 to t1."""
        super().__init__(loop, guess, robot_number)
        controller = loop.controller
        assert controller.sample_time is not None
        self.t0, self.period, self.delay = t0, controller.sample_time, controller.delay
        taken = instants(t0, t1, self.period)
        late = [t + self.delay for t in taken if t + self.delay < t1] if self.delay else []
        self.slack = 1e-9 * self.period
        self.jumps = merged([*taken, *late], self.slack)
        self.waiting: list[tuple[float, Array]] = []
        self.held: Array | None = None
        self.taken = 0
        self.log = Commands()

    def begin(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> None:
        """Take a sample if its instant has come, and let the force act whose time it is."""
        if t >= self.t0 + self.taken * self.period - self.slack:
            force = check_forces(self.command(t, c, z, self.taken), self.names, t)
            self.waiting.append((t + self.delay, force))
            self.taken += 1
        while self.waiting and (self.held is None or self.waiting[0][0] <= t + self.slack):
            self.held = self.waiting.pop(0)[1]
            self.log.applied(t, self.held)

    def forces(self, t: Array, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(T, actuators)."""
        return self.log.at(t)

    def force(self, t: float, c: Array, z: Array, q: Array, qd: Array) -> Array:
        """(actuators,) held."""
        return self._zero if self.held is None else self.held


def drive_of(given: Any, system: System, x: Array, c: Array, t0: float, t1: float) -> Drive:
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
        if given.sample_time is None:
            return FunctionDrive(given.function, robot, largest)
        return HeldFunctionDrive(given, robot, largest, t0, t1)
    if callable(given):
        return FunctionDrive(given, robot)
    raise InputError(
        f"input: {type(given).__name__} given, expected None, Springs, Forces, (t, forces), a function or a controller"
    )
