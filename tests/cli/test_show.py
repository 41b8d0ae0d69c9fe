"""`gough show`: the page, JSON, the drawing's file."""

from __future__ import annotations

import json
import math
import re
import struct
from pathlib import Path

import pytest

from gough import load
from tests.cli.running import ROBOTS, outcome
from tests.support.catalogue_lanes import driven
from tests.support.guided_feet import ankle
from tests.support.robots import build

KEYS = [
    "name", "description", "type", "source", "coordinates", "pose", "dependent", "gravity", "length", "tool",
    "mobility", "bodies", "legs", "actuators", "held", "springs", "errors", "graph", "motions", "operations",
]  # fmt: skip

FRAGMENTS = {
    "ankle": ["1-RR + 2-RSS, 3 legs", "with them x = 0, y = 0, z = -0.017558 m", "Source: Unitree G1"],
    "cable8": [
        "8-cable, 8 legs",
        "as many coordinates, 8 actuators",
        "sharing      bounded, about a reference",
        "at rest      tensions within the limits hold the platform, margin 111.05 N\n",
        "450 N",
    ],
    "fivebar": ["2-RRS, 2 legs", "2, as many coordinates and actuators", "-30 to 210 deg", "20 N m"],
    "planar4rrr": ["4-RRR, 4 legs", "9 times overconstrained", "sharing      least-norm: K^T force = Q"],
    "rps3": ["3-RPS, 3 legs", "closed form, leg that swings and slides", "with them x = 0, y = 0 m; yaw = 0 deg"],
    "tricept": ["1-UP + 3-UPS, 4 legs", "Joints of leg tube\n", "coordinates  x, y, z\n"],
    "delta": ["3-RPa, 3 legs", "3, as many coordinates and actuators", "3 times overconstrained", "-1 x Pa1"],
    "hexapod": [
        "6-PUS, 6 legs",
        "a1 (about x), a2 (about y), a3 (about z)",
        "[0, 0, 9.81] m/s^2",
        "P     slides  base",
    ],
    "planar3rrr": ["3-RRR, 3 legs", "phi (about z)", "6 times overconstrained", "-360 to 360 deg"],
    "rotary": ["6-RUS, 6 legs", "home         x = 0, y = 0, z = 0.115 m", "up to 80 deg", "0.17 N m"],
    "spatial3": ["2-PRU + 1-PPa, 3 legs", "Joints of legs A, B\n", "Joints of leg C\n", "Source: S. Staicu, Y.-W. Li"],
    "sru": ["6-SRU, 6 legs", "closed form, knee", "60 N m", "-150 to -20 deg"],
    "stewart": ["6-UPS, 6 legs", "closed form, leg between two points", "1.8 to 3.3 m", "2.28506 m"],
}


@pytest.mark.parametrize("name", ROBOTS)
def test_page(capsys, name):
    code, out, err = outcome(capsys, "show", name)
    assert (code, err) == (0, "")
    assert out.startswith(f"{name}: ")
    for title in ("\nBodies\n", "\nLegs\n", "\nActuators\n", "\nOperations of one evaluation"):
        assert title in out
    for fragment in FRAGMENTS[name]:
        assert fragment in out
    assert "\x1b" not in out
    assert not re.search(r"[ \t]\n|nan|None", out)


@pytest.mark.parametrize("name", ROBOTS)
def test_json(capsys, name):
    code, out, _ = outcome(capsys, "show", name, "--json")
    shown, robot = json.loads(out), load(name)
    assert code == 0
    assert list(shown) == KEYS
    assert [leg["name"] for leg in shown["legs"]] == [leg.name for leg in robot.legs]
    assert [len(leg["joints"]) for leg in shown["legs"]] == [len(leg.joints) for leg in robot.legs]
    assert {leg["closure"] for leg in shown["legs"]} <= {"ups", "rod", "sru", "swing", "cable", "wrist", "newton"}
    mobility = shown["mobility"]
    assert mobility["mobility"] == len(shown["coordinates"]) == robot.dof
    assert mobility["actuators"] == len(shown["actuators"]) == driven(robot)
    steps = [shown["operations"][order]["flops"] for order in ("position", "velocity", "acceleration")]
    assert 0 < steps[0] < steps[1] < steps[2]


