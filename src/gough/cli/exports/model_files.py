"""Write a robot as a model of another program, and say what the file leaves out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

FileOption = Annotated[str, typer.Option("--out", metavar="FILE", help="The file to write.")]


def write_model(target: str, robot: str, out: str, settings: Sequence[str]) -> None:
    """Write the file, and a line on standard error for each thing that it leaves out or changes."""
    from gough.cli.loading import load_robot
    from gough.cli.out_files import announce, check_file
    from gough.formats import ENDINGS, export_robot

    check_file("--out", out, ENDINGS[target])
    written = export_robot(load_robot(robot, settings), out, target)
    for remark in written.remarks:
        print(f"gough: note: {remark}", file=sys.stderr)
    announce(*written.files)
