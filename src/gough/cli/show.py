"""`gough show`: a robot on a page, as JSON, and as a drawing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from gough.cli.loading import at_pose, load_robot, source
from gough.cli.options import (
    ConventionOption,
    JsonOption,
    PoseOption,
    RobotArgument,
    SettingsOption,
    ToolOption,
    UnitsOption,
    convention_of,
    with_tool_at,
)
from gough.cli.out_files import announce, check_file, write_whole
from gough.cli.output import to_json
from gough.cli.pages.show_facts import robot_facts
from gough.cli.pages.show_graph import ENDINGS, graph_file
from gough.cli.pages.show_page import addresses_table, how_to_set, page
from gough.display import display_units
from gough.motion import parse_units
from gough.robot import catalogue
from gough.robot.addresses import measured
from gough.robot.system_graph import system_graph


def run(
    robot: RobotArgument,
    pose: PoseOption = "home",
    png: Annotated[str, typer.Option("--png", metavar="FILE", help="Draw the machine at the pose.")] = "",
    graph: Annotated[
        str,
        typer.Option("--graph", metavar="FILE", help="Graph of bodies and joints: .dot, .svg, .png or .pdf."),
    ] = "",
    points: Annotated[
        str,
        typer.Option(
            "--points", metavar="FILE.csv", help="Write the points of all joints at the pose, in --units, for CAD."
        ),
    ] = "",
    addresses: Annotated[
        bool, typer.Option("--addresses", help="Print the address of every number for --set, its value and its unit.")
    ] = False,
    json: JsonOption = False,
    settings: SettingsOption = [],  # noqa: B006
    units: UnitsOption = "",
    convention: ConventionOption = None,
    tool: ToolOption = None,
) -> None:
    """Show a robot: bodies, joints, loops, closure of its legs, mobility, limits, operations of its kinematics.

    \b
    Examples:
      gough show stewart
      gough show delta --pose x=0.2,z=-700mm --png delta.png
      gough show my.toml --format json
      gough show spatial3 --graph spatial3.svg
      gough show stewart --addresses
      gough show stewart --points joints.csv --units mm
    """
    if png:
        check_file("--png", png)
    if graph:
        check_file("--graph", graph, ENDINGS)
    if points:
        check_file("--points", points, (".csv",))
    machine = with_tool_at(load_robot(robot, settings, units), tool, units)
    machine, x = at_pose(machine, pose, "--pose", parse_units(units), convention_of(convention))
    if addresses:
        print(
            to_json({path: value for path, (value, _) in measured(machine).items()})
            if json
            else addresses_table(machine)
        )
        if not json:
            print(f"gough: note: {how_to_set(machine)}", file=sys.stderr)
        return
    facts = robot_facts(machine, x, source(robot) if robot in catalogue() else "")
    if png:
        from gough.view.drawing.draw import png as drawing

        write_whole(Path(png), drawing(machine, x, display_units(units) if units else None))
    if graph:
        write_whole(Path(graph), graph_file(system_graph(machine), machine.name, graph))
    if points:
        from gough.analysis.joint_points import joint_points

        write_whole(Path(points), joint_points(machine, x).to_csv(units=units).encode())
    print(to_json(facts) if json else page(machine, facts, units, robot))
    written = [path for path in (png, graph, points) if path]
    if written and not json:
        print()
        announce(*written)
