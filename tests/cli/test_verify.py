"""`gough verify`: the certificate, its files and exit codes."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from gough import load
from gough.dynamics import FORMULATIONS
from gough.dynamics.lagrange import Lagrange
from gough.dynamics.moving_base import BaseRates
from gough.dynamics.newton_euler import NewtonEuler
from gough.dynamics.virtual_work import VirtualWork
from gough.kinematics.leg import LegPose
from gough.kinematics.random_states import random_states
from gough.motion import BaseState
from gough.reports.dynamics_checks import base_checks, joint_checks
from gough.reports.identity_checks import power_program, worst_of
from gough.reports.verify import verify
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


PARTS = ("forward dynamics", "moving base", "energy")


def test_every_part_is_checked_for_every_formulation_or_said_not_to_be():
    certificate = verify(load("planar3rrr"), 5)
    checked = {(k.part, k.formulation) for k in certificate.checks if k.formulation}
    left_out = {(n.part, n.formulation): n.reason for n in certificate.not_run}
    assert checked | set(left_out) == {(part, name) for part in PARTS for name in NAMES}
    assert not checked & set(left_out)
    assert left_out == dict.fromkeys(
        [("forward dynamics", "virtual_work"), ("energy", "virtual_work")], "has no mass matrix"
    )
    assert "virtual_work: forward dynamics, simulation: has no mass matrix" in str(certificate)
    assert sum(k.part == "joint rates" for k in certificate.checks) == 2


def test_simulations_beyond_the_limit_of_operations_are_said_not_to_be_run(monkeypatch):
    monkeypatch.setattr(sys.modules[verify.__module__], "LARGEST_COMPILED", 3000)
    certificate = verify(load("planar3rrr"), 5)
    left_out = {n.formulation: n.reason for n in certificate.not_run if n.part == "energy"}
    assert set(left_out) == {"virtual_work", "lagrange", "koditschek"}
    assert left_out["lagrange"].endswith("operations, more than 3000")
    assert certificate.passed
    assert f"lagrange: simulation: {left_out['lagrange']}" in str(certificate)


def failing(certificate):
    """(part, formulation) of the checks that fail."""
    return {(k.part, k.formulation) for k in certificate.checks if not k.passed}


def test_wrong_forward_dynamics_are_found(monkeypatch):
    right = NewtonEuler.mass_matrix
    monkeypatch.setattr(NewtonEuler, "mass_matrix", lambda self, pose: right(self, pose) * (1.0 + 1e-6))
    found = verify(load("planar3rrr").replace({"gravity.1": -0.03}), 20)
    assert {("forward dynamics", "newton_euler"), ("energy", "newton_euler")} <= failing(found)
    assert {name for _, name in failing(found)} <= {"newton_euler", ""}
    assert "FAILS: energy balance of a simulation: newton_euler" in str(found)


def test_a_motion_of_the_base_that_is_ignored_is_found(monkeypatch):
    right = NewtonEuler.demand

    def turning_ignored(self, motion, *args, **kwargs):
        if motion.base is not None:
            motion = replace(motion, base=replace(motion.base, w=motion.base.w * 0.0))
        return right(self, motion, *args, **kwargs)

    monkeypatch.setattr(NewtonEuler, "demand", turning_ignored)
    found = verify(load("planar3rrr").replace({"gravity.1": -0.04}), 20)
    assert failing(found) == {("moving base", "newton_euler"), ("moving base", "")}


def test_a_force_of_the_base_that_all_formulations_lack_is_found_by_the_power(monkeypatch):
    """The formulations still agree with each other: only the power balance sees it."""
    right = BaseRates.of.__func__

    def without_turning(cls, values):
        base = right(cls, values)
        return replace(base, w=base.w * 0.0, wd=base.wd * 0.0)

    robot = load("planar3rrr").replace({"gravity.1": -0.05})
    states = random_states(robot, 20)
    expected = power_program(robot, base=True)
    monkeypatch.setattr(BaseRates, "of", classmethod(without_turning))
    monkeypatch.setattr("gough.reports.dynamics_checks.power_program", lambda *_, **__: expected)
    found = base_checks(robot, states, 0, (NewtonEuler(), VirtualWork(), Lagrange()), 1e-9)
    assert [k.name for k in found if not k.passed] == ["power balance on a moving base, all formulations"]


def test_gravity_of_a_tilted_base_turned_the_wrong_way_is_found(monkeypatch):
    robot = load("delta").replace({"gravity.1": 0.05})
    right = BaseState.felt

    def turned(self, gravity):
        found = right(self, gravity)
        return np.concatenate([found[..., :3] * [1.0, -1.0, 1.0], found[..., 3:]], axis=-1)

    monkeypatch.setattr(BaseState, "felt", turned)
    found = base_checks(robot, random_states(robot, 20), 0, (NewtonEuler(), VirtualWork()), 1e-9)
    assert [k.name for k in found if not k.passed] == ["tilted, accelerated base = other gravity (newton_euler)"]


@pytest.mark.parametrize(
    ("method", "name"),
    [("joint_rates", "qd = d/dt of joint coordinates"), ("joint_accelerations", "qdd = d/dt of joint rates")],
)
def test_wrong_rates_of_joints_are_found(monkeypatch, method, name):
    """Of the last joint of each leg, which is passive."""
    right = getattr(LegPose, method)

    def last_wrong(self, *arguments):
        *others, last = right(self, *arguments)
        return [*others, last * (1.0 + 1e-6)]

    monkeypatch.setattr(LegPose, method, last_wrong)
    robot = load("planar3rrr").replace({"gravity.1": -0.06})
    found = joint_checks(robot, random_states(robot, 20), 1e-9)
    assert name in [k.name for k in found if not k.passed]
