"""Numbers of assembly modes in the literature."""

import numpy as np
import pytest

import gough
from gough.assembly.closure_starts import closure_starts
from gough.assembly.closure_system import closure_system
from gough.assembly.start_systems import robot_starts
from gough.robot import build
from tests.support.six_leg_robots import lengths, six_ups

DIETMAIER_BASE = [
    [0, 0, 0],
    [1.107915, 0, 0],
    [0.549094, 0.756063, 0],
    [0.735077, -0.223935, 0.525991],
    [0.514188, -0.526063, -0.368418],
    [0.590473, 0.094733, -0.205018],
]
DIETMAIER_PLATFORM = [
    [0, 0, 0],
    [0.542805, 0, 0],
    [0.956919, -0.528915, 0],
    [0.665885, -0.353482, 1.402538],
    [0.478359, 1.158742, 0.107672],
    [-0.137087, -0.235121, 0.353913],
]
DIETMAIER_LENGTHS = [1, 0.645275, 1.086284, 1.503439, 1.281933, 0.771071]


def test_forty_real_modes():
    """P. Dietmaier, The Stewart-Gough platform of general geometry can have 40 real postures, ARK 1998.

    The same numbers stand in Drake's examples of global inverse kinematics and in the tests of fkSGP.
    """
    base, platform = np.array(DIETMAIER_BASE) + [0.2, 0.1, 0.0], np.array(DIETMAIER_PLATFORM)
    found = gough.assembly_modes(six_ups(base, platform, "dietmaier"), DIETMAIER_LENGTHS)
    assert (found.count, found.complex, found.complete) == (40, 0, True)
    assert found.claim == "40 of 40 certified: none is missing"
    assert found.certified.all()
    assert np.abs(lengths(base, platform, found.p, found.R) - DIETMAIER_LENGTHS).max() < 1e-12


# x, y and theta of the poses with p_2 = 6.99: K. McLane, T. Reid & P. McNulty, Kinematics of the Stewart Platform, part
# 5, Math 447, George Mason University (mason.gmu.edu/~treid5/Math447/StewartPlatform). Angles are by bisection, to four
# decimals; x and y follow from an equation in them that magnifies what is off.
SIX_POSES = [
    [-4.2554, 2.6252, -0.6969],
    [-4.8446, 1.2368, -0.3035],
    [-4.9487, 0.7143, 0.0139],
    [-0.8155, 4.9327, 0.4560],
    [2.3196, 4.4292, 0.9780],
    [3.2243, 3.8216, 2.5128],
]


def _planar_stewart(x1, x2, y2, L2, L3, gamma):
    """The planar Stewart platform of Sauer's book, in its letters: base at 0, (x1, 0) and (x2, y2)."""
    base = [[0, 0, 0], [x1, 0, 0], [x2, y2, 0]]
    platform = [[0, 0, 0], [L3, 0, 0], [L2 * np.cos(gamma), L2 * np.sin(gamma), 0]]
    joints = [
        {"name": "hinge", "type": "R", "axis": [0, 0, 1]},
        {"name": "slide", "type": "P", "axis": [1, 0, 0], "actuated": True, "start": 3.0},
        {"name": "pin", "type": "R", "axis": [0, 0, 1]},
    ]
    legs = [
        {"name": name, "position": a, "joint": joints, "end": {"type": "rigid", "platform_point": b}}
        for name, a, b in zip("ABC", base, platform, strict=True)
    ]
    body = {"coordinates": {"x": "x", "y": "y", "phi": "rz"}, "home": [2, 3, 0.3], "mass": 1, "inertia": [1, 1, 1]}
    return build({"name": "rpr", "platform": body, "leg": legs})


@pytest.mark.parametrize(("p2", "expected"), [(5.0, 4), (7.0, 6)])
def test_modes_of_a_planar_platform(p2, expected):
    """T. Sauer, Numerical Analysis, Reality Check 1 (Kinematics of the Stewart platform): four poses, and six.

    The book was not at hand: its problems 4 and 5 are quoted with these numbers by several public solutions of them.
    """
    robot = _planar_stewart(5.0, 0.0, 6.0, 3.0 * np.sqrt(2.0), 3.0, 0.25 * np.pi)
    found = gough.assembly_modes(robot, [5.0, p2, 3.0])
    assert (found.count, found.complex, found.complete) == (expected, 6 - expected, True)
    assert found.claim == "6 of 6 certified: none is missing"


