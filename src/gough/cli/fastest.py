"""`gough fastest`: the shortest time along a path."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gough.cli.motion_options import MotionOptions
from gough.cli.options import LimitOption, MotorOption, RobotArgument, SettingsOption, choice, whole
from gough.errors import InputError

FORMATS = ("table", "csv", "json")


def run(
    robot: RobotArgument,
    moving: MotionOptions,
    limits: LimitOption = [],  # noqa: B006
    settings: SettingsOption = [],  # noqa: B006
    motor: MotorOption = "",
    cells: Annotated[
        int, typer.Option("--cells", metavar="N", parser=whole(10), help="Cells of the grid between two stops.")
    ] = 800,
    format: Annotated[str, typer.Option("--format", metavar="FORMAT", help="table, csv or json.")] = "table",
    out: Annotated[
        str, typer.Option("--out", metavar="FILE", help="Write the motion as .csv, or the result as .json or .txt.")
    ] = "",
    plot: Annotated[str, typer.Option("--plot", metavar="FILE.png", help="Draw the phase plane.")] = "",
) -> int:
    """Find the shortest time along a path: forces, speeds, power, motor curves and the platform within limits.

    The path is that of the motion, whatever its time; it starts and ends at rest and stops at corners. The result is
    checked as gough check does, also between the grid's places. --out motion.csv writes rows that fit as they are read.
    Exit code 1: a limit cannot be kept on this path however slow. Needs toppra: install gough[fastest].

    \b
    Examples:
      gough fastest stewart --limit force=25
      gough fastest delta --to z=-800mm --limit force=30 --plot delta.png
      gough fastest hexapod --motion rotation --limit force=20 --limit platform_acceleration=5 --out fast.csv
    """
    from gough.cli.options import limits_of
    from gough.cli.out_files import PICTURES, announce, check_file, picture_ending, write_whole
    from gough.cli.output import to_json

    form = choice("--format", format, FORMATS)
    if out and Path(out).suffix not in (".csv", ".json", ".txt"):
        raise InputError(f"--out {out}: must end in .csv, .json or .txt")
    if out:
        check_file("--out", out, (".csv", ".json", ".txt"))
    if plot:
        check_file("--plot", plot, PICTURES)
    machine = moving.robot(robot, settings)
    stated = limits_of(machine, limits, moving.units)
    moved = moving.on(machine, timed=False)
    from gough.cli.pages.fastest_page import page
    from gough.design.motor import read_motor
    from gough.plots import picture
    from gough.timing.fastest import fastest

    result = fastest(machine, moved, stated, cells, read_motor(motor) if motor else None)
    contents: dict[str, bytes] = {}
    if out:
        ending = Path(out).suffix
        if ending == ".csv":
            written = result.motion_csv()
        else:
            written = to_json(result.to_dict()) + "\n" if ending == ".json" else page(result, moving.display)
        contents[out] = written.encode()
    if plot:
        contents[plot] = picture(result.plot(), picture_ending(plot))
    for name, content in contents.items():
        write_whole(Path(name), content)
    if form == "table":
        text = page(result, moving.display)
    else:
        text = result.to_csv() if form == "csv" else result.to_json()
    print(text, end="" if text.endswith("\n") else "\n")
    if contents:
        announce(*contents)
    return 0 if result.fits else 1
