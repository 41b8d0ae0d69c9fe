"""`gough new`: a commented robot file to start from."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from gough.cli.options import choice
from gough.cli.out_files import check_file, write_whole
from gough.errors import InputError
from gough.files import own_descriptor

KINDS = ("UPS", "PUS", "RUS", "SRU", "delta", "UPU", "RPS", "PRS", "tricept", "RRR", "cable", "joints")
USES = {
    "motor": "size stewart --motor",
    "envelope": "size stewart --envelope",
    "study": "study",
    "measurements": "calibrate {}",
}
"""The command that takes each kind of file."""


def run(
    legs: Annotated[
        str, typer.Option("--legs", metavar="KIND", help="Kind of legs, one of those listed below.")
    ] = "UPS",
    motor: Annotated[bool, typer.Option("--motor", help="A motor file for `gough size --motor` instead.")] = False,
    envelope: Annotated[
        bool, typer.Option("--envelope", help="An envelope file for `gough size --envelope` instead.")
    ] = False,
    study: Annotated[bool, typer.Option("--study", help="A file for `gough study` instead.")] = False,
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="Write to this file instead of printing.")] = "",
    measurements: Annotated[
        bool, typer.Option("--measurements", help="A CSV file to fill in, for gough calibrate, instead of a robot.")
    ] = False,
    robot: Annotated[
        str, typer.Option("--robot", metavar="ROBOT", help="Whose measurements: a name or TOML file.")
    ] = "stewart",
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE if it exists.")] = False,
) -> None:
    """Print or write a file that works, with comments on what to change.

    \b
    Kinds:
      UPS      legs that change their length (Stewart platform)
      PUS      rods of fixed length on straight sliders (hexapod)
      RUS      rods on turning cranks (servo platform)
      SRU      legs with driven knees
      delta    cranks and parallelograms, three translations
      UPU      struts between universal joints, three translations
      RPS      hinged struts: a head that goes up and tilts
      PRS      hinged rods on straight sliders: likewise
      tricept  struts about a passive tube
      RRR      planar robot
      cable    suspended cable robot
      joints   any legs, joint by joint: an ankle

    \b
    Examples:
      gough new --out robot.toml
      gough new --legs delta --out mydelta.toml
      gough show mydelta.toml --png mydelta.png
      gough new --motor --out servo.toml
      gough new --study --out study.toml
      gough new --measurements --robot mydelta.toml --out measured.csv
    """
    flags = {"motor": motor, "envelope": envelope, "study": study, "measurements": measurements}
    asked = [name for name, given in flags.items() if given]
    if len(asked) > 1:
        raise InputError(f"--{asked[0]} and --{asked[1]} are two files; ask for one at a time")
    if measurements:
        from gough.calibration.template import template
        from gough.cli.loading import load_robot

        text, ending = template(load_robot(robot)), ".csv"
    else:
        text, ending = starter(asked[0] if asked else choice("--legs", legs, KINDS)), ".toml"
    if not out:
        print(text, end="")
        return
    path = Path(out)
    check_file("--out", path, (ending,))
    try:
        write_whole(path, text.encode(), replace=force)
    except FileExistsError:
        raise InputError(f"--out {out}: is there already (--force replaces it)") from None
    if own_descriptor(path) != 1:
        print(f"wrote {out}; next: gough {USES[asked[0]].format(robot) if asked else 'show'} {out}")


def starter(kind: str) -> str:
    """The starter file of one of `KINDS`, of a motor, an envelope or a study."""
    return (files("gough.cli") / "starters" / f"{kind.lower()}.toml").read_text("utf-8")
