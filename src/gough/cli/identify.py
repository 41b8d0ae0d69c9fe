"""`gough identify`: masses, friction and rotors of the real machine from a recording of its forces."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gough.cli.options import FormatOption, LimitOption, RobotArgument, SettingsOption, UnitsOption, choice, quantities
from gough.cli.output import FORMATS
from gough.display import display_units
from gough.errors import InputError


def run(
    robot: RobotArgument,
    recording: Annotated[
        str,
        typer.Argument(
            metavar="[RECORDING.csv]", help="Recording: time, poses or actuator readings, forces or currents."
        ),
    ] = "",
    out: Annotated[str, typer.Option("--out", metavar="FILE.toml", help="Write the identified robot.")] = "",
    validate: Annotated[
        str,
        typer.Option("--validate", metavar="FILE.csv", help="Predict the forces of another recording, for validation."),
    ] = "",
    legs: Annotated[
        str,
        typer.Option(
            "--legs",
            metavar="alike|own",
            help="alike: identical legs of the file share parameters; own: each leg has its own.",
        ),
    ] = "alike",
    bodies: Annotated[
        str,
        typer.Option(
            "--bodies",
            metavar="stated|full",
            help="stated: thin rods of the file stay thin rods; full: ten parameters per body.",
        ),
    ] = "stated",
    constant: Annotated[
        str, typer.Option("--constant", metavar="K[,K...]", help="Force per ampere of motor currents [N/A or N m/A].")
    ] = "",
    smooth: Annotated[
        str, typer.Option("--smooth", metavar="auto|SECONDS|none", help="Smoothing of a motion without accelerations.")
    ] = "auto",
    loaded: Annotated[
        str, typer.Option("--loaded", metavar="FILE.csv", help="Recording with a payload; identify only the payload.")
    ] = "",
    plan: Annotated[
        str, typer.Option("--plan", metavar="FILE.csv", help="Only plan: write an exciting motion within all limits.")
    ] = "",
    duration: Annotated[str, typer.Option("--duration", metavar="T", help="Duration of the planned motion.")] = "10 s",
    limits: LimitOption = [],  # noqa: B006
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE.png", help="Draw forces and residuals.")] = None,
    format: FormatOption = "table",
    settings: SettingsOption = [],  # noqa: B006
    units: UnitsOption = "",
) -> int:
    """Identify masses, friction and rotors of a robot from its recorded forces, or plan a motion to record.

    \b
    Examples:
      gough identify stewart log.csv --legs own --out identified.toml
      gough identify stewart log.csv --validate other.csv --format json
      gough identify stewart empty.csv --loaded loaded.csv
      gough identify stewart --plan exciting.csv --duration 5s --limit speed=1
    """
    from gough.cli.loading import load_robot
    from gough.cli.out_files import PICTURES, check_file, picture_ending, write_whole

    form = choice("--format", format, FORMATS)
    tied = choice("--legs", legs, ("alike", "own")) == "alike"
    shape = choice("--bodies", bodies, ("stated", "full"))
    for option, path, endings in (("--out", out, (".toml",)), ("--plan", plan, (".csv",)), ("--plot", plot, PICTURES)):
        if path:
            check_file(option, path, endings)
    machine, display = load_robot(robot, settings, units), display_units(units)
    if plan:
        return _plan(machine, recording, plan, duration, limits, shape, tied, units)
    if limits:
        raise InputError("--limit: is for --plan")
    from gough.cli.output import steps
    from gough.identification import identify, identify_payload

    constants = list(quantities("--constant", constant, "force per ampere")) if constant else None
    if constants is not None and len(constants) not in (1, len(machine.actuators)):
        raise InputError(f"--constant {constant}: must be one number, or {len(machine.actuators)}")
    if loaded:
        if out or validate or plot:
            raise InputError("--loaded: gives the payload alone; leave --out, --validate and --plot out")
        from gough.cli.pages.identify_page import payload_page

        found = identify_payload(machine, loaded, recording or None, shape, tied, units, constants, smooth)
        print(
            {"json": found.to_json, "csv": found.to_csv}[form]() if form != "table" else payload_page(found, display),
            end="",
        )
        return 0
    if not recording:
        raise InputError(
            "identify: give a recording, or --plan FILE.csv for a motion to record (see gough identify --help)"
        )
    from gough.cli.pages.identify_page import page

    with steps() as step:
        step(f"identifying {machine.name}")
        result = identify(
            machine, recording, validate or None, shape, tied, units=units, constants=constants, smooth=smooth
        )
        if out:
            step("looking for physical bodies")
            text = result.robot.to_toml()
    print(
        {"json": result.to_json, "csv": result.to_csv}[form]() if form != "table" else page(result, bool(out), display),
        end="",
    )
    if out:
        write_whole(Path(out), text.encode())
    if plot is not None:
        from gough.plots import picture
        from gough.reports.identification_plots import forces_plot

        write_whole(plot, picture(forces_plot(result, display), picture_ending(plot)))
    if form == "table" and (out or plot):
        print("\n".join(f"wrote {path}" for path in (out, plot) if path))
    return 0


def _plan(
    machine: object, recording: str, plan: str, duration: str, limits: list[str], bodies: str, tied: bool, units: str
) -> int:
    """Write an exciting motion."""
    from gough.cli.options import limits_of, positive
    from gough.cli.out_files import write_whole
    from gough.cli.output import steps
    from gough.cli.pages.identify_page import plan_page
    from gough.identification import excite
    from gough.motion import parse_units
    from gough.robot import Robot
    from gough.robot.quantities import measure

    assert isinstance(machine, Robot)
    if recording:
        raise InputError(f"--plan: is for a motion to record; leave {recording} out")
    seconds = positive("--duration", duration, measure("time", parse_units(units)))
    stated = limits_of(machine, limits, units)
    with steps() as step:
        step(f"looking for an exciting motion of {machine.name}")
        found = excite(machine, seconds, stated or None, bodies=bodies, tied=tied)
    write_whole(Path(plan), found.to_csv().encode())
    print(plan_page(found, plan, display_units(units)), end="")
    return 0
