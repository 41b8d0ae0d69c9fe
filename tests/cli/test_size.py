"""`gough size` and `gough compare`: pages, files, exit codes and error lines."""

import csv
import json
import math
import re

import numpy as np
import pytest

from gough import Motion, load
from gough.design import demand
from gough.design.load_inertia import load_inertia
from tests.cli.running import outcome
from tests.design.envelopes import TEXTS
from tests.design.test_demand import MOTOR


def test_over_a_motion_with_a_motor(capsys, tmp_path):
    motor, plot = tmp_path / "motor.toml", tmp_path / "diagram.png"
    motor.write_text(MOTOR)
    code, out, err = outcome(capsys, "size", "stewart", "--motor", str(motor), "--plot", str(plot))
    assert (code, err) == (0, "")
    assert out.startswith("stewart, motion trig3, 4 s\n")
    assert "motor servo, ratio 314.16" in out
    assert "\nFits every actuator.\n" in out
    assert plot.read_bytes().startswith(b"\x89PNG")
    _, plain, _ = outcome(capsys, "size", "stewart", "--motor", str(motor), "--json")
    for title, key in (
        ("peak speed [rpm]", "speed"),
        ("rms speed [rpm]", "rms_speed"),
        ("speed left [rpm]", "speed_margin"),
    ):
        printed = [float(v) for v in re.search(rf"^{re.escape(title)} +(.*)$", out, re.MULTILINE)[1].split()]
        turns = [abs(fit[key]) * 60 / (2 * math.pi) for fit in json.loads(plain)["fits"]]
        assert printed == pytest.approx(turns, rel=1e-3)
    motor.write_text(MOTOR.replace("[0.1, 0.1, 0.06]", "[0.03, 0.03, 0.02]"))
    code, out, _ = outcome(capsys, "size", "stewart", "--motor", str(motor), "--json")
    assert code == 1
    weak = [str(k + 1) for k, fit in enumerate(json.loads(out)["fits"]) if not fit["fits"]]
    assert weak
    assert f"\nDOES NOT FIT: {', '.join(weak)}.\n" in outcome(capsys, "size", "stewart", "--motor", str(motor))[1]


@pytest.mark.parametrize("command", [("size",), ("report", "--states", "0", "--out", "a.html")], ids=["size", "report"])
def test_a_spindle_does_not_turn_and_a_gear_does_not_slide(capsys, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "motor.toml").write_text(MOTOR)
    name, *rest = command
    line = 'delta: motor: "servo": has a lead, but actuator A turns (give gear = turns of the rotor per turn)'
    assert outcome(capsys, name, "delta", *rest, "--motor", "motor.toml") == (2, "", f"gough: error: {line}\n")
    (tmp_path / "motor.toml").write_text(MOTOR.replace("lead = 0.02", "gear = 20"))
    line = 'stewart: motor: "servo": has a gear, but actuator 1 slides (give lead = travel per turn)'
    assert outcome(capsys, name, "stewart", *rest, "--motor", "motor.toml") == (2, "", f"gough: error: {line}\n")
    assert [file.name for file in tmp_path.iterdir()] == ["motor.toml"]


def test_over_an_envelope(capsys, tmp_path):
    envelope, cases = tmp_path / "envelope.toml", tmp_path / "cases.csv"
    envelope.write_text(TEXTS["spatial3"])
    code, out, err = outcome(capsys, "size", "spatial3", "--envelope", str(envelope), "--cases", str(cases))
    assert (code, err) == (0, "")
    assert out.startswith("spatial3 over an envelope: velocity ellipsoid, acceleration box of coordinates\n")
    assert "Unreachable: 0 % of the pose box" in out
    rows = list(csv.DictReader(cases.read_text().splitlines()))
    assert len(rows) == 6
    assert float(rows[0]["force_A"]) == pytest.approx(191.045, abs=1e-3)
    code, out, err = outcome(capsys, "size", "spatial3", "--envelope", str(envelope), "--prove")
    assert (code, err) == (0, "")
    assert "\nProved: no force or speed is larger by more than 0.00" in out
    power = re.search(r" %, no power by more than (\S+) % \(branch and bound over \d+ boxes\)", out)
    assert power is not None
    assert float(power[1]) <= 1.0


