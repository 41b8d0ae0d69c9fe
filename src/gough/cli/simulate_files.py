"""What `gough simulate` prints and writes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from gough.cli.files import write_whole
from gough.cli.output import table
from gough.errors import InputError
from gough.parquet import require_pyarrow
from gough.simulate import Ensemble, Simulation
from gough.view.display import Display
from gough.view.pose_text import number


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
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out {out}: is a file; name a folder")
    if not folder.exists() and not folder.parent.is_dir():
        raise InputError(f"--out {out}: no such folder {folder.parent}")
    return folder


def show(result: Simulation | Ensemble, folder: Path | None, parquet: bool, display: Display) -> None:
    """Print and write a result."""
    print(_page(result, display))
    if folder is not None:
        written = _write(result, folder, parquet)
        print(f"wrote {', '.join(written)} in {folder}")


def verdict(result: Simulation | Ensemble) -> int:
    """The exit code, after a line on standard error for what is not fine."""
    if result.why == "interrupted":
        print("gough: interrupted; what was computed is marked complete: false", file=sys.stderr)
        return 130
    if isinstance(result, Ensemble):
        lost = np.flatnonzero(result.diverged >= 0)
        if len(lost):
            at = result.diverged[lost[0]] * result.step
            print(
                f"gough: {len(lost)} of {len(result.numbers)} robots diverged, "
                f"the first is robot {result.numbers[lost[0]]} by t = {at:.4g} s",
                file=sys.stderr,
            )
        return 3 if len(lost) else 0
    for event in result.events:
        print(f"gough: {event}", file=sys.stderr)
    return 1 if result.events else 0


def _page(result: Simulation | Ensemble, display: Display) -> str:
    return f"{result.summary}\n\n{(_ensemble if isinstance(result, Ensemble) else _run)(result, display)}"


def _run(run: Any, display: Display) -> str:
    """End and largest error of each coordinate, largest force of each actuator."""
    rows = []
    for k, coordinate in enumerate(run.robot.platform.coordinates):
        factor, unit = display.travel(coordinate.motion.startswith("r"))
        error = "" if run.error is None else f"{np.abs(run.error[:, k]).max() * factor:.3g}"
        rows.append([coordinate.name, unit, number(run.x[0, k] * factor), number(run.x[-1, k] * factor), error])
    first = table(["coordinate", "unit", "start", "end", "largest error"], rows)
    joints = [joint for leg in run.robot.legs for joint in leg.joints if joint.actuated]
    rows = []
    for k, (name, joint) in enumerate(zip(run.actuators, joints, strict=True)):
        push, unit = display.effort(joint.kind == "R")
        worst = float(np.nanmax(np.abs(run.force[:, k]))) * push
        bound = "" if joint.limits.force is None else number(joint.limits.force * push)
        rows.append([name, unit, number(worst, 5), bound])
    return f"{first}\n\n{table(['actuator', 'unit', 'largest force', 'limit'], rows)}"


def _ensemble(run: Any, display: Display) -> str:
    """Spread of the final states."""
    rows = []
    for k, coordinate in enumerate(run.robot.platform.coordinates):
        factor, unit = display.travel(coordinate.motion.startswith("r"))
        figures = [values[-1, k] * factor for values in (run.mean, run.deviation, run.least, run.most)]
        rows.append([coordinate.name, unit, *[f"{figure:.6g}" for figure in figures]])
    return table(["coordinate", "unit", "mean at the end", "deviation", "least", "most"], rows)


def _write(result: Simulation | Ensemble, folder: Path, parquet: bool) -> list[str]:
    """Names of the files, each written whole."""
    from gough.report import run_plots
    from gough.report.plots import png
    from gough.simulate.tables import csv_text

    folder.mkdir(exist_ok=True)
    contents: dict[str, Any] = {}
    if isinstance(result, Ensemble):
        contents["robots.csv"] = result.to_csv().encode()
        marks = [] if result.complete else [f"complete: false ({result.why})"]
        contents["statistics.csv"] = csv_text(result.statistics(), marks).encode()
        contents["ensemble.json"] = result.to_json().encode()
        contents["spread.png"] = png(run_plots.spread_plot(result))
        if result.history is not None and len(result.t) > result.steps:
            contents["history.csv"] = csv_text(history_columns(result), marks).encode()
    else:
        contents["run.csv"] = result.to_csv().encode()
        contents["run.json"] = result.to_json().encode()
        for name in ("path", "force", "energy"):
            contents[f"{name}.png"] = png(getattr(run_plots, f"{name}_plot")(result))
    for name, content in contents.items():
        write_whole(folder / name, content)
    if parquet:
        contents["run.parquet"] = b""
        result.to_parquet(folder / "run.parquet")
    return list(contents)


def history_columns(run: Ensemble) -> dict[str, Any]:
    """A row per time and robot."""
    times, robots = len(run.t), len(run.numbers)
    found: dict[str, Any] = {"t": np.repeat(run.t, robots), "robot": np.tile(run.numbers, times)}
    flat = run.history.reshape(times * robots, -1)
    return found | {name: flat[:, k] for k, name in enumerate(run.coordinates)}
