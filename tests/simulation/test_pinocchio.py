"""Free motion against Pinocchio's constrained dynamics on the cut tree.

Pinocchio wants joints depth-first, and massless leg tips give NaN unless the platform's inertia is shared among them:
here the platform is a free body of its own with all its mass, and the legs' massless bodies get a little inertia in
both models, so that the cut tree's mass matrix is regular.
"""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough import Body
from gough.kinematics import inverse_kinematics
from tests.simulation.cases import robot, springs
from tests.support.lanes import with_dear_ones_slow
from tests.support.motions import motion_near_home, scales

pin = pytest.importorskip("pinocchio")

from tests.support.pinocchio_tree import build_tree, platform_rates  # noqa: E402
from tests.support.robots import with_values  # noqa: E402

pytestmark = pytest.mark.oracle
NAMES = ("stewart", "hexapod", "sru")


def regular(machine):
    """The same machine, every leg body with mass and inertia, so that each joint of the cut tree has some."""

    def full(body):
        inertia = tuple(max(v, 1e-3) for v in body.inertia[:3]) + body.inertia[3:]
        return replace(body, mass=max(body.mass, 1e-2), inertia=inertia)

    legs = tuple(replace(leg, joints=tuple(replace(j, body=full(j.body)) for j in leg.joints)) for leg in machine.legs)
    assert isinstance(legs[0].joints[0].body, Body)
    return with_values(machine, legs=legs)


class Constrained:
    """Pinocchio's constraintDynamics of a robot whose legs are cut at their ends."""

    def __init__(self, machine):
        self.robot, self.tree = machine, build_tree(machine)
        model = self.tree.model
        self.contacts = pin.StdVec_RigidConstraintModel()
        for leg, (mine, theirs) in zip(machine.legs, self.tree.ends, strict=True):
            kind = pin.ContactType.CONTACT_3D if leg.end.kind == "spherical" else pin.ContactType.CONTACT_6D
            a, b = model.frames[mine], model.frames[theirs]
            self.contacts.append(
                pin.RigidConstraintModel(
                    kind, model, a.parentJoint, a.placement, b.parentJoint, b.placement, pin.ReferenceFrame.LOCAL
                )
            )
        self.datas = pin.StdVec_RigidConstraintData()
        for contact in self.contacts:
            self.datas.append(contact.createData())
        self.data = model.createData()
        pin.initConstraintDynamics(model, self.data, self.contacts, self.datas)
        self.settings = pin.ProximalSettings(1e-14, 1e-13, 30)
        joints = [joint for leg in machine.legs for joint in leg.joints]
        self.motors = [place for place, joint in zip(self.tree.places(), joints, strict=True) if joint.actuated]

    def start(self, x, xd):
        """q and v of the whole tree."""
        found = inverse_kinematics(self.robot, gough.State(x, xd))
        q = self.tree.configuration(found.joint_q, x)
        v = np.zeros(self.tree.model.nv)
        v[self.tree.places()] = found.joint_qd
        v[self.tree.platform_places()] = platform_rates(self.robot, x, xd, 0 * xd)[0]
        return q, v

    def acceleration(self, q, v, force):
        """(nv,) accelerations."""
        tau = np.zeros(self.tree.model.nv)
        tau[self.motors] = force
        return pin.constraintDynamics(
            self.tree.model, self.data, q, v, tau, self.contacts, self.datas, self.settings
        ).copy()


@pytest.mark.parametrize("name", NAMES)
def test_accelerations_are_pinocchios(name):
    machine = regular(robot(name))
    oracle = Constrained(machine)
    x, xd, _ = motion_near_home(machine, 12, 3, 0.08)
    force = 5.0 * np.random.default_rng(1).normal(size=x.shape)
    found = gough.forward_dynamics(machine, gough.State(x, xd), force)
    for k in range(len(x)):
        a = oracle.acceleration(*oracle.start(x[k], xd[k]), force[k])
        rates = platform_rates(machine, x[k], xd[k], found.xdd[k])[1]
        theirs = a[oracle.tree.platform_places()]
        assert np.abs(rates - theirs).max() <= 1e-9 * max(1.0, np.abs(theirs).max())


@pytest.mark.parametrize("name", with_dear_ones_slow(NAMES))
def test_two_seconds_of_free_motion_are_pinocchios(name):
    """Springs in the actuated joints hold the robot up; everything else is free."""
    from scipy.integrate import solve_ivp

    machine = regular(robot(name))
    oracle = Constrained(machine)
    held = springs(machine)
    home = np.array(machine.platform.home)
    xd = 0.1 * scales(machine) * np.random.default_rng(2).uniform(-1, 1, len(home))
    k, _, rest = held.ready(machine, home)
    zeros = np.array([j.zero for leg in machine.legs for j in leg.joints if j.actuated])
    model = oracle.tree.model
    q0, v0 = oracle.start(home, xd)
    places = [model.joints[i].idx_q for leg in oracle.tree.joints for i in leg]
    joints = [joint for leg in machine.legs for joint in leg.joints]
    driven = [place for place, joint in zip(places, joints, strict=True) if joint.actuated]

    def rhs(_t, y):
        # the tangent at q0 is integrated: q = q0 + s, ds/dt = v seen from q0
        s, v = y[: model.nv], y[model.nv :]
        q = pin.integrate(model, q0, s)
        a = oracle.acceleration(q, v, -k * (q[driven] - zeros - rest))
        sd = np.linalg.solve(pin.dIntegrate(model, q0, s)[1], v)
        return np.concatenate([sd, a])

    theirs = solve_ivp(
        rhs, (0.0, 2.0), np.concatenate([np.zeros(model.nv), v0]), method="DOP853", rtol=1e-10, atol=1e-12
    )
    run = gough.simulate(machine, gough.State(home, xd), held, 2.0, rtol=1e-10, atol=1e-12)
    q = pin.integrate(model, q0, theirs.y[: model.nv, -1])
    assert run.complete
    assert np.abs(run.q[-1] - (q[driven] - zeros)).max() <= 1e-6
