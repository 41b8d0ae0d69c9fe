"""`gough fk`: the platform's pose for actuator displacements."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from gough.cli.loading import at_pose
from gough.cli.options import RobotArgument, SettingsOption
from gough.cli.out_files import check_file
from gough.cli.output import to_csv, to_json
from gough.cli.pose_options import PoseOptions, pose_facts, pose_page
from gough.display import Display, number, stated_text
from gough.errors import InputError
from gough.kinematics import ForwardKinematics, Status, forward_kinematics, inverse_kinematics
from gough.motion.conventions import Convention, Value
from gough.motion.pose import parse_values
from gough.robot import Robot
from gough.robot.file.units import Units

INCONSISTENT = 1e-9
"""What displacements of more actuators than coordinates may miss of a pose by round-off [m or rad]."""
UNFIT = "the displacements do not go together, this pose fits them best"


def run(
    robot: RobotArgument,
    displacement: Annotated[
        str | None,
        typer.Option(
            "--displacement",
            metavar="VALUES",
            help="Actuator displacements from their zeros, e.g. A=20mm,B=5mm (the rest as at home), or all in order. "
            "[--all: as at home]",
        ),
    ] = None,
    guess: Annotated[
        str | None, typer.Option("--guess", metavar="POSE", help="Pose near the answer, e.g. the last one. [home]")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every pose: all assembly modes.")] = False,
    complex_modes: Annotated[bool, typer.Option("--complex", help="With --all: list complex solutions too.")] = False,
    png: Annotated[
        Path | None, typer.Option("--png", metavar="FILE.png", help="With --all: draw the modes side by side.")
    ] = None,
    displacements: Annotated[
        str | None,
        typer.Option(
            "--displacements",
            metavar="FILE.csv",
            help="CSV file of displacements, a row after the other: its columns are actuators, those left out stay as "
            "at home; t may be there.",
        ),
    ] = None,
    out: Annotated[
        str, typer.Option("--out", metavar="FILE", help="With --displacements: write .csv, .json or a table.")
    ] = "",
    relative: Annotated[
        bool, typer.Option("--relative", help="With --displacements: values in the file are relative to home.")
    ] = False,
    columns: Annotated[
        str | None,
        typer.Option(
            "--columns",
            metavar="NAME=ACTUATOR,...",
            help="With --displacements: what columns of the file are, e.g. Drive1=A,Drive2=-B; others are left out.",
        ),
    ] = None,
    settings: SettingsOption = [],  # noqa: B006
    *,
    solving: PoseOptions,
) -> int:
    """Solve the forward kinematics: where the platform is for displacements of the actuators.

    A robot has several poses at the same displacements. The one printed is reached when the actuators move in a
    straight line from their displacements at the guess. If that path ends early, because the platform becomes singular
    or a leg is stretched, there is no answer from this guess.

    `--all` gives every pose, for any guess and any branches of the legs, the nearest to home first: see "Assembly
    modes: all poses at given actuator displacements" in the documentation. Without `--displacement` the actuators
    are as at home. Listed with each are its working mode (branch of each leg), whether joint limits allow it, the
    smallest singular value of K, the side of the singularity and whether it is certified. The last line says
    whether a pose may be missing.

    `--units mm,deg` applies to numbers that are given without a unit and to the table. JSON and CSV are in SI units and
    radians; `--csv-units` writes CSV in `--units`. `--convention` and `--tool` apply to all poses, also to the guess.

    `--displacements` solves a list, such as a log of the drives: the first row from the guess, each later one from the
    last pose found. It reads what `gough ik --poses` writes. Its CSV names the units of every column, those of
    `--units` or SI, and the status of every row. One line on standard error says how many rows have no pose, and the
    line of the first.

    Exit code 3: no pose on the path from the guess, or it is near singular; with `--all` no pose at all, with
    `--displacements` in a row or more.

    \b
    Examples:
      gough fk delta --displacement A=10deg,B=5deg,C=0
      gough fk hexapod --displacement 10,0,-5,0,0,5 --units mm,deg --guess z=610
      gough fk stewart --displacement 2.6,2.5,2.5,2.5,2.5,2.5 --format json
      gough fk rotary --displacements log.csv --units mm,deg --out poses.csv
      gough fk stewart --all
      gough fk stewart --displacement 2.6,2.5,2.5,2.5,2.5,2.5 --all --png modes.png
    """
    if every and guess is not None:
        raise InputError("--guess: not with --all, which finds every pose; leave one of them out")
    if not every and (complex_modes or png is not None):
        raise InputError(f"{'--complex' if complex_modes else '--png'}: only with --all")
    if displacements is None:
        for option, given in (("--out", out), ("--relative", relative), ("--columns", columns)):
            if given:
                raise InputError(f"{option}: only with --displacements")
    elif every or displacement is not None:
        raise InputError(f"{'--all' if every else '--displacement'}: cannot go with --displacements")
    if displacement is None and displacements is None and not every:
        raise InputError(
            "fk: --displacement VALUES is missing: actuator displacements from their zeros, e.g. A=20mm,B=5mm "
            "(the rest as at home), or all in order (see gough fk --help)"
        )
    if png is not None:
        check_file("--png", png)
    machine, stated = solving.robot(robot, settings), solving.poses
    machine, start = at_pose(machine, guess or "home", "--guess", solving.given, stated)
    if displacements is not None:
        from gough.cli.displacement_list import solve_displacements

        return solve_displacements(machine, start, displacements, out, relative, columns, solving)
    form, q = solving.form, _displacements(machine, displacement, solving.given)
    if every:
        from gough.cli.pages.assembly_page import print_modes

        csv_units = solving.units if solving.csv_units else None
        return print_modes(machine, q, form, stated, solving.display, csv_units, complex_modes, png)
    found = forward_kinematics(machine, q, start)
    if form == "json":
        print(to_json(_document(found, q, start, stated)))
    elif form == "csv":
        print(to_csv(["coordinate", "unit", "x"], _rows(found, solving.csv)), end="")
    else:
        print(_page(found, start, stated, solving.display) + _left_out(machine, displacement or ""))
    if found.status == Status.NEAR_SINGULAR:
        print("gough: near singular", file=sys.stderr)
        return 3
    return 0


def _displacements(robot: Robot, text: str | None, units: Units) -> tuple[float, ...]:
    """Of all actuators [m or rad]; those not named are as at home."""
    joints = robot.actuators
    names = robot.actuator_names
    values = [Value(name, "rx" if joint.kind == "R" else "x") for name, joint in zip(names, joints, strict=True)]
    home = inverse_kinematics(robot, robot.platform.home).q.tolist()
    if text is None:
        return tuple(home)
    return parse_values(values, home, text, "--displacement", units, noun="actuator")


def _left_out(robot: Robot, text: str) -> str:
    """A clause on the actuators that displacements by name leave out; empty where none is."""
    named = {part.partition("=")[0].strip() for part in text.split(",")}
    left = [name for name in robot.actuator_names if name not in named] if "=" in text else []
    return f"; {', '.join(left)} not given, taken as at home" if left else ""


def _rows(found: ForwardKinematics, display: Display) -> list[tuple[str, str, float]]:
    """Name, unit and value in it of each platform coordinate, the dependent ones last."""
    rows, platform = [], found.robot.platform
    listed = (*platform.coordinates, *platform.dependent)
    for coordinate, value in zip(listed, [*found.x, *found.dependent], strict=True):
        factor, unit = display.travel(coordinate.turns)
        rows.append((coordinate.name, unit, float(value) * factor))
    return rows


def _page(found: ForwardKinematics, guess: Sequence[float], stated: Convention, display: Display) -> str:
    robot, cells = found.robot, []
    values = [*zip(stated.values(robot), stated.stated(robot, found.x), strict=True)]
    follows = [Value(c.name, c.motion) for c in robot.platform.dependent]
    for value, at in [*values, *zip(follows, found.dependent, strict=True)]:
        factor, unit = (1.0, "") if value.motion == "q" else display.travel(value.turns)
        cells.append([value.name, unit, number(float(at) * factor, 8)])
    fit = f"residual {found.residual:.2g}"
    if robot.actuation is not None and found.residual > INCONSISTENT:
        fit += f": {UNFIT}"
    steps = f"{found.steps} step{'s' if found.steps > 1 else ''}"
    title = f"{robot.name}, from {stated_text(robot, guess, stated, display)}"
    last = f"{Status(int(found.status)).text}, {steps} along the way from the guess, {fit}"
    return pose_page(title, robot, stated, display, ["coordinate", "unit", "x"], cells, last)


def _document(
    found: ForwardKinematics, q: Sequence[float], guess: Sequence[float], stated: Convention
) -> dict[str, Any]:
    robot = found.robot
    names = robot.coordinate_names
    return {
        "robot": robot.name,
        "q": dict(zip(robot.actuator_names, q, strict=True)),
        "guess": dict(zip(names, guess, strict=True)),
        "x": dict(zip(names, found.x.tolist(), strict=True)),
        **(
            {"dependent": dict(zip(robot.dependent_names, found.dependent.tolist(), strict=True))}
            if robot.dependent_names
            else {}
        ),
        "convention": pose_facts(stated, robot, found.x),
        "steps": found.steps,
        "residual": found.residual,
        "status": Status(int(found.status)).text,
    }
