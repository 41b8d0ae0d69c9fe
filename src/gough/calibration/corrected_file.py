"""The file of a calibrated robot in the form of its own file: units, short forms and comments stay.

Joint points and zeros come as one table for each leg behind the rest, where they count before the rings above. Other
parameters do not stand in a short form; such robots are written joint by joint.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import numpy as np

from gough.calibration.result import Calibration
from gough.calibration.uncertainty import workspace_poses
from gough.errors import InputError
from gough.kinematics.inverse import inverse_kinematics
from gough.kinematics.stated_assemblies import with_assemblies
from gough.robot import Robot, loads
from gough.robot.addresses import leaves
from gough.robot.edited_text import written_number
from gough.robot.file.toml_tables import number_spans
from gough.robot.file.write import explicit_document

_ROLES = ("base", "platform", "zero")
_DERIVED = {"axis", "rotation", "platform_rotation", "start", "tolerances"}
"""What a short form makes of its points: the axes of its joints, which no calibration of points has measured."""
_SAME = 1e-12
_POSES = 20


def corrected_text(found: Calibration, text: str, name: str) -> str | None:
    """TOML text of the corrected robot like that of its file; None where its form cannot have these numbers.

    Args:
        found: The calibration.
        text: Of the robot's file.
        name: Of that file.
    """
    roles: set[str] = {p.role for p in found.parameters}
    short = any(path[0] == "legs" for path in number_spans(text))
    if not roles <= set(_ROLES) or re.search(r"^\s*\[\[\s*leg\s*\]\]", text, re.MULTILINE) or not short:
        return None
    head = f"# {name} as calibrated by {found.measurements.source}: its legs are stated one by one at the end.\n"
    body = _without_tolerances(text, roles).rstrip("\n")
    made = f"{head}{body}\n\n# Calibrated; what the rings of [legs] say of these points does not count.\n"
    made += "\n".join(_leg(found.corrected, k, roles) for k in range(len(found.robot.legs)))
    try:
        same = _same(with_assemblies(loads(made)), found.corrected)
    except InputError:
        return None
    return made if same else None


def _leg(robot: Robot, k: int, roles: set[str]) -> str:
    """The table of one leg."""
    leg, size = robot.legs[k], robot.units.length
    lines = ["[[leg]]", f'name = "{leg.name}"']
    if "base" in roles:
        lines.append(f"base = {_triple(leg.position, size)}")
    if "platform" in roles:
        lines.append(f"platform = {_triple(leg.end.platform_point, size)}")
    if "zero" in roles:
        (driven,) = (joint for joint in leg.joints if joint.actuated)
        unit = robot.units.angle if driven.turns else size
        lines.append(f"actuator = {{ zero = {written_number(float(driven.zero), unit)} }}")
    return "\n".join(lines) + "\n"


def _triple(values: tuple[float, ...], size: float) -> str:
    return f"[{', '.join(written_number(float(v), size) for v in values)}]"


def _without_tolerances(text: str, roles: set[str]) -> str:
    """The text with the tolerances of what was calibrated left out, each with a comment in its place."""
    lines, inside = [], False
    for line in text.split("\n"):
        if re.match(r"\s*\[", line):
            inside = re.match(r"\s*\[\s*tolerances\s*\]", line) is not None
        key = re.match(r"\s*(\w+)\s*=", line)
        gone = inside and key is not None and key.group(1) in roles
        lines.append(f"# before the calibration: {line.strip()}" if gone else line)
    return "\n".join(lines)


def _same(one: Robot, other: Robot) -> bool:
    """Whether two robots have the same numbers but for those a short form derives, and the same readings at poses."""
    ours, theirs = (_numbers(robot) for robot in (one, other))
    if ours.keys() != theirs.keys() or not all(_close(ours[path], theirs[path]) for path in ours):
        return False
    x = workspace_poses(other, _POSES, 3)
    q, same = (inverse_kinematics(robot, x).q for robot in (one, other))
    return bool(np.abs(q - same).max() <= _SAME * max(1.0, float(np.abs(q).max())))


def _numbers(robot: Robot) -> Mapping[str, object]:
    return {path: value for path, value in leaves(explicit_document(robot)) if not _DERIVED & set(path.split("."))}


def _close(a: object, b: object) -> bool:
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=_SAME, abs_tol=_SAME)
    return a == b
