"""Legs in their short form where one fits exactly: the same axes at home, the same bodies, the same coordinates.

A leg is decided by the lines of its joints at home, what each body is there, and where it ends. A short form is tried
by expanding it: if all its lines are those of the leg, the bodies are stated in its frames.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.formats.placement import Floats, Placement, moved, placed
from gough.formats.reading.link_body import in_frame
from gough.graph import Vector
from gough.robot import SHORT_FORMS, Joint, Leg, Robot
from gough.robot.file.write import body_table, drive_table, spec_text
from gough.robot.rotation import pose

_SAME = 1e-12


@dataclass(frozen=True, eq=False)
class _Home:
    """A leg at home, in B: line of each joint (point, direction), frame of each body, and the end's point."""

    points: list[Floats]
    axes: list[Floats]
    bodies: list[Placement]
    end: Floats


def short_text(robot: Robot) -> str:
    """Text of a robot's file with its legs in short form where one fits, else joint by joint."""
    whole = robot.platform.whole()
    p_BP, R_BP = pose(whole, whole.home)
    legs = [
        (None if leg.cable is not None else _short(leg, p_BP, R_BP)) or own
        for leg, own in zip(robot.legs, robot.explicit().spec["leg"], strict=True)
    ]
    return spec_text({**robot.spec, "leg": legs})


def _short(leg: Leg, p_BP: Vector, R_BP: Vector) -> dict[str, Any] | None:
    """The table of a leg in a short form, or None."""
    kinds = "".join(joint.kind for joint in leg.joints)
    if leg.end.kind != "spherical" or len(kinds) != 3 or any(j.mimic or j.start is None for j in leg.joints):
        return None
    driven = [joint for joint in leg.joints if joint.actuated]
    if len(driven) != 1 or any(_has_more(joint) for joint in leg.joints if not joint.actuated):
        return None
    home = _home(leg)
    size = max(1e-3, *(float(np.linalg.norm(home.end - p)) for p in home.points))
    for entry in _candidates(kinds, leg, home):
        form = SHORT_FORMS[str(entry["type"])]
        try:
            made = form.leg(entry, p_BP, R_BP)
        except (ArithmeticError, ValueError):
            continue
        other = _home(made)
        if _same(leg, home, made, other, size):
            return _stated(entry, form.bodies, leg, home, made, other)
    return None


def _has_more(joint: Joint) -> bool:
    """Whether a passive joint has what a short form has no place for."""
    limits = joint.limits
    return bool(joint.viscous or joint.spring or limits.stroke or limits.speed or limits.force or limits.power)


def _candidates(kinds: str, leg: Leg, home: _Home) -> Iterator[dict[str, Any]]:
    """Tables of short forms with these joints; their bodies are left out but for lengths.

    Axes of a universal joint are stated where they are not those that the short form has by itself. A spherical joint
    has none.
    """
    spin = "S" if leg.free_spin else "U"
    for branch in (1, -1):
        common = {"name": leg.name, "platform": list(leg.end.platform_point), "branch": branch}
        own = _own(kinds, leg, home, spin)
        if own is not None:
            yield {**common, **own}
            if not leg.free_spin:
                yield {**common, **own, "axes": _axes(home, 0 if kinds == "RRP" else 1)}


def _own(kinds: str, leg: Leg, home: _Home, spin: str) -> dict[str, Any] | None:
    """The keys of a short form with these joints, or None without one."""
    if kinds == "RRP":
        return {"type": f"{spin}PS", "base": _list(home.points[0])}
    if kinds == "PRR":
        direction = home.axes[0]
        base = home.points[1] - (leg.joints[0].start or 0.0) * direction
        rod = {"length": float(np.linalg.norm(home.end - home.points[1]))}
        guide = {"direction": _list(direction)}
        return {"type": f"P{spin}S", "base": _list(base), "guide": guide, "rod": rod}
    if kinds == "RRR":
        elbow, axis = home.points[1], home.axes[0]
        base = home.points[0] + axis * float(axis @ (elbow - home.points[0]))
        arm = elbow - base
        length = float(np.linalg.norm(arm))
        if length == 0.0:
            return None
        reference = moved("R", axis, -(leg.joints[0].start or 0.0)).rotation @ (arm / length)
        rod = {"length": float(np.linalg.norm(home.end - elbow))}
        motor = {"axis": _list(axis), "reference": _list(reference)}
        own = {"base": _list(base), "motor": motor, "crank": {"length": length}, "rod": rod}
        return {"type": f"R{spin}S", **own}
    return None


def _axes(home: _Home, k: int) -> list[list[float]]:
    return [_list(home.axes[k]), _list(home.axes[k + 1])]


def _home(leg: Leg) -> _Home:
    frames: list[Placement] = []
    points, axes = [], []
    foot = placed(leg.position, leg.rotation)
    for joint in leg.joints:
        at = (foot if joint.parent < 0 else frames[joint.parent]) @ placed(joint.offset, joint.rotation)
        points.append(at.position)
        axes.append(at.rotation @ np.array(joint.axis, dtype=float))
        frames.append(at @ moved(joint.kind, joint.axis, joint.start or 0.0))
    return _Home(points, axes, frames, frames[leg.end.joint].point(leg.end.point))


def _same(leg: Leg, home: _Home, made: Leg, other: _Home, size: float) -> bool:
    """Whether two legs have the same lines, kinds and ends at home; of a spherical joint its centre is all."""
    if [j.kind for j in leg.joints] != [j.kind for j in made.joints] or made.end.kind != leg.end.kind:
        return False
    for k in range(len(leg.joints)):
        if leg.joints[k].actuated != made.joints[k].actuated:
            return False
        turns = leg.joints[k].kind == "R"
        if leg.free_spin and turns and not leg.joints[k].actuated:
            if np.abs(other.points[k] - home.points[k]).max() > _SAME * size:
                return False
            continue
        off = np.cross(home.axes[k], other.points[k] - home.points[k]) if turns else np.zeros(3)
        if np.abs(home.axes[k] - other.axes[k]).max() > _SAME or np.abs(off).max() > _SAME * size:
            return False
    apart = np.abs(home.end - other.end).max()
    numbers = [*other.end, *(v for point in other.points for v in point)]
    return bool(apart <= _SAME * size and np.isfinite(numbers).all())


def _stated(
    entry: dict[str, Any], keys: tuple[str | None, ...], leg: Leg, home: _Home, made: Leg, other: _Home
) -> dict[str, Any] | None:
    """The table with the bodies in the short form's frames, and its actuator."""
    found = dict(entry)
    for k, (joint, key) in enumerate(zip(leg.joints, keys, strict=True)):
        if joint.body.is_massless:
            continue
        if key is None or (key == "cross" and leg.free_spin):
            return None
        F = home.bodies[k].inverse() @ other.bodies[k]
        table = body_table(in_frame(joint.body, F))
        found[key] = {**table, **({} if key not in found else {"length": found[key]["length"]})}
    k = next(n for n, joint in enumerate(leg.joints) if joint.actuated)
    old, new = leg.joints[k], made.joints[k]
    drive = drive_table(old)
    zero = (new.start or 0.0) - (old.start or 0.0) + old.zero
    drive["zero"] = 0.0 if abs(zero) <= _SAME * max(1.0, abs(new.start or 0.0)) else zero
    order = ("name", "type", "branch", "base", "platform")
    rest = {key: value for key, value in found.items() if key not in order}
    return {key: found[key] for key in order} | rest | {"actuator": drive}


def _list(v: Floats) -> list[float]:
    return [float(entry) + 0.0 for entry in v]