def test_every_mass_is_on_the_page(capsys):
    _, out, _ = outcome(capsys, "show", "sru", "--json")
    shown, robot = json.loads(out), load("sru")
    total = robot.platform.body.mass + sum(joint.body.mass for leg in robot.legs for joint in leg.joints)
    assert sum(body["mass"] * body["count"] for body in shown["bodies"]) == pytest.approx(total, rel=1e-12)


def test_pose_and_settings(capsys):
    code, out, _ = outcome(capsys, "show", "stewart", "--pose", "z=2.1", "--set", "platform.mass=3")
    assert code == 0
    assert "\npose         x = 0, y = 0, z = 2.1 m; psi = 0, theta = 0, phi = 0 deg\n" in out
    assert re.search(r"platform +1 +3 ", out)


def test_png_is_written_whole_and_replaces(capsys, tmp_path):
    path = tmp_path / "robot.png"
    path.write_bytes(b"old")
    code, _, err = outcome(capsys, "show", "spatial3", "--png", str(path))
    assert (code, err) == (0, "")
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", content[16:24]) == (1200, 760)
    assert [entry.name for entry in tmp_path.iterdir()] == ["robot.png"]


@pytest.mark.parametrize("arguments", [["show", "delta", "--pose", "z=-1.9"], ["ik", "delta", "--pose", "z=-1.9"]])
def test_out_of_reach_names_the_leg_and_by_how_much(capsys, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    png = ["--png", "delta.png"] if arguments[0] == "show" else []
    assert outcome(capsys, *arguments, *png) == (3, "", "gough: error: leg A is out of reach by 0.436 m\n")
    assert list(tmp_path.iterdir()) == []


def test_a_home_beyond_the_strokes_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    _, text, _ = outcome(capsys, "new", "--legs", "UPS")
    path = tmp_path / "robot.toml"
    path.write_text(text)
    assert "beyond the stroke" not in outcome(capsys, "show", str(path))[1]
    path.write_text(text.replace("stroke = [400, 680]", "stroke = [0.4, 0.68]"))
    line = "(q is beyond the stroke of 1, 2, 3, 4, 5, 6: check its unit and zero, the leg's branch, or the pose)"
    assert line in outcome(capsys, "show", str(path))[1]


def test_addresses_are_listed_in_the_units_of_the_file(capsys):
    code, out, err = outcome(capsys, "show", "fivebar", "--addresses")
    assert code == 0
    assert err.startswith(
        "gough: note: --set takes numbers with their unit, e.g. --set platform.home.1=350mm; one without"
    )
    rows = [line.split() for line in out.splitlines()]
    assert rows[0] == ["address", "value", "unit"]
    listed = {row[0]: row[1:] for row in rows}
    assert listed["legs.crank.length"][1] == "mm"
    _, plain, _ = outcome(capsys, "show", "fivebar", "--addresses", "--json")
    values = json.loads(plain)
    assert list(listed)[1:] == list(values)
    assert float(listed["legs.crank.length"][0]) == pytest.approx(1000.0 * values["legs.crank.length"], rel=1e-9)
    robot = load("fivebar")
    assert all(robot.replace({path: value}).mechanism == robot.mechanism for path, value in values.items())


def test_questions_are_in_the_units_shown_and_files_are_told(capsys, tmp_path):
    png = tmp_path / "delta.png"
    _, out, _ = outcome(capsys, "show", "delta", "--units", "mm,deg", "--png", str(png))
    assert re.search(r"gough ik delta --pose x=[\d.]+mm ", out)
    assert out.endswith(f"\nwrote {png}\n")


def test_questions_about_a_file_in_mm_ask_in_mm(capsys):
    _, out, _ = outcome(capsys, "show", "fivebar")
    assert "\nunits        output is in m and deg, CSV and JSON in m and rad, unless --units mm,deg\n" in out
    commands = [line.split("  ")[1] for line in out.partition("Ask next\n")[2].splitlines()]
    assert len(commands) == 5
    assert all(command.endswith(" --units mm,deg") for command in commands)
    assert re.search(r"--pose x=[\d.]+mm ", commands[0])
    for command in commands[:3]:
        code, answer, _ = outcome(capsys, *command.split()[1:])
        assert code == 0
        assert "mm" in answer
    _, out, _ = outcome(capsys, "show", "fivebar", "--units", "cm,deg")
    assert "\nunits " not in out
    assert out.count("--units cm,deg") == 5
    _, out, _ = outcome(capsys, "show", "stewart")
    assert "--units" not in out


def test_friction_and_gear_have_units(capsys, tmp_path):
    text = outcome(capsys, "new", "--legs", "PUS")[1]
    drive = "force = 300, viscous = 0.012, coulomb = 3, rotor_inertia = 1e-5, gear = 72 }"
    (tmp_path / "mine.toml").write_text(text.replace("force = 300 }", drive))
    gear = f"{1000 * math.radians(72):.6g}"
    shown = outcome(capsys, "show", str(tmp_path / "mine.toml"))[1]
    assert f"viscous 12 N s/m, coulomb 3 N, rotor 1e-05 kg m^2 x ({gear} rad/m)^2" in shown
    shown = outcome(capsys, "show", str(tmp_path / "mine.toml"), "--units", "mm,deg")[1]
    assert "viscous 0.012 N s/mm, coulomb 3 N, rotor 1e-05 kg m^2 x (1.25664 rad/mm)^2" in shown


def test_units_with_a_space_are_quoted_in_what_to_ask_next(capsys):
    out = outcome(capsys, "show", "rotary", "--units", "mm,deg,kgf cm")[1]
    assert "gough workspace rotary --units 'mm,deg,kgf cm'" in out


def test_a_pose_that_no_tensions_hold_says_so(capsys):
    code, out, _ = outcome(capsys, "show", "cable8", "--pose", "x=6")
    assert code == 0
    [line] = [line for line in out.splitlines() if line.startswith("at rest")]
    assert re.fullmatch(r"at rest +no tensions within the limits hold the platform, margin -\d+\.\d+ N", line)
    found = json.loads(outcome(capsys, "show", "cable8", "--pose", "x=6", "--json")[1])["held"]
    assert found["force"] is None
    assert found["margin"] < 0.0
    assert "at rest" not in outcome(capsys, "show", "stewart")[1]


def test_strokes_of_passive_joints(capsys, tmp_path):
    table = ankle()
    table["leg"][0]["joint"][0]["stroke"] = [-1.0, 0.5]
    file = tmp_path / "foot.toml"
    file.write_text(build(table).to_toml())
    _, out, _ = outcome(capsys, "show", str(file), "--units", "m,rad")
    assert any(line.split() == ["pitch", "turns", "base", "-", "-1", "to", "0.5", "rad"] for line in out.splitlines())
    _, out, _ = outcome(capsys, "show", str(file), "--json")
    assert [joint["stroke"] for joint in json.loads(out)["legs"][0]["joints"]] == [[-1.0, 0.5], None]


def test_an_unknown_key_is_told_without_what_follows(capsys, tmp_path):
    """What was meant by it may hold the platform: how many motions the legs leave is not told."""
    table = ankle()
    del table["leg"][0]
    file = tmp_path / "foot.toml"
    text = build(table).to_toml()
    file.write_text(text)
    assert "the legs leave the machine 6 motions" in outcome(capsys, "show", str(file))[2]
    file.write_text("lenght = 1\n" + text)
    err = outcome(capsys, "show", str(file))[2]
    assert (err.count("\n"), "unknown key" in err) == (1, True)


def test_cones_of_ends_tolerances_heat_and_stiffness(capsys, tmp_path):
    text = """
name = "mine"
[platform]
coordinates = { x = "x", y = "y", z = "z", c = "rz", b = "ry", a = "rx" }
home = [0, 0, 0.5, 0, 0, 0]
mass = 8
[legs]
type = "UPS"
base = { radius = 0.4, half_angle = 0.2 }
platform = { radius = 0.25, half_angle = 0.3 }
end_cone = 0.5
[tolerances]
base = "20 um"
zero = "10 um"
[heat]
temperature = 5
expansion = 11.5e-6
[stiffness]
actuator = "150 N/um"
"""
    path = tmp_path / "mine.toml"
    path.write_text(text)
    out = outcome(capsys, "show", str(path))[1]
    assert out.count("spherical up to 28.65 deg") == 6
    lines = out.splitlines()
    at = lines.index("Errors and stiffness (gough accuracy)")
    assert [line.split(maxsplit=1) for line in lines[at + 1 : at + 4]] == [
        ["tolerances", "base 20 um, zero 10 um"],
        ["heat", "temperature 5 K, expansion 1.15e-05 1/K"],
        ["stiffness", "actuator 1.5e+08 N/m"],
    ]
    found = json.loads(outcome(capsys, "show", str(path), "--json")[1])
    assert found["legs"][0]["end_cone"] == 0.5
    assert found["errors"]["stiffness"] == {"actuator": 1.5e8}
