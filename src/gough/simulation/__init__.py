"""Simulation and control: forces in, motion out."""

from __future__ import annotations

from gough.simulation.control.controller import Controller, Custom
from gough.simulation.control.laws import PD, ComputedTorque, Feedforward
from gough.simulation.control.noise import Noise
from gough.simulation.ensemble.ensemble_result import Ensemble
from gough.simulation.ensemble.simulate_many import simulate_many
from gough.simulation.events import Event, Occurrence
from gough.simulation.inputs import Forces, Springs
from gough.simulation.linearise import Linearisation, linearise
from gough.simulation.modes import Modes, modes
from gough.simulation.run.run_result import Simulation
from gough.simulation.simulate import simulate

__all__ = [
    "PD",
    "ComputedTorque",
    "Controller",
    "Custom",
    "Ensemble",
    "Event",
    "Feedforward",
    "Forces",
    "Linearisation",
    "Modes",
    "Noise",
    "Occurrence",
    "Simulation",
    "Springs",
    "linearise",
    "modes",
    "simulate",
    "simulate_many",
]
