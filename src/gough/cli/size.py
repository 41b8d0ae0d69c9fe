"""`gough size`: what the actuators must give, over a motion or over an envelope."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gough.cli.motion_options import MotionOptions
from gough.cli.options import (
    BaseOption,
    CsvUnitsOption,
    EnvelopeOption,
    JsonOption,
    MotorsOption,
    RobotArgument,
    SettingsOption,
)
from gough.errors import InputError
from gough.robot import Robot

if TYPE_CHECKING:
    from gough.design import Demand


def run(
    robot: RobotArgument,
    moving: MotionOptions,
    envelope: EnvelopeOption = "",
    motors: MotorsOption = [],  # noqa: B006
    settings: SettingsOption = [],  # noqa: B006
    base: BaseOption = None,
    cases: Annotated[
        str, typer.Option("--cases", metavar="FILE.csv", help="Write the worst load cases of an envelope.")
    ] = "",
    csv_units: CsvUnitsOption = False,
    prove: Annotated[
        bool,
        typer.Option(
            "--prove", help="Prove the extremes over an envelope by branch and bound; at most 3 coordinates may vary."
        ),
    ] = False,
    plot: Annotated[
        str, typer.Option("--plot", metavar="FILE.png", help="Draw force over speed along the motion.")
    ] = "",
    json: JsonOption = False,
) -> int:
    """Size the actuators: force, speed, power and energy over a motion, or the worst over an envelope of motions.

    An envelope file has tables [pose], [velocity], [acceleration], [payload], [wrench], [units]. Exit code 1: the
    motor, or each of several, is too weak, a limit that the robot states is exceeded, or no forces within the limits
    exist; 3: out of reach, or the envelope touches a singularity.

    \b
    Examples:
      gough size stewart
      gough size delta --motion pick-and-place --payload 2 --motor servo.toml --plot delta.png
      gough size delta --motion pick-and-place --motor servo400.toml --motor servo750.toml
      gough size hexapod --base-motion ship
      gough size stewart --envelope envelope.toml --cases cases.csv
      gough size delta --envelope envelope.toml --prove
    """
    from gough.cli.out_files import PICTURES, announce, check_file, picture_ending, write_whole
    from gough.cli.output import to_json

    _check_options(envelope, moving, {"--motor": ",".join(motors), "--plot": plot, "--base-motion": base}, cases, prove)
    if csv_units and not cases:
        raise InputError("--csv-units: needs --cases, the CSV file to write")
    if cases:
        check_file("--cases", cases, (".csv",))
    if plot:
        check_file("--plot", plot, PICTURES)
    machine = moving.robot(robot, settings)
    if envelope:
        table_units = moving.units if csv_units else None
        return _over_envelope(machine, envelope, cases, table_units, prove, json, moving)
    from gough.cli.pages.size_page import demand_page
    from gough.design import demand

    moved = moving.on(machine, base=base)
    if len(motors) > 1:
        if plot:
            raise InputError("--plot: shows one motor; give one --motor")
        several = [demand(machine.with_motor(path), moved) for path in motors]
        return _compared(several, json, moving)
    found = demand(machine.with_motor(motors[0]) if motors else machine, moved)
    if plot:
        from gough.plots import picture
        from gough.reports.force_speed import force_speed

        write_whole(Path(plot), picture(force_speed(found, moving.display), picture_ending(plot)))
    print(to_json(found.to_dict()) if json else demand_page(found, moving.display), end="\n" if json else "")
    if plot and not json:
        announce(plot)
    return 0 if all(fit.fits for fit in found.fits) and not found.exceeded else 1


def _compared(found: list[Demand], json: bool, moving: MotionOptions) -> int:
    """Several motors, one row each; 1 where none of them fits."""
    from gough.cli.output import to_json
    from gough.cli.pages.motors_page import motors_page

    if json:
        print(to_json({"motors": [demand.to_dict() for demand in found]}))
    else:
        print(motors_page(found, moving.display), end="")
    fits = any(all(fit.fits for fit in demand.fits) and not demand.exceeded for demand in found)
    return 0 if fits else 1


def _over_envelope(
    machine: Robot, envelope: str, cases: str, units: str | None, prove: bool, json: bool, moving: MotionOptions
) -> int:
    from gough.cli.out_files import announce, write_whole
    from gough.cli.output import steps, to_json
    from gough.cli.pages.size_page import size_page
    from gough.design import prove as proved
    from gough.design import read_envelope, size
    from gough.design.prove_envelope import check_provable

    ranges = read_envelope(machine, envelope)
    if prove:
        check_provable(machine, ranges)
    with steps() as progress:
        progress("searching the envelope")
        result = size(machine, ranges)
        if prove:
            progress("proving what was found")
            result = replace(result, proof=proved(result))
    if cases:
        write_whole(Path(cases), result.cases_table.to_csv(units=units).encode())
    page = to_json(result.to_dict()) if json else size_page(result, moving.display, moving.payload)
    print(page, end="\n" if json else "")
    if cases and not json:
        announce(cases)
    feasible = result.margin is None or result.margin.feasible
    return 0 if feasible and not result.exceeded else 1


def _check_options(
    envelope: str, moving: MotionOptions, others: dict[str, str | None], cases: str, prove: bool
) -> None:
    if envelope:
        for name, value in (moving.stated() | others).items():
            if value and name not in ("--payload", "--tool", "--units"):
                raise InputError(f"{name}: cannot go with --envelope")
    elif cases:
        raise InputError(f"--cases {cases}: needs --envelope")
    elif prove:
        raise InputError("--prove: needs --envelope")
