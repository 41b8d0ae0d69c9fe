"""Legs written joint by joint: R and P as they are, U, S, C, H and Pa into their elementary joints.

U is two R, S three R about x, y, z, C an R and a P along one axis; all but the last carry no body. H is a screw: an R
and a P along one axis, of which the one follows the other by the lead, slide = lead turn / 2 pi. A driven C has a
spindle whose nut turns with what the joint moves, so that its actuator reads and drives slide + lead turn / 2 pi. With
that reading q as a coordinate of its own, it is a P by q, an R, and a P that follows the R by -lead / 2 pi. Pa is a
parallelogram: two parallel bars swinging about `axis`, `bar` long, at +-`spread` from the middle, and a closing bar
that stays parallel to what carries them. After a Pa, the next joint's offset is counted from the middle of the closing
bar.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from gough.graph import Scalar, divide
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
        bolt=vector(stated_end["bolt"]) if "bolt" in stated_end else None,
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
        bolt=vector(stated["bolt"]) if "bolt" in stated else None,
        viscous=stated.get("viscous", 0.0),
        group=stated.get("group", "" if kind in ("R", "P") else name),
    )
    own = _own(chain, stated)
    if kind in ("R", "P"):
        made = [replace(base, kind=kind, body=moved, **own)]
    elif kind == "Pa":
        made = _parallelogram(stated, base, first, moved)
        chain.shift[first + 1] = scale(-1.0, vector(stated.get("spread", ZERO)))
    elif kind == "H":
        made = _screw(stated, replace(base, **own), first, moved)
    elif stated.get("actuated", False):
        made = spindle(base, own, stated["lead"], first, moved, stated.get("starts", (None, None)))
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


def _screw(stated: Mapping[str, Any], own: Joint, first: int, moved: Body) -> list[Joint]:
    """The joint whose coordinate it is, with all that is stated of it, and the one that follows."""
    per_turn = stated["lead"] * (0.5 / math.pi)
    slides = stated.get("coordinate", "turn") == "slide"
    kinds: tuple[Literal["R", "P"], ...] = ("P", "R") if slides else ("R", "P")
    ratio = divide(1.0, per_turn) if slides else per_turn
    follower = Joint(
        f"{own.name}2", kinds[1], own.axis, parent=first, mimic=Mimic(first, ratio), body=moved, group=own.group
    )
    return [replace(own, name=f"{own.name}1", kind=kinds[0]), follower]


def spindle(
    base: Joint, own: Mapping[str, Any], lead: Scalar, first: int, moved: Body, starts: Sequence[Any] = (None, None)
) -> list[Joint]:
    """A driven C: the reading of its actuator, the turn, and what the turn takes back of the slide.

    Args:
        base: Its place and axis.
        own: Arguments of the actuated joint.
        lead: [m].
        first: Index of the first of the joints.
        moved: Body.
        starts: Starts of turn and slide [rad, m], None where it is not stated.
    """
    per_turn = lead * (0.5 / math.pi)
    turn, slide = starts
    reading = None if turn is None else slide + per_turn * turn
    return [
        replace(base, name=f"{base.name}1", kind="P", start=reading, **own),
        Joint(f"{base.name}2", "R", base.axis, parent=first, start=turn, group=base.group),
        Joint(
            f"{base.name}3",
            "P",
            base.axis,
            parent=first + 1,
            mimic=Mimic(first + 1, -per_turn),
            body=moved,
            group=base.group,
        ),
    ]


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
