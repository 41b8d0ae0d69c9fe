"""Which closed form fits a leg, told from its plain numbers.

Only the chain from the base to the platform counts: what hangs beside it has no say in where the leg's end is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gough.kinematics.closure.shape import unmoved
from gough.robot import Leg

_CLOSE = 1e-9
"""Relative slack of lengths and right angles: files give ten digits or so."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A closed form and the roles of the joints in it.

    Attributes:
        name: "ups", "swing", "rod", "sru", "cable" or "newton".
        turning: Joints that turn the rod, counted along the chain.
        distal: Independent joints behind the rod, likewise.
        signs: Of an SRU leg for each joint whether its axis points as `shape.SruShape` has it, 1, or against it, -1.
    """

    name: str
    turning: tuple[int, ...] = ()
    distal: tuple[int, ...] = ()
    signs: tuple[int, ...] = ()


NEWTON = Pattern("newton")
CABLE = Pattern("cable")


def postures(pattern: Pattern) -> int:
    """How many postures a closed form has with the same sign of its root: branches 1 to that, and negative.

    A universal joint turned over leaves its rod where it is; a slide may push the other way. An SRU leg's knee axis may
    point either way, and its spherical joint has two sets of angles.
    """
    if pattern.name == "sru":
        return 4
    return len(pattern.turning)


def sign_and_posture(leg: Leg) -> tuple[int, int]:
    """Sign of the root and number of the posture, from 0, that a leg's branch stands for."""
    branch = leg.branch or 1
    return (1 if branch > 0 else -1), abs(branch) - 1


def main_chain(leg: Leg) -> list[int]:
    """Indices of the joints from the base to the platform."""
    chain, k = [], leg.end.joint
    while k >= 0:
        chain.append(k)
        k = leg.joints[k].parent
    return chain[::-1]


def without_sides(leg: Leg, chain: list[int]) -> Leg:
    """The leg of its main chain alone, its joints counted along it."""
    joints = []
    for k, index in enumerate(chain):
        joint = leg.joints[index]
        mimic = joint.mimic and replace(joint.mimic, joint=chain.index(joint.mimic.joint))
        joints.append(replace(joint, parent=k - 1, mimic=mimic))
    return replace(leg, joints=tuple(joints), end=replace(leg.end, joint=len(chain) - 1))


def pattern_of(leg: Leg) -> Pattern:
    """The closed form of a leg of plain numbers, or `NEWTON`."""
    if leg.cable is not None:
        return CABLE
    chain = main_chain(leg)
    sources = [index if (mimic := leg.joints[index].mimic) is None else mimic.joint for index in chain]
    free_sides = [joint for k, joint in enumerate(leg.joints) if k not in chain and joint.mimic is None]
    if free_sides or not set(sources) <= set(chain):
        return NEWTON
    return _pattern(leg if len(chain) == len(leg.joints) else without_sides(leg, chain))


def _pattern(leg: Leg) -> Pattern:
    kinds = "".join(joint.kind for joint in leg.joints)
    mimics = [k for k, joint in enumerate(leg.joints) if joint.mimic]
    if [joint.parent for joint in leg.joints] != list(range(-1, len(leg.joints) - 1)):
        return NEWTON
    if mimics:
        fits = kinds in ("PRRRR", "RRRRR") and mimics == [3]
        return _rod(leg, Pattern("rod", (1, 2), (4,))) if fits and leg.end.kind == "rigid" else NEWTON
    if leg.end.kind == "spherical":
        if kinds == "RRP":
            return Pattern("ups", (0, 1)) if _ups_fits(leg) else NEWTON
        if kinds == "RP":
            return Pattern("swing", (0,)) if _swing_fits(leg) else NEWTON
        if kinds in ("PR", "RR"):
            return _rod(leg, Pattern("rod", (1,))) if _in_a_plane(leg) else NEWTON
        return _rod(leg, Pattern("rod", (1, 2))) if kinds in ("PRR", "RRR") else NEWTON
    if kinds == "RRRRRR":
        return _sru(leg)
    if kinds in ("PRR", "RRR"):
        return _rod(leg, Pattern("rod", (1,), (2,)))
    return _rod(leg, Pattern("rod", (1,), (2, 3))) if kinds in ("PRRR", "RRRR") else NEWTON


def _across(*axes: Any) -> bool:
    """Whether unit vectors are perpendicular to each other."""
    return all(abs(np.dot(a, b)) <= _CLOSE for k, a in enumerate(axes) for b in axes[k + 1 :])


