"""Assembly modes of a 4-PUU machine: all that Newton's method finds on the law of its rods, from starts everywhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import gough
from tests.support.schoenflies import BASE, PLATFORM, ROD, jointed

STARTER = Path(gough.__file__).parent / "cli" / "starters" / "upu.toml"
X = np.array([0.05, -0.03, 0.08, 0.2])


def rods(x, q, points):
    """How far rods are from their length, as squares, at x (N, 4), and derivatives; platform points (4, 2)."""
    c, s = np.cos(x[:, 3])[:, None], np.sin(x[:, 3])[:, None]
    arm = np.stack([c * points[:, 0] - s * points[:, 1], s * points[:, 0] + c * points[:, 1]], axis=2)
    way, rise = arm + x[:, None, :2] - BASE, x[:, 2:3] - q
    f = (way**2).sum(axis=2) + rise**2 - ROD**2
    turn = -way[..., 0] * arm[..., 1] + way[..., 1] * arm[..., 0]
    return f, 2.0 * np.stack([way[..., 0], way[..., 1], rise, turn], axis=2)


def searched(q, points):
    """All x that damped steps find from 800 starts."""
    rng = np.random.default_rng(3)
    x = np.array([0, 0, q.mean(), 0]) + rng.uniform(-1, 1, (800, 4)) * [0.8, 0.8, 0.9, np.pi]
    for _ in range(60):
        f, J = rods(x, q, points)
        step = np.einsum("nij,nj->ni", np.linalg.pinv(J), f)
        x = x - step * np.minimum(1.0, 0.3 / np.maximum(np.abs(step).max(axis=1), 1e-9))[:, None]
    x = x[np.abs(rods(x, q, points)[0]).max(axis=1) < 1e-13]
    x[:, 3] = np.angle(np.exp(1j * x[:, 3]))
    return x[np.unique(x.round(6), axis=0, return_index=True)[1]]


def same_poses(found, expected):
    assert len(found) == len(expected)
    apart = found[:, None] - expected
    apart[..., 3] = np.angle(np.exp(1j * apart[..., 3]))
    assert np.abs(apart).max(axis=2).min(axis=0).max() < 1e-10


def test_all_four_modes_are_found_and_certified():
    robot = jointed()
    q = gough.inverse_kinematics(robot, X).q
    found = gough.assembly_modes(robot, q)
    assert found.count_text == "4 assembly modes (8 solutions, 4 real)"
    assert found.complete
    assert found.certified.all()
    same_poses(found.x, searched(q, PLATFORM))
    assert found.branch.tolist() == [[-1] * 4, [-1] * 4, [1] * 4, [1] * 4]
    assert found.side.tolist() == [1, -1, 1, -1]


def test_with_dependent_tilt_the_platform_may_be_upside_down_too():
    robot = jointed(dependent=True)
    q = gough.inverse_kinematics(robot, X).q
    found = gough.assembly_modes(robot, q)
    assert found.count_text == "8 assembly modes (16 solutions, 8 real)"
    assert found.complete
    assert found.certified.all()
    upright = found.R[:, 2, 2] > 0.0
    same_poses(found.x[upright], searched(q, PLATFORM))
    turned = searched(q, PLATFORM * [1, -1])
    same_poses(np.column_stack([found.p, np.arctan2(found.R[:, 1, 0], found.R[:, 0, 0])])[~upright], turned)


def test_a_search_alone_claims_no_more_than_it_knows():
    robot = gough.load(STARTER)
    found = gough.assembly_modes(robot, gough.inverse_kinematics(robot, [0.02, 0.01, 0.5]).q)
    assert not found.complete
    assert found.count_text.startswith("at least ")
    assert found.claim_text == "no completeness claim: a search from 1000 starts may miss some"
