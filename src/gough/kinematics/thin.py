"""Bodies that only the direction of their leg moves.

A body without axial inertia, equal transverse moments and its centre of mass on the rod's axis behaves the same however
the leg spins about itself. Legs of such bodies are treated as legs that do not spin, which halves their operations,
unless an effort in one of the joints that turn the rod (friction, a motor) asks how these joints move.
"""

from __future__ import annotations

import numpy as np

from gough.kinematics.leg import Rod
from gough.kinematics.spatial import is_value
from gough.robot import Body, Leg

_ROUND_OFF = 4e-16


def is_thin(leg: Leg, rod: Rod) -> bool:
    """Whether nothing tells how the leg spins: bodies thin along the rod, a point mass at the joint, or before the rod;
    no friction and no motor but that of the slide in the leg or of what carries it.
    """
    drive = rod.slide if rod.carrier < 0 else rod.carrier
    for k, joint in enumerate(leg.joints):
        body = joint.body
        if joint.actuated != (k == drive) or not (joint.actuated or is_value(joint.viscous, 0.0)):
            return False
        if k <= rod.carrier:
            continue
        if not all(isinstance(value, float) for value in (body.mass, *body.com, *body.inertia)):
            return False
        if k in rod.u:
            if not all(isinstance(value, float) for value in rod.u[k]) or not _thin_along(body, rod.u[k]):
                return False
        elif any(body.com) or any(body.inertia):
            return False
    return True


def _thin_along(body: Body, u: np.ndarray) -> bool:
    """Whether a body is a thin rod along the unit vector u, to round-off."""
    xx, yy, zz, xy, xz, yz = body.inertia
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    transverse = np.trace(inertia) / 2.0
    off_axis = np.cross(body.com, u)
    uneven = inertia - transverse * (np.eye(3) - np.outer(u, u))
    return bool(
        np.abs(off_axis).max() <= _ROUND_OFF * np.linalg.norm(body.com)
        and np.abs(uneven).max() <= _ROUND_OFF * abs(transverse)
    )
