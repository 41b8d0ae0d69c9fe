"""The options that say how the platform moves, what it carries, and in which units numbers are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

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
from gough.motion import CsvLayout, Motion, MotionError, default_motion, motions
from gough.motion.columns import parse_columns
from gough.motion.conventions import OWN, Convention
from gough.motion.files import find_motion, read_waypoints
from gough.motion.pose import duration_of, law_of, parse_pose, parse_units
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
        typer.Option("--law", metavar="LAW", help="Time law of a straight move: minimum-jerk, trig3 or cos."),
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

    def on(
        self,
        robot: Robot,
        shows_poses: bool = False,
        base: str | None = None,
        timed: bool = True,
        forces: bool = True,
    ) -> Motion:
        """The motion of the robot, under the wrench and on its base.

        Args:
            robot: The robot.
            base: How its base moves; --smooth and --bridge may be for that file alone.
            timed: Whether the motion's time counts, or only its path.
            forces: Whether forces are computed along it, which noise of a recording must not decide.
            shows_poses: The command states poses by the convention too, so that it need not be in use here.
        Raises:
            InputError: Options that contradict one another or cannot be read; a convention without a pose.
        """
        posed = self.to is not None or self.waypoints is not None or (self.motion or "") not in ["", *motions(robot)]
        recorded = str(self.motion).endswith(".csv") or not str(base).endswith(".csv")
        stated = self.stated_by if posed or not shows_poses else OWN
        moved = self._moved(robot, self.layout(stated), timed, forces, recorded)
        if self.scale is not None:
            moved = moved.scaled(positive("--scale", self.scale, PLAIN))
        load = wrench_of(self.wrench, self.units)
        if load is not None:
            moved = moved.with_wrench(load)
        if base is None:
            return moved
        return moved.on_base(base, CsvLayout(self.units), smooth=self.smooth, max_gap=self.bridge)

    def layout(self, convention: Convention) -> CsvLayout:
        """How the numbers of a file are stated, its poses by a convention.

        Raises:
            InputError: Units or names of columns that cannot be read.
        """
        parse_units(self.units)
        columns = parse_columns(self.columns)
        return CsvLayout(self.units, columns, self.relative, self.hold_missing, convention)

    def _moved(self, robot: Robot, layout: CsvLayout, timed: bool, forces: bool, recorded: bool) -> Motion:
        """The motion without what loads it.

        Raises:
            InputError: Options that contradict one another, unknown names, bad files.
        """
        path = {"--from": self.from_, "--to": self.to, "--duration": self.duration, "--law": self.law}
        path |= {"--back": "there and back" if self.back else None}
        _check_options({"--motion": self.motion, "--waypoints": self.waypoints, **path}, timed)
        smooth, bridge = (self.smooth, self.bridge) if recorded else (None, None)
        files = {"--smooth": smooth, "--bridge": bridge, "--relative": self.relative, "--columns": self.columns}
        if self.to is not None:
            _check_no_file(files, "--to")
            return self._straight(robot, layout)
        if self.waypoints is not None:
            if bridge is not None:
                hint = "a spline goes through all of them"
                raise MotionError("--bridge", "", None, "cannot go with --waypoints", hint)
            return read_waypoints(robot, self.waypoints, layout, smooth, timed, forces)
        name = default_motion(robot) if self.motion is None else self.motion
        if name is None:
            allowed = f"missing: {robot.name} has no default motion"
            raise MotionError("--motion", "", None, allowed, f"{_WAYS}; --motion hold stays at home")
        if name in motions(robot):
            _check_no_file(files, f"the motion {name}")
            if layout.stated_by != OWN:
                allowed = f"the motion {name} is in the robot's own coordinates: there is no pose to state otherwise"
                hint = "it is for --to, --from and files"
                raise MotionError("--convention", "", layout.stated_by.name, allowed, hint)
        return find_motion(robot, name, layout, smooth, bridge, forces, "--motion")

    def _straight(self, robot: Robot, layout: CsvLayout) -> Motion:
        units, stated = layout.sizes, layout.stated_by
        start = None if self.from_ is None else parse_pose(robot, self.from_, "--from", units, stated)
        end = parse_pose(robot, self.to or "", "--to", units, stated, start)
        time = duration_of(self.duration or "1s", units, "--duration")
        law = law_of(self.law or "minimum-jerk", "--law")
        return Motion.to(robot, end, time, start=start, law=law, back=self.back)


_WAYS = "give --motion, or --waypoints, or --to and --duration"


def _check_options(options: dict[str, Any], timed: bool) -> None:
    """Refuse options that state the motion in more than one way, or not all of it."""
    given = [name for name, value in options.items() if value is not None]
    if len(given) > 1 and given[0] in ("--motion", "--waypoints"):
        raise MotionError(given[1], "", None, f"cannot go with {given[0]}", _WAYS)
    if given and given[0] not in ("--motion", "--waypoints"):
        for name in ("--to", *(["--duration"] if timed else [])):
            if name not in given:
                raise MotionError(name, "", None, f"missing: {given[0]} needs it", _WAYS)


def _check_no_file(options: dict[str, Any], motion: str) -> None:
    """Refuse options that are for files."""
    for name, value in options.items():
        if value is not None and value is not False:
            raise MotionError(name, "", None, f"cannot go with {motion}", "it is for CSV files")
