"""A box of coordinates as a limit: alone it is the workspace, and what it cuts off is what a count says."""

import numpy as np
import pytest

import gough
from gough import load
from gough.workspaces.bracket import bracket_of
from gough.workspaces.conditions import conditions_of
from gough.workspaces.rays import ray_tracer
from gough.workspaces.region import grid_of, region_of
from gough.workspaces.surface import surface_of
from gough.workspaces.travel import violated
from tests.support.lanes import size
from tests.workspaces.shells import contains

STROKE = (1.8, 3.3)
ROOM = {"x": (-0.2, 0.3), "y": (-0.25, 0.25), "z": (1.9, 2.3)}


def ended(row):
    return [[limit.text for limit in limits] for limits in (row.low_limits, row.high_limits)]


def test_a_box_inside_is_the_workspace():
    found = gough.workspace(load("stewart"), box=ROOM, cells=16, prove=True, aspect=(5, 5, 4))
    for row in found.travel[:3]:
        np.testing.assert_allclose((row.low, row.high), ROOM[row.axis], rtol=1e-15)
        assert (ended(row), row.proved) == ([[f"box {row.axis}, low"], [f"box {row.axis}, high"]], True)
    volume = 0.5 * 0.5 * 0.4
    assert found.volume.measure == pytest.approx(volume, rel=1e-14)
    assert found.volume.surface.shares == {"box": 1.0}
    assert found.volume.surface.watertight
    bracket = found.volume.bracket
    assert bracket.low <= volume <= bracket.high
    assert (bracket.closed, bracket.gap <= 1e-11) == (True, True)
    sizes = {shape.shape: (shape.size, shape.limits[0].text) for shape in found.shapes}
    assert sizes["sphere"] == (pytest.approx(0.1, rel=1e-14), "box z, low")
    assert sizes["box"][0] == pytest.approx(0.125, rel=1e-14)
    assert found.to_dict()["limit_values"]["box"] == {name: list(ends) for name, ends in ROOM.items()}


def test_a_box_that_cuts_agrees_with_a_count():
    robot = load("stewart")
    walls = {"x": (-0.4, None), "z": (None, 2.3)}
    conditions = conditions_of(robot, only=["stroke", "side"], box=walls)
    assert conditions.kinds == ("stroke", "side", "box")
    region = region_of(robot, conditions, np.array(robot.platform.home))
    grid = grid_of(region, 48)
    found, surface = bracket_of(region, grid, tolerance=1e-2), surface_of(region, grid)
    assert found.box[0, 0] == -0.4
    assert found.box[2, 1] == 2.3
    count = size(10**8, 10**6)
    rng, inside = np.random.default_rng(2), 0
    low, high = found.box.T - [[0.1], [-0.1]]
    for _ in range(count // 10**6):
        points = rng.uniform(low, high, size=(10**6, 3))
        held = contains(robot, points, np.eye(3), STROKE) & (points[:, 2] > 0.0)
        inside += int((held & (points[:, 0] > -0.4) & (points[:, 2] < 2.3)).sum())
    room, share = np.prod(high - low), inside / count
    estimate, error = share * room, np.sqrt(share * (1.0 - share) / count) * room
    assert found.low - 4.0 * error <= estimate <= found.high + 4.0 * error
    assert (found.closed, found.gap <= 1.2e-2) == (True, True)
    assert surface.measure == pytest.approx(estimate, rel=1e-2)
    assert set(surface.shares) == {"box", "stroke"}


def test_angles_end_at_the_box_in_either_way_of_following_them():
    box = {"psi": ("-10 deg", "20 deg"), "theta": (None, 0.1), "phi": (-0.2, None)}
    found = gough.workspace(load("stewart"), box=box, cells=8)
    psi, theta, phi = found.travel[3:]
    np.testing.assert_allclose(np.degrees([psi.low, psi.high]), [-10.0, 20.0], rtol=1e-14)
    np.testing.assert_allclose([theta.high, phi.low, found.tilts.least], [0.1, -0.2, 0.1], rtol=1e-14)
    assert (ended(theta)[1], ended(phi)[0]) == (["box theta, high"], ["box phi, low"])
    # Its coordinates depend on each other: rays are in its own.
    found = gough.workspace(load("rps3"), box={"pitch": (-0.1, 0.2)}, travel_only=True)
    np.testing.assert_allclose([found.travel[1].low, found.travel[1].high], [-0.1, 0.2], rtol=1e-14)


@pytest.mark.parametrize("name", ["stewart", "hexapod", "planar3rrr"])
def test_an_angle_read_from_an_orientation_is_the_coordinate(name):
    robot = load(name)
    rng = np.random.default_rng(3)
    turning = [c.name for c in robot.platform.coordinates if c.turns]
    home = np.array(robot.platform.home)
    for _ in range(20):
        low, high = np.sort(rng.uniform(-1.4, 1.4, size=(2, len(turning))), axis=0)
        box = dict(zip(turning, zip(low.tolist(), high.tolist(), strict=True), strict=True))
        x = home.copy()
        x[[c.turns for c in robot.platform.coordinates]] = at = rng.uniform(-1.4, 1.4, size=len(turning))
        tracer = ray_tracer(robot, conditions_of(robot, only=["box"], box=box))
        out = {limit.owner for limit in violated(tracer, x)}
        assert out == {name for name, a, b, v in zip(turning, low, high, at, strict=True) if not a < v < b}


@pytest.mark.parametrize(
    ("box", "line"),
    [
        ({"u": (0, 1)}, "box u: no such coordinate (known: x, y, z, psi, theta, phi)"),
        ({"z": (3, 1)}, "box z: 3 to 1: the first must be smaller than the second"),
        ({"z": (3,)}, "box z: (3,): must be two numbers, low and high"),
        ({"z": ("1 deg", 3)}, "box z: ('1 deg', 3): its unit must be mm, cm, m or in, not deg"),
        ({"z": (2.5, None)}, "box z, low"),
    ],
)
def test_boxes_that_cannot_be(box, line):
    with pytest.raises(gough.InputError) as caught:
        gough.workspace(load("stewart"), box=box, travel_only=True)
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)
