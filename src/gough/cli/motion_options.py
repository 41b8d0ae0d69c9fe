"""The options that say how the platform moves, what it carries, and in which units numbers are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from gough.cli.groups import OptionGroup
from gough.cli.loading import load_robot
from gough.cli.option_values import carrying, wrench_of
from gough.cli.options import UnitsOption
from gough.cli.poses import parse_pose
from gough.motion import Motion, choose_motion
from gough.robot import Robot
from gough.view.display import Display, display_units


@dataclass(frozen=True)
class MotionOptions(OptionGroup):
    """A motion of the platform under a load, as the command line states it."""

    motion: Annotated[
        str | None,
        typer.Option("--motion", metavar="NAME|FILE", help="One of the robot's motions, or a CSV file. [its default]"),
    ] = None
    from_: Annotated[str | None, typer.Option("--from", metavar="POSE", help="Start of a straight move. [home]")] = None
    to: Annotated[str | None, typer.Option("--to", metavar="POSE", help="End of a straight move.")] = None
    duration: Annotated[str | None, typer.Option("--duration", metavar="T", help="Of the straight move.")] = None
    law: Annotated[
        str | None, typer.Option("--law", metavar="LAW", help="Of the straight move: minimum-jerk, trig3, cos.")
    ] = None
    waypoints: Annotated[
        str | None, typer.Option("--waypoints", metavar="FILE", help="CSV file: a spline at rest at both ends.")
    ] = None
    hold_missing: Annotated[
        bool, typer.Option("--hold-missing", help="Coordinates without a column in a file stay at home.")
    ] = False
    wrench: Annotated[
        str | None,
        typer.Option("--wrench", metavar="FX,FY,FZ,MX,MY,MZ", help="Force and moment on the platform, base axes."),
    ] = None
    payload: Annotated[
        str | None,
        typer.Option("--payload", metavar="M[,X,Y,Z]", help="Mass on the platform, and where (platform axes)."),
    ] = None
    units: UnitsOption = ""

    @property
    def none_stated(self) -> bool:
        """Whether no option says how the platform moves."""
        return (self.motion, self.from_, self.to, self.duration, self.law, self.waypoints) == (None,) * 6

    @property
    def display(self) -> Display:
        """The units in which numbers are shown."""
        return display_units(self.units)

    def robot(self, name: str, settings: Sequence[str] = ()) -> Robot:
        """The robot of this name with its settings and the payload on its platform.

        Raises:
            InputError: A robot, a setting or a load that cannot be read.
        """
        wrench_of(self.wrench, self.units)
        return carrying(load_robot(name, settings), self.payload, self.units)

    def on(self, robot: Robot) -> Motion:
        """The motion of the robot, under the wrench; without `--units` poses may carry units: z=650mm.

        Raises:
            InputError: Options that contradict one another or cannot be read.
        """
        start: Any = self.from_
        end: Any = self.to
        if not self.units.strip() and (end is not None or self.duration is not None):
            start = None if start is None else parse_pose(robot, start, "--from")
            end = None if end is None else parse_pose(robot, end, "--to")
        moved = choose_motion(
            robot,
            self.motion,
            start,
            end,
            self.duration,
            self.waypoints,
            self.units,
            self.law,
            self.hold_missing,
        )
        load = wrench_of(self.wrench, self.units)
        return moved if load is None else moved.with_wrench(load)
