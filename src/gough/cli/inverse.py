"""`gough inverse`: actuator forces along a motion of the platform."""

from __future__ import annotations

from os.path import realpath
from pathlib import Path
from typing import Annotated

import typer

from gough.cli.motion_options import MotionOptions
from gough.cli.options import (
    BaseOption,
    CsvUnitsOption,
    RobotArgument,
    SettingsOption,
    check_csv_units,
    choice,
    samples_of,
)
from gough.cli.out_files import PICTURES, announce, check_file, form_of, picture_ending, write_whole
from gough.cli.output import FORMATS
from gough.errors import InputError
from gough.resources import check_memory
from gough.robot import Robot
from gough.table.formats import require_pyarrow

BYTES = {"table": 40.0, "csv": 110.0, "json": 140.0, "parquet": 70.0}
"""Of each number while the output is made; measured."""
FILE_FORMATS = ("csv", "json", "parquet")


def run(
    robot: RobotArgument,
    moving: MotionOptions,
    times: Annotated[
        str | None, typer.Option("--times", metavar="T,T,...", help="Times of the samples, increasing.")
    ] = None,
    samples: Annotated[
        str | None,
        typer.Option("--samples", metavar="N", help="Number of samples, evenly spaced. [rows of a CSV file, or 101]"),
    ] = None,
    formulation: Annotated[
        str,
        typer.Option(
            "--formulation",
            metavar="NAME",
            help="Formulation of the dynamics (results agree to round-off): auto, newton_euler, virtual_work, "
            "generalized_momentum, orthogonal_complement, lagrange, koditschek, virtual_work_full.",
        ),
    ] = "auto",
    settings: SettingsOption = [],  # noqa: B006
    base: BaseOption = None,
    parts: Annotated[bool, typer.Option("--parts", help="Split forces into inertia, velocity, gravity, ...")] = False,
    by_body: Annotated[bool, typer.Option("--by-body", help="Split forces by body.")] = False,
    internal: Annotated[
        bool, typer.Option("--internal", help="Add a basis of the internal forces of more actuators than coordinates.")
    ] = False,
    format: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help="table, csv or json. [as --out ends, or table]")
    ] = None,
    out: Annotated[
        str, typer.Option("--out", metavar="FILE", help="Write .csv, .json, .parquet or .txt instead of printing.")
    ] = "",
    csv_units: CsvUnitsOption = False,
    plot: Annotated[
        str, typer.Option("--plot", metavar="FILE.png", help="Draw forces, powers, displacements; a panel per part.")
    ] = "",
) -> int:
    """Solve the inverse dynamics: the actuator forces that move the platform along a motion.

    CSV and JSON are in SI units and radians; with --csv-units CSV is in --units. Exit code 3: out of reach, near
    singular or without forces within the limits in places; the other samples are still given.

    \b
    Examples:
      gough inverse stewart
      gough inverse hexapod --motion rotation --samples 501 --format csv --out forces.csv
      gough inverse delta --to z=-800mm --duration 0.4 --payload 2 --plot delta.png
      gough inverse sru --times 0,0.5,1 --parts --format json
      gough inverse hexapod --base-motion ship --parts
    """
    stated = None if format is None else choice("--format", format, FORMATS)
    form = form_of("--out", out, stated, FILE_FORMATS) if out else stated or "table"
    check_csv_units(csv_units, form)
    names = _check_files(out, plot, form)
    from gough.cli.pages.inverse_page import page, verdict
    from gough.dynamics.contract import NAMES
    from gough.dynamics.inverse import inverse_dynamics
    from gough.motion.motion import SAMPLES

    method = choice("--formulation", formulation, ["auto", *NAMES])
    machine = moving.robot(robot, settings)
    if internal and len(machine.actuators) == machine.dof:
        raise InputError(f"--internal: {machine.name} has as many actuators as coordinates, and no internal forces")
    if internal and form != "table":
        raise InputError(f"--internal: is printed with --format table, not {form}; in Python it is result.internal")
    moved = moving.on(machine, base=base)
    taken = samples_of(moved, times, samples, moving.units, SAMPLES if moved.rows is None else moved.rows)
    if isinstance(taken, int):
        _check_memory(machine, taken, form, parts, by_body)
    result = inverse_dynamics(machine, moved.sample(taken), formulation=method)
    if form == "table":
        base_name = "" if moved.base is None else moved.base.name
        content = page(result, moved, parts, by_body, times is not None, moving.display, internal, base_name).encode()
    elif form == "parquet":
        content = result.split_table(parts, by_body).parquet_bytes()
    else:
        in_units = {"units": moving.units} if csv_units else {}
        text = (result.to_csv if form == "csv" else result.to_json)(parts=parts, by_body=by_body, **in_units)
        content = text.encode()
    contents = {out: content} if out else {}
    if plot:
        from gough.view.forces import plot_forces

        split = (result.parts() if parts else {}) | (result.by_body() if by_body else {})
        contents[plot] = plot_forces(result, picture_ending(plot), moving.display if moving.units else None, split)
    for name, written in contents.items():
        write_whole(Path(name), written)
    if not out:
        print(content.decode(), end="")
    if out or (plot and form == "table"):
        announce(*names)
    return verdict(result, moving.display)


def _check_memory(machine: Robot, samples: int, form: str, parts: bool, by_body: bool) -> None:
    """Refuse more samples than the output leaves room for."""
    m = len(machine.actuators)
    columns = 8 + m * (7 + 8 * parts + (1 + len(machine.legs)) * by_body)
    check_memory(f"--samples {samples}", samples, columns * BYTES[form], "samples")


def _check_files(out: str, plot: str, form: str) -> list[str]:
    """The files that will be written, found good to write to."""
    if form == "parquet":
        require_pyarrow()
    if plot:
        check_file("--plot", plot, PICTURES)
    if out and plot and realpath(out) == realpath(plot):
        raise InputError(f"--plot {plot}: is the file of --out too; name another")
    return [name for name in (out, plot) if name]
