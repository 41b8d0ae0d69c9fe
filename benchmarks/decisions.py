"""The measurements behind docs/decisions: `python -m benchmarks.decisions` prints them, as ratios within one run.

Everything timed is checked before. The clock counts processor time, also of a compiler that is called, so that other
work on the machine does not lengthen long calls more than short ones. CasADi, JAX and numba are optional: their rows
are left out where they are not installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib import metadata
from importlib.util import find_spec
from time import process_time
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks import hidden_surfaces, result_memory, stewart_equations, stewart_numpy, throughput
from benchmarks.costs import cache_folder
from benchmarks.frame import machine, run
from benchmarks.peers.translated import casadi_call, jax_call
from benchmarks.stewart_equations import inverse_dynamics, record_inverse_dynamics
from benchmarks.stewart_states import Array, States, states, worst_error
from benchmarks.timing import Timing, Variant, interleaved
from gough.dynamics.contract import DEFAULT
from gough.dynamics.force_programs import Model, force_graph
from gough.graph import Graph, count, record
from gough.kinematics import load
from gough.run import Program
from gough.run.llvm import jit, kernel

Rows = list[dict[str, Any]]
Call = Callable[[], Any]

AGREEMENT = 1e-11
"""Of all forces, relative to the largest of each state."""
LLVM, MACHINE, COMPILED, JAX = "gough llvm", "CasADi, virtual machine", "CasADi, its C through gcc", "JAX, jit of vmap"
PICTURES = ("stewart", "delta", "sru")


def processor_time() -> float:
    """Processor seconds of this process and of those it has started and seen end."""
    past = os.times()
    return process_time() + past.children_user + past.children_system


def checked(name: str, call: Call, expected: Array) -> None:
    """Raises ArithmeticError where a call gives other forces."""
    error = worst_error(np.asarray(call()), expected)
    if not error <= AGREEMENT:
        raise ArithmeticError(f"{name} is off by {error:.1e}")


def into_array(program: Any, motion: States) -> Call:
    """A call of tau(x, xd, xdd) on one core, into one array."""
    (x, xd, xdd), out = motion, np.empty_like(motion[0])
    return lambda: program(x=x, xd=xd, xdd=xdd, out=out, threads=1)


def timed(calls: dict[str, Call], rounds: int, samples: int, base: str) -> Rows:
    """A row per call, the slowest first: microseconds per sample, and times the call named `base`."""
    timings: dict[str, Timing] = interleaved({n: Variant(c) for n, c in calls.items()}, rounds, clock=process_time)
    rows = [
        {"name": name, "us": timing.least / samples * 1e6, "times": timing.least / timings[base].least}
        for name, timing in timings.items()
    ]
    return sorted(rows, key=lambda row: -row["us"])


def recorders(samples: int, rounds: int) -> tuple[Rows, list[str]]:
    """The same 6-UPS equations by every engine, with seconds from the equations to the first forces; what is missing.

    First use has the import of the peer in it; numba's equations are loops written by hand. gough's cache is off.
    """
    motion, graph = states(samples), record_inverse_dynamics()
    expected = stewart_numpy.inverse_dynamics(*motion)

    def into(make: Callable[[States, Array], Call]) -> Callable[[], Call]:
        return lambda: make(motion, np.empty((samples, 6)))

    makers = {
        "NumPy by hand": lambda: lambda: stewart_numpy.inverse_dynamics(*motion),
        "gough floats": into(lambda m, out: throughput.program_call("floats", m, out)),
        "gough blocks": into(lambda m, out: throughput.program_call("blocks", m, out)),
        LLVM: into(lambda m, out: throughput.program_call("llvm", m, out)),
    }
    peers = {
        "numba": into(lambda m, out: throughput.numba_call(m, out)[0]),
        MACHINE: into(lambda m, out: casadi_call(graph, m, out)),
        COMPILED: into(lambda m, out: casadi_call(graph, m, out, compiler=True)),
        JAX: lambda: jax_call(graph, motion),
    }
    absent = [name for name in peers if not available(name)]
    calls, first = {}, {}
    for name, make in (makers | {name: peers[name] for name in peers if name not in absent}).items():
        with cache_folder(""):
            start = processor_time()
            calls[name] = make()
            calls[name]()
            first[name] = processor_time() - start
        checked(name, calls[name], expected)
    return [row | {"first_use_s": first[row["name"]]} for row in timed(calls, rounds, samples, LLVM)], absent


def available(peer: str) -> bool:
    """Whether what a row needs is installed."""
    package = peer.partition(",")[0].lower()
    return find_spec(package) is not None and (peer != COMPILED or shutil.which("gcc") is not None)


def record_without_angles() -> Graph:
    """The 6-UPS equations with the angles' sines and cosines as inputs: every operation is rounded correctly."""

    def equations(x: Any, xd: Any, xdd: Any, sines: Any, cosines: Any) -> Any:
        s, c = iter(sines), iter(cosines)
        with patch.multiple(stewart_equations, sin=lambda _: next(s), cos=lambda _: next(c)):
            return inverse_dynamics(x, xd, xdd)

    return record(equations, x=6, xd=6, xdd=6, sines=3, cosines=3)


