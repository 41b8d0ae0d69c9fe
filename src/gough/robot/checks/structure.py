"""Faults of a spec that would keep it from being expanded: missing and unused keys, counts, references."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gough.robot.checks.fault import Fault, Path, merged
from gough.robot.legs.chain import GROUND, JOINTED
from gough.robot.legs.leg_keys import DRIVE
from gough.robot.legs.rings import leg_count, leg_entries
from gough.robot.legs.short_forms import SHORT_FORMS
from gough.robot.names import did_you_mean
from gough.robot.spec import Spec

_COMPOUND_ONLY = {"axes": ("U", "S"), "starts": ("U", "S", "C"), "bar": ("Pa",), "spread": ("Pa",)}
_COMPOUND_ONLY |= {"second": ("Pa",), "closing": ("Pa",), "lead": ("H", "C"), "coordinate": ("H",)}
_ELEMENTARY = ("mimic", "actuated", *(key for key in DRIVE if key != "viscous"))


def ring_faults(spec: Spec) -> list[Fault]:
    """Faults of how many legs there are and where they stand."""
    legs, listed = spec.get("legs"), spec.get("leg")
    if legs is None and not listed:
        hint = "add [legs] for all at once, or [[leg]] one by one"
        return [Fault((), "has no legs", hint=hint)]
    if not listed and legs is not None and ("base" not in legs or "platform" not in legs):
        missing = [key for key in ("base", "platform") if key not in legs]
        hint = "a ring of leg ends, e.g. {radius = 0.5, half_angle = 0.2}; or list the legs as [[leg]]"
        return [*(Fault(("legs", key), "is missing", hint=hint) for key in missing), *_ring_faults(spec)]
    return [*_ring_faults(spec)]


def structure_faults(spec: Spec) -> list[Fault]:
    """Faults of what legs are made of, one by one."""
    faults: list[Fault] = []
    entries = leg_entries(spec)
    for k, entry in enumerate(entries):
        own: Path = ("leg", k) if "leg" in spec else ("legs",)
        if "joint" in entry:
            faults += _jointed(entry, own)
        else:
            faults += _patterned(spec, entry, own, k)
    return merged([*faults, *_unused_defaults(spec, entries)])


def _ring_faults(spec: Spec) -> Iterator[Fault]:
    legs = spec.get("legs") or {}
    count = leg_count(spec)
    if not 1 <= count <= 100:
        yield Fault(("legs", "count"), "must be between 1 and 100", count)
    if "leg" in spec and "count" in legs and legs["count"] != count:
        yield Fault(("legs", "count"), f"must be the number of [[leg]] tables, {count}", legs["count"])
    if "names" in legs and len(legs["names"]) != count:
        yield Fault(("legs", "names"), f"must be {count} names", legs["names"], f"{len(legs['names'])} given")
    for side in ("base", "platform"):
        ring = legs.get(side, {})
        path: Path = ("legs", side)
        if not ring:
            continue
        if "angles" in ring and "half_angle" in ring:
            yield Fault((*path, "angles"), "angles and half_angle exclude each other", hint="keep one")
        elif "angles" in ring and len(ring["angles"]) != count:
            hint = f"{len(ring['angles'])} given"
            yield Fault((*path, "angles"), f"must be {count} angles, one per leg", ring["angles"], hint)
        elif "half_angle" in ring and count % 2:
            hint = "list all legs as [[leg]], or none" if "leg" in spec else "use angles = [..]"
            yield Fault((*path, "half_angle"), f"needs an even number of legs, not {count}", hint=hint)


def _patterned(spec: Spec, entry: Mapping[str, Any], own: Path, k: int) -> Iterator[Fault]:
    stated = spec["leg"][k] if own[0] == "leg" else {}
    if "type" not in entry:
        choices = ", ".join(SHORT_FORMS)
        yield Fault((*own, "type"), f"is missing: {choices}", hint="or list the leg's joints as [[leg.joint]]")
        return
    keys = SHORT_FORMS[entry["type"]]
    for key in stated:
        if key not in keys.usable:
            hint = f"it may have: {', '.join(keys.usable)}"
            yield Fault((*own, key), f"is not used by a leg of type {entry['type']}", hint=hint)
    for key in entry.get("actuator", {}):
        if key in keys.unused:
            yield Fault((*_owner(own, stated, "actuator"), key), f"is not used by a leg of type {entry['type']}")
    for key in ("base", "platform", *keys.needed):
        if key not in entry:
            yield Fault((*own, key), f"is missing: a leg of type {entry['type']} needs it")
    for (key, *below), wrong, value in keys.misfits(entry):
        yield Fault((*_owner(own, stated, key), *below), wrong, value)


def _owner(own: Path, stated: Mapping[str, Any], key: str) -> Path:
    """Path of a table in the leg itself or in `[legs]`."""
    return (*own, key) if key in stated or own[0] == "legs" else ("legs", key)


def _unused_defaults(spec: Spec, entries: Sequence[Mapping[str, Any]]) -> Iterator[Fault]:
    legs = spec.get("legs") or {}
    types = sorted({entry["type"] for entry in entries if "type" in entry and "joint" not in entry})
    if not types:
        return
    forms = [SHORT_FORMS[name] for name in types]
    usable = {"count", "names"} | {key for form in forms for key in form.usable}
    for key in legs:
        if key not in usable:
            hint = f"they may have: {', '.join(sorted(usable))}"
            yield Fault(("legs", key), f"is not used by legs of type {', '.join(types)}", hint=hint)
    if "actuator" in legs and len({form.drive for form in forms}) > 1:
        hint = "state actuator in each [[leg]]"
        yield Fault(("legs", "actuator"), "cannot serve actuators that slide and others that turn", hint=hint)


def _jointed(entry: Mapping[str, Any], own: Path) -> Iterator[Fault]:
    for key in entry:
        if key not in (*JOINTED, "radial", "platform_radial", "side", "base", "platform"):
            yield Fault((*own, key), "is not used by a leg with joints", hint=f"it may have: {', '.join(JOINTED)}")
    if not entry["joint"]:
        yield Fault((*own, "joint"), "must have at least one joint")
    names: list[str] = []
    mimics: set[str] = set()
    for k, joint in enumerate(entry["joint"]):
        path = (*own, "joint", k)
        yield from _joint_keys(joint, path)
        name = joint.get("name", f"joint{k + 1}")
        if name in names or name == GROUND:
            hint = "base stands for leg frame 0" if name == GROUND else ""
            yield Fault((*path, "name"), "must be unique in its leg", name, hint)
        yield from _reference(joint, "parent", [GROUND, *names], path)
        if "mimic" in joint:
            followed = [n for n in names if n not in mimics]
            yield from _reference(joint["mimic"], "joint", followed, (*path, "mimic"))
            mimics.add(name)
        names.append(name)
    if "end" not in entry:
        yield Fault((*own, "end"), "is missing", hint='e.g. [leg.end] with type = "spherical"')
    else:
        yield from _reference(entry["end"], "joint", names, (*own, "end"), "of its leg")


def _reference(
    table: Mapping[str, Any], key: str, known: Sequence[str], path: Path, which: str = "before it"
) -> Iterator[Fault]:
    if key in table and table[key] not in known:
        hint = did_you_mean(table[key], known) if known else ""
        yield Fault((*path, key), f"must be the name of a joint {which}", table[key], hint)


def _joint_keys(joint: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    kind = joint["type"]
    for key, kinds in _COMPOUND_ONLY.items():
        if key in joint and kind not in kinds:
            yield Fault((*path, key), f"is only for joints of type {' or '.join(kinds)}, not {kind}")
    driven = kind == "C" and joint.get("actuated", False)
    if kind not in ("R", "P"):
        for key in _ELEMENTARY:
            if key in joint and ((kind != "H" and not driven) or key == "mimic") and (kind, key) != ("C", "actuated"):
                yield Fault((*path, key), f"is only for joints of type R or P, not {kind}", hint="write it as R and P")
    needs = {"R": ("axis",), "P": ("axis",), "C": ("axis",), "H": ("axis", "lead"), "Pa": ("axis", "bar")}
    for key in needs.get(kind, ()):
        if key not in joint:
            yield Fault((*path, key), f"is missing: a joint of type {kind} needs it")
    if driven and "lead" not in joint:
        allowed = "is missing: the actuator of a C drives slide + lead turn / 2 pi"
        yield Fault((*path, "lead"), allowed, hint="or write it as P and R, one of them actuated")
    elif kind == "C" and "lead" in joint and not driven:
        yield Fault((*path, "lead"), "is only for a C with actuated = true", joint["lead"], "a passive screw is an H")
    elif joint.get("lead", 1.0) == 0.0:
        yield Fault((*path, "lead"), "must not be 0", 0.0, "write it as P and R")
    sizes = {"U": 2, "S": 3, "C": 2}
    for key in ("axes", "starts"):
        if key in joint and kind in sizes and len(joint[key]) != sizes[kind]:
            yield Fault((*path, key), f"must have {sizes[kind]} entries", joint[key], f"{len(joint[key])} given")
