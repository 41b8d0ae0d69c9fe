"""Exported C code, one sample per call: inverse dynamics of closed machines against CasADi's C and Pinocchio's C++.

    .venv/bin/python -m benchmarks.export

CasADi gets the same recorded equations; Pinocchio a tree with its loops projected (`peers/pinocchio_cpp.py`). All
are compiled with the same flags and timed by a loop in their language over states from all over the workspace, by
processor time; figures are the least of many runs. Every result is checked first.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path

import casadi as ca
import numpy as np

import gough
from benchmarks.peers import pinocchio_cpp
from gough.codegen import export_c
from gough.codegen.robot_functions import FUNCTIONS, Exported, function_graph
from gough.codegen.sample_inputs import ordinary_inputs
from gough.dynamics import DEFAULT
from gough.dynamics.force_programs import Model, force_graph

FLAGS = "-O3 -march=native -ffp-contract=off".split()
STATES, TURNS, ROUNDS = 256, 40, 25
GOALS = {"stewart": (0.13, 1.5, 20.0), "sru": (1.1, 1.0, 20.0)}
"""Largest time [us], and least ratios to CasADi and Pinocchio."""

DRIVER = """
#include <stdio.h>
#include <time.h>
#include "robot.h"
#include "states.h"
int casadi_inverse(const double **arg, double **res, long long *iw, double *w, int mem);
static double work[200000];
static double now(void)
{{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e6 * t.tv_sec + 1e-3 * t.tv_nsec;
}}
int main(void)
{{
    static double force[{rows}][{m}], other[{rows}][{m}];
    double ours = 1e9, theirs = 1e9, off = 0, size = 0;
    for (int round = 0; round < {rounds}; ++round) {{
        double start = now();
        int leg;
        for (int turn = 0; turn < {turns}; ++turn)
            for (int i = 0; i < {rows}; ++i)
                robot_inverse(states[i], states[i] + {n}, states[i] + 2 * {n}, states[i] + 3 * {n}, force[i], &leg);
        double us = (now() - start) / ({turns} * {rows});
        ours = us < ours ? us : ours;
        start = now();
        for (int turn = 0; turn < {turns}; ++turn)
            for (int i = 0; i < {rows}; ++i) {{
                const double *arg[] = {{states[i], states[i] + {n}, states[i] + 2 * {n}, states[i] + 3 * {n}}};
                double *res[] = {{other[i]}};
                casadi_inverse(arg, res, 0, work, 0);
            }}
        us = (now() - start) / ({turns} * {rows});
        theirs = us < theirs ? us : theirs;
    }}
    for (int i = 0; i < {rows}; ++i)
        for (int k = 0; k < {m}; ++k) {{
            double d = force[i][k] - other[i][k], s = force[i][k];
            off = d > off ? d : -d > off ? -d : off;
            size = s > size ? s : -s > size ? -s : size;
        }}
    printf("%.17g %.17g %.3g\\n", ours, theirs, off / size);
    return 0;
}}
"""


def measured(name: str, folder: Path) -> dict[str, float]:
    """Microseconds per call of both, and their largest relative difference."""
    robot = gough.load(name)
    export_c(robot, folder, "inverse", name="robot")
    inverse = next(f for f in FUNCTIONS if f.name == "inverse")
    graph = function_graph(inverse, Exported(robot))
    bare = force_graph(Model(robot, DEFAULT, wrench=True))
    symbols = [ca.SX.sym(spec.name, spec.size) for spec in bare.inputs]
    function = ca.Function("casadi_inverse", symbols, [gough.to_casadi(bare)(*symbols)])
    generator = ca.CodeGenerator("peer.c")
    generator.add(function)
    (folder / "peer.c").write_text(generator.dump())
    inputs = ordinary_inputs(robot, STATES, 1)
    rows = np.hstack([inputs[spec.name] for spec in graph.inputs])
    body = ",\n".join("{" + ", ".join(map(repr, row.tolist())) + "}" for row in rows)
    (folder / "states.h").write_text(f"static const double states[{len(rows)}][{rows.shape[1]}] = {{{body}}};\n")
    facts = {"rows": STATES, "turns": TURNS, "rounds": ROUNDS, "n": robot.dof, "m": len(robot.actuators)}
    (folder / "driver.c").write_text(DRIVER.format(**facts))
    files = [str(folder / file) for file in ("robot.c", "peer.c", "driver.c")]
    subprocess.run(["gcc", *FLAGS, *files, "-lm", "-o", str(folder / "race")], check=True)
    ours, theirs, off = map(float, subprocess.run([folder / "race"], capture_output=True, check=True).stdout.split())
    assert off < 1e-9, off
    return {"gough": ours, "casadi": theirs, "difference": off}


def by_pinocchio(name: str, program: Path) -> float:
    """Microseconds per call of Pinocchio in C++."""
    robot = gough.load(name)
    inputs = ordinary_inputs(robot, STATES, 1)
    motion = [inputs[key] for key in ("x", "xd", "xdd")]
    us, force = pinocchio_cpp.measured(program, robot, *motion, ROUNDS)
    want = gough.inverse_dynamics(robot, gough.State(*motion)).force
    off = np.abs(force - want).max() / np.abs(want).max()
    assert off < 1e-9, off
    return us


def pinocchio_program(folder: Path) -> Path | None:
    """The peer in C++, or None with a line that says why not."""
    missing = pinocchio_cpp.missing()
    if missing:
        print(f"left out: Pinocchio in C++, {missing} is not installed")
        return None
    print("compiling Pinocchio in C++, for over a minute", flush=True)
    try:
        return pinocchio_cpp.built(folder, FLAGS)
    except subprocess.CalledProcessError as error:
        print(f"left out: Pinocchio in C++, g++ ended with {error.returncode}")
        return None


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        race(Path(folder))


def race(folder: Path) -> None:
    """Times all of them on all robots; files go to a folder."""
    found = {}
    print(f"gcc {' '.join(FLAGS)}; least processor time of {ROUNDS} runs over {STATES} states")
    program = pinocchio_program(folder)
    print("robot     gough [us]   CasADi [us]   ratio   Pinocchio [us]   ratio   goals")
    for name, (most, *least) in GOALS.items():
        one = found[name] = measured(name, folder / name)
        if program is not None:
            one["pinocchio"] = by_pinocchio(name, program)
        ours, ratios = one["gough"], [one[peer] / one["gough"] for peer in ("casadi", "pinocchio") if peer in one]
        goals = [(f"<= {most} us", ours <= most), *((f">= {k} x", r >= k) for k, r in zip(least, ratios, strict=False))]
        told = ", ".join(f"{goal} {'reached' if ok else 'missed'}" for goal, ok in goals)
        print(f"{name:8}  {ours:10.3f}  {one['casadi']:12.3f}  {ratios[0]:6.2f}", end="   ")
        print(f"{one['pinocchio']:14.2f}  {ratios[1]:6.1f}   {told}" if "pinocchio" in one else f"{'':24}{told}")
    out = Path("build/bench/export.json")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
