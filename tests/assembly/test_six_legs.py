"""All assembly modes of robots on six distance legs."""

import json
from dataclasses import replace

import numpy as np
import pytest

import gough
from tests.support import lanes
from tests.support.robots import with_values
from tests.support.six_leg_robots import (
    lengths,
    nearest,
    newton_poses,
    random_points,
    random_poses,
    six_ups,
)

CATALOGUE = {"stewart": 16, "sru": 28, "hexapod": 40, "rotary": 40}


@pytest.fixture(scope="module")
def robots():
    return {name: gough.load(name) for name in CATALOGUE}


def _poses(robot, count, seed=1):
    rng = np.random.default_rng(seed)
    x = np.array(robot.platform.home) + rng.uniform(-1.0, 1.0, (count, 6)) * ([0.02] * 3 + [0.1] * 3)
    found = gough.inverse_kinematics(robot, x)
    return x[found.status == 0], found.q[found.status == 0]


@pytest.mark.parametrize("name", CATALOGUE)
def test_known_poses_are_among_all(robots, name):
    robot = robots[name]
    x, q = _poses(robot, 24)
    found = gough.assembly_modes(robot, q)
    for k in range(len(q)):
        assert np.abs(found.x[found.sample == k] - x[k]).max(axis=1).min() < 1e-10
    assert found.certified.mean() > 0.99
    whole = found.complete
    assert whole.mean() > 0.9
    assert ((found.count + found.complex)[whole] == CATALOGUE[name]).all()
    claims = {
        40: "40 of 40 certified: none is missing",
        28: "28 found by three start systems, closed under conjugation",
        16: "16 found by three start systems, closed under conjugation",
    }
    assert set(found.claim[whole]) == {claims[CATALOGUE[name]]}
    assert all(claim.startswith("no completeness claim") for claim in found.claim[~whole])


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_mode_has_the_displacements(robots, name):
    """On its branches, each mode leads back to the displacements, and to the singular value, by inverse kinematics."""
    robot = robots[name]
    _, q = _poses(robot, 6, seed=2)
    found = gough.assembly_modes(robot, q[-1])
    assert found.count >= 2
    assert (found.branch != 0).all()
    for k in range(found.count):
        other = _on_branches(robot, found.branch[k].tolist())
        back = gough.inverse_kinematics(other, gough.State(found.x[k], np.zeros(6)))
        turned = [joint.turns for joint in robot.actuators]
        off = np.where(turned, np.angle(np.exp(1j * (back.q - q[-1]))), back.q - q[-1])
        assert np.abs(off).max() < 1e-9


def _on_branches(robot, branches):
    legs = tuple(
        replace(leg, branch=branch, joints=tuple(replace(joint, start=None) for joint in leg.joints))
        for leg, branch in zip(robot.legs, branches, strict=True)
    )
    return with_values(robot, legs=legs)


def test_a_symmetric_position_is_said_to_be_one(robots):
    """At home the hexapod has a curve of complex solutions: paths to it prove nothing, what is regular is found."""
    robot = robots["hexapod"]
    q = gough.inverse_kinematics(robot, robot.platform.home).q
    found = gough.assembly_modes(robot, q)
    assert np.abs(found.x[0] - robot.platform.home).max() < 1e-12
    assert (found.count, found.complex, found.complete) == (2, 8, False)
    assert found.claim == (
        "no completeness claim: 10 regular solutions found by three start systems, the other 30 of 40 paths end where "
        "nothing is proved (singular, not isolated or infinite)"
    )


def test_modes_keep_the_leg_lengths():
    rng = np.random.default_rng(3)
    base, platform = random_points("general", rng)
    robot = six_ups(base, platform)
    p, R = random_poses(30, rng)
    asked = lengths(base, platform, p, R)
    found = gough.assembly_modes(robot, asked)
    assert found.complete.all()
    reached = lengths(base, platform, found.p, found.R)
    assert np.abs(reached - asked[found.sample]).max() < 1e-12
    assert np.abs(np.linalg.det(found.R) - 1.0).max() < 1e-14
    assert np.abs(found.singular_value - _smallest(robot, base, platform, found)).max() < 1e-10
    assert set(np.unique(found.side)) == {-1, 1}


def _smallest(robot, base, platform, found):
    """Smallest singular values of the leg lines, turns by the rms distance of the platform's points."""
    arm = np.einsum("nij,lj->nli", found.R, platform)
    d = found.p[:, None] + arm - base
    n = d / np.linalg.norm(d, axis=2)[:, :, None]
    length = np.sqrt(((platform - platform.mean(axis=0)) ** 2).sum(axis=1).mean())
    return np.linalg.svd(np.concatenate([n, np.cross(arm, n) / length], axis=2), compute_uv=False)[:, -1]


def test_complex_solutions_keep_the_leg_lengths():
    """As polynomials: squares without conjugation; and two of each pair are conjugates, up to the sign of e."""
    rng = np.random.default_rng(12)
    base, platform = random_points("general", rng)
    p, R = random_poses(4, rng)
    asked = lengths(base, platform, p, R)
    found = gough.assembly_modes(six_ups(base, platform), asked)
    assert found.complete.all()
    assert len(found.complex_p) == found.complex.sum() > 40
    w, u = found.complex_e[:, :1, None], found.complex_e[:, None, 1:]
    assert np.abs((found.complex_e**2).sum(axis=1) - 1.0).max() < 1e-12
    arm = platform + 2.0 * np.cross(u, np.cross(u, platform) + w * platform)
    squares = ((found.complex_p[:, None] + arm - base) ** 2).sum(axis=2)
    size = (np.abs(found.complex_p[:, None] + arm) ** 2).sum(axis=2)
    assert (np.abs(squares - asked[found.complex_sample] ** 2) < 1e-12 * (1.0 + size)).all()
    for k in range(len(asked)):
        mine = found.complex_p[found.complex_sample == k]
        apart = np.abs(mine[:, None] - np.conj(mine)).max(axis=2) / (1.0 + np.abs(mine).max(axis=1))
        assert apart.min(axis=1).max() < 1e-10
        assert apart.diagonal().min() > 1e-10


