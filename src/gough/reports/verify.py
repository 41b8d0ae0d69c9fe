"""All formulations against each other on random states of one robot, and what they must obey."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from gough.brief import brief
from gough.dynamics.contract import FORMULATIONS, Formulation
from gough.dynamics.force_programs import Model, force, force_graph
from gough.dynamics.lagrange import Lagrange
from gough.dynamics.matrices import Matrices
from gough.graph import Array, Graph, Vector, array, record
from gough.kinematics.random_states import conditions, random_states
from gough.motion import State
from gough.reports.dynamics_checks import NotRun, base_checks, energy_checks, forward_checks, joint_checks
from gough.reports.identity_checks import Check, matrix_checks, power_program, worst_of
from gough.resources import check_memory
from gough.robot import Actuation, Mechanism, Robot
from gough.run import Program
from gough.run.choose import has_llvm, size_of
from gough.table import Result, records

LARGEST_OPTIMISED, LARGEST_COMPILED = 10_000, 60_000
"""Operations above which LLVM does not optimise, which changes no bit, and above which only NumPy blocks run.

Compiling would else take longer than everything else together."""
FEW = 3
"""States computed with Python floats."""

Progress = Callable[[str], None]


@dataclass(frozen=True)
class EffortRun:
    """Forces (N, actuators) by one formulation on one executor; the first few states alone on Python floats."""

    formulation: str
    executor: str
    operations: int
    forces: Any


def effort_runs(
    robot: Mechanism, states: State, formulations: Sequence[Formulation], progress: Progress
) -> tuple[list[EffortRun], dict[str, Matrices]]:
    """All runs, and the matrices of Lagrange's two forms in platform coordinates, which come from the same program.

    Lagrange's forms always run: they are the yardstick of the matrices. Unless asked for, on NumPy blocks alone.
    """
    runs = []
    for formulation in formulations:
        if formulation.yardstick:
            continue
        progress(formulation.name)
        graph = force_graph(Model(robot, formulation, wrench=True))
        for executor in executors(graph):
            few = FEW if executor == "floats" else None
            forces = program(graph, executor)(**states[:few].inputs(robot))
            runs.append(EffortRun(formulation.name, executor, size_of(graph), forces))
    progress("lagrange and koditschek")
    graph = lagrange_graph(robot)
    matrices: dict[str, Matrices] = {}
    asked = any(formulation.yardstick for formulation in formulations)
    for executor in executors(graph) if asked else ["blocks"]:
        results = program(graph, executor)(**states[: FEW if executor == "floats" else None].inputs(robot))
        for form in _FORMS:
            runs.append(EffortRun(form.name, executor, size_of(graph), results[form.name]))
            if executor == "blocks":
                matrices[form.name] = Matrices(results["M"], results[f"{form.name} V"], results["G"])
    return runs, matrices


_FORMS = (Lagrange(), Lagrange(koditschek=True))


def executors(graph: Graph) -> list[str]:
    """Those the graph is run on: not LLVM where compiling would take too long."""
    return ["blocks", "floats"] + (["llvm"] if has_llvm() and size_of(graph) <= LARGEST_COMPILED else [])


def program(graph: Graph, executor: str) -> Program:
    """The graph on this executor, compiled quickly where it is large."""
    return Program(graph, executor, opt=0 if executor == "llvm" and size_of(graph) > LARGEST_OPTIMISED else None)


def lagrange_graph(robot: Mechanism) -> Graph:
    """Forces, M, V and G of both forms in one graph: they share most of it."""
    models = [Model(robot, form, wrench=True) for form in _FORMS]

    def equations(x: Vector, xd: Vector, xdd: Vector, wrench: Vector) -> dict[str, Vector]:
        motion = models[0].motion(x, xd, xdd)
        out: dict[str, Any] = {}
        for form, model in zip(_FORMS, models, strict=True):
            found = form.matrices(motion, array(robot.gravity))
            out |= {form.name: force(model, motion, wrench), f"{form.name} V": found.C, "M": found.M, "G": found.G}
        return out

    return record(equations, **models[0].inputs())


STATE_BYTES = 1e3
"""Per coordinate of each state, all formulations together; measured on stewart."""
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

    __repr__ = brief

    run: EffortRun
    worst: float
    state: int
    actuator: str
    power: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values.

        Operations are all that run, also comparisons and selects, with the external wrench as an input: more than the
        flops of `operation_counts`.
        """
        run = {name: getattr(self.run, name) for name in ("formulation", "executor", "operations")}
        found = {"force": self.worst, "state": self.state, "actuator": self.actuator, "power": self.power}
        return run | found


