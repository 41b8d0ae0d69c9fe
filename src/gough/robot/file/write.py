"""Robots as TOML text: the explicit form, every number stated, which reads back to the same bits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gough.errors import InputError
from gough.files import write_whole
from gough.robot.error_sources import ERROR_TABLES, flat, to_tables
from gough.robot.leg_values import IDENTITY, NO_INERTIA, ZERO, Body, Cable, Joint, Leg
from gough.robot.legs.cable import largest_force
from gough.robot.legs.chain import GROUND
from gough.robot.legs.short_form import DRIVE
from gough.robot.values import Platform, PointSpring, Robot

_ROWS = [list(row) for row in IDENTITY]
_NOTHING: dict[str, Any] = {
    "offset": list(ZERO),
    "position": list(ZERO),
    "point": list(ZERO),
    "com": list(ZERO),
    "inertia": list(NO_INERTIA),
    "rotation": _ROWS,
    "platform_rotation": _ROWS,
    "free_spin": False,
    "actuated": False,
    "zero": 0.0,
    "viscous": 0.0,
    "coulomb": 0.0,
    "rotor_inertia": 0.0,
    "gear": 1.0,
    "group": "",
}


def to_toml(robot: Robot) -> str:
    """TOML text of the robot's explicit form; `loads` of it equals the robot.

    Raises:
        InputError: When a number of the robot is left free.
    """
    return document_text(explicit_document(robot))


def document_text(document: dict[str, Any]) -> str:
    """TOML text of a document as `explicit_document` has it; legs may be in a short form."""
    document = dict(document)
    platform, legs, springs = document.pop("platform"), document.pop("leg"), document.pop("spring", [])
    actuation = document.pop("actuation", None)
    errors = {name: flat(document.pop(name, {})) for name in ERROR_TABLES}
    lines = _pairs(document)
    lines += ["", "[platform]", *_pairs(_short(platform))]
    if actuation is not None:
        lines += ["", "[actuation]", *_pairs(actuation)]
    for leg in legs:
        if "joint" not in leg:
            leg = {**leg, "actuator": _short(leg["actuator"])}
            lines += ["", "[[leg]]", *_pairs({key: value for key, value in leg.items() if value != {}})]
            continue
        joints, end = leg["joint"], dict(leg["end"])
        own = {key: value for key, value in leg.items() if key not in ("joint", "end")}
        lines += ["", "[[leg]]", *_pairs(_short(own))]
        for k, joint in enumerate(joints):
            lines += ["", "[[leg.joint]]", *_pairs(_joint(joints, k, joint))]
        if end["joint"] == joints[-1]["name"]:
            del end["joint"]
        lines += ["", "[leg.end]", *_pairs(_short(end))]
    for spring in springs:
        lines += ["", "[[spring]]", *_pairs(spring)]
    for name, table in errors.items():
        lines += ["", f"[{name}]", *_pairs({_key(key): value for key, value in table.items()})] if table else []
    return "\n".join(lines) + "\n"


def write_robot(robot: Robot, path: str | Path) -> None:
    """Write the robot's explicit form to a TOML file, whole or not at all; `load` of it equals the robot.

    Raises:
        InputError: When a number of the robot is left free, or the file does not end in .toml.
        OSError: The file cannot be written.
    """
    target = Path(path)
    if target.suffix != ".toml":
        raise InputError(f"{path}: a robot file ends in .toml")
    write_whole(target, to_toml(robot).encode())


def _short(table: Mapping[str, Any]) -> dict[str, Any]:
    """Table without what it would have anyway."""
    kept = {key: value for key, value in table.items() if key not in _NOTHING or value != _NOTHING[key]}
    if "origin" in kept:
        kept["origin"] = _short(kept["origin"])
        if not kept["origin"]:
            del kept["origin"]
    if kept.get("body") == "platform":
        del kept["body"]
    return kept


def _joint(joints: list[dict[str, Any]], k: int, joint: Mapping[str, Any]) -> dict[str, Any]:
    kept = _short(joint)
    follows = joints[k - 1]["name"] if k else "base"
    if kept["parent"] == follows:
        del kept["parent"]
    moved = _short(kept.pop("body"))
    if moved != {"name": "", "mass": 0.0}:
        kept["body"] = moved
    return kept


def _key(key: str) -> str:
    return _value(key) if "." in key else key


def _pairs(table: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_value(value)}" for key, value in table.items()]


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value if value else abs(value))  # 0.0 for -0.0
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04X}" for c in escaped) + '"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(entry) for entry in value) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_value(entry)}" for key, entry in value.items()) + " }"
    raise InputError(f"a number left free cannot be written to a file: {value!r} (replace it by a value first)")


def explicit_document(robot: Robot) -> dict[str, Any]:
    """Document whose expansion is `robot` itself, to the last bit; tolerances of the short form's own numbers go."""
    document = {
        "name": robot.name,
        **_known(description=(robot.document or {}).get("description")),
        "gravity": list(robot.gravity),
        **_known(length=robot.length),
        "platform": _platform(robot.platform),
        "leg": [_leg(leg) for leg in robot.legs],
        **_known(actuation=_plain(robot.actuation), spring=[_spring(spring) for spring in robot.springs] or None),
    }
    return document | to_tables(robot.errors, lambda address: _has(document, address))


