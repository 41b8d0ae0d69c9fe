"""What is proved of boxes of poses holds at samples of them, for every kind of margin that has a proof of its own."""

import numpy as np
import pytest

import gough
from gough import load
from gough.analysis.leg_distances import Pair, Segment, segments_squared
from gough.cli.pages.workspace_page import page
from gough.display import display_units
from gough.graph import array, record
from gough.run import Program
from gough.run.affine_forms import highest, lowest
from gough.workspaces.apart import PairDistances
from gough.workspaces.available import available
from gough.workspaces.bracket import bracket_of
from gough.workspaces.conditions import conditions_of
from gough.workspaces.giving import Giving
from gough.workspaces.held_forms import above_forms, side_forms
from gough.workspaces.region import grid_of, region_of
from tests.support.lanes import ROOT, size

MACHINES = ("delta", "cable8", "sru", "rotary", "tricept", "planar4rrr", "par4")


def machine(name):
    return load(str(ROOT / "examples/par4.toml") if name == "par4" else name)


def region_at_home(name):
    robot = machine(name)
    return region_of(robot, conditions_of(robot), np.array(robot.platform.home))


def random_forms(rng, shape, boxes, spread):
    """(3 + 2, *shape, B) exact linear forms of three variables, and where they are at t (B, 3)."""
    forms = np.zeros((5, *shape, boxes))
    forms[0] = rng.normal(size=(*shape, boxes))
    forms[1:-1] = spread * rng.normal(size=(3, *shape, boxes)) * 10.0 ** rng.uniform(-3.0, 0.0, size=boxes)
    return forms, lambda t: np.moveaxis(forms[0] + np.einsum("d...b,bd->...b", forms[1:-1], t), -1, 0)


@pytest.mark.parametrize("name", ["delta", *(pytest.param(name, marks=pytest.mark.slow) for name in MACHINES[1:])])
def test_no_pose_of_a_box_contradicts_what_is_said_of_it(name):
    region = region_at_home(name)
    grid = grid_of(region, 24)
    rng = np.random.default_rng(5)
    count = 600
    low, high = grid.box.T
    centre = rng.uniform(low, high, (count, region.dimension))
    radius = grid.step * 10.0 ** rng.uniform(-2.0, -0.3, (count, 1)) * np.ones(region.dimension)
    lower, upper = region.enclosure(centre, radius)
    inside, outside = (lowest(lower) > 0.0).all(axis=0), (highest(upper) < 0.0).any(axis=0)
    assert not (inside & outside).any()
    at = region.inside(centre)
    # Boxes this small are cut by the boundary now and then, and most others are decided.
    assert inside.sum() > 0.6 * at.sum() > 10
    assert outside.sum() > 0.6 * (~at).sum()
    for _ in range(size(2000, 12)):
        found = region.inside(centre + radius * rng.uniform(-1.0, 1.0, centre.shape))
        assert found[inside].all()
        assert not found[outside].any()


