"""Which assembly each leg of a file is in: what is wrong with its starts or its branch, and what they leave open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gough.kinematics.closure.assembly import (
    NEAR_ANGLE,
    NEAR_SLIDE,
    Assembly,
    Chosen,
    assemblies,
    chosen,
    leg_size,
    own_joints,
)
from gough.kinematics.closure.closed_forms import closed_form
from gough.kinematics.closure.wrist import WristForm
from gough.kinematics.dependent.constraint import at_home, home_platform
from gough.robot import Fault, Leg, Mechanism, Platform
from gough.robot.file.sources import Places
from gough.robot.spec import Spec

_UNITS = {"R": "rad", "P": "m"}
_SHOWN = 8
"""Assemblies that a line names at most."""


def assembly_faults(robot: Mechanism, spec: Spec, k: int) -> list[Fault]:
    """Faults of the starts and the branch of leg k, which closes at home."""
    leg, platform = robot.legs[k], home_platform(robot)
    found = chosen(leg, platform)
    if not found.doubt or leg.branch == 0:
        return []
    places = Places(spec)
    if found.doubt in ("unknown", "disagree"):
        allowed, hint = _of_branch(platform, leg, found)
        return [Fault(places.leg(k, "branch"), allowed, leg.branch, hint, key=f"leg.{leg.name}.branch")]
    joint = leg.joints[found.joint]
    where = places.joint(k, found.joint, "start")
    if found.doubt == "tie":
        allowed = f"leaves the leg {len(found.near)} assemblies at home that are equally near: {named(leg, found.near)}"
        return [Fault(where, allowed, joint.start, "state branch, or starts of more joints")]
    most = f"{NEAR_ANGLE:g} rad" if joint.kind == "R" else f"{NEAR_SLIDE * leg_size(leg, platform):.4g} m"
    allowed = f"must be within {most} of an assembly at home; there are: {named(leg, assemblies(leg, platform))}"
    return [Fault(where, allowed, joint.start, "correct the start, or state branch instead")]


def home_fault(robot: Mechanism, legs: Sequence[int]) -> Fault | None:
    """One fault for all of these legs, where none starts near an assembly at home: home is elsewhere, or the starts."""
    platform = home_platform(robot)
    found = [chosen(robot.legs[k], platform) for k in legs]
    if len(legs) < 2 or any(
        one.doubt != "far" or robot.legs[k].branch == 0 for k, one in zip(legs, found, strict=True)
    ):
        return None
    leg, joint = robot.legs[legs[0]], robot.legs[legs[0]].joints[found[0].joint]
    unit, place = _UNITS[joint.kind], own_joints(leg).index(found[0].joint)
    start = joint.start or 0.0
    values = [assembly.values[place] for assembly in assemblies(leg, platform)]
    nearest = min(values, key=lambda value: abs(value - start))
    allowed = (
        f"the joints of all {len(legs)} legs start at another home: {joint.name} of leg {leg.name} at {start:.4g} "
    )
    allowed += f"{unit}, but at this home it is at {nearest:.4g} {unit}"
    hint = "move the starts too, or leave start out of every joint and state branch"
    return Fault(("platform", "home"), allowed, hint=hint)


def _of_branch(platform: Platform, leg: Leg, found: Chosen) -> tuple[str, str]:
    """What is wrong with a branch, and a hint."""
    if found.doubt == "unknown":
        return f"is none of the leg's assemblies at home: {named(leg, found.near)}", ""
    joint = leg.joints[found.joint]
    stated = next(a for a in assemblies(leg, platform) if a.branch == leg.branch)
    value = stated.values[own_joints(leg).index(found.joint)]
    start = round(joint.start or 0.0, 9) + 0.0
    unit = _UNITS[joint.kind]
    allowed = f"closes {joint.name} at {value:.4g} {unit}, but its joints start in the position with {start:.4g} {unit}"
    return allowed, f"branch = {found.near[0].branch}, or the starts of the other position"


def named(leg: Leg, found: Sequence[Assembly]) -> str:
    """Assemblies by branch and coordinates: "branch 1 (crank 1.318 rad, rod -0.2 rad)"."""
    joints = [leg.joints[k] for k in own_joints(leg)]
    words = []
    for assembly in found[:_SHOWN]:
        values = [f"{j.name} {v + 0.0:.4g} {_UNITS[j.kind]}" for j, v in zip(joints, assembly.values, strict=True)]
        words.append(f"branch {assembly.branch} ({', '.join(values)})")
    more = f", and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return ", ".join(words) + more


def assembled(spec: Spec, expanded: Mechanism) -> Mechanism:
    """Return the mechanism of a spec as it is assembled at home.

    Dependent coordinates are as the legs leave them. Each leg states its assembly: its branch, or the starts of a leg
    closed by Newton's method.
    """
    mechanism = at_home(spec, expanded)
    platform = home_platform(mechanism)
    return replace(mechanism, legs=tuple(_stated(leg, platform) for leg in mechanism.legs))


def _stated(leg: Leg, platform: Platform) -> Leg:
    form = closed_form(leg)
    if form is not None and not isinstance(form, WristForm):  # which has one assembly, and angles near its starts
        return leg if leg.branch is not None else replace(leg, branch=chosen(leg, platform).branch)
    values = dict(zip(own_joints(leg), chosen(leg, platform).values, strict=True))
    joints = [
        replace(joint, start=values[k]) if k in values and joint.start is None else joint
        for k, joint in enumerate(leg.joints)
    ]
    return replace(leg, joints=tuple(joints))
