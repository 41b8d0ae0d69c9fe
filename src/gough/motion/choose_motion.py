"""The motion chosen by a set of options."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from gough.motion.conventions import OWN, Convention
from gough.motion.conventions import convention as convention_of
from gough.motion.faults import MotionError
from gough.motion.motion import Motion
from gough.motion.named import default_motion, motions, named
from gough.motion.point_to_point import duration_of, law_of, point_to_point
from gough.motion.pose import PoseLike, parse_pose, parse_units
from gough.robot import Robot
from gough.robot.file.units import Units
from gough.robot.names import did_you_mean

_WAYS = "give --motion, or --waypoints, or --to and --duration"


MotionLike: TypeAlias = str | Path | Motion | None
"""A motion, its name, or a CSV file; None is the robot's default."""


def choose_motion(
    robot: Robot,
    motion: MotionLike = None,
    from_: PoseLike | None = None,
    to: PoseLike | None = None,
    duration: float | str | None = None,
    waypoints: str | Path | None = None,
    units: str | Units | None = None,
    law: str | None = None,
    hold_missing: bool = False,
    back: bool = False,
    convention: str | Convention | None = None,
    smooth: str | float | None = None,
    relative: bool = False,
    timed: bool = True,
    bridge: str | float | None = None,
    columns: Mapping[str, str] | None = None,
) -> Motion:
    """The motion of the options `--motion`, `--from`, `--to`, `--duration`, `--law`, `--waypoints`, `--units`, ...

    Args:
        robot: The robot that moves.
        motion: Name of one of its motions or a CSV file, in this order; the robot's default if nothing is given.
        from_, to: Poses as `parse_pose` takes them; from home if left out.
        duration: Duration of the way from `from_` to `to`, a number or a text with or without a unit, "1.5s".
        waypoints: A CSV file of waypoints with times.
        units: Units of poses, duration and files, e.g. "mm,deg".
        law: From `from_` to `to`: minimum-jerk (default), trig3 or cos; through waypoints: minimum-jerk or trig3.
        hold_missing: Coordinates without a column in a file stay at home.
        back: From `from_` to `to` and back within `duration`.
        convention: Convention in which poses and columns of files are stated; the robot's own coordinates if left out.
            The path between two poses is straight in the robot's own coordinates in any convention.
        smooth, bridge, columns: For a CSV file, as in `read_csv`.
        relative: Values of a file count from home.
        timed: Whether the motion's time counts; where only its path does, waypoints need no times, a way no duration.
    Raises:
        MotionError: Options that contradict one another, unknown names, bad files.
    """
    size = units if isinstance(units, Units) else parse_units(units)
    stated = convention_of(convention)
    path = {"--from": from_, "--to": to, "--duration": duration, "--law": law, "--back": back or None}
    _check_options({"--motion": motion, "--waypoints": waypoints, **path}, timed)
    files = {"--smooth": smooth, "--bridge": bridge, "--relative": relative or None, "--columns": columns or None}
    if to is not None:
        path["--duration"] = path["--duration"] or "1s"
        _check_no_file(files, "--to")
        return _line(robot, path, size, stated)
    from gough.motion.files import read_csv, read_waypoints

    given = size if units is None else units
    if waypoints is not None:
        if bridge is not None:
            raise MotionError("--bridge", "", None, "cannot go with --waypoints", "a spline goes through all of them")
        more: dict[str, Any] = {"smooth": smooth, "relative": relative, "timed": timed, "columns": columns}
        return read_waypoints(robot, waypoints, given, hold_missing, law, stated, **more)
    found = _without_poses(robot, motion)
    if found is None:
        recording: dict[str, Any] = {"smooth": smooth, "relative": relative, "bridge": bridge, "columns": columns}
        return read_csv(robot, str(motion), given, hold_missing, stated, **recording)
    _check_no_file(files, f"the motion {found.name}")
    if stated != OWN:
        allowed = f"the motion {found.name} is in the robot's own coordinates: there is no pose to state otherwise"
        raise MotionError("--convention", "", stated.name, allowed, "it is for --to, --from and files")
    return found


def _without_poses(robot: Robot, motion: str | Path | Motion | None) -> Motion | None:
    """A motion given as it is or by its name, or the robot's default; None for a file."""
    if isinstance(motion, Motion):
        names = robot.coordinate_names
        if motion.coordinates != names:
            allowed = f"is for coordinates {', '.join(motion.coordinates)}; {robot.name} has {', '.join(names)}"
            raise MotionError(f"motion {motion.name}", "", None, allowed)
        return motion
    if motion is None:
        motion = default_motion(robot)
        if motion is None:
            allowed = f"missing: {robot.name} has no default motion"
            raise MotionError("--motion", "", None, allowed, f"{_WAYS}; --motion hold stays at home")
    if str(motion) in motions(robot):
        return named(robot, str(motion))
    if not str(motion) or (Path(motion).suffix == "" and "/" not in str(motion) and not Path(motion).exists()):
        hint = did_you_mean(str(motion), motions(robot))
        raise MotionError("--motion", "", str(motion), f"no such motion of {robot.name}, nor a file", hint)
    if "\0" not in str(motion) and not Path(motion).exists():
        raise MotionError(str(motion), "", None, "no such file", f"motions by name: {', '.join(motions(robot))}")
    return None


def _check_options(options: dict[str, Any], timed: bool) -> None:
    given = [name for name, value in options.items() if value is not None]
    if len(given) > 1 and given[0] in ("--motion", "--waypoints"):
        others = [name for name in given[1:] if (given[0], name) != ("--waypoints", "--law")]
        if others:
            raise MotionError(others[0], "", None, f"cannot go with {given[0]}", _WAYS)
    if given and given[0] not in ("--motion", "--waypoints"):
        for name in ("--to", *(["--duration"] if timed else [])):
            if name not in given:
                raise MotionError(name, "", None, f"missing: {given[0]} needs it", _WAYS)


def _check_no_file(options: dict[str, Any], way: str) -> None:
    for name, value in options.items():
        if value is not None:
            raise MotionError(name, "", None, f"cannot go with {way}", "it is for CSV files")


def _line(robot: Robot, options: dict[str, Any], units: Units, stated: Convention) -> Motion:
    start = None if options["--from"] is None else parse_pose(robot, options["--from"], "--from", units, stated)
    end = parse_pose(robot, options["--to"], "--to", units, stated, start)
    return point_to_point(
        robot,
        end,
        duration_of(options["--duration"], units, "--duration"),
        start,
        law_of(options["--law"] or "minimum-jerk", "--law"),
        bool(options["--back"]),
    )
