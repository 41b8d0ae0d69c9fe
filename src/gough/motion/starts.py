"""Values of dependent coordinates beside a pose: where at home they are sought, which picks the machine's assembly."""

from __future__ import annotations

from typing import NamedTuple

from gough.motion.conventions import Value
from gough.motion.pose import check_names, number_of, split_text
from gough.robot import Robot
from gough.robot.file.units import Units


class StartedPose(NamedTuple):
    """A pose as text without dependent coordinates, and the starts of these by their place in `platform.home`."""

    pose: str
    starts: dict[str, float]
    text: str


def split_starts(robot: Robot, pose: str, place: str, units: Units) -> StartedPose:
    """What a text says of independent coordinates, and of dependent ones [m or rad].

    Raises:
        MotionError: A start that is no number, or has a unit of something else.
    """
    follows = {c.name: c for c in robot.platform.dependent}
    if not follows or "=" not in pose:
        return StartedPose(pose, {}, "")
    entries = split_text(pose, place, robot.coordinate_names)
    stated = [entry for entry in entries if entry.name in follows]
    check_names(stated, place, list(follows), "coordinate", ())
    places = [c.name for c in robot.platform.all_coordinates]
    starts = {}
    for entry in stated:
        value = Value(entry.name, follows[entry.name].motion)
        starts[f"platform.home.{places.index(entry.name)}"] = number_of(value, entry, 0, place, units)
    rest = ",".join(entry.text for entry in entries if entry.name not in follows)
    return StartedPose(rest or "home", starts, ",".join(entry.text for entry in stated))
