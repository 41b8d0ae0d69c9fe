"""Forward kinematics as a call on samples, to be bound to arrays."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from gough.graph import Graph, record
from gough.kinematics.forward.solver import solver_of
from gough.kinematics.sampled_call import Call, Rows
from gough.kinematics.status import Status, Verdict
from gough.robot import Robot


@lru_cache(maxsize=32)
def forward_kinematics_call(robot: Robot) -> Call:
    """From guess (n,) and displacements q (actuators,) to the pose x (n,) and the residual."""
    solver = solver_of(robot)
    graph = solver.graph or _unsolved(robot.dof, *solver.q_input.shape)
    return Call(robot, graph, _followed, at="guess", mends=True)


def _unsolved(n: int, actuators: int) -> Graph:
    """A graph that leaves all samples to be looked into, for robots without a certificate."""
    return record(
        lambda guess, q: {"x": guess * np.nan, "residual": q[0] * np.nan, "sound": q[0] != q[0]}, guess=n, q=actuators
    )


def _followed(call: Call, inputs: Rows, outputs: Rows) -> Verdict:
    """Statuses of samples whose paths take several steps; their poses and residuals go into the outputs."""
    solver = solver_of(call.robot)
    path, missing = solver.follow(inputs["guess"], inputs["q"])
    outputs["x"][:] = solver.coordinates(path.c)
    outputs["x"][path.status > Status.NEAR_SINGULAR] = np.nan
    outputs["residual"][:] = missing
    return solver.verdict(path, inputs["guess"], inputs["q"])
