"""`gough new`: a commented robot file to start from."""

from __future__ import annotations

import math
import re
import shlex
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gough.cli.options import choice
from gough.cli.out_files import check_file, write_whole
from gough.errors import InputError
from gough.files import own_descriptor

if TYPE_CHECKING:
    from gough.robot import Robot

KINDS = ("UPS", "PUS", "RUS", "SRU", "delta", "UPU", "RPS", "PRS", "tricept", "RRR", "cable", "joints")
USES = {
    "motor": "size {} --motor",
    "envelope": "size {} --envelope",
    "study": "study",
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
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="Write to this file instead of printing.")] = "",
    measurements: Annotated[
        bool, typer.Option("--measurements", help="Write a CSV file to fill in, for `gough calibrate`, instead.")
    ] = False,
    robot: Annotated[
        str,
        typer.Option(
            "--robot", metavar="ROBOT", help="Robot of the measurements or the envelope: a name or TOML file."
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
      UPU      struts between universal joints, three translations
      RPS      hinged struts: a head that goes up and tilts
      PRS      hinged rods on straight sliders: a head that goes up and tilts
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
      gough new --envelope --robot mydelta.toml --out envelope.toml
      gough new --study --out study.toml
      gough new --measurements --robot mydelta.toml --out measured.csv
    """
    flags = {"motor": motor, "envelope": envelope, "study": study, "measurements": measurements}
    asked = [name for name, given in flags.items() if given]
    if len(asked) > 1:
        raise InputError(f"--{asked[0]} and --{asked[1]} are two files; ask for one at a time")
    if measurements:
        from gough.calibration.measurements import measurement_template
        from gough.cli.loading import load_robot

        text, ending = measurement_template(load_robot(robot), shlex.quote(robot)), ".csv"
    elif envelope and robot != "stewart":
        from gough.cli.loading import load_robot

        text, ending = envelope_of(load_robot(robot)), ".toml"
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
        raise InputError(f"--out {out}: exists already (--force replaces it)") from None
    if own_descriptor(path) != 1:
        print(f"wrote {out}; next: gough {USES[asked[0]].format(robot) if asked else 'show'} {out}")


def starter(kind: str) -> str:
    """The starter file of one of `KINDS`, of a motor, an envelope or a study."""
    return (files("gough.cli") / "starters" / f"{kind.lower()}.toml").read_text("utf-8")


def envelope_of(robot: Robot) -> str:
    """The starter file of an envelope, in a robot's own coordinates: a small box about home, loads by its weight.

    All speeds at once stay within half of what the actuators state, the payload is a fifth of the platform.
    """
    from gough.kinematics.programs import characteristic_length

    far = 0.05 * characteristic_length(robot)
    slide, turn = _speeds(robot)
    rows: dict[str, list[str]] = {"pose": [], "velocity": [], "acceleration": []}
    for coordinate, home in zip(robot.platform.coordinates, robot.platform.home, strict=True):
        name = coordinate.name
        if coordinate.turns:
            middle = math.degrees(home)
            rows["pose"].append(f'{name} = ["{middle - 3:.4g} deg", "{middle + 3:.4g} deg"]')
            rows["velocity"].append(f'{name} = "{math.degrees(turn):.2g} deg/s"')
            rows["acceleration"].append(f'{name} = "{5 * math.degrees(turn):.2g} deg/s^2"')
        else:
            rows["pose"].append(f'{name} = ["{1e3 * (home - far):.4g} mm", "{1e3 * (home + far):.4g} mm"]')
            rows["velocity"].append(f'{name} = "{slide:.2g} m/s"')
            rows["acceleration"].append(f'{name} = "{10 * slide:.2g} m/s^2"')
    text = starter("envelope").replace("the catalogue's stewart", robot.name)
    mass = 0.2 * robot.platform.body.mass
    text = text.replace('"2 kg"', f'"{mass:.2g} kg"').replace("mz = [0, 0.3]", f"mz = [0, {mass * far:.2g}]")
    text = text.replace('"-50 N"', f'"-{0.5 * mass * math.hypot(*robot.gravity) or 1.0:.3g} N"')
    for table, lines in rows.items():
        found = re.search(rf"\[{table}\].*\n(?:(?:shape|of) .*\n)*((?:(?:x|z|theta) .*\n)+)", text)
        assert found is not None
        text = text[: found.start(1)] + "".join(f"{line}\n" for line in lines) + text[found.end(1) :]
    return text


def _speeds(robot: Robot) -> tuple[float, float]:
    """Speeds [m/s] and rates [rad/s] of coordinates that all at once take actuators at home to half of their limits."""
    import numpy as np

    from gough.kinematics import inverse_kinematics

    slide, turn = 0.2, math.radians(20)
    each = np.array([turn if c.turns else slide for c in robot.platform.coordinates])
    fastest = np.abs(inverse_kinematics(robot, robot.platform.home).K) @ each
    shares = [
        0.5 * joint.limits.speed / speed
        for joint, speed in zip(robot.actuators, fastest.tolist(), strict=True)
        if joint.limits.speed is not None and speed > 0.0
    ]
    share = min([1.0, *shares])
    return share * slide, share * turn
