"""Numbers changed in the text of a robot's file: units, short form and comments stay."""

import dataclasses
import math

import pytest

from gough import load
from tests.support.robots import catalogue_text, read, toml_text

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
JOINTED = """name = "arm"  # one axis
[platform]
coordinates = { y = "y" }
mass = 1.0
[[leg]]
name = "A"
[[leg.joint]]
name = "rail"
type = "P"
axis = [0, 1, 0]  # along the bench
actuated = true
[leg.end]
type = "rigid"
"""


def edited(text, changes):
    """The text of the robot of a text with other numbers at some addresses; it describes that robot."""
    robot = read(text).replace(changes)
    found = robot.to_toml()
    assert same(read(found), robot)
    return found


def same(one, other):
    """Whether two robots are equal but for the rounding of units."""
    mine, yours = (numbers(robot) for robot in (one, other))
    assert len(mine) == len(yours)
    return all(a == b or math.isclose(a, b, rel_tol=2.0**-51) for a, b in zip(mine, yours, strict=True))


def numbers(value):
    """Numbers and words of a robot's mechanism and tolerances, in order."""
    if hasattr(value, "errors"):
        value = [value.mechanism, value.errors, value.description]
    if dataclasses.is_dataclass(value):
        value = [getattr(value, entry.name) for entry in dataclasses.fields(value)]
    if isinstance(value, dict):
        value = [entry for item in value.items() for entry in item]
    return [n for entry in value for n in numbers(entry)] if isinstance(value, (tuple, list)) else [value]


def test_only_the_numbers_change():
    changes = {"legs.base.radius": 0.7125, "legs.base.half_angle": math.radians(9.6), "legs.actuator.stroke.1": 1.25}
    expected = RING.replace("radius = 700, half_angle = 12 }", "radius = 712.5, half_angle = 9.6 }")
    assert edited(RING, changes) == expected.replace("1200", "1250.0")


def test_a_height_that_a_ring_leaves_out_is_added_to_it():
    changes = {"legs.base.radius": 0.7125, "legs.base.z": -0.02}
    added = "radius = 712.5, half_angle = 12, z = -20.0"
    assert edited(RING, changes) == RING.replace("radius = 700, half_angle = 12", added)
    table = RING.replace("base = { radius = 700, half_angle = 12 }  # as drawn\n", "")
    table += "[legs.base]\nradius = 700  # as drawn\nhalf_angle = 12\n"
    found = edited(table, changes)
    assert "radius = 712.5  # as drawn\n" in found
    assert "z = -20.0\n" in found
    dotted = RING.replace("base = { radius = 700, half_angle = 12 }", "base.radius = 700\nbase.half_angle = 12")
    found = edited(dotted, changes)
    assert "base.radius = 712.5\n" in found
    assert "base.z = -20.0\n" in found
    assert "# as drawn\n" in found


def test_a_length_that_a_file_leaves_out_is_added_behind_its_name():
    assert edited(RING, {"length": 0.45}) == RING.replace('"ring"\n', '"ring"\nlength = 450.0\n')


def test_a_list_that_a_file_leaves_out_is_added_whole():
    found = edited(RING, {"gravity.2": -1.5})
    assert found == RING.replace('"ring"\n', '"ring"\ngravity = [0.0, 0.0, -1500.0]\n')
    assert "com = [0.0, 0.0, 12.5]\n" in edited(RING, {"platform.com.z": 0.0125})


def test_one_leg_of_a_ring_gets_a_table_of_its_own():
    found = edited(RING, {"leg.2.platform.x": 0.4})
    assert found.startswith(RING)
    assert found.count("[[leg]]") == 6
    assert read(found).replace({"leg.2.platform.x": 0.41}).to_toml().startswith(RING)


def test_a_name_a_description_and_tables_that_a_file_leaves_out():
    assert edited(RING, {"description": "the old one"}).replace('description = "the old one"\n', "") == RING
    assert edited(RING, {"name": "other"}) == RING.replace('"ring"', '"other"')
    assert edited(RING, {"legs.piston.mass": 3.0}).startswith(RING[: RING.index("[legs]")])
    for text in (RING, RING + '[tolerances]\n"leg.2.base.x" = "0.1 mm" # drilled\n'):
        found = edited(text, {"tolerances.zero": 2e-5, "tolerances.leg.*.platform.z": 1e-4})
        assert found.startswith(text)
        assert edited(found, {"tolerances.zero": 3e-5}).startswith(text)