def test_the_wrench_of_an_envelope_acts_at_the_tool(capsys, tmp_path):
    """20 N 100 mm below the origin are 20 N and -2 N m there."""
    envelope, forces = tmp_path / "envelope.toml", []
    for wrench, tool in (("fx = [20, 20]", "0,0,-100mm"), ("fx = [20, 20]\nmy = [-2, -2]", "0,0,0"), ("", "0,0,0")):
        envelope.write_text(f"[pose]\nz = [1.99, 2.01]\n[wrench]\n{wrench}\n")
        code, out, err = outcome(capsys, "size", "stewart", "--envelope", str(envelope), "--tool", tool, "--json")
        assert code in (0, 1), err
        forces.append(json.loads(out)["force"])
    assert forces[0] == pytest.approx(forces[1], rel=1e-9)
    assert forces[0] != pytest.approx(forces[2], rel=1e-3)


def test_an_unbounded_envelope(capsys, tmp_path):
    envelope = tmp_path / "envelope.toml"
    envelope.write_text("[pose]\npsi = [0, 2.2]\n[acceleration]\nz = 1\n")
    code, out, err = outcome(capsys, "size", "stewart", "--envelope", str(envelope))
    assert (code, out) == (3, "")
    assert err.startswith("gough: error: unbounded: the envelope touches a singularity at x = 0, y = 0, z = 2, psi = ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--envelope", "nowhere.toml"), "nowhere.toml: no such file"),
        (("--envelope", "a.toml", "--motion", "trig3"), "--motion: cannot go with --envelope"),
        (("--envelope", "a.toml", "--motor", "m.toml"), "--motor: cannot go with --envelope"),
        (("--cases", "a.csv"), "--cases a.csv: needs --envelope"),
        (("--prove",), "--prove: needs --envelope"),
        (("--plot", "a.bmp"), "--plot a.bmp: the file's name must end in .png, .svg or .pdf"),
        (("--motor", "nowhere.toml"), "nowhere.toml: no such file"),
    ],
)
def test_error_lines(capsys, arguments, line):
    assert outcome(capsys, "size", "stewart", *arguments) == (2, "", f"gough: error: {line}\n")


def test_strokes_that_do_not_suffice_are_told(capsys, tmp_path):
    """Rows of what is needed, a line for what the robot states, and exit code 1."""
    arguments = ("size", "stewart", "--set", "legs.actuator.stroke=[2.3,3]")
    code, out, _ = outcome(capsys, *arguments)
    rows = {line.split(" [")[0]: line.split("]")[1].split() for line in out.splitlines() if "] " in line}
    assert code == 1
    assert (rows["shortest"][0], rows["longest"][0], rows["stroke needed"][0]) == ("2.285", "3.097", "0.8124")
    assert "EXCEEDED, the robot's own limit of stroke: 1 (3.0974 of 3 m), 2 (2.2851 of 2.3 m), 3 (" in out
    found = json.loads(outcome(capsys, *arguments, "--json")[1])
    assert {entry["kind"] for entry in found["exceeded"]} == {"stroke"}
    assert outcome(capsys, "size", "stewart")[0] == 0
    envelope = tmp_path / "envelope.toml"
    envelope.write_text("[pose]\nz = [1.9, 2.1]\n[velocity]\nz = 0.5\n")
    code, out, _ = outcome(capsys, "size", "stewart", "--envelope", str(envelope), "--set", "legs.actuator.speed=0.1")
    assert code == 1
    assert "EXCEEDED, the robot's own limit of speed: " in out


def test_turning_actuators_have_angles(capsys):
    for command in ("size", "inverse"):
        out = outcome(capsys, command, "delta")[1]
        assert "\nleast angle [deg] " in out
        assert "\nlargest angle [deg] " in out


def test_compare(capsys):
    code, out, err = outcome(capsys, "compare", "stewart", "stewart", "--set", "platform.mass=3")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "stewart and stewart (platform.mass=3), motion trig3"
    assert lines[1] == "Compared over the whole motion, 4 s: largest values are found between samples too."
    assert lines[4].startswith("energy ")
    assert "stewart (platform.mass=3): the motion fits" in lines
    code, out, _ = outcome(capsys, "compare", "stewart", "stewart", "--json")
    assert code == 0
    assert all(entry["relative"] == 0 for entry in json.loads(out)["differences"])
    code, out, _ = outcome(capsys, "compare", "stewart", "stewart", "--set", "platform.home.2=2.1m", "--units", "mm")
    assert out.splitlines()[2].endswith("is elsewhere: z = 2100 mm")
    code, _, err = outcome(capsys, "compare", "stewart", "delta")
    assert code == 2
    assert err.startswith("gough: error: compare: stewart has coordinates")


