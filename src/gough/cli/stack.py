"""`gough stack`: one robot on the platform of another, both in one call."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gough.cli.options import BaseOption, JsonOption, UnitsOption, choice, limits_of, whole, wrench_of
from gough.cli.out_files import announce, check_file, write_whole
from gough.errors import InputError

if TYPE_CHECKING:
    from gough.display import Display
    from gough.dynamics.stacks.stack_file import Stack
    from gough.motion import Motion
    from gough.robot import Robot

ACTIONS = ("ik", "inverse", "check", "view")
NOT_HERE = ("forward", "simulate")


def _option(name: str, metavar: str, text: str) -> Any:
    return typer.Option(name, metavar=metavar, help=text)


def run(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help='Stack file; see "Moving bases, screws and stacked robots" in the documentation.'
        ),
    ],
    action: Annotated[str, typer.Argument(metavar="ACTION", help="ik, inverse, check or view.")] = "inverse",
    lower_motion: Annotated[
        str | None, _option("--lower-motion", "NAME|FILE", "Motion of the lower robot. [its default]")
    ] = None,
    upper_motion: Annotated[
        str | None, _option("--upper-motion", "NAME|FILE", "Motion of the upper robot. [its default]")
    ] = None,
    lower_pose: Annotated[str, _option("--lower-pose", "POSE", "Pose of the lower robot, for ik and view.")] = "home",
    upper_pose: Annotated[str, _option("--upper-pose", "POSE", "Pose of the upper robot, for ik and view.")] = "home",
    samples: Annotated[
        int, typer.Option("--samples", metavar="N", help="Number of samples of inverse.", parser=whole())
    ] = 101,
    lower_limits: Annotated[list[str], _option("--lower-limit", "KIND=VALUE", "As `check --limit`; repeatable.")] = [],  # noqa: B006
    upper_limits: Annotated[list[str], _option("--upper-limit", "KIND=VALUE", "As `check --limit`; repeatable.")] = [],  # noqa: B006
    wrench: Annotated[
        str | None,
        _option("--wrench", "FX,FY,FZ,MX,MY,MZ", "Wrench on the upper platform at its tool, axes of the upper base."),
    ] = None,
    base: BaseOption = None,
    units: UnitsOption = "",
    json: JsonOption = False,
    png: Annotated[str, _option("--png", "FILE.png", "With view: write a picture of the poses.")] = "",
    html: Annotated[str, _option("--html", "FILE.html", "With view: write an animated file of the motions.")] = "",
    port: Annotated[
        int | None,
        typer.Option("--port", min=1, max=65535, metavar="PORT", help="With view: port on 127.0.0.1. [any free port]"),
    ] = None,
) -> int:
    """Compute kinematics, forces and limits of a stack, one robot on the platform of another, or draw it.

    The lower platform carries the upper base and the wrench that the upper robot exerts on it. If one motion is
    shorter, its robot rests at the ends. Exit codes are those of ik, inverse, check and view.

    \b
    Examples:
      gough stack tower.toml
      gough stack tower.toml inverse --lower-motion vertical --upper-motion hold --format json
      gough stack tower.toml check --lower-limit force=50 --upper-limit force=60
      gough stack tower.toml ik --lower-pose z=0.4 --upper-pose home
      gough stack tower.toml view
      gough stack tower.toml view --html tower.html
      gough stack tower.toml view --png tower.png --lower-pose z=0.4
    """
    if action in NOT_HERE:
        raise InputError(
            f"stack {action}: accelerations of both robots depend on each other, and each robot is solved by itself; "
            f"stack has {', '.join(ACTIONS)}"
        )
    chosen = choice("action", action, ACTIONS)
    for option, value in (("--png", png), ("--html", html), ("--port", port)):
        if value and chosen != "view":
            raise InputError(f"{option}: is for view, not {chosen}")
    if chosen == "view" and not png and (lower_pose, upper_pose) != ("home", "home"):
        raise InputError("--lower-pose, --upper-pose: view shows motions, and poses with --png FILE.png")
    for option, value, ending in (("--png", png, ".png"), ("--html", html, ".html")):
        if value:
            check_file(option, value, (ending,))
    from gough.display import display_units
    from gough.dynamics.stacks.stack_file import load_stack

    stack, display = load_stack(file), display_units(units)
    if png:
        _picture(stack, _poses(stack, lower_pose, upper_pose, units), display if units else None, png)
        if not html:
            return 0
    if chosen == "ik":
        return _posed(stack, _poses(stack, lower_pose, upper_pose, units), display, json)
    from gough.dynamics.stacks.stack_dynamics import stack_motions
    from gough.motion import CsvLayout

    lower, upper = (_motion(robot, name) for robot, name in ((stack.lower, lower_motion), (stack.upper, upper_motion)))
    load = wrench_of(wrench, units)
    upper = upper if load is None else upper.with_wrench(load)
    motions = stack_motions(stack, lower if base is None else lower.on_base(base, CsvLayout(units)), upper)
    if chosen == "view":
        return _view(stack, motions, display, html, port)
    if chosen == "inverse":
        return _inverse(stack, motions, samples, display, json)
    limits = [limits_of(r, given, units) for r, given in ((stack.lower, lower_limits), (stack.upper, upper_limits))]
    return _check(stack, motions, limits, display, json)


def _motion(robot: Robot, name: str | None) -> Motion:
    """One of a robot's motions by its name or from a CSV file, or its default one."""
    from gough.motion import Motion
    from gough.motion.files import find_motion

    return Motion.named(robot) if name is None else find_motion(robot, name, place="--motion")


