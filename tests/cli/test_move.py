"""`gough move`: jerk has a unit, as given and as told."""

from __future__ import annotations

import csv
import io

import numpy as np

from tests.cli.running import outcome

STEWART = ("move", "stewart", "--to", "z=2100mm", "--limit", "force=400N", "--step", "50ms")


def test_jerk_has_a_unit(capsys):
    code, out, err = outcome(capsys, *STEWART, "--jerk", "5m/s^3")
    assert (code, err) == (0, "")
    assert out.splitlines()[0].endswith(" s, jerk of an actuator at most 5 m/s^3")
    stated = outcome(capsys, *STEWART, "--jerk", "5")[1]
    assert stated == out
    # A number without a unit is in --units, as all are.
    first = outcome(capsys, *STEWART, "--jerk", "5000", "--units", "mm,deg")[1].splitlines()[0]
    assert first.endswith(" s, jerk of an actuator at most 5000 mm/s^3")
    assert first.split(",")[:2] == out.splitlines()[0].split(",")[:2]
    code, _, err = outcome(capsys, *STEWART, "--jerk", "5deg/s^3")
    units = "mm/s^3, cm/s^3, m/s^3 or in/s^3"
    assert (code, err) == (2, f"gough: error: --jerk 5deg/s^3: its unit must be {units}, not deg/s^3\n")


def test_set_points_may_have_units(capsys, tmp_path):
    def read(text):
        return list(csv.reader(io.StringIO(text)))

    plain = read(outcome(capsys, *STEWART, "--jerk", "5m/s^3", "--format", "csv")[1])
    path = tmp_path / "points.csv"
    outcome(capsys, *STEWART, "--jerk", "5m/s^3", "--units", "mm,deg", "--csv-units", "--out", str(path))
    scaled = read(path.read_text("utf-8"))
    assert scaled[0][:2] == ["t [s]", "q_1 [mm]"]
    values = np.array(scaled[1:], dtype=float)
    np.testing.assert_allclose(values[:, 1:], 1e3 * np.array(plain[1:], dtype=float)[:, 1:], rtol=1e-14, atol=0)
    code, _, err = outcome(capsys, *STEWART, "--jerk", "5", "--csv-units")
    assert (code, err) == (2, "gough: error: --csv-units: is for --format csv and --out FILE.csv\n")
