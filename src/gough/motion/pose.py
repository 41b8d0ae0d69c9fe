"""Poses as people write them: all coordinates in order, or those that differ from home by name."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from gough.motion.faults import MotionError
from gough.motion.plausible import too_far
from gough.motion.series import Values
from gough.robot import Robot
from gough.robot.names import did_you_mean
from gough.robot.units import Units


def parse_pose(robot: Robot, pose: Any, place: str = "pose", units: Units | None = None) -> Values:
    """Platform coordinates in SI units.

    Args:
        robot: Whose coordinates.
        pose: "0,0,2.5,0,0,15", "z=2.5,phi=15" (the others stay at home), a mapping of names, or (n,) numbers.
        place: Option or argument, for messages.
        units: Of the numbers; SI and radians if left out.
    Raises:
        MotionError: Names, count or numbers are wrong.
    """
    names = [c.name for c in robot.platform.coordinates]
    entries = _entries(pose, place, names)
    values = [float(h) for h in robot.platform.home]
    size = units or Units()
    for name, value in entries:
        k = names.index(name)
        given = _number(value, place, name)
        unit = size.angle if robot.platform.coordinates[k].motion[0] == "r" else size.length
        values[k] = given * unit
        if (fault := too_far(robot, k, values[k], unit != 1.0)) is not None:
            raise MotionError(place, name, given, *fault[1:])
    return tuple(values)


def _entries(pose: Any, place: str, names: list[str]) -> list[tuple[str, Any]]:
    if isinstance(pose, str) and "=" in pose:
        entries = []
        for part in pose.split(","):
            name, equals, value = (word.strip() for word in part.partition("="))
            if not equals:
                hint = "either all coordinates in order, or all by name"
                raise MotionError(place, "", part.strip(), "must be name=value as the others are", hint)
            entries.append((name, value))
    elif isinstance(pose, Mapping):
        entries = list(pose.items())
    else:
        text = isinstance(pose, str)
        values = [v.strip() for v in pose.split(",") if pose.strip()] if text else np.ravel(pose).tolist()
        if len(values) != len(names):
            given = "1 is given" if len(values) == 1 else f"{len(values) or 'none'} are given"
            allowed = f"must be {len(names)} numbers {','.join(names)}; {given}"
            hint = f"or those that differ from home: {names[-1]}=0.1"
            raise MotionError(place, "", pose if text else None, allowed, hint)
        return list(zip(names, values, strict=True))
    for k, (name, _) in enumerate(entries):
        if name not in names:
            raise MotionError(place, "", name, "no such coordinate", did_you_mean(name, names))
        if name in [earlier for earlier, _ in entries[:k]]:
            raise MotionError(place, name, None, "is given twice")
    return entries


def _number(value: Any, place: str, name: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        hint = "write 0.5 for 0,5; units are stated by option" if isinstance(value, str) and value else ""
        raise MotionError(place, name, value, "must be a number", hint) from None
    if not math.isfinite(number):
        raise MotionError(place, name, number, "must be a finite number")
    return number
