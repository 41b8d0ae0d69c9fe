"""Specs as TOML text, which reads back to the same bits, and mechanisms as specs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from gough.errors import InputError
from gough.robot.checks.fault import Fault, Place
from gough.robot.inertia import body, joined, six
from gough.robot.leg_values import Body, Cable, End, Joint, Leg
from gough.robot.legs.cable import largest_force
from gough.robot.legs.chain import GROUND
from gough.robot.legs.expand import expand
from gough.robot.legs.leg_keys import DRIVE
from gough.robot.legs.rings import leg_entries, merge
from gough.robot.legs.short_forms import SHORT_FORMS
from gough.robot.mechanism import Frame, Mechanism, Platform, PointSpring
from gough.robot.robot import Robot
from gough.robot.spec import Spec, listed_legs, motor_drive

_BARE = re.compile("[A-Za-z0-9_-]+")
_STATED = ("name", "mass", "platform_point")
"""Keys that are written also where they say what would be so by default."""
_NO_KEYS: Mapping[str, Any] = {}


def spec_text(spec: Spec) -> str:
    """TOML text of a spec, SI units and radians."""
    tables = {key: value for key, value in spec.items() if isinstance(value, Mapping) or is_list_of_tables(value)}
    lines = pairs({key: value for key, value in spec.items() if key not in tables})
    for key, value in tables.items():
        for table in value if is_list_of_tables(value) else [value]:
            lines += ["", f"[[{key}]]" if is_list_of_tables(value) else f"[{key}]", *table_lines(key, table)]
    return "\n".join(lines) + "\n"


def table_lines(name: str, table: Mapping[str, Any]) -> list[str]:
    """Lines of a table, its name first; a list of tables in it, and what follows it, have headers of their own."""
    table = {key: table[key] for key in sorted(table, key=lambda key: key != "name")}
    lists = [key for key, value in table.items() if is_list_of_tables(value)]
    later = [key for key in table if lists and (key in lists or (isinstance(table[key], Mapping) and key == "end"))]
    lines = pairs({key: value for key, value in table.items() if key not in later})
    for key in later:
        if key in lists:
            for entry in table[key]:
                lines += ["", f"[[{name}.{key}]]", *pairs(entry)]
        else:
            lines += ["", f"[{name}.{key}]", *pairs(table[key])]
    return lines


def is_list_of_tables(value: object) -> bool:
    """Whether a value of a spec is written with a header [[key]] for each of its tables."""
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(entry, Mapping) for entry in value)


def _short(kind: type, table: Mapping[str, Any], drive: Mapping[str, Any] = _NO_KEYS) -> dict[str, Any]:
    """The table of an instance of a class without what one has by default, or of the motor's `drive`."""
    nothing = {**_defaults(kind), **drive}
    return {key: value for key, value in table.items() if key not in nothing or value != nothing[key]}


@cache
def _defaults(kind: type) -> dict[str, Any]:
    """Attributes of a class by default, as they are in tables, but for those that tables state anyway."""
    left = [own for own in fields(kind) if own.default is not MISSING and own.name not in _STATED]
    return {own.name: _plain(own.default) for own in left}


def toml_key(key: str) -> str:
    """A key in TOML, in quotes where it must be."""
    return key if _BARE.fullmatch(key) else value_text(key)


def pairs(table: Mapping[str, Any]) -> list[str]:
    """Lines `key = value` of a table."""
    return [f"{toml_key(key)} = {value_text(value)}" for key, value in table.items()]


