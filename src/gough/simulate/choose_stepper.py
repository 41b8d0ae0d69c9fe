"""The stepper that an input of `simulate_many` asks for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.errors import InputError
from gough.simulate.control.controller import Controller, Custom
from gough.simulate.control.loop import Loop
from gough.simulate.history import Forces, value_at
from gough.simulate.many_drive import CustomStepper, LoopStepper, SpringStepper, Stepper
from gough.simulate.springs import Springs
from gough.simulate.system import System

Array = NDArray[np.float64]


def stepper_of(
    given: Any, system: System, x: Array, c: Array, numbers: Any, t0: float, dt: float, p: Any, threads: int | None
) -> Stepper:
    """The stepper of an input."""
    n = x.shape[1]
    if given is None or (isinstance(given, (int, float)) and given == 0):
        return Stepper(system, "no forces", dt, p, threads, lambda _k: np.zeros(n))
    if isinstance(given, Springs):
        return SpringStepper(given, system, x, dt, p, threads)
    if isinstance(given, tuple) and len(given) == 2:
        given = Forces(*given)
    if isinstance(given, Forces):
        times, forces = given.ready(n)
        return Stepper(
            system, "force history", dt, p, threads, lambda k: value_at(times, forces, given.hold, t0 + k * dt)
        )
    if isinstance(given, Controller):
        return LoopStepper(Loop(given, system), c, numbers, t0, dt, p, threads)
    if isinstance(given, Custom):
        return CustomStepper(given, system, t0, dt, p, threads)
    if callable(given):
        return CustomStepper(Custom(given), system, t0, dt, p, threads)
    raise InputError(f"input: {type(given).__name__} given, expected None, Springs, Forces, a function or a controller")
