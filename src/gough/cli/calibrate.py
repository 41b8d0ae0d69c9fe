"""`gough calibrate`: a robot's geometry from measurements, or which poses to measure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gough.cli.options import (
    CsvUnitsOption,
    RobotArgument,
    SettingsOption,
    UnitsOption,
    check_csv_units,
    choice,
    quantities,
    whole,
)
from gough.errors import InputError

if TYPE_CHECKING:
    from gough.calibration import Bar, Point
    from gough.calibration.plan import Plan
    from gough.display import Display
    from gough.robot.file.units import Units


def run(
    robot: RobotArgument,
    measurements: Annotated[
        str,
        typer.Argument(
            metavar="[MEASUREMENTS.csv]", help="One row per pose; `gough new --measurements` writes a template."
        ),
    ] = "",
    noise: Annotated[
        str,
        typer.Option(
            "--noise",
            metavar="KIND=VALUE,...",
            help="Standard deviations of position, rotation, distance, joint, encoder: position=20um,encoder=5um. "
            "[estimated]",
        ),
    ] = "",
    parameters: Annotated[
        str,
        typer.Option(
            "--parameters",
            metavar="PATHS",
            help="Parameters to calibrate: base, platform, zero, length, turn, or paths such as "
            "leg.*.position.*,leg.A.end.point.0. [all that can be distinguished]",
        ),
    ] = "",
    tolerances: Annotated[
        list[str],
        typer.Option(
            "--tolerance", metavar="PATH=VALUE", help="Expected deviation of parameters, e.g. base=1mm; repeatable."
        ),
    ] = [],  # noqa: B006
    errors: Annotated[
        str,
        typer.Option(
            "--tolerances",
            metavar="FILE.toml",
            help="File with the [tolerances] of the dimensions. [those of the robot file, if it has any]",
        ),
    ] = "",
    tracker: Annotated[
        bool, typer.Option("--tracker", help="Poses are in the frame of a tracker whose place is unknown.")
    ] = False,
    target: Annotated[
        bool, typer.Option("--target", help="Poses are those of a target whose place on the platform is unknown.")
    ] = False,
    points: Annotated[
        list[str],
        typer.Option(
            "--point", metavar="NAME=X,Y,Z", help="A measured point of the platform, columns NAME.x, ...; repeatable."
        ),
    ] = [],  # noqa: B006
    bars: Annotated[
        list[str],
        typer.Option(
            "--bar",
            metavar="NAME=X,Y,Z:X,Y,Z[:free]",
            help="A ball bar or length sensor from a point of the base to one of the platform, with :free if its "
            "ends and offset are unknown too; repeatable.",
        ),
    ] = [],  # noqa: B006
    validate: Annotated[
        str, typer.Option("--validate", metavar="FILE.csv", help="Measured poses for validation; not used in the fit.")
    ] = "",
    folds: Annotated[
        int,
        typer.Option("--folds", metavar="N", parser=whole(0), help="Number of parts for cross-validation; 0 for none."),
    ] = 5,
    plan: Annotated[
        int | None,
        typer.Option("--plan", metavar="N", parser=whole(1), help="Only plan: choose the N poses to measure."),
    ] = None,
    measure: Annotated[
        str,
        typer.Option(
            "--measure",
            metavar="WHAT",
            help="With --plan: pose, position, orientation, incline, or columns such as x,y,z,d1.",
        ),
    ] = "pose",
    out: Annotated[
        str, typer.Option("--out", metavar="FILE", help="Corrected robot as .toml, or result as .json, .csv, .txt.")
    ] = "",
    report: Annotated[str, typer.Option("--report", metavar="FILE.html", help="Write an acceptance report.")] = "",
    plot: Annotated[str, typer.Option("--plot", metavar="FILE", help="Draw the result: .png, .svg or .pdf.")] = "",
    format: Annotated[str | None, typer.Option("--format", metavar="FORMAT", help="table, json or csv.")] = None,
    settings: SettingsOption = [],  # noqa: B006
    units: UnitsOption = "",
    csv_units: CsvUnitsOption = False,
) -> int:
    """Calibrate a robot's geometry: measured poses, points, angles or distances with encoder readings in, a corrected
    robot file out, with the parameters that the measurements determine and those that they do not.

    Exit code 1: the stated noise does not explain the residuals, parameters are beyond the stated tolerances, or there
    are outliers.

    \b
    Examples:
      gough calibrate stewart full.csv --noise position=20um,rotation=20urad,encoder=5um --out corrected.toml
      gough calibrate stewart frames.csv --tracker --target --report acceptance.html
      gough calibrate stewart distance.csv --bar d1=0.4,0.2,0:0.1,-0.2,0.1
      gough calibrate mine.toml points.csv --point A=100mm,0,0 --units mm,deg --tolerances drawing.toml
      gough calibrate stewart --plan 20 --measure position --out poses.csv
    """
    from gough.cli.loading import load_robot
    from gough.cli.out_files import PICTURES, announce, check_file, form_of, write_whole
    from gough.cli.output import FORMATS, steps
    from gough.display import display_units
    from gough.motion import parse_units

    form = None if format is None else choice("--format", format, FORMATS)
    as_robot = Path(out).suffix.lower() == ".toml"
    if as_robot:
        check_file("--out", out, (".toml",))
    elif out:
        form = form_of("--out", out, form, ("json", "csv"))
    form = form or ("csv" if plan is not None and out else "table")
    check_csv_units(csv_units, form)
    if report:
        check_file("--report", report, (".html", ".htm"))
    if plot:
        check_file("--plot", plot, PICTURES)
    size, display = parse_units(units), display_units(units)
    machine = load_robot(robot, settings, units)
    machine = machine.with_errors(errors) if errors else machine
    wanted = [entry.strip() for entry in parameters.split(",") if entry.strip()]
    given: dict[str, Any] = {
        "noise": noise,
        "parameters": wanted,
        "tolerances": _tolerances(tolerances, size),
        "points": [_point(entry, size) for entry in points],
        "bars": [_bar(entry, size) for entry in bars],
        "tracker": tracker,
        "target": target,
    }
    if (plan is None) == (not measurements):
        raise InputError("calibrate: needs MEASUREMENTS.csv, or --plan N to say which poses to measure")
    if plan is not None:
        from gough.calibration.plan import plan_poses
        from gough.cli.pages.calibrate_page import plan_page

        if as_robot or report:
            raise InputError("--plan: has no corrected robot; --out takes .csv, .json or .txt")
        with steps() as progress:
            found: Any = plan_poses(machine, plan, measure, **given, progress=progress)
        text = plan_page(found, display)
    else:
        from gough.calibration import calibrate
        from gough.cli.pages.calibrate_page import page

        with steps() as progress:
            found = calibrate(
                machine, measurements, **given, units=units, validate=validate or None, folds=folds, progress=progress
            )
        text = page(found, display, _prior_name(robot, errors, tolerances))
    if form == "json":
        text = found.to_json()
    elif form == "csv":
        text = found.to_csv(units=units if csv_units else None)
        if plan is not None and out:
            _tell_plan(found, out, units, csv_units, display)
    written = _write_others(found, report, plot, plan is not None, display)
    if as_robot:
        found.write(out)
        print(text, end="")
        announce(out, *written)
    elif out:
        write_whole(Path(out), text.encode())
        announce(out, *written)
    else:
        print(text, end="")
        if written:
            announce(*written)
    return 0 if plan is not None or found.agrees else 1


def _tell_plan(found: Plan, out: str, units: str, csv_units: bool, display: Display) -> None:
    """What a file of poses does not say: the accuracy to expect of them, and its units."""
    from gough.cli.pages.calibrate_page import plan_head

    size = units if units and csv_units else "SI units"
    other = f"; --csv-units writes {units}" if units and not csv_units else ""
    print(f"{plan_head(found, display)}\n\n{out} is in {size}{other}.")


def _write_others(found: Any, report: str, plot: str, planned: bool, display: Display) -> list[str]:
    from gough.cli.out_files import picture_ending, write_whole

    written = []
    if report:
        from gough.reports.calibration_page import calibration_html

        write_whole(Path(report), calibration_html(found, display).encode())
        written.append(report)
    if plot:
        from gough.calibration.calibration_plots import overview
        from gough.plots import picture
        from gough.table.table_plots import draw

        drawn = draw(found.table, display) if planned else overview(found, display)
        write_whole(Path(plot), picture(drawn, picture_ending(plot)))
        written.append(plot)
    return written


def _named(option: str, entry: str, form: str) -> tuple[str, str]:
    name, equals, text = entry.partition("=")
    if not equals or not name.strip() or not text.strip():
        raise InputError(f"{option} {entry}: must be {form}")
    return name.strip(), text.strip()


def _triple(option: str, text: str, size: Units) -> tuple[float, float, float]:
    from gough.robot.quantities import measure

    values = quantities(option, text, "x,y,z", measure("length", size))
    if len(values) != 3:
        raise InputError(f"{option} {text}: must be three numbers x,y,z, not {len(values)}")
    return values[0], values[1], values[2]


def _point(entry: str, size: Units) -> Point:
    from gough.calibration import Point

    name, text = _named("--point", entry, "NAME=X,Y,Z, e.g. A=0.1,0,0.05")
    text, colon, free = text.partition(":")
    if colon and free != "free":
        raise InputError(f"--point {entry}: {free}: must be free, or nothing")
    return Point(name, _triple("--point", text, size), bool(colon))


def _bar(entry: str, size: Units) -> Bar:
    from gough.calibration import Bar

    form = "NAME=X,Y,Z:X,Y,Z, base and platform, e.g. d1=0.4,0.2,0:0.1,-0.2,0.1"
    name, text = _named("--bar", entry, form)
    parts = text.split(":")
    if len(parts) not in (2, 3) or (len(parts) == 3 and parts[2] != "free"):
        raise InputError(f"--bar {entry}: must be {form}")
    return Bar(name, _triple("--bar", parts[0], size), _triple("--bar", parts[1], size), len(parts) == 3)


def _prior_name(robot: str, errors: str, tolerances: list[str]) -> str:
    """Where tolerances come from: "[tolerances] of mill.toml, --tolerance base=1mm"."""
    return ", ".join([f"[tolerances] of {errors or robot}", *(f"--tolerance {entry}" for entry in tolerances)])


def _tolerances(entries: list[str], size: Units) -> dict[str, float]:
    from gough.robot.quantities import QuantityError, measure, one_of

    found = {}
    for entry in entries:
        name, text = _named("--tolerance", entry, "PATH=VALUE, e.g. base=1mm")
        try:
            found[name] = one_of(text, (measure("length", size), measure("angle", size)))
        except QuantityError as error:
            raise InputError(f"--tolerance {entry}: {error}") from None
    return found
