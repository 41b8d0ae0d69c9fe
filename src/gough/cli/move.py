"""`gough move`: a motion with bounded jerk, as set points for a motion controller."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gough.cli.motion_options import MotionOptions
from gough.cli.options import CsvUnitsOption, LimitOption, RobotArgument, SettingsOption, choice, positive
from gough.errors import InputError


def run(
    robot: RobotArgument,
    moving: MotionOptions,
    limits: LimitOption = [],  # noqa: B006
    settings: SettingsOption = [],  # noqa: B006
    jerk: Annotated[
        str | None,
        typer.Option("--jerk", metavar="J", help="Largest jerk of an actuator, e.g. 500m/s^3 or 900deg/s^3."),
    ] = None,
    step: Annotated[str, typer.Option("--step", metavar="T", help="Time between set points, e.g. 1ms.")] = "1ms",
    format: Annotated[str, typer.Option("--format", metavar="FORMAT", help="table, csv or json.")] = "table",
    out: Annotated[
        str, typer.Option("--out", metavar="FILE.csv", help="Write the actuators' set points at even steps.")
    ] = "",
    motion_out: Annotated[
        str, typer.Option("--motion-out", metavar="FILE.csv", help="Write the platform's motion at even steps.")
    ] = "",
    csv_units: CsvUnitsOption = False,
) -> int:
    """Generate a motion with bounded jerk along a path: S-curves from stop to stop, checked against all limits.

    The path is that of the motion, straight to a pose or through waypoints; its timing is ignored. All limits are kept,
    including that of jerk, and accelerations are continuous. Other time laws may be faster: see `gough fastest`.

    \b
    Examples:
      gough move delta --to z=-800mm --limit force=30 --jerk 500
      gough move stewart --to z=2.2 --limit platform_speed=0.5 --jerk 50 --step 2ms --out setpoints.csv
    """
    from gough.cli.options import limits_of
    from gough.cli.out_files import announce, check_file, write_whole
    from gough.motion import parse_units
    from gough.robot.quantities import measure

    form = choice("--format", format, ("table", "csv", "json"))
    for option, name in (("--out", out), ("--motion-out", motion_out)):
        if name:
            check_file(option, name, (".csv",))
    if csv_units and not out and form != "csv":
        raise InputError("--csv-units: is for --format csv and --out FILE.csv")
    machine = moving.robot(robot, settings)
    stated = limits_of(machine, limits, moving.units)
    size, turns = parse_units(moving.units), {joint.turns for joint in machine.actuators}
    most = (
        None if jerk is None else positive("--jerk", jerk, measure("angle" if turns == {True} else "length", size, 3))
    )
    cycle = positive("--step", step, measure("time", size))
    from gough.cli.pages.check_page import page
    from gough.display import number
    from gough.timing.move import move

    result = move(machine, moving.on(machine, timed=False, forces=False), stated, most, cycle)
    contents: dict[str, str] = {}
    in_units = moving.units if csv_units else None
    if out:
        contents[out] = result.to_csv(units=in_units)
    if motion_out:
        contents[motion_out] = result.motion.sample(result.table["t"]).to_csv(machine)
    for name, content in contents.items():
        write_whole(Path(name), content.encode())
    if form == "table":
        second, unit = moving.display.time
        head = f"{result.motion.name}: {number(result.duration * second, 6)} {unit}, jerk of an actuator at most "
        factor, name = moving.display.travel(True in turns) if len(turns) == 1 else (1.0, "m, rad")
        text = f"{head}{number(result.largest * factor, 5)} {name}/s^3\n\n" + page(
            result.certificate, moving.display, advised=False
        )
    else:
        text = result.to_csv(units=in_units) if form == "csv" else result.to_json()
    print(text, end="" if text.endswith("\n") else "\n")
    if contents:
        announce(*contents)
    return 0 if result.fits else 1
