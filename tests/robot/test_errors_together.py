"""All faults of one stage of the checks are reported together; numbers are checked once the form of a file is right."""

from __future__ import annotations

import pytest

from gough import RobotError, loads

TEXT = """
name = "mine"
gravty = [0, 0, -9.81]
[platform]
coordinates = { x = "x", y = "y", z = "z", a = "rz", b = "ry", c = "rx" }
home = [0, 0, 2, 0, 0, 0]
mass = -1.43
inertia = [0.2, 0.2, 0.3]
[legs]
type = "UPS"
base = { radius = 1.5, half_angle = 0.26 }
platform = { radius = 0.75, half_angle = 0 }
cylinder = { mass = 0.39, com = [0.5, 0, 0], inertia = [0, 0.1, 0.1] }
piston = { mass = "heavy", com = [-0.5, 0, 0], inertia = [0, 0.1, 0.1] }
"""


def lines(text):
    with pytest.raises(RobotError) as caught:
        loads(text, "mine.toml")
    return str(caught.value).split("\n")


def test_stages_of_one_file_follow_each_other():
    """An unknown key, a wrong type and a wrong unit; then numbers; then keys that do not go together; then drives."""
    text = TEXT.replace("[platform]", '[units]\nlength = "furlong"\n[platform]', 1).replace("0.75", "-0.75")
    assert lines(text) == [
        "mine.toml:3: gravty: unknown key (did you mean gravity?)",
        'mine.toml:5: units.length: "furlong": must be mm, cm, m or in',
        'mine.toml:16: legs.piston.mass: "heavy": must be a number',
    ]
    text = text.replace("gravty", "gravity").replace("furlong", "m").replace('"heavy"', "0.1")
    assert lines(text) == [
        "mine.toml:9: platform.mass: -1.43: must be greater than 0",
        "mine.toml:14: legs.platform.radius: -0.75: must be greater than 0",
    ]
    text = text.replace("-0.75", "0.75, angles = [0, 1]").replace("-1.43", "1.43")
    assert lines(text) == ["mine.toml:14: legs.platform.angles: angles and half_angle exclude each other (keep one)"]
    text = text.replace(", half_angle = 0 ", " ")
    assert [line.split(" (")[0] for line in lines(text)] == [
        "mine.toml:7: platform.coordinates: missing actuators: 6 coordinates need 6 actuated joints, not 2"
    ]


def test_a_misspelt_key_that_is_needed_is_reported_once():
    assert lines(TEXT.replace("mass = -1.43", "masss = 1.43")) == [
        "mine.toml:3: gravty: unknown key (did you mean gravity?)",
        "mine.toml:7: platform.masss: unknown key (did you mean mass?)",
        'mine.toml:14: legs.piston.mass: "heavy": must be a number',
    ]


@pytest.mark.parametrize("value", ["9.81", '"down"', "[0, 0]", '[0, 0, "x"]', "true", "{ z = 1 }"])
@pytest.mark.parametrize("key", ["gravity", "length"])
def test_what_is_no_vector_or_number_is_reported_once(key, value):
    value = "-9.81" if (key, value) == ("length", "9.81") else value
    text = TEXT.replace("gravty = [0, 0, -9.81]", f"{key} = {value}").replace("-1.43", "1.43").replace('"heavy"', "0.1")
    assert [line.split(": ")[1] for line in lines(text)] == [key]


@pytest.mark.parametrize(("lead", "told"), [("5", ": 72 or 1.25664"), ('"5 mm"', "")])
def test_the_lead_of_a_ball_screw_is_told_as_a_gear(lead, told):
    text = TEXT.replace("gravty", "gravity").replace("-1.43", "1.43").replace('"heavy"', "0.1")
    text = text.rstrip("\n") + f"\nactuator = {{ lead = {lead} }}\n"
    hint = f"of a ball screw state gear = 360 / lead with angles in deg, 2 pi / lead in rad{told}"
    (line,) = lines(text)
    assert line.endswith(f": legs.actuator.lead: unknown key ({hint})")
