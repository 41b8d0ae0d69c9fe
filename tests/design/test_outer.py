"""The search over poses: never below many poses with exact inner maxima, the same for all seeds, confirmed by cells."""

from itertools import product

import numpy as np
import pytest

from gough import load
from gough.design import UnboundedError, envelope_of, size
from gough.design.worst import Worst
from gough.errors import NumericalError
from tests.design.envelopes import TEXTS, envelope

THREE = ("delta", "planar3rrr", "spatial3")


def sized(name, seeds=(1, 2)):
    robot = load(name)
    return robot, envelope(robot), size(robot, envelope(robot), seeds=seeds, power=9)


@pytest.fixture(scope="module")
def results():
    return {name: sized(name) for name in THREE}


def corners(e):
    return np.array(list(product(*[ends if ends[0] < ends[1] else ends[:1] for ends in e.pose])))


def largest_over(robot, e, count, seed, block=2_000):
    """(2 m,) largest exact inner maxima over the corners and `count` random poses."""
    rng = np.random.default_rng(seed)
    low, high = np.array(e.pose).T
    worst = Worst(robot, e)
    best = np.nanmax(worst.forces(corners(e)), axis=0)
    for begin in range(0, count, block):
        x = low + (high - low) * rng.uniform(size=(min(block, count - begin), len(low)))
        best = np.fmax(best, np.nanmax(worst.forces(x), axis=0))
    return best


def found_forces(result):
    return np.concatenate([result.of("force+"), -result.of("force-")])


@pytest.mark.parametrize("name", THREE)
def test_never_below_many_poses(results, name):
    robot, e, result = results[name]
    best = largest_over(robot, e, 10_000, 11)
    assert (found_forces(result) >= best - 1e-9 * np.abs(best)).all()
    assert (found_forces(result) <= best + 0.02 * np.abs(best).max()).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["planar3rrr", "spatial3"])
def test_never_below_a_million_poses(results, name):
    robot, e, result = results[name]
    best = largest_over(robot, e, 1_000_000, 12)
    assert (found_forces(result) >= best - 1e-9 * np.abs(best)).all()


def test_six_coordinates_never_below_many_poses():
    robot, e, result = sized("stewart", seeds=(1,))
    best = largest_over(robot, e, 4_000, 13)
    assert (found_forces(result) >= best - 1e-9 * np.abs(best)).all()


@pytest.mark.parametrize("name", THREE)
def test_seeds_agree(results, name):
    _, _, result = results[name]
    assert result.spread < 1e-7
    _, _, other = sized(name, seeds=(77,))
    np.testing.assert_allclose(found_forces(other), found_forces(result), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(other.of("speed"), result.of("speed"), rtol=1e-9)
    np.testing.assert_allclose(other.of("power"), result.of("power"), rtol=1e-7)
    for requirement in result.requirements:
        values = [abs(value) for value, _ in requirement.optima] if requirement.kind == "speed" else None
        assert requirement.optima[0][0] == requirement.value
        assert values is None or values == sorted(values, reverse=True)


CELL = 1e-3
"""Of the best value: what a cell must promise beyond it to be divided."""


def by_cells(worst, e, column, best, first=8):
    """Largest value over cells, divided where twice the spread of a cell's samples above its largest may pass `best`.

    No constant of smoothness is assumed: a cell is given up only if the function would have to rise above its nine
    samples by all that it varies among them.
    """
    low, high = np.array(e.pose).T
    grid = [np.linspace(a, b, first + 1)[:-1] for a, b in zip(low, high, strict=True)]
    begin = np.array(list(product(*grid)))
    size = np.tile((high - low) / first, (len(begin), 1))
    unit = np.array([*product((0.0, 1.0), repeat=3), (0.5, 0.5, 0.5)])
    top, looked = -np.inf, 0
    for _ in range(40):
        points = begin[:, None] + unit * size[:, None]
        flat = points.reshape(-1, 3)
        blocks = [
            worst.columns(block, np.full(len(block), column)) for block in np.array_split(flat, len(flat) // 2000 + 1)
        ]
        values = np.concatenate(blocks).reshape(len(begin), -1)
        looked += len(flat)
        top = max(top, values.max())
        spread = values.max(axis=1) - values.min(axis=1)
        keep = values.max(axis=1) + spread > max(top, best) + CELL * abs(best)
        if not keep.any():
            return top, looked
        begin, size = begin[keep], size[keep] / 2
        begin = np.concatenate([begin + np.array(corner) * size for corner in product((0.0, 1.0), repeat=3)])
        size = np.tile(size, (8, 1))
    raise AssertionError("cells do not end")


@pytest.mark.parametrize("name", THREE)
def test_cells_confirm_the_search(results, name):
    robot, e, result = results[name]
    worst, best = Worst(robot, e), found_forces(result)
    for column in (len(best) - 1,) if name == "delta" else (0, len(best) - 1):
        top, looked = by_cells(worst, e, column, best[column])
        assert looked > 4_000
        assert top <= best[column] + 1e-9 * abs(best[column])
        assert top >= best[column] - 2e-2 * np.abs(best).max()


def test_speed_and_power_against_many(results):
    robot, e, result = results["planar3rrr"]
    worst = Worst(robot, e)
    rng = np.random.default_rng(3)
    low, high = np.array(e.pose).T
    x = np.concatenate([low + (high - low) * rng.uniform(size=(20_000, 3)), np.repeat(corners(e), 50, axis=0)])
    v = np.where(rng.uniform(size=x.shape) < 0.5, np.sign(rng.normal(size=x.shape)), rng.uniform(-1, 1, x.shape))
    powers = worst.powers(x, v).max(axis=0)
    assert (result.of("power") >= powers).all()
    assert (result.of("speed") >= worst.speeds(x).max(axis=0) * (1 - 1e-12)).all()
    assert (result.of("power") <= result.of("speed") * result.force).all()


def test_a_singular_envelope_is_unbounded():
    robot = load("stewart")
    e = envelope_of(robot, "[pose]\npsi = [0, 2.2]\n[acceleration]\nz = 1\n")
    with pytest.raises(UnboundedError, match=r"^unbounded: the envelope touches a singularity at x = 0") as error:
        size(robot, e, seeds=(1,), power=6)
    assert error.value.exit_code == 3


def test_the_edge_of_reach_is_unbounded():
    robot = load("delta")
    e = envelope_of(robot, TEXTS["delta"].replace("z = [-0.95, -0.75]", "z = [-1.6, -0.75]"))
    with pytest.raises(UnboundedError, match=r"\(the edge of reach; [\d.]+ % of the poses are out of reach\)"):
        size(robot, e, seeds=(1,), power=8)


def test_unreachable_share(results):
    for _, _, result in results.values():
        assert result.unreachable == 0.0


def test_nothing_reachable():
    robot = load("delta")
    e = envelope_of(robot, "[pose]\nz = [-3, -2.5]\n")
    with pytest.raises(NumericalError, match="no pose of the envelope can be reached by delta"):
        size(robot, e, seeds=(1,), power=4)
