"""`gough singularities`: where the actuators do not hold the platform."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gough.cli.options import (
    LimitOption,
    PoseOption,
    RobotArgument,
    SettingsOption,
    UnitsOption,
    choice,
    limits_of,
)
from gough.errors import InputError

if TYPE_CHECKING:
    from gough.display import Display
    from gough.graph import Array
    from gough.robot import Robot
    from gough.workspaces.conditions import Conditions


def run(
    robot: RobotArgument,
    pose: PoseOption = "home",
    limits: LimitOption = [],  # noqa: B006
    only: Annotated[
        str,
        typer.Option(
            "--only", metavar="KINDS", help="Limits that singularities must lie within, as in `gough workspace --only`."
        ),
    ] = "",
    prove: Annotated[
        bool, typer.Option("--prove", help="Prove a distance without singularities, or that --box has none.")
    ] = False,
    box: Annotated[
        str,
        typer.Option(
            "--box", metavar="RANGES", help="Box of poses, e.g. x=-0.1:0.1,psi=-20deg:20deg (the rest as in --pose)."
        ),
    ] = "",
    to: Annotated[
        str | None, typer.Option("--to", metavar="POSE", help="Find the first one on the straight line to this pose.")
    ] = None,
    path: Annotated[
        str | None,
        typer.Option(
            "--path",
            metavar="NAME|FILE",
            help="Find the first one on a motion or CSV file; proves that there is none before it.",
        ),
    ] = None,
    motion: Annotated[
        str | None, typer.Option("--motion", metavar="NAME|FILE", help="The same as --path, as other commands say it.")
    ] = None,
    slice_: Annotated[
        str,
        typer.Option("--slice", metavar="FILE", help="Draw a slice of poses: least singular value, region, det K = 0."),
    ] = "",
    plane: Annotated[
        str, typer.Option("--plane", metavar="A,B", help="Coordinates of the slice. [first and last that slide]")
    ] = "",
    range_: Annotated[
        str,
        typer.Option(
            "--range", metavar="RANGES", help="Of coordinates of the slice, e.g. yaw=-180deg:180deg. [around the pose]"
        ),
    ] = "",
    picture: Annotated[
        str,
        typer.Option(
            "--picture",
            metavar="FILE",
            help="Draw the nearest singularity of each kind and the axis of its free motion.",
        ),
    ] = "",
    format: Annotated[str, typer.Option("--format", metavar="FORMAT", help="table or json.")] = "table",
    settings: SettingsOption = [],  # noqa: B006
    units: UnitsOption = "",
) -> int:
    """Find singularities: the nearest to a pose within the limits, on a path or in a box, and the free motion there.

    The distance of two poses is sqrt(translation^2 + (length angle)^2), with the characteristic length and the angle of
    rotation. --slice alone prints nothing else. Exit code 1: the box is not proved free of singularities, or the way or
    motion meets one or leaves the reach of the legs.

    \b
    Examples:
      gough singularities stewart --prove
      gough singularities stewart --box x=-0.4:0.4,z=1.6:2.4,theta=-20deg:20deg
      gough singularities stewart --to theta=-70deg
      gough singularities planar3rrr --slice slice.png
      gough singularities fivebar --picture singular.png
    """
    import numpy as np

    from gough.cli.loading import at_pose, load_robot
    from gough.cli.out_files import PICTURES, announce, check_file, write_whole
    from gough.cli.output import steps, to_json
    from gough.cli.pages import singularities_page as pages
    from gough.display import display_units
    from gough.motion import parse_units
    from gough.motion.pose import parse_pose
    from gough.singular.coordinates import coordinates_of
    from gough.workspaces.conditions import conditions_of

    form = choice("--format", format, ("table", "json"))
    asked = {"--box": box or None, "--to": to, "--path": path, "--motion": motion}
    asked = {option: value for option, value in asked.items() if value is not None}
    if len(asked) > 1:
        raise InputError(f"{' and '.join(asked)}: give one of them")
    if picture and asked:
        raise InputError(f"--picture and {next(iter(asked))}: give one of them; it draws what is nearest to the pose")
    if range_ and not slice_:
        raise InputError("--range: is that of a picture: give --slice FILE too; --box RANGES proves a box")
    along = motion if path is None else path
    given, display = parse_units(units), display_units(units)
    machine, pose_x = at_pose(load_robot(robot, settings, units), pose, "--pose", given)
    kinds = [kind.strip() for kind in only.split(",")] if only else None
    conditions = conditions_of(machine, limits_of(machine, limits, units), kinds)
    x = np.array(pose_x)
    document: dict[str, Any]
    if slice_:
        from gough.singular.slice_picture import slice_picture

        check_file("--slice", slice_, PICTURES)
        ranges = pages.ranges_of(machine, range_, given, option="--range") if range_ else None
        write_whole(Path(slice_), slice_picture(machine, conditions, x, plane, Path(slice_).suffix, display, ranges))
        announce(slice_, aside=form == "json")
        if not (picture or prove or asked or form == "json"):
            return 0
    if box:
        ranges = pages.ranges_of(machine, box, given)
        with steps() as progress:
            progress("proving that the box is free of singularities")
            proof = coordinates_of(machine, conditions).box(ranges, x)
        left = None if proof.left is None else dict(zip(machine.coordinate_names, proof.left.tolist(), strict=True))
        document = {"proved": proof.proved, "boxes": proof.boxes, "left": left}
        code, text = int(not proof.proved), pages.box_page(machine, ranges, proof, display)
    elif to is not None:
        end = np.array(parse_pose(machine, to, "--to", given))
        crossing = coordinates_of(machine, conditions).crossing(x, end)
        out = None if crossing.end is None else x + crossing.end * (end - x)
        document = {"share": crossing.share, "x": crossing.x, "proved": crossing.proved, "parts": crossing.parts}
        document |= {"end": crossing.end, "end_x": out, "end_legs": list(crossing.end_legs)}
        document |= {"stretched": crossing.stretched}
        code = int(crossing.share is not None or crossing.end is not None)
        text = pages.way_page(machine, crossing, out, display)
    elif along is not None:
        document, code, text = _along(machine, along, units, display)
    else:
        document, code, text = _around(machine, x, conditions, prove, picture, display, form == "json")
    sys.stdout.write(to_json(document) + "\n" if form == "json" else text)
    return code


def _along(machine: Robot, path: str, units: str, display: Display) -> tuple[dict[str, Any], int, str]:
    """Result, exit code and page of singularities on a motion: where det K changes its sign, and what is proved."""
    import numpy as np

    from gough.analysis.along_motion import Path as Along
    from gough.analysis.check import SAMPLES, singular_times
    from gough.cli.pages import singularities_page as pages
    from gough.motion import CsvLayout
    from gough.motion.files import find_motion
    from gough.singular.coordinates import coordinates_of
    from gough.singular.tube import tube
    from gough.workspaces.conditions import Conditions

    motion = find_motion(machine, path, CsvLayout(units), forces=False, place="--motion")
    reach = coordinates_of(machine, Conditions(("reach",)))
    out = reach.leaves(lambda t: motion.law(np.minimum(motion.start + t, motion.end))[0], motion.duration)
    out = None if out is None else motion.start + out
    times, touched = singular_times(Along(machine, motion), SAMPLES)
    passed, why = None, ""
    try:
        met = min([*times, *touched], default=None)
        last = None if met is None else met - 1e-9 * motion.duration
        passed = tube(machine, motion, end=last)
    except InputError as error:
        why = str(error)
    document = {
        "motion": motion.name,
        "det_K_changes_sign_at": times,
        "det_K_is_zero_at": touched,
        "proved_none_before": None if passed is None else passed.until,
        "unproved": why or None,
        "leaves_reach_at": out,
    }
    page = pages.motion_page(machine, motion, times, touched, passed or why, display)
    page += "" if out is None else pages.leaving_line(out, display)
    return document, int(bool(times or touched or out is not None)), page


def _around(
    machine: Robot, x: Array, conditions: Conditions, prove: bool, picture: str, display: Display, aside: bool
) -> tuple[dict[str, Any], int, str]:
    """Result, exit code and page of the nearest singularities around a pose, drawn if a picture is asked for."""
    from gough.cli.out_files import PICTURES, announce, check_file, write_whole
    from gough.cli.output import steps
    from gough.cli.pages import singularities_page as pages
    from gough.singular.result import singularities_at

    if picture:
        check_file("--picture", picture, PICTURES)
    with steps() as progress:
        nearest = singularities_at(machine, x, conditions, prove, progress=progress)
    if picture and not nearest.found:
        why = "none was found within the limits; --only reach looks wherever the legs reach"
        print(f"gough: note: --picture {picture}: not drawn: {why}", file=sys.stderr)
    elif picture:
        from gough.view.singular_sheet import draw_singularities

        buffer = io.BytesIO()
        draw_singularities(nearest, display).savefig(buffer, format=Path(picture).suffix.removeprefix("."))
        write_whole(Path(picture), buffer.getvalue())
        announce(picture, aside=aside)
    return nearest.to_dict(), 0, pages.page(nearest, display)
