"""From a checked spec to its mechanism: plain arithmetic, generic over the number type.

Nothing here branches on a value or casts it, so that any number of the spec may be a traced scalar.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from gough.graph import divide
from gough.graph.triples import vector
from gough.robot.inertia import body, joined
from gough.robot.leg_values import ZERO, Leg, Matrix, Vector
from gough.robot.legs.chain import build_leg
from gough.robot.legs.rings import Entry, leg_entries
from gough.robot.legs.short_forms import leg_type_of
from gough.robot.mechanism import Actuation, Anchor, Coordinate, Frame, Mechanism, Platform, PointSpring
from gough.robot.rotation import pose, rotation
from gough.robot.spec import STANDARD_GRAVITY, Spec, motor_drive


def expand(spec: Spec) -> Mechanism:
    """Return the mechanism that a checked spec describes, every number stated."""
    platform = expand_platform(spec["platform"], spec.get("payload"))
    whole = platform.whole()
    p_BP, R_BP = pose(whole, whole.home)
    drive = motor_drive(spec)
    legs = tuple(_leg(_with_drive(entry, drive) if drive else entry, p_BP, R_BP) for entry in leg_entries(spec))
    return Mechanism(
        name=spec["name"],
        platform=platform,
        legs=legs,
        gravity=vector(spec.get("gravity", STANDARD_GRAVITY)),
        length=spec.get("length"),
        actuation=expand_actuation(spec.get("actuation"), legs),
        springs=tuple(_spring(stated, k) for k, stated in enumerate(spec.get("spring", ()))),
        tool=_frame(spec.get("tool", {})),
    )


def _frame(stated: Mapping[str, Any]) -> Frame:
    return Frame(vector(stated.get("position", ZERO)), rotation(stated.get("rotation")))


def expand_platform(stated: Mapping[str, Any], payload: Mapping[str, Any] | None) -> Platform:
    """Return the platform of a spec's table with the payload that is fixed to it."""
    listed = [Coordinate(name, motion) for name, motion in stated["coordinates"].items()]
    home = stated.get("home", [0.0] * len(listed))
    names = stated.get("dependent", ())
    dependent = [k for k, c in enumerate(listed) if c.name in names]
    own = [k for k in range(len(listed)) if k not in dependent]
    origin = stated.get("origin", {})
    moving = body(stated, stated.get("body", "platform"))
    return Platform(
        body=moving if payload is None else joined(moving, body(payload, "payload")),
        coordinates=tuple(listed[k] for k in own),
        home=tuple(home[k] for k in own),
        dependent=tuple(listed[k] for k in dependent),
        start=tuple(home[k] for k in dependent),
        order=tuple(c.name for c in listed) if dependent else (),
        position=vector(origin.get("position", ZERO)),
        rotation=rotation(origin.get("rotation")),
    )


def expand_actuation(stated: Mapping[str, Any] | None, legs: Sequence[Leg]) -> Actuation | None:
    """How forces are shared, of a spec's table; a limit that is missing makes a weight NaN.

    Cables want to be at their reference, within their limits, unless something else is stated.
    """
    pulled = any(leg.cable is not None for leg in legs)
    if stated is None and not pulled:
        return None
    stated = stated or {}
    weights, reference = stated.get("weights"), stated.get("reference")
    driven = [(leg, joint) for leg in legs for joint in leg.joints if joint.actuated]
    if weights == "force":
        limits = [joint.limits.force if leg.cable is None else leg.cable.tension[1] for leg, joint in driven]
        weights = [math.nan if limit is None else divide(1.0, limit * limit) for limit in limits]
    criterion = stated.get("criterion", "bounded" if pulled else "least-norm")
    if pulled and reference is None and criterion != "centre":
        reference = [0.0 if leg.cable is None else -leg.cable.wanted for leg, _ in driven]
    return Actuation(
        criterion,
        None if weights is None else tuple(weights),
        None if reference is None else tuple(reference),
    )


def _spring(stated: Mapping[str, Any], k: int) -> PointSpring:
    first, second = (Anchor(end["body"], vector(end.get("point", ZERO))) for end in (stated["first"], stated["second"]))
    name = stated.get("name", f"spring{k + 1}")
    return PointSpring(name, first, second, stated["stiffness"], stated.get("free_length", 0.0))


def _with_drive(entry: Entry, drive: Mapping[str, Any]) -> Entry:
    """The table of a leg whose actuators have rotor inertia and gear of the motor, unless they state their own."""
    if "joint" in entry:
        joints = [{**drive, **joint} if joint.get("actuated") else joint for joint in entry["joint"]]
        return {**entry, "joint": joints}
    passive = leg_type_of(entry["type"]).passive
    return entry if passive else {**entry, "actuator": {**drive, **entry.get("actuator", {})}}


def _leg(entry: Entry, p_BP: Vector, R_BP: Matrix) -> Leg:
    return build_leg(entry) if "joint" in entry else leg_type_of(entry["type"]).leg(entry, p_BP, R_BP)
