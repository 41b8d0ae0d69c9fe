"""Faults of legs that are written joint by joint: keys that the type of a joint needs or cannot have, and names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gough.robot.checks.fault import Fault, Path
from gough.robot.legs.chain import GROUND, JOINTED
from gough.robot.legs.leg_keys import DRIVE
from gough.robot.names import alternatives, did_you_mean

_NEEDS = {"R": ("axis",), "P": ("axis",), "C": ("axis",), "H": ("axis", "lead"), "Pa": ("axis", "bar")}
_ONLY: dict[str, tuple[str, ...]] = {
    **{"axes": ("U", "S"), "starts": ("U", "S", "C"), "bar": ("Pa",), "spread": ("Pa",), "second": ("Pa",)},
    **{"closing": ("Pa",), "lead": ("H", "C"), "coordinate": ("H",), "mimic": ("R", "P")},
    **dict.fromkeys(("actuated", *(key for key in DRIVE if key != "viscous")), ("R", "P", "H", "C")),
}
"""Keys that only joints of some types may have."""
_ENTRIES = {"U": 2, "S": 3, "C": 2}
"""Number of axes and of starts of a joint."""


def joint_faults(joint: Mapping[str, Any]) -> Iterator[Fault]:
    """Faults of the keys of one joint."""
    kind, driven = joint["type"], joint.get("actuated", False)
    for key, kinds in _ONLY.items():
        if key in joint and kind not in kinds:
            hint = "write it as R and P" if "R" in kinds else ""
            yield Fault((key,), f"is only for joints of type {alternatives(kinds)}, not {kind}", hint=hint)
        elif key in joint and kind == "C" and not driven and key not in ("starts", "actuated"):
            hint = "a passive screw is an H" if key == "lead" else "write it as R and P"
            yield Fault((key,), "is only for a C with actuated = true", joint[key], hint)
    for key in _NEEDS.get(kind, ()):
        if key not in joint:
            yield Fault((key,), f"is missing: a joint of type {kind} needs it")
    if kind == "C" and driven and "lead" not in joint:
        allowed = "is missing: the actuator of a C drives slide + lead turn / 2 pi"
        yield Fault(("lead",), allowed, hint="or write it as P and R, one of them actuated")
    elif kind in ("H", "C") and joint.get("lead") == 0.0:
        yield Fault(("lead",), "must not be 0", 0.0, "write it as P and R")
    for key in ("axes", "starts"):
        if key in joint and len(joint[key]) != _ENTRIES.get(kind, len(joint[key])):
            yield Fault((key,), f"must have {_ENTRIES[kind]} entries", joint[key], f"{len(joint[key])} given")
    for key in ("coulomb", "rotor_inertia"):
        if joint.get(key, 0.0) > 0.0 and not driven:
            hint = "viscous friction is for any joint" if key == "coulomb" else ""
            yield Fault((key,), "is for actuated joints only", joint[key], hint)
    if driven and "mimic" in joint:
        yield Fault(("actuated",), "a joint that mimics another cannot be actuated", True, "drive the other one")


def chain_faults(leg: Mapping[str, Any], moves: Sequence[str]) -> Iterator[Fault]:
    """Faults of the keys of a leg, of the names of its joints and of what refers to them.

    Args:
        leg: Its table.
        moves: How each of its joints moves, "R" or "P".
    """
    for key in leg:
        if key not in (*JOINTED, "base", "platform"):
            yield Fault((key,), "is not used by a leg with joints", hint=f"it may have: {', '.join(JOINTED)}")
    joints, known = leg["joint"], dict[str, int]()
    if not joints:
        yield Fault(("joint",), "must have at least one joint")
    for k, joint in enumerate(joints):
        path, name = ("joint", k), joint.get("name", f"joint{k + 1}")
        if name in known or name == GROUND:
            hint = "base stands for leg frame 0" if name == GROUND else ""
            yield Fault((*path, "name"), "must be unique in its leg", name, hint)
        yield from _reference(joint, "parent", [GROUND, *known], path)
        if "mimic" in joint:
            own, followed = joint["mimic"], [n for n, i in known.items() if "mimic" not in joints[i]]
            yield from _reference(own, "joint", followed, (*path, "mimic"))
            leader = known.get(own["joint"], k)
            group = {"group": own["joint"], **joints[leader]}["group"]
            if moves[leader] != moves[k] and joint.get("group", "") != group:
                allowed = f"must be a joint of the same type, {moves[k]}"
                yield Fault((*path, "mimic", "joint"), allowed, own["joint"], "a screw is a joint of type H")
        known.setdefault(name, k)
    if "end" not in leg:
        yield Fault(("end",), "is missing", hint='e.g. [leg.end] with type = "spherical"')
        return
    yield from _reference(leg["end"], "joint", list(known), ("end",), "of its leg")
    last = leg["end"].get("joint", next(reversed(known), ""))
    if last not in known or len(known) < len(joints):
        return
    chain, name = set[str](), last
    while name in known and name not in chain:
        chain.add(name)
        name = joints[known[name]].get("parent", [GROUND, *known][known[name]])
    for name, k in known.items():
        if name not in chain and "mimic" not in joints[k]:
            allowed = f"is not on the way to the platform, which ends at {last}, and free to move"
            hint = "state which joint it follows as mimic, or end the leg there"
            yield Fault(("joint", k), allowed, hint=hint)


def _reference(
    table: Mapping[str, Any], key: str, known: Sequence[str], path: Path, which: str = "before it"
) -> Iterator[Fault]:
    if key in table and table[key] not in known:
        hint = did_you_mean(table[key], known) if known else ""
        yield Fault((*path, key), f"must be the name of a joint {which}", table[key], hint)
