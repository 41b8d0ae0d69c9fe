"""Faults of how a robot is driven: too few actuators, or more than coordinates and no word on how they share forces."""

from __future__ import annotations

from collections.abc import Iterator

from gough.robot.checks.fault import Fault, Path
from gough.robot.file.sources import Places
from gough.robot.values import CRITERIA, Actuation, Cable, Joint, Leg, Robot

_SHOWN = 8


def actuation_faults(robot: Robot) -> Iterator[Fault]:
    """Faults of the number of actuators and of `[actuation]`."""
    joints = [(leg, joint) for leg in robot.legs for joint in leg.joints if joint.actuated and joint.mimic is None]
    driven = [f"{leg.name}.{joint.name}" for leg, joint in joints]
    wanted = robot.dof
    listed = ", ".join(driven[:_SHOWN]) + (", ..." if len(driven) > _SHOWN else "")
    path: Path = ("platform", "coordinates")
    counts = f"{_counted(len(driven), 'actuator')} for {_counted(wanted, 'coordinate')}"
    if len(driven) < wanted:
        need = _counted(wanted, "actuated joint")
        one = "needs" if wanted == 1 else "need"
        allowed = f"missing actuators: {_counted(wanted, 'coordinate')} {one} {need}, not {len(driven)}"
        yield Fault(path, allowed, hint=f"actuated: {listed or 'none'}")
    elif len(driven) > wanted and robot.actuation is None:
        hint = f'e.g. criterion = "least-norm"; actuated: {listed}'
        yield Fault(path, f"{counts}: state [actuation] criterion", hint=hint)
    elif len(driven) == wanted and robot.actuation is not None and not robot.cables:
        yield Fault(("actuation",), f"{counts} leave nothing to share", hint="remove [actuation]")
    elif robot.actuation is not None:
        yield from _shared(robot.actuation, joints, robot.document)
    places = Places(robot.document)
    for k, leg in enumerate(robot.legs):
        if leg.cable is not None:
            yield from _cable(leg.name, leg.cable, places, k)


def _shared(actuation: Actuation, joints: list[tuple[Leg, Joint]], document: object) -> Iterator[Fault]:
    """Faults of a criterion, its weights and its reference."""
    if actuation.criterion not in CRITERIA:
        known = " or ".join(f'"{name}"' for name in CRITERIA)
        yield Fault(("actuation", "criterion"), f"must be {known}", actuation.criterion)
    stated = document.get("actuation", {}).get("weights") if isinstance(document, dict) else None
    weights = None if actuation.weights is None else list(actuation.weights)
    if stated == "force":
        unknown = [f"{leg.name}.{joint.name}" for leg, joint in joints if joint.limits.force is None]
        if unknown:
            allowed = "needs a force limit on every actuator"
            yield Fault(("actuation", "weights"), allowed, stated, f"none: {', '.join(unknown[:_SHOWN])}")
    elif weights is not None and (len(weights) != len(joints) or not all(weight > 0 for weight in weights)):
        hint = f"{len(weights)} given" if len(weights) != len(joints) else ""
        yield Fault(("actuation", "weights"), f"must be {len(joints)} numbers above 0, one per actuator", weights, hint)
    if actuation.criterion == "centre":
        for key, value in (("weights", actuation.weights), ("reference", actuation.reference)):
            if value is not None:
                yield Fault(("actuation", key), 'is not used by criterion "centre"', list(value), "remove it")
        open_ended = [f"{leg.name}.{joint.name}" for leg, joint in joints if joint.limits.force is None]
        if open_ended:
            allowed = "needs a force limit on every actuator"
            hint = f"none: {', '.join(open_ended[:_SHOWN])}"
            yield Fault(("actuation", "criterion"), allowed, actuation.criterion, hint)
    reference = actuation.reference
    if reference is not None and len(reference) != len(joints):
        allowed = f"must be {len(joints)} forces, one per actuator"
        yield Fault(("actuation", "reference"), allowed, list(reference), f"{len(reference)} given")


def _cable(name: str, cable: Cable, places: Places, k: int) -> Iterator[Fault]:
    """Faults of a cable's numbers; what is not a number is not known."""
    low, high = cable.tension
    if cable.reference is not None and (cable.reference < low or cable.reference > high):
        allowed = f"must be within tension, {low:g} to {high:g} N"
        yield Fault(places.leg(k, "reference"), allowed, cable.reference, legs=(name,), scale=("force",))
    if cable.elasticity is not None and cable.elasticity <= 0:
        yield Fault(places.leg(k, "elasticity"), "must be greater than 0", cable.elasticity, legs=(name,))


def _counted(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"
