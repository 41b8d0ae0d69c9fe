"""Readable names of a robot's numbers: `leg.3.base.x` for `leg.3.position.0`, `leg.*.base.z` for that of all legs.

x, y, z              entries 0, 1, 2 of a vector, at the end of an address
leg.3                the third leg, whatever its name
leg.NAME.base        where the leg stands on the base, `leg.NAME.position` of the explicit form
leg.NAME.platform    where it is joined to the platform, `leg.NAME.end.platform_point`
leg.NAME.actuator    its driven joint, `leg.NAME.joint.3`: `leg.2.actuator.zero` is an error of its length
*                    every leg; at the end x, y and z
"""

from __future__ import annotations

from collections.abc import Iterator

from gough.robot.addresses import PathError, keyed, leads, paths
from gough.robot.candidates import AXES, POINTS, candidates
from gough.robot.names import nearest
from gough.robot.values import Robot


def address(robot: Robot, name: str) -> str:
    """The address that a readable name stands for; an address stands for itself.

    Raises:
        PathError: When the robot has no such number.
    """
    for candidate in candidates(robot, name):
        last = candidate.rpartition(".")[2]
        if leads(robot, candidate) and (last not in AXES or keyed(robot, candidate)[1][-1] == last):
            return candidate
    raise PathError(name, nearest(name, [*readable(robot), *paths(robot)]))


def expanded(robot: Robot, name: str) -> list[str]:
    """Names without `*`: one for every leg, and for x, y and z.

    Raises:
        PathError: When none of them is a number of the robot.
    """
    if "*" not in name.split("."):
        address(robot, name)
        return [name]
    found = []
    for candidate in _without_stars(robot, name.split(".")):
        try:
            address(robot, candidate)
        except PathError:
            continue
        found.append(candidate)
    if not found:
        raise PathError(name, nearest(name, _starred()))
    return found


def readable(robot: Robot) -> list[str]:
    """Readable names of the points and driven joints of all legs, for hints."""
    points = [f"leg.{leg.name}.{point}.{axis}" for leg in robot.legs for point in POINTS for axis in AXES]
    return points + [f"leg.{leg.name}.actuator.zero" for leg in robot.legs]


def _starred() -> list[str]:
    """Readable names of the same numbers of all legs, for hints."""
    return [*(f"leg.*.{point}.{axis}" for point in POINTS for axis in ("*", *AXES)), "leg.*.actuator.zero"]


def _without_stars(robot: Robot, parts: list[str]) -> Iterator[str]:
    k = parts.index("*") if "*" in parts else None
    if k is None:
        yield ".".join(parts)
        return
    legs = [leg.name for leg in robot.legs]
    choices = legs if parts[:k] == ["leg"] else AXES if k == len(parts) - 1 else ()
    for choice in choices:
        yield from _without_stars(robot, [*parts[:k], choice, *parts[k + 1 :]])
