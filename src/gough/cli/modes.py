"""`gough modes`: natural frequencies and mode shapes with elastic actuators."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from gough.cli.options import (
    ConventionOption,
    FormatOption,
    PoseOption,
    RobotArgument,
    SettingsOption,
    ToolOption,
    UnitsOption,
    choice,
    convention_of,
    quantities,
    with_tool_at,
)
from gough.cli.output import FORMATS
from gough.display import Display, display_units, number, stated_text
from gough.errors import InputError
from gough.robot import Robot
from gough.robot.file.units import Units
from gough.robot.quantities import measure

if TYPE_CHECKING:
    from gough.simulation import Modes


def run(
    robot: RobotArgument,
    pose: PoseOption = "home",
    stiffness: Annotated[
        str | None,
        typer.Option(
            "--stiffness",
            metavar="K[,K,...]",
            help="Actuator stiffness, one value for all or one each, in units of --units unless stated (N/mm with mm). "
            "[1e6 N/m or N m/rad; cables: E A / length]",
        ),
    ] = None,
    elastic: Annotated[
        str,
        typer.Option(
            "--elastic",
            metavar="FILE.toml",
            help="File with the [stiffness] of actuators, joints and links, instead of --stiffness. [the robot's]",
        ),
    ] = "",
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE.png", help="Draw the mode shapes.")] = None,
    format: FormatOption = "table",
    settings: SettingsOption = [],  # noqa: B006
    units: UnitsOption = "",
    convention: ConventionOption = None,
    tool: ToolOption = None,
) -> int:
    """Find natural frequencies and mode shapes about a pose that the actuators hold, preload included.

    Exit code 1: the equilibrium is unstable.

    \b
    Examples:
      gough modes stewart --stiffness 1e7
      gough modes delta --pose z=-750mm --stiffness 2e4 --plot modes.png
      gough modes hexapod --stiffness 1e6,1e6,1e6,2e6,2e6,2e6 --format csv
    """
    from gough.cli.loading import at_pose, load_robot
    from gough.cli.out_files import PICTURES, check_file, picture_ending, write_whole
    from gough.cli.output import table
    from gough.kinematics.dependent.values import dependent_coordinates
    from gough.motion import parse_units
    from gough.simulation import modes

    form = choice("--format", format, FORMATS)
    if plot is not None:
        check_file("--plot", plot, PICTURES)
    machine = with_tool_at(load_robot(robot, settings, units), tool, units)
    size, display = parse_units(units), display_units(units)
    stated = convention_of(convention)
    machine, x = at_pose(machine, pose, "--pose", size, stated)
    held = None
    if elastic and stiffness is not None:
        raise InputError("--elastic: cannot go with --stiffness")
    if elastic or (stiffness is None and machine.errors.stiffness):
        from gough.accuracy import structure

        held = structure(machine.with_errors(elastic) if elastic else machine, x)
    found = modes(machine, x, _stiffness(machine, stiffness, size), held)
    if held is None and stiffness is None and not machine.cables:
        told = "Actuators of 1e6 N/m or N m/rad each: none is stated (--stiffness, --elastic)."
    else:
        told = f"Stiffness of actuators: {_stated(found, display)}."
        told += " Joints and links as stated." if held is not None else ""
    if form == "json":
        print(found.to_json(), end="")
    elif form == "csv":
        print(found.to_csv(), end="")
    else:
        rows = [
            [str(k + 1), f"{f:.6g}" if f > 0 else f"grows ({-f:.4g})", *map(_share, shape)]
            for k, (f, shape) in enumerate(zip(found.frequency, found.shapes, strict=True))
        ]
        follows = dependent_coordinates(machine, x)[0]
        print(f"{machine.name} at {stated_text(machine, x, stated, display, follows)}\n")
        print(table(["mode", "Hz", *found.coordinates], rows))
        print(f"\n{told}")
    if plot is not None:
        from gough.plots import picture
        from gough.reports.run_plots import modes_plot

        write_whole(plot, picture(modes_plot(found, told), picture_ending(plot)))
    return 0 if found.stable else 1


def _stiffness(machine: Robot, text: str | None, size: Units) -> Any:
    """Of each actuator [N/m or N m/rad]."""
    if text is None:
        return None
    each = [measure("stiffness", size, turns=joint.turns) for joint in machine.actuators]
    what = "one number, or one for each actuator"
    if "," in text:
        given = quantities("--stiffness", text, what, *each)
    else:
        given = [quantities("--stiffness", text, what, own)[0] for own in each]
    if len(given) != len(each) or min(given) <= 0.0:
        names = ", ".join(machine.actuator_names[:2])
        raise InputError(
            f"--stiffness {text}: must be one positive number for all, or {len(each)} of them ({names}, ...)"
        )
    return np.array(given)


def _stated(found: Modes, display: Display) -> str:
    """The stiffness of each actuator, once where all are alike."""
    units = [display.stiffness(joint.turns) for joint in found.robot.actuators]
    cells = [f"{number(v * factor)} {unit}" for v, (factor, unit) in zip(found.stiffness.tolist(), units, strict=True)]
    if len(set(cells)) == 1:
        return cells[0]
    return ", ".join(f"{name} {cell}" for name, cell in zip(found.actuators, cells, strict=True))


def _share(value: float) -> str:
    """Four decimals, round-off as zero."""
    return f"{value if abs(value) >= 5e-5 else 0.0:.4f}"