@pytest.mark.parametrize("name", ["stewart", "hexapod"])
def test_a_set_does_not_depend_on_its_neighbours(robots, name):
    """Alone it is solved by another program."""
    robot = robots[name]
    _, q = _poses(robot, 5, seed=4)
    together = gough.assembly_modes(robot, q)
    alone = gough.assembly_modes(robot, q[3])
    assert not np.may_share_memory(together.q, q)
    mine = together.sample == 3
    for name in ("x", "p", "R", "branch", "singular_value", "certified"):
        assert np.array_equal(getattr(together, name)[mine], getattr(alone, name)), name
    assert (together.claim[3], together.complex[3]) == (alone.claim, alone.complex)


def test_many_starts_find_nothing_else():
    """Newton's method from random starts, which shares nothing with paths, finds no pose that is not there."""
    rng = np.random.default_rng(5)
    for kind in ("general", "planar"):
        base, platform = random_points(kind, rng)
        p, R = random_poses(1, rng)
        asked = lengths(base, platform, p, R)[0]
        found = gough.assembly_modes(six_ups(base, platform), asked)
        others_p, others_R = newton_poses(base, platform, asked, lanes.size(5000, 400), rng)
        assert len(others_p) > 20
        assert nearest(others_p, others_R, found.p, found.R).max() < 1e-8
        assert nearest(found.p, found.R, others_p, others_R).max() < 1e-8 or not lanes.FULL


def test_near_a_singularity_nothing_is_lost_silently():
    """Poses at 1e-3 to 1e-8 from a singular one: found, or no claim."""
    rng = np.random.default_rng(6)
    base, platform = random_points("general", rng)
    robot = six_ups(base, platform)
    (p0, p1), (R0, _) = random_poses(2, rng)
    det = [_determinant(base, platform, p0 + s * (p1 - p0), R0) for s in np.linspace(-3.0, 3.0, 601)]
    k = int(np.flatnonzero(np.diff(np.sign(det)))[0])
    low, high = np.linspace(-3.0, 3.0, 601)[k : k + 2]
    for _ in range(60):
        middle = 0.5 * (low + high)
        same = np.sign(_determinant(base, platform, p0 + middle * (p1 - p0), R0)) == np.sign(det[k])
        low, high = (middle, high) if same else (low, middle)
    for distance in (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8):
        p = (p0 + (low + distance) * (p1 - p0))[None]
        found = gough.assembly_modes(robot, lengths(base, platform, p, R0[None])[0])
        near = nearest(p, R0[None], found.p, found.R)[0] if found.count else np.inf
        if found.complete:
            assert near < 1e-6
        assert found.complete or found.claim.startswith("no completeness claim")
        assert found.complete or distance < 1e-3


def _determinant(base, platform, p, R):
    arm = platform @ R.T
    d = p + arm - base
    return np.linalg.det(np.concatenate([d, np.cross(arm, d)], axis=1))


@pytest.mark.parametrize("similar", [0.5, 1.0])
def test_architecture_singular_robots_are_refused(similar):
    """Points on a conic, the platform's similar to the base's: Ma & Angeles 1991."""
    angles = np.sort(np.random.default_rng(7).uniform(0.0, 2.0 * np.pi, 6))
    base = np.stack([np.cos(angles), np.sin(angles), 0.0 * angles], axis=1)
    robot = six_ups(base, similar * base, "similar")
    with pytest.raises(gough.InputError) as caught:
        gough.assembly_modes(robot, np.ones(6))
    assert str(caught.value) == (
        "assembly modes: similar is architecture-singular: its legs leave the platform a motion at any pose, "
        "so that no displacements fix it; change the legs' points, e.g. off a conic similar to the platform's"
    )


def test_bad_numbers_are_refused(robots):
    with pytest.raises(gough.InputError, match="starts: 4 given, expected 1, 2 or 3"):
        gough.assembly_modes(robots["stewart"], np.ones(6), starts=4)
    with pytest.raises(gough.InputError, match="q"):
        gough.assembly_modes(robots["stewart"], [np.nan] * 6)
    with pytest.raises(gough.InputError, match="q"):
        gough.assembly_modes(robots["stewart"], np.ones(5))
    with pytest.raises(gough.InputError, match=r"^q: no displacements given, expected one set of them or more$"):
        gough.assembly_modes(robots["stewart"], np.ones((0, 6)))


def test_the_forms_of_a_result(robots):
    robot = robots["stewart"]
    _, q = _poses(robot, 2, seed=8)
    found = gough.assembly_modes(robot, q[0])
    document = json.loads(found.to_json())
    assert list(document) == ["robot", "displacement", "modes", "complex", "complete", "claim"]
    assert list(document["modes"][0]) == [
        *("x", "R", "p", "branch", "within_limits", "singular_value", "side", "certified"),
    ]
    assert document["modes"][0]["x"] == dict(zip(robot.coordinate_names, found.x[0].tolist(), strict=True))
    assert len(found.to_csv().splitlines()) == 17
    many = gough.assembly_modes(robot, q, starts=1)
    assert [mode["sample"] for mode in many.to_dict()["modes"]] == many.sample.tolist()
    assert set(many.claim) == {"16 found by one start system, closed under conjugation"}
