"""Write a robot as a model of another program, and say what the file leaves out."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Annotated

import typer

FileOption = Annotated[str, typer.Option("--out", metavar="FILE", help="The file to write.")]
MOST = 6
"""Names in one line."""


def write_model(target: str, robot: str, out: str, settings: Sequence[str]) -> None:
    """Write the file, and a line on standard error for each thing that it leaves out or changes."""
    from gough.cli.loading import load_robot
    from gough.cli.out_files import announce, check_file
    from gough.formats import ENDINGS, export_robot

    check_file("--out", out, ENDINGS[target])
    written = export_robot(load_robot(robot, settings), out, target)
    for line in together(written.remarks):
        print(f"gough: note: {line}", file=sys.stderr)
    announce(*written.files)


def together(remarks: Iterable[str]) -> list[str]:
    """Remarks `WHAT: TEXT`, those of one text in one line."""
    owners: dict[str, list[str]] = {}
    for remark in remarks:
        owner, _, text = remark.partition(": ")
        owners.setdefault(text, []).append(owner)
    return [f"{_listed(names)}: {text}" if text else ", ".join(names) for text, names in owners.items()]


def _listed(names: list[str]) -> str:
    return (
        ", ".join(names) if len(names) <= MOST else f"{', '.join(names[: MOST - 1])} and {len(names) - MOST + 1} more"
    )
