"""A leg type in one file outside gough has all that gough's own have: keys, units, addresses, pages, picture."""

import importlib.util
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gough
from gough.cli.new import kind_of, starter
from gough.robot.file import fields
from gough.robot.file.reader import Table, key_of
from gough.robot.legs.leg_keys import SharedKeys
from gough.view.drawing.draw import png
from tests.robot.offset_strut import UPSE, OffsetKeys, ShoeTable

ROOT = Path(__file__).parents[2]
TEXT = UPSE.example
IN_MM = (
    TEXT.replace("[platform]", '[units]\nlength = "mm"\ninertia = "kg m^2"\nacceleration = "m/s^2"\n\n[platform]')
    .replace("home = [0, 0, 0.6", "home = [0, 0, 600")
    .replace("radius = 0.5,", "radius = 500,")
    .replace("radius = 0.3,", "radius = 300,")
    .replace("eccentricity = 0.03 ", "eccentricity = 30 ")
    .replace("width = 0.04", "width = 40")
    .replace("[0, 0.01, 0]", "[0, 10, 0]")
    .replace("[0.2, 0, 0]", "[200, 0, 0]")
    .replace("[0.4, 0.9]", "[400, 900]")
    .replace("radius = 0.02", "radius = 20")
)
OFFSET = 0.05


@pytest.fixture(autouse=True)
def registered():
    gough.register_leg_type(UPSE)
    yield
    del gough.SHORT_FORMS["UPSe"]


def distances(robot, x):
    """(6,) distances between the ends of the legs, from points alone."""
    inside = gough.inverse_kinematics(gough.loads(robot_of_struts()), x)
    return inside.q


def robot_of_struts():
    lines = [line for line in TEXT.splitlines() if not line.startswith(("eccentricity", "shoe"))]
    return "\n".join(lines).replace("UPSe", "UPS").replace("stroke = [0.4, 0.9], ", "")


def test_its_equations_are_those_of_its_joints():
    robot = gough.loads(TEXT)
    x = robot.home + [0.02, -0.03, 0.05, 0.1, 0.05, -0.08]
    found = gough.inverse_kinematics(robot, x)
    np.testing.assert_allclose(found.q, np.sqrt(distances(robot, x) ** 2 - OFFSET**2), rtol=0, atol=1e-12)
    back = gough.forward_kinematics(robot, found.q)
    np.testing.assert_allclose(back.x, x, rtol=0, atol=1e-10)
    state = gough.State(x, np.full(6, 0.1), np.full(6, 0.3))
    forces = [gough.inverse_dynamics(robot, state, formulation=own).force for own in gough.FORMULATIONS]
    for force in forces[1:]:
        np.testing.assert_allclose(force, forces[0], rtol=0, atol=1e-9)


def test_its_keys_are_in_the_units_of_the_file():
    one, other = gough.loads(TEXT), gough.loads(IN_MM)
    assert other.spec["legs"]["shoe"]["width"] == one.spec["legs"]["shoe"]["width"]
    assert other.mechanism == one.mechanism


@pytest.mark.parametrize(
    ("was", "now", "line"),
    [
        (
            "eccentricity = 0.03",
            "eccentricity = -0.03",
            "mine.toml:15: legs.eccentricity: -0.03: must not be negative (turn the leg over)",
        ),
        ("width = 0.04, ", "", "mine.toml:16: legs.shoe.width: is missing"),
        ("width = 0.04", "width = 0.4", "mine.toml:16: legs.shoe.width: 0.4: must be at most 0.2 m"),
        ("width = 0.04", "widht = 0.04", "mine.toml:16: legs.shoe.widht: unknown key (did you mean width?)"),
        (
            "eccentricity = 0.03",
            "eccentricity = 3",
            "mine.toml:15: legs.eccentricity: 3: legs 1, 2, 3, 4, 5, 6: is more than the leg is long (check "
            "platform.home)",
        ),
        ('type = "UPSe"', 'type = "UPS"', "mine.toml:15: legs.eccentricity: is not used by legs of type UPS"),
    ],
)
def test_its_faults_name_line_and_key(was, now, line):
    with pytest.raises(gough.RobotError) as error:
        gough.loads(TEXT.replace(was, now), "mine.toml")
    assert str(error.value).startswith(line)


