"""`gough view`: a robot in 3D in the browser, as an animated file, or as a picture."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gough.cli.loading import at_pose
from gough.cli.motion_options import MotionOptions
from gough.cli.options import PoseOption, RobotArgument, SettingsOption
from gough.cli.out_files import announce, check_file, write_whole
from gough.errors import InputError
from gough.motion import parse_units
from gough.motion.pose import parse_pose

if TYPE_CHECKING:
    from gough.motion import Motion
    from gough.motion.curves import Values
    from gough.robot import Robot


def run(
    robot: RobotArgument,
    moving: MotionOptions,
    pose: PoseOption = "home",
    settings: SettingsOption = [],  # noqa: B006
    port: Annotated[
        int | None, typer.Option("--port", min=1, max=65535, metavar="PORT", help="Port on 127.0.0.1. [any free port]")
    ] = None,
    html: Annotated[str, typer.Option("--html", metavar="FILE.html", help="Write an animated file instead.")] = "",
    png: Annotated[str, typer.Option("--png", metavar="FILE.png", help="Write a picture of the pose instead.")] = "",
) -> None:
    """View a robot in 3D: move its platform by sliders, play its motion, see forces as colours and arrows.

    The page is served only to this machine (127.0.0.1), until Ctrl-C. `--units mm,deg` applies to
    numbers that are given and to those that are shown.

    \b
    Examples:
      gough view stewart
      gough view delta --motion circle --port 8080 --units mm,deg
      gough view hexapod --html hexapod.html
      gough view stewart --to z=2200,psi=10 --units mm,deg --png stewart.png
      gough view stewart --pose z=2.2,psi=10deg --png stewart.png
    """
    for option, name, ending in (("--html", html, ".html"), ("--png", png, ".png")):
        if name:
            check_file(option, name, (ending,))
    from gough.display import display_units
    from gough.view.drawing.scene import is_small

    machine = moving.robot(robot, settings)
    stated = moving.stated_by
    machine, x = at_pose(machine, pose, "--pose", parse_units(moving.units), stated)
    display = display_units(moving.units, is_small(machine))
    if png:
        from gough.cli.exceeded import excesses
        from gough.kinematics import inverse_kinematics
        from gough.view.drawing.draw import png as drawing

        pictured = _pictured(machine, moving, pose, x, bool(html))
        write_whole(Path(png), drawing(machine, pictured, display if moving.units else None))
        for clause in excesses(inverse_kinematics(machine, pictured), pictured, display):
            print(f"gough: warning: {clause}", file=sys.stderr)
    if html:
        from gough.view.animation import animate

        animate(machine, moving.on(machine, shows_poses=True, forces=False), moving.units).save(html)
    if png or html:
        announce(*filter(None, (png, html)))
        return
    from gough.view.browser.live import serve

    serve(machine, motion_if_any(machine, moving), display, port, stated, None if pose == "home" else x)


def _pictured(machine: Robot, moving: MotionOptions, pose: str, x: Values, animates: bool) -> Values:
    """The pose of a picture: --pose, or the end of the move --to.

    Raises:
        InputError: An option that a picture of one pose cannot show.
    """
    if moving.scale is not None and not animates:
        raise InputError("--scale: is of motions, and --png shows one pose; give --html")
    if pose != "home" or animates:
        if not animates and not moving.none_stated:
            raise InputError("--png: shows one pose; give either --pose or --to, or the motion with --html")
        return x
    if moving.to is None:
        if not moving.none_stated:
            raise InputError("--png: shows one pose; give --pose or --to, or the motion with --html")
        return x
    if moving.duration is not None:
        moving.on(machine, forces=False)
    units = parse_units(moving.units)
    start = None if moving.from_ is None else parse_pose(machine, moving.from_, "--from", units, moving.stated_by)
    return parse_pose(machine, moving.to, "--to", units, moving.stated_by, start)


def motion_if_any(machine: Robot, moving: MotionOptions) -> Motion | None:
    """The requested motion, or the robot's default if it has one."""
    from gough.motion.named import default_motion

    nothing = moving.none_stated and default_motion(machine) is None
    return None if nothing else moving.on(machine, shows_poses=True, forces=False)
