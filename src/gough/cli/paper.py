"""`gough paper`: the figures and tables of the paper a robot comes from."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import Annotated

import typer

from gough.cli.options import choice
from gough.errors import InputError

NAMES = ("stewart", "hexapod", "spatial3", "sru")
BY_AUTHOR = {"lopes": "stewart", "sinatra": "hexapod", "xi": "hexapod", "angeles": "sru"}
PaperArgument = Annotated[
    str,
    typer.Argument(
        metavar="PAPER",
        help="Its robot or an author: stewart (Lopes), hexapod (Sinatra, Xi, Staicu), spatial3 (Staicu) or sru "
        "(Angeles).",
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="Output folder. [paper-PAPER]"),
]


FormatsOption = Annotated[
    str,
    typer.Option(
        "--formats", metavar="LIST", help="File formats of the figures: png, svg, pdf, csv (their numbers), or all."
    ),
]
DEFAULT_FORMATS = "png,csv"


def run(paper: PaperArgument, out: OutOption = None, formats: FormatsOption = DEFAULT_FORMATS) -> None:
    """Draw a paper's figures and write its tables (text), by the paper's own method.

    \b
    Examples:
      gough paper stewart
      gough paper lopes
      gough paper hexapod --out figures --formats pdf,csv
    """
    if paper.lower() == "staicu":
        raise InputError("PAPER staicu: is an author of two: choose hexapod or spatial3")
    name = BY_AUTHOR.get(paper.lower()) or choice("PAPER", paper, (*NAMES, *BY_AUTHOR))
    chosen = _formats(formats)
    folder = Path(f"paper-{name}") if out is None else out
    from gough.cli.out_files import new_folder, write_whole

    new_folder("--out", folder, parents=True)
    from gough.reports.papers import PAPERS

    found = PAPERS[name]()
    files = found.files(chosen)
    folder.mkdir(parents=True, exist_ok=True)
    for file, content in files.items():
        write_whole(folder / file, content)
        print(folder / file)
    for line in (found.method, *found.notes):
        print(fill(line, 100, break_on_hyphens=False))


def _formats(listed: str) -> list[str]:
    """The formats of a list, each once.

    Raises:
        InputError: An unknown one, or none.
    """
    from gough.reports.papers.figures import FORMATS

    if listed.strip().lower() == "all":
        return list(FORMATS)
    entries = [entry.strip().lower().removeprefix(".") for entry in listed.split(",")]
    return list(dict.fromkeys(choice("--formats", entry, (*FORMATS, "all")) for entry in entries))
