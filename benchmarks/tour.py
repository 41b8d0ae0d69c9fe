"""One screen of the idea: `python -m benchmarks.tour`. Every number in it is computed on the way."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import stewart_numpy
from benchmarks.stewart_equations import inverse_dynamics, record_inverse_dynamics
from benchmarks.stewart_states import reference_states, states
from benchmarks.timing import Variant, interleaved
from gough.graph import Graph, count, count_by_label, jacobian, record
from gough.run import Program

Array = NDArray[np.float64]


def recorded() -> tuple[Graph, list[str]]:
    """The graph of the model, and what it costs."""
    start = perf_counter()
    graph = record_inverse_dynamics()
    seconds = perf_counter() - start
    cost, parts = count(graph), count_by_label(graph)
    legs = sum(part.total for name, part in parts.items() if name.startswith("leg"))
    kinds = {
        "additions": cost.add,
        "multiplications": cost.mul,
        "divisions": cost.div,
        "square roots": cost.sqrt,
        "sines and cosines": cost.transcendental,
        "comparisons and selects": cost.select,
    }
    return graph, [
        f"With symbols they are recorded, in {seconds * 1e3:.1f} ms, as a graph of {cost.total} operations:",
        "  " + ", ".join(f"{number} {kind}" for kind, number in kinds.items()),
        f"  platform {parts['platform'].total}, six legs {legs}, balance of forces {parts['balance'].total}",
    ]


def timed(graph: Graph, samples: int, rounds: int) -> list[str]:
    """A short table of times for many samples; `python -m benchmarks.engine` gives the long one."""
    x, xd, xdd = states(samples)
    out = np.empty((samples, 6))
    compiled, blocks = Program(graph), Program(graph, executor="blocks")
    variants = {
        "NumPy by hand": Variant(lambda: stewart_numpy.inverse_dynamics(x, xd, xdd)),
        "gough, NumPy blocks": Variant(lambda: blocks(x=x, xd=xd, xdd=xdd, out=out, threads=1)),
        f"gough, {compiled.executor}": Variant(lambda: compiled(x=x, xd=xd, xdd=xdd, out=out, threads=1)),
    }
    timings = interleaved(variants, rounds)
    slowest = timings["NumPy by hand"].least
    return [
        f"  {name:22}{timing.least / samples * 1e6:8.3f} us per sample{slowest / timing.least:8.1f} x"
        for name, timing in timings.items()
    ]


def slope(state: dict[str, Array], step: float = 1e-5) -> tuple[Array, Array]:
    """d tau / d z [N/m] at a state: exactly, and by central differences."""

    def equations(x: Any, xd: Any, xdd: Any) -> Any:
        return jacobian(inverse_dynamics(x, xd, xdd), x[2])

    up, down = ({**state, "x": state["x"] + np.eye(6)[2] * s} for s in (step, -step))
    differences = (inverse_dynamics(**up) - inverse_dynamics(**down)) / (2 * step)
    return Program(record(equations, x=6, xd=6, xdd=6))(**state), differences


def tour(samples: int = 10_000, rounds: int = 20) -> str:
    """The text of the tour."""
    (x, xd, xdd), expected = reference_states()
    state = {"x": x[13], "xd": xd[13], "xdd": xdd[13]}
    graph, costs = recorded()
    exact, differences = slope(state)
    lines = [
        "A 6-UPS Stewart platform: the forces tau(x, xd, xdd) that drive it, by Newton-Euler, leg by leg.",
        "The equations are plain Python (benchmarks/stewart_equations.py). On floats they compute:",
        f"  reference    {numbers(expected[13])}  N",
        f"  floats       {numbers(inverse_dynamics(**state))}  N",
        "",
        *costs,
        "",
        "The graph becomes a program, for one state or for many at once:",
        f"  program      {numbers(Program(graph)(**state))}  N",
        *timed(graph, samples, rounds),
        "",
        "Its derivatives are exact, and graphs again. By the height z of the platform:",
        f"  exact        {numbers(exact)}  N/m",
        f"  differences  {numbers(differences)}  N/m",
        "",
        "Next: `make bench` (the whole table; figures in benchmarks/README.md), `.venv/bin/gough --help`.",
    ]
    return "\n".join(lines)


def numbers(values: Array) -> str:
    """Six numbers in columns."""
    return "".join(f"{value:15.9f}" for value in values)


if __name__ == "__main__":
    print(tour())
