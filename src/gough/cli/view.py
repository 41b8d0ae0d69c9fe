"""`gough view`: a robot in 3D in the browser, as an animated file, or as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gough.cli.conventions import ConventionOption, PivotOption, convention_of
from gough.cli.files import check_picture, write_whole
from gough.cli.motion_options import MotionOptions
from gough.cli.options import PoseOption, RobotArgument, SettingsOption
from gough.cli.poses import parse_pose
from gough.motion import parse_units

if TYPE_CHECKING:
    from gough.motion import Motion
    from gough.robot import Robot


def run(
    robot: RobotArgument,
    moving: MotionOptions,
    pose: PoseOption = "home",
    settings: SettingsOption = [],  # noqa: B006
    convention: ConventionOption = None,
    pivot: PivotOption = None,
    port: Annotated[
        int | None, typer.Option("--port", min=1, max=65535, metavar="PORT", help="Of this machine. [any free one]")
    ] = None,
    html: Annotated[str, typer.Option("--html", metavar="FILE.html", help="Write an animated file instead.")] = "",
    png: Annotated[str, typer.Option("--png", metavar="FILE.png", help="Write a picture of the pose instead.")] = "",
) -> None:
    """View a robot in 3D: move its platform by sliders, play its motion, see forces as colours and arrows.

    The page is served to this machine alone (127.0.0.1) until Ctrl-C. `--units mm,deg` is for numbers that are given
    and for those that are shown.

    \b
    Examples:
      gough view stewart
      gough view delta --motion circle --port 8080 --units mm,deg
      gough view hexapod --html hexapod.html
      gough view stewart --pose z=2.2,psi=10deg --png stewart.png
    """
    for option, name, ending in (("--html", html, ".html"), ("--png", png, ".png")):
        if name:
            check_picture(option, name, (ending,))
    from gough.view.display import display_units, is_small

    machine = moving.robot(robot, settings)
    stated = convention_of(convention, pivot, moving.units)
    x = parse_pose(machine, pose, units=parse_units(moving.units), convention=stated)
    display = display_units(moving.units, is_small(machine))
    if png:
        from gough.view.drawing import png as drawing

        write_whole(Path(png), drawing(machine, x, display if moving.units else None))
    if html:
        write_whole(Path(html), animated(machine, moving.on(machine), display))
    if png or html:
        print(f"wrote {' and '.join(filter(None, (png, html)))}")
        return
    from gough.view.live import serve

    serve(machine, motion_if_any(machine, moving), display, port, stated, None if pose == "home" else x)


def animated(machine: Robot, moved: Motion, display: Any) -> bytes:
    """The content of the animated file."""
    from gough.dynamics.inverse import inverse_dynamics_along
    from gough.view.recorded import frames_for, recorded_html

    result = inverse_dynamics_along(machine, moved, frames_for(moved.duration))
    return recorded_html(result, display).encode()


def motion_if_any(machine: Robot, moving: MotionOptions) -> Motion | None:
    """The motion that is asked for, or the robot's default if it has one."""
    from gough.motion.named import default_motion

    return None if moving.none_stated and default_motion(machine) is None else moving.on(machine)
