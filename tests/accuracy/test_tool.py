"""Errors and stiffness at the tool, against changed machines and struts assembled about that point."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gough
from tests.support.robots import value_at


@cache
def stewart():
    return gough.load("stewart")


@cache
def tooled():
    return stewart().with_tool(TOOL)


POSE = np.array([0.1, -0.15, 2.1, 0.2, 0.1, -0.15])
TOOL = (0.15, -0.1, -0.4)


@cache
def turns():
    return "".join(c.motion[1].upper() for c in stewart().platform.coordinates if c.turns)


def tool_at(x):
    """Place of the tool and the platform's rotation, without gough."""
    turned = Rotation.from_euler(turns(), x[3:])
    return x[:3] + turned.apply(TOOL), turned


@pytest.mark.parametrize("path", ["leg.3.base.0", "leg.2.platform.2", "leg.5.actuator.zero"])
def test_the_error_of_the_tool_is_what_a_changed_machine_has(path):
    """By central differences of 10 um: what is left is of third order and Newton's round-off, 1e-10."""
    half = 1e-5
    found = gough.pose_errors(tooled().with_errors({"tolerances": {path: half}}), POSE)
    q = gough.inverse_kinematics(stewart(), POSE).q
    ends = []
    for step in (half, -half):
        changed = stewart().replace({path: value_at(stewart(), path) + step})
        ends.append(tool_at(gough.forward_kinematics(changed, q, POSE).x))
    (p1, R1), (p0, R0) = ends
    moved = np.concatenate([p1 - p0, (R1 * R0.inv()).as_rotvec()]) / (2 * half)
    assert np.abs(moved - found.map[0, :, 0]).max() < 1e-9
    assert found.to_dict()["tool"] == list(TOOL)
    at_origin = gough.pose_errors(stewart().with_errors({"tolerances": {path: half}}), POSE)
    assert np.abs(moved[:3] - at_origin.map[0, :3, 0]).max() > 0.01


def test_a_hot_machine_takes_its_tool_along():
    """All lengths grow by 1e-6, the tool's too, while the readings stay; the rest is of second order."""
    heat = {"heat": {"temperature": 1.0, "expansion": 1e-6}}
    found = gough.pose_errors(tooled().with_errors(heat), POSE)
    q = gough.inverse_kinematics(stewart(), POSE).q
    grown = {}
    for leg in stewart().legs:
        for key in ("base", "platform"):
            grown |= {p: value_at(stewart(), p) * (1 + 1e-6) for p in (f"leg.{leg.name}.{key}.{i}" for i in range(3))}
    x = gough.forward_kinematics(stewart().replace(grown), q, POSE).x
    there = x[:3] + tool_at(x)[1].apply(np.array(TOOL) * (1 + 1e-6))
    assert np.abs(there - tool_at(POSE)[0] - found.map[0, :3, 0]).max() < 1e-10


def test_random_machines_scatter_at_the_tool_as_first_order_says():
    """The standard deviation of N normal draws scatters by 1/sqrt(2 N)."""
    errors = {"tolerances": {"base": "0.1 mm", "distribution": "normal"}}
    drawn = gough.monte_carlo(tooled().with_errors(errors), POSE, 4000, seed=2)
    ratio = drawn.std(axis=0) / gough.pose_errors(tooled().with_errors(errors), POSE).sd[0]
    assert np.abs(ratio - 1.0).max() < 4.0 / np.sqrt(8000.0)


def test_stiffness_at_the_tool_is_that_of_struts_about_it():
    k = 2e7
    errors = {"stiffness": {"actuator": k}}
    place, turned = tool_at(POSE)
    ends = POSE[:3] + turned.apply([leg.end.platform_point for leg in stewart().legs])
    lines = ends - np.array([leg.position for leg in stewart().legs])
    n = lines / np.linalg.norm(lines, axis=1)[:, None]
    J = np.hstack([n, np.cross(ends - place, n)])
    C = np.linalg.inv(k * J.T @ J)
    found = gough.elasticity(tooled().with_errors(errors), POSE)
    assert np.abs(found.compliance - C).max() < 1e-12 * np.abs(C).max()
    force = np.array([100.0, -50.0, 20.0])
    moved = found.deflection([*force, 0.0, 0.0, 0.0])
    assert np.abs(moved - C[:, :3] @ force).max() < 1e-12 * np.abs(moved).max()
    # The same force at the origin with its moment there turns the platform alike, and moves its origin as well.
    arm = place - POSE[:3]
    own = gough.elasticity(stewart().with_errors(errors), POSE).deflection([*force, *np.cross(arm, force)])
    own[:3] += np.cross(own[3:], arm)
    assert np.abs(own - moved).max() < 1e-12 * np.abs(moved).max()


def test_deflection_of_the_tool_along_a_motion_is_that_of_a_rigid_platform():
    errors = {"stiffness": {"actuator": "20 N/um"}, "tolerances": {"zero": "20 um"}}
    motion = gough.Motion.named(stewart(), "trig3")
    own, at_tool = (gough.deflection_along(robot.with_errors(errors), motion, 4) for robot in (stewart(), tooled()))
    r = np.array([tool_at(x)[0] - x[:3] for x in own.x])
    expected = own.deflection[:, :3] + np.cross(own.deflection[:, 3:], r)
    assert np.abs(at_tool.deflection[:, :3] - expected).max() < 1e-12 * np.abs(expected).max()
    assert np.abs(at_tool.deflection - own.deflection)[:, 3:].max() < 1e-12 * np.abs(own.deflection).max()
    assert np.array_equal(at_tool.errors.map, gough.pose_errors(tooled().with_errors(errors), own.x).map)


def test_a_wrench_along_a_motion_acts_at_the_tool():
    errors, wrench = (
        {"stiffness": {"actuator": "20 N/um"}},
        np.array([80.0, -40, 30, 0, 0, 0]),
    )
    motion = gough.Motion.named(stewart(), "trig3")
    still, pushed = (
        gough.deflection_along(tooled().with_errors(errors), m, 4) for m in (motion, motion.with_wrench(wrench))
    )
    more = [gough.elasticity(tooled().with_errors(errors), x).deflection(wrench) for x in still.x]
    assert np.abs(pushed.deflection - still.deflection - more).max() < 1e-12 * np.abs(pushed.deflection).max()
    moments = [np.cross(tool_at(x)[0] - x[:3], wrench[:3]) for x in still.x]
    np.testing.assert_allclose((pushed.load - still.load)[:, 3:], moments, rtol=0, atol=1e-12)


def test_tolerances_of_the_tool_itself_are_errors_of_it():
    """Its place by axes of the platform, and its turn about its own axis, by differences of two machines."""
    robot = stewart().with_tool(TOOL, {"axis": [0, 0, 1], "angle": 0.3})
    _, turned = tool_at(POSE)
    for path, expected in (
        ("tool.position.z", [*turned.apply([0, 0, 1]), 0, 0, 0]),
        ("tool.rotation.angle", [0, 0, 0, *turned.apply([0, 0, 1])]),
    ):
        errors = {"tolerances": {path: 1e-4}}
        found = gough.pose_errors(robot.with_errors(errors), POSE)
        assert np.abs(found.map[0, :, 0] - expected).max() < 1e-12
        drawn = gough.monte_carlo(robot.with_errors(errors), POSE, 400, seed=1)
        ratio = drawn.std(axis=0) - found.sd[0]
        assert np.abs(ratio).max() < 4.0 / np.sqrt(800.0) * found.sd[0].max()
