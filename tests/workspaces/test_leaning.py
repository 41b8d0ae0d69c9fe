"""The largest tilt of heads with two turning coordinates, against a scan by inverse kinematics alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gough
from gough.kinematics.dependent.values import dependent_coordinates
from gough.kinematics.status import Status
from gough.workspaces.conditions import conditions_of
from gough.workspaces.leaning import LeanTracer, lean_rays
from gough.workspaces.tilts import tilts
from tests.support.spindle_heads import head_file

STEP = 1e-3
"""Of the scan [rad]."""


def scanned(robot, azimuth):
    """Tilt and azimuth of the last pose of a scan, in steps of `STEP`, before a stroke ends or det K = 0 is passed."""
    angle = np.arange(0.0, np.pi / 2, STEP)
    normal = np.stack([np.sin(angle) * np.cos(azimuth), np.sin(angle) * np.sin(azimuth), np.cos(angle)], axis=1)
    x = np.tile(robot.platform.home, (len(angle), 1))
    names = robot.coordinate_names
    x[:, names.index("pitch")] = np.arctan2(normal[:, 0], normal[:, 2])
    x[:, names.index("roll")] = np.arcsin(-normal[:, 1])
    found = gough.inverse_kinematics(robot, x)
    good = np.asarray(found.status) <= Status.NEAR_SINGULAR
    det = np.linalg.det(np.where(good[:, None, None], found.K, np.eye(robot.dof)))
    good &= det * det[0] > 0.0
    for k, joint in enumerate(robot.actuators):
        low, high = joint.limits.stroke
        good &= (found.q[:, k] >= low) & (found.q[:, k] <= high)
    last = np.flatnonzero(~good)[0] - 1
    yaw = dependent_coordinates(robot, x[last])[0][robot.dependent_names.index("yaw")]
    return angle[last], (azimuth + yaw) % (2.0 * np.pi)


@pytest.mark.parametrize("name", ["rps3", "PRS"])
def test_the_largest_tilt_is_that_of_a_scan(name, tmp_path):
    robot = gough.load("rps3" if name == "rps3" else head_file(tmp_path))
    home = np.array(robot.platform.home)
    found = tilts(robot, conditions_of(robot, only=("reach", "stroke", "side")), home, np.zeros(3), 24)
    scan = np.array([scanned(robot, azimuth) for azimuth in np.arange(24) * np.pi / 12])
    scan = scan[np.argsort(scan[:, 1])]
    assert found.azimuth == pytest.approx(scan[:, 1], abs=3 * STEP)
    assert (scan[:, 0] <= found.tilt).all()
    assert (found.tilt <= scan[:, 0] + STEP * (1 + 1e-9)).all()
    assert found.head
    assert found.least <= found.tilt.min()
    # Least where a leg is, or opposite: of three legs 120 deg apart, with the torsion that turns directions.
    assert abs(np.sin(3.0 * found.least_at)) < 1e-6


def test_the_ray_turns_the_normal_about_its_axis():
    robot = gough.load("rps3")
    start = np.array([0.6, 0.2, -0.1])
    tracer = LeanTracer(robot, conditions_of(robot))
    azimuth = np.linspace(0.0, 2.0 * np.pi, 7)
    rays = lean_rays(robot, start, azimuth)
    for ray, far in zip(rays.values, rays.far, strict=True):
        x = np.array([tracer._coordinates(t, ray) for t in (0.0, 0.3)], dtype=float)
        assert x[0] == pytest.approx(start, abs=1e-15)
        assert x[1][0] == start[0]
        assert far < np.pi / 2
        a, b = (np.array([np.sin(p) * np.cos(r), -np.sin(r), np.cos(p) * np.cos(r)]) for _, p, r in x)
        turned = Rotation.from_rotvec(0.3 * np.array([ray[3], ray[4], 0.0])).as_matrix() @ a
        assert b == pytest.approx(turned, abs=1e-15)
