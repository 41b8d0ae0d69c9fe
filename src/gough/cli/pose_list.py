"""`gough ik --poses FILE.csv`: displacements for a list of poses, a row for each."""

from __future__ import annotations

import numpy as np

from gough.cli.exceeded import excesses_by_row
from gough.cli.list_output import list_form, list_table, list_units, rows_by_status, tell_rows, write_list
from gough.cli.pose_options import PoseOptions
from gough.display import Display
from gough.kinematics import Kinematics, Status, inverse_kinematics
from gough.kinematics.status import sentence
from gough.motion.columns import CsvLayout, parse_columns
from gough.motion.conventions import Convention
from gough.motion.files import PoseList, read_poses
from gough.robot import Robot
from gough.table import Table
from gough.table.result import robot_block


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
    form = list_form(out, solving)
    stated = solving.poses
    poses = read_poses(robot, path, CsvLayout(solving.given, parse_columns(columns), relative, convention=stated))
    solution = inverse_kinematics(robot, poses.x)
    display = list_units(form, solving)
    beyond = excesses_by_row(solution, poses.x, display)
    words = _words(solution, beyond, display)
    found = _table(solution, poses, stated, words, joints)
    write_list(found, form, out, solving)
    kinds = [*rows_by_status(solution.status).items(), *([("beyond limits", sorted(beyond))] if beyond else [])]
    tell_rows(kinds, poses.lines, "pose")
    return 3 if (solution.status != Status.FINE).any() else 1 if beyond else 0


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
    robot = solution.robot
    of_all = robot_block(robot, "joint_q", solution.joint_q, "joint")
    travel = of_all if joints else robot_block(robot, "q", solution.q, "actuator")
    return list_table(robot, poses.t, poses.x, solution.dependent, travel, stated, words)
