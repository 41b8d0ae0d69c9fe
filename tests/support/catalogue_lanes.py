"""Machines of the catalogue for lanes whose question is not for all of them.

| list | machines | for lanes that |
|---|---|---|
| `TREES` | no cables | look at chains of joints: a cable has no frame of its own |
| `CLOSED_FORMS` | every leg in closed form, no coordinate depends | hold closed forms against Newton's method |
| `SQUARE` | as many actuators as coordinates, none dependent | solve K^T force = Q for one answer |
| `HELD` | of those, no point masses, which nothing holds from turning | ask for reactions |
"""

from __future__ import annotations

from gough.kinematics.closure.closed_forms import closure_name
from gough.robot import Robot, catalogue, load

_ROBOTS = {name: load(name) for name in catalogue()}


def driven(robot: Robot) -> int:
    """Number of actuators."""
    return sum(joint.actuated for leg in robot.legs for joint in leg.joints)


def shared(robot: Robot) -> bool:
    """Whether more actuators than coordinates share the forces."""
    return driven(robot) > len(robot.platform.coordinates)


CABLES = tuple(name for name, robot in _ROBOTS.items() if any(leg.cable for leg in robot.legs))
TREES = tuple(name for name in _ROBOTS if name not in CABLES)
SQUARE = tuple(name for name, robot in _ROBOTS.items() if not robot.platform.dependent and not shared(robot))
HELD = tuple(name for name in SQUARE if len({leg.end.platform_point for leg in _ROBOTS[name].legs}) > 1)
CLOSED_FORMS = tuple(
    name
    for name in TREES
    if not _ROBOTS[name].platform.dependent and all(closure_name(leg) != "newton" for leg in _ROBOTS[name].legs)
)
DEAR = ("ankle", "tricept")
"""Their Lagrange equations, through the roots that close them, take some ten seconds to record."""
