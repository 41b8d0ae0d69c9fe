"""The linear map of dynamic parameters against inverse dynamics of random bodies, and numbers of base parameters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough.dynamics.contract import DEFAULT
from gough.dynamics.force_programs import Model, force_graph
from gough.kinematics.random_states import random_states
from gough.run import Program
from tests.support.robots import with_values

BASE = {
    "stewart": (190, 88, 23, 100, 106),
    "hexapod": (190, 70, 20, 82, 88),
    "delta": (190, 40, 14, 46, 46),
    "rotary": (190, 106, 27, 118, 118),
    "spatial3": (150, 21, None, 27, 30),
    "planar3rrr": (100, 13, 7, 19, 19),
    "planar4rrr": (130, 16, 7, 24, 24),
    "fivebar": (50, 7, 4, 11, 11),
    "rps3": (70, 25, 15, 31, 34),
    "tricept": (130, 53, 27, 59, 62),
    "ankle": (76, 32, 22, 36, 36),
    "cable8": (10, 10, 10, 26, 34),
}
"""Numbers of body parameters and of base ones: legs independent, alike, with friction, and with rotors too."""


def _physical(rng, name):
    """A random body: masses at random points, so that its inertia is one a body can have."""
    points, masses = rng.normal(size=(8, 3)) * 0.2, rng.uniform(0.1, 0.5, 8)
    mass, com = masses.sum(), masses @ points / masses.sum()
    arms = points - com
    tensor = sum(m * (a @ a * np.eye(3) - np.outer(a, a)) for m, a in zip(masses, arms, strict=True))
    six = [tensor[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    return gough.Body(name, float(mass), tuple(com.tolist()), tuple(map(float, six)))


def _random_bodies(robot, rng):
    """The robot with random masses, friction and rotors."""
    legs = []
    for leg in robot.legs:
        joints = []
        for joint in leg.joints:
            drive = {"viscous": 2.5, "coulomb": 0.7, "rotor_inertia": 0.01, "gear": 3.0} if joint.actuated else {}
            joints.append(replace(joint, body=_physical(rng, joint.body.name), **drive))
        legs.append(replace(leg, joints=tuple(joints)))
    platform = replace(robot.platform, body=_physical(rng, robot.platform.body.name))
    return with_values(robot, platform=platform, legs=tuple(legs))


@pytest.mark.parametrize("name", ["stewart", "delta", "planar3rrr", "planar4rrr", "rps3", "fivebar"])
def test_columns_times_parameters_are_the_forces_of_random_bodies(name):
    robot = _random_bodies(gough.load(name), np.random.default_rng(1))
    states = random_states(robot, 12, seed=2)
    tau = Program(force_graph(Model(robot, DEFAULT)), "blocks")(x=states.x, xd=states.xd, xdd=states.xdd)
    found = gough.regressor(robot)
    columns = found.columns(states.x, states.xd, states.xdd)
    Q = np.einsum("nmk,nm->nk", columns.K, tau)
    assert columns.sound.all()
    assert np.abs(columns.Q @ found.values - Q).max() < 1e-12 * np.abs(Q).max()
    if len(robot.actuators) == robot.dof:
        forces = found(states.x, states.xd, states.xdd) @ found.values
        assert np.abs(forces - tau).max() < 1e-11 * np.abs(tau).max()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow) if name in ("sru", "rotary", "tricept") else name
        for name in (*BASE, "sru")
    ],
)
def test_numbers_of_base_parameters(name):
    robot = gough.load(name)
    whole, apart, alike, friction, rotors = (BASE | {"sru": (370, 178, 38, 190, 196)})[name]
    found = gough.regressor(robot, friction=False, rotors=False).base
    assert (len(found.names), len(found)) == (whole, apart)
    assert found.gap > 1e6
    assert len(gough.regressor(robot, rotors=False).base) == friction
    assert len(gough.regressor(robot).base) == rotors
    if alike is not None:
        assert len(gough.regressor(robot, tied=True, friction=False, rotors=False).base) == alike


QUICK = ("planar4rrr", "fivebar", "rps3", "ankle", "cable8")
"""Machines whose equations compile at once."""


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in BASE]
)
def test_energy_has_as_many_base_parameters(name):
    """Kinetic and potential energy, from places and velocities of bodies alone: what changes with the state."""
    robot = gough.load(name)
    states = random_states(robot, 400, seed=3)
    moving = gough.body_motion(robot, gough.State(states.x, states.xd, states.xdd))
    gravity = np.array(robot.gravity)
    legs = [None, *(leg for leg in robot.legs for _ in leg.joints)]
    columns = []
    for k, leg in enumerate(legs):
        R, p, v, w = moving.R[:, k], moving.p[:, k], moving.v[:, k], moving.w[:, k]
        if leg is not None and leg.cable is not None:
            continue
        columns.append(0.5 * (v * v).sum(axis=1) - p @ gravity)
        first = np.cross(v, w) - gravity
        if leg is not None and leg.free_spin and k == legs.index(leg) + len(leg.joints) - 1:
            # A rod that is free to spin: along itself, and about what is across it.
            end = moving.p[:, 0] + moving.R[:, 0] @ np.array(leg.end.platform_point) - p
            columns += [(first * end).sum(axis=1) / np.linalg.norm(end, axis=1), 0.5 * (w * w).sum(axis=1)]
            continue
        columns += list(np.einsum("nji,nj->in", R, first))
        own = np.einsum("nji,nj->ni", R, w)
        columns += [own[:, i] * own[:, j] for i in range(3) for j in range(i, 3)]
    energy = np.array(columns).T
    qd = np.einsum("nij,nj->ni", gough.inverse_kinematics(robot, states.x).K, states.xd)
    _, apart, _, friction, rotors = BASE[name]
    assert _rank(energy) == apart
    assert _rank(np.column_stack([energy, qd**2])) == rotors - (friction - apart)


def _rank(columns):
    """Of columns less their means, each scaled to length 1; there is a gap of decades."""
    good = columns[np.isfinite(columns).all(axis=1)]
    good = good - good.mean(axis=0)
    length = np.linalg.norm(good, axis=0)
    good = good[:, length > 1e-10 * length.max()] / length[length > 1e-10 * length.max()]
    s = np.linalg.svd(good, compute_uv=False)
    rank = int((s > 1e-9 * s[0]).sum())
    assert rank == len(s) or s[rank] < 1e-4 * s[rank - 1]
    return rank


def test_thin_legs_leave_ten_and_three_per_leg():
    robot = gough.load("stewart")
    assert len(gough.regressor(robot, "stated", friction=False, rotors=False).base) == 28
    assert len(gough.regressor(robot, "stated", friction=False, rotors=False, tied=True).base) == 13


def test_base_parameters_predict_and_say_what_they_are():
    """A piston's mass rides with the platform's joint: it adds to the platform's mass and to its moments."""
    robot = gough.load("stewart")
    found = gough.regressor(robot, "stated", tied=True)
    states = random_states(robot, 20, seed=5)
    Y = found(states.x, states.xd, states.xdd)
    tau = gough.inverse_dynamics(robot, gough.State(states.x, states.xd, states.xdd)).force
    base = found.base
    assert np.abs(Y[:, :, base.kept] @ (base.map @ found.values) - tau).max() < 1e-11 * np.abs(tau).max()
    terms = dict(base.terms(base.labels.index("platform.mass")))
    pistons = [name for name in terms if name.endswith(".mass") and name != "platform.mass"]
    assert len(pistons) == 1
    assert terms[pistons[0]] == pytest.approx(6.0, abs=1e-9)
    assert base.text(0).startswith("platform.mass + 6 ")


def test_a_single_sample_and_wrong_words():
    robot = gough.load("planar3rrr")
    home = np.array(robot.platform.home)
    assert gough.regressor(robot)(home, 0 * home, 0 * home).shape == (3, 109)
    with pytest.raises(gough.InputError, match=r"bodies: 'thin' given, expected 'full' or 'stated'"):
        gough.regressor(robot, "thin")
