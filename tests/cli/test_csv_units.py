"""`--csv-units`: CSV of every command in the units of `--units`, named in the header; SI otherwise."""

from __future__ import annotations

import csv
import math

import numpy as np
import pytest

from tests.cli.running import outcome

SIZES = {"s": 1.0, "ms": 1e-3, "m": 1.0, "mm": 1e-3, "rad": 1.0, "deg": math.pi / 180, "N": 1.0, "kN": 1e3}
SIZES |= {"W": 1.0, "kN mm": 1.0, "N m": 1.0, "J": 1.0, "kg": 1.0, "kg m": 1.0, "kg m^2": 1.0}
UNITS = ["--units", "mm,deg,kN,ms", "--csv-units"]


def table(text):
    """Cells of a CSV text by column, without remarks."""
    header, *rows = csv.reader(line for line in text.splitlines() if not line.startswith("#"))
    return {name: [row[k] for row in rows] for k, name in enumerate(header)}


def agree(plain, named, bare=()):
    """Units of the columns: all but `bare` name theirs, and hold the numbers of the plain table."""
    units = {}
    for (name, expected), (column, found) in zip(plain.items(), named.items(), strict=True):
        if name in bare:
            assert (column, found) == (name, expected)
            continue
        assert column.startswith(f"{name} [")
        assert column.endswith("]")
        units[name] = column[len(name) + 2 : -1]
        size = SIZES[units[name].split("/")[0]]
        assert [cell == "" for cell in found] == [cell == "" for cell in expected]
        values, wanted = (np.array([float(cell) for cell in cells if cell]) for cells in (found, expected))
        np.testing.assert_allclose(values * size, wanted, rtol=1e-14)
    return units


@pytest.mark.parametrize("robot", ["delta", "stewart"])
def test_a_run(capsys, tmp_path, robot):
    options = ["simulate", robot, "--controller", "none", "--for", "0.01 s", "--samples", "3", "--out"]
    assert outcome(capsys, *options, str(tmp_path / "plain"))[0] == 0
    assert outcome(capsys, *options, str(tmp_path / "named"), *UNITS)[0] == 0
    units = agree(*(table((tmp_path / name / "run.csv").read_text()) for name in ("plain", "named")))
    first = {"delta": "A", "stewart": "1"}[robot]
    wanted = {"t": "ms", "z": "mm", "xd_z": "mm/s", "kinetic": "J", "closure": "mm"}
    travel, effort = {"delta": ("deg", "kN mm"), "stewart": ("mm", "kN")}[robot]
    wanted |= {f"q_{first}": travel, f"qd_{first}": f"{travel}/s", f"force_{first}": effort}
    assert wanted.items() <= units.items()


def test_an_ensemble(capsys, tmp_path):
    options = ["simulate", "stewart", "--for", "0.01 s", "--ensemble", "2", "--vary", "platform.mass=5%"]
    options += ["--full-history", "--out"]
    assert outcome(capsys, *options, str(tmp_path / "plain"))[0] == 0
    assert outcome(capsys, *options, str(tmp_path / "named"), *UNITS)[0] == 0
    files = ("robots.csv", "statistics.csv", "history.csv")
    bare = ("robot", "platform.mass", "worst_error", "diverged")
    units = {}
    for file in files:
        tables = (table((tmp_path / name / file).read_text()) for name in ("plain", "named"))
        units |= agree(*tables, bare)
    assert {"t": "ms", "x": "mm", "xd_psi": "deg/s", "mean_psi": "deg", "most_z": "mm"}.items() <= units.items()


def test_load_cases(capsys, tmp_path):
    (tmp_path / "envelope.toml").write_text("[pose]\nz = [0.5, 0.52]\n[acceleration]\nz = 1.0\n[payload]\nmass = 0.1\n")
    options = ["size", "spatial3", "--envelope", str(tmp_path / "envelope.toml"), "--cases"]
    # The envelope takes more stroke than the robot states: exit code 1.
    assert outcome(capsys, *options, str(tmp_path / "plain.csv"))[0] == 1
    assert outcome(capsys, *options, str(tmp_path / "named.csv"), *UNITS)[0] == 1
    tables = [table((tmp_path / f"{name}.csv").read_text()) for name in ("plain", "named")]
    units = agree(*tables, ("case", "actuator"))
    wanted = {
        "z": "mm",
        "xdd_z": "mm/s^2",
        "wx": "deg/s",
        "wrench_mx": "kN mm",
        "payload_mass": "kg",
        "payload_xx": "kg m^2",
    }
    assert wanted.items() <= units.items()
    ends = {name.rsplit("_", 1)[1]: unit for name, unit in units.items() if name.rsplit("_", 1)[-1] in ("fx", "mz")}
    assert ends == {"fx": "kN", "mz": "kN mm"}


@pytest.mark.parametrize(
    ("command", "value"),
    [
        (["ik", "delta", "--joints", "--velocity", "z=0.1m/s"], "joint_q"),
        (["fk", "delta", "--displacement", "A=10deg,B=5deg,C=0deg"], "x"),
    ],
)
def test_a_pose(capsys, command, value):
    plain, named = (table(outcome(capsys, *command, "--format", "csv", *more)[1]) for more in ([], UNITS))
    assert {"mm", "deg"} >= set(named["unit"])
    for unit, cell, expected in zip(named["unit"], named[value], plain[value], strict=True):
        assert float(cell) * SIZES[unit] == pytest.approx(float(expected), rel=1e-14)


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (["ik", "delta"], "--csv-units: is for --format csv"),
        (["fk", "delta", "--displacement", "A=1deg"], "--csv-units: is for --format csv"),
        (["simulate", "delta"], "--csv-units: needs --out, the folder to write CSV to"),
        (["size", "delta"], "--csv-units: needs --cases, the CSV file to write"),
    ],
)
def test_without_csv_the_option_is_refused(capsys, command, line):
    assert outcome(capsys, *command, "--csv-units") == (2, "", f"gough: error: {line}\n")
