"""Volume, boundary, shapes and tilts against spherical shells, samples and each other."""

import struct

import numpy as np
import pytest

import gough
from gough import load
from gough.kinematics import inverse_kinematics
from gough.workspaces.bracket import bracket_of, half_space_share
from gough.workspaces.conditions import conditions_of
from gough.workspaces.inscribed import largest
from gough.workspaces.mesh_files import mesh_bytes
from gough.workspaces.region import grid_of, region_of
from gough.workspaces.surface import surface_of
from gough.workspaces.tilts import tilt_sets, tilts
from tests.support.lanes import size
from tests.workspaces.shells import contains

STROKE = (1.8, 3.3)


@pytest.fixture(scope="module")
def region():
    robot = load("stewart")
    return region_of(robot, conditions_of(robot, only=["stroke", "side"]), np.array(robot.platform.home))


@pytest.fixture(scope="module")
def grid(region):
    return grid_of(region, 48)


@pytest.fixture(scope="module")
def surface(region, grid):
    return surface_of(region, grid)


def test_the_proved_bracket_holds_a_monte_carlo_estimate(region, grid):
    found = bracket_of(region, grid, tolerance=1e-2)
    count = size(10**8, 10**6)
    rng, inside = np.random.default_rng(1), 0
    low, high = found.box.T
    for _ in range(count // 10**6):
        points = rng.uniform(low, high, size=(10**6, 3))
        inside += int((contains(region.robot, points, np.eye(3), STROKE) & (points[:, 2] > 0.0)).sum())
    box, share = np.prod(high - low), inside / count
    estimate, error = share * box, np.sqrt(share * (1.0 - share) / count) * box
    assert found.low - 4.0 * error <= estimate <= found.high + 4.0 * error
    assert found.gap <= 1.2e-2
    assert found.closed


def test_the_boundary_is_closed_sharp_and_on_the_limits(region, grid, surface):
    assert surface.watertight
    assert surface.residual <= 1e-14
    far = np.linalg.norm(surface.vertices[:, None] - shell_centres_at_home(region.robot), axis=2)
    off = np.abs(np.stack([far - 1.8, far - 3.3])).min(axis=(0, 2))
    assert np.quantile(off, 0.99) <= 1e-14
    assert surface.measure == pytest.approx(6.824, rel=8e-3)
    assert surface.shares == {"stroke": 1.0}
    # Every face's limit vanishes somewhere on it, and its middle is near that limit.
    middles = surface.vertices[surface.faces].mean(axis=1)
    margins = region.margins(middles)[np.arange(len(middles)), surface.face_limits]
    assert np.quantile(np.abs(margins), 0.9) <= 0.1 * grid.step


def shell_centres_at_home(robot):
    from tests.workspaces.shells import shell_centres

    return shell_centres(robot, np.eye(3))


def test_areas_in_a_plane(monkeypatch):
    robot = load("spatial3")
    region = region_of(robot, conditions_of(robot, only=["reach", "stroke"]), np.array(robot.platform.home))
    grid = grid_of(region, 64)
    found, proved = surface_of(region, grid), bracket_of(region, grid)
    assert found.watertight
    assert proved.low * 0.999 <= found.measure <= proved.high * 1.001
    u = np.random.default_rng(0).uniform(*proved.box.T, size=(200000, 2))
    share = region.inside(u).mean()
    estimate = share * np.prod(np.ptp(proved.box, axis=1))
    error = 4.0 * estimate * np.sqrt((1.0 - share) / share / len(u))
    assert proved.low - error <= estimate <= proved.high + error


def test_parts_that_meet_in_a_point_are_not_joined():
    """Two branches of det K = 0 of the symmetric 3-RRR cross: beyond is another part, and its three arms are alike."""
    robot = load("planar3rrr")
    region = region_of(robot, conditions_of(robot), np.array(robot.platform.home))
    for cells in (61, 96):
        grid = grid_of(region, cells)
        found = surface_of(region, grid)
        assert found.watertight
        assert grid.components >= 4
        assert found.measure == pytest.approx(0.243, rel=0.02)
        turned = found.vertices @ np.array([[-0.5, np.sqrt(0.75)], [-np.sqrt(0.75), -0.5]])
        gaps = np.linalg.norm(turned[:, None] - found.vertices, axis=2).min(axis=1)
        assert gaps.max() <= 3.0 * grid.step


def test_shares_of_half_spaces_hold_samples_and_are_tight():
    rng = np.random.default_rng(0)
    t = rng.uniform(-1.0, 1.0, size=(50000, 3))
    for _ in range(25):
        s = rng.normal(size=3) * 10.0 ** rng.uniform(-5, 0, size=3)
        c = rng.uniform(-1.0, 1.0) * np.abs(s).sum()
        r = rng.choice([0.0, 0.05]) * np.abs(s).sum()
        low, high = half_space_share(np.array([c, *s, r])[:, None])
        least, most = ((c + t @ s + e * r > 0.0).mean() for e in (-1.0, 1.0))
        assert low[0] <= least + 0.012
        assert high[0] >= most - 0.012
        assert low[0] >= least - 0.012
        assert high[0] <= most + 0.012
    assert half_space_share(np.array([1.0, 0.1, 0.1, np.inf])[:, None]) == (0.0, 1.0)


@pytest.mark.parametrize(("shape", "value"), [("cube", 0.321662791), ("cylinder", None), ("sphere", None)])
def test_largest_shapes_are_inside_and_not_a_little_larger(region, shape, value):
    found = largest(region, shape, prove=shape == "cube")
    if value is not None:
        assert found.size == pytest.approx(value, abs=1e-9)
        assert found.proved == pytest.approx(value, rel=2e-7)
    d = np.random.default_rng(2).normal(size=(60000, 3))
    d[: len(d) // 2] = np.clip(d[: len(d) // 2], -0.5, 0.5)
    norm = {
        "cube": np.abs(d).max(axis=1),
        "sphere": np.linalg.norm(d, axis=1),
        "cylinder": np.maximum(np.linalg.norm(d[:, :2], axis=1), np.abs(d[:, 2])),
    }[shape]
    on_surface = d / norm[:, None] * found.size
    assert contains(region.robot, region.start + 0.9999 * on_surface, np.eye(3), STROKE).all()
    touched = region.start + (found.at - region.start) * 1.0001
    assert not contains(region.robot, touched[None], np.eye(3), STROKE)[0]


def test_tilts_in_every_direction_and_the_least_of_them(region):
    robot = region.robot
    found = tilts(robot, conditions_of(robot, only=["stroke", "side"]), region.x, np.zeros(3))
    assert found.least <= found.tilt.min()
    azimuth = np.linspace(0.0, 2.0 * np.pi, 2000)
    for share, fits in ((0.9999, True), (1.0001, False)):
        at = np.append(azimuth, found.least_at)
        k = np.stack([-np.sin(at), np.cos(at), np.zeros(len(at))], axis=1)
        a, b = (np.array([getattr(v, n) for v in w]) for w, n in ((robot.legs, "position"), ([leg.end for leg in robot.legs], "platform_point")))  # fmt: skip  # noqa: E501
        c, s = np.cos(share * found.least), np.sin(share * found.least)
        turned = b * c + np.cross(k[:, None], b) * s + k[:, None] * (k @ b.T)[..., None] * (1.0 - c)
        far = np.linalg.norm([0.0, 0.0, 2.0] + turned - a, axis=2)
        assert ((far > 1.8) & (far < 3.3)).all() == fits


def test_sets_of_tilts_are_ordered_and_agree_with_the_probe(region, grid):
    found = [tilt_sets(region, grid, np.radians(a), np.zeros(3), 12) for a in (10, 20)]
    assert found[1].every < found[0].every < found[0].upright < found[0].reachable < found[1].reachable
    assert all(f.every <= f.given < f.upright for f in found)
    assert [f.every for f in found] == pytest.approx([4.22, 2.34], rel=0.02)


def test_meshes_hold_the_boundary_and_its_limits(surface):
    stl = mesh_bytes(surface, ".stl", "stewart")
    (count,) = struct.unpack("<I", stl[80:84])
    assert count == 2 * len(surface.faces)
    assert len(stl) == 84 + 50 * count
    rows = np.frombuffer(stl[84:], dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("limit", "<u2")])
    v = rows["v"].astype(float)
    assert (v[:, 0] * np.cross(v[:, 1], v[:, 2])).sum() / 6.0 == pytest.approx(surface.measure, rel=1e-5)
    assert np.array_equal(rows["limit"][: len(surface.faces)], surface.face_limits)
    ply = mesh_bytes(surface, ".ply", "stewart").decode().splitlines()
    body = ply[ply.index("end_header") + 1 :]
    assert len(body) == len(surface.vertices) + len(surface.faces)
    assert body[len(surface.vertices)].split()[1:5] == [str(k) for k in surface.faces[0]]
    assert "comment limit 0 stroke 1, low" in ply
    obj = mesh_bytes(surface, ".obj", "stewart").decode().splitlines()
    assert sum(line.startswith("f ") for line in obj) == len(surface.faces)
    assert "g stroke_1_low" in obj


def test_other_machines_say_what_they_have_not():
    delta = load("delta")
    found = gough.workspace(delta, only=["reach", "stroke"], cells=24)
    assert found.volume.measure > 0.5
    assert found.missing == (
        "tilt of delta: 0 of its coordinates turn, a tilt in every direction takes three; see its travel",
    )
    x = np.array([0.1, 0.2, -0.9])
    q = inverse_kinematics(delta, x).q
    assert (np.abs(np.degrees(q) + 10.0) <= 70.0).all() == found.volume.region.inside(x[None])[0]
