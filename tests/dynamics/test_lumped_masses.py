"""Masses moved along a leg leave no trace: kinetic energy, and potential energy but for a constant, stay what they are.

Energies are taken from the links' twists in base axes, at coordinates and rates that no platform has to allow.
"""

from dataclasses import replace

import numpy as np
import pytest

from gough import Body, Mimic, load
from gough.dynamics.lumped_masses import LinkMass, lumped
from gough.kinematics.chain import Slide, Turn, chain_twists, end_point
from gough.kinematics.leg import build_links
from tests.support.random_robots import KINDS, odd_robot, random_robot
from tests.support.robots import build

G = np.array([0.3, -2.0, -9.0])


def random_body(rng, on=None):
    """A body anywhere, or with its centre of mass on a line."""
    A = rng.normal(size=(3, 3))
    J = A @ A.T + np.eye(3)
    J = 0.1 * (np.eye(3) * np.trace(J) - J)
    com = rng.normal(size=3) if on is None else np.array(on) * rng.uniform(0.2, 0.8)
    inertia = (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
    return Body("b", float(rng.uniform(0.5, 2.0)), tuple(map(float, com)), tuple(map(float, inertia)))


def at_random(leg, rng):
    """Links at random coordinates, and random rates of all joints."""
    values = {k: rng.normal() for k, joint in enumerate(leg.joints) if joint.mimic is None}
    turns = {k: Turn(np.cos(q), np.sin(q), q) for k, q in values.items()}
    own = {k: Slide(q) if leg.joints[k].kind == "P" else turns[k] for k, q in values.items()}
    rates = {k: rng.normal() for k in values}
    all_rates = [
        rates[k] if j.mimic is None else rates[j.mimic.joint] * j.mimic.ratio for k, j in enumerate(leg.joints)
    ]
    return build_links(leg, own)[0], all_rates


def energies(leg, masses, at_end, links, rates):
    """Kinetic and potential energy of masses on the links, and of one at the leg's end."""
    twists = chain_twists(leg, links, rates)
    kinetic, potential = 0.0, 0.0
    for link, twist, mass in zip(links, twists, masses, strict=True):
        h, E = link.R @ mass.h, link.R @ mass.E @ link.R.T
        J = np.eye(3) * np.trace(E) - E
        kinetic += 0.5 * mass.m * twist.v @ twist.v + twist.v @ np.cross(twist.w, h) + 0.5 * twist.w @ J @ twist.w
        potential -= G @ (link.p * mass.m + h)
    last, p = leg.end.joint, end_point(leg, links)
    v = twists[last].v + np.cross(twists[last].w, p - links[last].p)
    return kinetic + 0.5 * at_end * v @ v, potential - at_end * G @ p


def check(leg):
    """The masses after the moves; energies with and without them are compared at several states."""
    rng = np.random.default_rng(5)
    counted = [k for k, joint in enumerate(leg.joints) if joint.body.mass > 0]
    found = lumped(leg, counted)
    own = [LinkMass.of(joint.body) for joint in leg.joints]
    heights = []
    for _ in range(4):
        links, rates = at_random(leg, rng)
        ours = energies(leg, found.links, found.at_end, links, rates)
        theirs = energies(leg, own, 0.0, links, rates)
        assert ours[0] == pytest.approx(theirs[0], rel=1e-12)
        heights.append(ours[1] - theirs[1])
    assert np.ptp(heights) <= 1e-12 * sum(abs(mass.m) + np.abs(mass.h).sum() for mass in own) * np.linalg.norm(G) * 20
    return found


def with_bodies(leg, on_line=False):
    rng = np.random.default_rng(9)
    joints = []
    for k, joint in enumerate(leg.joints):
        after = [j.offset for j in leg.joints if j.parent == k and any(j.offset)] or [leg.end.point]
        joints.append(replace(joint, body=random_body(rng, after[0] if on_line and any(after[0]) else None)))
    return replace(leg, joints=tuple(joints))


@pytest.mark.parametrize("on_line", [False, True])
@pytest.mark.parametrize("name", [*KINDS, "spatial3", "offset_universal"])
def test_energies_stay(name, on_line):
    robot = load(name) if name == "spatial3" else random_robot(name, 6) if name in KINDS else odd_robot(name)
    for leg in robot.legs[:3]:
        check(with_bodies(leg, on_line))


def test_a_slide_on_a_crank_and_a_wheel_beside_the_leg():
    leg = load("stewart").legs[0]
    wheel = replace(leg.joints[1], name="wheel", parent=1, mimic=Mimic(1, 2.0, 0.3), offset=(0.1, 0.0, 0.02), start=0.3)
    turn = tuple(map(tuple, np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0].tolist()))
    joints = (leg.joints[0], leg.joints[1], replace(leg.joints[2], rotation=turn, offset=(0.1, 0.2, 0.3)), wheel)
    check(with_bodies(replace(leg, joints=joints)))


def test_what_is_left_of_the_catalogue():
    """Parallelograms keep one bar's second moments, rods no first moments, and what is on the axes is gone."""
    delta = load("delta").legs[0]
    found = check(delta)
    assert found.at_end == pytest.approx(2 * 0.525 / 2)
    assert [mass.m for mass in found.links] == [0.0] * 6
    assert not any(mass.h.any() for mass in found.links[1:])
    assert [bool(mass.E.any()) for mass in found.links] == [True, True, True, False, False, False]
    sru = check(load("sru").legs[0])
    assert sru.at_end == pytest.approx(0.1 + 1.2 * 0.25 / 0.45)
    assert [np.count_nonzero(mass.h) for mass in sru.links] == [0, 1, 2, 0, 0, 0]


def test_uneven_bars():
    """A second bar of its own, off the line of its ends, keeps what cannot be told of the first."""
    bar = {"mass": 0.4, "com": [0.3, 0.0, 0.0], "inertia": [1e-4, 2e-2, 2e-2]}
    joint = {"type": "Pa", "axis": [0, 0, 1], "bar": [0.8, 0, 0], "spread": [0, 0.1, 0], "body": bar, "start": 0.1}
    joint |= {"second": {**bar, "mass": 0.5, "com": [0.35, 0.02, 0.0]}, "closing": {"mass": 0.2, "com": [0, 0.03, 0]}}
    leg = {
        "name": "A",
        "joint": [
            {"type": "R", "axis": [0, 1, 0], "actuated": True, "body": bar},
            {"type": "R", "axis": [0, 1, 0], "offset": [0.4, 0, 0], "body": bar},
            joint,
            {"type": "R", "axis": [0, 1, 0]},
        ],
        "end": {"type": "rigid"},
    }
    platform = {"coordinates": {"x": "x"}, "mass": 1.0}
    robot = build({"name": "bars", "platform": platform, "leg": [leg]})
    assert check(robot.legs[0]).links[4].E.any()
