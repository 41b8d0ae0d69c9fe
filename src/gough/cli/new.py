"""`gough new`: a commented robot file to start from."""

from __future__ import annotations

import os
import re
import shlex
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import typer

from gough.cli.options import choice
from gough.cli.out_files import check_file, write_whole
from gough.errors import InputError
from gough.files import own_descriptor

KINDS = ("UPS", "PUS", "RUS", "SRU", "delta", "PPa", "UPU", "RPS", "PRS", "tricept", "RRR", "cable", "joints")
HOLDS = {"RPa": "delta", "Pa": "delta", "UP": "tricept", "stewart": "UPS", "hexapod": "PUS", "rotary": "RUS"}
"""The kind whose starter has legs of a type, or is a machine, that people name."""
USES = {
    "motor": "size {} --motor",
    "envelope": "size {} --envelope",
    "study": "study",
    "optimise": "optimise",
    "measurements": "calibrate {}",
}
"""The command that takes each kind of file."""


def run(
    legs: Annotated[str, typer.Option("--legs", metavar="KIND", help=f"Kind of legs: {', '.join(KINDS)}.")] = "UPS",
    motor: Annotated[
        bool, typer.Option("--motor", help="Write a motor file for `gough size --motor` instead.")
    ] = False,
    envelope: Annotated[
        bool, typer.Option("--envelope", help="Write an envelope file for `gough size --envelope` instead.")
    ] = False,
    study: Annotated[bool, typer.Option("--study", help="Write a file for `gough study` instead.")] = False,
    optimise: Annotated[bool, typer.Option("--optimise", help="Write a file for `gough optimise` instead.")] = False,
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="Write to this file instead of printing.")] = "",
    measurements: Annotated[
        bool, typer.Option("--measurements", help="Write a CSV file to fill in, for `gough calibrate`, instead.")
    ] = False,
    robot: Annotated[
        str,
        typer.Option(
            "--robot",
            metavar="ROBOT",
            help="Robot of the measurements, the envelope or the optimisation: a name or TOML file.",
        ),
    ] = "stewart",
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE if it exists.")] = False,
) -> None:
    """Print or write a complete file, with comments on what to change.

    \b
    Kinds:
      UPS      legs that change their length (Stewart platform)
      PUS      rods of fixed length on straight sliders (hexapod)
      RUS      rods on turning cranks (servo platform)
      SRU      legs with driven knees
      delta    cranks and parallelograms, three translations
      PPa      sliders and parallelograms, three translations (linear delta)
      UPU      struts between universal joints, three translations
      RPS      hinged struts: a head that goes up and tilts
      PRS      hinged rods on straight sliders: a head that goes up and tilts
      tricept  struts about a passive tube
      RRR      planar robot
      cable    suspended cable robot
      joints   any legs, joint by joint: an ankle

    Other leg types, such as RSS, have a short file.

    \b
    Examples:
      gough new --out robot.toml
      gough new --legs delta --out mydelta.toml
      gough show mydelta.toml --png mydelta.png
      gough new --motor --out servo.toml
      gough new --envelope --robot mydelta.toml --out envelope.toml
      gough new --study --out study.toml
      gough new --optimise --robot mydelta.toml --out best.toml
      gough new --measurements --robot mydelta.toml --out measured.csv
    """
    flags = {"motor": motor, "envelope": envelope, "study": study, "optimise": optimise, "measurements": measurements}
    asked = [name for name, given in flags.items() if given]
    if len(asked) > 1:
        raise InputError(f"--{asked[0]} and --{asked[1]} are two files; ask for one at a time")
    if measurements:
        from gough.calibration.measurements import measurement_template
        from gough.cli.loading import load_robot

        text, ending = measurement_template(load_robot(robot), shlex.quote(robot)), ".csv"
    elif envelope and robot != "stewart":
        from gough.cli.envelope_starter import envelope_of
        from gough.cli.loading import load_robot

        text, ending = envelope_of(load_robot(robot)), ".toml"
    elif optimise:
        from gough.cli.loading import load_robot
        from gough.cli.optimisation_starter import optimisation_of

        text, ending = optimisation_of(load_robot(robot), _beside(robot, out)), ".toml"
    else:
        text, ending = starter(asked[0] if asked else kind_of(legs)), ".toml"
    if not out:
        print(text, end="")
        return
    path = Path(out)
    check_file("--out", path, (ending,))
    try:
        write_whole(path, text.encode(), replace=force)
    except FileExistsError:
        raise InputError(f"--out {out}: exists already (--force replaces it)") from None
    if own_descriptor(path) != 1:
        print(f"wrote {out}; next: gough {USES[asked[0]].format(robot) if asked else 'show'} {out}")


def kind_of(legs: str) -> str:
    """The one of `KINDS`, or the leg type, that `--legs` names.

    Raises:
        InputError: It is none; where it is a leg type of another starter, the message says which.
    """
    named = re.sub(r"^\d+-", "", legs).lower()
    for name, kind in HOLDS.items():
        if name.lower() == named:
            raise InputError(f"--legs {legs}: these are in the starter of --legs {kind}")
    from gough.robot import SHORT_FORMS

    others = [form.name for form in SHORT_FORMS.values() if form.example or _file(form.name).is_file()]
    return choice("--legs", legs, list(dict.fromkeys((*KINDS, *others))))


def _beside(robot: str, out: str) -> str:
    """How a file names the robot: by its name, or by its path from where the file is."""
    from gough.robot import catalogue

    if robot in catalogue() or Path(robot).is_absolute():
        return robot
    return os.path.relpath(robot, Path(out).parent)


def starter(kind: str) -> str:
    """The starter file of one of `KINDS`, of a leg type, of a motor, an envelope, a study or an optimisation."""
    from gough.robot import SHORT_FORMS

    form = SHORT_FORMS.get(kind)
    return form.example if form is not None and form.example else _file(kind).read_text("utf-8")


def _file(kind: str) -> Traversable:
    return files("gough.cli") / "starters" / f"{kind.lower()}.toml"