def _poses(stack: Stack, lower: str, upper: str, units: str) -> list[Any]:
    from gough.motion import parse_units
    from gough.motion.pose import parse_pose

    given = (("--lower-pose", stack.lower, lower), ("--upper-pose", stack.upper, upper))
    return [parse_pose(robot, pose, option, parse_units(units)) for option, robot, pose in given]


def _picture(stack: Stack, poses: list[Any], display: Display | None, png: str) -> None:
    from gough.view.drawing.stack_drawing import stack_png

    write_whole(Path(png), stack_png(stack, poses[0], poses[1], display))
    announce(png)


def _view(
    stack: Stack,
    motions: tuple[Motion, Motion],
    display: Display,
    html: str,
    port: int | None,
) -> int:
    """Both robots along their motions: as a file, or in the browser until Ctrl-C."""
    from gough.dynamics.stacks.stack_dynamics import stack_dynamics_along
    from gough.view.browser.animation_file import frames_for
    from gough.view.browser.stack_view import serve_stack, stack_html

    found = stack_dynamics_along(stack, *motions, frames_for(motions[0].duration))
    if html:
        write_whole(Path(html), stack_html(stack, found, display).encode())
        announce(html)
    else:
        serve_stack(stack, found, display, port)
    return 0


def _posed(stack: Stack, poses: list[Any], display: Display, json: bool) -> int:
    from gough.cli.output import table, to_json
    from gough.display import number
    from gough.dynamics.stacks.stack_dynamics import stack_kinematics

    found = stack_kinematics(stack, *poses)
    if json:
        shown = {"lower": found.lower.to_dict(), "upper": found.upper.to_dict()}
        print(to_json(shown | {"p": found.p.tolist(), "R": found.R.tolist()}))
        return 0
    factor, unit = display.length
    place = ", ".join(number(v * factor, 5) for v in found.p)
    blocks = [f"{stack.name}: base of {stack.upper.name} at {place} {unit} in the base of {stack.lower.name}"]
    for key, part in (("lower", found.lower), ("upper", found.upper)):
        rows = []
        for name, joint, q in zip(part.robot.actuator_names, part.robot.actuators, part.q, strict=True):
            size, of = display.travel(joint.turns)
            rows.append([name, of, number(q * size, 8)])
        blocks.append(f"{key}: {part.robot.name}\n{table(['actuator', 'unit', 'q'], rows)}")
    print("\n\n".join(blocks))
    return 0


def _inverse(stack: Stack, motions: tuple[Motion, Motion], samples: int, display: Display, json: bool) -> int:
    from gough.cli.output import to_json
    from gough.cli.pages.inverse_page import page, verdict
    from gough.dynamics.stacks.carried import CarriedBase
    from gough.dynamics.stacks.stack_dynamics import stack_dynamics_along

    found = stack_dynamics_along(stack, *motions, samples)
    if json:
        print(to_json(found.to_dict()))
    else:
        carried = CarriedBase(stack, motions[0]).name
        for key, result, moved, name in (
            ("upper", found.upper, motions[1], carried),
            ("lower", found.lower, motions[0], "" if motions[0].base is None else motions[0].base.name),
        ):
            print(f"{key}: {page(result, moved, False, False, False, display, base=name)}")
    return max(verdict(found.upper, display), verdict(found.lower, display))


def _check(
    stack: Stack,
    motions: tuple[Motion, Motion],
    limits: list[Any],
    display: Display,
    json: bool,
) -> int:
    from gough.analysis.stack_check import check_stack
    from gough.cli.output import to_json
    from gough.cli.pages.check_page import page

    found = check_stack(stack, *motions, limits[0], limits[1])
    if json:
        print(to_json(found.to_dict()))
    else:
        for key, result in (("upper", found.upper), ("lower", found.lower)):
            print(f"{key}: {page(result, display, advised=False)}")
    if found.lower.lost is not None:
        raise found.lower.lost
    return 0 if found.fits else 1
