"""Threads of screws as solids: a helix along each spindle that turn and slide are coupled by."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gough.graph import Array
from gough.kinematics.leg import LegPose
from gough.kinematics.robot_pose import RobotPose
from gough.robot import Leg
from gough.view import theme
from gough.view.drawing.machine_parts import Sizes, follows_turn, mount, takes_back
from gough.view.drawing.solids import Solid, across
from gough.view.drawing.spring_solids import wire

_TURNS, _STEPS = 9, 5
"""Turns of a drawn thread, which is far coarser than the real one, and pieces of each."""


def screw_solids(pose: RobotPose, sizes: Sizes) -> Iterator[Solid]:
    """The threads of all legs."""
    for leg in pose.legs:
        for k, left_handed in threads(leg.leg):
            line = _helix(leg, k, sizes, left_handed)
            yield from wire(line, leg.leg.name, sizes, theme.JOINT)


def threads(leg: Leg) -> list[tuple[int, bool]]:
    """Slides that are on a spindle, and whether its thread is left-handed.

    A screw is a slide and a turn about one axis of which one follows the other; where the slide takes back what an
    actuator reads, the spindle is that of the actuator, just before.
    """
    found = []
    for k, joint in enumerate(leg.joints):
        source = -1 if joint.mimic is None else joint.mimic.joint
        if joint.mimic is None or source != joint.parent or leg.joints[source].kind == joint.kind:
            continue
        ratio = float(joint.mimic.ratio)
        if takes_back(leg, k):
            found.append((leg.joints[source].parent, ratio > 0.0))
        elif np.allclose(leg.joints[source].axis, joint.axis, rtol=0, atol=1e-9):
            found.append((k if joint.kind == "P" else source, ratio < 0.0))
    return found


def _helix(leg: LegPose, k: int, sizes: Sizes, left_handed: bool) -> Array:
    """(points, 3) about the line of slide k, from where it is held to its end; of a nut from what turns the spindle."""
    joint = leg.leg.joints[k]
    radius = sizes.bar(leg.leg)
    start, end = mount(leg, k), np.asarray(leg.links[k].p, dtype=float)
    e = np.asarray(leg.links[k].e, dtype=float)
    turn_of = joint.parent if follows_turn(leg.leg, k) else k
    before = leg.leg.joints[turn_of].parent
    if not joint.actuated and before >= 0:
        start = np.asarray(leg.links[before].p, dtype=float)
        radius, start = 1.5 * radius, end - e * float(e @ (end - start))
    a, b = across(e)
    s = np.linspace(0.0, 1.0, _TURNS * _STEPS + 1)[:, None]
    turn = 2 * np.pi * _TURNS * s * (-1.0 if left_handed else 1.0)
    return np.asarray(start + s * (end - start) + 1.05 * radius * (np.cos(turn) * a + np.sin(turn) * b))
