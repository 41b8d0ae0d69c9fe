"""`gough export fmu`: a robot as a functional mock-up unit."""

from __future__ import annotations

from typing import Annotated

import typer

from gough.cli.exports.model_files import FileOption
from gough.cli.options import RobotArgument, SettingsOption

KindOption = Annotated[
    str, typer.Option("--kind", metavar="KIND", help="plant: forces in, motion out; inverse: motion in, forces out.")
]


def run(robot: RobotArgument, out: FileOption, kind: KindOption = "plant", settings: SettingsOption = []) -> None:  # noqa: B006
    """Write a robot as a functional mock-up unit (FMI 3.0, co-simulation) for Simulink, Modelica or fmpy.

    Its library runs on machines like this one and is built by the C compiler found here; the sources are included. See
    "FMU: a robot in Simulink, Modelica or fmpy" in the documentation.

    \b
    Examples:
      gough export fmu stewart --out stewart.fmu
      gough export fmu stewart --kind inverse --out stewart_inverse.fmu
    """
    from gough.cli.loading import load_robot
    from gough.cli.out_files import announce, check_file
    from gough.codegen import export_fmu

    check_file("--out", out, (".fmu",))
    announce(export_fmu(load_robot(robot, settings), out, kind))
