"""`gough ik --poses FILE.csv`: displacements for a list of poses, a row for each."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gough.cli.exceeded import excesses_by_row
from gough.cli.options import check_csv_units, choice
from gough.cli.out_files import announce, form_of, write_whole
from gough.cli.output import FORMATS, table
from gough.cli.pose_options import PoseOptions
from gough.display import Display, number, table_units
from gough.kinematics import Kinematics, Status, inverse_kinematics
from gough.kinematics.status import sentence
from gough.motion.column_choice import parse_columns
from gough.motion.conventions import Convention
from gough.motion.pose_list import PoseList, read_poses
from gough.robot import Robot
from gough.table import Block, Table
from gough.table.of_robot import of_actuators, of_dependent, of_joints


def solve_list(
    robot: Robot, path: str, out: str, relative: bool, columns: str | None, joints: bool, solving: PoseOptions
) -> int:
    """The exit code of a list of poses: 0 all fine, 1 some beyond limits, 3 some without a solution or near singular.

    Args:
        robot: The robot.
        path: The file of poses.
        out: File to write; empty for standard output.
        relative, columns: As stated.
        joints: Every joint, not only the actuated ones.
        solving: Format, units and convention.
    """
    form = choice("--format", solving.format, FORMATS)
    if out:
        form = form_of("--out", out, None if form == "table" else form, ("csv", "json"))
    check_csv_units(solving.csv_units, form)
    stated = solving.poses
    poses = read_poses(robot, path, solving.given, stated, relative, parse_columns(columns))
    solution = inverse_kinematics(robot, poses.x)
    display = {"table": solving.display, "csv": table_units(solving.units), "json": table_units()}[form]
    beyond = excesses_by_row(solution, poses.x, display)
    words = _words(solution, beyond, display)
    found = _table(solution, poses, stated, words, joints)
    if form == "json":
        text = found.to_json()
    else:
        text = found.to_csv(units=solving.units) if form == "csv" else _page(found, display)
    if out:
        write_whole(Path(out), text.encode())
        announce(out)
    else:
        print(text, end="")
    return _verdict(solution.status, beyond, poses.lines)


def _words(solution: Kinematics, beyond: dict[int, list[str]], display: Display) -> list[str]:
    """The status of each row in words."""
    legs = [leg.name for leg in solution.robot.legs]
    words = [Status.FINE.text] * len(solution.status)
    for row in np.flatnonzero(solution.status != Status.FINE).tolist():
        status, leg = Status(int(solution.status[row])), int(solution.leg[row])
        words[row] = status.text
        if status > Status.NEAR_SINGULAR:
            words[row] = sentence(status, legs[leg] if leg >= 0 else "", float(solution.amount[row]), display)
    for row, clauses in beyond.items():
        told = [] if words[row] == Status.FINE.text else [words[row]]
        words[row] = "; ".join([*told, *clauses])
    return words


def _table(solution: Kinematics, poses: PoseList, stated: Convention, words: list[str], joints: bool) -> Table:
    """Time if there is one, pose, dependent coordinates, displacements and status of each row."""
    robot, values = solution.robot, stated.values(solution.robot)
    units = ["" if value.motion == "q" else "rad" if value.turns else "m" for value in values]
    pose = stated.stated_rows(robot, poses.x)[0]
    blocks = [] if poses.t is None else [Block("t", poses.t, "s")]
    blocks.append(Block("pose", pose, units, {"coordinate": [value.name for value in values]}, ""))
    if solution.dependent is not None:
        blocks += of_dependent(robot, [solution.dependent])
    blocks.append(of_joints(robot, "joint_q", solution.joint_q) if joints else of_actuators(robot, "q", solution.q))
    blocks.append(Block("status", np.array(words, dtype=object)))
    facts = {"robot": robot.name, "convention": stated.name, "pivot": stated.pivot}
    return Table(len(words), tuple(blocks), facts)


def _page(found: Table, display: Display) -> str:
    header, cells = [], list[Sequence[str]]()
    units = found.si_units()
    for name, values in found.columns().items():
        factor, unit = display.of(units[name]) if name in units else (1.0, "")
        header.append(f"{name} [{unit}]" if unit else name)
        cells.append([_cell(value, factor) for value in values.tolist()])
    return table(header, list(zip(*cells, strict=True))) + "\n"


def _cell(value: Any, factor: float) -> str:
    if not isinstance(value, float):
        return str(value)
    return number(value * factor, 6) if np.isfinite(value) else "-"


def _verdict(status: Any, beyond: dict[int, list[str]], lines: Sequence[int]) -> int:
    """The exit code, after a line on standard error where not all poses are fine."""
    kinds = {Status(k).text: np.flatnonzero(status == k).tolist() for k in np.unique(status[status != Status.FINE])}
    told = [
        f"{what}: {len(rows)} ({'first on ' if len(rows) > 1 else ''}line {lines[rows[0]]})"
        for what, rows in (*kinds.items(), *([("beyond limits", sorted(beyond))] if beyond else []))
    ]
    if told:
        poses = "1 pose" if len(lines) == 1 else f"{len(lines)} poses"
        print(f"gough: of {poses} {'; '.join(told)}", file=sys.stderr)
    return 3 if (status != Status.FINE).any() else 1 if beyond else 0
