"""Static checks of the explicit robot: numbers, names, geometry at home, drives and springs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from gough.graph import norm
from gough.robot.checks.body_faults import body_faults, finite
from gough.robot.checks.column_names import column_faults
from gough.robot.checks.fault import Fault, Path, merged
from gough.robot.checks.leg_faults import leg_faults, rotation_fault
from gough.robot.extent import FARTHEST, size
from gough.robot.file.sources import Places
from gough.robot.file.units import Units
from gough.robot.inertia import body
from gough.robot.leg_values import Cable, Joint, Leg
from gough.robot.legs.blocks import span
from gough.robot.legs.expand import expand_platform
from gough.robot.legs.short_form import Reason
from gough.robot.legs.short_forms import SHORT_FORMS
from gough.robot.mechanism import CRITERIA, Actuation, Mechanism, Platform
from gough.robot.names import NAME, did_you_mean, try_name
from gough.robot.rotation import pose
from gough.robot.spec import Spec


def robot_faults(robot: Mechanism, spec: Spec, units: Units) -> list[Fault]:
    """Every fault of a mechanism of plain numbers.

    Args:
        robot: The spec expanded.
        spec: Where its numbers are stated.
        units: Units of the file, for messages.
    """
    places = Places(spec)
    faults = [*_finite(robot, spec, places, units), *_whole(robot, spec), *_platform(robot, spec), *_tool(robot, spec)]
    for k in range(len(robot.legs)):
        faults += leg_faults(robot, k, places)
    return merged([*faults, *actuation_faults(robot, spec), *_motor_faults(robot, spec), *spring_faults(robot)])


def _finite(robot: Mechanism, spec: Spec, places: Places, units: Units) -> Iterator[Fault]:
    """Legs without geometry at home, and numbers that are not finite."""
    for k, leg in enumerate(robot.legs):
        if finite(leg):
            continue
        entry = places.entry(k)
        if entry is not None and not finite(_geometry(leg)):
            why = why_no_geometry(entry, robot.platform)
            if why is not None:
                path, wrong = places.leg(k, *why.key.split(".")), why.told(units)
                yield Fault(path, wrong, _at(entry, why.key), why.hint, (leg.name,), scale=("length", "angle"))
        else:
            yield Fault((*places.leg(k), *_largest(entry)), "must have finite numbers only")
    for key, value in (
        ("platform", robot.platform),
        ("gravity", robot.gravity),
        ("length", robot.length),
        ("spring", robot.springs),
        ("tool", robot.tool),
    ):
        if not finite(value):
            yield Fault((key, *_largest(spec.get(key))), "must have finite numbers only")


def _geometry(leg: Leg) -> Iterator[Any]:
    """All numbers that say where the links of a leg are at home."""
    end = leg.end
    yield from (leg.position, leg.rotation, end.point, end.rotation, end.platform_point, end.platform_rotation)
    for joint in leg.joints:
        yield from (joint.axis, joint.offset, joint.rotation)
        if joint.start is not None:
            yield joint.start
        if joint.mimic is not None:
            yield from (joint.mimic.ratio, joint.mimic.offset)


def _largest(table: object) -> Path:
    """Path to the number in a table that is too large to compute with, or ()."""
    if not isinstance(table, Mapping):
        return ()
    sizes = {key: max((abs(v) for v in _numbers(value)), default=0.0) for key, value in table.items()}
    key = max(sizes, key=lambda k: sizes[k], default="")
    return (key, *_largest(table[key])) if sizes.get(key, 0.0) > _OVERFLOWS else ()


_OVERFLOWS = 1e100
"""Size of a number whose products with others may overflow."""


def _numbers(value: object) -> Iterator[float]:
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, (list, tuple)):
        for entry in value:
            yield from _numbers(entry)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)


def _at(entry: Any, key: str) -> Any:
    for part in key.split("."):
        entry = entry.get(part) if entry is not None else None
    return list(entry) if isinstance(entry, tuple) else entry


def _names(robot: Mechanism) -> Iterator[Fault]:
    """Names that could not be part of a path."""
    named: list[tuple[Path, str]] = [(("name",), robot.name)]
    named += [(("platform", "coordinates"), c.name) for c in robot.platform.all_coordinates]
    for k, leg in enumerate(robot.legs):
        named.append((("leg", k, "name"), leg.name))
        named += [(("leg", k, "joint", i, "name"), joint.name) for i, joint in enumerate(leg.joints)]
    for path, name in named:
        if not NAME.fullmatch(name):
            yield Fault(path, "must be a name of letters a-z, digits, - and _", name, try_name(name))
    bodies = sorted({body.name for body in robot.bodies if body.name})
    coordinates = [c.name for c in robot.platform.all_coordinates]
    yield from column_faults(coordinates, robot.actuator_names, [leg.name for leg in robot.legs], bodies)


def _whole(robot: Mechanism, spec: Spec) -> Iterator[Fault]:
    yield from _names(robot)
    names = [leg.name for leg in robot.legs]
    for k, name in enumerate(names):
        if name in names[:k]:
            path = ("leg", k, "name") if "leg" in spec else ("legs", "names")
            yield Fault(path, "must be unique in the robot", name)
    size = math.hypot(*robot.gravity)
    if 0 < size <= 1.0 or size > 30.0:
        hint = "a direction? multiply it by 9.81" if size == 1.0 else ""
        for factor, unit in ((1000, "m/s^2"), (0.001, "mm/s^2")):
            if 1.0 < size * factor < 30.0:
                hint = f'in {unit}? state [units] acceleration = "{unit}"'
        allowed = f"must be 0 or between 1 and 30 m/s^2 long, not {size:.4g}"
        yield Fault(("gravity",), allowed, list(robot.gravity), hint, scale=("acceleration",))
    if robot.length is not None and robot.length <= 0:
        yield Fault(("length",), "must be greater than 0", robot.length)


def _platform(robot: Mechanism, spec: Spec) -> Iterator[Fault]:
    for key in ("platform", "payload"):
        if key in spec:
            yield from body_faults(body(spec[key], key), (key,), moving=True, stated=spec[key])
    yield from rotation_fault(robot.platform.rotation, ("platform", "origin", "rotation"))


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


def _tool(robot: Mechanism, spec: Spec) -> Iterator[Fault]:
    """Faults of the tool frame, and of where the payload is."""
    yield from rotation_fault(robot.tool.rotation, ("tool", "rotation"))
    empty = replace(robot, platform=expand_platform(spec["platform"], None)) if "payload" in spec else robot
    for path in (("tool", "position"), ("payload", "com")):
        point = spec.get(path[0], {}).get(path[1], (0.0, 0.0, 0.0))
        if math.hypot(*point) > FARTHEST * (size(empty) or math.inf):
            allowed = f"is more than {FARTHEST:.0f} times the robot's size from the platform's origin"
            yield Fault(path, allowed, list(point), "millimetres? state the unit", scale=("length",))


def spring_faults(robot: Mechanism) -> Iterator[Fault]:
    """Faults of the springs between bodies."""
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
        for end, anchor in (("first", spring.first), ("second", spring.second)):
            yield from _anchored_body(robot, anchor.body, (*path, end, "body"))
        if spring.first.body == spring.second.body:
            yield Fault(path, f"must be between two bodies, not twice on {spring.first.body}")


def _anchored_body(robot: Mechanism, name: str, path: Path) -> Iterator[Fault]:
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


def why_no_geometry(entry: Mapping[str, Any], platform: Platform) -> Reason | None:
    """The reason for a leg whose numbers came out as NaN; None where the leg's own are not known.

    Args:
        entry: The leg's table with defaults and ring places filled in, SI units.
        platform: For its home pose.
    """
    whole = platform.whole()
    p_BP, R_BP = pose(whole, whole.home)
    d = span(entry, p_BP, R_BP)
    form = SHORT_FORMS[entry["type"]]
    reach = form.reach(entry, d)
    if reach is not None or not _located(entry, d):
        return reach
    if norm(d) == 0:
        return Reason("platform", "meets its base point at home: the leg has no length", "check platform.home")
    x, y, _ = entry["base"]
    if "radial" not in entry and x == 0 and y == 0:
        return Reason("base", "lies on the z axis of the base: no outward direction", f"state {form.outward}")
    if "axes" in entry:
        return Reason("axes", "the first axis lies along the leg at home", "turn it across the leg")
    return Reason("base", "the leg has no geometry at home", "state axes")


def _located(entry: Mapping[str, Any], d: tuple[float, float, float]) -> bool:
    """Whether all numbers that say where the leg is are there."""
    tables = ("base", "axes", "hinge", "platform_hinge", "spread", "lower", "upper")
    inner = [entry.get(key, {}) for key in ("guide", "motor")]
    lengths = [entry[key].get("length", 0.0) for key in ("rod", "crank") if key in entry]
    return finite([d, lengths, [entry[key] for key in tables if key in entry], [list(t.values()) for t in inner]])


_SHOWN = 8


def actuation_faults(robot: Mechanism, spec: Spec) -> Iterator[Fault]:
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
        yield from _sharing_faults(robot.actuation, joints, spec)
    places = Places(spec) if robot.cables else None
    for k, leg in enumerate(robot.legs):
        if leg.cable is not None and places is not None:
            yield from _cable_faults(leg.name, leg.cable, places, k)


def _sharing_faults(actuation: Actuation, joints: list[tuple[Leg, Joint]], spec: Spec) -> Iterator[Fault]:
    """Faults of a criterion, its weights and its reference."""
    unlimited = [(leg, joint) for leg, joint in joints if joint.limits.force is None and leg.cable is None]
    if actuation.criterion not in CRITERIA:
        known = " or ".join(f'"{name}"' for name in CRITERIA)
        yield Fault(("actuation", "criterion"), f"must be {known}", actuation.criterion)
    stated = spec.get("actuation", {}).get("weights")
    weights = None if actuation.weights is None else list(actuation.weights)
    if stated == "force":
        unknown = [f"{leg.name}.{joint.name}" for leg, joint in unlimited]
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
        open_ended = [f"{leg.name}.{joint.name}" for leg, joint in unlimited]
        if open_ended:
            allowed = "needs a force limit on every actuator"
            hint = f"none: {', '.join(open_ended[:_SHOWN])}"
            yield Fault(("actuation", "criterion"), allowed, actuation.criterion, hint)
    reference = actuation.reference
    if reference is not None and len(reference) != len(joints):
        allowed = f"must be {len(joints)} forces, one per actuator"
        yield Fault(("actuation", "reference"), allowed, list(reference), f"{len(reference)} given")


def _cable_faults(name: str, cable: Cable, places: Places, k: int) -> Iterator[Fault]:
    """Faults of a cable's numbers; what is not a number is not known."""
    low, high = cable.tension
    if cable.reference is not None and (cable.reference < low or cable.reference > high):
        allowed = f"must be within tension, {low:g} to {high:g} N"
        yield Fault(places.leg(k, "reference"), allowed, cable.reference, legs=(name,), scale=("force",))
    if cable.elasticity is not None and cable.elasticity <= 0:
        yield Fault(places.leg(k, "elasticity"), "must be greater than 0", cable.elasticity, legs=(name,))


def _counted(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"
