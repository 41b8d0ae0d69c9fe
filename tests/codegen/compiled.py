"""Exported C code, compiled: as a library of this process, and as programs of other machines."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from gough.codegen.c_files import header_text, source_text, write_module
from gough.codegen.c_module import Module
from gough.codegen.robot_functions import FUNCTIONS, Exported, RobotFunction, function_graph, why_not
from gough.run import Program

STRICT = "-std=c99 -Wall -Wextra -Wpedantic -Werror -Wconversion -Wshadow".split()


def tool(name: str) -> str:
    """A program, or a test that is skipped visibly."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def functions_of(robot) -> list[RobotFunction]:
    return [function for function in FUNCTIONS if not why_not(function, robot)]


def run(*command: str | Path) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


class Library:
    """C functions of a robot, called on rows of inputs."""

    def __init__(self, robot, folder: Path, compiler: list[str], functions=None, free=(), change=None) -> None:
        self.given = Exported(robot, tuple(free))
        chosen = functions_of(robot) if functions is None else [f for f in FUNCTIONS if f.name in functions]
        self.graphs = {f.name: function_graph(f, self.given) for f in chosen}
        module = Module("r")
        by_function = {f: self.graphs[f.name] for f in chosen}
        written = write_module(self.given, by_function, module)
        source = source_text(self.given, module)
        (folder / "r.c").write_text(source if change is None else change(source))
        (folder / "r.h").write_text(header_text(self.given, module, written, []))
        run(*compiler, "-shared", "-fPIC", "-o", folder / "r.so", folder / "r.c", "-lm")
        self.library = ctypes.CDLL(str(folder / "r.so"))
        self.names = {w.function.name: w.name for w in written}

    def __call__(self, function: str, inputs: dict, parameters=None) -> dict:
        """Outputs by name, status and leg."""
        graph = self.graphs[function]
        call = getattr(self.library, self.names[function])
        given = {s.name: np.ascontiguousarray(inputs[s.name], dtype=float) for s in graph.inputs if s.name != "p"}
        rows = len(next(iter(given.values())))
        out = {o.name: np.zeros((rows, len(o.nodes))) for o in graph.outputs if o.name not in ("status", "leg")}
        status, leg = np.zeros(rows, dtype=int), np.zeros(rows, dtype=int)
        number = ctypes.c_int()
        struct = None if not self.given.free else np.array(self.given.defaults if parameters is None else parameters)
        for k in range(rows):
            arguments = [] if struct is None else [struct.ctypes.data_as(ctypes.c_void_p)]
            arguments += [ctypes.c_void_p(v[k].ctypes.data) for v in (*given.values(), *out.values())]
            status[k] = call(*arguments, ctypes.byref(number))
            leg[k] = number.value
        return out | {"status": status, "leg": leg}

    def by_gough(self, function: str, inputs: dict, parameters=None) -> dict:
        """The same by gough's own executor."""
        graph = self.graphs[function]
        given = {s.name: inputs[s.name] for s in graph.inputs if s.name != "p"}
        rows = len(next(iter(given.values())))
        if self.given.free:
            given["p"] = np.tile(self.given.defaults if parameters is None else parameters, (rows, 1))
        found = Program(graph)(**given)
        return {name: np.asarray(v, dtype=float).reshape(rows, -1) for name, v in found.items()}


def differing(got: dict, want: dict) -> int:
    """Rows in which a bit differs; NaN is NaN."""
    rows = np.zeros(len(got["status"]), dtype=bool)
    for name, values in want.items():
        a, b = np.asarray(got[name], dtype=float).reshape(values.shape), values
        same = (a.view(np.int64) == b.view(np.int64)) | (np.isnan(a) & np.isnan(b))
        rows |= ~same.all(axis=1)
    return int(rows.sum())
