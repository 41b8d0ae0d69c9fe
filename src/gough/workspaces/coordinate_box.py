"""A box of a robot's own coordinates as a limit: a room, a floor, a range of angles."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from gough.errors import InputError
from gough.graph import Scalar, Vector, sqrt
from gough.kinematics.configuration import relative, turning_sequence
from gough.kinematics.robot_pose import RobotPose
from gough.robot import Mechanism, Platform
from gough.robot.names import did_you_mean
from gough.robot.quantities import QuantityError, measure, quantity

Range: TypeAlias = tuple[str, float, float]
"""A coordinate with its least and largest value [m or rad], infinite where it has none."""
Box: TypeAlias = Mapping[str, Sequence[float | str | None]]
"""Least and largest value by coordinate; None where there is none."""


def box_of(robot: Mechanism, box: Box | None) -> tuple[Range, ...]:
    """The ranges of a box, in the order of the robot's coordinates.

    Raises:
        InputError: An unknown coordinate, a range that is none, or an angle of turns about one axis twice.
    """
    names, found = robot.coordinate_names, {}
    for name, ends in (box or {}).items():
        if name not in names:
            raise InputError(f"box {name}: no such coordinate ({did_you_mean(name, names)})")
        turns = robot.platform.coordinates[names.index(name)].turns
        if turns and len(turning_sequence(robot.platform)) > len(set(turning_sequence(robot.platform))):
            raise InputError(f"box {name}: {robot.name} turns about one axis twice, so that its angles have no range")
        try:
            low, high = ends
            own = measure("angle" if turns else "length")
            first = -math.inf if low is None or low == -math.inf else quantity(low, own)
            last = math.inf if high is None or high == math.inf else quantity(high, own)
        except (TypeError, ValueError, QuantityError) as error:
            why = error if isinstance(error, QuantityError) else "must be two numbers, low and high"
            raise InputError(f"box {name}: {ends}: {why}") from None
        if not first < last:
            raise InputError(f"box {name}: {first:g} to {last:g}: the first must be smaller than the second")
        found[name] = (name, first, last)
    return tuple(found[name] for name in names if name in found)


def slide_value(platform: Platform, place: int, pose: RobotPose) -> Scalar:
    """Recorded: a sliding coordinate of a pose."""
    axis = np.array(platform.rotation, dtype=float)[:, "xyz".index(platform.coordinates[place].motion)]
    way = pose.platform.p_BP - np.array(platform.position, dtype=float)
    return sum(way[k] * axis[k] for k in range(3) if axis[k])


def turn_of(platform: Platform, place: int, R_BP: Vector) -> tuple[Any, Any, Any]:
    """Recorded: cosine and sine of a turning coordinate of an orientation, both times the third.

    Three turns about different axes make up an orientation twice: with the middle one as near to straight as at home.
    """
    R, sequence = relative(platform, R_BP), turning_sequence(platform)
    places = [k for k, c in enumerate(platform.coordinates) if c.turns]
    if len(sequence) == 1:
        i = "xyz".index(sequence)
        return R[(i + 1) % 3, (i + 1) % 3], R[(i + 2) % 3, (i + 1) % 3], 1.0
    i, j, k = ("xyz".index(letter) for letter in sequence)
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    side = 1.0 if math.cos(platform.home[places[1]]) >= 0.0 else -1.0
    size = sqrt(R[i, i] * R[i, i] + R[i, j] * R[i, j])
    return {
        places[0]: (R[k, k] * side, R[j, k] * (-sign * side), size),
        places[1]: (size * side, R[i, k] * sign, 1.0),
        places[2]: (R[i, i] * side, R[i, j] * (-sign * side), size),
    }[place]
