"""Addresses that a readable name may stand for: `leg.3.position.0` for `leg.3.base.x`."""

from __future__ import annotations

from collections.abc import Iterator

from gough.robot.values import Robot

AXES = ("x", "y", "z")
POINTS = {"base": ("position",), "platform": ("end", "platform_point")}


def candidates(robot: Robot, name: str) -> Iterator[str]:
    """The name itself, then what it may stand for; not all of them are addresses of the robot."""
    yield name
    parts = name.split(".")
    home = [c.name for c in robot.platform.all_coordinates]
    if parts[-2:-1] == ["home"]:
        if parts[-1] in home:
            yield ".".join([*parts[:-1], str(home.index(parts[-1]))])
        return
    if parts[-1] in AXES and len(parts) > 1:
        parts[-1] = str(AXES.index(parts[-1]))
    if parts[0] == "leg" and len(parts) > 2:
        names = [leg.name for leg in robot.legs]
        if parts[1] not in names and parts[1].isdigit() and 1 <= int(parts[1]) <= len(names):
            parts[1] = names[int(parts[1]) - 1]
        yield ".".join(parts)
        if parts[2] in POINTS:
            yield ".".join([*parts[:2], *POINTS[parts[2]], *parts[3:]])
        if parts[2] == "actuator" and parts[1] in names:
            joints = robot.legs[names.index(parts[1])].joints
            for k, joint in enumerate(joints, 1):
                if joint.actuated:
                    yield ".".join([*parts[:2], "joint", str(k), *parts[3:]])
    yield ".".join(parts)


def patterns(pattern: str) -> Iterator[str]:
    """A pattern of addresses and those that it stands for: `leg.*.position.0` for `leg.*.base.x`."""
    parts = pattern.split(".")
    if parts[-1] in AXES and len(parts) > 1:
        parts[-1] = str(AXES.index(parts[-1]))
    yield from dict.fromkeys([pattern, ".".join(parts)])
    if parts[0] == "leg" and len(parts) == 4 and parts[2] in POINTS:
        yield ".".join([*parts[:2], *POINTS[parts[2]], *parts[3:]])
