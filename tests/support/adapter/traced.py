"""Equations of the caller, traced and run by each executor; the machines that come with gough; gough's own checks."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import gough
from gough import graph as g
from tests.support.adapter import each, verdict
from tests.support.adapter.files import _refused
from tests.support.adapter.policies import SOLVED
from tests.support.by_value import numbers
from tests.support.questions import NO_MACHINE, Answer, Question, States

EXECUTORS = ("floats", "blocks", "llvm")


def _functions(x: Any, y: Any) -> dict[str, Any]:
    """Every elementary function, comparison and choice of one and two numbers."""
    one = (g.sqrt, g.absolute, g.sign, g.floor, g.sin, g.cos, g.tan, g.atan, g.exp, g.log)
    bounded = g.minimum(g.maximum(x[0], -0.999), 0.999)
    pairs = (g.less, g.less_equal, g.greater, g.greater_equal, g.equal, g.not_equal)
    return {
        "one": [f(value) for f in one for value in x],
        "inverse": [g.asin(bounded), g.acos(bounded)],
        "two": [f(x[0], y[0]) for f in (g.atan2, g.minimum, g.maximum)],
        "compared": [f(x[0], y[0]) for f in pairs],
        "finite": [g.isfinite(value) for value in x],
        "vectors": [g.dot(x, y), g.norm(x), *g.cross(x, y), g.divide(x[0], y[0])],
        "chosen": [
            g.where(g.logical_and(g.less(x[0], 0.0), g.greater(y[0], 0.0)), x[1], y[1]),
            g.where(g.logical_or(g.less(x[0], 0.0), g.logical_not(g.less(y[0], 1.0))), x[2], y[2]),
        ],
        "number": g.Integer(g.floor(10.0 * x[0])),
    }


def _linear(x: Any, y: Any) -> dict[str, Any]:
    """Solutions of linear systems, least squares and determinants of a matrix of the inputs."""
    matrix = [[x[0] + 3.0, x[1], y[0]], [y[1], x[2] + 4.0, x[0]], [x[1] * y[2], y[0], 5.0 - x[0]]]
    tall = [*matrix, [x[2], 1.0, y[1]]]
    return {
        "solved": g.solve(matrix, y),
        "transposed": g.solve_transposed(matrix, y),
        "squares": g.least_squares(tall, [*y, x[0]]),
    }


def _loops(x: Any, y: Any) -> dict[str, Any]:
    """A root by Newton's method, and its derivatives by the inputs."""
    level = 2.0 + x[0]
    found = g.root(lambda u: [u[0] * u[0] + u[1] - level, u[1] - 0.1 * g.sin(u[0])], [1.0 + 0.0 * y[0], 0.0 * y[0]])
    return {"root": found.solution, "found": found.converged, "by input": g.jacobian(found.solution, x)}


def _derived(x: Any, y: Any) -> dict[str, Any]:
    """First derivatives, and products of them with vectors."""
    out = g.array([g.sin(x[0]) * y[1] + g.exp(0.1 * x[2]), g.atan2(y[0], x[1]), g.sqrt(g.dot(x, x) + 1.0)])
    return {
        "jacobian": g.jacobian(out, x),
        "gradient": g.gradient(out[0], y),
        "product": g.jvp(out, x, y),
        "transposed": g.vjp(out, x, y),
    }


