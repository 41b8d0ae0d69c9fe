"""Robots with all that dynamics can have: unequal bodies, centres of mass off axis, full tensors, friction, rotors."""

from dataclasses import replace

import numpy as np

from gough import Body
from tests.support.robots import with_values


def loaded(robot, seed):
    """Every body heavy and without symmetry; legs that spin freely stay even about their axis. Gravity is tilted."""
    rng = np.random.default_rng(seed)
    return _dressed(robot, rng, lambda body, leg: scaled(rng, body) if leg.free_spin else general(rng))


def rescaled(robot, seed):
    """Mass, centre and tensor of every leg body scaled at random, so that thin ones stay thin; the rest as `loaded`."""
    rng = np.random.default_rng(seed)
    return _dressed(robot, rng, lambda body, _leg: scaled(rng, body))


def rubbing(robot, seed):
    """Viscous friction in every passive joint too, but for legs that spin freely."""
    rng = np.random.default_rng(seed)

    def passive(joint):
        return joint if joint.actuated else replace(joint, viscous=float(rng.uniform(0.05, 0.2)))

    legs = tuple(leg if leg.free_spin else replace(leg, joints=tuple(map(passive, leg.joints))) for leg in robot.legs)
    return with_values(robot, legs=legs)


def scaled(rng, body):
    """The same shape of a body with other numbers."""
    mass, reach, moment = (float(v) for v in rng.uniform(0.5, 2.0, 3))
    com = tuple(reach * c for c in body.com)
    return replace(body, mass=mass * body.mass, com=com, inertia=tuple(moment * v for v in body.inertia))


def general(rng, name="", mass=0.5, size=0.1):
    """A body without symmetry: point masses about its centre."""
    com = tuple(float(v) for v in size * rng.normal(size=3))
    points = size * rng.normal(size=(4, 3))
    x, y, z = points.T
    inertia = 0.25 * mass * np.array([y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z]).sum(axis=1)
    return Body(name, float(mass * rng.uniform(0.5, 2.0)), com, tuple(inertia.tolist()))


def _dressed(robot, rng, changed):
    legs = tuple(
        replace(leg, joints=tuple(_driven(rng, joint, changed(joint.body, leg)) for joint in leg.joints))
        for leg in robot.legs
    )
    names = [f"{leg.name}{k}" for leg in robot.legs for k in range(len(leg.joints))]
    bodies = iter(names)
    legs = tuple(
        replace(leg, joints=tuple(replace(j, body=replace(j.body, name=next(bodies))) for j in leg.joints))
        for leg in legs
    )
    platform = replace(robot.platform, body=general(rng, "platform", mass=3.0))
    gravity = tuple(float(v) for v in np.array([0.0, 0.0, -9.81]) + 3.0 * rng.normal(size=3))
    return with_values(robot, platform=platform, legs=legs, gravity=gravity)


def _driven(rng, joint, body):
    if not joint.actuated:
        return replace(joint, body=body)
    viscous, coulomb, rotor, gear = (float(v) for v in rng.uniform(0.5, 2.0, 4))
    return replace(joint, body=body, viscous=viscous, coulomb=coulomb, rotor_inertia=1e-3 * rotor, gear=10.0 * gear)
