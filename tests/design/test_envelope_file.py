"""Envelope files: units, defaults and the exact lines of faults."""

import numpy as np
import pytest

from gough import RobotError, load
from gough.design import Envelope, envelope_of
from gough.errors import InputError


def test_units_and_defaults():
    robot = load("stewart")
    text = "[pose]\nx = [-100, 100]\npsi = [-10, 10]\n[velocity]\nz = 50\nphi = 90\n[wrench]\nfz = -5\n"
    text += '[units]\nlength = "mm"\nangle = "deg"\n'
    e = envelope_of(robot, text)
    assert e.pose[0] == pytest.approx((-0.1, 0.1))
    assert e.pose[2] == (2.0, 2.0)
    assert e.pose[3] == pytest.approx((-np.pi / 18, np.pi / 18))
    assert e.velocity == pytest.approx((0, 0, 0.05, 0, 0, np.pi / 2))
    assert e.wrench[2] == (-5.0, -5.0)
    assert (e.twist, e.velocity_ball, e.acceleration_ball) == (False, False, False)


STATED = """
[pose]
x = ["-100 mm", 100]
psi = "15deg"
[velocity]
z = "50 mm/s"
phi = "1.5 rpm"
[acceleration]
x = "1 m/s^2"
y = 2000
[payload]
mass = [0, "2000 g"]
mz = "300 kg mm"
xx = "5e6 g mm^2"
[wrench]
fz = "-5 kN"
mx = "200 N mm"
my = 300
[units]
length = "mm"
"""


def test_a_number_may_carry_its_unit():
    """A text has its own unit, whatever `[units]` says of plain numbers."""
    e = envelope_of(load("stewart"), STATED)
    still = (0.0, 0.0)
    assert e.pose[0] == pytest.approx((-0.1, 0.1))
    assert e.pose[3] == pytest.approx((np.pi / 12,) * 2)
    assert e.velocity == pytest.approx((0, 0, 0.05, 0, 0, 1.5 * 2 * np.pi / 60))
    assert e.acceleration == pytest.approx((1.0, 2.0, 0, 0, 0, 0))
    assert np.array(e.payload[:5]) == pytest.approx(np.array([(0.0, 2.0), still, still, (0.3, 0.3), (5e-3, 5e-3)]))
    assert np.array(e.wrench[2:5]) == pytest.approx(np.array([(-5000.0,) * 2, (0.2,) * 2, (0.3,) * 2]))


def test_the_same_in_python():
    tables = {"pose": {"x": ("-100 mm", np.float64(0.1))}, "velocity": {"phi": "90 deg/s"}}
    text = "[pose]\nx = [-0.1, 0.1]\n[velocity]\nphi = 1.5707963267948966\n"
    assert envelope_of(load("stewart"), tables) == envelope_of(load("stewart"), text)
    plain = Envelope(((-0.1, 0.1), (2.0, 2.0)), (0.5, 0.0), (0.0, 2.0), ("x", "z"), wrench=((0.0, 2000.0),) * 6)
    given = [["-100 mm", 0.1], ["2 m", 2.0]]
    loads = [[0.0, "2 kN"]] * 3 + [[0.0, "2000 N m"]] * 3
    assert Envelope(given, ["0.5 m/s", 0.0], [0.0, "2000 mm/s^2"], ["x", "z"], wrench=loads) == plain
    with pytest.raises(InputError, match=r"^envelope: pose: 1 kg: its unit must be mm, cm, m, in, deg or rad, not kg$"):
        Envelope([["1 kg", 0.0]], [0.0], [0.0], ["x"])
    with pytest.raises(InputError, match=r"^envelope: wrench fx: 1 N m: its unit must be N, kN, lbf or kgf, not N m$"):
        Envelope([[0.0, 0.0]], [0.0], [0.0], ["x"], wrench=[[0.0, "1 N m"]] * 6)


