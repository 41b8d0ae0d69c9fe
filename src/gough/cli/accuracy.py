"""`gough accuracy`: pose errors from tolerances, stiffness and deflection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gough.cli.motion_options import MotionOptions
from gough.cli.options import FormatOption, RobotArgument, SettingsOption, choice, whole
from gough.cli.output import FORMATS
from gough.errors import InputError
from gough.robot.error_sources import PAGE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gough.display import Display
    from gough.graph import Array
    from gough.robot import Robot
    from gough.robot.file.units import Units

_CELLS = 40
"""Of a map, along each coordinate."""


def run(
    robot: RobotArgument,
    moving: MotionOptions,
    errors: Annotated[
        str,
        typer.Option(
            "--errors",
            metavar="FILE.toml",
            help="File with [tolerances], [heat] and [stiffness]. [those of the robot file]",
        ),
    ] = "",
    pose: Annotated[str, typer.Option("--pose", metavar="POSE", help="Pose at which errors are computed.")] = "home",
    box: Annotated[
        str,
        typer.Option(
            "--box", metavar="C=HALF,...", help="Box of poses about --pose, by half widths, e.g. x=0.1,psi=10deg."
        ),
    ] = "",
    samples: Annotated[
        int,
        typer.Option("--samples", metavar="N", parser=whole(2), help="Number of poses in the box or along the motion."),
    ] = 200,
    random: Annotated[
        int, typer.Option("--monte-carlo", metavar="N", parser=whole(0), help="Compare with N randomly drawn machines.")
    ] = 0,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE.png", help="Draw the errors and their sources.")
    ] = None,
    axes: Annotated[
        str,
        typer.Option(
            "--map",
            metavar="C,C",
            help="With --plot: map errors and stiffness over two coordinates, within all limits.",
        ),
    ] = "",
    format: FormatOption = "table",
    settings: SettingsOption = [],  # noqa: B006
) -> int:
    """Compute the errors of a pose, the tolerances that cause them, and the deflection of the platform under a load.

    With a motion (--motion, --to, --waypoints), the deflection under --wrench, weight and --payload is computed along
    it.

    \b
    Examples:
      gough accuracy stewart --errors tolerances.toml
      gough accuracy stewart --errors tolerances.toml --box x=0.2,y=0.2,z=0.1,psi=10deg --plot errors.png
      gough accuracy stewart --errors tolerances.toml --map x,z --plot maps.png
      gough accuracy stewart --errors tolerances.toml --pose z=2.2 --wrench 100,0,0,0,0,0
      gough accuracy stewart --errors tolerances.toml --motion trig3 --payload 20
      gough accuracy stewart --errors tolerances.toml --tool 0,0,-0.1
    """
    import numpy as np

    from gough.accuracy import deflection_along, elasticity, monte_carlo, pose_errors
    from gough.accuracy.pose_errors import sources_of
    from gough.cli.loading import at_pose
    from gough.cli.options import wrench_of
    from gough.cli.out_files import PICTURES, check_file
    from gough.cli.pages import accuracy_page as pages
    from gough.motion import parse_units

    form = choice("--format", format, FORMATS)
    if 0 < random < 100:
        raise InputError(f"--monte-carlo {random}: must be at least 100")
    if axes and plot is None:
        raise InputError("--map: needs --plot FILE.png")
    if plot is not None:
        check_file("--plot", plot, PICTURES)
    machine = moving.robot(robot, settings)
    machine = _inexact(machine, errors)
    size = parse_units(moving.units)
    if not moving.none_stated:
        if box or pose != "home" or random or axes:
            raise InputError("--box, --pose, --map and --monte-carlo: cannot go with a motion")
        found = deflection_along(machine, moving.on(machine), samples)
        _print(form, found.to_dict(), found.to_csv, pages.deflection_page(found, moving.display))
        if plot is not None:
            from gough.table.table_plots import draw

            _draw(form, plot, draw(found.table, moving.display))
        return 0
    machine, x = at_pose(machine, pose, "--pose", size, moving.stated_by)
    poses = _in_box(machine, x, box, samples, size) if box else np.array([x])
    blocks: list[str] = []
    data: dict[str, Any] = {}
    csv = drawing = None
    if sources_of(machine):
        told = pose_errors(machine, poses)
        drawn = monte_carlo(machine, x, random) if random else None
        blocks.append(pages.errors_page(told, drawn, moving.display))
        data, csv = told.to_dict(), told.to_csv
        if drawn is not None:
            data["monte_carlo"] = {"count": random, "sd": drawn.std(axis=0).tolist()}
        if plot is not None and not axes:
            from gough.reports.accuracy_plots import errors_plot

            drawing = errors_plot(told, moving.display)
    elif plot is not None and not axes:
        raise InputError("--plot: nothing to draw: no tolerance is stated; --map x,y draws the stiffness")
    wrench = wrench_of(moving.wrench, moving.units)
    if axes:
        drawing = _maps(machine, x, axes, wrench, moving.display)
    if machine.errors.stiffness or machine.cables:
        held = [elasticity(machine, row) for row in poses[:1]]
        blocks.append(pages.elastic_page(held[0], wrench, moving.display))
        data |= {"compliance": held[0].compliance.tolist()}
        if wrench is not None:
            data["deflection"] = held[0].deflection(wrench).tolist()
    _print(form, data, csv, "\n".join(blocks))
    if plot is not None and drawing is not None:
        _draw(form, plot, drawing)
    return 0


def _inexact(machine: Robot, errors: str) -> Robot:
    """The robot with what the file of --errors states, or with what its own does.

    Raises:
        InputError: That is nothing.
    """
    machine = machine.with_errors(errors) if errors else machine
    if machine.errors.stated or machine.cables:
        return machine
    if errors:
        raise InputError(f"{errors}: states nothing: no tolerance, encoder, backlash, heat or stiffness")
    what = "[tolerances], [heat] or [stiffness]"
    raise InputError(f"{machine.name}: its file has no {what}; name one that has by --errors (see {PAGE})")


def _maps(
    machine: Robot,
    x: Sequence[float],
    axes: str,
    wrench: list[float] | None,
    display: Display,
) -> Figure:
    from gough.reports.accuracy_plots import accuracy_maps
    from gough.workspaces.slices import slice_of

    over = slice_of(machine, x, axes, _CELLS)
    return accuracy_maps(over, wrench, display)


def _print(form: str, data: dict[str, Any], csv: Callable[[], str] | None, page: str) -> None:
    """A result in the form asked for."""
    from gough.cli.output import to_json

    if form == "csv" and csv is None:
        raise InputError("--format csv: is for pose errors and motions; use json")
    print(page if form == "table" else to_json(data) + "\n" if form == "json" else csv and csv(), end="")


def _draw(form: str, plot: Path, drawing: Figure) -> None:
    """Write a figure, and say so beside a table."""
    from gough.cli.out_files import picture_ending, write_whole
    from gough.plots import picture

    write_whole(plot, picture(drawing, picture_ending(plot)))
    if form == "table":
        print(f"wrote {plot}")


def _in_box(machine: Robot, x: Sequence[float], box: str, samples: int, size: Units) -> Array:
    """(N, n) random poses within half widths about x that the machine reaches."""
    import numpy as np

    from gough.kinematics.inverse import inverse_kinematics
    from gough.kinematics.status import Status
    from gough.motion.pose import parse_rates

    widths = np.abs(parse_rates(machine, box, 0, "--box", size))
    rng = np.random.default_rng(0)
    rows = np.array(x) + widths * rng.uniform(-1.0, 1.0, (samples, machine.dof))
    rows[0] = x
    good = np.atleast_1d(inverse_kinematics(machine, rows).status) <= Status.NEAR_SINGULAR
    return np.asarray(rows[good])
