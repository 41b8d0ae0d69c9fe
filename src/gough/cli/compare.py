"""`gough compare`: two robots or two settings side by side on one motion."""

from __future__ import annotations

from typing import Annotated

import typer

from gough.cli.motion_options import MotionOptions
from gough.cli.options import BaseOption, JsonOption
from gough.errors import InputError

SetSecond = Annotated[
    list[str],
    typer.Option("--set", metavar="PATH=VALUE", help="Change a number of B: 750mm/s; without a unit SI. Repeatable."),
]


def run(
    first: Annotated[str, typer.Argument(metavar="A", help="Robot name (see `gough robots`) or TOML file.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Second robot, or the same one with --set.")],
    moving: MotionOptions,
    settings: SetSecond = [],  # noqa: B006
    workspace: Annotated[
        bool, typer.Option("--workspace", help="Compare the workspaces instead; no motion is used.")
    ] = False,
    base: BaseOption = None,
    json: JsonOption = False,
) -> int:
    """Compare two robots, or one with changed numbers, on the same motion: the most important differences first.

    The motion is chosen for A and moves only coordinates that B has too; all others are held at home. Where both files
    have [stiffness] or [tolerances], stiffness and errors are compared too. With --workspace, travel, volume, largest
    shapes and tilt are compared, and no motion is used.

    \b
    Examples:
      gough compare stewart stewart --set platform.mass=3
      gough compare mine.toml yours.toml --motion lift.csv
      gough compare hexapod hexapod --set platform.mass=3 --base-motion ship
      gough compare stewart stewart --set legs.actuator.stroke.1=3 --workspace
      gough compare delta delta --set leg.A.radius=0.03 --format json
      gough compare hexapod.toml tripod.toml --to pitch=4deg,roll=3deg --duration 1
    """
    from gough.cli.output import to_json
    from gough.cli.pages.compare_page import page
    from gough.design import compare

    one, other = moving.robot(first), moving.robot(second, settings)
    names = (one.name, f"{other.name} ({', '.join(settings)})" if settings else other.name)
    if names[0] == names[1]:
        names = (f"{names[0]} (A)", f"{names[1]} (B)")
    if workspace:
        from gough.cli.pages.compare_page import workspace_page
        from gough.workspaces import workspace as room
        from gough.workspaces.comparison import compare_workspaces

        if not moving.none_stated or base is not None:
            raise InputError("--workspace: takes no motion; leave the motion out")
        rooms = compare_workspaces(room(one, cells=64), room(other, cells=64), names)
        print(to_json(rooms.to_dict()) if json else workspace_page(rooms, moving.display))
        return 0
    moved = moving.on(one, base=base)
    result = compare(one, other, moved, names)
    print(to_json(result.to_dict()) if json else page(result, moving.display))
    return 0
