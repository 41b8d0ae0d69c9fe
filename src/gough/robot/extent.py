"""How large a robot is: what its file says, without solving for anything."""

from __future__ import annotations

import math
from collections.abc import Sequence

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
