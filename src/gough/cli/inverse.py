"""`gough inverse`: actuator forces along a motion of the platform."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gough.cli.files import PICTURES, check_folder, check_picture, write_whole
from gough.cli.motion_options import MotionOptions
from gough.cli.option_values import samples_of
from gough.cli.options import RobotArgument, SettingsOption, choice
from gough.cli.output import FORMATS
from gough.errors import InputError


def run(
    robot: RobotArgument,
    moving: MotionOptions,
    times: Annotated[
        str | None, typer.Option("--times", metavar="T,T,...", help="Times of the samples, increasing.")
    ] = None,
    samples: Annotated[
        str | None, typer.Option("--samples", metavar="N", help="How many, evenly spaced. [101]")
    ] = None,
    formulation: Annotated[
        str, typer.Option("--formulation", metavar="NAME", help="By which equations; all agree.")
    ] = "auto",
    settings: SettingsOption = [],  # noqa: B006
    parts: Annotated[bool, typer.Option("--parts", help="Split forces into inertia, velocity, gravity, ...")] = False,
    by_body: Annotated[bool, typer.Option("--by-body", help="Split forces by the bodies that need them.")] = False,
    format: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help="table, csv or json. [as --out ends, or table]")
    ] = None,
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="Write there instead of printing.")] = "",
    plot: Annotated[str, typer.Option("--plot", metavar="FILE.png", help="Draw forces, powers, displacements.")] = "",
) -> int:
    """Solve the inverse dynamics: the actuator forces that move the platform along a motion.

    CSV and JSON are in SI units and radians. Exit code 3: out of reach or near singular in places; the samples that are
    fine are given all the same.

    \b
    Examples:
      gough inverse stewart
      gough inverse hexapod --motion rotation --samples 501 --format csv --out forces.csv
      gough inverse delta --to z=-800mm --duration 0.4 --payload 2 --plot delta.png
      gough inverse sru --times 0,0.5,1 --parts --format json
    """
    form = choice("--format", format, FORMATS) if format is not None else _format_of(out)
    names = _check_files(out, plot)
    from gough.cli.inverse_page import page
    from gough.cli.inverse_verdict import verdict
    from gough.dynamics.contract import FORMULATIONS
    from gough.dynamics.inverse import SAMPLES, inverse_dynamics_along

    method = choice("--formulation", formulation, ["auto", *[known.name for known in FORMULATIONS]])
    machine = moving.robot(robot, settings)
    moved = moving.on(machine)
    taken = samples_of(moved, times, samples, moving.units, SAMPLES)
    result = inverse_dynamics_along(machine, moved, taken, formulation=method)
    if form == "table":
        text = page(result, moved, parts, by_body, times is not None, moving.display)
    else:
        text = (result.to_csv if form == "csv" else result.to_json)(parts=parts, by_body=by_body)
    contents = {out: text.encode()} if out else {}
    if plot:
        from gough.view.forces import picture

        contents[plot] = picture(result, Path(plot).suffix.lower(), moving.display if moving.units else None)
    for name, content in contents.items():
        write_whole(Path(name), content)
    if not out:
        print(text, end="")
    if out or (plot and form == "table"):
        print(f"wrote {' and '.join(names)}")
    return verdict(result)


def _format_of(out: str) -> str:
    """What the name of a file asks for."""
    suffix = Path(out).suffix.lower().removeprefix(".")
    return suffix if suffix in FORMATS else "table"


def _check_files(out: str, plot: str) -> list[str]:
    """The files that will be written, found good to write to."""
    if out:
        check_folder("--out", Path(out))
    if plot:
        check_picture("--plot", plot, PICTURES)
    if out and plot and Path(out).absolute() == Path(plot).absolute():
        raise InputError(f"--plot {plot}: is the file of --out too; name another")
    return [name for name in (out, plot) if name]
