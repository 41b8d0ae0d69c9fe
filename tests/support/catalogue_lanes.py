"""Machines of the catalogue for lanes whose question is not for all of them.

| list | machines | for lanes that |
|---|---|---|
| `TREES` | no cables | look at chains of joints: a cable has no frame of its own |
| `CLOSED_FORMS` | every leg in closed form, no coordinate depends | hold closed forms against Newton's method |
| `SQUARE` | as many actuators as coordinates, none dependent | solve K^T force = Q for one answer |
| `HELD` | of those, no point masses, which nothing holds from turning | ask for reactions |
| `NOT_SHARED` | no more actuators than coordinates | follow a path of displacements to one pose |

The names are written out, so that no robot is loaded when tests are collected; tests/robot/test_catalogue_lanes.py
compares them with what the machines are.
"""

from __future__ import annotations

from gough import Robot


def driven(robot: Robot) -> int:
    """Number of actuators."""
    return sum(joint.actuated for leg in robot.legs for joint in leg.joints)


def shared(robot: Robot) -> bool:
    """Whether more actuators than coordinates share the forces."""
    return driven(robot) > len(robot.platform.coordinates)


CABLES = ("cable8",)
TREES = tuple("ankle delta fivebar hexapod planar3rrr planar4rrr rotary rps3 spatial3 sru stewart tricept".split())
SQUARE = tuple("delta fivebar hexapod planar3rrr rotary spatial3 sru stewart".split())
HELD = tuple("delta hexapod planar3rrr rotary spatial3 sru stewart".split())
CLOSED_FORMS = tuple("delta fivebar hexapod planar3rrr planar4rrr rotary spatial3 sru stewart".split())
NOT_SHARED = tuple("ankle delta fivebar hexapod planar3rrr rotary rps3 spatial3 sru stewart tricept".split())
DEAR = ("ankle", "tricept")
"""Their Lagrange equations, through the roots that close them, take some ten seconds to record."""
