"""`[tolerances]`, `[heat]` and `[stiffness]` in a robot's own file: read, written, addressed, refused."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough import RobotError, load, loads
from tests.support.robots import catalogue_text
from tests.support.spindle_heads import head_file

STEWART = catalogue_text("stewart")
LINE = STEWART.count("\n") + 1
TABLES = """[tolerances]
base = "0.1 mm"
zero = 2e-5
"leg.1.base.0" = "1 mm"
leg.2.base.1 = 1e-3
"legs.platform.radius" = "0.5 mm"
distribution = "normal"
[heat]
temperature = 5
expansion = 12e-6
[stiffness]
actuator = "20 N/um"
tilt = "1e4 N m/rad"
"""
ADDRESSES = {
    "leg.1.base.0": pytest.approx(1e-3),
    "leg.2.base.1": 1e-3,
    "legs.platform.radius": pytest.approx(5e-4),
}
FORMS = {"base": pytest.approx(1e-4), "zero": 2e-5}
ELASTIC = {"actuator": pytest.approx(2e7), "tilt": 1e4}


def test_the_file_says_it():
    errors = loads(STEWART + TABLES).errors
    assert errors.by_address == ADDRESSES
    assert (errors.by_form, errors.distribution, errors.stiffness) == (FORMS, "normal", ELASTIC)
    assert (errors.temperature, errors.expansion) == (5.0, 12e-6)
    assert loads(STEWART).errors == gough.ErrorSources()


def test_written_and_read_again():
    robot = loads(STEWART + TABLES)
    again = loads(robot.to_toml())
    assert again == robot
    assert again.errors == robot.errors
    assert again.errors.by_address == ADDRESSES
    assert (again.errors.by_form, again.errors.stiffness) == (FORMS, ELASTIC)
    assert (again.errors.distribution, again.errors.temperature) == ("normal", 5.0)


def test_kept_when_other_numbers_change_and_changed_by_address():
    robot = loads(STEWART + TABLES)
    for changed in (robot.replace({"platform.mass": 3.0}), robot.replace({"leg.1.base.0": 1.0})):
        assert changed.errors.by_form == FORMS
        assert all(changed.errors.by_address[path] == half for path, half in ADDRESSES.items())
    finer = robot.replace({"tolerances.base": "50 um", "tolerances.leg.1.base.0": 2e-3, "stiffness.joint": 1e8})
    assert finer.errors.by_form["base"] == pytest.approx(5e-5)
    assert finer.errors.by_address["leg.1.base.0"] == 2e-3
    assert finer.errors.stiffness["joint"] == 1e8
    assert loads(STEWART).replace({"tolerances.zero": 1e-5}).errors.by_form == {"zero": 1e-5}
    added = robot.replace({"tolerances.leg.3.base.x": "20 um", "tolerances.leg.*.platform.z": "30 um"}).errors
    assert added.by_address["leg.3.base.0"] == pytest.approx(2e-5)
    assert [added.by_address[f"leg.{k}.platform.2"] for k in range(1, 7)] == [pytest.approx(3e-5)] * 6
    with pytest.raises(gough.PathError):
        robot.replace({"tolerances.leg.7.base.x": 1e-5})


@pytest.mark.parametrize(
    ("tables", "line"),
    [
        ("[tolerances]\nbse = 1", "{1}: tolerances.bse: no such number in the robot (did you mean base?)"),
        ('[tolerances]\nbase = "5 kg"', '{1}: tolerances.base: "5 kg": its unit must be um, mm, cm, m or in, not kg'),
        ("[tolerances]\n\nzero = -1", "{2}: tolerances.zero: -1: must not be negative"),
        (
            '[tolerances]\n"leg.7.base.0" = 1',
            "{1}: tolerances.leg.7.base.0: no such number in the robot (did you mean leg.6.base.0?)",
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
    assert cranks.with_errors({"tolerances": {"zero": "1 deg"}}).errors.by_form["zero"] == pytest.approx(0.0174533)
    with pytest.raises(RobotError, match="its unit must be deg or rad, not mm"):
        cranks.with_errors({"tolerances": {"zero": "1 mm"}})


def test_a_pattern_gives_every_leg_a_source_of_its_own(tmp_path):
    head = load(head_file(tmp_path))
    found = head.with_errors({"tolerances": {"leg.2.rod.length": 1e-5, "leg.*.rod.length": "20 um"}}).errors
    wanted = {"leg.1.rod.length": 2e-5, "leg.2.rod.length": 1e-5, "leg.3.rod.length": 2e-5}
    assert found.by_address == pytest.approx(wanted, rel=1e-15)
    common = gough.pose_errors(head.with_errors({"tolerances": {"legs.rod.length": "20 um"}}))
    own = gough.pose_errors(head.with_errors({"tolerances": {"leg.*.rod.length": "20 um"}}))
    # All rods longer together lift the head and do not tilt it; each on its own does both.
    np.testing.assert_allclose(own.map.sum(axis=2), common.map[:, :, 0], rtol=0, atol=1e-9)
    assert common.sd[0, 3:].max() < 1e-15 < 1e-6 < own.sd[0, 3:].max()


@pytest.mark.parametrize(
    ("table", "line"),
    [
        (
            {"leg.*.base.radius": "20 um"},
            "leg.*.base.radius: no such number in the robot (did you mean legs.base.radius?)",
        ),
        ({"leg.*.base.0": 1e-5, "leg.1.base.*": 1e-5}, "leg.1.base.*: leg.1.base.0 is stated twice"),
        ({"base": 20}, 'base: 20: 20 m is more than a tenth of the robot\'s size (write "20 um"?)'),
        ({"base": "20 cm"}, 'base: "20 cm": 0.2 m is more than a tenth of the robot\'s size'),
        (
            {"leg.1.rod.length": 20},
            'leg.1.rod.length: 20: 20 m is more than a tenth of the robot\'s size (write "20 um"?)',
        ),
    ],
)
def test_tolerances_that_mislead_are_refused(tmp_path, table, line):
    with pytest.raises(gough.InputError) as caught:
        load(head_file(tmp_path)).with_errors({"tolerances": table})
    assert str(caught.value) == f"errors: tolerances.{line}"


def test_an_angle_beyond_a_tenth_of_a_turn_is_refused():
    with pytest.raises(gough.InputError, match=r'zero: 1: is more than a tenth of a turn \(write "1 deg"\?\)$'):
        load("rotary").with_errors({"tolerances": {"zero": 1}})
