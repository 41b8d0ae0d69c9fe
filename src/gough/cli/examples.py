"""`gough examples`: the numbered scripts and files that come with gough, or copies of them in a folder."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from textwrap import shorten
from typing import Annotated

import typer

from gough.cli.out_files import new_folder, write_whole
from gough.cli.output import table
from gough.errors import InputError

ENDINGS = (".py", ".toml", ".ipynb", ".csv")


def run(
    folder: Annotated[
        str, typer.Argument(metavar="[FOLDER]", help="Copy them into this folder; listed if omitted.")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that are there.")] = False,
) -> None:
    """List the example scripts, or copy them into a folder.

    \b
    Examples:
      gough examples
      gough examples my_examples
    """
    source = examples_folder()
    names = sorted(
        str(path.relative_to(source)) for path in source.rglob("*") if path.suffix in ENDINGS and _is_shown(path)
    )
    if not folder:
        print(table(["example", "shows"], [[name, _title(source / name)] for name in names]))
        return
    target = Path(folder)
    new_folder("FOLDER", target)
    there = [name for name in names if (target / name).exists()]
    if there and not force:
        raise InputError(f"{target / there[0]}: exists already (--force replaces it)")
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(target / name, (source / name).read_bytes(), replace=force)
    print(f"wrote {len(names)} files to {target}; next: python {target / names[0]}")


def examples_folder() -> Path:
    """Where the examples are: within the installed package, or in the repository that it is run from."""
    package = Path(str(files("gough")))
    for folder in (package / "examples", package.parents[1] / "examples"):
        if folder.is_dir():
            return folder
    raise InputError(f"examples: not found beside {package}; install gough again from a whole wheel")


def _is_shown(path: Path) -> bool:
    """Scripts that are numbered, all notebooks and files: others need the repository around them."""
    return path.suffix != ".py" or path.name[:1].isdigit()


def _title(path: Path) -> str:
    """First line of a script's docstring or of a file's comment, a notebook's title, or columns of a CSV file."""
    if path.suffix == ".ipynb":
        import json

        lines = json.loads(path.read_text("utf-8"))["cells"][0]["source"]
        return "".join(lines).splitlines()[0].lstrip("# ")
    line = path.read_text("utf-8").splitlines()[0].strip('"# ')
    if path.suffix == ".csv":
        line = f"Measurements, for the page on calibration: {line.replace(',', ', ')}"
    return shorten(line, 90, placeholder=" ...")
