"""The options that say how the platform moves, what it carries, and in which units numbers are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from gough.cli.invoke import OptionGroup
from gough.cli.loading import load_robot
from gough.cli.options import (
    ConventionOption,
    ToolOption,
    UnitsOption,
    carrying,
    convention_of,
    positive,
    with_tool_at,
    wrench_of,
)
from gough.display import Display, display_units
from gough.motion import Motion, choose_motion, motions
from gough.motion.columns import parse_columns
from gough.motion.conventions import Convention
from gough.robot import Robot
from gough.robot.quantities import PLAIN


@dataclass(frozen=True)
class MotionOptions(OptionGroup):
    """A motion of the platform under a load, as the command line states it."""

    motion: Annotated[
        str | None,
        typer.Option("--motion", metavar="NAME|FILE", help="One of the robot's motions, or a CSV file. [its default]"),
    ] = None
    from_: Annotated[str | None, typer.Option("--from", metavar="POSE", help="Start of a straight move. [home]")] = None
    to: Annotated[str | None, typer.Option("--to", metavar="POSE", help="End of a straight move.")] = None
    duration: Annotated[str | None, typer.Option("--duration", metavar="T", help="Duration of the move, e.g. 2s.")] = (
        None
    )
    law: Annotated[
        str | None,
        typer.Option(
            "--law", metavar="LAW", help="Time law: minimum-jerk, trig3 or cos (cos for straight moves only)."
        ),
    ] = None
    back: Annotated[bool, typer.Option("--back", help="Move there and back within --duration.")] = False
    waypoints: Annotated[
        str | None,
        typer.Option(
            "--waypoints", metavar="FILE", help="CSV file of poses, joined by a spline that starts and ends at rest."
        ),
    ] = None
    hold_missing: Annotated[
        bool, typer.Option("--hold-missing", help="Keep coordinates that have no column at their home values.")
    ] = False
    smooth: Annotated[
        str | None,
        typer.Option(
            "--smooth",
            metavar="auto|SECONDS|none",
            help="Smoothing of a recording without accelerations: auto chooses it from the noise, SECONDS is the "
            "period that a low-pass filter halves. [none; refused if mostly noise]",
        ),
    ] = None
    bridge: Annotated[
        str | None,
        typer.Option(
            "--bridge",
            metavar="SECONDS",
            help="Longest gap in a recording that a smooth curve may go across, with a warning. [one or two rows]",
        ),
    ] = None
    relative: Annotated[bool, typer.Option("--relative", help="Values in the file are relative to home.")] = False
    columns: Annotated[
        str | None,
        typer.Option(
            "--columns",
            metavar="NAME=COORDINATE,...",
            help="What columns of the file are, e.g. Zeit=t,Surge=x,Heave=-z (a minus: it counts the other way). "
            "Columns without a known name are then left out.",
        ),
    ] = None
    scale: Annotated[
        str | None,
        typer.Option(
            "--scale",
            metavar="FACTOR",
            help="Make the motion this many times as large about its first pose, e.g. 0.83 as `gough check` advises.",
        ),
    ] = None
    wrench: Annotated[
        str | None,
        typer.Option(
            "--wrench",
            metavar="FX,FY,FZ,MX,MY,MZ",
            help="Force [N] and moment [N m; N mm with --units mm] on the platform, in base axes, at its tool; or by "
            "name, fz=400N.",
        ),
    ] = None
    payload: Annotated[
        str | None,
        typer.Option(
            "--payload",
            metavar="M[,X,Y,Z]",
            help="Payload mass on the platform and its centre (platform axes): a point mass in place of [payload] of "
            "the file, which may state moments of inertia.",
        ),
    ] = None
    units: UnitsOption = ""
    convention: ConventionOption = None
    tool: ToolOption = None

    @property
    def none_stated(self) -> bool:
        """Whether no option says how the platform moves."""
        ways = (
            self.motion,
            self.from_,
            self.to,
            self.duration,
            self.law,
            self.waypoints,
            self.back or None,
            self.scale,
        )
        return all(way is None for way in ways)

    @property
    def stated_by(self) -> Convention:
        """The convention in which poses are stated."""
        return convention_of(self.convention)

    @property
    def display(self) -> Display:
        """The units in which numbers are shown."""
        return display_units(self.units)

    def robot(self, name: str, settings: Sequence[str] = ()) -> Robot:
        """The robot of this name with its settings, its tool and the payload on its platform.

        Raises:
            InputError: A robot, a setting, a tool or a load that cannot be read.
        """
        wrench_of(self.wrench, self.units)
        robot = with_tool_at(load_robot(name, settings, self.units), self.tool, self.units)
        return carrying(robot, self.payload, self.units)

    def on(self, robot: Robot, shows_poses: bool = False, base: str | None = None, timed: bool = True) -> Motion:
        """The motion of the robot, under the wrench.

        Args:
            robot: The robot.
            base: How its base moves; --smooth and --bridge may be for that file alone.
            timed: Whether the motion's time counts, or only its path.
            shows_poses: The command states poses by the convention too, so that it need not be in use here.
        Raises:
            InputError: Options that contradict one another or cannot be read; a convention without a pose.
        """
        posed = self.to is not None or self.waypoints is not None or (self.motion or "") not in ["", *motions(robot)]
        recorded = str(self.motion).endswith(".csv") or not str(base).endswith(".csv")
        moved = choose_motion(
            robot,
            self.motion,
            self.from_,
            self.to,
            self.duration,
            self.waypoints,
            self.units,
            self.law,
            self.hold_missing,
            self.back,
            self.stated_by if posed or not shows_poses else None,
            smooth=self.smooth if recorded else None,
            bridge=self.bridge if recorded else None,
            relative=self.relative,
            timed=timed,
            columns=parse_columns(self.columns),
        )
        if self.scale is not None:
            moved = moved.scaled(positive("--scale", self.scale, PLAIN))
        load = wrench_of(self.wrench, self.units)
        return moved if load is None else moved.with_wrench(load)
