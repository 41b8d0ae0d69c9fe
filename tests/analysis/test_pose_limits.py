"""Limits beside those of actuators that one pose does not keep."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import lsq_linear

import gough
from gough import Limits, Robot, loads
from gough.analysis.pose_limits import exceeded_limits
from gough.cli.new import starter
from gough.kinematics import inverse_kinematics
from tests.support.robots import with_values


def exceeded(robot: Robot, x: list[float]) -> dict[str, tuple[float, float]]:
    """Value and limit by kind and owner."""
    found = exceeded_limits(inverse_kinematics(robot, x), np.array(x))
    return {f"{one.kind} {one.owner}": (one.value, one.limit) for one in found}


def test_cones_of_the_platform_joints_are_told_where_their_legs_lean_too_far():
    robot = gough.load("stewart").replace({"legs.end_cone": 0.3})
    x = [0.1, 0.05, 2.0, 0.0, 0.2, 0.0]
    c, s = np.cos(0.2), np.sin(0.2)
    R_BP = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    base = np.array([leg.position for leg in robot.legs])
    platform = np.array([leg.end.platform_point for leg in robot.legs])
    at_home = np.array(robot.platform.home[:3]) + platform - base
    leaning = (np.array(x[:3]) + platform @ R_BP.T - base) @ R_BP
    cosines = (at_home * leaning).sum(axis=1) / np.linalg.norm(at_home, axis=1) / np.linalg.norm(leaning, axis=1)
    angles = np.arccos(cosines)
    # Some lean less and some more than the cone allows.
    limit = float(np.sort(angles)[2:4].mean())
    robot = robot.replace({"legs.end_cone": limit})
    found = exceeded(robot, x)
    assert set(found) == {f"angle {leg.name}.end" for leg, a in zip(robot.legs, angles, strict=True) if a > limit}
    assert len(found) == 3
    for leg, angle in zip(robot.legs, angles, strict=True):
        if angle > limit:
            assert found[f"angle {leg.name}.end"] == pytest.approx((angle, limit), abs=1e-12)


def test_strokes_of_passive_joints_are_told():
    robot = gough.load("planar3rrr")
    x = [0.05, 0.02, 0.1]
    q = inverse_kinematics(robot, x).joint_q
    leg = robot.legs[0]
    joint = replace(leg.joints[1], limits=Limits(stroke=(q[1] - 0.2, q[1] - 0.1)))
    limited = replace(leg, joints=(leg.joints[0], joint, *leg.joints[2:]))
    found = exceeded(with_values(robot, legs=(limited, *robot.legs[1:])), x)
    assert found[f"joint {leg.name}.{joint.name}"] == (q[1], q[1] - 0.1)


def test_legs_that_cross_are_told_by_how_much_they_overlap():
    robot = loads(starter("UPS")).replace({"legs.radius": "45mm"})
    x = [0.03, 0.02, 0.5, 1.2, 0.0, 0.0]
    c, s = np.cos(1.2), np.sin(1.2)
    R_BP = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    low = np.array([leg.position for leg in robot.legs])
    high = np.array(x[:3]) + np.array([leg.end.platform_point for leg in robot.legs]) @ R_BP.T

    def distance(i: int, j: int) -> float:
        """Of the axes of two legs, by bounded least squares."""
        u, v = high[i] - low[i], high[j] - low[j]
        return float(np.sqrt(2.0 * lsq_linear(np.stack([u, -v], axis=1), low[j] - low[i], (0, 1), tol=1e-14).cost))

    apart = {f"{i + 1}-{j + 1}": distance(i, j) for i in range(6) for j in range(i + 1, 6)}
    near = [pair for pair, d in apart.items() if d < 2 * robot.legs[0].radius]
    found = exceeded(robot, x)
    assert set(found) == {f"distance {pair}" for pair in near}
    assert 0 < len(near) < 15
    for pair in near:
        assert found[f"distance {pair}"] == (pytest.approx(apart[pair] - 2 * robot.legs[0].radius, abs=1e-7), 0.0)
    assert exceeded(robot, [0.0, 0.0, 0.5, 0.0, 0.0, 0.0]) == {}