def test_a_twist():
    e = envelope_of(
        load("stewart"), '[pose]\nx = [0, 1]\n[velocity]\nof = "twist"\nwx = 2\n[acceleration]\nof = "twist"\n'
    )
    assert e.rates == ("vx", "vy", "vz", "wx", "wy", "wz")
    assert e.velocity == (0, 0, 0, 2, 0, 0)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "env.toml: is empty"),
        ("[pose]\nx = [1, 0]", "env.toml:2: pose.x: [1, 0]: the first must not be larger than the second"),
        ("[pose]\nw = [0, 1]", "env.toml:2: pose.w: unknown key (known: x, y, z, psi, theta, phi)"),
        ("[pose]\nx = [0, 1, 2]", "env.toml:2: pose.x: [0, 1, 2]: must be a list of 2 numbers"),
        ("[velocity]\nx = 1", "env.toml:1: pose: is missing or empty: state the range of a coordinate (x = [-0.1, 0.1])"),  # noqa: E501
        ("[pose]\nx = 0\n[velocity]\nx = -1", "env.toml:4: velocity.x: -1: must not be negative"),
        ("[pose]\nx = 0\n[velocity]\nshape = 'ball'", 'env.toml:4: velocity.shape: "ball": must be "box" or "ellipsoid"'),  # noqa: E501
        ("[pose]\nx = 0\n[velocity]\nof = 'twist'\nx = 1", "env.toml:5: velocity.x: unknown key (did you mean wx?)"),
        ("[pose]\nx = 0\n[payload]\nmass = [-1, 2]", "env.toml:4: payload.mass: [-1, 2]: must not be negative"),
        ("[pose]\nx = 0\n[wrench]\nfz = inf", "env.toml:4: wrench.fz: inf: must be a finite number"),
        ("[pose]\nx = 0\n[velocity]\nx = 1e300", "env.toml:4: velocity.x: 1e+300: implausibly large: at most 1e+12"),
        ("pose = 3", "env.toml:1: pose: 3: must be a table"),
        ("[pose]\npsi = [-90, 90]", 'env.toml:2: pose.psi: [-90, 90]: is more than a whole turn (for degrees: [units] angle = "deg")'),  # noqa: E501
        ("[pose]\nx = 0\n[payload]\nmz = [0, 1]", "env.toml:4: payload.mz: [0, 1]: needs a mass: it is mass times distance"),  # noqa: E501
        ("[pose]\nx = 0\n[payload]\nxx = [-1, 1]", "env.toml:4: payload.xx: [-1, 1]: must not be negative"),
        ("[pose]\nx = 0\n[units]\nangle = 'grad'", 'env.toml:4: units.angle: "grad": must be deg or rad'),
        ("[pose]\nx = 0,5", "env.toml:2: not valid TOML: expected newline or end of document after a statement"),
        ("x = 1\n[pose]\nx: 3", "env.toml:3: not valid TOML: expected '=' after a key in a key/value pair"),
        ("[pse]\nx = 0", "env.toml:1: pse: unknown key (did you mean pose?)"),
        ("[pose]\nx = '5 deg'", 'env.toml:2: pose.x: "5 deg": its unit must be mm, cm, m or in, not deg'),
        ("[pose]\nx = [0, 'a']", 'env.toml:2: pose.x: [0, "a"]: a is not a number, with or without a unit (mm, cm, m or in)'),  # noqa: E501
        ("[pose]\nx = 0\n[velocity]\nz = '1 mm'", 'env.toml:4: velocity.z: "1 mm": its unit must be mm/s, cm/s, m/s or in/s, not mm'),  # noqa: E501
        ("[pose]\nx = 0\n[wrench]\nmx = '1 N'", 'env.toml:4: wrench.mx: "1 N": its unit must be N m, N mm or kgf cm, not N'),  # noqa: E501
        ("[pose]\nx = 0\n[payload]\nmz = '1 kg'", 'env.toml:4: payload.mz: "1 kg": its unit must be kg m or kg mm, not kg'),  # noqa: E501
        ("[pose]\nx = true", "env.toml:2: pose.x: true: must be a number"),
        ("[pose]\nx = 0\n[units]\nlenght = 'mm'", "env.toml:4: units.lenght: unknown key (did you mean length?)"),
    ],
)  # fmt: skip
def test_faults(text, line):
    with pytest.raises(RobotError) as error:
        envelope_of(load("stewart"), text, "env.toml")
    assert line in str(error.value).splitlines()


def test_one_line_for_what_is_no_table():
    with pytest.raises(RobotError) as error:
        envelope_of(load("stewart"), "pose = 3", "env.toml")
    assert len(str(error.value).splitlines()) == 1