def test_values_with_units_take_them_off():
    text = RING + '[tolerances]\nbase = "0.1 mm"  # drilled\n[heat]\ntemperature = 5\nexpansion = 12e-6\n'
    found = edited(text, {"tolerances.base": "50 um", "heat.temperature": 8})
    assert "base = 0.05  # drilled\n" in found
    assert "temperature = 8.0\n" in found


def test_legs_written_joint_by_joint():
    found = edited(JOINTED, {"leg.A.joint.rail.viscous": 2.0, "leg.A.base.x": 0.1, "leg.A.joint.rail.axis": [0, -1, 0]})
    for line in ("axis = [0, -1.0, 0]  # along the bench\n", "viscous = 2.0\n", "position = [0.1, 0.0, 0.0]\n"):
        assert line in found
    assert "mass = 0.3" in edited(JOINTED, {"leg.A.joint.rail.body.mass": 0.3})


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_a_byte_order_mark(tmp_path, end, mark):
    path, again = tmp_path / "ring.toml", tmp_path / "again.toml"
    path.write_bytes((mark + RING.replace("\n", end)).encode())
    changes = {"legs.base.radius": 0.7125, "length": 0.45, "leg.2.platform.x": 0.4, "tolerances.zero": 2e-5}
    robot = load(path).replace(changes)
    robot.write(again)
    assert same(load(again), robot)
    assert b"radius = 712.5, half_angle = 12 }  # as drawn" in again.read_bytes()
    assert again.read_bytes().count(b"\r") == (again.read_bytes().count(b"\n") if end == "\r\n" else 0)


def test_legs_that_are_written_joint_by_joint_follow_the_text():
    robot = read(RING).explicit([1])
    assert same(read(robot.to_toml()), robot)
    assert robot.to_toml().startswith(RING)
    robot = robot.explicit()
    assert read(robot.to_toml()) == robot


@pytest.mark.parametrize("name", ["stewart", "rotary", "fivebar"])
def test_a_payload_is_written_into_the_file(name):

    robot = load(name).with_payload("300 g", [0, 0, "10 mm"])
    text = robot.to_toml()
    assert same(read(text), robot)
    comments = [line for line in catalogue_text(name).splitlines() if line.startswith("#")]
    assert all(line in text for line in comments)


def test_keys_of_tables_with_lists_alone():
    assert "stroke = [500, 1200], viscous = 0.002 }" in edited(RING, {"legs.actuator.viscous": 2.0})
    assert "stroke = [500, 1200], spring.stiffness = 5.0 }" in edited(RING, {"legs.actuator.spring.stiffness": 5000.0})
    listed = toml_text(read(JOINTED).spec)
    assert edited(listed, {"leg.A.joint.rail.viscous": 2.0}).count("\n") == listed.count("\n")


def test_springs_behind_the_end():
    robot = read(RING)
    ends = {"first": {"body": "base"}, "second": {"body": "platform", "point": [0.0, 0.0, 0.1]}}
    spring = {"name": "lift", "stiffness": 300.0, **ends}
    one = robot.with_spec({**robot.spec, "spring": [spring]})
    found = one.to_toml()
    assert found.startswith(RING + "\n[[spring]]\n")
    assert "stiffness = 0.3\n" in found
    assert same(read(found), one)
    two = read(found).with_spec({**one.spec, "spring": [spring, {**spring, "name": "other"}]})
    assert two.to_toml().startswith(found + "\n[[spring]]\n")
    assert same(read(two.to_toml()), two)
    assert same(read(robot.with_spec(robot.spec).to_toml()), robot)
    assert same(read(read(two.to_toml()).with_spec(robot.spec).to_toml()), robot)


def test_comments_with_other_line_breaks_do_not_shift_a_line():
    text = RING.replace("# My hexapod", "# My\x85hexapod\u2028of two lines")
    assert edited(text, {"platform.com.z": 0.0125}).startswith("# My\x85hexapod\u2028of two lines\n")