class Certificate(Result):
    """The result of `verify`.

    Attributes:
        robot: The robot that was verified.
        seed: Seed of the random states.
        states: The random states.
        agreements: One per formulation and executor.
        checks: Checks of matrices, forward dynamics, a moving base, joint rates and the energy of a simulation.
        limit: Largest difference allowed.
        not_run: Checks that were not run, each with its reason.
    """

    robot: Robot
    seed: int
    states: State
    agreements: tuple[Agreement, ...] = records()
    checks: tuple[Check, ...]
    limit: float = LIMIT
    not_run: tuple[NotRun, ...] = ()

    DRAWN, LAYOUT, UNDER = ("force", "power"), "rows", "agreements"

    def __str__(self) -> str:
        """The page that `gough verify` prints."""
        from gough.reports.verify_text import certificate_text

        return certificate_text(self)

    def facts(self) -> dict[str, Any]:
        """Facts that go with the table of agreements."""
        facts = {"robot": self.robot.name, "passed": self.passed, "limit": self.limit, "states": len(self.states)}
        facts |= {"seed": self.seed, "checks": [{"name": c.name, "worst": c.worst} for c in self.checks]}
        facts["not run"] = [{"part": n.part, "formulation": n.formulation, "reason": n.reason} for n in self.not_run]
        return facts

    @cached_property
    def condition(self) -> Array:
        """(N,) condition number of K at the states."""
        return conditions(self.robot, self.states)

    @property
    def worst(self) -> Agreement:
        """The largest disagreement in forces."""
        return max(self.agreements, key=lambda a: a.worst)

    @property
    def passed(self) -> bool:
        """Whether everything is within its limit."""
        within = all(a.worst <= self.limit and a.power <= self.limit for a in self.agreements)
        return within and all(check.passed for check in self.checks)


def check_states(robot: Mechanism, states: int) -> None:
    """Refuse more states than fit into memory.

    Raises:
        InputError: With the estimate and how many would do.
    """
    check_memory(f"states {states:g}", states, robot.dof * STATE_BYTES, "states")


def verify(
    robot: Robot,
    states: int = 1000,
    seed: int = 0,
    formulations: Sequence[Formulation] = FORMULATIONS,
    progress: Progress = lambda step: None,
) -> Certificate:
    """Every formulation on every executor on random reachable states: forces, power balance and matrices.

    Then on NumPy blocks forward dynamics, forces on a moving base, and rates and accelerations of all joints; and a
    short simulation, whose energy must balance. What is not run is listed in `not_run`.

    Forces that keep to limits do not exist at most random states: those of least norm are compared instead, which ask
    as much of a formulation.

    Args:
        robot: Any robot.
        states: Number of states.
        seed: Seed of the random states.
        formulations: Those compared. Lagrange's two forms always run beside them, on NumPy blocks alone unless they are
            among these: whatever is asked for is compared with them too, and the matrices are checked against theirs.
            On a moving base Lagrange's form alone does, and only where neither is among these.
        progress: Told each step as it begins.
    """
    check_states(robot, states)
    machine = robot.mechanism
    if robot.actuation is not None and robot.actuation.limited:
        machine = replace(machine, actuation=Actuation())
    progress("states")
    drawn = random_states(machine, states, seed)
    runs, matrices = effort_runs(machine, drawn, formulations, progress)
    progress("power")
    power = power_program(machine)(**drawn.inputs(machine))
    agreements = agreements_of(machine, drawn, runs, power)
    progress("matrices")
    checks: list[Check | NotRun] = [*matrix_checks(machine, drawn, matrices, LIMIT)]
    forces = median_of(runs)
    progress("forward dynamics")
    checks += forward_checks(machine, drawn, forces, formulations, LIMIT)
    progress("moving base")
    others = () if any(formulation.yardstick for formulation in formulations) else _FORMS[:1]
    checks += base_checks(machine, drawn, seed, (*formulations, *others), LIMIT)
    progress("joint rates")
    checks += joint_checks(machine, drawn, LIMIT)
    checks += energy_checks(machine, drawn, forces, formulations, LIMIT, LARGEST_COMPILED, progress)
    run = tuple(check for check in checks if isinstance(check, Check))
    left = tuple(check for check in checks if isinstance(check, NotRun))
    return Certificate(robot, seed, drawn, tuple(agreements), run, not_run=left)


def median_of(runs: list[EffortRun]) -> Any:
    """(N, actuators) median of the forces of all formulations, taken on NumPy blocks, which all of them run on."""
    return np.median([run.forces for run in runs if run.executor == "blocks"], axis=0)


def agreements_of(robot: Mechanism, states: State, runs: list[EffortRun], power: dict[str, Any]) -> list[Agreement]:
    """Each run against the median of all formulations."""
    median = median_of(runs)
    scale = conditions(robot, states) * np.abs(median).max(axis=1)
    speed = np.abs(power["rates"]).max(axis=1)
    names = robot.actuator_names
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
