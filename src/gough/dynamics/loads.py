"""Newton's and Euler's laws for one body: the force and moment its motion takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.graph import array, cross
from gough.kinematics.chain import Twist, TwistRate
from gough.kinematics.leg import LegPose
from gough.kinematics.spatial import point_acceleration
from gough.robot import Body


@dataclass(frozen=True, slots=True)
class Load:
    """What must act on a body besides gravity: a force at `point` and a moment, all in B.

    Attributes:
        f: (3,) m (a - g) [N].
        m: (3,) rate of angular momentum about the centre of mass [N m].
        point: (3,) centre of mass [m].
    """

    f: Any
    m: Any
    point: Any


def inertia_matrix(body: Body) -> Any:
    """(3, 3) tensor about the centre of mass in the body's axes."""
    xx, yy, zz, xy, xz, yz = body.inertia
    return array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def has_inertia(body: Body) -> bool:
    """Whether its tensor is other than plain zero."""
    return not all(isinstance(v, float) and v == 0.0 for v in body.inertia)


def with_point_masses(body: Body, lumps: list[tuple[Any, Any]]) -> Body:
    """A body with point masses fixed to it: (mass, (3,) place in the body's frame) each."""
    lumps = [(mass, place) for mass, place in lumps if any_nonzero([mass])]
    if not lumps:
        return body
    parts = [(body.mass, array(body.com)), *lumps]
    total = sum(mass for mass, _ in parts)
    com = sum(place * mass for mass, place in parts) / total
    tensor = inertia_matrix(body)
    for mass, place in parts:
        r = place - com
        tensor = tensor + (np.eye(3) * (r @ r) - np.outer(r, r)) * mass
    reach = max((abs(v) for _, place in parts for v in place if isinstance(v, float)), default=0.0)
    xx, yy, zz, *products = (tensor[i] for i in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    xy, xz, yz = (_snapped(value, xx + yy + zz) for value in products)
    x, y, z = (_snapped(value, reach) for value in com)
    return Body(body.name, total, (x, y, z), (xx, yy, zz, xy, xz, yz))


def _snapped(value: Any, scale: Any) -> Any:
    """Zero for a plain value that is round-off against the scale, so that what vanishes by symmetry costs nothing."""
    plain = isinstance(value, float) and isinstance(scale, float)
    return 0.0 if plain and abs(value) <= 1e-15 * scale else value


def free_load(body: Body, R: Any, p: Any, twist: Twist, rate: TwistRate, gravity: Any) -> Load:
    """Load of a body whose frame is at p, R in B and moves with the twist and twist rate of its origin."""
    arm = R @ array(body.com)
    a = point_acceleration(rate.a, rate.wd, twist.w, arm) if any_nonzero(body.com) else rate.a
    moment: Any = np.zeros(3)
    if has_inertia(body):
        inertia = inertia_matrix(body)
        w, wd = R.T @ twist.w, R.T @ rate.wd
        moment = R @ (inertia @ wd + cross(w, inertia @ w))
    return Load((a - gravity) * body.mass, moment, p + arm)


def link_load(leg: LegPose, k: int, twist: Twist, rate: TwistRate, gravity: Any) -> Load:
    """Load of body k of a leg."""
    return free_load(leg.leg.joints[k].body, leg.links[k].R, leg.links[k].p, twist, rate, gravity)


def any_nonzero(values: Any) -> bool:
    """Whether any value is recorded or not zero."""
    return any(not (isinstance(v, float) and v == 0.0) for v in values)