def value_text(value: object) -> str:
    """A value in TOML, on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        plain = value if isinstance(value, int) else float(value)  # a NumPy float writes its type too
        return repr(plain if plain else abs(plain))  # 0.0 for -0.0
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04X}" for c in escaped) + '"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_text(entry) for entry in value) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{toml_key(key)} = {value_text(entry)}" for key, entry in value.items()) + " }"
    raise InputError(f"a number left free cannot be written to a file: {value!r} (replace it by a value first)")


def mechanism_spec(robot: Mechanism) -> dict[str, Any]:
    """The spec of a mechanism of plain numbers, every leg but those of cables written joint by joint.

    Raises:
        RobotError: Coordinates that no spec can hold.
    """
    platform, count = robot.platform, len(robot.platform.dependent)
    names = [coordinate.name for coordinate in (*platform.coordinates, *platform.dependent)]
    for key, wrong, allowed in (
        ("coordinates", len(set(names)) < len(names), "must have unique names"),
        ("order", platform.dependent and {*platform.order} != {*names}, "must be the names of all coordinates"),
        ("start", len(platform.start) != count, f"must be {count} numbers, one per dependent coordinate"),
    ):
        if wrong:
            given = names if key == "coordinates" else list(getattr(platform, key))
            raise Place(robot.name).error([Fault(("platform", key), allowed, given)])
    return {
        "name": robot.name,
        "gravity": [*_plain(robot.gravity)],
        **_known(length=_plain(robot.length)),
        "platform": _platform(robot.platform),
        "leg": [leg_table(leg) for leg in robot.legs],
        **_known(
            actuation=_actuation(robot),
            spring=[_spring(spring) for spring in robot.springs] or None,
            tool=_short(Frame, _plain(robot.tool)) or None,
        ),
    }


def _actuation(robot: Mechanism) -> dict[str, Any] | None:
    """The table of how forces are shared; zero is stated as reference where cables would be at their own."""
    table: dict[str, Any] | None = _plain(robot.actuation)
    if table is None or "reference" in table or table["criterion"] == "centre" or not robot.cables:
        return table
    return {**table, "reference": [0.0] * len(robot.actuators)}


def spec_with(robot: Robot, other: Mechanism) -> Spec:
    """The spec of a robot with the numbers of a changed mechanism.

    Bodies and drives change in the tables of their legs' types; legs that these cannot describe then are written joint
    by joint.

    Args:
        robot: Whose mechanism was changed.
        other: The same legs and coordinates with other bodies, joints and ends.

    Raises:
        InputError: Something else was changed.
    """
    platform = replace(robot.platform, body=other.platform.body)
    branches = [[leg.branch for leg in each.legs] for each in (robot, other)]
    if replace(robot.mechanism, legs=other.legs, platform=platform) != other or branches[0] != branches[1]:
        raise InputError(f"{robot.name}: with_mechanism changes bodies, joints and ends; others are changed by replace")
    spec, entries = dict(robot.spec), leg_entries(robot.spec)
    if other.platform.body != robot.platform.body:
        spec["platform"] = {**spec["platform"], **_body_numbers(_without_payload(other.platform.body, spec))}
    changed = [k for k, leg in enumerate(other.legs) if leg != robot.legs[k]]
    if not changed:
        return spec
    own = listed_legs(spec)
    overlays = {k: _overlay(entries[k], robot.legs[k], other.legs[k]) for k in changed}
    tables = [merge(own[k], overlays.get(k) or {}) for k in range(len(own))]
    made = expand({**spec, "leg": tables}).legs
    for k in changed:
        if overlays[k] is None or _open(made[k]) != _open(other.legs[k]):
            tables[k] = leg_table(other.legs[k], drive=motor_drive(spec))
    return _shared(spec, tables)


def _shared(spec: Mapping[str, Any], tables: list[dict[str, Any]]) -> dict[str, Any]:
    """The spec with these tables of legs: in `[legs]` where it lists no legs and they are all alike."""
    changes = [{key: value for key, value in table.items() if key != "name"} for table in tables]
    if "leg" not in spec and "joint" not in tables[0] and all(change == changes[0] for change in changes):
        return {**spec, "legs": merge(spec["legs"], changes[0])}
    kept = {key: value for key, value in spec.items() if key != "legs" or any("joint" not in leg for leg in tables)}
    return {**kept, "leg": tables}


def _overlay(entry: Mapping[str, Any], before: Leg, after: Leg) -> dict[str, Any] | None:
    """What changes in the table of a leg's type with its bodies and drives; None where it has no place for them."""
    found: dict[str, Any] = {}
    if "joint" in entry:
        return None
    for was, joint, key in zip(before.joints, after.joints, SHORT_FORMS[entry["type"]].bodies, strict=True):
        if joint.body != was.body:
            if key is None:
                return None
            found[key] = _body_numbers(joint.body)
        if joint.actuated:
            drive = {
                name: _plain(getattr(joint, name)) for name in _DRIVE if getattr(joint, name) != getattr(was, name)
            }
            found |= {"actuator": drive} if drive else {}
    return found


_DRIVE = ("zero", "viscous", "coulomb", "rotor_inertia", "gear")


def _without_payload(platform: Body, spec: Spec) -> Body:
    """What is left of a platform's body without the payload that a spec states."""
    if "payload" not in spec:
        return platform
    load = body(spec["payload"], "")
    return joined(platform, replace(load, mass=-load.mass, inertia=six([-entry for entry in load.inertia])))


def _body_numbers(body: Body) -> dict[str, Any]:
    return {"mass": _plain(body.mass), "com": _plain(body.com), "inertia": _plain(body.inertia), "about": "com"}


def _open(leg: Leg) -> Leg:
    """A leg whose branch and starts are left open."""
    return replace(leg, branch=None, joints=tuple(replace(joint, start=None) for joint in leg.joints))


def _known(**stated: object) -> dict[str, Any]:
    """Entries that are not None."""
    return {key: value for key, value in stated.items() if value is not None}


