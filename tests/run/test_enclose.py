"""Enclosures hold every value of a graph over a box, in many digits, and shrink as they promise."""

import numpy as np
import pytest
from mpmath import mpf

from gough import graph as g
from gough.errors import InputError
from gough.run.enclose import enclose
from tests.support.mp_evaluate import Known, evaluate_mp

OPERATIONS = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / (2.5 + g.absolute(b)),
    "reciprocal": lambda a, b: 1.0 / (a * a + 0.7),
    "square root": lambda a, b: g.sqrt(b * b + 0.3),
    "sine": lambda a, b: g.sin(a - b),
    "cosine": lambda a, b: g.cos(3.0 * b),
    "absolute": lambda a, b: g.absolute(a),
    "minimum": g.minimum,
    "maximum": g.maximum,
    "where": lambda a, b: g.where(g.logical_or(a < b, g.logical_not(b <= 0.2)), a * b, 2.0 - b),
    "both": lambda a, b: g.where(g.logical_and(a < 1.0, b < 1.0), a, b * 0.5),
    "system": lambda a, b: g.solve([[3.0 + a, b], [b * a, -4.0 + g.sin(b)]], [a, 1.0])[1],
    "transposed": lambda a, b: g.solve_transposed([[3.0 + a, b], [0.3, -4.0 + g.sin(b)]], [a, 1.0])[0],
    "symmetric": lambda a, b: g.solve(g.factor([[5.0 + a * a, b], [b, 7.0 + b * b]], spd=True), [b, a])[0],
}


def graph_of(rng, size=12):
    """Random operations on three inputs, kept to moderate numbers."""
    names = list(OPERATIONS)

    def equations(x):
        values = list(x)
        for _ in range(size):
            a, b = (values[int(k)] for k in rng.integers(len(values), size=2))
            values.append(g.sin(OPERATIONS[names[int(rng.integers(len(names)))]](a, b)) * 1.5)
        return {"y": values[-4:]}

    return g.record(equations, x=3)


def missed(graph, form, x, t):
    """How many outputs are outside their form (5, k) at x, which is at t in the box."""
    found = 0
    for k, value in enumerate(evaluate_mp(graph, x)):
        if isinstance(value, Known):
            middle = mpf(form[0, k]) + sum(mpf(s) * mpf(u) for s, u in zip(form[1:-1, k], t, strict=True))
            found += not abs(value.value - middle) <= mpf(form[-1, k])
    return found


@pytest.mark.parametrize("seed", range(60))
def test_every_value_is_enclosed(seed):
    rng = np.random.default_rng(seed)
    graph = graph_of(rng)
    radius = 10.0 ** rng.uniform(-9, -0.3, size=(6, 1)) * np.ones(3)
    centre = rng.uniform(-1.5, 1.5, size=(6, 3))
    form = enclose(graph, centre, radius)["y"]
    known = np.isfinite(form[-1])
    assert known.mean() > 0.3 or radius.max() > 0.1
    for box in range(6):
        for t in (*rng.uniform(-1, 1, size=(3, 3)), np.sign(rng.normal(size=3)), np.zeros(3)):
            at = np.where(known[:, box], form[:, :, box], [[0.0]] * 4 + [[np.inf]])
            assert missed(graph, at, [mpf(c) + mpf(r) * mpf(u) for c, r, u in zip(centre[box], radius[box], t)], t) == 0  # noqa: B905


@pytest.mark.parametrize("depth", [2, 4, 6])
def test_round_off_of_sines_of_sines_is_enclosed_where_all_else_cancels(depth):
    def equations(x):
        y = x[0]
        for _ in range(depth):
            y = g.sin(y)
        return {"y": [y - x[0]]}

    graph = g.record(equations, x=1)
    radius = np.geomspace(1e-9, 1e-6, 61)[:, None]
    form = enclose(graph, 0.0 * radius, radius)["y"]
    for box, r in enumerate(radius[:, 0]):
        assert missed(graph, form[:, :, box], [mpf(r)], [1.0]) == 0


@pytest.mark.parametrize("name", ["reciprocal", "square root", "sine", "cosine", "system", "transposed", "symmetric"])
def test_the_rest_is_quadratic(name):
    graph = g.record(lambda x: OPERATIONS[name](x[0], x[1]), x=2)
    sizes = np.array([1e-3, 1e-4])
    form = enclose(graph, np.tile([0.4, -0.6], (2, 1)), sizes[:, None] * np.ones(2))["out"]
    rest = form[-1].ravel()
    assert rest[0] / rest[1] == pytest.approx(100.0, rel=0.05)
    x = np.array([[0.4 + s * u, -0.6 + s * v] for s in sizes for u in (-1, 1) for v in (-1, 1)])
    from gough.run import Program

    values = Program(graph)(x=x).reshape(2, 4)
    linear = form[0].reshape(2, 1) + [[u * a + v * b for u in (-1, 1) for v in (-1, 1)] for a, b in form[1:-1, :].T]
    assert (np.abs(values - linear) <= rest[:, None]).all()
    assert (np.abs(values - linear).max(axis=1) >= 0.1 * rest).all()


def test_no_bound_is_said():
    def equations(x):
        singular = g.solve([[x[0], 1.0], [0.0, 1.0]], [1.0, 1.0])[0]
        return {"recip": 1.0 / x[0], "singular": singular, "root": g.sqrt(x[0]), "either": g.where(x[0] < 0, x[0], 3.0)}

    form = enclose(g.record(equations, x=1), np.array([[0.1], [1.0]]), np.array([[0.2], [0.2]]))
    for name in ("recip", "singular"):
        assert np.isnan(form[name][-1]).tolist() == [True, False]
    assert form["root"][:, 0] == pytest.approx([0.5 * 0.3**0.5, 0.0, 0.5 * 0.3**0.5])
    assert form["either"][:, 0] == pytest.approx([(3.0 - 0.1) / 2, 0.0, (3.0 + 0.1) / 2])
    assert form["either"][:, 1] == pytest.approx([3.0, 0.0, 0.0])


def test_inputs_without_a_width_are_numbers():
    graph = g.record(lambda x: x[0] * x[1], x=2)
    form = enclose(graph, np.array([[2.0, 3.0]]), np.array([[0.0, 0.5]]))["out"]
    assert form.ravel() == pytest.approx([6.0, 1.0, 0.0], abs=1e-13)


def test_an_operation_without_enclosure_is_refused():
    graph = g.record(lambda x: g.atan2(x[0], 1.0 + x[0]), x=1)
    with pytest.raises(InputError, match="no proof: the robot's equations use atan2, which has no enclosure"):
        enclose(graph, np.zeros((1, 1)), np.ones((1, 1)))
