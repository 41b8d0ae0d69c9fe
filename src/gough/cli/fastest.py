"""`gough fastest`: the shortest time along a path."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gough.cli.motion_options import MotionOptions
from gough.cli.options import LimitOption, MotorOption, RobotArgument, SettingsOption, choice, whole
from gough.errors import InputError

if TYPE_CHECKING:
    from gough.timing import Fastest, FreePath

FORMATS = ("table", "csv", "json")


def run(
    robot: RobotArgument,
    moving: MotionOptions,
    limits: LimitOption = [],  # noqa: B006
    settings: SettingsOption = [],  # noqa: B006
    motor: MotorOption = "",
    cells: Annotated[
        int, typer.Option("--cells", metavar="N", parser=whole(10), help="Grid cells between two stops.")
    ] = 800,
    free: Annotated[bool, typer.Option("--free", help="Find the path too; only its start and end are given.")] = False,
    least: Annotated[
        str | None,
        typer.Option(
            "--least",
            metavar="WHAT",
            help="With --free: what to minimise: time, or energy or force within --duration. [time]",
        ),
    ] = None,
    spans: Annotated[
        int | None,
        typer.Option("--spans", metavar="N", parser=whole(4), help="With --free: number of spans of the spline. [8]"),
    ] = None,
    format: Annotated[str, typer.Option("--format", metavar="FORMAT", help="table, csv or json.")] = "table",
    out: Annotated[
        str, typer.Option("--out", metavar="FILE", help="Write the motion as .csv, or the result as .json or .txt.")
    ] = "",
    plot: Annotated[
        str, typer.Option("--plot", metavar="FILE.png", help="Draw the phase plane; with --free, the motion.")
    ] = "",
) -> int:
    """Find the shortest time along a path within the limits of forces, speeds, power, motor curves and platform.

    The path is that of the motion; its timing is ignored. It starts and ends at rest and stops at corners. The result
    is checked as by `gough check`, also between grid points. The rows that --out motion.csv writes keep the limits when
    they are read back. With --free only the first and the last pose count, and the path between them is searched for:
    that of least time, or for a given --duration that of least energy (work delivered) or least peak force. It is never
    worse than the straight line. Exit code 1: a limit cannot be kept on this path at any speed. Needs toppra: install
    gough[fastest].

    \b
    Examples:
      gough fastest stewart --limit force=25
      gough fastest delta --to z=-800mm --limit force=30 --plot delta.png
      gough fastest stewart --to x=0.3,y=-0.2,psi=15deg --limit force=25 --free
      gough fastest hexapod --motion rotation --limit force=20 --limit platform_acceleration=5 --out fast.csv
    """
    from gough.cli.options import limits_of
    from gough.cli.out_files import PICTURES, announce, check_file, picture_ending, write_whole
    from gough.cli.output import to_json
    from gough.timing.reachability import toppra_parts

    toppra_parts()  # says what is missing before anything else is done
    form = choice("--format", format, FORMATS)
    if out and Path(out).suffix not in (".csv", ".json", ".txt"):
        raise InputError(f"--out {out}: must end in .csv, .json or .txt")
    if out:
        check_file("--out", out, (".csv", ".json", ".txt"))
    if plot:
        check_file("--plot", plot, PICTURES)
    if not free and (least is not None or spans is not None):
        raise InputError(f"{'--spans' if least is None else '--least'}: goes with --free")
    machine = moving.robot(robot, settings)
    machine = machine.with_motor(motor) if motor else machine
    stated = limits_of(machine, limits, moving.units)
    moved = moving.on(machine, timed=(least or "time") != "time", forces=False)
    from gough.cli.pages.fastest_page import free_page, page
    from gough.plots import picture
    from gough.timing.fastest import fastest
    from gough.timing.free import SPANS, free_path
    from gough.timing.free_picture import free_picture
    from gough.timing.free_result import FreePath

    result: Fastest | FreePath
    if free:
        result = free_path(machine, moved, stated, least or "time", spans or SPANS, cells)
        written_page = free_page(result, moving.display)
    else:
        result = fastest(machine, moved, stated, cells)
        written_page = page(result, moving.display)
    contents: dict[str, bytes] = {}
    if out:
        ending = Path(out).suffix
        if ending == ".csv":
            written = result.motion_csv()
        else:
            written = to_json(result.to_dict()) + "\n" if ending == ".json" else written_page
        contents[out] = written.encode()
    if plot:
        drawn = free_picture(result, moving.display) if isinstance(result, FreePath) else result.plot()
        contents[plot] = picture(drawn, picture_ending(plot))
    for name, content in contents.items():
        write_whole(Path(name), content)
    if form == "table":
        text = written_page
    else:
        text = result.to_csv() if form == "csv" else result.to_json()
    print(text, end="" if text.endswith("\n") else "\n")
    if contents:
        announce(*contents)
    return 0 if result.fits else 1
