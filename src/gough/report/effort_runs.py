"""The forces of one set of states by every formulation on every executor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gough.dynamics.contract import FORMULATIONS
from gough.dynamics.lagrange import Lagrange
from gough.dynamics.matrices import Matrices
from gough.dynamics.model import Model, force, force_graph
from gough.graph import Graph, array, record
from gough.report.states import States
from gough.robot import Robot
from gough.run import Program
from gough.run.choose import has_llvm, size_of

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


def effort_runs(robot: Robot, states: States, progress: Progress) -> tuple[list[EffortRun], dict[str, Matrices]]:
    """All runs, and the matrices of Lagrange's two forms in platform coordinates, which come from the same program."""
    runs = []
    for formulation in FORMULATIONS:
        if isinstance(formulation, Lagrange):
            continue
        progress(formulation.name)
        graph = force_graph(Model(robot, formulation, wrench=True))
        for executor in executors(graph):
            few = FEW if executor == "floats" else None
            forces = program(graph, executor)(**states.inputs(few))
            runs.append(EffortRun(formulation.name, executor, size_of(graph), forces))
    progress("lagrange and koditschek")
    graph = lagrange_graph(robot)
    matrices: dict[str, Matrices] = {}
    for executor in executors(graph):
        results = program(graph, executor)(**states.inputs(FEW if executor == "floats" else None))
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


def lagrange_graph(robot: Robot) -> Graph:
    """Forces, M, V and G of both forms in one graph: they share most of it."""
    models = [Model(robot, form, wrench=True) for form in _FORMS]

    def equations(x: Any, xd: Any, xdd: Any, wrench: Any) -> dict[str, Any]:
        motion = models[0].motion(x, xd, xdd)
        out: dict[str, Any] = {}
        for form, model in zip(_FORMS, models, strict=True):
            found = form.matrices(motion, array(robot.gravity))
            out |= {form.name: force(model, motion, wrench), f"{form.name} V": found.C, "M": found.M, "G": found.G}
        return out

    return record(equations, **models[0].inputs())
