"""SI units of what tables of a robot hold."""

from __future__ import annotations

from gough.robot.values import Robot


def coordinate_units(robot: Robot) -> list[str]:
    """Of each platform coordinate: "m" or "rad"."""
    return ["rad" if coordinate.turns else "m" for coordinate in robot.platform.coordinates]


def dependent_units(robot: Robot) -> list[str]:
    """Of each dependent platform coordinate: "m" or "rad"."""
    return ["rad" if coordinate.turns else "m" for coordinate in robot.platform.dependent]


def actuator_units(robot: Robot) -> tuple[list[str], list[str]]:
    """Of each actuator's displacement, "m" or "rad", and of its force, "N" or "N m"."""
    turns = [joint.turns for joint in robot.actuators]
    return ["rad" if t else "m" for t in turns], ["N m" if t else "N" for t in turns]
