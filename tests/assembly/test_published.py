"""Numbers of assembly modes in the literature."""

import numpy as np
import pytest

import gough
from gough.assembly.start_systems import robot_starts
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
    """P. Dietmaier, The Stewart-Gough platform of general geometry can have 40 real postures, ARK 1998."""
    base, platform = np.array(DIETMAIER_BASE) + [0.2, 0.1, 0.0], np.array(DIETMAIER_PLATFORM)
    found = gough.assembly_modes(six_ups(base, platform, "dietmaier"), DIETMAIER_LENGTHS)
    assert (found.count, found.complex, found.complete) == (40, 0, True)
    assert found.claim == "40 of 40 certified: none is missing"
    assert found.certified.all()
    assert np.abs(lengths(base, platform, found.p, found.R) - DIETMAIER_LENGTHS).max() < 1e-12


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
    starts = robot_starts(points, np.zeros((30, 0)))
    assert (starts.count, starts.agree) == (expected, True)