def _has(document: Any, address: str) -> bool:
    """Whether a document has a number at an address; only those of legs and the platform are asked for."""
    from gough.robot.addresses import number_in

    return number_in(document, address) is not None


def _known(**stated: object) -> dict[str, Any]:
    """Entries that are not None."""
    return {key: value for key, value in stated.items() if value is not None}


def _plain(value: Any) -> Any:
    """Tuples as lists, values of `leg_values` and `values` as tables without what is None; all else as it is."""
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    attributes = _attributes(value.__class__)
    return {key: _plain(own) for key in attributes if (own := getattr(value, key)) is not None} if attributes else value


@cache
def _attributes(kind: type) -> tuple[str, ...]:
    return tuple(entry.name for entry in fields(kind)) if is_dataclass(kind) else ()


def _platform(platform: Platform) -> dict[str, Any]:
    whole, own = platform.whole(), _plain(platform.body)
    return {
        "coordinates": {c.name: c.motion for c in whole.coordinates},
        **_known(dependent=[c.name for c in platform.dependent] or None),
        "home": list(whole.home),
        "origin": {"position": list(platform.position), "rotation": _plain(platform.rotation)},
        "body": own.pop("name"),
        **own,
    }


def body_table(body: Body) -> dict[str, Any]:
    """The table of a body, without what it would have anyway."""
    return _short(_plain(body))


def drive_table(joint: Joint) -> dict[str, Any]:
    """The table of what drives, limits and loads a joint."""
    own = _plain(joint)
    own |= own.pop("limits")
    return {key: own[key] for key in DRIVE if key in own}


def _cable(leg: Leg, cable: Cable) -> dict[str, Any]:
    pulley = {"radius": cable.pulley, "axis": list(cable.axis)} if cable.pulley else None
    drive = drive_table(leg.joints[0])
    unstated = {key: value for key, value in drive.items() if key != "force"}
    if drive.get("force") == largest_force(unstated, cable.tension[1]):
        drive = unstated
    return {
        "name": leg.name,
        "type": "cable",
        **_known(radius=leg.radius),
        "base": list(leg.position),
        "platform": list(leg.end.platform_point),
        "tension": list(cable.tension),
        **_known(reference=cable.reference, elasticity=cable.elasticity, pulley=pulley),
        "actuator": drive,
    }


def _leg(leg: Leg) -> dict[str, Any]:
    """Table of a leg joint by joint, whichever made it; that of a cable in its short form."""
    if leg.cable is not None:
        return _cable(leg, leg.cable)
    names = {-1: GROUND} | {k: joint.name for k, joint in enumerate(leg.joints)}
    end = _plain(leg.end)
    return {
        "name": leg.name,
        "position": list(leg.position),
        "rotation": _plain(leg.rotation),
        **_known(branch=leg.branch),
        "free_spin": leg.free_spin,
        **_known(radius=leg.radius),
        "joint": [_joint_table(joint, names) for joint in leg.joints],
        "end": {"type": end.pop("kind"), **end, "joint": names[leg.end.joint]},
    }


_JOINT = ("name", "type", "axis", "offset", "rotation", "parent", "mimic", "actuated", "start", "cone", "bolt")


def _joint_table(joint: Joint, names: Mapping[int, str]) -> dict[str, Any]:
    own = _plain(joint)
    own |= {"type": joint.kind, "parent": names[joint.parent], **own.pop("limits")}
    if joint.mimic is not None:
        own["mimic"]["joint"] = names[joint.mimic.joint]
    return {key: own[key] for key in (*_JOINT, *DRIVE, "group", "body") if key in own}


def _spring(spring: PointSpring) -> dict[str, Any]:
    own = _plain(spring)
    return {key: own[key] for key in ("name", "stiffness", "free_length", "first", "second")}
