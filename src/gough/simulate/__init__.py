"""Simulation and control: forces in, motion out. The package itself can be called: `gough.simulate(robot, ...)`."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from gough.simulate.control.controller import Controller, Custom
from gough.simulate.control.laws import PD, ComputedTorque, Feedforward
from gough.simulate.control.noise import Noise
from gough.simulate.events import Event, Occurrence
from gough.simulate.forward_kinematics import ForwardKinematics, forward_kinematics
from gough.simulate.history import Forces
from gough.simulate.linear import Linearisation, linearise
from gough.simulate.many import simulate_many
from gough.simulate.many_result import Ensemble
from gough.simulate.modes import Modes, modes
from gough.simulate.result import Simulation
from gough.simulate.run import simulate
from gough.simulate.springs import Springs

__all__ = [
    "PD",
    "ComputedTorque",
    "Controller",
    "Custom",
    "Ensemble",
    "Event",
    "Feedforward",
    "Forces",
    "ForwardKinematics",
    "Linearisation",
    "Modes",
    "Noise",
    "Occurrence",
    "Simulation",
    "Springs",
    "forward_kinematics",
    "linearise",
    "modes",
    "simulate",
    "simulate_many",
]


class _Callable(ModuleType):
    """A module that is called as its function `simulate`: the package and the function share their public name."""

    def __call__(self, *args: Any, **kwargs: Any) -> Simulation:
        return simulate(*args, **kwargs)


sys.modules[__name__].__class__ = _Callable
_Callable.__call__.__doc__ = simulate.__doc__