def test_poses_of_a_planar_platform():
    """The same robot, its six poses as others found them, and two that the book's figure shows."""
    robot = _planar_stewart(5.0, 0.0, 6.0, 3.0 * np.sqrt(2.0), 3.0, 0.25 * np.pi)
    found = gough.assembly_modes(robot, [5.0, 6.99, 3.0])
    assert (found.count, found.complex, found.complete) == (6, 0, True)
    off = np.abs(found.x[np.argsort(found.x[:, 2])] - SIX_POSES)
    assert off[:, 2].max() < 6e-5
    assert off[:, :2].max() < 1e-3
    square = _planar_stewart(4.0, 0.0, 4.0, np.sqrt(2.0), np.sqrt(2.0), 0.5 * np.pi)
    modes = gough.assembly_modes(square, [np.sqrt(5.0)] * 3)
    for x in ([1.0, 2.0, -0.25 * np.pi], [2.0, 1.0, 0.25 * np.pi]):
        assert np.abs(modes.x - x).max(axis=1).min() < 1e-12


# Six legs between points that coincide. 6-6: Ronga & Vust 1995; 6-4: Innocenti 1995; 4-4: Lin, Crane & Duffy 1994;
# 6-3 and 3-3: Innocenti & Parenti-Castelli 1990, Nanua, Waldron & Murthy 1990.
MEETING = {
    "6-6": (range(6), range(6), 40),
    "6-4": (range(6), [0, 0, 1, 1, 2, 3], 32),
    "4-4": ([0, 0, 1, 1, 2, 3], [0, 1, 1, 2, 2, 3], 24),
    "6-3": (range(6), [0, 0, 1, 1, 2, 2], 16),
    "3-3": ([0, 1, 1, 2, 2, 0], [0, 0, 1, 1, 2, 2], 16),
}


@pytest.mark.parametrize("kind", MEETING)
def test_solutions_of_legs_that_meet(kind):
    at_base, at_platform, expected = MEETING[kind]
    base, platform = np.random.default_rng(11).normal(size=(2, 6, 3))
    base, platform = base[list(at_base)], platform[list(at_platform)]
    points = np.concatenate([(base[1:] - base[0]).ravel(), (platform[1:] - platform[0]).ravel()]) / 2.0
    starts = robot_starts(points, np.zeros((30, 0)), np.ones(6))
    assert (starts.count, starts.agree) == (expected, True)


def _rrp_and_three_rods(rng):
    """A platform on a passive leg R R P without a special angle or length, and three UPS."""
    second, third = (np.linalg.qr(rng.normal(size=(3, 3)))[0] for _ in range(2))
    second, third = second * np.sign(np.linalg.det(second)), third * np.sign(np.linalg.det(third))
    joints = [
        {"name": "a", "type": "R", "axis": [0, 0, 1], "start": 0.0},
        {
            "name": "b",
            "type": "R",
            "axis": [0, 0, 1],
            "rotation": second.tolist(),
            "offset": [0.2, 0.1, 0.3],
            "start": 0.0,
        },
        {
            "name": "c",
            "type": "P",
            "axis": [0, 0, 1],
            "rotation": third.tolist(),
            "offset": [0.1, -0.2, 0.2],
            "start": 0.0,
        },
    ]
    legs = [{"name": "tube", "joint": joints, "end": {"type": "rigid", "platform_rotation": (second @ third).tolist()}}]
    points = zip("ABC", rng.normal(size=(3, 3)), 0.5 * rng.normal(size=(3, 3)), strict=True)
    legs += [{"name": name, "type": "UPS", "base": a.tolist(), "platform": b.tolist()} for name, a, b in points]
    home = np.array([0.2, 0.1, 0.3]) + second @ [0.1, -0.2, 0.2]
    coordinates = {"x": "x", "y": "y", "z": "z", "u": "rx", "v": "ry", "w": "rz"}
    body = {"coordinates": coordinates, "dependent": ["u", "v", "w"], "home": [*home.tolist(), 0, 0, 0]}
    return build({"name": "rrp", "platform": body | {"mass": 1, "inertia": [1, 1, 1]}, "leg": legs})


@pytest.mark.slow
def test_a_general_tricept_has_28_solutions():
    """Position analysis of the RRP-3(SS) multi-loop spatial structure, ASME J. Mech. Des. 128(1), 2006, p. 272: 28.

    Cited from memory: neither the paper nor its abstract was at hand.
    """
    found = closure_starts(closure_system(_rrp_and_three_rods(np.random.default_rng(5))))
    assert [len(z) for z in found.z] == [28, 28, 28]


@pytest.mark.slow
def test_the_agile_eye_has_four_real_modes():
    """I. Bonev, D. Chablat & P. Wenger, Working and assembly modes of the Agile Eye, ICRA 2006: four.

    By its abstract, which counts four solutions; that all are real is what is found here.
    """
    eye = gough.load("examples/agile_eye.toml")
    for x in ([0.0, 0.0, 0.0], [0.1, 0.13, -0.04]):
        found = gough.assembly_modes(eye, gough.inverse_kinematics(eye, x).q)
        assert (found.count, found.complex) == (4, 0)
        assert found.claim == "4 found by three start systems, closed under conjugation"
        assert np.abs(found.x[0] - x).max() < 1e-9
