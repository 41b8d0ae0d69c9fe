"""Dry friction of the actuators, which jumps where a speed changes its sign and is therefore often treated apart."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from gough.robot import Robot


def dry_friction(robot: Robot) -> Any:
    """(actuators,) Coulomb friction [N or N m]."""
    return np.array([joint.coulomb for leg in robot.legs for joint in leg.joints if joint.actuated])


@lru_cache(maxsize=32)
def without_dry_friction(robot: Robot) -> Robot:
    """The robot with smooth forces."""
    legs = tuple(replace(leg, joints=tuple(replace(j, coulomb=0.0) for j in leg.joints)) for leg in robot.legs)
    return replace(robot, legs=legs, document=None)
