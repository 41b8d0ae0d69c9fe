"""Distances of legs: segments against a search, and legs along a motion against their own geometry."""

import numpy as np
import pytest
from scipy.optimize import minimize

from gough import Motion, check, load
from gough.analysis.leg_distances import segments_squared
from gough.graph import record
from gough.run import Program
from tests.support.dense import leg_ends


def searched(a, b, c, d):
    """Distance of two segments by a bounded search from several starts."""

    def square(st):
        gap = a + st[0] * (b - a) - c - st[1] * (d - c)
        return gap @ gap

    found = [minimize(square, s, bounds=[(0, 1), (0, 1)], tol=1e-15).fun for s in ([0.5, 0.5], [0, 0], [1, 1])]
    return np.sqrt(min(found))


def test_segments_against_a_search():
    rng = np.random.default_rng(1)
    ends = rng.uniform(-1, 1, (60, 4, 3))
    ends[:5, 3] = ends[:5, 2] + (ends[:5, 1] - ends[:5, 0])  # parallel
    ends[5:8, 2] = ends[5:8, 0]  # sharing a point
    recorded = Program(record(lambda e: segments_squared(*e), e=(4, 3)), "blocks")
    found = np.sqrt(recorded(e=ends))
    assert found == pytest.approx([segments_squared(*four) ** 0.5 for four in ends], rel=1e-14)
    assert found == pytest.approx([searched(*four) for four in ends], abs=1e-6)


def test_segments_that_cross_at_small_angles_are_as_far_as_they_are_high():
    angle, height = np.logspace(-12, 0, 40), 0.03
    ends = np.zeros((40, 4, 3))
    ends[:, 0, 0], ends[:, 1, 0] = -1.0, 2.0
    ends[:, 2:, 2] = height
    ends[:, 3, :2] = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    ends[:, 2, :2] = -ends[:, 3, :2]
    found = Program(record(lambda e: segments_squared(*e), e=(4, 3)), "blocks")(e=ends)
    assert np.abs(found - height**2).max() <= 1e-15


def test_the_nearest_legs_of_a_motion():
    robot = load("stewart")
    result = check(robot, Motion.named(robot))
    (found,) = [f for f in result.findings if f.kind == "distance"]
    x = result.motion(found.t).x
    base, end = leg_ends(robot, x)
    i, j = (int(name) - 1 for name in found.owner.split("-"))
    lines = []
    for k in (i, j):  # these two share a platform joint, whose neighbourhood is left out
        n = (end[k] - base[k]) / np.linalg.norm(end[k] - base[k])
        lines += [base[k], end[k] - 0.4 * n]
    assert found.value == pytest.approx(searched(*lines) - 0.08, abs=1e-7)
    assert found.margin == found.value


def test_shared_joints_are_named():
    result = check(load("stewart"), Motion.named(load("stewart")))
    (note,) = result.notes
    assert note == (
        "legs 1 and 2; 3 and 4; 5 and 6 share a joint: not checked against each other within 0.4 m of it "
        "(5 times their radii)"
    )


def test_thicker_legs_meet():
    robot = load("hexapod")
    gap = next(f.value for f in check(robot, Motion.named(robot)).findings if f.kind == "distance")
    assert not check(robot, Motion.named(robot), limits={"distance": gap + 1e-9}).fits
    assert check(robot, Motion.named(robot), limits={"distance": gap - 1e-9}).fits