@contextmanager
def contracting() -> Iterator[None]:
    """LLVM may fuse a product and a sum of the model's equations in programs made now, which are not cached."""
    plain = kernel.write_kernel

    def contracted(graph: Graph, width: int, lanes: int, fused: bool) -> kernel.Kernel:
        written = plain(graph, width, lanes, fused)
        functions = written.text.split("\ndefine ")
        for k, function in enumerate(functions):
            if function.startswith("internal void @body"):  # sines keep their own operations
                for op in ("fadd", "fsub", "fmul"):
                    function = function.replace(f"= {op} <", f"= {op} contract <")
                functions[k] = function
        return replace(written, text="\ndefine ".join(functions))

    with cache_folder(""), patch.object(kernel, "write_kernel", contracted):
        yield


def contraction(samples: int, rounds: int) -> Rows:
    """Time of the 6-UPS equations with and without contraction; how many rows differ from Python floats, how much."""
    motion = states(samples)
    given = dict(zip(("x", "xd", "xdd"), motion, strict=True))
    angles = {"sines": np.sin(motion[0][:, 3:]), "cosines": np.cos(motion[0][:, 3:])}
    graph, without_angles = record_inverse_dynamics(), record_without_angles()
    exact = Program(without_angles, executor="floats")(**given, **angles)
    calls: dict[str, Call] = {}
    changed: dict[str, Array] = {}

    def add(name: str) -> None:
        calls[name] = into_array(Program(graph, executor="llvm"), motion)
        changed[name] = Program(without_angles, executor="llvm")(**given, **angles)
        checked(name, calls[name], exact)

    add("no contraction")
    with contracting():
        add("contraction")
    other = {
        name: {"rows_changed": float(np.mean((tau != exact).any(axis=1))), "change": worst_error(tau, exact)}
        for name, tau in changed.items()
    }
    return [row | other[row["name"]] for row in timed(calls, rounds, samples, "no contraction")]


def thin_legs(samples: int, rounds: int) -> Rows:
    """Operations and time of `stewart`, and of the same robot with 1e-13 kg m^2 about its legs: a general chain."""
    motion = states(samples)
    spinning = {f"legs.{body}.inertia": [1e-13, 0.1, 0.1] for body in ("cylinder", "piston")}
    robots = {"thin legs": load("stewart"), "general chain": load("stewart").replace(spinning)}
    graphs = {name: force_graph(Model(robot, DEFAULT)) for name, robot in robots.items()}
    calls = {name: into_array(Program(graph), motion) for name, graph in graphs.items()}
    for name, call in calls.items():
        checked(name, call, stewart_numpy.inverse_dynamics(*motion))
    flops = {name: count(graph).flops for name, graph in graphs.items()}
    return [row | {"flops": flops[row["name"]]} for row in timed(calls, rounds, samples, "thin legs")]


KEPT, ITS_OWN = "gough's order, kept", "LLVM's own order"


