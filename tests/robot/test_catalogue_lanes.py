"""The lists of machines that lanes run on are those with the properties that they state."""

from __future__ import annotations

import pytest

from gough import catalogue, load
from gough.kinematics.closure.closed_forms import closure_name
from tests.support import catalogue_lanes as lanes

HAVE = {
    "CABLES": lambda robot: any(leg.cable for leg in robot.legs),
    "TREES": lambda robot: not any(leg.cable for leg in robot.legs),
    "SQUARE": lambda robot: not robot.platform.dependent and not lanes.shared(robot),
    "HELD": lambda robot: HAVE["SQUARE"](robot) and len({leg.end.platform_point for leg in robot.legs}) > 1,
    "CLOSED_FORMS": lambda robot: (
        HAVE["TREES"](robot)
        and not robot.platform.dependent
        and all(closure_name(leg) != "newton" for leg in robot.legs)
    ),
    "NOT_SHARED": lambda robot: not lanes.shared(robot),
}


@pytest.mark.parametrize("lane", HAVE)
def test_a_lane_has_the_machines_with_its_property(lane):
    assert list(getattr(lanes, lane)) == [name for name in catalogue() if HAVE[lane](load(name))]
