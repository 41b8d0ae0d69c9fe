"""All formulations against each other on random states of one robot, and what they must obey."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.kinematics.model import actuator_names
from gough.report.effort_runs import EffortRun, Progress, effort_runs
from gough.report.energy import power_program
from gough.report.matrix_checks import Check, matrix_checks, worst_of
from gough.report.states import States, random_states
from gough.robot import Robot

LIMIT = 1e-9
"""What is allowed of any difference, relative to cond(K) max |tau|, or to what a check says."""


@dataclass(frozen=True)
class Agreement:
    """How far the forces of one run are from the median of all formulations, over cond(K) max |tau|.

    Attributes:
        run: Formulation and executor.
        worst: Largest of all states and actuators.
        state, actuator: Where: index of the state, name of the actuator.
        power: Largest failure of the power balance, over cond(K) max |tau| max |qd|.
    """

    run: EffortRun
    worst: float
    state: int
    actuator: str
    power: float


@dataclass(frozen=True)
class Certificate:
    """What `verify` found.

    Attributes:
        robot: Which was verified.
        seed: Of the random states.
        states: They themselves.
        agreements: One per formulation and executor.
        checks: Of the matrices, and of the power balance.
        limit: What is allowed.
    """

    robot: Robot
    seed: int
    states: States
    agreements: tuple[Agreement, ...]
    checks: tuple[Check, ...]
    limit: float = LIMIT

    @property
    def worst(self) -> Agreement:
        """The largest disagreement in forces."""
        return max(self.agreements, key=lambda a: a.worst)

    @property
    def passed(self) -> bool:
        """Whether everything is within its limit."""
        within = all(a.worst <= self.limit and a.power <= self.limit for a in self.agreements)
        return within and all(check.passed for check in self.checks)


def verify(robot: Robot, states: int = 1000, seed: int = 0, progress: Progress = lambda step: None) -> Certificate:
    """Every formulation on every executor on random reachable states: forces, power balance and matrices.

    Args:
        robot: Any.
        states: How many.
        seed: Of the random states.
        progress: Told each step as it begins.
    """
    progress("states")
    drawn = random_states(robot, states, seed)
    runs, matrices = effort_runs(robot, drawn, progress)
    progress("power")
    power = power_program(robot)(**drawn.inputs())
    agreements = agreements_of(robot, drawn, runs, power)
    progress("matrices")
    checks = matrix_checks(robot, drawn, matrices, LIMIT)
    return Certificate(robot, seed, drawn, tuple(agreements), tuple(checks))


def agreements_of(robot: Robot, states: States, runs: list[EffortRun], power: dict[str, Any]) -> list[Agreement]:
    """Each run against the median of all formulations, taken on NumPy blocks, which all of them run on."""
    median = np.median([run.forces for run in runs if run.executor == "blocks"], axis=0)
    scale = states.condition * np.abs(median).max(axis=1)
    speed = np.abs(power["rates"]).max(axis=1)
    names = actuator_names(robot)
    found = []
    for run in runs:
        n = len(run.forces)
        apart = np.abs(run.forces - median[:n]) / scale[:n, None]
        check = worst_of("", apart, LIMIT)
        actuator = int(np.argmax(np.where(np.isnan(apart[check.state]), np.inf, apart[check.state])))
        given = (run.forces * power["rates"][:n]).sum(axis=1)
        lost = np.abs(given - power["needed"][:n, 0]) / (scale * speed)[:n]
        balance = worst_of("", lost, LIMIT)
        found.append(Agreement(run, check.worst, check.state, names[actuator], balance.worst))
    return found
