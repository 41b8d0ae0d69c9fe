"""`gough ik`: joint and actuator motion for a platform pose, its rates and accelerations."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import numpy as np
import typer

from gough.cli.exceeded import excesses
from gough.cli.loading import at_pose
from gough.cli.options import PoseOption, RobotArgument, SettingsOption
from gough.cli.output import to_csv, to_json
from gough.cli.pose_options import PoseOptions, pose_facts, pose_page
from gough.display import Display, number, stated_text
from gough.errors import InputError
from gough.kinematics import Kinematics, Status, inverse_kinematics
from gough.motion import State
from gough.motion.conventions import OWN, Convention, NoSuchPose
from gough.motion.curves import Values
from gough.motion.pose import parse_rates, stated_values
from gough.robot import Joint, Robot
from gough.robot.file.units import Units

ORDERS = ("q", "qd", "qdd")


def run(
    robot: RobotArgument,
    pose: PoseOption = "home",
    velocity: Annotated[
        str,
        typer.Option("--velocity", metavar="RATES", help="Rates, e.g. x=20mm/s,psi=3deg/s (the rest zero)."),
    ] = "",
    acceleration: Annotated[
        str, typer.Option("--acceleration", metavar="RATES", help="Accelerations, e.g. z=1.5m/s^2 (the rest zero).")
    ] = "",
    poses: Annotated[
        str | None,
        typer.Option(
            "--poses",
            metavar="FILE.csv",
            help="CSV file of poses, a row for each: its columns are coordinates, those left out stay at home; t may "
            "be there.",
        ),
    ] = None,
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="With --poses: write .csv, .json or a table.")] = "",
    relative: Annotated[
        bool, typer.Option("--relative", help="With --poses: values in the file are relative to home.")
    ] = False,
    columns: Annotated[
        str | None,
        typer.Option(
            "--columns",
            metavar="NAME=COORDINATE,...",
            help="With --poses: what columns of the file are, e.g. Surge=x,Heave=-z; others are left out.",
        ),
    ] = None,
    joints: Annotated[bool, typer.Option("--joints", help="Show every joint, not only the actuated ones.")] = False,
    settings: SettingsOption = [],  # noqa: B006
    *,
    solving: PoseOptions,
) -> int:
    """Solve the inverse kinematics: actuator and joint values for a pose of the platform.

    `--units mm,deg` applies to numbers that are given without a unit and to the table. JSON and CSV are in SI units and
    radians; `--csv-units` writes CSV in `--units`. `--convention` and `--tool` define how poses and their rates are
    given; the output names them.

    `--poses` solves a list of poses; its CSV names the units of every column, those of `--units` or SI, and the status
    of every pose. One line on standard error says how many are not fine, and the line of the first.

    Exit code 1: solved, but beyond a stroke, speed or joint cone of the file, or legs overlap; 3: out of reach, or near
    singular.

    \b
    Examples:
      gough ik stewart --pose z=2.1,psi=5deg
      gough ik stewart --pose 0.1,0,2,5deg,0,0 --velocity x=0.2 --format json
      gough ik stewart --convention uvw --tool 0,0,150 --units mm,deg --pose z=2150,u=5
      gough ik stewart --convention uvw --tool 0,0,150mm --pose u=5deg --velocity w=3deg/s
      gough ik rotary --poses poses.csv --units mm,deg --out servos.csv
      gough ik delta --pose z=-800mm --joints --set legs.crank.length=0.4
    """
    if poses is not None:
        _check_list(pose, velocity, acceleration)
        from gough.cli.pose_list import solve_list

        machine = solving.robot(robot, settings)
        return solve_list(machine, poses, out, relative, columns, joints, solving)
    for option, given in (("--out", out), ("--relative", relative), ("--columns", columns)):
        if given:
            raise InputError(f"{option}: only with --poses")
    form = solving.form
    machine, stated = solving.robot(robot, settings), solving.poses
    machine, x = at_pose(machine, pose, "--pose", solving.given, stated)
    motion = _motion(machine, stated, x, pose, velocity, acceleration, solving.given)
    solution = inverse_kinematics(machine, State(*motion))
    rows = _rows(solution, joints)
    header = ["joint" if joints else "actuator", "unit", *_names(joints)[: len(motion)]]
    if form == "json":
        print(to_json(_document(solution, motion, stated)))
    elif form == "csv":
        names, follows = _following(solution, solving.csv, solving.csv_units)
        print(to_csv(header + names, [cells + follows for cells in _cells(rows, solving.csv)]), end="")
    else:
        print(_page(solution, motion, header, rows, stated, solving.display))
    return _verdict(solution, x, solving.display)


def _check_list(pose: str, velocity: str, acceleration: str) -> None:
    """Refuse what is said of one pose beside a list of them."""
    for option, given in (("--pose", pose != "home"), ("--velocity", velocity), ("--acceleration", acceleration)):
        if given:
            raise InputError(f"{option}: cannot go with --poses")


def _motion(
    machine: Robot, stated: Convention, x: Values, pose: str, velocity: str, acceleration: str, units: Units
) -> list[Values]:
    """x, or x and xd, or x, xd and xdd, as far as they are given."""
    if not velocity and not acceleration:
        return [x]
    given = {"--velocity": parse_rates(machine, velocity, 1, "--velocity", units, stated)}
    if acceleration:
        given["--acceleration"] = parse_rates(machine, acceleration, 2, "--acceleration", units, stated)
    if stated == OWN:
        return [x, *given.values()]
    values = np.array([stated_values(machine, pose, "--pose", units, stated)])
    rates, accelerations = ([*(np.array([rows]) for rows in given.values()), None])[:2]
    try:
        rows = stated.solved_rows(machine, values, rates, accelerations, x, units)
    except NoSuchPose as error:
        raise InputError(f"{' and '.join(given)}: {error.reason}") from None
    return [x, *(tuple(row[0].tolist()) for row in rows[1:])]


def _following(solution: Kinematics, display: Display, with_unit: bool) -> tuple[list[str], list[Any]]:
    """Columns of CSV for the dependent coordinates, the same in every row, and their values."""
    names, values = [], []
    follows = [] if solution.dependent is None else solution.dependent.tolist()
    for coordinate, value in zip(solution.robot.platform.dependent, follows, strict=True):
        factor, unit = display.travel(coordinate.turns)
        names.append(f"{coordinate.name} [{unit}]" if with_unit else coordinate.name)
        values.append(value * factor)
    return names, values


def _of_dependent(solution: Kinematics) -> str:
    """How well the independent coordinates tell the others."""
    found = solution.dependent_condition
    return "" if found is None else f" ({number(float(found), 4)} of the dependent coordinates)"


def _unit(joint: Joint) -> str:
    return "m" if joint.kind == "P" else "rad"


def _names(all_joints: bool) -> list[str]:
    """What the values of a row are called."""
    return [f"joint_{name}" if all_joints else name for name in ORDERS]


def _rows(solution: Kinematics, all_joints: bool) -> list[tuple[str, Joint, list[float]]]:
    """Name, joint and values of each actuator or joint; actuators are read from their zero."""
    joints = solution.robot.joints if all_joints else solution.robot.actuators
    if all_joints:
        names, arrays = solution.joints, [solution.joint_q, solution.joint_qd, solution.joint_qdd]
    else:
        arrays = [solution.q, solution.qd, solution.qdd]
        names = solution.actuators
    values = np.array([array for array in arrays if array is not None]).T
    return [(name, joint, [float(v) for v in row]) for name, joint, row in zip(names, joints, values, strict=True)]


def _cells(rows: list[tuple[str, Joint, list[float]]], display: Display) -> list[list[Any]]:
    """Name, unit and values in it of each row."""
    found = []
    for name, joint, values in rows:
        factor, unit = display.travel(joint.kind == "R")
        found.append([name, unit, *[value * factor for value in values]])
    return found


def _page(
    solution: Kinematics,
    motion: list[Any],
    header: list[str],
    rows: list[tuple[str, Joint, list[float]]],
    stated: Convention,
    display: Display,
) -> str:
    cells = [[name, unit, *[number(v, 8) for v in values]] for name, unit, *values in _cells(rows, display)]
    status = Status(int(solution.status)).text
    if solution.status == Status.FINE and excesses(solution, motion[0], display):
        status = "solved, but beyond limits"
    follows = [] if solution.dependent is None else solution.dependent.tolist()
    pose = stated_text(solution.robot, motion[0], stated, display, follows)
    last = f"condition {number(float(solution.condition), 4)}{_of_dependent(solution)}, {status}"
    return pose_page(f"{solution.robot.name} at {pose}", solution.robot, stated, display, header, cells, last)


def _document(solution: Kinematics, motion: list[Any], stated: Convention) -> dict[str, Any]:
    names = solution.robot.coordinate_names
    entries: dict[str, Any] = {"robot": solution.robot.name}
    for key, values in zip(("x", "xd", "xdd"), motion, strict=False):
        entries[key] = dict(zip(names, values, strict=True))
    for key in ("dependent", "dependent_xd", "dependent_xdd"):
        values = getattr(solution, key)
        if values is not None:
            entries[key] = dict(zip(solution.robot.dependent_names, values.tolist(), strict=True))
    entries["convention"] = pose_facts(stated, solution.robot, motion[0])
    for key, everything in (("actuators", False), ("joints", True)):
        entries[key] = [
            {"name": name, "unit": _unit(joint), **dict(zip(_names(everything), values, strict=False))}
            for name, joint, values in _rows(solution, everything)
        ]
    return {
        **entries,
        "K": solution.K,
        "condition": solution.condition,
        **({} if solution.dependent_condition is None else {"dependent_condition": solution.dependent_condition}),
        "residual": dict(zip([leg.name for leg in solution.robot.legs], solution.residual.tolist(), strict=True)),
        "status": Status(int(solution.status)).text,
        "beyond": excesses(solution, motion[0], Display()),
    }


def _verdict(solution: Kinematics, x: Values, display: Display) -> int:
    """The exit code, after a line on standard error for what is not fine."""
    if solution.status == Status.NEAR_SINGULAR:
        print(f"gough: near singular: condition number {float(solution.condition):.3g}", file=sys.stderr)
        return 3
    beyond = excesses(solution, x, display)
    for clause in beyond:
        print(f"gough: {clause}", file=sys.stderr)
    return 1 if beyond else 0
