"""Faults of how many legs a spec has, of what each leg needs and may have, and of numbers that belong together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from gough.robot.checks.bodies import inertia_fault
from gough.robot.checks.fault import Fault, merged
from gough.robot.file.reader import EXACT
from gough.robot.file.sources import Places
from gough.robot.legs.rings import leg_count
from gough.robot.legs.short_forms import SHORT_FORMS
from gough.robot.mechanism import Mechanism
from gough.robot.spec import Spec


def ring_faults(spec: Spec) -> Iterator[Fault]:
    """Faults of how many legs there are and where they stand."""
    legs = spec.get("legs", {})
    if "legs" not in spec and not spec.get("leg"):
        yield Fault((), "has no legs", hint="add [legs] for all at once, or [[leg]] one by one")
        return
    for side in ("base", "platform"):
        if side not in legs and not spec.get("leg"):
            hint = "a ring of leg ends, e.g. {radius = 0.5, half_angle = 0.2}; or list the legs as [[leg]]"
            yield Fault(("legs", side), "is missing", hint=hint)
    count = leg_count(spec)
    if not 1 <= count <= 100:
        yield Fault(("legs", "count"), "must be between 1 and 100", count)
        return
    if "leg" in spec and legs.get("count", count) != count:
        yield Fault(("legs", "count"), f"must be the number of [[leg]] tables, {count}", legs["count"])
    if len(legs.get("names", range(count))) != count:
        yield Fault(("legs", "names"), f"must be {count} names", legs["names"], f"{len(legs['names'])} given")
    for side in ("base", "platform"):
        ring, path = legs.get(side, {}), ("legs", side, "half_angle")
        half, most = ring.get("half_angle", 0.0), 2.0 * math.pi / count
        if len(ring.get("angles", range(count))) != count:
            hint = f"{len(ring['angles'])} given"
            yield Fault(("legs", side, "angles"), f"must be {count} angles, one per leg", ring["angles"], hint)
        elif "half_angle" in ring and count % 2:
            hint = "list all legs as [[leg]], or none" if "leg" in spec else "use angles = [..]"
            yield Fault(path, f"needs an even number of legs, not {count}", hint=hint)
        elif half > most + EXACT:
            allowed = f"must be between 0 and {math.degrees(most):g} deg, {most:.4g} rad"
            yield Fault(path, allowed, half)


def leg_faults(spec: Spec) -> list[Fault]:
    """Faults of the legs and of all bodies one by one; those that several legs have from `[legs]` are reported once."""
    places = Places(spec)
    faults = [*_shared_faults(spec, places)]
    for k, entry in enumerate(places.entries):
        faults += [] if "joint" in entry else _typed_faults(entry, places, k)
    faults += [fault for _, path, stated in places.bodies() for fault in inertia_fault(stated, path)]
    return merged(faults)


def _typed_faults(entry: Mapping[str, Any], places: Places, k: int) -> Iterator[Fault]:
    """Faults of a leg of a known type."""
    own = places.leg(k)
    if "type" not in entry:
        hint = "or list the leg's joints as [[leg.joint]]"
        yield Fault((*own, "type"), f"is missing: {', '.join(SHORT_FORMS)}", hint=hint)
        return
    form = SHORT_FORMS[entry["type"]]
    for key in entry:
        if key not in form.usable and places.states(k, key):
            hint = f"it may have: {', '.join(form.usable)}"
            yield Fault((*own, key), f"is not used by a leg of type {form.name}", hint=hint)
    for key in entry.get("actuator", {}):
        if key in form.unused:
            yield Fault(places.leg(k, "actuator", key), f"is not used by a leg of type {form.name}")
    for key in ("base", "platform", *form.needed):
        if key not in entry:
            yield Fault((*own, key), f"is missing: a leg of type {form.name} needs it")
    for (key, *below), wrong, value in form.misfits(entry):
        yield Fault((*places.leg(k, key), *below), wrong, value)


def _shared_faults(spec: Spec, places: Places) -> Iterator[Fault]:
    """Faults of `[legs]`: keys that no leg uses, and an actuator that slides in some legs and turns in others."""
    legs = spec.get("legs", {})
    types = sorted({entry["type"] for entry in places.entries if "type" in entry and "joint" not in entry})
    forms = [SHORT_FORMS[name] for name in types]
    usable = {"count", "names"} | {key for form in forms for key in form.usable}
    for key in legs:
        if forms and key not in usable:
            hint = f"they may have: {', '.join(sorted(usable))}"
            yield Fault(("legs", key), f"is not used by legs of type {', '.join(types)}", hint=hint)
    if "actuator" in legs and len({form.drive for form in forms}) > 1:
        hint = "state actuator in each [[leg]]"
        yield Fault(("legs", "actuator"), "cannot serve actuators that slide and others that turn", hint=hint)


def strong_friction(robot: Mechanism, spec: Spec) -> list[Fault]:
    """A fault for each actuator that viscous friction keeps from its largest speed: most likely one of another unit."""
    places, faults = Places(spec), []
    for k, leg in enumerate(robot.legs):
        for i, joint in enumerate(leg.joints):
            speed, force = joint.limits.speed, joint.limits.force
            if speed is not None and force is not None and joint.viscous * speed > force:
                effort, rate = ("N", "m/s") if joint.kind == "P" else ("N m", "rad/s")
                needed = f"{joint.viscous * speed:.6g} {effort} at its speed of {speed:.4g} {rate}"
                doubt = f"takes {needed}, force {force:.4g} {effort}: too large?"
                hint = "its unit follows from [units]: N s/mm with mm, N mm s/deg with deg"
                faults.append(Fault(places.joint(k, i, "viscous"), doubt, joint.viscous, hint, (leg.name,)))
    return merged(faults)
