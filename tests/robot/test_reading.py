"""The parts of reading: line numbers of keys, units, nearest names."""

import math

import pytest

from gough.robot.checks.fault import render
from gough.robot.file.fields import LENGTH
from gough.robot.file.leg_schema import JointTable
from gough.robot.file.reader import Key, Reader, file_units
from gough.robot.file.schema import RobotTable, UnitsTable
from gough.robot.file.toml_tables import key_lines
from gough.robot.file.units import BASE, parse, units
from gough.robot.names import did_you_mean, nearest

TEXT = '''# comment [not.a.table]
name = "a # b"          # 2
title = """
[no]
x = 1
"""
'quoted' = 'it''s'.len
'''.replace("'quoted' = 'it''s'.len\n", "'quoted' = 'x]'\n")

REST = """[a.b]
c = [1,  # 9
  [2, 3],
  { d = 1, e = { f = 2 } },
]
g.h = 3
[[leg]]
name = "A"
[[leg.joint]]
x = 1
[[leg.joint]]
x = 2
[leg.end]
type = "r"
[[leg]]
[[leg.joint]]
x = [
  [1, 2],
  [3, 4]
]
"""


def test_lines_of_keys():
    lines = key_lines(TEXT + REST)
    assert lines["name",] == 2
    assert lines["title",] == 3
    assert lines["quoted",] == 7
    assert lines["a", "b"] == 8
    assert lines["a", "b", "c"] == 9
    assert lines["a", "b", "c", 1] == 10
    assert lines["a", "b", "c", 2, "e", "f"] == 11
    assert lines["a", "b", "g", "h"] == 13
    assert lines["leg", 0, "name"] == 15
    assert lines["leg", 0, "joint", 0, "x"] == 17
    assert lines["leg", 0, "joint", 1, "x"] == 19
    assert lines["leg", 0, "end", "type"] == 21
    assert lines["leg", 1, "joint", 0, "x", 1, 0] == 26
    assert max(lines.values()) == 26


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_lines_with_either_newline(newline):
    text = 'a = 1\nb = """x\ny"""\nc = 2\n'.replace("\n", newline)
    assert key_lines(text)["c",] == 4


@pytest.mark.parametrize(
    ("text", "value"),
    [("g mm^2", 1e-9), ("kg m^2", 1.0), ("kg*m^2", 1.0), ("lb in^2", 0.45359237 * 0.0254**2), ("g cm^2", 1e-7)],
)
def test_units_of_inertia(text, value):
    dimension, size = parse(text)
    assert dimension == (2, 1, 0, 0)
    assert size == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("text", ["", "furlong", "kg m^", "m^-1", "kg^2.5"])
def test_no_units(text):
    assert parse(text) is None or parse(text)[0] == (0, 0, 0, 0)


def test_forces_that_actuators_prefer_are_in_the_unit_of_each():
    legs = [{"type": kind} for kind in ("UP", "RUS", "PUS")]
    tables = {"units": {"length": "mm"}, "actuation": {"reference": [1000, 1000]}, "leg": legs}
    tables |= {"name": "x", "platform": {"coordinates": {"x": "x"}, "mass": 1}}
    reader = Reader(file_units(tables))
    assert reader.table(RobotTable, tables)["actuation"] == {"reference": [1.0, 1000.0]}
    assert not reader.faults


@pytest.mark.parametrize(("slide", "count"), [(1500.0, 0), (2e6, 1)])
def test_starts_of_a_cylindrical_joint_are_checked_in_si_units(slide, count):
    reader = Reader(units({"length": "mm", "angle": "deg"}))
    joint = reader.table(JointTable, {"type": "C", "axis": [0, 0, 1], "starts": [180, slide]})
    assert joint["starts"] == [math.pi, slide / 1000]
    assert [fault.path for fault in reader.implausible] == [("starts",)] * count


@pytest.mark.parametrize(
    ("stated", "line"),
    [
        ({}, 'radius: 200: implausibly large: at most 100 m (mm for m? state [units] length = "mm")'),
        ({"length": "mm"}, 'radius: 200: implausibly small: at least 1 m (m for mm? state [units] length = "m")'),
        ({"length": "in"}, ""),
    ],
)
def test_bounds_are_part_of_a_key_and_hints_propose_no_unit_that_the_file_is_in(stated, line):
    reader = Reader(units(stated))
    reader.table({"radius": LENGTH.of(low=1.0)}, {"radius": 200})
    assert [render("", fault, None).removeprefix(": ") for fault in reader.implausible] == ([line] if line else [])


def test_a_new_unit_is_one_entry(monkeypatch):
    monkeypatch.setitem(BASE, "ft", ((1, 0, 0, 0), 0.3048))
    reader = Reader(file_units({"units": {"length": "ft"}}))
    assert reader.table({"units": Key(UnitsTable), "x": LENGTH}, {"units": {"length": "ft"}, "x": 10})["x"] == 3.048
    assert not reader.faults


def test_compound_units_follow_from_simple_ones():
    table = units({"length": "mm", "mass": "g", "angle": "deg", "force": "kN"})
    assert table.inertia == pytest.approx(1e-9)
    assert table.torque == pytest.approx(1.0)
    assert table.factor("speed", "R") == math.pi / 180
    assert table.factor("viscous", "P") == pytest.approx(1e6)
    assert table.factor("gear", "P") == pytest.approx(math.pi / 180 * 1000)
    assert table.factor("gear", "R") == 1.0
    assert units({"length": "mm", "torque": "N m"}).torque == 1.0


def test_nearest_names():
    assert nearest("pistn", ["piston", "cylinder"]) == "piston"
    assert nearest("WEIGHT", ["mass", "length"]) == "mass"
    assert nearest("qq", ["mass"]) is None
    assert did_you_mean("qq", ["mass", "com"]) == "known: mass, com"
    assert did_you_mean("qq", ["mass", "com"], listed=False) == ""
