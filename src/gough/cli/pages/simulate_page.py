"""What `gough simulate` prints and writes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from gough.cli.out_files import check_folder, new_folder, write_whole
from gough.cli.output import table
from gough.display import Display, number
from gough.errors import InputError
from gough.simulation import Ensemble, Simulation
from gough.table.formats import require_pyarrow

NAMES: tuple[str, ...] = (
    "run.csv",
    "run.json",
    "path.png",
    "force.png",
    "energy.png",
    "robots.csv",
    "statistics.csv",
    "ensemble.json",
)
NAMES += ("spread.png", "history.csv", "run.parquet")
"""All files that may be written; one that cannot be is refused before the work."""


def check_out(out: str, parquet: bool) -> Path | None:
    """The folder to write to, which may have to be made.

    Raises:
        InputError: It is a file, or there is no folder to make it in; a Parquet file cannot be written.
    """
    if parquet:
        if not out:
            raise InputError("--parquet: needs --out, the folder to write to")
        require_pyarrow()
    if not out:
        return None
    folder = Path(out)
    new_folder("--out", folder)
    for name in NAMES:
        if (folder / name).exists():
            check_folder("--out", folder / name)
    return folder


def show(
    result: Simulation | Ensemble, folder: Path | None, parquet: bool, display: Display, csv_units: str | None = None
) -> None:
    """Print and write a result, CSV in `csv_units` if given."""
    print(_page(result, display))
    if folder is not None:
        written = _write(result, folder, parquet, display, csv_units)
        print(f"wrote {', '.join(written)} in {folder}")


def verdict(result: Simulation | Ensemble, display: Display) -> int:
    """The exit code, after a line on standard error for what is not fine."""
    if result.why == "interrupted":
        print("gough: interrupted; what was computed is marked complete: false", file=sys.stderr)
        return 130
    if isinstance(result, Ensemble):
        lost = np.flatnonzero(result.diverged >= 0)
        if len(lost):
            pace, clock = display.time
            at = result.diverged[lost[0]] * result.step * pace
            print(
                f"gough: {len(lost)} of {len(result.numbers)} robots diverged, "
                f"the first is robot {result.numbers[lost[0]]} by t = {at:.4g} {clock}",
                file=sys.stderr,
            )
        return 3 if len(lost) else 0
    for event in result.events:
        print(f"gough: {event.line(display)}", file=sys.stderr)
    if not result.balanced:  # `simulate` has warned
        return 3
    return 1 if result.events else 0


def _page(result: Simulation | Ensemble, display: Display) -> str:
    body = _ensemble(result, display) if isinstance(result, Ensemble) else _run(result, display)
    return f"{result.summary_in(display)}\n\n{body}"


def _run(run: Simulation, display: Display) -> str:
    """End and largest error of each coordinate, largest force of each actuator."""
    rows = []
    for k, coordinate in enumerate(run.robot.platform.coordinates):
        factor, unit = display.travel(coordinate.turns)
        error = "" if run.error is None else f"{np.abs(run.error[:, k]).max() * factor:.3g}"
        rows.append([coordinate.name, unit, number(run.x[0, k] * factor), number(run.x[-1, k] * factor), error])
    first = table(["coordinate", "unit", "start", "end", "largest error"], rows)
    joints = run.robot.actuators
    rows = []
    for k, (name, joint) in enumerate(zip(run.actuators, joints, strict=True)):
        push, unit = display.effort(joint.kind == "R")
        worst = float(np.fmax.reduce(np.abs(run.force[:, k]))) * push  # NaN where it stops before it begins
        bound = "" if joint.limits.force is None else number(joint.limits.force * push)
        rows.append([name, unit, number(worst, 5), bound])
    return f"{first}\n\n{table(['actuator', 'unit', 'largest force', 'limit'], rows)}"


def _ensemble(run: Ensemble, display: Display) -> str:
    """Spread of the final states."""
    rows = []
    for k, coordinate in enumerate(run.robot.platform.coordinates):
        factor, unit = display.travel(coordinate.turns)
        figures = [values[-1, k] * factor for values in (run.mean, run.deviation, run.least, run.most)]
        rows.append([coordinate.name, unit, *[f"{figure:.6g}" for figure in figures]])
    return table(["coordinate", "unit", "mean at the end", "deviation", "least", "most"], rows)


def _write(
    result: Simulation | Ensemble, folder: Path, parquet: bool, display: Display, csv_units: str | None
) -> list[str]:
    """Names of the files, each written whole."""
    from gough.plots import png
    from gough.reports import run_plots

    folder.mkdir(exist_ok=True)
    contents: dict[str, Any] = {}
    if isinstance(result, Ensemble):
        contents["robots.csv"] = result.to_csv(units=csv_units).encode()
        contents["statistics.csv"] = result.statistics_table.to_csv(units=csv_units).encode()
        contents["ensemble.json"] = result.to_json().encode()
        contents["spread.png"] = png(run_plots.spread_plot(result, display))
        if result.history is not None and len(result.t) > result.steps:
            contents["history.csv"] = result.history_table.to_csv(units=csv_units).encode()
    else:
        contents["run.csv"] = result.to_csv(units=csv_units).encode()
        contents["run.json"] = result.to_json().encode()
        for name in ("path", "force", "energy"):
            contents[f"{name}.png"] = png(getattr(run_plots, f"{name}_plot")(result, display))
    for name, content in contents.items():
        write_whole(folder / name, content)
    if parquet:
        contents["run.parquet"] = b""
        result.to_parquet(folder / "run.parquet")
    return list(contents)
