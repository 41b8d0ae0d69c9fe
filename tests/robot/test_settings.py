"""Changed numbers of a robot that carry their unit."""

from __future__ import annotations

import json
import math
from pathlib import Path as FilePath

import pytest

import gough
from gough.cli.new import starter
from gough.robot.addresses import measure_of
from tests.cli.running import outcome
from tests.support.robots import addresses


@pytest.mark.parametrize(
    ("name", "text", "same"),
    [
        ("stewart", "platform.mass=300g", {"platform.mass": 0.3}),
        ("stewart", "platform.mass = 2.5 kg", {"platform.mass": 2.5}),
        ("stewart", "legs.base.radius=1600mm", {"legs.base.radius": 1.6}),
        ("stewart", "legs.base.half_angle=14deg", {"legs.base.half_angle": math.radians(14)}),
        ("stewart", "platform.home.2=2100 mm", {"platform.home.2": 2.1}),
        ("stewart", "platform.home.3=5deg", {"platform.home.3": math.radians(5)}),
        ("stewart", 'gravity=[0, 0, "-9806.65 mm/s^2"]', {"gravity": [0, 0, -9.80665]}),
        ("stewart", "leg.2.piston.mass=500g", {"leg.2.piston.mass": 0.5}),
        ("stewart", "legs.actuator.force=2kN", {"legs.actuator.force": 2000.0}),
        ("stewart", "legs.actuator.speed=500mm/s", {"legs.actuator.speed": 0.5}),
        ("delta", "legs.actuator.force=2 N m", {"legs.actuator.force": 2.0}),
        ("delta", "legs.actuator.speed=180 deg/s", {"legs.actuator.speed": math.pi}),
        ("delta", "legs.actuator.viscous=2 N m s/rad", {"legs.actuator.viscous": 2.0}),
    ],
)
def test_settings_with_units(capsys, name, text, same):
    _, out, err = outcome(capsys, "show", name, "--set", text, "--addresses", "--json")
    changed, robot = json.loads(out), gough.load(name)
    assert err == "" or "note" in err
    expected = addresses(robot.replace(same))
    assert list(changed) == list(expected)
    assert list(changed.values()) == pytest.approx(list(expected.values()), rel=1e-15)
    assert changed != addresses(robot)


@pytest.mark.parametrize(
    ("name", "path", "value", "line"),
    [
        ("stewart", "platform.mass", "3mm", "platform.mass=3mm: its unit must be g, kg or lb, not mm"),
        ("stewart", "platform.home.3", "3mm", "platform.home=3mm: its unit must be deg or rad, not mm"),
        ("delta", "legs.actuator.force", "3N", "legs.actuator.force=3N: its unit must be N m, N mm or kgf cm, not N"),
        ("delta", "legs.actuator.speed", "3m/s", "legs.actuator.speed=3m/s: its unit must be deg/s or rad/s, not m/s"),
    ],
)
def test_wrong_units_get_a_line(name, path, value, line):
    robot = gough.load(name)
    with pytest.raises(gough.InputError) as caught:
        robot.replace({path: value})
    assert str(caught.value) == line


def test_the_command_line(capsys):
    code, _, err = outcome(capsys, "ik", "stewart", "--set", "platform.mass=3mm")
    assert (code, err) == (2, "gough: error: --set platform.mass=3mm: its unit must be g, kg or lb, not mm\n")
    assert outcome(capsys, "ik", "stewart", "--set", "legs.base.radius=160cm")[0] == 0


IN_MM = starter("UPS") + "\n[tolerances]\nbase = 0.05\n"


