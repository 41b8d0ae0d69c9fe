"""The same physical motion, stated in each convention, gives the same forces in every command that takes poses."""

from __future__ import annotations

import csv
import json
import math
from functools import cache

import numpy as np
import pytest

import gough
from gough import Convention
from tests.cli.running import outcome


@cache
def stewart():
    return gough.load("stewart").with_tool((0.02, -0.05, 0.15))


CONVENTIONS = [Convention(name) for name in ("fixed-xyz", "uvw", "quaternion")]
NAMES = [stated.name for stated in CONVENTIONS]
START, END = (0.02, 0.0, 2.0, 0.05, -0.1, 0.02), (-0.05, 0.04, 2.2, 0.2, -0.15, 0.1)
ROUND_OFF = 1e-12


def text(stated, x):
    values = zip(stated.values(stewart()), stated.stated(stewart(), x), strict=True)
    return ",".join(f"{value.name}={number!r}" for value, number in values)


def options(stated):
    return ("--convention", stated.name, "--tool", "20mm,-5cm,0.15") if stated.name != "robot" else ()


def move(stated):
    return ("--from", text(stated, START), "--to", text(stated, END), "--duration", "800ms", *options(stated))


def file_of(path, stated, orders, count=21):
    """A CSV file of a motion between two poses, with rates and accelerations as far as `orders` says."""
    motion = gough.Motion.to(stewart(), END, 0.8, start=START, law="trig3", back=True)
    t = np.linspace(0, 0.8, count)
    rows = stated.stated_rows(stewart(), *motion.law(t)[:orders])
    names = [value.name for value in stated.values(stewart())]
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["t", *(order + name for order in ("", "xd_", "xdd_")[:orders] for name in names)])
        out.writerows(map(repr, row) for row in np.hstack([t[:, None], *rows]).tolist())
    return str(path)


def printed(capsys, *arguments):
    code, out, err = outcome(capsys, *arguments)
    assert code in (0, 1), err
    return json.loads(out)


def same(found, expected):
    found, expected = np.array(found, dtype=float), np.array(expected, dtype=float)
    assert np.isfinite(expected).all()
    np.testing.assert_allclose(found, expected, rtol=0, atol=ROUND_OFF * np.abs(expected).max())


@pytest.mark.parametrize("stated", CONVENTIONS, ids=NAMES)
def test_inverse_of_a_move(capsys, stated):
    plain, other = (printed(capsys, "inverse", "stewart", "--format", "json", *move(c)) for c in (Convention(), stated))
    same(other["force"], plain["force"])


@pytest.mark.parametrize("orders", [1, 2, 3])
@pytest.mark.parametrize("stated", CONVENTIONS, ids=NAMES)
def test_inverse_of_files(capsys, tmp_path, stated, orders):
    files = {c: file_of(tmp_path / f"{c.name}.csv", c, orders) for c in (Convention(), stated)}
    ways = ("--motion", "--waypoints") if orders == 1 else ("--motion",)
    for way in ways:
        plain, other = (
            printed(capsys, "inverse", "stewart", "--format", "json", way, files[c], *options(c)) for c in files
        )
        same(other["x"], plain["x"])
        same(other["force"], plain["force"])


@pytest.mark.parametrize("stated", CONVENTIONS, ids=NAMES)
def test_check_size_and_compare(capsys, stated):
    def values(chosen, command, *more):
        return printed(capsys, command, "stewart", *more, "--json", *move(chosen))

    results = []
    for chosen in (Convention(), stated):
        checked, sized = values(chosen, "check"), values(chosen, "size")
        compared = values(chosen, "compare", "stewart", "--set", "platform.mass=3")
        results.append(
            [
                [entry["value"] for entry in checked["every"] if entry["kind"] == "force"],
                [sized["force"], sized["rms_force"]],
                [[entry["first"], entry["second"]] for entry in compared["differences"] if "force" in entry["what"]],
            ]
        )
    for plain, other in zip(*results, strict=True):
        same(other, plain)


@pytest.mark.parametrize("stated", CONVENTIONS, ids=NAMES)
def test_simulate(capsys, tmp_path, monkeypatch, stated):
    monkeypatch.setattr("gough.plots.png", lambda figure: b"")
    forces = []
    for chosen in (Convention(), stated):
        arguments = (
            "--controller",
            "feedforward",
            "--for",
            "20ms",
            "--samples",
            "5",
            "--out",
            str(tmp_path / chosen.name),
        )
        code, _, err = outcome(capsys, "simulate", "stewart", *arguments, *move(chosen))
        assert code == 0, err
        columns = json.loads((tmp_path / chosen.name / "run.json").read_text())["columns"]
        forces.append([columns[name] for name in columns if name.startswith("force")])
    assert len(forces[0]) == 6
    same(forces[1], forces[0])


