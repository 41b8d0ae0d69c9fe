"""The drive that an input of `simulate` asks for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.errors import InputError
from gough.simulate.control.controller import Controller, Custom
from gough.simulate.control.loop import Loop
from gough.simulate.drive import Drive, FunctionDrive, HeldFunctionDrive, HistoryDrive, SpringDrive
from gough.simulate.history import Forces
from gough.simulate.loop_drive import LoopDrive, SampledDrive
from gough.simulate.springs import Springs
from gough.simulate.system import System

Array = NDArray[np.float64]


def drive_of(given: Any, system: System, x: Array, c: Array, t0: float, t1: float) -> Drive:
    """The drive of an input: None or 0, springs, a force history, a function, or a controller."""
    robot = system.robot
    n = len(robot.platform.coordinates)
    if given is None or (isinstance(given, (int, float)) and given == 0):
        return Drive(n)
    if isinstance(given, Springs):
        return SpringDrive(given, robot, x)
    if isinstance(given, tuple) and len(given) == 2:
        given = Forces(*given)
    if isinstance(given, Forces):
        return HistoryDrive(given, n)
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