@pytest.mark.parametrize(
    ("name", "most", "gap"),
    [
        ("delta", 50_000, 0.055),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (
                ("cable8", 100_000, 0.025),
                ("sru", 150_000, 0.1),
                ("rotary", 200_000, 0.18),
                ("tricept", 300_000, 0.1),
                ("par4", 60_000, 0.1),
            )
        ),
    ],
)
def test_brackets_hold_monte_carlo_estimates(name, most, gap):
    region = region_at_home(name)
    found = bracket_of(region, grid_of(region, 48), most=most)
    low, high = found.box.T
    count, inside, rng = size(10**8, 200_000), 0, np.random.default_rng(1)
    for _ in range(count // 100_000):
        inside += int(region.inside(rng.uniform(low, high, (100_000, region.dimension))).sum())
    share, box = inside / count, np.prod(high - low)
    estimate, error = share * box, np.sqrt(share * (1.0 - share) / count) * box
    assert found.low - 4.0 * error <= estimate <= found.high + 4.0 * error
    assert found.gap <= gap
    assert (found.ended, found.boxes <= most) == ("boxes", True)


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_sides_of_determinants_are_those_of_samples(n):
    rng = np.random.default_rng(n)
    forms, at = random_forms(rng, (n, n), 400, 0.3)
    found = side_forms(forms, -1.0)
    inside, outside = lowest(found) > 0.0, highest(found) < 0.0
    assert 60 < inside.sum() < 300
    assert 60 < outside.sum() < 300
    for _ in range(size(10_000, 60)):
        sign = -np.sign(np.linalg.det(at(rng.uniform(-1.0, 1.0, (400, 3)))))
        assert (sign[inside] > 0.0).all()
        assert (sign[outside] < 0.0).all()
    # What is beside the slopes is of second order.
    middle = forms[..., np.linalg.cond(np.moveaxis(forms[0], -1, 0)) < 10.0]
    if n > 1:
        rests = []
        for scale in (1e-3, 5e-4):
            small = middle.copy()
            small[1:-1] *= scale
            rests.append(side_forms(small, 1.0)[-1])
        assert np.median(rests[0] / rests[1]) == pytest.approx(4.0, rel=0.05)


@pytest.mark.parametrize(("m", "n", "least"), [(8, 6, 0.4), (4, 3, 0.5), (6, 6, 0.1), (3, 3, 0.0)])
def test_singular_values_are_above_their_limit_where_it_is_said(m, n, least):
    rng = np.random.default_rng(m)
    forms, at = random_forms(rng, (m, n), 400, 0.2)
    lower, upper = above_forms(forms, least)
    inside, outside = lowest(lower) > 0.0, highest(upper) < 0.0
    assert inside.sum() > 60
    assert outside.sum() > (20 if least else -1)
    for _ in range(size(5_000, 40)):
        values = np.linalg.svd(at(rng.uniform(-1.0, 1.0, (400, 3))), compute_uv=False)[:, -1]
        assert (values[inside] > least).all()
        assert (values[outside] < least).all()


@pytest.mark.parametrize(("m", "n"), [(4, 3), (6, 4), (4, 2)])
def test_witnesses_and_separations_are_those_of_samples(m, n):
    rng = np.random.default_rng(m * n)
    limits = list(zip(rng.uniform(-2.0, 0.5, m), rng.uniform(0.6, 2.0, m), strict=True))
    boxes, giving = 4000, Giving(limits, n)
    forms, at = random_forms(rng, (m + 1, n), boxes, 0.4)
    columns = Program(record(lambda K, Q: giving.equations(K, Q), K=(m, n), Q=n))

    def as_columns(rows):
        return np.moveaxis(columns(K=rows[:, :m], Q=rows[:, m]), 0, -1)

    of_columns = np.stack([as_columns(np.moveaxis(part, -1, 0)) for part in forms[:-1]])
    lower, upper = giving.forms(np.concatenate([of_columns, np.zeros((1, *of_columns.shape[1:]))]))
    inside, outside = (lowest(lower) > 0.0).all(axis=0), (highest(upper) < 0.0).any(axis=0)
    assert inside.sum() > 300
    assert outside.sum() > 300
    # Whether forces are available is told by a linear program in test_available.
    spare = Program(record(lambda K, Q: available(K, Q, limits), K=(m, n), Q=n))
    for k in range(size(5_000, 80)):
        t = rng.uniform(-1.0, 1.0, (boxes, 3))
        rows = at(np.sign(t) if k % 2 else t)
        found = spare(K=rows[:, :m], Q=rows[:, m])
        assert (found[inside] > 0.0).all()
        assert (found[outside] < 0.0).all()


def test_gaps_between_parts_are_those_of_samples():
    rng = np.random.default_rng(7)
    # The second pair shares a joint at the base and is shortened there.
    first, second, third = Segment(0, 0, 1, True, False), Segment(1, 2, 3, True, True), Segment(2, 0, 3, True, False)
    pairs = (Pair(first, second, 0.3), Pair(first, third, 0.05, at_base=0.25))
    distances = PairDistances(pairs, 0.1, 3)
    forms, at = random_forms(rng, (4, 3), 500, 0.3)
    ends = Program(record(lambda p: distances.ends(p), p=(4, 3)))
    assert ends(p=np.zeros((1, 4, 3))).shape[1] == 8
    # Exact forms of the first pair's four ends; those of the second are not linear, so they stand still.
    moved = np.zeros((5, 8, 3, 500))
    moved[0] = np.moveaxis(ends(p=np.moveaxis(forms[0], -1, 0)), 0, -1)
    moved[1:-1, :4] = forms[1:-1]
    lower, upper = distances.forms(moved)
    inside, outside = lowest(lower) > 0.0, highest(upper) < 0.0
    assert (inside.sum(axis=1) > 100).all()
    assert (outside.sum(axis=1) > 10).all()
    squared = Program(record(lambda a, b, c, d: segments_squared(*map(array, (a, b, c, d))), a=3, b=3, c=3, d=3))
    corners = np.moveaxis(moved[0], -1, 0)
    for _ in range(size(5_000, 50)):
        own = at(rng.uniform(-1.0, 1.0, (500, 3)))
        far = np.sqrt(squared(**{name: np.ascontiguousarray(own[:, k]) for k, name in enumerate("abcd")}))
        assert (far[inside[0]] > 0.4).all()
        assert (far[outside[0]] < 0.4).all()
    still = np.sqrt(squared(**{name: np.ascontiguousarray(corners[:, 4 + k]) for k, name in enumerate("abcd")}))
    assert ((still > 0.15) == inside[1]).all()
    moved[1:] = 0.0
    inside = lowest(distances.forms(moved)[0]) > 0.0
    still = np.sqrt(squared(**{name: np.ascontiguousarray(corners[:, k]) for k, name in enumerate("abcd")}))
    assert ((still > 0.4) == inside[0]).all()


def test_a_proof_that_runs_out_of_time_says_what_it_reached():
    robot = load("delta")
    found = gough.workspace(robot, only=["reach", "stroke"], cells=24, prove=True, seconds=1e-6)
    bracket = found.volume.bracket
    assert bracket.ended == "time"
    assert bracket.low <= found.volume.measure <= bracket.high
    assert {shape.proved for shape in found.shapes} == {0.0}
    text = page(found, display_units(""))
    assert f"{bracket.boxes} boxes in the time allowed: --time gives more)" in text
    assert "no size of it proved" in text
    with pytest.raises(gough.InputError) as caught:
        gough.workspace(robot, prove=True, seconds=0.0)
    assert str(caught.value) == "seconds 0: must be a positive number, the processor time that proofs may take"
