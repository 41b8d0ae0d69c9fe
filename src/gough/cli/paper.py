"""`gough paper`: the figures and tables of the paper a robot comes from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gough.cli.options import choice
from gough.errors import InputError

NAMES = ("stewart", "hexapod", "spatial3", "sru")
PaperArgument = Annotated[str, typer.Argument(metavar="PAPER", help="stewart, hexapod, spatial3 or sru.")]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="Folder for the files, by default paper-PAPER."),
]


def run(paper: PaperArgument, out: OutOption = None) -> None:
    """Draw a paper's figures (PNG) and write its tables (text), by the paper's own method.

    \b
    Examples:
      gough paper stewart
      gough paper hexapod --out figures
    """
    name = choice("PAPER", paper, NAMES)
    folder = Path(f"paper-{name}") if out is None else out
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out {folder}: is a file; name a folder")
    from gough.cli.files import write_whole
    from gough.report.papers import PAPERS

    files = PAPERS[name]()
    folder.mkdir(parents=True, exist_ok=True)
    for file, content in files.items():
        write_whole(folder / file, content)
        print(folder / file)
