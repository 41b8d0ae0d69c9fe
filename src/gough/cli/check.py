"""`gough check`: does a motion fit the machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gough.cli.motion_options import MotionOptions
from gough.cli.options import JsonOption, LimitOption, RobotArgument, SettingsOption


def run(
    robot: RobotArgument,
    moving: MotionOptions,
    limits: LimitOption = [],  # noqa: B006
    settings: SettingsOption = [],  # noqa: B006
    json: JsonOption = False,
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="Write there instead of printing.")] = "",
) -> int:
    """Check whether a motion fits: every limit with its worst leg, time, value and margin, between samples too.

    Limits are the robot's own unless --limit states others. Exit code 0: fits; 1: does not; 2: no limit at all; 3: out
    of reach.

    \b
    Examples:
      gough check stewart
      gough check hexapod --motion rotation --limit force=12 --limit condition=10
      gough check rotary --to z=125mm,roll=10deg --duration 0.3 --limit angle=25deg
      gough check delta --limit distance=20mm --json
    """
    from gough.cli.files import check_folder, write_whole
    from gough.cli.limits import limits_of
    from gough.cli.output import to_json

    if out:
        check_folder("--out", Path(out))
    machine = moving.robot(robot, settings)
    stated = limits_of(machine, limits, moving.units)
    moved = moving.on(machine)
    from gough.analyse import check
    from gough.cli.check_page import page

    result = check(machine, moved, stated)
    text = to_json(result.to_dict()) + "\n" if json else page(result, moving.display)
    if out:
        write_whole(Path(out), text.encode())
        print(f"wrote {out}")
    else:
        print(text, end="")
    return 0 if result.fits else 1
