"""What comes around the numbers: recording, compiling, the cache, the bound call, a large graph, the import."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.stewart_equations import (
    record_first_derivatives,
    record_inverse_dynamics,
    record_second_derivatives,
)
from benchmarks.stewart_states import REFERENCE_TOLERANCE, reference_states, states, worst_error
from benchmarks.timing import Timing, Variant, interleaved
from gough.graph import Graph, count
from gough.run import Program

Array = NDArray[np.float64]

_IMPORT = """
import numpy
from time import perf_counter
start = perf_counter()
import gough
bare = perf_counter() - start
from gough import Program, record
print(bare, perf_counter() - start)
"""

_FIRST_USE = """
from time import perf_counter
start = perf_counter()
from benchmarks.stewart_equations import record_inverse_dynamics
from gough.run import Program
tau = Program(record_inverse_dynamics(), executor="llvm")(x=[0, 0, 2, 0, 0, 0], xd=[0.0] * 6, xdd=[0.0] * 6)
print(perf_counter() - start)
assert abs(tau[0] - 7.04250490055) < 1e-10
"""


@contextmanager
def cache_folder(folder: str) -> Iterator[None]:
    """GOUGH_CACHE set to a folder for a while; the empty string switches the cache off."""
    before = os.environ.get("GOUGH_CACHE")
    os.environ["GOUGH_CACHE"] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ["GOUGH_CACHE"]
        else:
            os.environ["GOUGH_CACHE"] = before


def first_value(graph: Graph) -> Any:
    """The forces of the first state from a program made now."""
    (x, xd, xdd), expected = reference_states()
    tau = Program(graph, executor="llvm")(x=x[:1], xd=xd[:1], xdd=xdd[:1])
    if not worst_error(tau, expected[:1]) <= REFERENCE_TOLERANCE:
        raise ArithmeticError("the compiled program computes something else")
    return tau


def recording(rounds: int) -> Timing:
    """Seconds to record the model."""
    return interleaved({"record": Variant(lambda: len(record_inverse_dynamics().nodes))}, rounds)["record"]


def compiling(rounds: int) -> tuple[Timing, Timing]:
    """Seconds from the recorded graph to the first forces: nothing cached, and from the object cache."""
    graphs = [record_inverse_dynamics() for _ in range(2 * (rounds + 1))]

    def call(folder: str) -> Any:
        with cache_folder(folder):
            return first_value(graphs.pop())

    with tempfile.TemporaryDirectory() as folder:
        both = {"cold": Variant(lambda: call("")), "warm": Variant(lambda: call(folder))}
        timings = interleaved(both, rounds, turn=0.0)
    return timings["cold"], timings["warm"]


def bound_call(rounds: int, inner: int = 2000) -> Timing:
    """Seconds of one call bound to fixed buffers, one sample."""
    (x, xd, xdd), expected = reference_states()
    bound = Program(record_inverse_dynamics(), executor="llvm").bind()
    for name, values in (("x", x), ("xd", xd), ("xdd", xdd)):
        bound.inputs[name][:] = values[12]
    tau = bound.outputs["out"]

    def call() -> Array:
        bound()
        return tau

    timing = interleaved({"bound": Variant(call, inner=inner)}, rounds)["bound"]
    tau[:] = np.nan
    bound()
    if not worst_error(tau[None], expected[12:13]) <= REFERENCE_TOLERANCE:
        raise ArithmeticError("the bound call computes something else")
    return timing


def large_graph(second: bool = True) -> dict[str, float]:
    """Operations of a large graph, seconds to record and to compile it with no cache, and its error.

    The graph holds second derivatives of the model, or first ones only; they are checked against central differences
    of the program that was differentiated, whose own error of about 1e-9 is admitted.
    """
    start = perf_counter()
    graph = record_second_derivatives() if second else record_first_derivatives()
    recorded = perf_counter()
    motion = dict(zip(("x", "xd", "xdd"), states(20), strict=True))
    with cache_folder(""):
        program: Any = Program(graph, executor="llvm")
        values = program(**motion)
        compiled = perf_counter()
        below: Any = Program(record_first_derivatives() if second else record_inverse_dynamics(), executor="llvm")
    error = derivative_error(values, below, motion)
    if not error <= 1e-7:
        raise ArithmeticError(f"the derivatives are off by {error:.1e}")
    seconds = {"record": recorded - start, "compile": compiled - recorded}
    return {"operations": count(graph).total, **seconds, "error": error}


def derivative_error(derivatives: Array, program: Any, motion: dict[str, Array], step: float = 1e-5) -> float:
    """Largest difference of derivatives by pose and turning rates from central differences, relative to the largest."""
    columns = [("x", k) for k in range(6)] + [("xd", k) for k in range(3, 6)]
    worst = 0.0
    for place, (name, k) in enumerate(columns[: derivatives.shape[-1]]):
        shift = np.zeros(6)
        shift[k] = step
        ahead = program(**{**motion, name: motion[name] + shift})
        behind = program(**{**motion, name: motion[name] - shift})
        off = np.abs((ahead - behind) / (2 * step) - derivatives[..., place]).max()
        worst = max(worst, float(np.nan_to_num(off, nan=np.inf)))
    return worst / float(np.abs(derivatives).max())


def import_times(repeats: int) -> tuple[float, float]:
    """Least seconds of `import gough`, and of its recorder and executors too, after NumPy's own import."""
    runs = [tuple(map(float, _python(_IMPORT).split())) for _ in range(repeats)]
    return min(bare for bare, _ in runs), min(full for _, full in runs)


def first_use(repeats: int) -> tuple[float, float]:
    """Least seconds in a fresh process from the first import to the first forces: no cache, and with a filled one."""
    cold = min(float(_python(_FIRST_USE, GOUGH_CACHE="")) for _ in range(repeats))
    with tempfile.TemporaryDirectory() as folder:
        warm = [float(_python(_FIRST_USE, GOUGH_CACHE=folder)) for _ in range(repeats + 1)]
    return cold, min(warm[1:])


def _python(script: str, **environment: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(__file__).parents[1],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout
