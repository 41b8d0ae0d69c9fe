"""Newton and Euler for a leg joint by joint, in the frames of its links.

A point r of a link accelerates with a + U r, where U = wd~ + w~ w~ and a is the acceleration of the link's origin, less
gravity. A link of mass m, first moment h and second moments E takes the force m a + U h and, about its origin, the
moment h x a + the axial vector of U E - E U^T.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.dynamics.lumped_masses import LinkMass
from gough.dynamics.moving_base import BaseRates
from gough.graph import array, cross, dot
from gough.kinematics.leg import LegPose
from gough.kinematics.link_frames import LinkFrames, gradient


def bare_efforts(
    leg: LegPose,
    masses: list[LinkMass],
    rates: list[Any],
    second: list[Any],
    gravity: Any,
    base: BaseRates | None = None,
) -> list[Any]:
    """Efforts in all joints of the leg cut from the platform, for its joints' rates and accelerations."""
    frames, joints = LinkFrames(leg.leg, leg.coordinates), leg.leg.joints
    if base is None:
        moves = frames.motions(rates, second, -(array(leg.leg.rotation).T @ array(gravity)))
    else:
        into, none = array(leg.leg.rotation).T, np.zeros(3)
        a0 = base.acceleration(array(leg.leg.position), none, none) - gravity
        moves = frames.motions(rates, second, into @ a0, into @ base.w, into @ base.wd)
    force: list[Any] = [np.zeros(3) for _ in joints]
    moment: list[Any] = [np.zeros(3) for _ in joints]
    efforts: list[Any] = []
    for k in reversed(range(len(joints))):
        f, m = _load(masses[k], moves.w[k], moves.wd[k], moves.a[k])
        force[k], moment[k] = force[k] + f, moment[k] + m
        joint = joints[k]
        efforts.append(dot(array(joint.axis), force[k] if joint.kind == "P" else moment[k]))
        if joint.parent >= 0:
            f = frames.outward(k, force[k])
            force[joint.parent] = force[joint.parent] + f
            m = frames.outward(k, moment[k]) + cross(frames.offset(k), f)
            moment[joint.parent] = moment[joint.parent] + m
    return efforts[::-1]


def _load(link: LinkMass, w: Any, wd: Any, a: Any) -> tuple[Any, Any]:
    """Force and moment about the origin that a link takes, in its frame."""
    U = gradient(w, wd)
    UE = U @ link.E
    turning = array([UE[2, 1] - UE[1, 2], UE[0, 2] - UE[2, 0], UE[1, 0] - UE[0, 1]])
    return a * link.m + U @ link.h, cross(link.h, a) + turning