def order(samples: int, rounds: int) -> Rows:
    """Time of `stewart` with its operations in the order that gough gives them, and in LLVM's own: the same bits."""
    motion = states(samples)
    given = dict(zip(("x", "xd", "xdd"), motion, strict=True))
    graph = force_graph(Model(load("stewart"), DEFAULT))
    with cache_folder(""):
        programs = {KEPT: Program(graph, executor="llvm")}
        with patch.object(jit, "WITH_OPTIONS", ()):
            programs[ITS_OWN] = Program(graph, executor="llvm")
    first, second = (program(**given) for program in programs.values())
    if not np.array_equal(first, second):
        raise ArithmeticError("the order of operations changed bits")
    return timed({name: into_array(program, motion) for name, program in programs.items()}, rounds, samples, KEPT)


READERS = {
    "gough's tables of robot files": "import gough.robot.file.schema",
    "pydantic, one table with one key": "from pydantic import create_model; create_model('Table', mass=float)",
}
BOTH_NEED = "from time import process_time; import gough.robot.checks.fault, gough.robot.quantities"


def file_readers(rounds: int) -> Rows:
    """Processor time to import what describes the tables of a file, after what a reader needs in any case."""
    rows: Rows = []
    for name, imports in READERS.items():
        if "pydantic" in imports and find_spec("pydantic") is None:
            continue
        code = f"{BOTH_NEED}; start = process_time(); {imports}; print(process_time() - start)"
        runs = [subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True) for _ in range(rounds)]
        rows.append({"name": name, "ms": 1e3 * min(float(run.stdout) for run in runs)})
    return [row | {"times": row["ms"] / rows[0]["ms"]} for row in rows]


def measure(samples: int, rounds: int, quick: bool) -> dict[str, Any]:
    """All figures: the rows of each table."""
    engines, absent = recorders(samples, max(2, rounds // 4))
    versions = {name: metadata.version(name) for name in ("casadi", "jax", "matplotlib") if find_spec(name)}
    return {
        "machine": machine() | versions,
        "load_average": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "samples": samples,
        "absent": absent,
        "recorders": engines,
        "contraction": contraction(samples, rounds),
        "result_memory": result_memory.rows(samples, rounds),
        "thin_legs": thin_legs(samples, rounds),
        "order": order(samples, rounds),
        "file_readers": file_readers(2 if quick else 10),
        "rasteriser": hidden_surfaces.rows(("stewart",) if quick else PICTURES, 1 if quick else 5),
    }


TABLES = {
    "recorders": "The same 6-UPS equations by several engines (times gough llvm)",
    "contraction": "Contraction to fused multiply-add (times none)",
    "result_memory": "gough.inverse_dynamics, stewart: memory of results (times pooled)",
    "thin_legs": "The short cut for thin legs, stewart (times it)",
    "order": "The order of operations, stewart (times gough's)",
    "file_readers": "Import of a reader of TOML files (times gough's)",
    "rasteriser": "A picture of 770 x 640 pixels (times gough)",
}
FORMATS = {
    "us": ("us/sample", "{:.4f}"),
    "ms": ("ms", "{:.1f}"),
    "times": ("times", "{:.2f}"),
    "first_use_s": ("first use [s]", "{:.3f}"),
    "rows_changed": ("rows changed", "{:.1%}"),
    "change": ("change", "{:.0e}"),
    "page_faults": ("page faults", "{:.0f}"),
    "flops": ("flops", "{}"),
    "wrong": ("wrong pixels", "{:.2%}"),
}


def report(figures: dict[str, Any]) -> str:
    """The figures as plain text."""
    about, busy = figures["machine"], figures["load_average"]
    lines = [f"N = {figures['samples']}, one core, {about['processor']}; least processor time of interleaved calls"]
    lines += [f"load average {busy:.1f}"] if busy is not None else []
    for name, title in TABLES.items():
        rows = figures[name]
        columns = [key for key in FORMATS if key in rows[0]]
        lines += ["", f"{title:66}" + "".join(f"{FORMATS[key][0]:>15}" for key in columns)]
        lines += [f"{r['name']:66}" + "".join(f"{FORMATS[k][1].format(r[k]):>15}" for k in columns) for r in rows]
        if name == "recorders" and figures["absent"]:
            lines.append(f"left out, not installed: {'; '.join(figures['absent'])}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    return run("decisions", __doc__, 40, measure, report, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
