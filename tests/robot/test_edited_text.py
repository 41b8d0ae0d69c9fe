"""Numbers changed in the text of a robot's file: units, short form and comments stay."""

import math

import pytest

from gough import loads
from gough.robot.edited_text import edited_text

RING = """# My hexapod
name = "ring"
[units]
length = "mm"
angle = "deg"

[platform]
coordinates = { x = "x", y = "y", z = "z", rx = "rx", ry = "ry", rz = "rz" }
home = [0, 0, 700, 0, 0, 0]  # radius = 700
mass = 300
inertia = [22e6, 22e6, 40e6]
[legs]
type = "UPS"
base = { radius = 700, half_angle = 12 }  # as drawn
platform = { radius = 450, half_angle = 15 }
actuator = { stroke = [500, 1200] }
"""


def test_only_the_numbers_change():
    robot = loads(RING)
    changes = {"legs.base.radius": 0.7125, "legs.base.half_angle": math.radians(9.6), "legs.actuator.stroke.1": 1.25}
    wanted = robot.replace(changes)
    text = edited_text(RING, robot, changes, wanted)
    expected = RING.replace("radius = 700, half_angle = 12 }", "radius = 712.5, half_angle = 9.6 }")
    assert text == expected.replace("1200", "1250.0")
    assert loads(text).legs[0].position == pytest.approx(wanted.legs[0].position, rel=1e-15)


def test_a_height_that_a_ring_leaves_out_is_added_to_it():
    robot = loads(RING)
    changes = {"legs.base.radius": 0.7125, "legs.base.z": -0.02}
    text = edited_text(RING, robot, changes, robot.replace(changes))
    assert text == RING.replace("radius = 700,", "radius = 712.5, z = -20.0,")
    table = RING.replace("base = { radius = 700, half_angle = 12 }  # as drawn\n", "")
    table += "[legs.base]\nradius = 700  # as drawn\nhalf_angle = 12\n"
    text = edited_text(table, robot, changes, robot.replace(changes))
    assert text == table.replace("radius = 700  #", "radius = 712.5\nz = -20.0  #")
    dotted = RING.replace("base = { radius = 700, half_angle = 12 }", "base.radius = 700\nbase.half_angle = 12")
    assert edited_text(dotted, robot, changes, robot.replace(changes)) is None


def test_a_length_that_a_file_leaves_out_is_added_before_its_first_key():
    robot = loads(RING).replace({"length": 0.4})
    text = edited_text(RING, robot, {"length": 0.45}, robot.replace({"length": 0.45}))
    assert text == RING.replace("# My hexapod\n", "# My hexapod\nlength = 450.0\n")


@pytest.mark.parametrize("path", ["leg.1.end.platform_point.0", "gravity.2"])
def test_a_number_that_does_not_stand_in_the_file_has_no_text(path):
    robot = loads(RING)
    changes = {path: -1.5 if path == "gravity.2" else 0.1}
    assert edited_text(RING, robot, changes, robot.replace(changes)) is None


def test_a_text_that_is_not_the_design_is_not_taken():
    robot = loads(RING)
    changes = {"legs.base.radius": 0.7125}
    other = robot.replace({"legs.base.radius": 0.7126})
    assert edited_text(RING, robot, changes, other) is None