def test_report(capsys, tmp_path, monkeypatch):
    cases = []
    monkeypatch.setattr("gough.reports.page.report_page.report_html", lambda case: cases.append(case) or "")
    for chosen in (Convention(), *CONVENTIONS):
        arguments = ("--states", "0", "--no-animation", "--samples", "21", "--out", str(tmp_path / "a.html"))
        code, _, err = outcome(capsys, "report", "stewart", *arguments, *move(chosen))
        assert code == 0, err
        assert cases[-1].stated == chosen
        same(cases[-1].result.force, cases[0].result.force)
        assert chosen.name == "robot" or f"--convention {chosen.name}" in cases[-1].command


def test_a_report_shows_named_motions_in_a_convention(capsys, tmp_path, monkeypatch):
    cases = []
    monkeypatch.setattr("gough.reports.page.report_page.report_html", lambda case: cases.append(case) or "")
    arguments = ("--states", "0", "--no-animation", "--samples", "21", "--out", str(tmp_path / "a.html"))
    assert outcome(capsys, "report", "stewart", "--convention", "uvw", *arguments)[0] == 0
    assert (cases[0].motion.name, cases[0].stated.name) == ("trig3", "uvw")


@pytest.mark.parametrize("stated", CONVENTIONS, ids=NAMES)
def test_a_picture_of_the_end_of_a_move(capsys, tmp_path, monkeypatch, stated):
    drawn = []
    monkeypatch.setattr("gough.view.drawing.draw.png", lambda robot, x, display: drawn.append(x) or b"")
    for way in (
        ("--to", text(stated, END), *options(stated)),
        move(stated),
        ("--pose", text(stated, END), *options(stated)),
    ):
        assert outcome(capsys, "view", "stewart", *way, "--png", str(tmp_path / "a.png"))[0] == 0
        np.testing.assert_allclose(drawn[-1], END, rtol=0, atol=1e-14)


def test_a_picture_does_not_ignore_a_motion(capsys, tmp_path):
    file = tmp_path / "a.png"
    for way in (("--motion", "trig3"), ("--pose", "z=2.1", "--to", "z=2.2")):
        code, _, err = outcome(capsys, "view", "stewart", *way, "--png", str(file))
        assert (code, file.exists()) == (2, False)
        assert "--png: shows one pose; give" in err


@pytest.mark.parametrize("stated", CONVENTIONS, ids=NAMES)
def test_rates_of_ik_are_about_the_same_tool(capsys, stated):
    xd, xdd = np.array([[0.1, -0.2, 0.3, 0.4, -0.5, 0.6]]), np.array([[1.0, 0.5, -2.0, 0.3, 0.2, -0.1]])
    found = []
    for chosen in (Convention(), stated):
        names = [value.name for value in chosen.values(stewart())]
        _, *rates = chosen.stated_rows(stewart(), np.array([END]), xd, xdd)
        given = [",".join(f"{n}={v!r}" for n, v in zip(names, row[0].tolist(), strict=True)) for row in rates]
        arguments = ("--pose", text(chosen, END), "--velocity", given[0], "--acceleration", given[1])
        found.append(printed(capsys, "ik", "stewart", *arguments, *options(chosen), "--format", "json")["actuators"])
    for key in ("q", "qd", "qdd"):
        same([entry[key] for entry in found[1]], [entry[key] for entry in found[0]])


def test_rates_belong_to_the_values_as_given(capsys):
    """A quaternion and its negative, and any length of it, are one pose; their rates have their own sign and length."""
    found = []
    for scale in (1.0, -1.0, 2.5):
        pose = f"qw={scale * math.cos(0.1)!r},qz={scale * math.sin(0.1)!r}"
        rate = f"qw={-scale * math.sin(0.1)!r},qz={scale * math.cos(0.1)!r}"
        arguments = ("--convention", "quaternion", "--pose", pose, "--velocity", rate, "--format", "json")
        found.append(printed(capsys, "ik", "stewart", *arguments)["xd"]["psi"])
    assert found == pytest.approx([2.0, 2.0, 2.0], rel=1e-14)


@pytest.mark.parametrize("command", ["inverse", "check", "size", "simulate", "compare"])
def test_a_convention_without_a_pose_is_refused(capsys, command):
    robots = ("stewart", "stewart") if command == "compare" else ("stewart",)
    code, out, err = outcome(capsys, command, *robots, "--convention", "uvw")
    assert (code, out) == (2, "")
    assert err == (
        'gough: error: --convention: "uvw": the motion trig3 is in the robot\'s own coordinates: there is no pose to '
        "state otherwise (it is for --to, --from and files)\n"
    )


def test_an_envelope_is_in_the_robots_own_coordinates(capsys):
    code, _, err = outcome(capsys, "size", "stewart", "--envelope", "e.toml", "--convention", "uvw")
    assert (code, err) == (2, "gough: error: --convention: cannot go with --envelope\n")


@pytest.mark.parametrize("command", ["show", "modes"])
def test_poses_of_other_commands(capsys, command):
    own = outcome(capsys, command, "stewart", "--pose", text(Convention(), END), *options(CONVENTIONS[1])[2:])
    other = outcome(capsys, command, "stewart", "--pose", text(CONVENTIONS[1], END), *options(CONVENTIONS[1]))
    assert own[0] == other[0] == 0
    told, wanted = ([line for line in page[1].splitlines()[2:] if "tool  " not in line] for page in (own, other))
    assert told == wanted
