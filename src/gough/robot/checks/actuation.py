"""Faults of how a robot is driven: too few actuators, or more than coordinates and no word on how they share forces."""

from __future__ import annotations

from collections.abc import Iterator

from gough.robot.checks.fault import Fault, Path
from gough.robot.values import CRITERIA, Actuation, Joint, Leg, Robot

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
    elif len(driven) == wanted and robot.actuation is not None:
        yield Fault(("actuation",), f"{counts} leave nothing to share", hint="remove [actuation]")
    elif robot.actuation is not None:
        yield from _shared(robot.actuation, joints, robot.document)


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
    reference = actuation.reference
    if reference is not None and len(reference) != len(joints):
        allowed = f"must be {len(joints)} forces, one per actuator"
        yield Fault(("actuation", "reference"), allowed, list(reference), f"{len(reference)} given")


def _counted(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"
