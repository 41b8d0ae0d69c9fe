"""`[tolerances]`, `[heat]` and `[stiffness]` in a robot's own file: read, written, addressed, refused."""

from __future__ import annotations

from importlib.resources import files

import pytest

import gough
from gough.robot import RobotError, loads
from gough.robot.error_sources import ErrorSources

STEWART = (files("gough.robot") / "catalog" / "stewart.toml").read_text("utf-8")
LINE = STEWART.count("\n") + 1
TABLES = """[tolerances]
base = "0.1 mm"
zero = 2e-5
"leg.1.position.0" = "1 mm"
leg.2.position.1 = 1e-3
"legs.platform.radius" = "0.5 mm"
distribution = "normal"
[heat]
temperature = 5
expansion = 12e-6
[stiffness]
actuator = "20 N/um"
tilt = "1e4 N m/rad"
"""
ADDRESSES = {"leg.1.position.0": pytest.approx(1e-3), "leg.2.position.1": 1e-3}
FORMS = {"base": pytest.approx(1e-4), "zero": 2e-5}
ELASTIC = {"actuator": pytest.approx(2e7), "tilt": 1e4}


def test_the_file_says_it():
    errors = loads(STEWART + TABLES).errors
    assert errors.by_address == {**ADDRESSES, "legs.platform.radius": pytest.approx(5e-4)}
    assert (errors.by_form, errors.distribution, errors.stiffness) == (FORMS, "normal", ELASTIC)
    assert (errors.temperature, errors.expansion) == (5.0, 12e-6)
    assert loads(STEWART).errors == ErrorSources()


def test_written_and_read_again():
    """Tolerances of the short form's own numbers have no place in the explicit form; all others come back."""
    robot = loads(STEWART + TABLES)
    again = loads(robot.to_toml())
    assert again == robot
    assert again.errors.by_address == ADDRESSES
    assert (again.errors.by_form, again.errors.stiffness) == (FORMS, ELASTIC)
    assert (again.errors.distribution, again.errors.temperature) == ("normal", 5.0)


def test_kept_when_other_numbers_change_and_changed_by_address():
    robot = loads(STEWART + TABLES)
    for changed in (robot.replace({"platform.mass": 3.0}), robot.replace({"leg.1.position.0": 1.0})):
        assert changed.errors.by_form == FORMS
        assert all(changed.errors.by_address[path] == half for path, half in ADDRESSES.items())
    finer = robot.replace({"tolerances.base": "50 um", "tolerances.leg.1.position.0": 2e-3, "stiffness.joint": 1e8})
    assert finer.errors.by_form["base"] == pytest.approx(5e-5)
    assert finer.errors.by_address["leg.1.position.0"] == 2e-3
    assert finer.errors.stiffness["joint"] == 1e8
    assert loads(STEWART).replace({"tolerances.zero": 1e-5}).errors.by_form == {"zero": 1e-5}


@pytest.mark.parametrize(
    ("tables", "line"),
    [
        ("[tolerances]\nbse = 1", "{1}: tolerances.bse: no such number in the robot (did you mean base?)"),
        ('[tolerances]\nbase = "5 kg"', '{1}: tolerances.base: "5 kg": its unit must be mm, cm, m or in, not kg'),
        ("[tolerances]\n\nzero = -1", "{2}: tolerances.zero: -1: must not be negative"),
        (
            '[tolerances]\n"leg.7.position.0" = 1',
            "{1}: tolerances.leg.7.position.0: no such number in the robot (did you mean leg.6.position.0?)",
        ),
        ("[stiffness]\njoints = 3", "{1}: stiffness.joints: unknown key (did you mean joint?)"),
        ("[stiffness]\nlink = 0", "{1}: stiffness.link: 0: must be positive; leave it out for what is rigid"),
        ("[heat]\ntemperature = 3", "{0}: heat: needs both temperature [K] and expansion [1/K]"),
        ("[[tolerances]]\nbase = 1", "{0}: tolerances: [{{base = 1}}]: must be a table"),
        ("[tolerances]\nbase = true", "{1}: tolerances.base: true: must be a number"),
    ],
)
def test_faults_have_file_and_line(tables, line):
    with pytest.raises(RobotError) as error:
        loads(STEWART + tables, "mine.toml")
    assert str(error.value) == "mine.toml:" + line.format(LINE, LINE + 1, LINE + 2)


def test_angles_of_cranks_take_angles():
    cranks = gough.load("rotary")
    assert gough.error_sources(cranks, {"tolerances": {"zero": "1 deg"}}).by_form["zero"] == pytest.approx(0.0174533)
    with pytest.raises(RobotError, match="its unit must be deg or rad, not mm"):
        gough.error_sources(cranks, {"tolerances": {"zero": "1 mm"}})
