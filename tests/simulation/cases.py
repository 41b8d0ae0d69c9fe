"""Robots and inputs that the tests of simulation share."""

from functools import lru_cache

import numpy as np

import gough
from gough.simulation.control.laws import actuator_inertia
from tests.support.motions import scales

ROBOTS = ("stewart", "hexapod", "spatial3", "sru", "delta", "planar3rrr", "rotary")


@lru_cache
def robot(name):
    """A catalogue robot."""
    return gough.load(name)


def springs(machine, hertz=None, damping=0.0):
    """Springs with which each actuator alone would swing at so many hertz; rotary's weight needs more than 2 Hz."""
    hertz = hertz or (3.0 if machine.name == "rotary" else 2.0)
    inertia = actuator_inertia(machine)
    return gough.Springs((2 * np.pi * hertz) ** 2 * inertia, damping * inertia)


def pushed(machine, seed=0, size=0.05):
    """A start at home with a small velocity."""
    rng = np.random.default_rng(seed)
    home = np.array(machine.platform.home)
    return gough.State(home, size * 2 * np.pi * 2.0 * scales(machine) * rng.uniform(-1, 1, len(home)))