def test_its_numbers_have_addresses():
    robot = gough.loads(IN_MM)
    wider = robot.replace({"legs.shoe.width": "60 mm", "leg.2.eccentricity": "10 mm"})
    assert [leg.end.point[1] for leg in wider.legs] == pytest.approx([0.06, 0.04, *[0.06] * 4], abs=1e-15)
    again = gough.loads(wider.to_toml())
    assert again == wider
    assert "# of the ball joint" in wider.to_toml()
    assert robot.explicit().mechanism == robot.mechanism
    tolerant = robot.with_errors({"tolerances": {"legs.eccentricity": "0.1 mm"}})
    assert gough.pose_errors(tolerant, robot.home).worst.max() > 0
    slope = gough.force_derivatives(robot, robot.home, wrt="legs.eccentricity")["legs.eccentricity"]
    step = 1e-6
    ends = [
        gough.inverse_dynamics(robot.replace({"legs.eccentricity": f"{30 + sign * 1e3 * step} mm"}), robot.home).force
        for sign in (-1, 1)
    ]
    np.testing.assert_allclose(slope, (ends[1] - ends[0]) / (2 * step), rtol=0, atol=1e-4)


def test_pages_picture_and_starter_have_it():
    found = importlib.util.spec_from_file_location("robot_file_page", ROOT / "tools" / "robot_file_page.py")
    tool = importlib.util.module_from_spec(found)
    found.loader.exec_module(tool)
    page = tool.page()
    assert "| UPSe | shoe | eccentricity, cylinder, cone, end_cone |" in page
    assert "| `eccentricity` | Distance of the ball joint from the face of the shoe. | number [m] | 0 |" in page
    assert "## shoe\n\nShoe that guides the piston, in the axes of the cylinder.\n" in page
    assert "| `width` | Width of the shoe, from which the ball joint is. | number [m] |" in page
    assert starter(kind_of("upse")) == TEXT
    assert png(gough.loads(TEXT))[:4] == b"\x89PNG"


class _Lead(Table):
    lead = fields.ANGLE
    """Angle of the lead. Default: 0."""


class _Names(Table):
    names = fields.LENGTH
    """Length of the names. Default: 0."""


class _Needed(Table):
    width = fields.LENGTH.of(needed=True)
    """Width of the leg."""


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({}, "leg type UPSe: there is one already; give it another name"),
        (
            {"name": "other", "keys": _Lead},
            "leg type other: key lead: other legs have a key of that name; choose another",
        ),
        (
            {"name": "other", "keys": _Names},
            "leg type other: key names: other legs have a key of that name; choose another",
        ),
        (
            {"name": "other", "keys": _Needed},
            "leg type other: key width: must not be needed by all legs; list it in needed of the type",
        ),
        (
            {"name": "other", "keys": SharedKeys, "optional": ("lenght",)},
            "leg type other: key lenght: has no description; state it in keys, a kind of Table",
        ),
    ],
)
def test_types_whose_keys_would_mean_something_else_are_refused(change, line):
    with pytest.raises(gough.InputError) as error:
        gough.register_leg_type(replace(UPSE, **change))
    assert str(error.value) == line
    assert list(gough.SHORT_FORMS)[-1] == "UPSe"


def test_keys_of_another_type_may_be_used_by_name():
    gough.register_leg_type(replace(UPSE, name="other", optional=(*UPSE.optional, "lower", "eccentricity")))
    try:
        robot = gough.loads(TEXT.replace("UPSe", "other").replace("[legs]", "[legs]\nlower = 0.3"))
        assert robot.spec["legs"]["lower"] == 0.3
    finally:
        del gough.SHORT_FORMS["other"]


def test_a_robot_with_it_needs_it_in_every_process():
    stored = pickle.dumps(gough.loads(TEXT))
    assert pickle.loads(stored).mechanism == gough.loads(TEXT).mechanism
    del gough.SHORT_FORMS["UPSe"]
    with pytest.raises(gough.InputError, match="leg type UPSe: is not known in this process; call"):
        pickle.loads(stored).mechanism  # noqa: B018
    gough.register_leg_type(UPSE)


def test_its_tables_describe_themselves():
    assert ShoeTable.keys().keys() > {"mass", "width"}
    assert key_of(ShoeTable) == OffsetKeys.keys()["shoe"]
