"""`gough verify`: the certificate, its files and exit codes."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from gough.dynamics import FORMULATIONS
from gough.dynamics.newton_euler import NewtonEuler
from gough.reports.identity_checks import worst_of
from gough.reports.verify import verify
from gough.robot import load
from tests.cli.running import outcome

NAMES = [f.name for f in FORMULATIONS]


def test_certificate(capsys, tmp_path):
    file = tmp_path / "certificate.json"
    code, out, err = outcome(capsys, "verify", "planar3rrr", "--states", "200", "--seed", "3", "--out", str(file))
    assert (code, err) == (0, "")
    assert out.startswith("Certificate: planar3rrr")
    assert "200 random reachable states (seed 3)" in out
    assert "PASSED" in out
    assert all(any(line.split()[:1] == [name] for line in out.splitlines()) for name in NAMES)
    assert len(out.splitlines()) <= 60
    assert max(map(len, out.splitlines())) <= 120
    values = json.loads(file.read_text())
    assert values["passed"]
    assert {run["formulation"] for run in values["forces"]} == set(NAMES)
    assert {run["executor"] for run in values["forces"]} == {"llvm", "blocks", "floats"}
    assert max(run["worst"] for run in values["forces"]) == values["worst"]["value"] < 1e-12
    assert all(check["passed"] for check in values["checks"])


def test_json(capsys):
    code, out, _ = outcome(capsys, "verify", "planar3rrr", "--states", "20", "--json")
    assert code == 0
    assert json.loads(out)["states"] == 20


def test_a_wrong_formulation_is_found(capsys, monkeypatch):
    """A force off by a millionth fails the certificate: exit code 3, the culprit named."""
    right = NewtonEuler.demand

    def wrong(self, motion, *args, **kwargs):
        asked = right(self, motion, *args, **kwargs)
        return replace(asked, Q=asked.Q * (1.0 + 1e-6))

    monkeypatch.setattr(NewtonEuler, "demand", wrong)
    robot = load("planar3rrr").replace({"gravity.1": -0.01})  # not among the programs recorded before
    certificate = verify(robot, 50)
    assert not certificate.passed
    assert certificate.worst.run.formulation == "newton_euler"
    assert "FAILED" in str(certificate)
    assert len(repr(certificate.worst).splitlines()) <= 10
    code, out, _ = outcome(capsys, "verify", "planar3rrr", "--states", "20", "--set", "gravity.1=-0.02")
    assert code == 3
    assert "FAILED" in out


def test_what_is_not_a_number_is_worst():
    check = worst_of("x", np.array([[1.0], [np.nan], [2.0]]), 10.0)
    assert check.state == 1
    assert not check.passed


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("verify", "stewrat"), "stewart"),
        (("verify", "planar3rrr", "--states", "0"), "--states"),
        (("verify", "planar3rrr", "--out", "no/such/file.txt"), "no such folder"),
    ],
)
def test_bad_calls(capsys, arguments, line):
    code, out, err = outcome(capsys, *arguments)
    assert (code, out) == (2, "")
    assert line in err
    assert len(err.splitlines()) == 1


def test_lagranges_forms_run_once_beside_those_asked_for():
    """On NumPy blocks, so that even a single formulation is compared with another."""
    found = verify(load("planar3rrr"), 5, formulations=(NewtonEuler(),))
    runs = {(a.run.formulation, a.run.executor) for a in found.agreements}
    assert {run for run in runs if run[0] != "newton_euler"} == {("lagrange", "blocks"), ("koditschek", "blocks")}
    assert len(runs) > 3
    assert found.passed