@pytest.mark.parametrize(
    ("robot", "units", "setting", "fault"),
    [
        ("mine.toml", "", "legs.actuator.speed=750", "the file is in mm/s: write 750mm/s (or 750m/s)"),
        ("mine.toml", "", "legs.base.half_angle=10", "the file is in deg: write 10deg (or 10rad)"),
        ("mine.toml", "mm", "gravity.2=-9.81", "the file is in mm/s^2: write -9.81mm/s^2 (or -9.81m/s^2)"),
        ("mine.toml", "", "tolerances.base=0.02", "the file is in mm: write 0.02mm (or 0.02m)"),
        ("mine.toml", "", "legs.actuator.viscous=3", "the file is in N s/mm: write '3 N s/mm' (or '3 N s/m')"),
        ("stewart", "mm,deg", "legs.base.radius=1600", "--units is mm: write 1600mm (or 1600m)"),
        ("stewart", "mm,ms", "legs.actuator.speed=750", "--units is mm/s: write 750mm/s (or 750m/s)"),
        ("rotary", "", "platform.mass=3", "the file is in g: write 3g (or 3kg)"),
    ],
)
def test_numbers_that_could_be_meant_in_two_units_are_refused(
    robot, units, setting, fault, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(IN_MM)
    code, _, err = outcome(capsys, "ik", robot, "--units", units, "--set", setting)
    told = setting.replace("gravity.2", "gravity")
    assert (code, err) == (2, f"gough: error: --set {told}: has no unit, and {fault}\n")


def test_angles_of_rotations_need_a_unit_where_the_file_is_in_degrees(tmp_path, capsys):
    path = str(tmp_path / "par4.toml")
    text = (FilePath(__file__).parents[2] / "examples" / "par4.toml").read_text("utf-8")
    about, turned = "rotation = { axis = [0, 0, 1], angle = 135 }", 'rotation = { sequence = "zx", angles = [135, 0] }'
    assert about in text
    FilePath(path).write_text(text.replace(about, turned, 1), "utf-8")
    told = ("leg.A.rotation.angle=44.9", "leg.A.end.platform_rotation.angle=45.1", "leg.B.rotation.angles.0=134.9")
    for setting in told:
        value = setting.partition("=")[2]
        keys = ".".join(key for key in setting.partition("=")[0].split(".") if key not in ("A", "B", "0"))
        line = f"has no unit, and the file is in deg: write {value}deg (or {value}rad)"
        code, _, err = outcome(capsys, "show", path, "--set", setting)
        assert (code, err) == (2, f"gough: error: --set {keys}={value}: {line}\n")
    shown = json.loads(
        outcome(capsys, "show", path, "--set", "leg.A.rotation.angle=45.5deg", "--addresses", "--json")[1]
    )
    assert shown["leg.A.rotation.angle"] == pytest.approx(math.radians(45.5), rel=1e-15)


@pytest.mark.parametrize("text", ["[740mm, 1580mm]", "740mm,1580mm", '["740mm", "1580mm"]', "[0.74, 1580mm]"])
def test_lists_with_units(capsys, text):
    line = ("show", "stewart", "--set", "platform.home.2=1.2m", "--set", f"legs.actuator.stroke={text}")
    changed = json.loads(outcome(capsys, *line, "--addresses", "--json")[1])
    assert [changed[f"legs.actuator.stroke.{k}"] for k in (0, 1)] == pytest.approx([0.74, 1.58], rel=1e-15)


def test_numbers_with_one_meaning_need_no_unit(tmp_path, capsys):
    (tmp_path / "mine.toml").write_text(IN_MM)
    plain = ("platform.mass=9", "legs.actuator.force=900", "platform.com.2=0", "platform.inertia.0=0.09")
    settings = [word for entry in plain for word in ("--set", entry)]
    assert outcome(capsys, "ik", str(tmp_path / "mine.toml"), *settings)[0] == 0
    assert outcome(capsys, "ik", "stewart", "--units", "deg", "--set", "legs.base.radius=1.6")[0] == 0
    code, _, err = outcome(capsys, "simulate", "stewart", "--mismatch", "legs.base.half_angle=14")
    assert code == 2
    assert "--mismatch legs.base.half_angle=14: has no unit, and the file is in deg: write 14deg (or 14rad)" in err


def test_the_hint_of_a_setting_speaks_of_the_setting(capsys):
    _, _, err = outcome(capsys, "ik", "stewart", "--set", "legs.base.radius=1600")
    assert err == (
        "gough: error: --set: legs.base.radius: 1600: implausibly large: at most 100 m (mm for m? write 1600mm)\n"
    )
    _, _, err = outcome(capsys, "ik", "stewart", "--set", "legs.base.radius=160000mm")
    assert err == "gough: error: --set: legs.base.radius: 160.0: implausibly large: at most 100 m\n"


def test_numbers_of_studies_are_in_the_units_of_files():
    """Of joints that slide the unit follows from force and length: N s/mm, not kg/s."""
    vary = [{"number": "leg.1.actuator.viscous", "bounds": [1.0, 2.0]}, {"number": "legs.base.radius", "uniform": 3.0}]
    units = {"length": "mm", "force": "kN"}
    found = gough.Study.of(robot="stewart", machines=2, measure=["condition"], units=units, vary=vary)
    assert [one.high - one.low for one in found.vary] == pytest.approx([1e6, 0.006])


def test_payloads_and_wrenches_in_python():
    one = gough.load("stewart").with_payload("300 g", ["0", 0, "50mm"])
    other = gough.load("stewart").with_payload(0.3, [0, 0, 0.05])
    assert one.platform.body.com == pytest.approx(other.platform.body.com, rel=1e-15)
    assert one.platform.body.mass == pytest.approx(other.platform.body.mass, rel=1e-15)
    motion = gough.Motion.named(gough.load("stewart")).with_wrench(["0.1kN", 0, 0, "500 N mm", 0, 0])
    assert motion.wrench(0.0).tolist() == pytest.approx([100, 0, 0, 0.5, 0, 0])
    with pytest.raises(gough.errors.InputError, match=r"payload\.mass=3mm: its unit must be g, kg or lb, not mm"):
        gough.load("stewart").with_payload("3mm")


def test_a_spring_between_points_has_a_force_per_length_also_where_actuators_turn():
    """The file is in mm and deg with N."""
    text = (
        gough.load("rotary").to_toml()
        + """
[[spring]]
stiffness = 1.5
first = { body = "base" }
second = { body = "platform" }
"""
    )
    robot = gough.loads(text)
    assert robot.springs[0].stiffness == pytest.approx(1500.0, rel=1e-15)
    assert robot.replace({"spring.1.stiffness": "2 N/mm"}).springs[0].stiffness == pytest.approx(2000.0, rel=1e-15)
    assert "stiffness = 2.0\n" in robot.replace({"spring.1.stiffness": 2000.0}).to_toml()


def test_a_driven_spindle_is_measured_by_its_slide():
    robot = gough.load("stewart").explicit()
    joint = {"type": "C", "axis": [0, 0, 1], "actuated": True, "lead": 0.01}
    spec = {**robot.spec, "leg": [{**leg, "joint": [*leg["joint"][:-1], {**leg["joint"][-1], **joint}]}
                                  for leg in robot.spec["leg"]]}  # fmt: skip
    assert measure_of(spec, ("leg", 0, "joint", len(spec["leg"][0]["joint"]) - 1, "stroke", 0)).unit == "m"


@pytest.mark.parametrize(
    ("changes", "given"), [(None, "None"), ("platform.mass=2", "str"), ([], "list"), ({3: 1.0}, "dict")]
)
def test_changes_that_are_no_values_by_address_are_refused(changes, given):
    with pytest.raises(gough.InputError) as caught:
        gough.load("stewart").replace(changes)
    assert str(caught.value) == f'changes: {given} given, must be values by address, e.g. {{"platform.mass": 2.5}}'


def test_a_number_that_is_not_finite_needs_no_unit_to_be_refused(tmp_path, capsys):
    path = tmp_path / "mine.toml"
    path.write_text(gough.load("stewart").to_toml().replace("[units]", '[units]\nmass = "g"', 1))
    code, _, err = outcome(capsys, "show", str(path), "--set", "platform.mass=nan")
    assert (code, err) == (2, "gough: error: --set: platform.mass: nan: must be a finite number\n")
