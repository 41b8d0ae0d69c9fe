"""A robot's functions as C code for a controller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gough.codegen.c_files import header_text, readme_text, source_text, write_module
from gough.codegen.c_interface import check_prefix, identifier
from gough.codegen.c_module import Module
from gough.codegen.robot_functions import Exported, RobotFunction, chosen, function_graph, why_not
from gough.codegen.sample_inputs import Inputs, ordinary_inputs, sample_inputs
from gough.codegen.self_test import expected, self_test_text
from gough.codegen.single_precision import LEAST, TOLERANCE, errors
from gough.errors import InputError
from gough.files import write_whole
from gough.graph import Graph
from gough.kinematics.sampled_call import check_robot
from gough.robot import Robot
from gough.robot.addresses import value_at

STATES = 16
"""Ordinary states of a self-test; those at the edge and beyond come in addition."""


@dataclass(frozen=True)
class ExportedC:
    """What was written.

    Attributes:
        files: Header, source, self-test, instructions.
        functions: Names of the C functions.
        remarks: A line for each function that the robot does not have.
    """

    files: tuple[Path, ...]
    functions: tuple[str, ...]
    remarks: tuple[str, ...]


def export_c(
    robot: Robot,
    folder: str | Path,
    functions: str | Sequence[str] = (),
    *,
    name: str | None = None,
    float32: bool = False,
    parameters: str | Sequence[str] = (),
) -> ExportedC:
    """Write functions of a robot as C99 code without dependencies, with a self-test.

    In double precision the code gives the bits that gough gives.

    Args:
        robot: Any.
        folder: Where; it is made if it is not there.
        functions: "ik", "fk", "inverse", "forward", "computed-torque", "reactions"; all that the robot has if none.
        name: Of the files, and what all names in C begin with; by default the robot's.
        float32: Single precision.
        parameters: Paths of numbers of the robot that stay free: fields of a struct.

    Raises:
        InputError: No such function or number, a function that the robot does not have, a name that C does not take.
        OSError: A file cannot be written.
    """
    check_robot(robot)
    texts, made, remarks = c_texts(robot, functions, name=name, float32=float32, parameters=parameters)
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    for file, text in texts.items():
        write_whole(place / file, text.encode())
    return ExportedC(tuple(place / file for file in texts), made, remarks)


def c_texts(
    robot: Robot,
    functions: str | Sequence[str] = (),
    *,
    name: str | None = None,
    float32: bool = False,
    parameters: str | Sequence[str] = (),
) -> tuple[dict[str, str], tuple[str, ...], tuple[str, ...]]:
    """What `export_c` writes: text by file, names of the functions, remarks."""
    wanted = _words(functions)
    free = tuple(dict.fromkeys(_words(parameters)))
    for path in free:
        value_at(robot, path)
    prefix = identifier(robot.name) if name is None else name
    module = Module(check_prefix(prefix), float32)
    given = Exported(robot, free)
    graphs: dict[RobotFunction, Graph] = {}
    remarks: list[str] = []
    for function in chosen(wanted):
        missing = why_not(function, robot)
        if missing and wanted:
            raise InputError(missing)
        if missing:
            remarks.append(missing)
        else:
            graphs[function] = function_graph(function, given)
    inputs = (ordinary_inputs if float32 else sample_inputs)(robot, STATES, seed=1)
    notes = list(remarks)
    if float32:
        graphs, told = _in_single_precision(given, graphs, inputs, bool(wanted))
        remarks += told[1:]
        notes += told
    written = write_module(given, graphs, module)
    source = source_text(given, module)
    texts = {
        f"{prefix}.h": header_text(given, module, written, notes),
        f"{prefix}.c": source,
        f"{prefix}_selftest.c": self_test_text(given, module, written, inputs),
        "README.md": readme_text(given, module, written),
    }
    return texts, tuple(entry.name for entry in written), tuple(remarks)


def _in_single_precision(
    given: Exported, graphs: dict[RobotFunction, Graph], inputs: Inputs, wanted: bool
) -> tuple[dict[RobotFunction, Graph], list[str]]:
    """The functions that single precision is enough for, a line with their errors, and one for each that is left out.

    Raises:
        InputError: A function that was asked for is not among them.
    """
    kept, errors_by_name, lines = {}, [], []
    for function, graph in graphs.items():
        found = expected(graph, inputs, given)
        good = found["status"] == 0.0
        rows = {name: values[good] for name, values in inputs.items()}
        if given.free:
            rows["p"] = np.tile(given.defaults, (int(good.sum()), 1))
        worst, why = np.inf, f"none of {STATES} states has results to compare"
        if good.any():
            told = errors(graph, rows, {name: values[good] for name, values in found.items()})
            worst = float(np.max(list(told.values())))
            why = f"errors reach {worst:.1e}, {TOLERANCE:g} is allowed" if worst < 1.0 else "its iterations need double"
        if worst <= TOLERANCE:
            kept[function] = graph
            errors_by_name.append(f"{function.name} {worst:.1e}")
            continue
        line = f"{function.name}: {given.robot.name} does not have it in single precision: {why}"
        if wanted:
            raise InputError(f"{line}; leave out --float32, or this function")
        lines.append(line)
    about = f"relative to the largest number of each result, or to {LEAST} if that is less"
    return kept, [f"Largest errors on {STATES} states, {about}: {', '.join(errors_by_name)}.", *lines]


def _words(given: str | Sequence[str]) -> list[str]:
    entries = given.split(",") if isinstance(given, str) else list(given)
    return [entry.strip() for entry in entries if entry.strip()]
