"""The builder of all legs: from a table of joints, as a file has it or as a leg type writes it, to a `Leg`.

R and P are built as they are; U, S, C, H and Pa are written as R and P first, and the last of them has the body. U is
two R, S three R about x, y, z, C an R and a P along one axis. H is a screw: an R and a P along one axis, of which one
follows the other by the lead, slide = lead turn / 2 pi. A driven C has a spindle whose nut turns with what the joint
moves, so that its actuator reads and drives slide + lead turn / 2 pi. With that reading q as a coordinate of its own,
it is a P by q, an R, and a P that follows the R by -lead / 2 pi. Pa is a parallelogram: two parallel bars swinging
about `axis`, `bar` long, at +-`spread` from the middle, and a closing bar that stays parallel to what carries them.
After a Pa, the next joint's offset is counted from the middle of the closing bar.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from gough.graph import divide
from gough.graph.triples import add, apply, scale, subtract, vector
from gough.robot.inertia import body, moved_body
from gough.robot.leg_values import ZERO, Cable, End, Joint, JointSpring, Leg, Limits, Mimic, Vector
from gough.robot.legs.blocks import X, Y, Z
from gough.robot.legs.rings import Values
from gough.robot.rotation import rotation

GROUND = "base"

JOINTED = ("name", "branch", "radius", "position", "rotation", "free_spin", "joint", "end")
"""Keys of a leg with joints."""

_NUMBERS = ("zero", "viscous", "coulomb", "rotor_inertia", "gear")


def build_leg(table: Mapping[str, Any]) -> Leg:
    """The leg of a table with `joint` tables and an `end`; that of a cable has the attributes of a `Cable` as well."""
    joints: list[Joint] = []
    first: dict[str, int] = {}
    last, shift, tip = {GROUND: -1}, dict[int, Vector](), -1
    for k, stated in enumerate(table["joint"]):
        name, at = stated.get("name", f"joint{k + 1}"), len(joints)
        parent = last[stated["parent"]] if "parent" in stated else tip
        own = {**stated, "name": name, "parent": parent, "offset": _point(stated.get("offset"), shift.get(parent))}
        if "body" in stated:
            own["body"] = {"name": name, **stated["body"]}
        if "mimic" in stated:
            own["mimic"] = {**stated["mimic"], "joint": first[stated["mimic"]["joint"]]}
        made = elementary(own, at)
        joints += map(_joint, made)
        tip = at + 1 if stated["type"] == "Pa" else at + len(made) - 1
        if stated["type"] == "Pa":
            shift[tip] = scale(-1.0, vector(stated.get("spread", ZERO)))
        first[name], last[name] = at, tip
    end = table["end"]
    tip = last[end["joint"]] if "joint" in end else tip
    return Leg(
        name=table["name"],
        joints=tuple(joints),
        end=End(
            kind=end["type"],
            joint=tip,
            point=_point(end.get("point"), shift.get(tip)),
            rotation=rotation(end.get("rotation")),
            platform_point=_point(end.get("platform_point")),
            platform_rotation=rotation(end.get("platform_rotation")),
            cone=end.get("cone"),
            bolt=end.get("bolt") and vector(end["bolt"]),
        ),
        position=_point(table.get("position")),
        rotation=rotation(table.get("rotation")),
        branch=table.get("branch"),
        free_spin=table.get("free_spin", False),
        radius=table.get("radius"),
        cable=Cable(**table["cable"]) if "cable" in table else None,
    )


def elementary(table: Values, first: int = 0) -> list[Values]:
    """Tables of the joints R and P that a joint stands for.

    Args:
        table: Of the joint; `parent` and the joint it follows are numbers.
        first: Number of the first of them.
    """
    kind = table["type"]
    if kind in ("R", "P"):
        return [table]
    table = {"group": table.get("name"), **table}
    if kind == "Pa":
        return _parallelogram(table, first)
    if kind == "H":
        return _screw(table, first)
    return _spindle(table, first) if table.get("actuated", False) else _one_by_one(table, first)


def _point(stated: Iterable[Any] | None, shift: Vector | None = None) -> Vector:
    point = ZERO if stated is None else vector(stated)
    return point if shift is None else add(point, shift)


def _joint(table: Values) -> Joint:
    mimic, spring, bolt, stroke = (table.get(key) for key in ("mimic", "spring", "bolt", "stroke"))
    return Joint(
        name=table["name"],
        kind=table["type"],
        axis=vector(table.get("axis", Z)),
        offset=_point(table.get("offset")),
        rotation=rotation(table.get("rotation")),
        parent=table["parent"],
        mimic=mimic and Mimic(**mimic),
        actuated=table.get("actuated", False),
        start=table.get("start"),
        cone=table.get("cone"),
        limits=Limits(stroke and (stroke[0], stroke[1]), table.get("speed"), table.get("force"), table.get("power")),
        body=body(table.get("body"), ""),
        group=table.get("group", ""),
        spring=spring and JointSpring(**spring),
        bolt=bolt and vector(bolt),
        **{key: table[key] for key in _NUMBERS if key in table},
    )


def _part(table: Values, number: int, kind: str, parent: int | None = None, **own: Any) -> Values:
    """One of the joints that a joint stands for: in its place with all its keys, or right behind another of them."""
    kept = table if parent is None else {"axis": table.get("axis", Z), "group": table["group"], "parent": parent}
    return {**kept, "name": f"{table.get('name')}{number}", "type": kind, "body": None, **own}


def _one_by_one(table: Values, first: int) -> list[Values]:
    kind = table["type"]
    axes = [table["axis"]] * 2 if kind == "C" else table.get("axes", (Y, Z) if kind == "U" else (X, Y, Z))
    kinds, starts = "RP" if kind == "C" else "RRR"[: len(axes)], table.get("starts", [None] * len(axes))
    each = {key: table[key] for key in ("cone", "bolt", "viscous") if key in table}
    made = []
    for k, (letter, axis, start) in enumerate(zip(kinds, axes, starts, strict=True)):
        made.append(_part(table, k + 1, letter, first + k - 1 if k else None, axis=axis, start=start, **each))
    made[-1]["body"] = table.get("body")
    return made


def _screw(table: Values, first: int) -> list[Values]:
    """The joint whose coordinate it is, with all that is stated of it, and the one that follows."""
    per_turn = table["lead"] * (0.5 / math.pi)
    slides = table.get("coordinate", "turn") == "slide"
    leader, other = "PR" if slides else "RP"
    ratio = divide(1.0, per_turn) if slides else per_turn
    return [
        _part(table, 1, leader),
        _part(table, 2, other, first, mimic={"joint": first, "ratio": ratio}, body=table.get("body")),
    ]


def _spindle(table: Values, first: int) -> list[Values]:
    """A driven C: the reading of its actuator, the turn, and what the turn takes back of the slide."""
    per_turn = table["lead"] * (0.5 / math.pi)
    turn, slide = table.get("starts", (None, None))
    reading = None if turn is None else slide + per_turn * turn
    return [
        _part(table, 1, "P", start=reading),
        _part(table, 2, "R", first, start=turn),
        _part(table, 3, "P", first + 1, mimic={"joint": first + 1, "ratio": -per_turn}, body=table.get("body")),
    ]


def _parallelogram(table: Values, first: int) -> list[Values]:
    spread, offset = vector(table.get("spread", ZERO)), _point(table.get("offset"))
    aside = apply(rotation(table.get("rotation")), spread)
    start, bar = table.get("start"), table.get("body")
    back = None if start is None else -start
    closing = moved_body(table.get("closing"), "closing", scale(-1.0, spread))
    second = {"name": (bar or {}).get("name", ""), **table["second"]} if "second" in table else bar
    same, opposite = {"joint": first, "ratio": 1.0}, {"joint": first, "ratio": -1.0}
    return [
        _part(table, 1, "R", offset=add(offset, aside), start=start, body=bar),
        _part(table, 2, "R", first, offset=table["bar"], mimic=opposite, start=back, body=closing),
        _part(table, 3, "R", offset=subtract(offset, aside), mimic=same, start=start, body=second),
    ]
