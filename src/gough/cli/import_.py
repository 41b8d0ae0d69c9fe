"""`gough import`: a robot file from a URDF, MJCF or SDF file with loops."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from gough.cli.out_files import announce, check_file, write_whole


def run(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A .urdf, .xml (MJCF) or .sdf file.", show_default=False)],
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="The robot file to write, .toml.")],
    platform: Annotated[
        str,
        typer.Option("--platform", metavar="LINK", help="Link that is the platform; needed if several are possible."),
    ] = "",
    loops: Annotated[
        str, typer.Option("--loops", metavar="FILE", help="YAML file of the loops of a URDF. [the one beside it]")
    ] = "",
    actuated: Annotated[
        str, typer.Option("--actuated", metavar="JOINTS", help="Actuated joints, A,B,... [those that the file names]")
    ] = "",
    base: Annotated[str, typer.Option("--base", metavar="LINK", help="Link that is the fixed base.")] = "",
    independent: Annotated[
        str,
        typer.Option(
            "--independent", metavar="MOTIONS", help="Independent motions of the platform, e.g. z,pitch,roll."
        ),
    ] = "",
    no_check: Annotated[
        bool, typer.Option("--no-check", help="Do not compare closure and forces with the format's engine.")
    ] = False,
) -> None:
    """Write a robot file from a URDF, MJCF or SDF file with loops.

    Base, legs and platform are found in the file; a URDF has its loops in a YAML file beside it, or links with two
    parents. Notes on standard error list what was left out or changed. At the end closure and forces are compared with
    those of Pinocchio or MuJoCo, if installed, on the imported file; see
    "Import: a robot from URDF, MJCF or SDF" in the documentation.

    \b
    Examples:
      gough import robot.urdf --loops loops.yaml --platform plate --out robot.toml
      gough import robot.xml --actuated motor1,motor2,motor3 --out robot.toml
    """
    from gough.formats import import_robot

    check_file("--out", out, (".toml",))
    found = import_robot(
        file,
        platform or None,
        loops=loops or None,
        actuated=_list(actuated),
        base=base or None,
        independent=_list(independent),
        compare=not no_check,
    )
    write_whole(Path(out), found.to_toml().encode())
    for remark in found.remarks:
        print(f"gough: note: {remark}", file=sys.stderr)
    if found.agreement is not None:
        a = found.agreement
        line = f"{a.engine} agrees on the file itself: loops to {a.closure:.1g}, forces to {a.force:.1g} of the largest"
        print(f"gough: note: {line}", file=sys.stderr)
    announce(out)


def _list(text: str) -> list[str] | None:
    return [word.strip() for word in text.split(",") if word.strip()] or None
