"""A quantity with its unit is read wherever one is given, beside any --units; errors speak in the units asked for."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from functools import cache

import numpy as np
import pytest

import gough
from gough import Motion
from gough.cli.motion_options import MotionOptions
from tests.cli.running import outcome
from tests.support.robots import pose_of, value_at


@cache
def rotary():
    return gough.load("rotary")


KILOGRAM_CENTIMETRES = ("kgf cm", "kgf*cm", "kg cm", "kg·cm", "kg-cm", "kg.cm", "kgcm", "kgfcm")
OUNCE_INCHES = ("ozf in", "oz in", "oz-in")


def test_poses_and_durations_in_python():
    motion = Motion.to(rotary(), {"pitch": "8 deg", "z": "125mm"}, "500 ms", start="pitch=-8deg")
    k = [c.name for c in rotary().platform.coordinates].index("pitch")
    assert motion(0.0).x[k] == pytest.approx(-math.radians(8), rel=1e-15)
    assert motion(0.5).x[k] == pytest.approx(math.radians(8), rel=1e-15)
    assert motion.duration == 0.5
    assert Motion.to(rotary(), "z=125mm", "0.5min").duration == 30.0


@pytest.mark.parametrize("units", ["", "mm", "mm,deg", "rad,ms,in"])
def test_a_unit_of_its_own_wins_over_units(units):
    names = [c.name for c in rotary().platform.coordinates]
    x = pose_of(rotary(), "pitch=15deg,z=125mm", units)
    assert x[names.index("pitch")] == pytest.approx(math.radians(15), rel=1e-15)
    assert x[names.index("z")] == pytest.approx(0.125, rel=1e-15)
    assert MotionOptions(to="pitch=15deg", duration="1s", units=units).on(rotary()).duration == 1.0


FORCE, TORQUE, SPEED = "legs.actuator.force", "legs.actuator.force", "legs.actuator.speed"


@pytest.mark.parametrize(
    ("name", "path", "text", "expected"),
    [
        ("stewart", "platform.home.2", "5 mm", 0.005),
        ("stewart", "platform.home.2", "5m", 5.0),
        ("stewart", "platform.mass", "2kg", 2.0),
        ("stewart", FORCE, "2 kgf", 19.6133),
        ("stewart", FORCE, "3000gf", 29.41995),
        ("stewart", FORCE, "16 ozf", 4.4482216152605),
        ("delta", SPEED, "2e1deg/s", math.radians(20)),
        ("delta", TORQUE, "3Nm", 3.0),
        ("delta", TORQUE, "3 N mm", 0.003),
        ("delta", TORQUE, "20 Ncm", 0.2),
        *[("delta", TORQUE, f"20 {unit}", 1.96133) for unit in KILOGRAM_CENTIMETRES],
        *[("delta", TORQUE, f"16 {unit}", 0.1129848290276167) for unit in OUNCE_INCHES],
    ],
)
def test_quantities_of_a_robot(name, path, text, expected):
    robot = gough.load(name)
    assert value_at(robot.replace({path: text}), path) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("units", "given", "expected"),
    [
        ("", "fx=5,my=3", (5.0, 3.0)),
        ("mm", "fx=5,my=3", (5.0, 0.003)),
        ("mm", "fx=5,my=3Nm", (5.0, 3.0)),
        ("kg cm", "fx=5,my=20", (5.0, 1.96133)),
        ("mm,kgf", "fx=2,my=20", (19.6133, 0.196133)),
    ],
)
def test_wrenches_in_the_units_of_a_command(capsys, units, given, expected):
    """A torque alone, a length alone, or a force and a length decide what a plain moment means."""
    line = ("inverse", "delta", "--times", "0.1", "--format", "json")
    code, out, err = outcome(capsys, *line, "--units", units, "--wrench", given)
    assert code == 0, err
    plain = outcome(capsys, *line, "--wrench", f"fx={expected[0]!r},my={expected[1]!r}")[1]
    np.testing.assert_allclose(json.loads(out)["force"], json.loads(plain)["force"], rtol=1e-13)


@pytest.mark.parametrize("path", [FORCE, "platform.inertia.0", "legs.base.radius", "platform.mass"])
def test_a_mass_times_a_length_is_a_torque_only(path):
    with pytest.raises(gough.InputError, match=r"its unit must be .*, not kg cm$"):
        gough.load("stewart").replace({path: "20 kg cm"})


def test_torques_of_servos_in_robot_files_and_tables(capsys):
    """The torque of a file in kg cm; pages in kgf have torques in kgf times the length, as lbf has."""
    text = gough.load("delta").explicit().to_toml()
    old = re.search(r"^force = (\S+)$", text, re.M)
    servos = '[units]\ntorque = "kg cm"\n[platform]'
    stated = text.replace(old[0], "force = 20").replace("[platform]", servos, 1)
    assert [joint.limits.force for joint in gough.loads(stated).actuators] == pytest.approx([1.96133] * 3, rel=1e-15)
    plain = json.loads(outcome(capsys, "inverse", "rotary", "--format", "json")[1])["force"][0][0]
    for units, unit, size in (("mm,kgf", "kgf mm", 9.80665e-3), ("kg cm", "kgf cm", 0.0980665)):
        code, out, _ = outcome(capsys, "inverse", "rotary", "--format", "csv", "--csv-units", "--units", units)
        assert code == 0
        (row, *_) = csv.DictReader(io.StringIO(out))
        assert float(row[f"force_1 [{unit}]"]) * size == pytest.approx(plain, rel=1e-14)


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("5 kg", "its unit must be mm, cm, m or in, not kg"),
        ("five", "five is not a number, with or without a unit (mm, cm, m or in)"),
        ("1e999", "must be finite"),
        (math.nan, "must be a finite number"),
        (True, "must be a number"),
        (None, "must be a number"),
    ],
)
def test_what_is_no_length(value, line):
    with pytest.raises(gough.InputError) as caught:
        gough.Motion.to(rotary(), {"z": value}, 1)
    assert line in str(caught.value)


def test_options_of_the_command_line(capsys):
    def forces(*arguments):
        code, out, err = outcome(capsys, "inverse", "delta", "--format", "json", *arguments)
        assert code == 0, err
        return np.array(json.loads(out)["force"])

    move = ("--to", "x=5cm", "--duration", "400ms", "--times", "0,0.1s,200ms")
    plain = forces(*move, "--wrench", "1,0,-2,0,0.5,0", "--payload", "2,0,0,0.05")
    units = forces(*move, "--wrench", "1N,0,-2N,0,500N mm,0", "--payload", "2000g,0,0,5cm", "--units", "mm,ms")
    named = forces(*move, "--wrench", "fx=1,fz=-2N,my=0.5", "--payload", "2,0,0,0.05")
    moments = forces(*move, "--wrench", "1,0,-2,0,500,0", "--payload", "2,0,0,50", "--units", "mm")
    for other in (units, named, moments):
        np.testing.assert_allclose(other, plain, rtol=0, atol=1e-12 * np.abs(plain).max())


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("inverse delta --to x=0.1 --duration 3mm", '--duration: "3mm": its unit must be ms, s or min, not mm (e.g. 2 or 500ms)'),  # noqa: E501
        ("inverse delta --wrench 1,0,0,0,2N,0", "--wrench 1,0,0,0,2N,0: 2N: its unit must be N m, N mm or kgf cm, not N; give fx,fy,fz,mx,my,mz"),  # noqa: E501
        ("inverse delta --times 0,99s --units ms", "--times 0,99s: 99000 ms is outside the motion pick-and-place, from 0 ms to 900 ms"),  # noqa: E501
        ("inverse delta --to x=1 --duration 1e-8 --units ms", "--duration: 1e-08: must be between 0.001 ms and 1e+12 ms"),  # noqa: E501
        ("simulate delta --for 3mm", "--for 3mm: its unit must be ms, s or min, not mm"),
        ("simulate delta --bandwidth 5m", "--bandwidth 5m: its unit must be Hz, not m"),
        ("modes stewart --stiffness 5N", "--stiffness 5N: 5N: its unit must be N/m or N/mm, not N; give one number, or one for each actuator"),  # noqa: E501
        ("ik delta --convention uvw --pose x=0.1,u=5deg --units mm,deg",
         "--pose x=0.1,u=5deg: delta moves in x, y, z only and comes no nearer than 5 deg off by uvw; leave the other values at home"),  # noqa: E501
        ("ik spatial3 --convention uvw --pose x=2 --units mm",
         "--pose x=2: spatial3 moves in y, z, theta only and comes no nearer than 2 mm off by uvw; leave the other values at home"),  # noqa: E501
    ],
)  # fmt: skip
def test_lines(capsys, words, line):
    assert outcome(capsys, *words.split()) == (2, "", f"gough: error: {line}\n")


def test_help_of_the_wrench_names_unit_frame_and_point(capsys):
    out = " ".join(outcome(capsys, "inverse", "--help")[1].split())
    for words in ("[N m; N mm with", "base axes", "at its tool"):
        assert words in out


def test_limits_and_times_of_python_calls():
    robot = gough.load("stewart")
    stated = {"stroke": ("1800mm", "3.3 m"), "force": "0.1 kN", "speed": "2000mm/s", "angle": "60 deg", "condition": 20}
    limits = gough.check(robot, gough.Motion.named(robot), limits=stated).limits
    assert limits["stroke"] == pytest.approx((1.8, 3.3))
    assert (limits["force"], limits["speed"]) == pytest.approx((100.0, 2.0))
    assert limits["angle"] == pytest.approx(math.radians(60))
    with pytest.raises(gough.errors.InputError, match=r"limit force: 3mm: its unit must be N, kN, lbf or kgf, not mm"):
        gough.check(robot, gough.Motion.named(robot), limits={"force": "3mm"})
    assert gough.simulate(robot, duration="2 ms", samples=3).t[-1] == pytest.approx(0.002)


@pytest.mark.parametrize("micro", ["u", "\u00b5", "\u03bc"])
def test_micro_may_be_written_by_its_sign(micro):
    for text in (f"20 {micro}m", f"20{micro}m"):
        assert pose_of(rotary(), {"z": text})[2] == 20 * 1e-6
    assert pose_of(rotary(), "z=20", f"{micro}m")[2] == pytest.approx(2e-5, rel=1e-15)
    stiffness = gough.load("stewart").with_errors({"stiffness": {"actuator": f"5 N/{micro}m"}}).errors.stiffness
    assert stiffness["actuator"] == pytest.approx(5e6, rel=1e-15)
