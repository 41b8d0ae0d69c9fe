"""Robots as TOML text: the explicit form, which reads back to the same bits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gough.errors import InputError
from gough.files import write_whole
from gough.robot.file.explicit import explicit_document
from gough.robot.values import IDENTITY, NO_INERTIA, ZERO, Robot

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
    document = explicit_document(robot)
    platform, legs, springs = document.pop("platform"), document.pop("leg"), document.pop("spring", [])
    actuation = document.pop("actuation", None)
    lines = _pairs(document)
    lines += ["", "[platform]", *_pairs(_short(platform))]
    if actuation is not None:
        lines += ["", "[actuation]", *_pairs(actuation)]
    for leg in legs:
        if "joint" not in leg:
            leg["actuator"] = _short(leg["actuator"])
            lines += ["", "[[leg]]", *_pairs({key: value for key, value in leg.items() if value != {}})]
            continue
        joints, end = leg.pop("joint"), leg.pop("end")
        lines += ["", "[[leg]]", *_pairs(_short(leg))]
        for k, joint in enumerate(joints):
            lines += ["", "[[leg.joint]]", *_pairs(_joint(joints, k, joint))]
        if end["joint"] == joints[-1]["name"]:
            del end["joint"]
        lines += ["", "[leg.end]", *_pairs(_short(end))]
    for spring in springs:
        lines += ["", "[[spring]]", *_pairs(spring)]
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


def _pairs(table: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_value(value)}" for key, value in table.items()]


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04X}" for c in escaped) + '"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(entry) for entry in value) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_value(entry)}" for key, entry in value.items()) + " }"
    raise InputError(f"a number left free cannot be written to a file: {value!r} (replace it by a value first)")
