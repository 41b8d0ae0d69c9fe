"""`gough inverse`: JSON, CSV and tables of forces along a motion."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

import gough
from gough import Motion, motions
from tests.cli.running import ROBOTS, outcome
from tests.support.catalogue_lanes import driven
from tests.support.papers import assert_printed, paper

KEYS = "robot motion formulation coordinates actuators t x xd xdd q qd force power base_wrench status".split()
LOADED = [*KEYS[:9], "wrench", *KEYS[9:]]
SERIES = ("q", "qd", "force", "power")


def solved(capsys, *arguments):
    """The JSON object of a call that goes well."""
    code, out, err = outcome(capsys, "inverse", *arguments, "--format", "json")
    assert (code, err) == (0, "")
    return json.loads(out)


@pytest.mark.parametrize("name", ROBOTS)
def test_json_holds_the_forces_to_the_last_digit(capsys, name):
    robot = gough.load(name)
    shown = solved(capsys, name, "--samples", "5")
    s = Motion.named(robot).sample(5)
    plain = robot.actuation is None and not robot.platform.dependent
    expected = KEYS if s.wrench is None else LOADED
    assert [key for key in shown if plain or key in expected] == expected
    assert "wrench" not in shown or shown["wrench"] == s.wrench.tolist()
    result = gough.inverse_dynamics(robot, gough.State(s.x, s.xd, s.xdd, wrench=s.wrench))
    assert shown["robot"] == name
    assert shown["motion"] == motions(robot)[0]
    assert shown["formulation"] == "newton_euler"
    assert shown["coordinates"] == [c.name for c in robot.platform.coordinates]
    assert shown["actuators"] == list(result.actuators)
    assert shown["status"] == ["fine"] * 5
    assert shown["t"] == s.t.tolist()
    for key in ("x", "xd", "xdd"):
        assert shown[key] == getattr(s, key).tolist()
    for key in SERIES:
        assert np.shape(shown[key]) == (5, len(result.actuators))
        assert shown[key] == getattr(result, key).tolist()


@pytest.mark.parametrize("law", ["trig3", "trig3-fast"])
def test_the_stewart_papers_forces(capsys, law):
    samples = paper("stewart")[law]["samples"]
    times = ",".join(repr(sample["t"]) for sample in samples)
    shown = solved(capsys, "stewart", "--motion", law, "--times", times)
    assert shown["t"] == [sample["t"] for sample in samples]
    for key, printed in (("q", "l"), ("qd", "ld"), ("force", "tau")):
        assert_printed(shown[key], [sample[printed] for sample in samples])


@pytest.mark.parametrize("name", ROBOTS)
def test_csv(capsys, name):
    code, out, err = outcome(capsys, "inverse", name, "--samples", "4", "--format", "csv")
    assert (code, err) == (0, "")
    notes = [line for line in out.splitlines() if line.startswith("# ")]
    assert bool(notes) == (gough.load(name).actuation is not None)
    header, *rows = csv.reader(io.StringIO("\n".join(out.splitlines()[len(notes) :])))
    result = gough.inverse_dynamics(gough.load(name), Motion.named(gough.load(name)).sample(4))
    wrench = ["fx", "fy", "fz", "mx", "my", "mz"] if result.wrench is not None else []
    coordinates = [order + c for order in ("", "xd_", "xdd_") for c in result.coordinates]
    series = [f"{key}_{actuator}" for key in SERIES for actuator in result.actuators]
    floor = [f"base_{name}" for name in ("fx", "fy", "fz", "mx", "my", "mz")]
    known = ["t", *coordinates, *wrench, *series, *floor, "status"]
    names = result.robot.dependent_names
    more = [
        *(order + name for order in ("", "xd_", "xdd_") for name in names),
        *(f"tension_{a}" for a in result.actuators),
    ]
    assert [column for column in header if column not in more] == known
    assert set(names) <= set(header)
    numbers = np.array([row[:-1] for row in rows], dtype=float)
    forces = [header.index(f"force_{actuator}") for actuator in result.actuators]
    assert numbers[:, 0].tolist() == result.t.tolist()
    assert numbers[:, forces].tolist() == result.force.tolist()
    assert [row[-1] for row in rows] == ["fine"] * 4
    assert result.to_csv() == out


@pytest.mark.parametrize("name", ROBOTS)
def test_table(capsys, name):
    code, out, err = outcome(capsys, "inverse", name)
    assert (code, err) == (0, "")
    robot = gough.load(name)
    lines = out.splitlines()
    assert lines[0].startswith(f"{name}, motion {motions(robot)[0]}, ")
    assert max(map(len, lines)) <= 120
    assert "\x1b" not in out
    unit = "N m" if all(j.kind == "R" for leg in robot.legs for j in leg.joints if j.actuated) else "N"
    start = next(k for k, line in enumerate(lines) if line.startswith("t [s]"))
    assert lines[start].count(f"[{unit}]") == driven(robot)
    assert lines[start + 12] == ""
    assert [line.split()[0] for line in lines[start + 13 : start + 22]] == (
        f"over peak at rms peak rms peak {'least largest' if unit == 'N m' else 'shortest longest'}".split()
    )
    assert lines[-1] == "11 of 101 samples shown: --format csv gives all, --times or --samples others."


def test_the_table_of_stewart(capsys):
    _, out, _ = outcome(capsys, "inverse", "stewart", "--times", "0,1.6")
    assert out.splitlines()[3:6] == [
        "t [s]  1 [N]  2 [N]  3 [N]   4 [N]  5 [N]  6 [N]",
        "0      7.043  7.043  7.043   7.043  7.043  7.043",
        "1.6    3.660  7.137  1.994  11.271  6.598  6.284",
    ]
    assert "samples shown" not in out


def test_limits_are_mentioned(capsys):
    code, out, err = outcome(capsys, "inverse", "stewart", "--motion", "trig3-fast")
    assert (code, err) == (0, "")
    assert "\nbeyond what the robot states:\n  speed: actuator 1 is 1.844 m/s beyond 2 m/s at t = 0.25 s, and " in out


def test_parts_and_bodies_sum_to_the_force(capsys):
    shown = solved(capsys, "sru", "--samples", "3", "--parts", "--by-body")
    assert list(shown) == [*LOADED, "parts", "by_body"]
    assert list(shown["parts"]) == ["inertia", "velocity", "gravity", "spring", "friction", "rotor", "external"]
    total = sum(np.array(part) for part in shown["parts"].values())
    np.testing.assert_allclose(total, shown["force"], rtol=0, atol=1e-11)
    _, text, _ = outcome(capsys, "inverse", "sru", "--samples", "3", "--parts", "--by-body")
    assert "\nlargest part [N m]" in text
    assert "\nlargest share [N m]" in text
    _, text, _ = outcome(capsys, "inverse", "sru", "--samples", "3", "--parts", "--format", "csv")
    assert ",force_inertia_1," in text.splitlines()[0]


def test_formulations_agree(capsys):
    default = solved(capsys, "delta", "--samples", "3")
    other = solved(capsys, "delta", "--samples", "3", "--formulation", "virtual_work")
    assert other["formulation"] == "virtual_work"
    np.testing.assert_allclose(other["force"], default["force"], rtol=1e-10)


def test_payload(capsys):
    robot = gough.load("delta")
    for option, load in (("2", (2.0,)), ("2,0,10,-50", (2.0, (0.0, 0.01, -0.05)))):
        shown = solved(capsys, "delta", "--samples", "3", "--payload", option, "--units", "mm")
        expected = gough.inverse_dynamics(robot.with_payload(*load), Motion.named(robot).sample(3))
        assert shown["force"] == expected.force.tolist()
        assert shown["robot"] == "delta"
    assert shown["force"] != solved(capsys, "delta", "--samples", "3")["force"]


def test_a_payload_weighs_what_a_wrench_does_at_rest(capsys):
    weight = f"0,0,{-3 * 9.81},0,0,0"
    carried = solved(capsys, "stewart", "--motion", "hold", "--samples", "2", "--payload", "3")
    pressed = solved(capsys, "stewart", "--motion", "hold", "--samples", "2", "--wrench", weight)
    np.testing.assert_allclose(carried["force"], pressed["force"], rtol=1e-12)


def test_a_wrench_replaces_the_motions_own(capsys):
    robot = gough.load("sru")
    s = Motion.named(robot).sample(3)
    wrench = [0.01, 0.0, -0.005, 1.0, 0.0, 2.0]
    shown = solved(capsys, "sru", "--samples", "3", "--wrench", "0.01,0,-5N,0.001,0,2N m", "--units", "kN")
    expected = gough.inverse_dynamics(
        robot, gough.State(s.x, s.xd, s.xdd, wrench=np.multiply(wrench, [1e3] * 3 + [1] * 3))
    )
    assert shown["force"] == expected.force.tolist()


def test_settings(capsys):
    shown = solved(capsys, "stewart", "--samples", "3", "--set", "platform.mass=5", "--set", "legs.base.radius=1.6")
    robot = gough.load("stewart").replace({"platform.mass": 5, "legs.base.radius": 1.6})
    assert shown["force"] == gough.inverse_dynamics(robot, Motion.named(robot).sample(3)).force.tolist()


def test_units_and_poses(capsys):
    way = ("delta", "--samples", "3")
    plain = solved(capsys, *way, "--from", "z=-0.75", "--to", "0.05,0,-0.8", "--duration", "0.5")
    by_option = solved(capsys, *way, "--from", "z=-750", "--to", "50,0,-800", "--duration", "500", "--units", "mm,ms")
    by_suffix = solved(capsys, *way, "--from", "z=-750mm", "--to", "x=5cm,z=-800mm", "--duration", "0.5")
    for other in (by_option, by_suffix):
        np.testing.assert_allclose(other["x"], plain["x"], rtol=1e-15, atol=1e-16)
        np.testing.assert_allclose(other["force"], plain["force"], rtol=1e-12)
    assert plain["motion"] == "minimum-jerk"
    assert plain["t"] == [0.0, 0.25, 0.5]


def test_motions_from_files(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "way.csv").write_text("t,x,z\n0,0,-750\n100,20,-760\n300,50,-800\n")
    for option in ("--motion", "--waypoints"):
        shown = solved(capsys, "delta", option, "way.csv", "--hold-missing", "--units", "mm,ms", "--times", "0,100,300")
        assert shown["motion"] == "way.csv"
        assert shown["t"] == [0.0, 0.1, 0.3]
        np.testing.assert_allclose(shown["x"], [[0, 0, -0.75], [0.02, 0, -0.76], [0.05, 0, -0.8]], atol=1e-12)
        at_ends = np.abs(np.array(shown["xd"])[[0, 2]]).max()
        assert (at_ends < 1e-12) == (option == "--waypoints")


def test_python_has_the_same_texts(capsys, tmp_path):
    robot = gough.load("delta")
    result = gough.inverse_dynamics(robot, Motion.named(robot, "circle").sample(7))
    _, printed, _ = outcome(capsys, "inverse", "delta", "--motion", "circle", "--samples", "7", "--format", "json")
    assert result.to_json(tmp_path / "forces.json") == printed == (tmp_path / "forces.json").read_text()
    assert result.to_csv(tmp_path / "forces.csv") == (tmp_path / "forces.csv").read_text()
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["forces.csv", "forces.json"]


def test_a_single_sample_in_python_is_one_row():
    robot = gough.load("delta")
    x = np.array(robot.platform.home)
    result = gough.inverse_dynamics(robot, x)
    shown = json.loads(result.to_json())
    assert list(shown) == KEYS
    assert (shown["motion"], shown["t"], shown["status"]) == (None, None, ["fine"])
    assert shown["force"] == [result.force.tolist()]
    header, row = csv.reader(io.StringIO(result.to_csv()))
    assert header[0] == "x"
    assert len(row) == len(header)
    timed = gough.inverse_dynamics(robot, gough.State([x, x], t=[0, 0.5]))
    assert json.loads(timed.to_json())["t"] == [0.0, 0.5]
    assert json.loads(timed.to_json())["xd"] == [[0.0] * 3] * 2


def test_a_base_that_moves(capsys):
    options = ("stewart", "--motion", "hold", "--times", "0,0.5,1", "--parts")
    still, moving = solved(capsys, *options), solved(capsys, *options, "--base-motion", "ship")
    added = np.array(moving["parts"]["base"])
    assert np.abs(added).max() > 0.1
    np.testing.assert_allclose(np.array(still["force"]) + added, moving["force"], rtol=0, atol=1e-12)
    shown = outcome(capsys, "inverse", *options, "--base-motion", "ship")[1]
    assert "\nThe base moves: ship.\n" in shown
    assert "on the base, at its origin" in shown
    code, out, err = outcome(capsys, "inverse", *options, "--base-motion", "boat")
    assert (code, out) == (2, "")
    assert err == (
        "gough: error: base motion boat: choose ship, vehicle, shaker or a CSV file of t and some of x, y, z, yaw, "
        "pitch, roll\n"
    )


def test_a_simulation_on_a_moving_base(capsys):
    options = ("delta", "--controller", "none", "--for", "0.02")
    still, moving = (outcome(capsys, "simulate", *options, *more) for more in ((), ("--base-motion", "shaker")))
    assert still[0] == moving[0]
    assert still[1] != moving[1]
    assert outcome(capsys, "simulate", *options, "--base-motion", "shaker", "--ensemble", "2")[0] == 0
    for more, text in (
        (("--known-base",), "needs --base-motion, the motion that the controller knows"),
        (("--base-motion", "ship", "--known-base"), "needs a --controller that can know it"),
    ):
        code, _, err = outcome(capsys, "simulate", *options, *more)
        assert (code, err) == (2, f"gough: error: --known-base: {text}\n")


def test_a_check_on_a_moving_base(capsys, tmp_path):
    code, out, _ = outcome(capsys, "check", "delta", "--base-motion", "shaker")
    assert code == 0
    assert "The base moves: shaker" in out
    assert "  duration: not searched: the base keeps its own time, independent of the motion's\n" in out
    short = tmp_path / "short.csv"
    short.write_text("t,z\n0,0\n0.01,0.001\n0.02,0\n0.03,0.001\n")
    code, _, err = outcome(capsys, "check", "delta", "--base-motion", str(short), "--smooth", "none")
    assert (code, err) == (
        2,
        "gough: error: base motion short.csv: is known from 0 to 0.03 s, must be known from 0 to 0.9 s, as long as the "
        "robot moves\n",
    )
