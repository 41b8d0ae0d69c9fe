"""Legs named by numbers that are not their places: files that gough writes are read back, a doubtful q1 is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gough
from gough.calibration.measurements import measurement_template
from gough.calibration.uncertainty import workspace_poses
from tests.support.robots import with_values

NAMED = {"0 to 5": "012345", "6 to 1": "654321", "1 to 6": "123456", "A to F": "ABCDEF"}
ZEROS = np.array([1.0, -2.0, 0.5, 0.25, -0.75, 3.0]) * 1e-4


@pytest.fixture(params=NAMED.values(), ids=NAMED)
def machine(request: pytest.FixtureRequest) -> gough.Robot:
    robot = gough.load("stewart")
    return with_values(
        robot, legs=tuple(replace(leg, name=n) for leg, n in zip(robot.legs, request.param, strict=True))
    )


def doubtful(robot: gough.Robot) -> bool:
    return robot.legs[0].name in "06"


def rows_of(header: str, values: np.ndarray) -> str:
    return "\n".join([header, *(",".join(map(repr, row)) for row in values.tolist())]) + "\n"


def test_a_filled_template_gives_the_zeros_of_its_own_legs(machine: gough.Robot, tmp_path: Path) -> None:
    written = measurement_template(machine, "mine.toml")
    assert "gough calibrate mine.toml --plan" in written
    header = next(line for line in written.splitlines() if not line.startswith("#"))
    x = workspace_poses(machine, 12, 1)
    q = gough.inverse_kinematics(machine, x).q - ZEROS
    path = tmp_path / "filled.csv"
    path.write_text(rows_of(header, np.hstack([x[:, :3] * 1e3, np.degrees(x[:, 3:]), q * 1e3])))
    found = gough.calibrate(machine, path, parameters=["zero"], noise="position=20um,rotation=20urad,encoder=5um")
    zeros = [joint.zero for joint in found.corrected.actuators]
    assert np.abs(zeros - ZEROS - [joint.zero for joint in machine.actuators]).max() < 1e-9
    if doubtful(machine):
        path.write_text(
            path.read_text().replace(header, ",".join(f"q{k + 1}" for k in range(6)) + ",x,y,z,psi,theta,phi")
        )
        with pytest.raises(gough.GoughError, match=r"q\d: may be the actuator named \d or .* \(write q_\d or q_\d\)"):
            gough.calibrate(machine, path)


def test_a_plan_is_read_as_measurements(machine: gough.Robot, tmp_path: Path) -> None:
    planned = gough.plan_poses(machine, 8, parameters=["zero"])
    path = tmp_path / "plan.csv"
    path.write_text(planned.to_csv())
    read = gough.read_measurements(machine, path)
    names = [f"q_{leg.name}" if doubtful(machine) else f"q{k + 1}" for k, leg in enumerate(machine.legs)]
    columns = [read.sensors.columns.index(name) for name in names]
    assert np.abs(read.m[:, columns] - gough.inverse_kinematics(machine, planned.x).q).max() < 1e-12


def test_recordings_name_actuators_by_the_same_rule(machine: gough.Robot, tmp_path: Path) -> None:
    t = np.arange(60) * 0.02
    x = np.array(machine.platform.home) + 0.05 * np.sin(2 * np.pi * t[:, None] / 1.2 + np.arange(6))
    q = gough.inverse_kinematics(machine, x).q
    force = np.arange(6) + 0.01 * np.arange(60)[:, None]
    path = tmp_path / "recorded.csv"
    named = ",".join(["t", *(f"q_{leg.name}" for leg in machine.legs), *(f"force_{leg.name}" for leg in machine.legs)])
    counted = ",".join(["t", *(f"q{k + 1}" for k in range(6)), *(f"f{k + 1}" for k in range(6))])
    for header in (named, counted):
        path.write_text(rows_of(header, np.column_stack([t, q, force])))
        if header == counted and doubtful(machine):
            with pytest.raises(
                gough.GoughError, match=r"q1: may be the actuator named 1 or .* \(write q_1 or q_[06]\)"
            ):
                gough.read_recording(machine, path)
        else:
            assert np.array_equal(gough.read_recording(machine, path).force, force)
