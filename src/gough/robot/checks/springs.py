"""Static checks of the springs between bodies of the explicit robot."""

from __future__ import annotations

from collections.abc import Iterator

from gough.robot.checks.fault import Fault, Path
from gough.robot.names import NAME, did_you_mean
from gough.robot.values import Leg, Robot


def spring_faults(robot: Robot, named: bool = True) -> Iterator[Fault]:
    """Faults of the springs between bodies; `named`: it is known what the bodies are called."""
    names = [spring.name for spring in robot.springs]
    for k, spring in enumerate(robot.springs):
        path: Path = ("spring", k)
        if not NAME.fullmatch(spring.name):
            yield Fault((*path, "name"), "must be a name of letters a-z, digits, - and _", spring.name)
        elif spring.name in names[:k]:
            yield Fault((*path, "name"), "must be unique in the robot", spring.name)
        if spring.stiffness <= 0:
            yield Fault((*path, "stiffness"), "must be greater than 0", spring.stiffness)
        if spring.free_length < 0:
            yield Fault((*path, "free_length"), "must not be negative", spring.free_length)
        for end, anchor in (("first", spring.first), ("second", spring.second)) if named else ():
            yield from _body(robot, anchor.body, (*path, end, "body"))
        if spring.first.body == spring.second.body:
            yield Fault(path, f"must be between two bodies, not twice on {spring.first.body}")


def _body(robot: Robot, name: str, path: Path) -> Iterator[Fault]:
    if name not in robot.body_names:
        hint = did_you_mean(name, robot.body_names) or f"known: {', '.join(robot.body_names[:8])}"
        yield Fault(path, "must be the name of a body", name, hint)
        return
    for leg in robot.legs:
        if leg.free_spin and name in {f"{leg.name}.{joint.name}" for joint in leg.joints[_first_on_rod(leg) :]}:
            allowed = "the rod of a leg that spins freely cannot hold a spring"
            yield Fault(path, allowed, name, "use U instead of the first S", (leg.name,))


def _first_on_rod(leg: Leg) -> int:
    """Index of the first joint of the spherical joint about which a leg spins freely."""
    last_turn = max((i for i, joint in enumerate(leg.joints) if joint.kind == "R"), default=0)
    return max(last_turn - 1, 0)
