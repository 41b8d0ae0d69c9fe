"""The motion that a set of options asks for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gough.motion.faults import MotionError
from gough.motion.laws import LAWS
from gough.motion.motion import Motion
from gough.motion.named import default_motion, motions, named
from gough.motion.point_to_point import is_positive, point_to_point
from gough.motion.pose import parse_pose
from gough.motion.units import parse_units
from gough.robot import Robot
from gough.robot.names import did_you_mean
from gough.robot.units import Units

_WAYS = "give --motion, or --waypoints, or --to and --duration"


def choose_motion(
    robot: Robot,
    motion: str | Path | Motion | None = None,
    from_: Any = None,
    to: Any = None,
    duration: Any = None,
    waypoints: str | Path | None = None,
    units: str | Units | None = None,
    law: str | None = None,
    hold_missing: bool = False,
) -> Motion:
    """The motion of the options `--motion`, `--from`, `--to`, `--duration`, `--law`, `--waypoints`, `--units`.

    Args:
        robot: Whose motion.
        motion: Name of one of its motions or a CSV file, in this order; the robot's default if nothing is given.
        from_, to: Poses as `parse_pose` takes them; from home if left out.
        duration: Of the way from `from_` to `to`, a number or its text.
        waypoints: A CSV file of waypoints with times.
        units: Of poses, duration and files, e.g. "mm,deg".
        law: From `from_` to `to`: minimum-jerk (default), trig3 or cos.
        hold_missing: Coordinates without a column in a file stay at home.
    Raises:
        MotionError: Options that contradict one another, unknown names, bad files.
    """
    size = units if isinstance(units, Units) else parse_units(units)
    path = {"--from": from_, "--to": to, "--duration": duration, "--law": law}
    _check_options({"--motion": motion, "--waypoints": waypoints, **path})
    if to is not None:
        return _line(robot, path, size)
    from gough.motion.read import read_csv, read_waypoints

    if waypoints is not None:
        return read_waypoints(robot, waypoints, size, hold_missing)
    if isinstance(motion, Motion):
        names = tuple(c.name for c in robot.platform.coordinates)
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
    return read_csv(robot, motion, size, hold_missing)


def _check_options(options: dict[str, Any]) -> None:
    given = [name for name, value in options.items() if value is not None]
    if len(given) > 1 and given[0] in ("--motion", "--waypoints"):
        raise MotionError(given[1], "", None, f"cannot go with {given[0]}", _WAYS)
    if given and given[0] not in ("--motion", "--waypoints"):
        for name in ("--to", "--duration"):
            if name not in given:
                raise MotionError(name, "", None, f"missing: {given[0]} needs it", _WAYS)


def _line(robot: Robot, options: dict[str, Any], units: Units) -> Motion:
    start = None if options["--from"] is None else parse_pose(robot, options["--from"], "--from", units)
    end = parse_pose(robot, options["--to"], "--to", units)
    given, law = options["--duration"], options["--law"] or "minimum-jerk"
    try:
        duration = given = float(given)
    except (TypeError, ValueError):
        duration, given = 0.0, str(given)
    if not is_positive(duration * units.time):
        raise MotionError("--duration", "", given, "must be a positive number", "e.g. --duration 2")
    if law not in LAWS:
        raise MotionError("--law", "", law, "no such law", did_you_mean(law, list(LAWS)))
    return point_to_point(robot, end, duration * units.time, start, law)
