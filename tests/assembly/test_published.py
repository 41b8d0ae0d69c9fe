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

    The same numbers stand in Drake's examples of global inverse kinematics.
    """
    base, platform = np.array(DIETMAIER_BASE) + [0.2, 0.1, 0.0], np.array(DIETMAIER_PLATFORM)
    found = gough.assembly_modes(six_ups(base, platform, "dietmaier"), DIETMAIER_LENGTHS)
    assert (found.count, found.complex, found.complete) == (40, 0, True)
    assert found.claim == "40 of 40 certified: none is missing"
    assert found.certified.all()
    assert np.abs(lengths(base, platform, found.p, found.R) - DIETMAIER_LENGTHS).max() < 1e-12


SIX_POSES = [
    [-8.715, 12.183, -0.987],
    [-5.495, -13.935, -0.047],
    [-14.894, 1.596, 0.244],
    [-13.417, -6.660, 0.585],
    [14.920, -1.333, 1.001],
    [14.673, -3.013, 2.133],
]


def test_six_real_modes_of_a_planar_robot():
    """P. Wenger & D. Chablat, Workspace and assembly modes in fully-parallel manipulators, ARK 1998: six, all real.

    The 3-RPR of Innocenti and Parenti-Castelli. The poses were not compared with the printed paper. 17 of their 18
    numbers fit lengths rounded to 0.01 and poses rounded to 0.001; the first x is off by 1.6 times that. Dimensions are
    rounded too, which is not counted here.
    """
    base, sides = [[0, 0, 0], [15.91, 0, 0], [0, 10, 0]], (17.04, 16.54, 20.84)
    x = (sides[0] ** 2 + sides[2] ** 2 - sides[1] ** 2) / (2.0 * sides[0])
    platform = [[0, 0, 0], [sides[0], 0, 0], [x, np.sqrt(sides[2] ** 2 - x**2), 0]]
    joints = [
        {"name": "hinge", "type": "R", "axis": [0, 0, 1]},
        {"name": "slide", "type": "P", "axis": [1, 0, 0], "actuated": True, "start": 12.0},
        {"name": "pin", "type": "R", "axis": [0, 0, 1]},
    ]
    legs = [
        {"name": name, "position": a, "joint": joints, "end": {"type": "rigid", "platform_point": b}}
        for name, a, b in zip("ABC", base, platform, strict=True)
    ]
    body = {"coordinates": {"x": "x", "y": "y", "phi": "rz"}, "home": SIX_POSES[0], "mass": 1, "inertia": [1, 1, 1]}
    robot = build({"name": "rpr", "platform": body, "leg": legs})
    found = gough.assembly_modes(robot, [14.98, 15.38, 12.0])
    assert (found.count, found.complex, found.complete) == (6, 0, True)
    assert found.claim == "6 of 6 certified: none is missing"
    x = found.x[np.argsort(found.x[:, 2])]
    rounded = 0.005 * np.abs(np.linalg.inv(gough.inverse_kinematics(robot, x).K)).sum(axis=2) + 0.0005
    ratio = np.abs(x - SIX_POSES) / rounded
    assert (ratio > 1.0).sum() <= 1
    assert ratio.max() < 2.0


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
    """Position analysis of the RRP-3(SS) multi-loop spatial structure, ASME J. Mech. Des. 128(1), 2006, p. 272: 28."""
    found = closure_starts(closure_system(_rrp_and_three_rods(np.random.default_rng(5))))
    assert [len(z) for z in found.z] == [28, 28, 28]


@pytest.mark.slow
def test_the_agile_eye_has_four_real_modes():
    """I. Bonev, D. Chablat & P. Wenger, Working and assembly modes of the Agile Eye, ICRA 2006: four, all real."""
    eye = gough.load("examples/agile_eye.toml")
    for x in ([0.0, 0.0, 0.0], [0.1, 0.13, -0.04]):
        found = gough.assembly_modes(eye, gough.inverse_kinematics(eye, x).q)
        assert (found.count, found.complex) == (4, 0)
        assert found.claim == "4 found by three start systems, closed under conjugation"
        assert np.abs(found.x[0] - x).max() < 1e-9