def _plain(value: Any) -> Any:
    """Tuples and arrays as lists, parts of a mechanism as tables without what is None; all else as it is."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if isinstance(value, (tuple, list)):
        return [_plain(entry) for entry in value]
    attributes = _attributes(value.__class__)
    return {key: _plain(own) for key in attributes if (own := getattr(value, key)) is not None} if attributes else value


@cache
def _attributes(kind: type) -> tuple[str, ...]:
    return tuple(entry.name for entry in fields(kind)) if is_dataclass(kind) else ()


def _platform(platform: Platform) -> dict[str, Any]:
    whole, own = platform.whole(), body_table(platform.body)
    name, origin = own.pop("name"), {"position": platform.position, "rotation": platform.rotation}
    return {
        "coordinates": {c.name: c.motion for c in whole.coordinates},
        **_known(dependent=[c.name for c in platform.dependent] or None),
        "home": _plain(whole.home),
        **_known(origin=_short(Frame, {key: _plain(value) for key, value in origin.items()}) or None),
        **_known(body=None if name == "platform" else name),
        **own,
    }


def body_table(body: Body) -> dict[str, Any]:
    """The table of a body, without what it would have anyway."""
    return _short(Body, _plain(body))


def drive_table(joint: Joint) -> dict[str, Any]:
    """The table of what drives, limits and loads a joint."""
    own = _plain(joint)
    own |= own.pop("limits")
    return {key: own[key] for key in DRIVE if key in own}


def _cable(leg: Leg, cable: Cable, motor: Mapping[str, Any]) -> dict[str, Any]:
    pulley = {"radius": cable.pulley, "axis": list(cable.axis)} if cable.pulley else None
    drive = drive_table(leg.joints[0])
    unstated = {key: value for key, value in drive.items() if key != "force"}
    if drive.get("force") == largest_force(unstated, cable.tension[1]):
        drive = unstated
    return {
        "name": leg.name,
        "type": "cable",
        **_known(radius=leg.radius),
        "base": _plain(leg.position),
        "platform": _plain(leg.end.platform_point),
        "tension": _plain(cable.tension),
        **_known(reference=cable.reference, elasticity=cable.elasticity, pulley=pulley),
        **_known(actuator=_short(Joint, drive, motor) or None),
    }


class _JointNames(dict[int, str]):
    """Names of a leg's joints by their index; an index without a joint is its own name, which checks refuse."""

    def __missing__(self, index: int) -> str:
        return str(index)


def leg_table(leg: Leg, whole: bool = False, drive: Mapping[str, Any] = _NO_KEYS) -> dict[str, Any]:
    """Table of a leg joint by joint, whichever type made it; that of a cable has its type.

    Args:
        leg: Its numbers may be traced if it is written whole.
        whole: Write also what a leg has by default.
        drive: What actuators have of the motor where they do not state it: `motor_drive` of the spec.
    """
    if leg.cable is not None:
        return _cable(leg, leg.cable, drive)
    names = _JointNames({-1: GROUND} | {k: joint.name for k, joint in enumerate(leg.joints)})
    joints = [_joint_table(joint, names) for joint in leg.joints]
    end = _plain(leg.end)
    end = {"type": end.pop("kind"), **end, "joint": names[leg.end.joint]}
    own = {
        "name": leg.name,
        "position": _plain(leg.position),
        "rotation": _plain(leg.rotation),
        **_known(branch=leg.branch),
        "free_spin": leg.free_spin,
        **_known(radius=leg.radius),
    }
    if whole:
        return {**own, "joint": joints, "end": end}
    if joints and end["joint"] == joints[-1]["name"]:
        del end["joint"]
    carriers = (GROUND, *(joint["name"] for joint in joints))
    joints = [_short_joint(joint, before, drive) for joint, before in zip(joints, carriers, strict=False)]
    return {**_short(Leg, own), "joint": joints, "end": _short(End, end)}


_JOINT = ("name", "type", "axis", "offset", "rotation", "parent", "mimic", "actuated", "start", "cone", "bolt")


def _joint_table(joint: Joint, names: Mapping[int, str]) -> dict[str, Any]:
    own = _plain(joint)
    own |= {"type": joint.kind, "parent": names[joint.parent], **own.pop("limits")}
    if joint.mimic is not None:
        own["mimic"]["joint"] = names[joint.mimic.joint]
    return {key: own[key] for key in (*_JOINT, *DRIVE, "group", "body") if key in own}


def _short_joint(table: Mapping[str, Any], before: str, drive: Mapping[str, Any]) -> dict[str, Any]:
    """The table of a joint that stands behind the one named, without what it would have anyway."""
    kept = _short(Joint, table, drive if table["actuated"] else _NO_KEYS)
    if kept["parent"] == before:
        del kept["parent"]
    if "body" in kept:
        kept["body"] = _short(Body, kept["body"])
    return kept


def _spring(spring: PointSpring) -> dict[str, Any]:
    own = _plain(spring)
    return {key: own[key] for key in ("name", "stiffness", "free_length", "first", "second")}
