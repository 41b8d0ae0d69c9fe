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
        str, typer.Option("--platform", metavar="LINK", help="The platform's link, where several are possible.")
    ] = "",
    loops: Annotated[
        str, typer.Option("--loops", metavar="FILE", help="YAML file of a URDF's loops; the one beside it if left out.")
    ] = "",
    actuated: Annotated[
        str, typer.Option("--actuated", metavar="JOINTS", help="Driven joints, A,B,..; what the file says if left out.")
    ] = "",
    base: Annotated[str, typer.Option("--base", metavar="LINK", help="The link that stands still.")] = "",
    independent: Annotated[
        str,
        typer.Option("--independent", metavar="MOTIONS", help="Motions that the others follow, as z,rx,ry."),
    ] = "",
    no_check: Annotated[
        bool, typer.Option("--no-check", help="Do not compare closure and forces with the format's engine.")
    ] = False,
) -> None:
    """Write a robot file from a URDF, MJCF or SDF file with loops.

    Base, legs and platform are found in the file; a URDF has its loops in a YAML file beside it, or links with two
    parents. Lines on standard error tell what was left out or changed. At the end closure and forces are compared with
    Pinocchio or MuJoCo, where installed, on the file itself; see docs/import.md.

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
