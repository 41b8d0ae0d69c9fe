"""Numbers of assembly modes in the literature."""

import numpy as np
import pytest

import gough
from gough.assembly.start_systems import robot_starts
from tests.assembly.test_three_legs import robot_of
from tests.support.dependent_references import samples
from tests.support.robots import build
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

    The same numbers stand, as Dietmaier's, in the tests of fkSGP (github.com/martyushev/fkSGP, python/test_fkSGP.py),
    and in Drake's example of global inverse kinematics.
    """
    base, platform = np.array(DIETMAIER_BASE) + [0.2, 0.1, 0.0], np.array(DIETMAIER_PLATFORM)
    found = gough.assembly_modes(six_ups(base, platform, "dietmaier"), DIETMAIER_LENGTHS)
    assert (found.count, found.complex, found.complete) == (40, 0, True)
    assert found.claim == "40 of 40 certified: none is missing"
    assert found.certified.all()
    assert np.abs(lengths(base, platform, found.p, found.R) - DIETMAIER_LENGTHS).max() < 1e-12


# theta, x and y of the poses at p_2, to four decimals: K. McLane, T. Reid & P. McNulty, Math 447, George Mason
# University: mason.gmu.edu/~kmclane/project_1_4.html, mason.gmu.edu/~treid5/Math447/StewartPlatform/project_1_5.html,
# which state the geometry of `_planar_stewart` too. Angles are by bisection, x and y what the rounded angle gives.
PUBLISHED_POSES = {
    5.0: [
        [-0.7208, -1.3784, 4.8062],
        [-0.3310, -0.9147, 4.9156],
        [1.1437, 4.4817, 2.2167],
        [2.1159, 4.5718, 2.0244],
    ],
    6.99: [
        [-0.6969, -4.2554, 2.6252],
        [-0.3035, -4.8446, 1.2368],
        [0.0139, -4.9487, 0.7143],
        [0.4560, -0.8155, 4.9327],
        [0.9780, 2.3196, 4.4292],
        [2.5128, 3.2243, 3.8216],
    ],
}


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


@pytest.mark.parametrize(("p2", "expected"), [(4.0, 2), (5.0, 4), (7.0, 6)])
def test_modes_of_a_planar_platform(p2, expected):
    """T. Sauer, Numerical Analysis, Reality Check 1 (Kinematics of the Stewart platform): four poses, and six.

    Its problems are quoted and solved with these numbers by mason.gmu.edu/~kmclane (four), /~awolff2/Project1.html
    (page 67 of the second edition; four and, at 7.01, six) and github.com/sayedRaheel/Forward-Kinematics-of-Stewart-
    Platform (two at 4, four at 5, six at 7).
    """
    found = gough.assembly_modes(_sauer(), [5.0, p2, 3.0])
    assert (found.count, found.complex, found.complete) == (expected, 6 - expected, True)
    assert found.claim == "6 of 6 certified: none is missing"


def _sauer():
    return _planar_stewart(5.0, 0.0, 6.0, 3.0 * np.sqrt(2.0), 3.0, 0.25 * np.pi)


def _position(theta, p2):
    """(x, y) of the equations of legs 2 and 3 less that of leg 1, which are linear in them, at a given angle."""
    ends = np.array([[3.0, 0.0], [3.0, 3.0]])
    turned = ends @ np.array([[np.cos(theta), np.sin(theta)], [-np.sin(theta), np.cos(theta)]])
    off = turned - [[5.0, 0.0], [0.0, 6.0]]
    return np.linalg.solve(2.0 * off, np.array([p2, 3.0]) ** 2 - 25.0 - (off**2).sum(axis=1))


@pytest.mark.parametrize("p2", PUBLISHED_POSES)
def test_poses_of_a_planar_platform(p2):
    """All that others printed, to half of its last digit: the angles, and positions at the angle they printed."""
    published = np.array(PUBLISHED_POSES[p2])
    found = gough.assembly_modes(_sauer(), [5.0, p2, 3.0])
    assert (found.count, found.complete) == (len(published), True)
    x = found.x[np.argsort(found.x[:, 2])]
    half = 0.5e-4 * (1.0 + 1e-9)
    assert np.abs(x[:, 2] - published[:, 0]).max() <= half
    assert np.abs(np.array([_position(row[2], p2) for row in x]) - x[:, :2]).max() < 1e-12
    assert np.abs(np.array([_position(theta, p2) for theta in published[:, 0]]) - published[:, 1:]).max() <= half


def test_poses_that_the_book_shows():
    """Two poses of a square platform, at -45 and 45 deg: mason.gmu.edu/~awolff2/Project1.html, by the same book."""
    square = _planar_stewart(4.0, 0.0, 4.0, np.sqrt(2.0), np.sqrt(2.0), 0.5 * np.pi)
    modes = gough.assembly_modes(square, [np.sqrt(5.0)] * 3)
    for x in ([1.0, 2.0, -0.25 * np.pi], [2.0, 1.0, 0.25 * np.pi]):
        assert np.abs(modes.x - x).max(axis=1).min() < 1e-12


# Six legs between points that coincide. 6-6: M. Raghavan, The Stewart platform of general geometry has 40
# configurations, J. Mech. Des. 115, 1993; 6-4: Math. Probl. Eng. 2018, 6245341, 32nd degree; 6-3, and 3-3 as one of
# them: Mathematics 2021, 9(4), 442, 16th degree. By their abstracts.
MEETING = {
    "6-6": (range(6), range(6), 40),
    "6-4": (range(6), [0, 0, 1, 1, 2, 3], 32),
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


def test_legs_of_a_hinge_and_a_ball_have_16_solutions():
    """J. Kim & F. C. Park, Direct kinematic analysis of 3-RS parallel mechanisms, Mech. Mach. Theory 36, 2001.

    By its abstract: a polynomial of 16th degree. Paths from start systems find as many (see test_closure_modes).
    """
    robot = robot_of("3rps")
    found = gough.assembly_modes(robot, gough.inverse_kinematics(robot, samples("3rps", "x")[3]).q)
    assert (found.count + found.complex, found.claim) == (16, "16 of 16 certified: none is missing")


@pytest.mark.slow
def test_the_agile_eye_has_four_real_modes():
    """I. Bonev, D. Chablat & P. Wenger, Working and assembly modes of the Agile Eye, ICRA 2006: four.

    By its abstract (sciweavers.org/publications/working-and-assembly-modes-agile-eye), which counts four solutions;
    that all are real is what is found here. The other four of a wrist are no poses: angles of its legs are free there.
    """
    eye = gough.load("examples/agile_eye.toml")
    for x in ([0.0, 0.0, 0.0], [0.1, 0.13, -0.04]):
        found = gough.assembly_modes(eye, gough.inverse_kinematics(eye, x).q)
        assert (found.count, found.complex) == (4, 0)
        assert found.claim == "4 found by three start systems, closed under conjugation"
        assert np.abs(found.x[0] - x).max() < 1e-9
        assert found.certified.all()
        assert set(found.side) == {-1}