def _parallel(a: Any, b: Any) -> bool:
    return bool(np.linalg.norm(np.cross(a, b)) <= _CLOSE * np.linalg.norm(a) * np.linalg.norm(b))


def _same(p: Any, q: Any, scale: float) -> bool:
    return bool(np.linalg.norm(np.subtract(p, q)) <= _CLOSE * scale)


def _ups_fits(leg: Leg) -> bool:
    links = unmoved(leg)
    scale = 1.0 + float(np.linalg.norm(links.end - links.p[0]))
    off_line = np.cross(links.axes[2], links.end - links.p[0])
    return _same(links.p[1], links.p[0], scale) and _across(*links.axes) and _same(off_line, np.zeros(3), scale)


def _swing_fits(leg: Leg) -> bool:
    """Whether the slide of a leg R P is across the hinge and in line with the leg, and its end is in their plane."""
    links = unmoved(leg)
    along = links.end - links.p[0]
    scale = 1.0 + float(np.linalg.norm(along))
    e, d = links.axes
    return _across(e, d) and _same(along, np.dot(d, along) * d, scale)


def _in_a_plane(leg: Leg) -> bool:
    """Whether a leg P R or R R moves across the last one's axis, which is on the first one's plane."""
    first, last = unmoved(leg).axes
    return _across(first, last) if leg.joints[0].kind == "P" else _parallel(first, last)


def _rod(leg: Leg, pattern: Pattern) -> Pattern:
    """`pattern` if the rod's joints are where it needs them, else `NEWTON`."""
    links = unmoved(leg)
    rod = links.end - links.p[1]
    length = float(np.linalg.norm(rod))
    if length == 0.0 or (leg.joints[0].kind == "R" and _on_crank_axis(leg)):
        return NEWTON
    fits = _across(*[links.axes[k] for k in pattern.turning], rod / length)
    if len(pattern.turning) == 2:
        fits = fits and (_parallelogram_fits(leg) if pattern.distal else _same(links.p[2], links.p[1], length))
    for k in pattern.distal:
        fits = fits and _same(links.p[k], links.end, length)
    if len(pattern.distal) == 2:
        fits = fits and _across(*[links.axes[k] for k in pattern.distal])
    if pattern.distal:
        fits = fits and _parallel(links.axes[1], links.axes[pattern.distal[0]])
    return pattern if fits else NEWTON


def _on_crank_axis(leg: Leg) -> bool:
    offset = leg.joints[1].offset
    return not np.any(offset) or _parallel(leg.joints[0].axis, offset)


def _parallelogram_fits(leg: Leg) -> bool:
    """The closing bar stays parallel to the bar that carries the swing, and hangs from it symmetrically."""
    mimic = leg.joints[3].mimic
    links = unmoved(leg)
    opposite = mimic is not None and (mimic.joint, mimic.offset) == (2, 0.0)
    back = mimic is not None and _same(links.axes[3] * mimic.ratio, -links.axes[2], 1.0)
    spread = (links.p[2] - links.p[1]) + (links.p[4] - links.p[3])
    return opposite and back and _same(spread, np.zeros(3), 1.0)


def _sru(leg: Leg) -> Pattern:
    """The pattern of an SRU leg, whichever way its axes point, or `NEWTON`.

    With a the first axis and c along the leg, the others are +-(c x a), +-c, twice +-(c x a), and +-a.
    """
    links = unmoved(leg)
    p, scale = links.p, 1.0 + float(np.linalg.norm(links.end - links.p[0]))
    lower = float(np.linalg.norm(p[3] - p[0]))
    if lower == 0.0:
        return NEWTON
    a, c = links.axes[0], (p[3] - p[0]) / lower
    b = np.cross(c, a)
    upper = float(c @ (p[4] - p[3]))
    meet = all(_same(p[k], p[0], scale) for k in (1, 2)) and all(_same(q, p[4], scale) for q in (p[5], links.end))
    straight = upper > 0.0 and _same(p[4] - p[3], upper * c, scale)
    signs = tuple(1 if axis @ wanted > 0.0 else -1 for axis, wanted in zip(links.axes, (a, b, c, b, b, a), strict=True))
    pairs = zip(links.axes, (a, b, c, b, b, a), signs, strict=True)
    along = _across(a, c) and all(_same(axis, wanted * sign, 1.0) for axis, wanted, sign in pairs)
    return Pattern("sru", signs=signs) if meet and straight and along else NEWTON
