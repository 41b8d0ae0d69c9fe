"""Reactions by the recorded program against those by singular values of the whole system."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.dynamics.determined_reactions import is_determined, reaction_call
from gough.dynamics.reactions import by_singular_values
from tests.support.lanes import size
from tests.support.random_robots import random_robot

NAMES = ["hexapod", "rotary", "sru", "stewart"]


def states(robot, rng, count, spread):
    n = len(robot.platform.coordinates)
    x = np.array(robot.platform.home) + spread * rng.normal(size=(count, n))
    return {"x": x, "xd": rng.normal(size=(count, n)), "xdd": rng.normal(size=(count, n)), "wrench": rng.normal(size=6)}


@pytest.mark.parametrize("name", [*NAMES, "UPS", "PUS", "RUS"])
def test_both_ways_agree(name):
    """To 1e-10 of the largest: the condition of the whole system is below 1e4 at most of these poses."""
    robot = gough.load(name) if name in NAMES else random_robot(name, 3)
    rng = np.random.default_rng(8)
    inputs = states(robot, rng, size(2000, 200), 0.01)
    assert is_determined(robot)
    found, other = gough.joint_reactions(robot, gough.State(**inputs)), by_singular_values(robot, inputs)
    solved = np.isfinite(other["joint_force"]).all(axis=(1, 2))
    assert solved.mean() > 0.2
    for name in ("joint_force", "joint_moment"):
        scale = np.abs(other["joint_force"][solved]).max(axis=(1, 2))[:, None, None]
        assert (np.abs(getattr(found, name) - other[name])[solved] <= 1e-10 * scale).all()
    assert np.allclose(found.points[solved], other["points"][solved], rtol=0, atol=1e-14)
    assert np.array_equal(found.determinate, other["determinate"])
    assert np.array_equal(found.indeterminacy, other["indeterminacy"])
    assert np.isnan(found.joint_force[~solved]).all()
    assert reaction_call(robot)(inputs).values["regular"][solved].mean() > 0.9


def test_next_to_a_singular_pose_the_singular_values_decide():
    """The platform turned until a leg's forces no longer hold it: reactions there are indeterminate."""
    robot = gough.load("stewart")
    angles = np.array([0.0, 0.5, 1.0, 1.4, np.pi / 2 - 1e-6, np.pi / 2, np.pi / 2 + 1e-10])
    x = np.array(robot.platform.home) + np.outer(angles, [0, 0, 0, 1.0, 0, 0])
    inputs = {"x": x, "xd": np.zeros_like(x), "xdd": np.zeros_like(x), "wrench": np.arange(6.0)}
    found, other = gough.joint_reactions(robot, gough.State(**inputs)), by_singular_values(robot, inputs)
    assert np.array_equal(found.determinate, other["determinate"])
    assert np.array_equal(found.indeterminacy, other["indeterminacy"])
    assert found.indeterminacy.any()
    for k in range(len(x)):
        one = gough.joint_reactions(
            robot, gough.State(*(inputs[name][k] for name in ("x", "xd", "xdd")), wrench=inputs["wrench"])
        )
        assert np.array_equal(one.joint_force, found.joint_force[k], equal_nan=True)
        assert np.array_equal(one.indeterminacy, found.indeterminacy[k])
