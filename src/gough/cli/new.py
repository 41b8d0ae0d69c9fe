"""`gough new`: a commented robot file to start from."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from gough.cli.options import choice
from gough.cli.out_files import check_file, write_whole
from gough.errors import InputError
from gough.files import own_descriptor

KINDS = ("UPS", "PUS", "RUS", "delta")


def run(
    legs: Annotated[str, typer.Option("--legs", metavar="KIND", help="UPS, PUS, RUS or delta.")] = "UPS",
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="Write to this file instead of printing.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE if it exists.")] = False,
) -> None:
    """Print or write a robot file that works, with comments on what to change.

    \b
    Kinds:
      UPS    legs that change their length (Stewart platform)
      PUS    rods of fixed length on straight sliders (hexapod)
      RUS    rods on turning cranks (servo platform)
      delta  cranks and parallelograms, three translations

    \b
    Examples:
      gough new --out robot.toml
      gough new --legs delta --out mydelta.toml
      gough show mydelta.toml --png mydelta.png
    """
    text = starter(choice("--legs", legs, KINDS))
    if not out:
        print(text, end="")
        return
    path = Path(out)
    check_file("--out", path, (".toml",))
    try:
        write_whole(path, text.encode(), replace=force)
    except FileExistsError:
        raise InputError(f"--out {out}: is there already (--force replaces it)") from None
    if own_descriptor(path) != 1:
        print(f"wrote {out}; next: gough show {out}")


def starter(kind: str) -> str:
    """The starter file of one of `KINDS`."""
    return (files("gough.cli") / "starters" / f"{kind.lower()}.toml").read_text("utf-8")
