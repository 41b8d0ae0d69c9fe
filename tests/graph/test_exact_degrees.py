"""Sines and cosines of a robot's angles: exact where the file means an exact number."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gough.graph import cos, exact_cos, exact_sin, sin


@pytest.mark.parametrize("turns", [-3, -1, 0, 1, 2])
def test_quarters_and_sixths_of_a_turn_are_exact(turns: int) -> None:
    exact = {0: (1, 0), 30: (None, 0.5), 60: (0.5, None), 90: (0, 1), 120: (-0.5, None), 150: (None, 0.5), 180: (-1, 0)}
    exact |= {210: (None, -0.5), 240: (-0.5, None), 270: (0, -1), 300: (0.5, None), 330: (None, -0.5)}
    for degrees, (c, s) in exact.items():
        angle = math.radians(degrees + 360 * turns)
        assert c is None or exact_cos(angle) == c
        assert s is None or exact_sin(angle) == s


def test_mirror_images_are_exact_images() -> None:
    for degrees in np.arange(0.0, 90.0, 0.125).tolist():
        c, s = exact_cos(math.radians(degrees)), exact_sin(math.radians(degrees))
        for turned in (90.0, 180.0, 270.0, 360.0):
            c, s = -s, c
            assert (exact_cos(math.radians(turned + degrees)), exact_sin(math.radians(turned + degrees))) == (c, s)
        assert (exact_cos(math.radians(-degrees)), exact_sin(math.radians(-degrees))) == (c, -s)


def test_sums_of_angles_in_radians_count_as_the_degrees_they_mean() -> None:
    for k in range(3):
        for half in (15.0, 7.5, 12.3):
            angle = 2 * math.pi / 3 * k + math.radians(half)
            assert exact_cos(angle) == pytest.approx(math.cos(math.radians(120.0 * k + half)), abs=1e-15)
            assert exact_cos(angle) == exact_cos(-angle)
            assert exact_cos(math.pi - math.radians(half)) == -exact_cos(math.radians(half))


def test_every_other_angle_is_left_alone() -> None:
    for angle in np.random.default_rng(5).uniform(-7, 7, 2000).tolist():
        assert exact_cos(angle) == cos(angle)
        assert exact_sin(angle) == sin(angle)
    assert math.isnan(exact_cos(math.nan))
    assert math.isnan(exact_sin(math.inf))
    assert exact_sin(1e-300) == 1e-300
