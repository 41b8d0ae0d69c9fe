"""Forces of a robot by a formulation, on the executor that needs no compiling."""

from functools import lru_cache

import numpy as np

from gough.dynamics import FORMULATIONS
from gough.dynamics.force_programs import Model, force_graph
from gough.kinematics import inverse_kinematics
from gough.run import Program
from tests.support.motions import motion_near_home


@lru_cache(maxsize=256)
def _program(robot, formulation, wrench):
    return Program(force_graph(Model(robot, formulation, wrench)), "blocks")


def forces(robot, formulation, x, xd, xdd, wrench=None):
    """(N, actuators) forces [N or N m]."""
    given = {"x": x, "xd": xd, "xdd": xdd} | ({} if wrench is None else {"wrench": wrench})
    return _program(robot, formulation, wrench is not None)(**given)


def states(robot, count, seed, size=0.1):
    """x, xd, xdd (count, n) near home and an external wrench (count, 6)."""
    rng = np.random.default_rng([seed, 1])
    return *motion_near_home(robot, count, seed, size), 10.0 * rng.normal(size=(count, 6))


def scale(robot, x, tau):
    """What errors of forces are measured by: cond(K) max |tau|, at least 1 N."""
    return inverse_kinematics(robot, x).condition * np.maximum(np.abs(tau).max(axis=1), 1.0)


QUICK = tuple(f for f in FORMULATIONS if not f.yardstick)
"""All but Lagrange's equations, whose graphs are ten to thirty times larger."""
