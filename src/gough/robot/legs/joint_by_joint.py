"""Legs written joint by joint: R and P as they are, U, S, C and Pa into their elementary joints.

U is two R, S three R about x, y, z, C an R and a P along one axis; all but the last carry no body. Pa is a
parallelogram: two parallel bars swinging about `axis`, `bar` long, at +-`spread` from the middle, and a closing bar
that stays parallel to what carries them. After a Pa, the next joint's offset is counted from the middle of the closing
bar.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from gough.graph.triples import add, apply, scale, subtract, vector
from gough.robot.inertia import body
from gough.robot.leg_values import IDENTITY, ZERO, Body, End, Joint, Leg, Mimic, Vector
from gough.robot.legs.building_blocks import X, Y, Z, joint_spring, limits
from gough.robot.rotation import rotation

GROUND = "base"

JOINTED = ("name", "branch", "radius", "position", "rotation", "free_spin", "joint", "end")
"""Keys of a leg with joints."""

_TURNS: tuple[Literal["R", "P"], ...] = ("R", "R", "R")
_CYLINDER: tuple[Literal["R", "P"], ...] = ("R", "P")


@dataclass(slots=True)
class _Chain:
    """Joints so far, the index each name of the file stands for, and where the next offset counts from."""

    joints: list[Joint] = field(default_factory=list)
    last: dict[str, int] = field(default_factory=lambda: {GROUND: -1})
    first: dict[str, int] = field(default_factory=dict)
    shift: dict[int, Vector] = field(default_factory=dict)
    tip: int = -1


def jointed_leg(entry: Mapping[str, Any]) -> Leg:
    """Leg of a table with `joint` tables and an `end`."""
    chain = _Chain()
    for k, stated in enumerate(entry["joint"]):
        _append(chain, stated, stated.get("name", f"joint{k + 1}"))
    stated_end = entry["end"]
    tip = chain.last[stated_end["joint"]] if "joint" in stated_end else chain.tip
    end = End(
        kind=stated_end["type"],
        joint=tip,
        point=add(vector(stated_end.get("point", ZERO)), chain.shift.get(tip, ZERO)),
        rotation=rotation(stated_end.get("rotation")),
        platform_point=vector(stated_end.get("platform_point", ZERO)),
        platform_rotation=rotation(stated_end.get("platform_rotation")),
        cone=stated_end.get("cone"),
    )
    return Leg(
        name=entry["name"],
        joints=tuple(chain.joints),
        end=end,
        position=vector(entry.get("position", ZERO)),
        rotation=rotation(entry.get("rotation")),
        branch=entry.get("branch"),
        free_spin=entry.get("free_spin", False),
        radius=entry.get("radius"),
    )


def _append(chain: _Chain, stated: Mapping[str, Any], name: str) -> None:
    """Add the elementary joints of one stated joint to the chain."""
    kind = stated["type"]
    parent = chain.last[stated["parent"]] if "parent" in stated else chain.tip
    offset = vector(stated.get("offset", ZERO))
    if parent in chain.shift:
        offset = add(offset, chain.shift[parent])
    moved = body(stated.get("body"), name if "body" in stated else "")
    first = len(chain.joints)
    base = Joint(
        name=name,
        kind="R",
        axis=vector(stated.get("axis", Z)),
        offset=offset,
        rotation=rotation(stated.get("rotation")),
        parent=parent,
        cone=stated.get("cone"),
        viscous=stated.get("viscous", 0.0),
        group=stated.get("group", "" if kind in ("R", "P") else name),
    )
    if kind in ("R", "P"):
        made = [replace(base, kind=kind, body=moved, **_own(chain, stated))]
    elif kind == "Pa":
        made = _parallelogram(stated, base, first, moved)
        chain.shift[first + 1] = scale(-1.0, vector(stated.get("spread", ZERO)))
    else:
        made = _compound(kind, stated, base, first, moved)
    chain.joints.extend(made)
    chain.tip = first + 1 if kind == "Pa" else first + len(made) - 1
    chain.first[name], chain.last[name] = first, chain.tip


def _own(chain: _Chain, stated: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments that only an elementary joint can have."""
    mimic = stated.get("mimic")
    return {
        "mimic": mimic and Mimic(chain.first[mimic["joint"]], mimic.get("ratio", 1.0), mimic.get("offset", 0.0)),
        "actuated": stated.get("actuated", False),
        "limits": limits(stated),
        "spring": joint_spring(stated),
        **{key: stated[key] for key in ("zero", "start", "coulomb", "rotor_inertia", "gear") if key in stated},
    }


def _compound(kind: str, stated: Mapping[str, Any], base: Joint, first: int, moved: Body) -> list[Joint]:
    if kind == "C":
        axes, kinds = [base.axis, base.axis], _CYLINDER
    else:
        axes = [vector(a) for a in stated.get("axes", (Y, Z) if kind == "U" else (X, Y, Z))]
        kinds = _TURNS[: len(axes)]
    start = stated.get("starts", [None] * len(kinds))
    made = []
    for k, (axis, letter) in enumerate(zip(axes, kinds, strict=True)):
        joint = replace(base, name=f"{base.name}{k + 1}", kind=letter, axis=axis, start=start[k])
        made.append(joint if k == 0 else replace(joint, offset=ZERO, rotation=IDENTITY, parent=first + k - 1))
    made[-1] = replace(made[-1], body=moved)
    return made


def _parallelogram(stated: Mapping[str, Any], base: Joint, first: int, moved: Body) -> list[Joint]:
    spread, bar = vector(stated.get("spread", ZERO)), vector(stated["bar"])
    back = scale(-1.0, spread)
    aside = apply(base.rotation, spread)
    start = stated.get("start")
    other = body(stated["second"], moved.name) if "second" in stated else moved
    middle = body(stated.get("closing"), "closing")
    return [
        replace(base, name=f"{base.name}1", offset=add(base.offset, aside), start=start, body=moved),
        Joint(
            f"{base.name}2",
            "R",
            base.axis,
            bar,
            parent=first,
            mimic=Mimic(first, -1.0),
            start=None if start is None else -start,
            body=replace(middle, com=add(middle.com, back)),
            group=base.group,
        ),
        replace(
            base,
            name=f"{base.name}3",
            offset=subtract(base.offset, aside),
            mimic=Mimic(first, 1.0),
            start=start,
            body=other,
        ),
    ]
