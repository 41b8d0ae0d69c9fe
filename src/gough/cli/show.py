"""`gough show`: a robot on a page, as JSON, and as a drawing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gough.cli.files import check_picture, write_whole
from gough.cli.loading import load_robot
from gough.cli.machine import source
from gough.cli.options import JsonOption, PoseOption, RobotArgument, SettingsOption, UnitsOption
from gough.cli.output import to_json
from gough.cli.poses import parse_pose
from gough.cli.show_facts import robot_facts
from gough.cli.show_page import page
from gough.motion import parse_units
from gough.robot import catalogue
from gough.view.display import display_units


def run(
    robot: RobotArgument,
    pose: PoseOption = "home",
    png: Annotated[str, typer.Option("--png", metavar="FILE", help="Draw the machine at the pose.")] = "",
    json: JsonOption = False,
    settings: SettingsOption = [],  # noqa: B006
    units: UnitsOption = "",
) -> None:
    """Show a robot: bodies, joints, closure of its legs, mobility, limits, operations of its kinematics.

    \b
    Examples:
      gough show stewart
      gough show delta --pose x=0.2,z=-700mm --png delta.png
      gough show my.toml --json
    """
    if png:
        check_picture("--png", png)
    machine = load_robot(robot, settings)
    x = parse_pose(machine, pose, units=parse_units(units))
    facts = robot_facts(machine, x, source(robot) if robot in catalogue() else "")
    if png:
        from gough.view.drawing import png as drawing

        write_whole(Path(png), drawing(machine, x, display_units(units) if units else None))
    print(to_json(facts) if json else page(machine, facts, display_units(units)))
