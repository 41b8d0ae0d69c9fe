"""`gough optimise`: the best design for a task."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Annotated

import typer

from gough.cli.options import choice


def run(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE.toml", help="File with the robot, poses, task, design parameters, objective and limits."
        ),
    ],
    format: Annotated[str, typer.Option("--format", metavar="FORMAT", help="table, csv or json.")] = "table",
    out: Annotated[
        str,
        typer.Option(
            "--out",
            metavar="FILE.toml",
            help="Write the best design as the robot's file with new numbers; a Pareto front as FILE-1.toml, ...",
        ),
    ] = "",
    prove: Annotated[
        bool, typer.Option("--prove", help="Prove over the whole box: no singularity, and bounds on forces and speeds.")
    ] = False,
    plot: Annotated[
        str, typer.Option("--plot", metavar="FILE.png", help="Draw the Pareto front, or the result of each start.")
    ] = "",
) -> int:
    """Find the best design for a task: dimensions, masses and the place of the task, under limits.

    The worst value over all states of the task is minimised with exact gradients from many starts. Two objectives give
    a Pareto front; a list of robots gives the best of these machines. Ctrl-C ends the search: the best design so far is
    printed and written. Exit code 1: no design within the bounds keeps all limits; the message says which limit is
    exceeded and by how much. The file is described in
    "Which machine is best for a task? Design optimisation" in the documentation.

    \b
    Examples:
      gough optimise best.toml
      gough optimise best.toml --out better.toml --plot front.png --prove
    """
    from gough.cli.out_files import PICTURES, announce, check_file, picture_ending, write_whole

    form = choice("--format", format, ("table", "csv", "json"))
    if out:
        check_file("--out", out, (".toml",))
    if plot:
        check_file("--plot", plot, PICTURES)
    from gough.cli.output import steps
    from gough.cli.pages.optimise_page import exceeded_lines, page
    from gough.errors import GoughWarning
    from gough.optimisation.design_file import design_text
    from gough.optimisation.optimise import optimise
    from gough.plots import picture

    done: list[str] = []
    try:
        with steps() as show:

            def progress(words: str) -> None:
                done.append(words)
                show(words)

            result = optimise(file, progress=progress, prove=prove)
    except KeyboardInterrupt:
        before = "a design that keeps all limits was found" if done else "the first start was finished"
        print(f"gough: interrupted before {before}; nothing written", file=sys.stderr)
        return 130
    contents: dict[str, bytes] = {}
    if out:
        own = Path(out)
        designs = list(result.front) or [result.best]
        names = [own.with_name(f"{own.stem}-{k}{own.suffix}") for k in range(1, len(designs) + 1)]
        for file_name, one in zip(names if result.front else [own], designs, strict=True):
            contents[str(file_name)] = design_text(file, result, one).encode()
            for line in exceeded_lines(result, one):
                warnings.warn(f"{file_name}: {line}", GoughWarning, stacklevel=2)
    if plot:
        contents[plot] = picture(result.plot(), picture_ending(plot))
    for name, content in contents.items():
        write_whole(Path(name), content)
    if form == "table":
        text = page(result)
    else:
        rows = result.designs if result.front else result
        text = rows.to_csv() if form == "csv" else result.to_json()
    print(text, end="" if text.endswith("\n") else "\n")
    if contents:
        announce(*contents)
    return 130 if result.interrupted else 0
