"""Limits by kind, or as `gough.Limits`; anything else gets one line."""

import pytest

import gough


def test_limits_of_an_actuator_mean_the_same():
    robot = gough.load("delta")
    stroke = (-0.5, 0.5)
    one, other = (
        gough.workspace(robot, limits=limits, travel_only=True).travel
        for limits in (gough.Limits(stroke=stroke), {"stroke": stroke})
    )
    assert [(t.low, t.high) for t in one] == [(t.low, t.high) for t in other]
    assert one[2].high != gough.workspace(robot, travel_only=True).travel[2].high


def test_what_are_no_limits_gets_one_line():
    with pytest.raises(gough.InputError, match=r"^limits: int given, expected values by kind, e\.g\. "):
        gough.workspace(gough.load("delta"), limits=3)
