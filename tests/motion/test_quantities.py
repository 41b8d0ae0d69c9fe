"""A quantity with its unit is read wherever one is given, beside any --units; errors speak in the units asked for."""

from __future__ import annotations

import json
import math
from functools import cache

import numpy as np
import pytest

import gough
from gough.display import display_units
from gough.motion import choose_motion, parse_pose, parse_units, point_to_point
from gough.robot.file.small_tables import file_units
from gough.robot.file.units import Units
from gough.robot.quantities import QuantityError, has_unit, measure, quantity, shown, stiffness
from tests.cli.running import outcome


@cache
def rotary():
    return gough.load("rotary")


KILOGRAM_CENTIMETRES = ("kgf cm", "kgf*cm", "kg cm", "kg·cm", "kg-cm", "kg.cm", "kgcm", "kgfcm")
OUNCE_INCHES = ("ozf in", "oz in", "oz-in")


def test_poses_and_durations_in_python():
    motion = choose_motion(rotary(), from_="pitch=-8deg", to={"pitch": "8 deg", "z": "125mm"}, duration="500 ms")
    k = [c.name for c in rotary().platform.coordinates].index("pitch")
    assert motion(0.0)[0][k] == pytest.approx(-math.radians(8), rel=1e-15)
    assert motion(0.5)[0][k] == pytest.approx(math.radians(8), rel=1e-15)
    assert motion.duration == 0.5
    assert point_to_point(rotary(), "z=125mm", "0.5min").duration == 30.0


@pytest.mark.parametrize("units", ["", "mm", "mm,deg", "rad,ms,in"])
def test_a_unit_of_its_own_wins_over_units(units):
    size = parse_units(units)
    names = [c.name for c in rotary().platform.coordinates]
    x = parse_pose(rotary(), "pitch=15deg,z=125mm", "--to", size)
    assert x[names.index("pitch")] == pytest.approx(math.radians(15), rel=1e-15)
    assert x[names.index("z")] == pytest.approx(0.125, rel=1e-15)
    assert choose_motion(rotary(), to="pitch=15deg", duration="1s", units=units).duration == 1.0


@pytest.mark.parametrize(
    ("value", "what", "expected"),
    [
        ("5", measure("length"), 5.0),
        (np.float64(5), measure("length"), 5.0),
        ("5 mm", measure("length"), 0.005),
        ("5", measure("length", parse_units("mm")), 0.005),
        ("5m", measure("length", parse_units("mm")), 5.0),
        ("-2e1deg/s", measure("angle", order=1), -math.radians(20)),
        ("3", measure("angle", parse_units("deg,ms"), order=1), math.radians(3)),
        ("3", measure("torque", parse_units("mm")), 0.003),
        ("3Nm", measure("torque", parse_units("mm")), 3.0),
        ("3 N mm", measure("torque"), 0.003),
        ("2kg", measure("mass"), 2.0),
        ("5Hz", measure("frequency"), 5.0),
        ("2 kgf", measure("force"), 19.6133),
        ("3gf", measure("force"), 0.02941995),
        ("16 ozf", measure("force"), 4.4482216152605),
        ("20 Ncm", measure("torque"), 0.2),
        *[(f"20 {unit}", measure("torque"), 1.96133) for unit in KILOGRAM_CENTIMETRES],
        *[(f"16 {unit}", measure("torque"), 0.1129848290276167) for unit in OUNCE_INCHES],
        ("20", measure("torque", parse_units("kg cm")), 1.96133),
        ("20", measure("torque", parse_units("mm,kgf")), 0.196133),
    ],
)
def test_quantities(value, what, expected):
    assert quantity(value, what) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("what", [measure("force"), measure("inertia"), measure("length"), measure("mass")])
def test_a_mass_times_a_length_is_a_torque_only(what):
    with pytest.raises(QuantityError, match=r"^its unit must be .*, not kg cm$"):
        quantity("20 kg cm", what)


def test_torques_of_servos_in_robot_files_and_tables(capsys):
    """The stroke's torque of a file in kg cm; pages in kgf have torques in kgf times the length, as lbf has."""
    tables = {"units": {"length": "mm", "angle": "deg", "torque": "kg cm"}}
    assert file_units(tables).torque == pytest.approx(0.0980665, rel=1e-15)
    for units, unit, size in (("mm,kgf", "kgf mm", 9.80665e-3), ("kg cm", "kgf cm", 0.0980665)):
        found, name = display_units(units).torque
        assert (found * size, name) == (pytest.approx(1.0, rel=1e-15), unit)
    code, out, _ = outcome(capsys, "inverse", "rotary", "--format", "csv", "--csv-units", "--units", "kgf cm")
    assert code == 0
    assert "force_1 [kgf cm]" in out.splitlines()[0]


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
def test_what_is_none(value, line):
    with pytest.raises(QuantityError) as caught:
        quantity(value, measure("length"))
    assert str(caught.value) == line


def test_lengths_angles_and_times_are_shown_in_the_units_asked_for():
    size = parse_units("mm,rad,ms")
    assert [shown(0.15, what, size) for what in ("length", "time")] == ["150 mm", "150 ms"]
    assert shown(0.15, "angle") == "8.594 deg"
    assert shown(0.15, "length") == "0.15 m"


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
    for words in ("[N m; N mm with", "base axes", "at the platform's origin"):
        assert words in out


def test_limits_and_times_of_python_calls():
    robot = gough.load("stewart")
    stated = {"stroke": ("1800mm", "3.3 m"), "force": "0.1 kN", "speed": "2000mm/s", "angle": "60 deg", "condition": 20}
    limits = gough.check(robot, limits=stated).limits
    assert limits["stroke"] == pytest.approx((1.8, 3.3))
    assert (limits["force"], limits["speed"]) == pytest.approx((100.0, 2.0))
    assert limits["angle"] == pytest.approx(math.radians(60))
    with pytest.raises(gough.errors.InputError, match=r"limit force: 3mm: its unit must be N, kN, lbf or kgf, not mm"):
        gough.check(robot, limits={"force": "3mm"})
    assert gough.simulate(robot, duration="2 ms", samples=3).t[-1] == pytest.approx(0.002)


@pytest.mark.parametrize("micro", ["u", "\u00b5", "\u03bc"])
def test_micro_may_be_written_by_its_sign(micro):
    length = measure("length")
    assert quantity(f"20 {micro}m", length) == quantity(f"20{micro}m", length) == 20 * 1e-6
    assert quantity(f"5 N/{micro}m", stiffness(False, Units())) == pytest.approx(5e6, rel=1e-15)
    assert has_unit(f"20 {micro}m")
    assert parse_units(f"{micro}m").length == 1e-6
