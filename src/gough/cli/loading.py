"""The robot of a command line with its settings, at a pose, and how it is called."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from itertools import groupby
from typing import Any, NamedTuple

from gough.errors import InputError
from gough.motion import parse_units
from gough.motion.conventions import OWN, Convention, Value
from gough.motion.pose import check_names, number_of, split_text
from gough.robot import Fault, Leg, PathError, Robot, RobotError, parse_setting
from gough.robot.addresses import SettingError, changes_in_si
from gough.robot.file.units import Units
from gough.robot.legs.rings import leg_entries
from gough.robot.spec import changed


def load_robot(name_or_path: str, settings: Sequence[str] = (), units: str = "") -> Robot:
    """The robot, checked, after the settings and again after them.

    Args:
        name_or_path, settings: As given.
        units: As --units states them; a setting without a unit must mean the same in these, in the file's and in SI.

    Raises:
        RobotError: Faults of its file, or of the settings.
        InputError: A setting that cannot be read, leads nowhere or needs a unit.
    """
    from gough.kinematics.kinematic_checks import load

    changes = dict(parse_setting(setting) for setting in settings)
    robot = load(name_or_path)
    return _changed(robot, changes, "--set", other_units(robot, parse_units(units))) if changes else robot


def other_units(robot: Robot, units: Units) -> dict[str, Units]:
    """Units in which a number of the robot without a unit could be meant, by what states them."""
    per_second = replace(units, time=1.0, acceleration=units.length)
    return {"the file is in": robot.units, "--units is": per_second}


def at_pose(
    robot: Robot, pose: str, place: str, units: Units, stated: Convention = OWN
) -> tuple[Robot, tuple[float, ...]]:
    """The robot and the coordinates (n,) of a pose, in which a dependent coordinate may be stated as a start.

    A start says where at home the coordinate is sought: it picks the assembly, as `platform.home` of the file does.

    Raises:
        RobotError: From these starts the legs do not close.
        MotionError: The pose cannot be read.
    """
    from gough.motion.pose import parse_pose

    found = split_starts(robot, pose, place, units)
    if found.starts:
        robot = _changed(robot, found.starts, f"{place} {found.text}")
        named = " and ".join(part.split("=")[0] for part in found.text.split(","))
        told = f"{named}: dependent, follows {', '.join(robot.coordinate_names)}; the value only picks the assembly"
        print(f"gough: note: {place} {found.text}: {told}", file=sys.stderr)
    return robot, parse_pose(robot, found.pose, place, units, stated)


def _changed(robot: Robot, changes: dict[str, Any], place: str, stated: dict[str, Units] | None = None) -> Robot:
    """The robot with other numbers, checked again."""
    from gough.kinematics.kinematic_checks import kinematic_faults

    try:
        found = robot.with_spec(changed(robot.spec, changes_in_si(robot, changes, stated)))
        faults = kinematic_faults(found)
    except (PathError, SettingError) as error:
        raise InputError(f"{place} {error}") from None
    except RobotError as error:
        raise RobotError(place, [_of_setting(fault, changes) for fault in error.faults]) from None
    if faults:
        raise RobotError(place, faults)
    return found


def _of_setting(fault: Fault, changes: dict[str, Any]) -> Fault:
    """A fault of a changed number, whose hint speaks of the change, not of the units of a file."""
    unit = re.search(r'state \[units\] \w+ = "(\w+)"', fault.hint)
    if unit is None:
        return fault
    bare = [value for value in changes.values() if isinstance(value, (int, float)) and value == fault.value]
    hint = fault.hint.replace(unit[0], f"write {bare[0]:g}{unit[1]}") if bare else ""
    return replace(fault, hint=hint)


_LETTERS = {"RR": "U", "RRR": "S", "RP": "C", "PR": "C"}


def machine_type(robot: Robot) -> str:
    """Number and type of the legs: "6-UPS", or "2-PRU + 1-PPa"."""
    counts = Counter(leg_types(robot))
    return " + ".join(f"{count}-{kind}" for kind, count in counts.items())


def leg_types(robot: Robot) -> list[str]:
    """The type of each leg: as its file states it, else its joints' letters from the base to the platform."""
    stated = [entry.get("type") for entry in leg_entries(robot.spec)]
    return [kind or _letters(leg) for kind, leg in zip(stated, robot.legs, strict=True)]


def _letters(leg: Leg) -> str:
    """Letters of the joints on the way from the base to the end; joints of one group are one joint."""
    way = [leg.end.joint]
    while leg.joints[way[0]].parent >= 0:
        way.insert(0, leg.joints[way[0]].parent)
    letters = []
    for _, group in groupby(way, key=lambda k: leg.joints[k].group or k):
        joints = [leg.joints[k] for k in group]
        kinds = "".join(joint.kind for joint in joints)
        if any(joint.mimic for joint in joints):
            letters.append({"R": "Pa", "RP": "H", "PR": "H", "PRP": "C"}.get(kinds, "Pa"))
        elif leg.free_spin and kinds == "RR":
            letters.append("S")
        else:
            letters.append(_LETTERS.get(kinds, kinds))
    return "".join(letters) + ("S" if leg.end.kind == "spherical" else "")


def source(name: str) -> str:
    """Where the numbers of a catalogue robot come from: the paragraph of its notes, or nothing."""
    notes = files("gough.robot") / "catalog" / f"{name}.md"
    if not notes.is_file():
        return ""
    found = re.search(r"^Source[^:]*: (.+?)\n\n", notes.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return " ".join(found[1].split()) if found else ""


def short_source(name: str) -> str:
    """The first words of the source: whose it is."""
    return re.split(r', "| \(|, files?\b|, its\b|(?<=[a-z])\. ', source(name).rstrip("."))[0]


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
