"""Compiled enclosures hold every value of a graph over a box, in many digits, and shrink with its square."""

import numpy as np
import pytest
from mpmath import mpf

from gough import graph as g
from gough.errors import InputError
from gough.run.affine_forms import Enclosure, highest, lowest
from tests.run.test_enclose import OPERATIONS, missed

PLAIN = [name for name in OPERATIONS if name not in ("system", "transposed", "symmetric")]


def graph_of(rng, size=12):
    def equations(x):
        values = list(x)
        for _ in range(size):
            a, b = (values[int(k)] for k in rng.integers(len(values), size=2))
            values.append(g.sin(OPERATIONS[PLAIN[int(rng.integers(len(PLAIN)))]](a, b)) * 1.5)
        return {"y": values[-4:]}

    return g.record(equations, x=3)


@pytest.mark.parametrize("seed", range(20))
def test_every_value_is_enclosed(seed):
    rng = np.random.default_rng(seed)
    graph = graph_of(rng)
    radius = 10.0 ** rng.uniform(-12, -0.3, size=(6, 1)) * np.ones(3)
    centre = rng.uniform(-1.5, 1.5, size=(6, 3))
    form = Enclosure(graph, (0, 1, 2))(centre, radius)["y"]
    known = np.isfinite(form[-1])
    assert known.mean() > 0.3 or radius.max() > 0.1
    for box in range(6):
        for t in (*rng.uniform(-1, 1, size=(3, 3)), np.sign(rng.normal(size=3)), np.zeros(3)):
            at = np.where(known[:, box], form[:, :, box], [[0.0]] * 4 + [[np.inf]])
            x = [mpf(c) + mpf(r) * mpf(u) for c, r, u in zip(centre[box], radius[box], t, strict=True)]
            assert missed(graph, at, x, t) == 0


@pytest.mark.parametrize("name", ["multiply", "reciprocal", "square root", "sine", "cosine"])
def test_the_rest_shrinks_with_the_square_and_holds_little_more_than_it_must(name):
    graph = g.record(lambda x: OPERATIONS[name](x[0], x[1]), x=2)
    sizes = np.array([1e-2, 1e-3])
    form = Enclosure(graph, (0, 1))(np.tile([0.4, -0.6], (2, 1)), sizes[:, None] * np.ones(2))["out"]
    assert form[-1, 0] / form[-1, 1] == pytest.approx(100.0, rel=0.1)
    from gough.run import Program

    x = np.array([0.4, -0.6]) + 1e-2 * np.random.default_rng(0).uniform(-1, 1, size=(2000, 2))
    values = Program(graph)(x=x)
    assert lowest(form)[0] <= values.min()
    assert values.max() <= highest(form)[0]
    assert highest(form)[0] - lowest(form)[0] <= 1.25 * np.ptp(values)


def test_what_may_be_zero_has_no_reciprocal():
    graph = g.record(lambda x: 1.0 / x[0], x=1)
    form = Enclosure(graph, (0,))(np.array([[0.1]]), np.array([[0.2]]))["out"]
    assert not lowest(form)[0] > -np.inf
    assert not highest(form)[0] < np.inf


def test_inputs_that_do_not_vary_are_numbers():
    graph = g.record(lambda u, v: u[0] * v[0] + v[1], u=1, v=2)
    form = Enclosure(graph, (0,))(np.array([[2.0, 3.0, 0.5]]), np.array([[0.25]]))["out"]
    assert form[:2, 0] == pytest.approx([6.5, 0.75], abs=0)
    assert form[2, 0] < 1e-12


def test_operations_without_an_enclosure_are_refused():
    graph = g.record(lambda x: g.atan2(x[0], 2.0), x=1)
    with pytest.raises(InputError, match=r"no proof: the robot's equations use atan2, which has no enclosure"):
        Enclosure(graph, (0,))
