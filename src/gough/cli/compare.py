"""`gough compare`: two robots or two settings side by side on one motion."""

from __future__ import annotations

from typing import Annotated

import typer

from gough.cli.motion_options import MotionOptions
from gough.cli.options import BaseOption, JsonOption

SetSecond = Annotated[
    list[str],
    typer.Option("--set", metavar="PATH=VALUE", help="Change a number of B, SI or with its unit; repeatable."),
]


def run(
    first: Annotated[str, typer.Argument(metavar="A", help="Robot name (see `gough robots`) or TOML file.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Second robot, or the same one with --set.")],
    moving: MotionOptions,
    settings: SetSecond = [],  # noqa: B006
    base: BaseOption = None,
    json: JsonOption = False,
) -> int:
    """Compare two robots, or one with changed numbers, on the same motion: the differences that matter first.

    The motion is chosen for A; both must have the same platform coordinates.

    \b
    Examples:
      gough compare stewart stewart --set platform.mass=3
      gough compare mine.toml yours.toml --motion lift.csv
      gough compare hexapod hexapod --set platform.mass=3 --base-motion ship
      gough compare delta delta --set leg.A.radius=0.03 --json
    """
    from gough.cli.output import to_json
    from gough.cli.pages.compare_page import page
    from gough.design import compare
    from gough.dynamics.base_motion import base_motion

    one, other = moving.robot(first), moving.robot(second, settings)
    moved = moving.on(one, base=base)
    carried = None if base is None else base_motion(base, moving.units, moving.smooth)
    names = (one.name, f"{other.name} ({', '.join(settings)})" if settings else other.name)
    if names[0] == names[1]:
        names = (f"{names[0]} (A)", f"{names[1]} (B)")
    result = compare(one, other, moved, names, base=carried)
    print(to_json(result.to_dict()) if json else page(result, moving.display))
    return 0
