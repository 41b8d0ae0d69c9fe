"""`--units` is for numbers that are given and for those that are shown, in every command that has quantities."""

from __future__ import annotations

import json
import math
import re

import pytest

import gough
from gough.display import display_units
from gough.reports.run_plots import force_plot, path_plot
from tests.cli.running import outcome

MOVE = ("--to", "z=2.2,psi=0.1", "--duration", "2")
SAME = ("--to", "z=2200,psi=5.729577951308232", "--duration", "2000", "--units", "mm,deg,ms,kN")


def words(capsys, *arguments):
    """Rows of the output as words, by the first words up to a number."""
    code, out, err = outcome(capsys, *arguments)
    assert code in (0, 1), err
    rows = {}
    for line in out.splitlines():
        found = re.match(r"(\D[^\d\[]*?(?: \[(.*?)\])?)\s{2,}(.*)", line)
        if found:
            rows[found[1].split(" [")[0].strip()] = (found[2], found[3].split())
    return rows


def test_size(capsys):
    plain, shown = words(capsys, "size", "stewart", *MOVE), words(capsys, "size", "stewart", *SAME)
    for name, unit, factor in (("peak force", "kN", 1e-3), ("peak speed", "mm/s", 1e3), ("at t", "ms", 1e3)):
        assert shown[name][0] == unit
        assert [float(v) for v in shown[name][1]] == pytest.approx(
            [factor * float(v) for v in plain[name][1]], rel=2e-3
        )


def test_check(capsys):
    plain, shown = words(capsys, "check", "stewart", *MOVE), words(capsys, "check", "stewart", *SAME)
    for name, unit, factor in (("stroke", "mm", 1e3), ("speed", "mm/s", 1e3), ("force", "kN", 1e-3)):
        (leg, t, value, *_), (same, later, other, *_) = plain[name][1], shown[name][1]
        assert leg == same
        assert float(later) == pytest.approx(1e3 * float(t), rel=1e-4)
        assert float(other) == pytest.approx(factor * float(value), rel=1e-4)
        assert unit in shown[name][1]


def test_compare(capsys):
    other = ("stewart", "--set", "platform.mass=3")
    plain, shown = (words(capsys, "compare", "stewart", *other, *move) for move in (MOVE, SAME))
    a, b = plain["peak force"][1], shown["peak force"][1]
    assert (a[2], b[2]) == ("N", "kN")
    assert [float(v) for v in b[:2]] == pytest.approx([1e-3 * float(v) for v in a[:2]], rel=1e-4)


def test_simulate(capsys):
    arguments = (
        "simulate",
        "stewart",
        "--controller",
        "feedforward",
        "--for",
        "20ms",
        "--mismatch",
        "platform.mass=2x",
    )
    plain, shown = words(capsys, *arguments, *MOVE), words(capsys, *arguments, *SAME)
    assert (plain["z"][1][0], shown["z"][1][0]) == ("m", "mm")
    assert [float(v) for v in shown["z"][1][1:3]] == pytest.approx([1e3 * float(v) for v in plain["z"][1][1:3]])
    first, second = (outcome(capsys, *arguments, *move)[1].splitlines()[0] for move in (MOVE, SAME))
    assert (": 0.02 s in " in first, ": 20 ms in " in second) == (True, True)
    (a, turned), (b, same) = (
        re.search(rf"closure \S+ {unit}; largest error (\S+) {unit}, (\S+) deg$", line).groups()
        for unit, line in (("m", first), ("mm", second))
    )
    assert float(b) == pytest.approx(1e3 * float(a), rel=1e-2)
    assert same == turned


def test_events_of_a_simulation(capsys):
    falls = ("simulate", "rotary", "--controller", "none")
    _, out, err = outcome(capsys, *falls, "--units", "mm,rad,ms")
    what = "leg 1: R reaches the lower end of its stroke"
    assert f"complete: false ({what}, -1.39626 rad)" in out
    assert re.fullmatch(rf"gough: t = 55\.9\d+ ms: {what}, -1.39626 rad \(stopped\)\n", err)
    assert f"{what}, -80 deg (stopped)" in outcome(capsys, *falls)[2]


def test_modes(capsys):
    plain = outcome(capsys, "modes", "planar3rrr", "--pose", "x=0.1,phi=0.1", "--stiffness", "180")[1]
    given = ("--pose", "x=100,phi=5.729577951308232", "--stiffness", "3141.592653589793", "--units", "mm,deg")
    shown = outcome(capsys, "modes", "planar3rrr", *given)[1]
    assert "x = 100" in shown
    assert plain.endswith("Stiffness of actuators: 180 N m/rad.\n")
    assert shown.endswith("Stiffness of actuators: 3141.59 N mm/deg.\n")
    modes = [re.findall(r"^\d +(\S+)", text, re.MULTILINE) for text in (plain, shown)]
    assert len(modes[0]) == 3
    assert modes[0] == modes[1]


