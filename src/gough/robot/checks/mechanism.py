"""Faults of a mechanism at home: legs without geometry, names, drives, springs, spinning rods and the tool."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from gough.graph import dot, norm
from gough.graph.triples import cross, unit
from gough.robot.checks.column_names import column_faults
from gough.robot.checks.fault import Fault, Path, merged
from gough.robot.file.reader import EXACT
from gough.robot.file.sources import Places
from gough.robot.file.units import Units
from gough.robot.leg_values import Joint, Leg, Vector
from gough.robot.legs.blocks import span
from gough.robot.legs.expand import expand_platform
from gough.robot.legs.short_form import Reason
from gough.robot.legs.short_forms import SHORT_FORMS
from gough.robot.mechanism import FARTHEST, Actuation, Mechanism, size
from gough.robot.names import counted, did_you_mean
from gough.robot.rotation import pose, skewness
from gough.robot.spec import Spec

_SHOWN = 8
"""Joints and bodies that a hint names at most."""


def mechanism_faults(robot: Mechanism, spec: Spec, units: Units) -> list[Fault]:
    """Every fault of a mechanism of plain numbers.

    Args:
        robot: The spec expanded.
        spec: Where its numbers are stated.
        units: Units of the file, for messages.
    """
    places = Places(spec)
    faults = [*_name_faults(robot, spec), *_tool_faults(robot, spec)]
    for k, leg in enumerate(robot.legs):
        if "joint" not in places.entries[k]:
            faults += _geometry_faults(robot, k, places, units)
        if leg.free_spin:
            faults += _spin_faults(leg, k, places)
    return merged([*faults, *_actuation_faults(robot, spec), *_motor_faults(robot, spec), *_spring_faults(robot)])


def _name_faults(robot: Mechanism, spec: Spec) -> Iterator[Fault]:
    """Faults of names that clash with those of columns, of other legs, or of other joints of a leg."""
    bodies = sorted({body.name for body in robot.bodies if body.name})
    coordinates, legs = [c.name for c in robot.platform.all_coordinates], [leg.name for leg in robot.legs]
    yield from column_faults(coordinates, robot.actuator_names, legs, bodies)
    for k, leg in enumerate(robot.legs):
        if leg.name in legs[:k]:
            yield Fault(("leg", k, "name") if "leg" in spec else ("legs", "names"), _UNIQUE, leg.name)
        names = [joint.name for joint in leg.joints]
        if twice := [name for i, name in enumerate(names) if name in names[:i]]:
            yield Fault(("leg", k, "joint"), f"must have joints of different names, not two called {twice[0]}")


_UNIQUE = "must be unique in the robot"


def _geometry_faults(robot: Mechanism, k: int, places: Places, units: Units) -> Iterator[Fault]:
    """Faults of the numbers of a leg of a known type that leave it no geometry at home, or frames that are skew."""
    leg, entry = robot.legs[k], places.entries[k]
    joints = [(joint.axis, joint.offset, joint.rotation, (joint.start or 0.0,)) for joint in leg.joints]
    if not math.isfinite(sum(_flat((leg.position, leg.rotation, joints, leg.end.platform_rotation)))):
        why = _no_geometry(entry, robot)
        path = places.leg(k, *why.key.split("."))
        yield Fault(path, why.told(units), _at(entry, why.key), why.hint, (leg.name,))
        return
    if skewness(leg.joints[1].rotation if "motor" in entry else leg.rotation) > EXACT:
        stated = [key for key in ("hinge", "motor") if key in entry][:1]
        for key in stated:
            allowed = "must be perpendicular to the rod at home"
            yield Fault(places.leg(k, key), allowed, entry[key], legs=(leg.name,))
        if not stated:  # so that only the size of the numbers is left
            yield Fault(("platform", "home"), "is too far away for a frame along the rod")
    for first, second in pairwise(leg.joints):
        if first.group == second.group == "U" and abs(dot(first.axis, second.axis)) > EXACT:
            across = "platform_hinge" if "platform_hinge" in entry else "axes"
            allowed = "must be perpendicular to the hinge"
            yield Fault(places.leg(k, across), allowed, entry.get(across), legs=(leg.name,))


def _flat(value: Any) -> Iterator[float]:
    for entry in value:
        yield from _flat(entry) if isinstance(entry, (list, tuple)) else (entry,)


def _no_geometry(entry: Mapping[str, Any], robot: Mechanism) -> Reason:
    """The reason for a leg whose numbers came out as NaN, of its table with defaults and places on rings."""
    whole = robot.platform.whole()
    d = span(entry, *pose(whole, whole.home))
    form = SHORT_FORMS[entry["type"]]
    if (reach := form.reach(entry, d)) is not None:
        return reach
    if norm(d) == 0:
        return Reason("platform", "meets its base point at home: the leg has no length", "check platform.home")
    x, y, _ = entry["base"]
    if "radial" not in entry and x == 0 and y == 0:
        return Reason("base", "lies on the z axis of the base: no outward direction", f"state {form.outward}")
    if "axes" in entry:
        return Reason("axes", "the first axis lies along the leg at home", "turn it across the leg")
    return Reason("base", "the leg has no geometry at home", "state axes")


def _at(entry: Any, key: str) -> Any:
    for part in key.split("."):
        entry = entry.get(part) if entry is not None else None
    return list(entry) if isinstance(entry, tuple) else entry


def _spin_faults(leg: Leg, k: int, places: Places) -> Iterator[Fault]:
    """Bodies of a leg that spins freely that are not round about its axis; friction, motor or spring in its joint."""
    first, last = _first_on_rod(leg), _last_turn(leg)
    for i in range(first, last + 1):
        joint = leg.joints[i]
        has = {"actuated": joint.actuated, "viscous": joint.viscous > 0, "spring": joint.spring is not None}
        for key in [key for key, stated in has.items() if stated][:1]:
            what = {"actuated": "be driven", "viscous": "have friction", "spring": "have a spring"}[key]
            allowed = f"a spherical joint of a leg that spins freely cannot {what}"
            yield Fault(places.joint(k, i, key), allowed, True, "use U instead of the first S", (leg.name,))
    axis = unit(leg.end.point) if any(leg.end.point) else leg.joints[-1].axis
    for i, joint in enumerate(leg.joints[last:], last):
        yield from _asymmetry(joint, axis, leg, k, i, places)
    if last > 0 and leg.joints[first].kind == "R" and leg.joints[first].group == "S":
        between = leg.joints[first].body
        if any(between.com) or any(between.inertia):
            allowed = "inside a spherical joint there can only be a point mass at its centre"
            yield Fault(places.body(k, first, "inertia")[:-1], allowed, legs=(leg.name,))


def _last_turn(leg: Leg) -> int:
    return max((i for i, joint in enumerate(leg.joints) if joint.kind == "R"), default=0)


def _first_on_rod(leg: Leg) -> int:
    """Index of the first joint of the spherical joint about which a leg spins freely."""
    return max(_last_turn(leg) - 1, 0)


def _asymmetry(joint: Joint, axis: Vector, leg: Leg, k: int, i: int, places: Places) -> Iterator[Fault]:
    body, hint = joint.body, "use U instead of the first S, or a body that is round about the rod"
    if norm(cross(body.com, axis)) > EXACT * max(norm(body.com), 1e-3):
        allowed = "a leg that spins freely needs its centre of mass on its axis"
        yield Fault(places.body(k, i, "com"), allowed, list(body.com), hint, (leg.name,))
    along, tensor = np.outer(axis, axis), body.tensor
    moment = float((along * tensor).sum())
    round_one = moment * along + 0.5 * (tensor.trace() - moment) * (np.eye(3) - along)
    if np.abs(tensor - round_one).max() > EXACT * max(map(abs, body.inertia)):
        allowed = "a leg that spins freely needs bodies axisymmetric about its axis"
        yield Fault(places.body(k, i, "inertia"), allowed, list(body.inertia), hint, (leg.name,))


def _motor_faults(robot: Mechanism, spec: Spec) -> Iterator[Fault]:
    """A gear on an actuator that slides, or a screw on one that turns."""
    motor = spec.get("motor", {})
    for name, joint in zip(robot.actuator_names, robot.actuators, strict=True):
        if motor and joint.turns == ("lead" in motor):
            stated, moves = ("lead", "turns") if joint.turns else ("gear", "slides")
            hint = "give gear = turns of the rotor per turn" if joint.turns else "give lead = travel per turn"
            allowed = f"has a {stated}, but actuator {name} {moves}"
            yield Fault(("motor", "name"), allowed, motor["name"], hint, key="motor")
            return


def _tool_faults(robot: Mechanism, spec: Spec) -> Iterator[Fault]:
    """Faults of where the tool and the payload are."""
    empty = replace(robot, platform=expand_platform(spec["platform"], None)) if "payload" in spec else robot
    for path in (("tool", "position"), ("payload", "com")):
        point = spec.get(path[0], {}).get(path[1], (0.0, 0.0, 0.0))
        if math.hypot(*point) > FARTHEST * (size(empty) or math.inf):
            allowed = f"is more than {FARTHEST:.0f} times the robot's size from the platform's origin"
            yield Fault(path, allowed, list(point), "millimetres? state the unit")


def _spring_faults(robot: Mechanism) -> Iterator[Fault]:
    """Faults of the springs between bodies."""
    names = [spring.name for spring in robot.springs]
    for k, spring in enumerate(robot.springs):
        path: Path = ("spring", k)
        if spring.name in names[:k]:
            yield Fault((*path, "name"), _UNIQUE, spring.name)
        for end, anchor in (("first", spring.first), ("second", spring.second)):
            yield from _anchored_body(robot, anchor.body, (*path, end, "body"))
        if spring.first.body == spring.second.body:
            yield Fault(path, f"must be between two bodies, not twice on {spring.first.body}")


def _anchored_body(robot: Mechanism, name: str, path: Path) -> Iterator[Fault]:
    if name not in robot.body_names:
        hint = did_you_mean(name, robot.body_names) or f"known: {', '.join(robot.body_names[:_SHOWN])}"
        yield Fault(path, "must be the name of a body", name, hint)
    for leg in robot.legs:
        if leg.free_spin and name in {f"{leg.name}.{joint.name}" for joint in leg.joints[_first_on_rod(leg) :]}:
            allowed = "the rod of a leg that spins freely cannot hold a spring"
            yield Fault(path, allowed, name, "use U instead of the first S", (leg.name,))


def _actuation_faults(robot: Mechanism, spec: Spec) -> Iterator[Fault]:
    """Faults of the number of actuators and of `[actuation]`."""
    driven = [
        (f"{leg.name}.{joint.name}", joint.limits.force is not None or leg.cable is not None)
        for leg in robot.legs
        for joint in leg.joints
        if joint.actuated
    ]
    listed = _listed([name for name, _ in driven])
    path: Path = ("platform", "coordinates")
    coordinates = counted(robot.dof, "coordinate")
    counts = f"{counted(len(driven), 'actuator')} for {coordinates}"
    if len(driven) < robot.dof:
        need = f"{'needs' if robot.dof == 1 else 'need'} {counted(robot.dof, 'actuated joint')}"
        allowed = f"missing actuators: {coordinates} {need}, not {len(driven)}"
        yield Fault(path, allowed, hint=f"actuated: {listed or 'none'}")
    elif len(driven) > robot.dof and robot.actuation is None:
        hint = f'e.g. criterion = "least-norm"; actuated: {listed}'
        yield Fault(path, f"{counts}: state [actuation] criterion", hint=hint)
    elif len(driven) == robot.dof and robot.actuation is not None and not robot.cables:
        yield Fault(("actuation",), f"{counts} leave nothing to share", hint="remove [actuation]")
    elif robot.actuation is not None:
        unlimited = [name for name, limited in driven if not limited]
        yield from _sharing_faults(robot.actuation, spec.get("actuation", {}).get("weights"), len(driven), unlimited)


def _sharing_faults(actuation: Actuation, stated: Any, count: int, unlimited: Sequence[str]) -> Iterator[Fault]:
    """Faults of a criterion, its weights as the file states them, and its reference.

    Args:
        actuation: The criterion with all its numbers.
        stated: Weights as the file states them.
        count: Number of actuators.
        unlimited: Names of those without a force limit.
    """
    needs, weights, reference = "needs a force limit on every actuator", actuation.weights, actuation.reference
    if stated == "force" and unlimited:
        yield Fault(("actuation", "weights"), needs, stated, f"none: {_listed(unlimited)}")
    elif weights is not None and len(weights) != count:
        allowed = f"must be {count} numbers above 0, one per actuator"
        yield Fault(("actuation", "weights"), allowed, list(weights), f"{len(weights)} given")
    if actuation.criterion == "centre":
        for key, value in (("weights", weights), ("reference", reference)):
            if value is not None:
                yield Fault(("actuation", key), 'is not used by criterion "centre"', list(value), "remove it")
        if unlimited:
            yield Fault(("actuation", "criterion"), needs, actuation.criterion, f"none: {_listed(unlimited)}")
    if reference is not None and len(reference) != count:
        allowed = f"must be {count} forces, one per actuator"
        yield Fault(("actuation", "reference"), allowed, list(reference), f"{len(reference)} given")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
