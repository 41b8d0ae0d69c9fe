"""Inertias in kg m^2 in a file of millimetres: accepted with a warning that names the line and the likely unit."""

from __future__ import annotations

import warnings

import pytest

from gough import RobotError, catalogue, load, loads
from gough.errors import GoughWarning
from tests.cli.running import outcome

TEXT = """
name = "mine"
[units]
length = "mm"
angle = "deg"
[platform]
coordinates = { x = "x", y = "y", z = "z", a = "rz", b = "ry", c = "rx" }
home = [0, 0, 2000, 0, 0, 0]
mass = 1.43
inertia = [0.2, 0.2, 0.3]
[legs]
type = "UPS"
base = { radius = 1500, half_angle = 15 }
platform = { radius = 750, half_angle = 0 }
cylinder = { mass = 0.39, com = [500, 0, 0], inertia = [0, 0.1, 0.1] }
piston = { mass = 0.39, com = [-500, 0, 0], inertia = [0, 1e5, 1e5] }
"""
WHY = 'far too small? (kg m^2 read as kg mm^2: state [units] inertia = "kg m^2")'


def told(text):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        loads(text, "mine.toml")
    assert all(entry.category is GoughWarning for entry in caught)
    return [str(entry.message) for entry in caught]


def test_each_body_is_told_once_with_its_line_and_the_likely_unit():
    assert told(TEXT) == [
        f"mine.toml:10: platform.inertia: [0.2, 0.2, 0.3]: radius of gyration 0.000458 m, platform of 0.75 m: {WHY}",
        f"mine.toml:15: legs.cylinder.inertia: [0, 0.1, 0.1]: radius of gyration 0.000506 m, leg of 2.29 m: {WHY}",
    ]


def test_the_unit_proposed_is_right():
    text = TEXT.replace('length = "mm"', 'length = "mm"\ninertia = "kg m^2"').replace("1e5", "0.1")
    assert told(text) == []
    right = loads(text)
    same = TEXT.replace("[0.2, 0.2, 0.3]", "[0.2e6, 0.2e6, 0.3e6]").replace("0, 0.1, 0.1", "0, 1e5, 1e5")
    assert told(same) == []
    assert right.platform.body.inertia == pytest.approx(loads(same).platform.body.inertia, rel=1e-15)


@pytest.mark.parametrize("inertia", ["[0, 0, 0]", "[0.2e-7, 0.2e-7, 0.2e-7]", "[500, 500, 500]", "[1e5, 1e5, 1e5]"])
def test_what_may_be_meant_is_not_told(inertia):
    """Zero; so small that a factor does not mend it; a small body; a usual one."""
    text = TEXT.replace("[0, 0.1, 0.1]", "[0, 1e5, 1e5]").replace("[0.2, 0.2, 0.3]", inertia.replace("500", "2.0e3"))
    assert told(text) == []


@pytest.mark.parametrize(("inertia", "unit"), [("[0, 100, 100]", "g m^2"), ("[0, 0.1, 0.1]", "kg m^2")])
def test_the_likely_unit_is_the_one_that_makes_a_rod_of_it(inertia, unit):
    text = TEXT.replace('length = "mm"', 'length = "mm"\nmass = "g"').replace("1.43", "1430").replace("0.39", "390")
    text = text.replace("[0.2, 0.2, 0.3]", "[2e8, 2e8, 3e8]").replace("1e5", "1e8").replace("[0, 0.1, 0.1]", inertia)
    (line,) = told(text)
    assert line.endswith(f'({unit} read as g mm^2: state [units] inertia = "{unit}")')


def test_about_a_joint_it_is_an_error():
    text = TEXT.replace("inertia = [0, 0.1, 0.1]", 'inertia = [0, 0.2, 0.2], about = "joint"')
    with pytest.raises(RobotError) as caught:
        loads(text)
    assert "negative moment" in str(caught.value)
    assert "(check [units] inertia, about, and the order xx, yy, zz, xy, xz, yz)" in str(caught.value)


@pytest.mark.parametrize("name", catalogue())
def test_the_catalogue_is_free_of_it(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load(name)


def test_the_command_shows_it_and_goes_on(capsys, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(TEXT)
    code, out, err = outcome(capsys, "ik", str(path))
    assert code == 0
    assert "condition" in out
    assert [line.startswith(f"gough: warning: {path}:") for line in err.splitlines()] == [True, True]


def test_changed_numbers_are_not_told_again():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        robot = loads(TEXT)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert robot.replace({"platform.mass": 2.0}).platform.body.mass == 2.0


@pytest.mark.parametrize(("viscous", "lines"), [("0.2", 0), ("0.4", 1)])
def test_friction_that_takes_more_than_the_force_at_full_speed_is_told_once(viscous, lines):
    text = TEXT.replace("[0.2, 0.2, 0.3]", "[1e5, 1e5, 1e5]").replace("[0, 0.1, 0.1]", "[0, 1e5, 1e5]")
    text += f"actuator = {{ speed = 1000, force = 300, viscous = {viscous} }}\n"
    why = "takes 400 N at its speed of 1 m/s, force 300 N: too large?"
    unit = "its unit follows from [units]: N s/mm with mm, N mm s/deg with deg"
    place = f"mine.toml:17: legs.actuator.viscous: {viscous}: legs 1, 2, 3, 4, 5, 6"
    assert told(text) == [f"{place}: {why} ({unit})"] * lines