def test_accuracy(capsys, tmp_path):
    errors = tmp_path / "errors.toml"
    errors.write_text('[tolerances]\nbase = "0.1 mm"\n\n[stiffness]\nactuator = "20 N/um"\n')
    asked = ("accuracy", "stewart", "--errors", str(errors), "--wrench")
    plain, shown = (
        outcome(capsys, *asked, "10,0,0,0,0,0")[1],
        outcome(capsys, *asked, "10,0,0,0,0,0", "--units", "mm,deg")[1],
    )
    for row, unit, si, factor in (("x", "um", "um", 1.0), ("rotation", "deg", "urad", 180e-6 / math.pi)):
        a, b = (re.search(rf"^{row} +(\w+) +(\S+)", text, re.MULTILINE).groups() for text in (plain, shown))
        assert (a[0], b[0]) == (si, unit)
        assert float(b[1]) == pytest.approx(factor * float(a[1]), rel=1e-3)
    soft = [re.search(r"free \[(.*?)\]: x (\S+),.* rz (\S+)", text).groups() for text in (plain, shown)]
    assert [units for units, *_ in soft] == ["N/m, N m/rad", "N/um, N mm/deg"]
    assert float(soft[1][1]) == pytest.approx(1e-6 * float(soft[0][1]), rel=1e-3)
    assert float(soft[1][2]) == pytest.approx(1e3 * math.pi / 180 * float(soft[0][2]), rel=1e-3)
    moments = [re.search(r"^mz \[(.*?)\] .* (\S+)$", text, re.MULTILINE).groups() for text in (plain, shown)]
    assert [unit for unit, _ in moments] == ["N m", "N mm"]
    assert float(moments[1][1]) == pytest.approx(180e-9 / math.pi * float(moments[0][1]), rel=1e-3)


def test_plots(tmp_path):
    shown, machine = display_units("mm,deg,ms"), gough.load("rotary")
    drive = gough.Controller(gough.ComputedTorque(), gough.Motion.named(machine, "nod"))
    run = gough.simulate(machine, None, drive, 0.02, samples=5)
    labels = [ax.get_ylabel() for ax in path_plot(run, shown).axes]
    assert labels == ["displacement [mm]", "displacement [deg]", "error [mm]", "error [deg]"]
    forces = force_plot(run, shown).axes
    assert [ax.get_ylabel() for ax in forces] == ["force [N mm]", "rate [deg/s]"]
    assert forces[0].get_lines()[0].get_ydata() == pytest.approx(1e3 * run.force[:, 0])
    assert forces[1].get_lines()[0].get_xdata() == pytest.approx(1e3 * run.t)


def test_messages_of_what_is_out_of_reach(capsys):
    for command, given in (("ik", ("--pose", "z=300mm")), ("inverse", ("--to", "z=300mm", "--duration", "1s"))):
        plain, shown = (outcome(capsys, command, "rotary", *given, *more)[2] for more in ((), ("--units", "mm")))
        metres = re.search(r"out of reach by (\S+) m\b", plain)
        millimetres = re.search(r"out of reach by (\S+) mm\b", shown)
        assert float(millimetres[1]) == pytest.approx(1e3 * float(metres[1]), rel=1e-3)


def test_show(capsys):
    out = outcome(capsys, "show", "stewart", "--pose", "z=2100", "--units", "mm,kN")[1]
    assert "z = 2100 mm" in out
    assert "0.1 kN" in out
    assert "centre of mass mm" in out


@pytest.mark.parametrize("command", ["check", "size"])
def test_json_stays_in_si_units(capsys, command):
    plain, shown = (json.loads(outcome(capsys, command, "stewart", *move, "--json")[1]) for move in (MOVE, SAME))
    for key in ("findings", "force", "qd_t"):
        if key not in plain:
            continue
        if key == "findings":
            for a, b in zip(plain[key], shown[key], strict=True):
                assert b["value"] == pytest.approx(a["value"], rel=1e-9)
        else:
            assert shown[key] == pytest.approx(plain[key], rel=1e-9)


@pytest.mark.parametrize(
    "arguments",
    [
        ("ik", "stewart"),
        ("show", "stewart"),
        ("inverse", "stewart"),
        ("check", "stewart"),
        ("size", "stewart"),
        ("compare", "stewart", "stewart"),
        ("simulate", "stewart"),
        ("modes", "stewart"),
        ("report", "stewart"),
        ("view", "stewart"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_wrong_unit_is_told_the_right_one(capsys, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    code, out, err = outcome(capsys, *arguments, "--units", "mm,degg")
    assert (code, out) == (2, "")
    assert err == 'gough: error: --units: "degg": no such unit (did you mean deg?)\n'
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "options",
    [
        ("inverse", "delta"),
        ("check", "delta", "--limit", "force=40"),
        ("simulate", "delta", "--for", "0.01"),
        ("size", "delta"),
        ("move", "delta", "--to", "z=-900", "--limit", "force=60"),
        ("fastest", "delta", "--to", "z=-900", "--limit", "force=60", "--cells", "40"),
    ],
    ids=lambda options: options[0],
)
@pytest.mark.parametrize("moment", ["N m", "Nm", "N mm"])
def test_moments_in_a_unit_of_their_own_beside_millimetres(capsys, options, moment):
    """Of numbers without a unit too: a limit of 40 is one of 40 N m, or of 40 N mm, which nothing keeps."""
    code, out, err = outcome(capsys, *options, "--units", f"mm,deg,{moment}")
    if "--limit" in options and moment == "N mm":
        assert code in (1, 3)
        return
    assert err == ""
    assert moment in out
    assert {"N m": "N mm", "Nm": "N m", "N mm": "N m "}[moment] not in out.replace("N m^2", "")
