"""Newton's and Euler's laws for one body: the force and moment its motion takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.dynamics.springs import Pull
from gough.graph import Scalar, Vector, array, cross, is_value, is_zero
from gough.kinematics.chain import Twist, TwistRate
from gough.kinematics.leg import LegPose
from gough.kinematics.spatial import point_acceleration
from gough.robot import Body
from gough.robot.inertia import steiner


@dataclass(frozen=True, slots=True)
class Load:
    """What must act on a body besides gravity: a force at `point` and a moment, all in B.

    Attributes:
        f: (3,) m (a - g) [N].
        m: (3,) rate of angular momentum about the centre of mass [N m].
        point: (3,) centre of mass [m].
    """

    f: Vector
    m: Vector
    point: Vector


def eased_load(load: Load | None, pull: Pull) -> Load:
    """A body's load less what a spring gives it; None is no load."""
    if load is None:
        return Load(-pull.f, np.zeros(3), pull.point)
    return Load(load.f - pull.f, load.m - cross(pull.point - load.point, pull.f), load.point)


def with_point_masses(body: Body, lumps: list[tuple[Any, Any]]) -> Body:
    """A body with point masses fixed to it: (mass, (3,) place in the body's frame) each."""
    lumps = [(mass, place) for mass, place in lumps if not is_value(mass, 0.0)]
    if not lumps:
        return body
    parts = [(body.mass, array(body.com)), *lumps]
    total = sum(mass for mass, _ in parts)
    com = sum(place * mass for mass, place in parts) / total
    inertia: Any = array(body.inertia)
    for mass, place in parts:
        inertia = inertia + array(steiner(mass, place - com))
    reach = max((abs(v) for _, place in parts for v in place if isinstance(v, float)), default=0.0)
    xx, yy, zz, *products = inertia
    xy, xz, yz = (_snapped(value, xx + yy + zz) for value in products)
    x, y, z = (_snapped(value, reach) for value in com)
    return Body(body.name, total, (x, y, z), (xx, yy, zz, xy, xz, yz))


def _snapped(value: Scalar, scale: Scalar) -> Scalar:
    """Zero for a plain value that is round-off against the scale, so that what vanishes by symmetry costs nothing."""
    plain = isinstance(value, float) and isinstance(scale, float)
    return 0.0 if plain and abs(value) <= 1e-15 * scale else value


def free_load(body: Body, R: Vector, p: Vector, twist: Twist, rate: TwistRate, gravity: Vector) -> Load:
    """Load of a body whose frame is at p, R in B and moves with the twist and twist rate of its origin."""
    arm = R @ array(body.com)
    a = point_acceleration(rate.a, rate.wd, twist.w, arm) if not is_zero(body.com) else rate.a
    moment: Any = np.zeros(3)
    if body.has_inertia:
        inertia = body.tensor
        w, wd = R.T @ twist.w, R.T @ rate.wd
        moment = R @ (inertia @ wd + cross(w, inertia @ w))
    return Load((a - gravity) * body.mass, moment, p + arm)


def link_load(leg: LegPose, k: int, twist: Twist, rate: TwistRate, gravity: Vector) -> Load:
    """Load of body k of a leg."""
    return free_load(leg.leg.joints[k].body, leg.links[k].R, leg.links[k].p, twist, rate, gravity)
