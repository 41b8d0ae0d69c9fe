"""Blocks of a table that belong to a robot's coordinates, actuators and joints, and their SI units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from gough.motion.columns import RATES
from gough.robot import Robot
from gough.table.table import Block

PER = {"": "", "d": "/s", "dd": "/s^2"}
"""Unit of a rate by what its quantity ends in."""


def of_coordinates(robot: Robot, quantity: str, values: ArrayLike, per: str | None = None) -> Block:
    """Platform coordinates, called by their names alone, or anything of them: "xd", "mean".

    Args:
        robot: The robot.
        quantity: "x", "xd" and "xdd" have their own units; others those of x.
        values: (rows, n).
        per: What stands after the units of x, e.g. "/s".
    """
    after = PER[quantity[1:]] if per is None and quantity in ("x", "xd", "xdd") else per or ""
    units = [unit + after for unit in coordinate_units(robot)]
    prefix = "" if quantity == "x" else None
    return Block(quantity, values, units, {"coordinate": robot.coordinate_names}, prefix)


def of_dependent(robot: Robot, values: Sequence[Any]) -> list[Block]:
    """Coordinates that follow the others, their rates and accelerations, as many as given: columns as those of x."""
    orders = zip(("dependent", "dependent_xd", "dependent_xdd"), RATES, PER.values(), values, strict=False)
    axes = {"dependent_coordinate": robot.dependent_names}
    return [
        Block(quantity, rows, [unit + per for unit in dependent_units(robot)], axes, prefix)
        for quantity, prefix, per, rows in orders
    ]


def of_actuators(robot: Robot, quantity: str, values: ArrayLike) -> Block:
    """A quantity of the actuators: q, qd, qdd, power, else a force."""
    travel, effort = actuator_units(robot)
    if quantity in ("q", "qd", "qdd"):
        units = [unit + PER[quantity[1:]] for unit in travel]
    else:
        units = ["W"] * len(travel) if quantity == "power" else effort
    return Block(quantity, values, units, {"actuator": robot.actuator_names})


def of_joints(robot: Robot, quantity: str, values: ArrayLike) -> Block:
    """joint_q, joint_qd or joint_qdd of all joints."""
    after = PER[quantity.removeprefix("joint_q")]
    units = [("rad" if joint.turns else "m") + after for joint in robot.joints]
    return Block(quantity, values, units, {"joint": robot.joint_names})


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