def equations(robot: Any, states: States) -> dict[str, Answer]:
    """Outputs of traced equations by each executor, of one sample and of many, bit by bit; costs; what is refused."""
    draw = np.random.default_rng(17)
    x, y = (np.vstack([draw.uniform(-2.0, 2.0, (9, 3)), [[np.nan, 0.0, np.inf]], np.zeros((1, 3))]) for _ in range(2))

    def traced(name: str, function: Callable[..., Any]) -> dict[str, Answer]:
        graph = gough.record(function, x=3, y=3)
        fields = {}
        with np.errstate(all="ignore"):
            for executor in EXECUTORS:
                program = gough.Program(graph, executor)
                rows, single = program(x=x, y=y), program(x=x[1], y=y[1])
                for key, values in rows.items():
                    fields[f"{name}.{executor}.{key}"] = Answer(np.asarray(values, dtype=float), policy="bits")
                    one = np.asarray(single[key], dtype=float)
                    fields[f"{name}.{executor}.{key} of one"] = Answer(one, policy="bits")
        fields[f"{name}.cost"] = verdict([getattr(g.count(graph), kind) for kind in ("add", "mul", "div", "sqrt")])
        return fields

    def called() -> dict[str, Answer]:
        """Buffers of the caller, threads, one sample with many of another input."""
        program = gough.Program(gough.record(lambda x, y: x * y[0] + g.cos(y), x=3, y=3))
        out = np.zeros((11, 3))
        program(x=x, y=y, out=out)
        bound = program.bind()
        bound.inputs["x"][...], bound.inputs["y"][...] = x[2], y[2]
        bound()
        return {
            "own buffer": Answer(out, policy="bits"),
            "threads": Answer(np.array(program(x=np.tile(x, (500, 1)), y=y[3], threads=2))[:11], policy="bits"),
            "bound": Answer(np.array(bound.outputs["out"]), policy="bits"),
        }

    simple = gough.record(lambda x: x, x=3)
    wrong: dict[str, Callable[[], Any]] = {
        "executor": lambda: gough.Program(simple, "nosuch"),
        "input missing": lambda: gough.Program(simple)(),
        "input unknown": lambda: gough.Program(simple)(x=x, z=y),
        "shape": lambda: gough.Program(simple)(x=np.zeros(4)),
        "rows": lambda: gough.Program(gough.record(lambda x, y: x + y, x=3, y=3))(x=x[:2], y=y[:3]),
        "buffer": lambda: gough.Program(simple)(x=x, out=np.zeros((2, 3))),
        "threads": lambda: gough.Program(simple)(x=x, threads=0),
        "name": lambda: gough.Program(gough.record(lambda out: out, out=3)),
    }
    kinds = {"functions": _functions, "linear": _linear, "loops": _loops, "derivatives": _derived}
    calls: dict[str, Callable[[], dict[str, Answer]]] = {name: partial(traced, name, f) for name, f in kinds.items()}
    return each(calls | {"calls": called}) | {"refused": verdict([f"{k}: {_refused(c)}" for k, c in wrong.items()])}


def catalogue(robot: Any, states: States) -> dict[str, Answer]:
    """Names of the machines that come with gough, and the numbers of their files."""
    names = gough.catalogue()
    answers = {"names": Answer(np.array(names), "names", "names")}
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path = Path(folder) / f"{name}.toml"
            gough.load(name).write(path)
            answers[f"{name}.file"] = Answer(numbers(path.read_text(), 1), "values", SOLVED)
            answers[f"{name}.same"] = verdict(gough.load(path) == gough.load(name))
    return answers


def own_checks(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """What gough's check of itself looks at: verdicts and names, because its numbers are round-off."""
    found = gough.verify(robot, 3, 1)
    return {
        "passed": verdict([found.passed, all(check.worst <= found.limit for check in found.checks)]),
        "checks": verdict(len(found.checks)),
        "compared": Answer(
            np.array([f"{a.run.formulation} {a.run.executor}" for a in found.agreements]), "names", "names"
        ),
        "operations": verdict([a.run.operations for a in found.agreements]),
        "not run": Answer(np.array([f"{n.part} {n.formulation}" for n in found.not_run], dtype=str), "names", "names"),
    }


def animated(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """The page of a moving machine: it names the robot, and is the file that is written."""
    page = gough.animate(robot, gough.Motion.to(robot, states["to"], 0.2, start=states["from"]), "mm,deg")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        page.save(path)
        written = path.read_text()
    return {"page": verdict([page.name, str(written == page.html), str(written.count("</script>"))])}


def _question(name: str, group: str, function: Callable[..., Any], machines: tuple[str, ...]) -> Question:
    return Question(name, group, machines, frozenset(), f"traced:{function.__name__}", 60.0)


TABLE = {
    question.name: question
    for question in (
        _question("traced equations", "runs", equations, (NO_MACHINE,)),
        _question("catalogue of machines", "files", catalogue, (NO_MACHINE,)),
        _question("own checks", "runs", own_checks, ("fivebar", "rps3", "redundant_RRR", "dependent_prs")),
        _question("moving pages", "files", animated, ("fivebar", "rps3")),
    )
}
