"""A study from a file or a dict; every fault is one line with file, line and key."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gough.errors import InputError
from gough.motion import CsvLayout, Motion
from gough.motion.files import find_motion
from gough.problem import Problem, problem_of
from gough.problem.poses import at_home
from gough.robot.checks.fault import Fault
from gough.robot.file.toml_tables import read_text
from gough.robot.names import did_you_mean
from gough.studies.drawing import Drawing, correlation_factor
from gough.studies.measures import MEASURES
from gough.studies.read_reductions import reductions_of
from gough.studies.schema import StudyTable
from gough.studies.study import Simulated, Study
from gough.studies.user_function import UserFunction, user_function

MOST = 2**48


def read_study(path: str | Path) -> Study:
    """The study of a file.

    Raises:
        RobotError: With every fault, one line each.
    """
    return study_of(read_text(path), str(path), Path(path).parent)


def study_of(given: str | Mapping[str, Any], source: str, folder: str | Path = ".") -> Study:
    """The study of a TOML text, or of a dict with the same keys.

    Raises:
        RobotError: With every fault, one line each.
    """
    functions: dict[str, Any] = {}
    motion = None
    if isinstance(given, Mapping):
        given, functions, motion = _of_python(given)
    faults: list[Fault] = []
    table, problem = problem_of(StudyTable, given, source, "a study", folder, faults)
    unread = bool(faults)
    moved = motion if motion is not None else _motion(table, problem, faults)
    names, own = _measures(table, problem, functions, moved, faults)
    if moved is not None and problem.poses is not None:
        faults.append(Fault(("motion",), "cannot go with [poses]", table.motion, "state one of them"))
    if not problem.vary and problem.poses is None and not unread:
        faults.append(Fault(("vary",), "is missing: state what varies, or [poses] to look at one by one"))
    if moved is not None and not problem.vary and not unread:
        faults.append(Fault(("motion",), "needs [[vary]]: without it each pose is looked at by itself", table.motion))
    poses = problem.poses or at_home(problem.robot)
    if faults:
        raise problem.place.error(faults)
    machines = _machines(table, problem, poses.count, faults)
    indices = any(entry.kind == "sobol" for entry in table.reduce)
    drawing = Drawing(problem.vary, table.seed, indices, _correlation(table, problem, indices, faults))
    if indices and machines % drawing.row:
        machines -= machines % drawing.row
        if machines == 0:
            faults.append(Fault(("machines",), f"must be at least {drawing.row}: a row of the indices", table.machines))
    if faults:
        raise problem.place.error(faults)
    simulated = Simulated(**vars(table.simulate))
    study = Study(
        problem.robot, problem.vary, poses, moved, table.samples, names, (), machines, drawing, own, simulated,
        table.keep == "rows", source,
    )  # fmt: skip
    reductions, faults = reductions_of(study, table.reduce, problem)
    if faults:
        raise problem.place.error(faults)
    from dataclasses import replace

    return replace(study, reductions=reductions)


def _of_python(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any], Motion | None]:
    """Tables that a file could have, functions by name, and a motion handed over as such."""
    tables = dict(given)
    listed = tables.get("measure", [])
    listed = listed if isinstance(listed, (list, tuple)) else [listed]
    functions = {getattr(f, "__name__", "function"): f for f in listed if callable(f)}
    tables["measure"] = [getattr(f, "__name__", "function") if callable(f) else f for f in listed]
    motion = tables.get("motion")
    if isinstance(motion, Motion):
        tables["motion"] = motion.name
        return tables, functions, motion
    return tables, functions, None


def _motion(table: StudyTable, problem: Problem, faults: list[Fault]) -> Motion | None:
    if table.motion is None:
        return None
    if not 2 <= table.samples <= 1_000_000:
        faults.append(Fault(("samples",), "must be a whole number from 2 to 1 000 000", table.samples))
    path = problem.folder / table.motion
    try:
        return find_motion(problem.robot, path if path.is_file() else table.motion, CsvLayout(problem.units))
    except InputError as error:
        faults.append(Fault(("motion",), str(error), None))
        return None


def _measures(
    table: StudyTable, problem: Problem, functions: Mapping[str, Any], motion: Motion | None, faults: list[Fault]
) -> tuple[tuple[str, ...], tuple[UserFunction, ...]]:
    known = [*MEASURES, "tracking_error"]
    given = table.measure if isinstance(table.measure, list) else [table.measure]
    listed = [name.replace(" ", "_") if str(name).replace(" ", "_") in known else name for name in given]
    own: list[UserFunction] = []
    for k, name in enumerate(listed):
        path = ("measure", k) if isinstance(table.measure, list) else ("measure",)
        if not isinstance(name, str) or not listed:
            faults.append(Fault(path, "must be a name", name))
        elif name in functions:
            own.append(UserFunction(name, given=functions[name]))
        elif ":" in name:
            try:
                own.append(user_function(name, problem.folder))
            except InputError as error:
                faults.append(Fault(path, str(error).removeprefix(f"measure {name}: "), name))
        elif name not in known:
            hint = did_you_mean(name, known)
            faults.append(Fault(path, "no such measure", name, f'{hint}; or a function, "module:function"'))
        elif motion is None and (name == "tracking_error" or MEASURES[name].moves):
            faults.append(Fault(path, "needs a motion", name, 'e.g. motion = "hold"'))
        elif name.endswith("_error") and name != "tracking_error" and not _square(problem):
            faults.append(Fault(path, "needs as many actuators as coordinates, none of them dependent", name))
    if not listed:
        faults.append(Fault(("measure",), "must name at least one measure", listed))
    names = tuple(dict.fromkeys(name for name in listed if isinstance(name, str)))
    return names, tuple(own)


def _square(problem: Problem) -> bool:
    return len(problem.robot.actuators) == problem.robot.dof and not problem.robot.platform.dependent


def _machines(table: StudyTable, problem: Problem, poses: int, faults: list[Fault]) -> int:
    if not 0 <= table.seed < 2**64:
        faults.append(Fault(("seed",), "must be a whole number from 0 to 2^64 - 1", table.seed))
    if not problem.vary:
        if table.machines is not None and table.machines != poses:
            faults.append(Fault(("machines",), f"must be left out: each of the {poses} poses is one", table.machines))
        return poses
    levels = [len(one.levels) for one in problem.vary if one.kind == "levels"]
    count = table.machines if table.machines is not None else math.prod(levels) if levels else 0
    if not 1 <= count <= MOST:
        hint = "e.g. machines = 100000" if table.machines is None else ""
        faults.append(Fault(("machines",), f"must be a whole number from 1 to {MOST}", table.machines, hint))
    return count


def _correlation(table: StudyTable, problem: Problem, indices: bool, faults: list[Fault]) -> Any:
    if not table.correlation:
        return None
    names = [one.name for one in problem.vary]
    if indices:
        allowed = "cannot go with Sobol indices: they share out variance among independent numbers"
        faults.append(Fault(("correlation", 0), allowed))
    taken: set[str] = set()
    for k, entry in enumerate(table.correlation):
        for name in entry.numbers:
            one = next((v for v in problem.vary if v.name == name), None)
            if one is None or name in taken:
                allowed = f"{name} varies not" if one is None else f"{name} is correlated already"
                faults.append(Fault(("correlation", k, "numbers"), allowed, entry.numbers, did_you_mean(name, names)))
            elif one.kind == "levels":
                allowed = f"{name} is a list or grid, which is gone through, not drawn"
                faults.append(Fault(("correlation", k, "numbers"), allowed, entry.numbers))
            taken.add(name)
    if faults:
        return None
    try:
        return correlation_factor(names, [(entry.numbers, entry.matrix) for entry in table.correlation])
    except ValueError as error:
        faults.append(Fault(("correlation", 0, "matrix"), str(error), table.correlation[0].matrix))
        return None
