"""`gough modes`: natural frequencies and mode shapes with elastic actuators."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from gough.cli.option_values import numbers
from gough.cli.options import PoseOption, RobotArgument, SettingsOption, UnitsOption, choice
from gough.cli.output import FORMATS
from gough.errors import InputError
from gough.robot import Robot
from gough.robot.units import Units


def run(
    robot: RobotArgument,
    pose: PoseOption = "home",
    stiffness: Annotated[
        str | None,
        typer.Option("--stiffness", metavar="K[,K,...]", help="Of the actuators, one or all. [1e6 N/m or N m/rad]"),
    ] = None,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE.png", help="Draw the mode shapes.")] = None,
    format: Annotated[str, typer.Option("--format", metavar="FORMAT", help="table, json or csv.")] = "table",
    settings: SettingsOption = [],  # noqa: B006
    units: UnitsOption = "",
) -> int:
    """Find natural frequencies and mode shapes about a pose that the actuators hold, preload included.

    Exit code 1: a small motion grows, the equilibrium is not stable.

    \b
    Examples:
      gough modes stewart --stiffness 1e7
      gough modes delta --pose z=-750mm --stiffness 2e4 --plot modes.png
      gough modes hexapod --stiffness 1e6,1e6,1e6,2e6,2e6,2e6 --format csv
    """
    from gough.cli.files import check_picture, write_whole
    from gough.cli.loading import load_robot
    from gough.cli.output import table
    from gough.cli.poses import parse_pose
    from gough.kinematics.conventions import OWN
    from gough.motion import parse_units
    from gough.simulate import modes
    from gough.view.display import display_units
    from gough.view.pose_text import stated_text

    form = choice("--format", format, FORMATS)
    if plot is not None:
        check_picture("--plot", plot)
    machine = load_robot(robot, settings)
    size = parse_units(units)
    x = parse_pose(machine, pose, units=size)
    found = modes(machine, x, _stiffness(machine, stiffness, size))
    if form == "json":
        print(found.to_json(), end="")
    elif form == "csv":
        print(found.to_csv(), end="")
    else:
        rows = [
            [str(k + 1), f"{f:.6g}" if f > 0 else f"grows ({-f:.4g})", *map(_share, shape)]
            for k, (f, shape) in enumerate(zip(found.frequency, found.shapes, strict=True))
        ]
        print(f"{machine.name} at {stated_text(machine, x, OWN, display_units(units))}\n")
        print(table(["mode", "Hz", *found.coordinates], rows))
    if plot is not None:
        from gough.report.plots import png
        from gough.report.run_plots import modes_plot

        write_whole(plot, png(modes_plot(found)))
    return 0 if found.stable else 1


def _stiffness(machine: Robot, text: str | None, size: Units) -> Any:
    """Of each actuator [N/m or N m/rad]."""
    if text is None:
        return 1e6
    kinds = [joint.kind for leg in machine.legs for joint in leg.joints if joint.actuated]
    given = numbers("--stiffness", text, "one number, or one for each actuator")
    if len(given) not in (1, len(kinds)) or min(given) <= 0.0:
        raise InputError(f"--stiffness {text}: must be one positive number, or {len(kinds)}")
    sizes = [size.factor("effort", kind) / size.factor("travel", kind) for kind in kinds]
    return np.broadcast_to(given, len(kinds)) * sizes


def _share(value: float) -> str:
    """Four decimals, round-off as zero."""
    return f"{value if abs(value) >= 5e-5 else 0.0:.4f}"
