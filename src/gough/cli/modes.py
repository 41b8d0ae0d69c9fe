"""`gough modes`: natural frequencies and mode shapes with elastic actuators."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gough.cli.options import PoseOption, RobotArgument, SettingsOption, choice
from gough.cli.output import FORMATS


def run(
    robot: RobotArgument,
    pose: PoseOption = "home",
    stiffness: Annotated[
        str, typer.Option("--stiffness", metavar="K[,K,...]", help="Of the actuators, one or all [N/m or N m/rad].")
    ] = "1e6",
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE.png", help="Draw the mode shapes.")] = None,
    format: Annotated[str, typer.Option("--format", metavar="FORMAT", help="table, json or csv.")] = "table",
    settings: SettingsOption = [],  # noqa: B006
) -> int:
    """Find natural frequencies and mode shapes about a pose that the actuators hold, preload included.

    Exit code 1: a small motion grows, the equilibrium is not stable.

    \b
    Examples:
      gough modes stewart --stiffness 1e7
      gough modes delta --pose z=-750mm --stiffness 2e4 --plot modes.png
      gough modes hexapod --stiffness 1e6,1e6,1e6,2e6,2e6,2e6 --format csv
    """
    from gough.cli.files import check_folder, write_whole
    from gough.cli.loading import load_robot
    from gough.cli.option_values import numbers
    from gough.cli.output import table
    from gough.cli.poses import parse_pose
    from gough.errors import InputError
    from gough.simulate import modes
    from gough.view.pose_text import pose_text

    form = choice("--format", format, FORMATS)
    if plot is not None:
        check_folder("--plot", plot)
    machine = load_robot(robot, settings)
    x = parse_pose(machine, pose)
    given = numbers("--stiffness", stiffness, "one number, or one for each actuator")
    count = len(machine.platform.coordinates)
    if len(given) not in (1, count) or min(given) <= 0.0:
        raise InputError(f"--stiffness {stiffness}: must be one positive number, or {count}")
    found = modes(machine, x, given if len(given) > 1 else given[0])
    if form == "json":
        print(found.to_json(), end="")
    elif form == "csv":
        print(found.to_csv(), end="")
    else:
        rows = [
            [str(k + 1), f"{f:.6g}" if f > 0 else f"grows ({-f:.4g})", *map(_share, shape)]
            for k, (f, shape) in enumerate(zip(found.frequency, found.shapes, strict=True))
        ]
        print(f"{machine.name} at {pose_text(machine, x)}\n")
        print(table(["mode", "Hz", *found.coordinates], rows))
    if plot is not None:
        from gough.report.plots import png
        from gough.report.run_plots import modes_plot

        write_whole(plot, png(modes_plot(found)))
    return 0 if found.stable else 1


def _share(value: float) -> str:
    """Four decimals, round-off as zero."""
    return f"{value if abs(value) >= 5e-5 else 0.0:.4f}"