def test_a_payload_is_added_to_that_of_the_envelope(capsys, tmp_path):
    """1 kg by the option and 1 kg by the file weigh what 2 kg of the file do; the page says so."""
    found = {}
    for name, mass, option in (("both", 1, ("--payload", "1kg")), ("file", 2, ()), ("option", 0, ("--payload", "2kg"))):
        envelope = tmp_path / f"{name}.toml"
        envelope.write_text(f"[pose]\nz = [1.9, 2.1]\n[payload]\nmass = [{mass}, {mass}]\n")
        _, found[name], _ = outcome(capsys, "size", "stewart", "--envelope", str(envelope), *option)
    tables = {name: [line.split() for line in out.splitlines()[3:9]] for name, out in found.items()}
    assert tables["both"] == tables["file"] == tables["option"]
    own = "added to [payload] of the envelope, 1 to 1 kg"
    assert f"\nCarried at every pose: --payload 1kg, {own}\n" in found["both"]
    assert "\nCarried at every pose: --payload 2kg\n" in found["option"]
    assert "Carried" not in found["file"]


@pytest.mark.parametrize("command", ["size", "inverse"])
def test_negative_peaks_are_explained(capsys, command):
    _, up, _ = outcome(capsys, command, "stewart", "--to", "z=2.1", "--duration", "1")
    _, down, _ = outcome(capsys, command, "stewart", "--to", "z=1.9", "--duration", "1")
    note = "\nA peak is the value of the largest size, with its sign.\n"
    assert ("peak speed [m/s]  -" in re.sub(" +-", "  -", down), note in down) == (True, True)
    assert ("peak speed [m/s]  -" in re.sub(" +-", "  -", up), note in up) == (False, False)


def test_several_motors_have_a_row_each(capsys, tmp_path):
    weak, strong = tmp_path / "weak.toml", tmp_path / "strong.toml"
    weak.write_text(MOTOR)
    text = MOTOR.replace('"servo"', '"strong"').replace("0.03, 0.03, 0.02", "9, 9, 6")
    strong.write_text(text.replace("0.1, 0.1, 0.06", "20, 20, 12"))
    both = ("size", "stewart", "--motor", str(weak), "--motor", str(strong))
    code, out, err = outcome(capsys, *both)
    assert (code, err) == (0, "")
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line.startswith(("servo", "strong"))}
    found = demand(load("stewart").with_motor(strong), Motion.named(load("stewart").with_motor(strong)))
    curve = found.robot.motor.continuous
    continuous = min(1.0 - f.rms_torque / np.interp(f.rms_speed, curve.speed, curve.torque) for f in found.fits)
    peak = min(f.peak_margin for f in found.fits) / 20
    assert rows["strong"][1] == "yes"
    assert [float(cell) for cell in rows["strong"][2:4]] == pytest.approx([100 * continuous, 100 * peak], rel=1e-2)
    ratios = load_inertia(found.robot) / found.robot.motor.reflected - 1
    assert float(rows["strong"][-1]) == pytest.approx(ratios.max(), rel=1e-2)
    document = json.loads(outcome(capsys, *both, "--json")[1])
    fits = [all(fit["fits"] for fit in one["fits"]) for one in document["motors"]]
    assert [one["motor"]["name"] for one in document["motors"]] == ["servo", "strong"]
    assert fits == [rows["servo"][1] == "yes", True]
    weaker = tmp_path / "weaker.toml"
    weaker.write_text(MOTOR.replace("0.03, 0.03, 0.02", "1e-3, 1e-3, 1e-3").replace("2e-5", "1e-9"))
    code, out, _ = outcome(capsys, "size", "stewart", "--motor", str(weaker), "--motor", str(weaker))
    assert (code, out.count("NO")) == (1, 2)
    line = "gough: error: --plot: shows one motor; give one --motor\n"
    assert outcome(capsys, *both, "--plot", str(tmp_path / "a.png")) == (2, "", line)
