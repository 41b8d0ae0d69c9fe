"""`gough study`: the same analysis of very many machines, here or on a cluster."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from gough.cli.options import FormatOption, choice, whole


def run(
    file: Annotated[str, typer.Argument(metavar="FILE.toml", help="Study file.", show_default=False)],
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            metavar="N",
            parser=whole(),
            help="Number of local worker processes. [none, this process computes]",
        ),
    ] = None,
    scheduler: Annotated[
        str, typer.Option("--scheduler", metavar="ADDRESS", help="Address of a dask scheduler, e.g. tcp://host:8786.")
    ] = "",
    scheduler_file: Annotated[
        str, typer.Option("--scheduler-file", metavar="F", help="File that a dask scheduler wrote its address to.")
    ] = "",
    out: Annotated[
        str, typer.Option("--out", metavar="DIR", help="Folder for the results, from which the study can be resumed.")
    ] = "",
    resume: Annotated[bool, typer.Option("--resume", help="Continue from the results in --out.")] = False,
    chunk: Annotated[
        int | None,
        typer.Option(
            "--chunk",
            metavar="N",
            parser=whole(),
            help="Machines computed and stored at a time. From 4096 on, and with workers, multiples of 4096.",
        ),
    ] = None,
    on_error: Annotated[
        str,
        typer.Option("--on-error", metavar="WHAT", help="If a function raises: stop, or count the machine as failed."),
    ] = "stop",
    best: Annotated[
        int | None,
        typer.Option(
            "--best",
            metavar="N",
            parser=whole(),
            help="Write the N best robots, of the Pareto front or the top list, into --out.",
        ),
    ] = None,
    plot: Annotated[str, typer.Option("--plot", metavar="FILE", help="Draw the result: .png, .svg or .pdf.")] = "",
    format: FormatOption = "table",
    units: Annotated[
        str, typer.Option("--units", metavar="UNITS", help="Units of the table, e.g. mm,deg; json and csv are in SI.")
    ] = "",
) -> int:
    """Run a study: tolerances, designs, workspaces or simulated robots, as defined in the file.

    The result has the same bits for any number of workers, any chunk size and after a restart. Writes result.json into
    --out. Exit code 4: memory, disk, workers or the scheduler were lost; 130: interrupted. The message says how to
    resume.

    \b
    Examples:
      gough study examples/studies/tolerances.toml --units um,deg
      gough study examples/studies/tolerances.toml --workers 2 --out tolerances --plot tolerances.png
      gough study examples/studies/tolerances.toml --out tolerances --resume
      gough study examples/studies/designs.toml --scheduler tcp://127.0.0.1:8786 --out designs --best 3
    """
    import sys

    from gough.cli.out_files import PICTURES, announce, check_file, picture_ending, write_whole
    from gough.cli.output import FORMATS, steps, to_json
    from gough.cli.pages.study_page import study_page
    from gough.display import display_units
    from gough.errors import InputError
    from gough.studies.cluster import client_of
    from gough.studies.read import read_study
    from gough.studies.run import Interrupted
    from gough.studies.user_function import FunctionError

    form = choice("--format", format, FORMATS)
    choice("--on-error", on_error, ("stop", "count"))
    if resume and not out:
        raise InputError("--resume: needs --out, the folder to resume from")
    if best is not None and (not out or best < 1):
        raise InputError(f"--best {best}: needs --out, the folder to write them to, and a number from 1 on")
    if plot:
        check_file("--plot", plot, PICTURES)
    shown = display_units(units)
    study = read_study(file)

    def tell(line: str) -> None:
        print(f"gough: {line}", file=sys.stderr)

    try:
        with client_of(workers, scheduler, scheduler_file, tell) as client, steps() as show:
            result = study.run(
                client, out=out or None, resume=resume, chunk=chunk, on_error=on_error, progress=_rate(show), tell=tell
            )
    except FunctionError as error:
        raise InputError(str(error).replace('on_error="count"', "--on-error count")) from None
    except Interrupted as stop:
        print(f"gough: interrupted: {stop}", file=sys.stderr)
        return 130
    if out:
        write_whole(Path(out) / "result.json", (to_json(result.to_dict()) + "\n").encode())
    written = [Path(out) / "result.json"] if out else []
    for k, machine in enumerate(result.best(best) if best is not None else [], 1):
        written.append(Path(out) / f"best-{k}.toml")
        write_whole(written[-1], study.machine(machine).to_toml().encode())
    if plot:
        written.append(Path(plot))
        from gough.plots import picture
        from gough.studies.study_plots import draw

        write_whole(Path(plot), picture(draw(result, shown), picture_ending(plot)))
    text = (
        to_json(result.to_dict()) if form == "json" else result.to_csv() if form == "csv" else study_page(result, shown)
    )
    print(text.rstrip("\n"))
    if form == "table":
        for path in written:
            announce(str(path))
    return 0


def _rate(show: Callable[[str], None]) -> Callable[[int, int], None]:
    """Progress with rate and time left."""
    from gough.resources import time_text

    began, before = time.monotonic(), -1

    def progress(done: int, every: int) -> None:
        nonlocal before
        before = done if before < 0 else before
        rate = (done - before) / max(time.monotonic() - began, 1e-9)
        left = time_text((every - done) / rate) if rate > 0.0 else "?"
        show(f"{done} of {every} rows, {rate:.3g}/s, {left} left")

    return progress
