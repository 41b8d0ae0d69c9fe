"""`gough check`: does a motion fit the machine."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from gough.cli.motion_options import MotionOptions
from gough.cli.options import BaseOption, JsonOption, LimitOption, RobotArgument, SettingsOption, not_negative
from gough.errors import InputError


def run(
    robot: RobotArgument,
    moving: MotionOptions,
    limits: LimitOption = [],  # noqa: B006
    settings: SettingsOption = [],  # noqa: B006
    base: BaseOption = None,
    around: Annotated[
        str | None,
        typer.Option(
            "--tube",
            metavar="DISTANCE",
            help="Prove that all poses within this distance of the motion keep the least singular value of K above "
            "--limit singular, or K of full rank; 0 for the motion alone.",
        ),
    ] = None,
    json: JsonOption = False,
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="Write .txt or .json instead of printing.")] = "",
) -> int:
    """Check whether a motion fits: every limit with its worst leg, time, value and margin, between samples too.

    Limits are the robot's own unless --limit gives others. Exit code 0: the motion fits; 1: it does not; 2: there is no
    limit; 3: out of reach, and the table ends there, or cables or redundant actuators have no forces within their
    limits for it. With --tube, exit code 1 also means that the proof failed; the distance of two poses is
    sqrt(translation^2 + (length angle)^2), with the characteristic length.

    \b
    Examples:
      gough check stewart
      gough check hexapod --motion rotation --limit force=12 --limit condition=10
      gough check rotary --to z=125mm,roll=10deg --duration 0.3 --limit angle=25deg
      gough check delta --limit distance=20mm --format json
      gough check stewart --tube 10mm --limit singular=0.3
      gough check hexapod --base-motion ship --limit force=15
    """
    from gough.cli.options import limits_of
    from gough.cli.out_files import announce, form_of, write_whole
    from gough.cli.output import to_json

    if out and form_of("--out", out, "json" if json else None, ["json"]) == "json":
        json = True
    machine = moving.robot(robot, settings)
    stated = limits_of(machine, limits, moving.units)
    moved = moving.on(machine, base=base)
    from gough.analysis import check
    from gough.analysis.sufficient import sufficient
    from gough.cli.pages.check_page import page

    result = check(machine, moved, stated)
    proof = None
    if around is not None:
        from gough.motion import parse_units
        from gough.robot.quantities import measure
        from gough.singular.tube import tube

        radius = not_negative("--tube", around, measure("length", parse_units(moving.units)))
        try:
            proof = tube(machine, moved, radius, float(stated.get("singular", 0.0)))
        except InputError as error:
            if not str(error).startswith("no proof"):
                raise
            raise InputError(f"--tube {around}: {machine.name}: {error}; leave it out") from None
    if json:
        document = result.to_dict() | {"sufficient": [found._asdict() for found in sufficient(result)]}
        text = to_json(document | ({} if proof is None else {"tube": asdict(proof)})) + "\n"
    else:
        text = page(result, moving.display)
    if proof is not None and not json:
        from gough.cli.pages.singularities_page import tube_line

        text += "\n" + tube_line(proof, moving.display)
    if out:
        write_whole(Path(out), text.encode())
        announce(out)
    else:
        print(text, end="")
    if result.lost is not None:
        raise result.lost
    return 0 if result.fits and (proof is None or proof.proved) else 1
