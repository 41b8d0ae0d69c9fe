"""Names of the parts of a robot in a file of another program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gough.formats.placement import Floats, Placement


@dataclass(frozen=True, eq=False)
class Names:
    """What things of a robot are called in a file.

    Attributes:
        platform: Its link.
        joints: By the robot's "leg.joint"; a joint that is missing is set by closing the loops.
        drives: Joint or cable of each actuator, in order.
        spinning: Of each leg that spins freely, by its name: the link that does, and (3,) its spherical joint [m].
        held: Joints that the robot does not have, with the values that they keep.
        frame: P in the platform's link, at its origin.
        starts: Joints that the robot does not have, with their values at home; they are set by closing the loops.
    """

    platform: str
    joints: Mapping[str, str]
    drives: tuple[str, ...]
    spinning: Mapping[str, tuple[str, Floats]]
    held: Mapping[str, float]
    frame: Placement = field(default_factory=Placement)
    starts: Mapping[str, float] = field(default_factory=dict)
