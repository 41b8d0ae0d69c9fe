"""How large a robot is: what its file says, without solving for anything."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gough.errors import InputError
from gough.robot.mechanism import Mechanism

FARTHEST = 50.0
"""How many times its own size a robot's platform may be away from home, or a point from its platform."""


def size(robot: Mechanism) -> float:
    """How far the machine's parts reach from the origins of their frames [m]; 0 where its file says nothing of it.

    The farthest of: the base, the platform at home, joints and leg ends from the frame they stand in, centres of mass,
    and how far sliding joints go.
    """
    platform = robot.platform
    slides = [h for h, c in zip(platform.home, platform.coordinates, strict=True) if not c.turns]
    points: list[Sequence[float]] = [platform.position, slides, platform.body.com]
    for leg in robot.legs:
        points += [leg.position, leg.end.point, leg.end.platform_point]
        for joint in leg.joints:
            points += [joint.offset, joint.body.com]
            if joint.kind == "P":
                points += [(joint.start or 0.0,), *((end,) for end in joint.limits.stroke or ())]
    return max(math.hypot(*point) for point in points)


def check_point(robot: Mechanism, point: Sequence[float], what: str) -> None:
    """Refuse a point (3,) of the platform [m] that is too far from it.

    Raises:
        InputError: With what it is, the point and the likely cause.
    """
    if math.hypot(*point) > FARTHEST * (size(robot) or math.inf):
        shown = ", ".join(f"{value:.12g}" for value in point)
        why = f"is more than {FARTHEST:.0f} times the robot's size from the platform's origin"
        raise InputError(f"{what}: ({shown}) m: {why} (millimetres? say --units mm)")
