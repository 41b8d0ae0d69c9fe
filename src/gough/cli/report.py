"""`gough report`: a robot along a motion as one HTML file."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from gough.cli.motion_options import MotionOptions
from gough.cli.options import EnvelopeOption, LimitOption, MotorOption, RobotArgument, SettingsOption, samples_of, whole
from gough.cli.out_files import announce, check_file, write_whole
from gough.errors import InputError
from gough.files import is_special
from gough.robot.error_sources import PAGE

if TYPE_CHECKING:
    from gough.accuracy import PoseErrors
    from gough.design import Envelope, SizeResult
    from gough.reports.verify import Certificate
    from gough.robot import Robot

SAMPLES = 401
_LEFT_OUT = ("cache", "cores")
STATES = 100
"""Default number of random states of the certificate."""


def run(
    robot: RobotArgument,
    moving: MotionOptions,
    samples: Annotated[
        str | None, typer.Option("--samples", metavar="N", help="Number of samples, evenly spaced. [401]")
    ] = None,
    limits: LimitOption = [],  # noqa: B006
    motor: MotorOption = "",
    envelope: EnvelopeOption = "",
    settings: SettingsOption = [],  # noqa: B006
    states: Annotated[
        int,
        typer.Option("--states", metavar="N", parser=whole(0), help="Random states of the certificate; 0 for none."),
    ] = STATES,
    workspace: Annotated[
        bool, typer.Option("--workspace", help="Add a section on the workspace: travel, volume, tilts.")
    ] = False,
    mechanism: Annotated[
        bool, typer.Option("--mechanism", help="Add a section on the nearest singularities and the assembly modes.")
    ] = False,
    errors: Annotated[
        str,
        typer.Option(
            "--errors", metavar="FILE.toml", help="File with [tolerances]: add a section on accuracy. [the robot's]"
        ),
    ] = "",
    animation: Annotated[
        bool | None,
        typer.Option(
            "--animation/--no-animation",
            help="Write FILE.3d.html beside the report and link to it. [if viser is installed]",
        ),
    ] = None,
    out: Annotated[str, typer.Option("--out", metavar="FILE.html", help="Output file.")] = "report.html",
) -> int:
    """Write a report on the robot, its motion and the loads of the actuators, as one printable HTML file.

    With --motor its rotors are part of the model and its curves are drawn in the diagrams; with --envelope the report
    includes the results of `gough size` over it. Exit codes are those of `gough inverse`; the report says whether the
    motion fits.

    \b
    Examples:
      gough report stewart --out report.html
      gough report delta --motion pick-and-place --payload 2 --units mm,deg --out delta.html
      gough report stewart --limit force=15 --motor servo.toml --envelope envelope.toml
      gough report mine.toml --to z=650mm --duration 1.5 --states 0
      gough report rps3 --workspace --mechanism --errors tolerances.toml
    """
    if not out.lower().endswith((".html", ".htm")) and not is_special(Path(out)):
        hint = f"did you mean {Path(out).stem}.html?"
        if out.lower().endswith(".pdf"):
            hint = f"write {Path(out).stem}.html and print that from the browser as PDF"
        raise InputError(f"--out {out}: the file's name must end in .html ({hint})")
    check_file("--out", out, (".html", ".htm"))
    if animation is None:
        animation = find_spec("viser") is not None and not is_special(Path(out))
    beside = Path(out).with_suffix(".3d.html") if animation else None
    if beside is not None:
        check_file("--out", beside, (".html",))
    from gough.analysis.limits import check_limits
    from gough.cli.info import collect
    from gough.cli.loading import source
    from gough.cli.options import limits_of
    from gough.cli.pages.inverse_page import verdict
    from gough.cli.pages.show_facts import robot_facts
    from gough.design import read_envelope
    from gough.display import display_units
    from gough.dynamics.inverse import inverse_dynamics
    from gough.reports.page.case import Case
    from gough.reports.page.check_section import checked
    from gough.reports.page.report_page import report_html
    from gough.reports.page.size_section import demand_of
    from gough.reports.verify import check_states
    from gough.robot import catalogue
    from gough.view.animation import animate
    from gough.view.drawing.scene import is_small

    stated = moving.stated_by
    drawn = moving.robot(robot, settings)
    check_states(drawn, states)
    bounds = check_limits(limits_of(drawn, limits, moving.units))
    moved = moving.on(drawn, shows_poses=True)
    machine = drawn.with_motor(motor) if motor else drawn
    ranges = read_envelope(machine, envelope) if envelope else None
    told = _errors(drawn, errors)
    result = inverse_dynamics(machine, moved.sample(samples_of(moved, None, samples, moving.units, SAMPLES)))
    display = display_units(moving.units, is_small(drawn))
    given = moving.stated() | {"--samples": samples, "--limit": limits, "--motor": motor or None}
    given |= {"--envelope": envelope or None, "--set": settings}
    given |= {"--workspace": True if workspace else None, "--mechanism": True if mechanism else None}
    given |= {"--errors": errors or None}
    given |= {"--states": None if states == STATES else states}
    given |= {"--animation" if animation else "--no-animation": True, "--out": out}
    case = Case(
        result=result,
        motion=moved,
        stated=stated,
        facts=robot_facts(drawn, drawn.platform.home, source(robot) if robot in catalogue() else ""),
        display=display,
        command=command_line(robot, given),
        called=shlex.quote(robot),
        check=checked(machine, moved, bounds),
        demand=demand_of(machine, moved),
        size=_size(machine, ranges),
        convention=stated.described(machine, display.length, display.angle),
        certificate=_certificate(machine, states),
        animation=beside.name if beside else "",
        versions={name: value for name, value in collect().items() if name not in _LEFT_OUT},
        files={name: Path(name).read_text("utf-8") for name in (motor, envelope, errors) if name},
        drawn=drawn,
        errors=told,
        **(_workspace(drawn, bounds, moving) if workspace else {}),
        **(_mechanism(drawn) if mechanism else {}),
    )
    page = report_html(case).encode()
    if beside is not None:
        animate(machine, moved, moving.units).save(beside)
    write_whole(Path(out), page)
    announce(out, *([beside] if beside else []))
    return verdict(result, display, None if case.check is None else case.check.lost)


def command_line(robot: str, given: dict[str, Any]) -> str:
    """The command that makes the same report, as pasted into a shell."""
    words = ["gough", "report", robot]
    for name, value in given.items():
        for entry in value if isinstance(value, list) else [value]:
            if entry is True:
                words.append(name)
            elif entry is not None:
                words += [name, str(entry)]
    return shlex.join(words)


def _certificate(machine: Robot, states: int) -> Certificate | None:
    if states == 0:
        return None
    from gough.cli.output import steps
    from gough.reports.verify import verify

    with steps() as progress:
        return verify(machine, states, 0, progress=progress)


def _workspace(machine: Robot, bounds: Mapping[str, Any], moving: MotionOptions) -> dict[str, Any]:
    """What a case holds of the workspace: within the limits and under the load of the report, as of its command."""
    from gough.cli.options import wrench_of
    from gough.cli.output import steps
    from gough.workspaces import workspace
    from gough.workspaces.conditions import of_poses

    load = wrench_of(moving.wrench, moving.units)
    if load is None and moving.payload is not None:
        load = [0.0] * 6
    with steps() as progress:
        progress("looking for the workspace")
        try:
            return {"workspace": workspace(machine, limits=of_poses(bounds), wrench=load, cells=64)}
        except InputError as error:
            return {"no_workspace": str(error)}


def _mechanism(machine: Robot) -> dict[str, Any]:
    """What a case holds of singularities, and of assembly modes where they can be told."""
    from gough.assembly import assembly_modes
    from gough.cli.output import steps
    from gough.kinematics import inverse_kinematics
    from gough.singular import singularities

    with steps() as progress:
        progress("looking for singularities")
        found: dict[str, Any] = {"singular": singularities(machine)}
        progress("finding all assembly modes")
        try:
            found["modes"] = assembly_modes(machine, inverse_kinematics(machine, machine.platform.home).q)
        except InputError:  # cables hold no pose by themselves; more actuators than coordinates
            return found
    return found


def _errors(machine: Robot, path: str) -> PoseErrors | None:
    """Pose errors at home from the tolerances of a file, or the robot's own; None where it has none."""
    from gough.accuracy import pose_errors
    from gough.accuracy.pose_errors import sources_of

    machine = machine.with_errors(path) if path else machine
    if not sources_of(machine):
        if not path:
            return None
        raise InputError(f"--errors {path}: states no [tolerances]; their keys: {PAGE}")
    return pose_errors(machine, np.array([machine.platform.home]))


def _size(machine: Robot, ranges: Envelope | None) -> SizeResult | None:
    if ranges is None:
        return None
    from gough.cli.output import steps
    from gough.design import size

    with steps() as progress:
        progress("searching the envelope")
        return size(machine, ranges, seeds=(1,))
