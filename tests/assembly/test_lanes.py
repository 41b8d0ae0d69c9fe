"""Many random poses of random robots: complete or flagged, never a pose lost silently."""

import numpy as np
import pytest

import gough
from gough.assembly.followed import Targets, followed
from gough.assembly.start_systems import CAREFUL, shipped
from tests.support import lanes
from tests.support.six_leg_robots import lengths, nearest, random_points, random_poses, six_ups

POSES = {"general": (20, 500), "planar": (10, 500), "ring": (10, 500)}


@pytest.mark.parametrize("kind", POSES)
def test_poses_of_random_robots(kind):
    robots, poses = POSES[kind]
    rng = np.random.default_rng([lanes.SEED, len(kind)])
    complete, retried = [], []
    for k in range(lanes.size(robots, 1)):
        base, platform = random_points(kind, rng)
        p, R = random_poses(lanes.size(poses, 25), rng)
        found = gough.assembly_modes(six_ups(base, platform, f"{kind}{k}"), lengths(base, platform, p, R), starts=1)
        for i in np.flatnonzero(found.complete):
            mine = found.sample == i
            assert nearest(p[i : i + 1], R[i : i + 1], found.p[mine], found.R[mine])[0] < 1e-8, (k, i)
        complete.append(found.complete)
        retried.append(found.retried)
        assert set(found.claim[~found.complete]) <= {"no completeness claim"}
    assert np.mean(complete) >= (0.999 if lanes.FULL else 0.96)
    assert np.mean(retried) <= (0.01 if lanes.FULL else 0.08)


def test_poses_of_new_geometries():
    """Each pose of a robot of its own, straight from the shipped start system."""
    rng = np.random.default_rng([lanes.SEED, 36])
    count = lanes.size(2000, 20)
    base, platform = rng.normal(size=(2, count, 6, 3))
    base -= base[:, :1]
    platform -= platform[:, :1]
    scale = np.sqrt(3.0 * (np.concatenate([base, platform], axis=1) ** 2).mean(axis=(1, 2)))[:, None, None]
    base, platform = base / scale, platform / scale
    p, R = random_poses(count, rng)
    squares = ((p[:, None] + np.einsum("nij,nlj->nli", R, platform) - base) ** 2).sum(axis=2)
    own = (base[:, 1:] ** 2).sum(axis=2) + (platform[:, 1:] ** 2).sum(axis=2)
    m = squares[:, :1]
    k = np.concatenate([0.5 * (own - squares[:, 1:] + m), m], axis=1)
    sizes = np.concatenate([0.5 * (own + squares[:, 1:] + m), m], axis=1)
    points = np.concatenate([base[:, 1:].reshape(count, -1), platform[:, 1:].reshape(count, -1)], axis=1)
    targets = Targets(k, sizes, points, np.zeros((count, 3)))
    found = followed(shipped(), targets, moves=True)
    whole = found.whole.copy()
    again = np.flatnonzero(~whole)
    if len(again):
        whole[again] = followed(shipped(), targets.rows(again), moves=True, care=CAREFUL).whole
    assert (found.proved & found.new)[found.whole].sum(axis=1).min() == 40
    assert whole.mean() >= 0.999 or not lanes.FULL
    assert whole.sum() >= count - (2 if lanes.FULL else 1)
