"""Modes by paths against modes by elimination: the same sets, by a method that shares nothing with them."""

import numpy as np
import pytest

import gough
from benchmarks.peers.study_elimination import modes_by_elimination
from gough.assembly.followed import followed
from gough.assembly.six_legs import six_legs
from tests.support import lanes
from tests.support.six_leg_robots import lengths, random_points, random_poses, six_ups


@pytest.mark.slow
def test_elimination_finds_the_same_modes():
    """Digits that elimination loses are the tolerance: it reaches some 1e-9 at best, 1e-4 where modes are near."""
    rng = np.random.default_rng([lanes.SEED, 40])
    for kind in ("general", "planar"):
        for _ in range(lanes.size(5, 1)):
            base, platform = random_points(kind, rng)
            robot = six_ups(base, platform)
            solver = six_legs(robot)
            p, R = random_poses(lanes.size(20, 2), rng)
            q = lengths(base, platform, p, R)
            targets = solver.targets(q)
            found = followed(solver.starts.systems[0], targets, moves=False)
            a, b = targets.points.reshape(2, 5, 3)
            for x, k, whole in zip(found.x, targets.k, found.whole, strict=True):
                other = modes_by_elimination(a, b, k[:5], k[5])
                cosine = np.minimum(np.abs(other @ np.conj(x).T), 1.0)
                apart = np.sqrt(1.0 - cosine**2)
                if whole:
                    assert np.median(apart.min(axis=0)) < 1e-6
                    assert apart.min(axis=0).max() < 1e-2
                    assert len(set(apart.argmin(axis=0))) == 40
            assert gough.assembly_modes(robot, q[0]).complete
