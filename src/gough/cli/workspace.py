"""`gough workspace`: where a robot's platform can be."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from gough.cli.options import (
    ConventionOption,
    CsvUnitsOption,
    LimitOption,
    PoseOption,
    RobotArgument,
    SettingsOption,
    ToolOption,
    UnitsOption,
    carrying,
    check_csv_units,
    choice,
    convention_of,
    limits_of,
    positive,
    quantities,
    whole,
    with_tool_at,
    wrench_of,
)

WrenchOption = Annotated[
    str | None,
    typer.Option(
        "--wrench",
        metavar="FX,FY,FZ,MX,MY,MZ",
        help="Force [N] and moment [N m; N mm with --units mm] on the platform, in base axes, at its tool; or by "
        "name, fz=400N. Force limits at rest count too.",
    ),
]
PayloadOption = Annotated[
    str | None,
    typer.Option("--payload", metavar="M[,X,Y,Z]", help="Payload mass and its centre; force limits at rest count too."),
]
TwistOption = Annotated[
    str | None,
    typer.Option(
        "--twist",
        metavar="VX,VY,VZ,WX,WY,WZ",
        help="Velocity and angular velocity of the platform; speed limits count too.",
    ),
]


def run(
    robot: RobotArgument,
    pose: PoseOption = "home",
    limits: LimitOption = [],  # noqa: B006
    only: Annotated[
        str,
        typer.Option(
            "--only",
            metavar="KINDS",
            help="Limits to consider, e.g. reach,stroke,side; of reach, stroke, joint, angle, distance, side (of det "
            "K), singular, condition, constraint, force, margin, speed, box. [all that have one]",
        ),
    ] = "",
    box: Annotated[
        str,
        typer.Option(
            "--box",
            metavar="RANGES",
            help="Box of the robot's own coordinates that ends the workspace too, e.g. x=-3:3,y=-2:2,z=0: (a room).",
        ),
    ] = "",
    wrench: WrenchOption = None,
    payload: PayloadOption = None,
    twist: TwistOption = None,
    travel: Annotated[bool, typer.Option("--travel", help="Compute only the travel of each axis.")] = False,
    cells: Annotated[
        int,
        typer.Option("--cells", parser=whole(), metavar="N", help="Grid cells of the volume along its longest side."),
    ] = 96,
    tilt: Annotated[
        str | None,
        typer.Option(
            "--tilt",
            metavar="ANGLE",
            help="Also the volumes reached with some tilt and with all tilts up to this angle.",
        ),
    ] = None,
    aspect: Annotated[
        str | None,
        typer.Option("--aspect", metavar="A,B,C", help="Also the largest box with sides in these ratios."),
    ] = None,
    height: Annotated[
        str, typer.Option("--height", metavar="H", help="Height of the cylinder in diameters. [1]", show_default=False)
    ] = "1",
    anywhere: Annotated[
        bool,
        typer.Option(
            "--anywhere",
            help="Also search for the centres of the largest shapes; prints a bound on what may be missing.",
        ),
    ] = False,
    tool: ToolOption = None,
    prove: Annotated[bool, typer.Option("--prove", help="Prove the results by interval enclosures.")] = False,
    seconds: Annotated[
        str | None,
        typer.Option(
            "--time",
            metavar="TIME",
            help="Processor time that --prove may take; what is not proved by then says so. [60 s]",
            show_default=False,
        ),
    ] = None,
    mesh: Annotated[
        str,
        typer.Option(
            "--mesh",
            metavar="FILE",
            help="Write the boundary, with limits, as .stl, .ply or .obj, in the --units, of the tool's positions.",
        ),
    ] = "",
    picture: Annotated[
        str,
        typer.Option("--picture", metavar="FILE", help="Draw boundary by limit, travel and tilts: .png, .svg or .pdf."),
    ] = "",
    format: Annotated[str | None, typer.Option("--format", metavar="FORMAT", help="table, json or csv.")] = None,
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="Write .txt, .json or .csv.")] = "",
    settings: SettingsOption = [],  # noqa: B006
    units: UnitsOption = "",
    csv_units: CsvUnitsOption = False,
    convention: ConventionOption = None,
) -> int:
    """Compute the workspace: travel of each axis with all others at the pose, the volume at its orientation, the
    largest cube, cylinder and sphere about it, the largest tilt in every direction, and the limits that bound them.

    Limits are the robot's own unless --limit gives others. Positions are those of the tool, and rotations are about it.

    \b
    Examples:
      gough workspace stewart
      gough workspace hexapod --units mm --convention uvw --tool 0,0,50
      gough workspace rotary --only reach,stroke,side --prove
      gough workspace stewart --tilt 20deg --mesh boundary.ply --picture workspace.png
      gough workspace delta --aspect 2,2,1 --anywhere --tool 0,0,-0.1
      gough workspace delta --payload 3 --limit force=300 --format json
      gough workspace cable8 --box x=-2:2,y=-1.5:1.5,z=0.5:
    """
    import numpy as np

    from gough.cli.loading import at_pose, load_robot
    from gough.cli.out_files import PICTURES, announce, check_file, form_of, write_whole
    from gough.cli.output import FORMATS, steps
    from gough.cli.pages.singularities_page import ranges_of
    from gough.cli.pages.workspace_page import page
    from gough.display import display_units
    from gough.errors import InputError
    from gough.motion import parse_units
    from gough.robot.quantities import PLAIN, measure
    from gough.singular.inside import nearest_inside
    from gough.workspaces.allowance import SECONDS
    from gough.workspaces.conditions import conditions_of
    from gough.workspaces.mesh_files import ENDINGS, mesh_bytes
    from gough.workspaces.result import Asked, workspace_at

    form = None if format is None else choice("--format", format, FORMATS)
    form = form_of("--out", out, form, ("json", "csv")) if out else form or "table"
    check_csv_units(csv_units, form)
    if mesh:
        check_file("--mesh", mesh, ENDINGS)
    if picture:
        check_file("--picture", picture, PICTURES)
    given = parse_units(units)
    stated = convention_of(convention)
    sides = None if aspect is None else quantities("--aspect", aspect, "a,b,c")
    tall = positive("--height", height, PLAIN)
    machine = with_tool_at(load_robot(robot, settings, units), tool, units)
    machine, pose_x = at_pose(machine, pose, "--pose", given, stated)
    machine = carrying(machine, payload, units)
    load = wrench_of(wrench, units)
    if payload is not None and load is None:
        load = [0.0] * 6
    motion = None
    if twist is not None:
        each = [measure("length", given, order=1)] * 3 + [measure("angle", given, order=1)] * 3
        motion = quantities("--twist", twist, "vx,vy,vz,wx,wy,wz", *each)
    kinds = [kind.strip() for kind in only.split(",")] if only else None
    room = ranges_of(machine, box, given, open_ends=True) if box else None
    conditions = conditions_of(machine, limits_of(machine, limits, units), kinds, load, motion, room)
    x = np.array(pose_x)
    asked = Asked(sides, tall, anywhere)
    angle = None if tilt is None else positive("--tilt", tilt, measure("angle", given))
    slides = sum(not c.turns for c in machine.platform.coordinates)
    if mesh and slides != 3:
        raise InputError(f"--mesh {mesh}: a mesh needs three sliding coordinates; {machine.name} has {slides}")
    ways_only = travel and not (mesh or picture)
    if seconds is not None and not prove:
        raise InputError("--time: is what --prove may take; give --prove too")
    limit = SECONDS if seconds is None else positive("--time", seconds, measure("time", given))
    with steps() as progress:
        found = workspace_at(machine, x, conditions, stated, ways_only, cells, angle, prove, asked, progress, limit)
        if not travel:
            progress("looking for the nearest singularity")
            found = replace(found, nearest_singularity=nearest_inside(machine, conditions, x))
    surface = None if found.volume is None else found.volume.shifted
    if mesh and surface is not None:
        length, of = display_units(units).length, found.point_name
        write_whole(Path(mesh), mesh_bytes(surface, Path(mesh).suffix.lower(), machine.name, length, of))
        announce(mesh, aside=form != "table" and not out, note=f", in {length[1]}, positions of {of}")
    elif mesh:
        why = next(line for line in found.missing if line.startswith("workspace of"))
        print(f"gough: note: --mesh {mesh}: not written; {why}", file=sys.stderr)
    if picture:
        from gough.workspaces.pictures import picture as drawn

        write_whole(Path(picture), drawn(found, display_units(units), Path(picture).suffix.lower()))
        announce(picture, aside=form != "table" and not out)
    if form == "json":
        text = found.to_json()
    elif form == "csv":
        text = found.to_csv(units=units if csv_units else None)
    else:
        text = page(found, display_units(units))
    if out:
        write_whole(Path(out), text.encode())
        announce(out)
    else:
        print(text, end="")
    return 0
