"""`gough export c`: functions of a robot as C code for a controller."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from gough.cli.options import RobotArgument, SettingsOption

FolderOption = Annotated[str, typer.Option("--out", metavar="DIR", help="Folder to write into; created if needed.")]
FunctionOption = Annotated[
    str,
    typer.Option(
        "--function",
        metavar="NAMES",
        help="Functions to write: ik, fk, inverse, forward, computed-torque, reactions, with commas. [all that apply]",
    ),
]
NameOption = Annotated[
    str | None, typer.Option("--name", metavar="NAME", help="Prefix of all names in C. [the robot's name]")
]
SingleOption = Annotated[bool, typer.Option("--float32", help="Single precision: floats instead of doubles.")]
ParametersOption = Annotated[
    str,
    typer.Option(
        "--parameters",
        metavar="PATHS",
        help="Numbers of the robot that can be changed at run time, with commas, e.g. platform.mass.",
    ),
]


def run(
    robot: RobotArgument,
    out: FolderOption,
    function: FunctionOption = "",
    name: NameOption = None,
    float32: SingleOption = False,
    parameters: ParametersOption = "",
    settings: SettingsOption = [],  # noqa: B006
) -> None:
    """Write functions of a robot as C code for a controller.

    C99 without dependencies: NAME.h, NAME.c, NAME_selftest.c and README.md with the compile commands. In double
    precision the results have the same bits as those of gough, and the self-test checks that on the target; see
    "C code for a controller" in the documentation.

    \b
    Examples:
      gough export c stewart --out stewart_c
      gough export c stewart --function ik,inverse --parameters platform.mass --out stewart_c
      gough export c mine.toml --float32 --name arm --out arm_c
    """
    from gough.cli.loading import load_robot
    from gough.cli.out_files import announce
    from gough.codegen import export_c

    written = export_c(load_robot(robot, settings), out, function, name=name, float32=float32, parameters=parameters)
    for remark in written.remarks:
        print(f"gough: note: {remark}", file=sys.stderr)
    announce(*written.files)
