"""sin, cos, tan, ... on every executor against mpmath, in units in the last place."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from mpmath import mpf

import gough
from gough import graph as g
from gough.graph import ieee, ops
from gough.graph.elementary import NEAR
from gough.run import Program
from gough.run.accuracy import EXECUTORS, LARGE_ANGLES, ULPS
from gough.run.llvm import jit
from tests.run.same_bits import assert_same

RNG = np.random.default_rng(11)
SMALL = np.array([5e-324, 1e-310, 2.2250738585072014e-308, 1e-200, 1e-20, 1e-9, 1e-8, 3e-8, 1e-4])


def signed(low, high, count):
    """Numbers of any size between two powers of ten, of both signs."""
    return 10.0 ** RNG.uniform(low, high, count) * RNG.choice([-1.0, 1.0], count)


def next_to_multiples_of_half_pi():
    """The doubles around k pi/2 up to 1e9, and those of each size that come closest to one."""
    counts = [*range(1, 40), *RNG.integers(40, int(1e9 / 1.5708), 150).tolist()]
    with mpmath.workprec(200):
        nearest = np.array([float(mpf(k) * mpmath.pi / 2) for k in counts])
    closest = np.array([v for exponent in range(30) for v in closest_to_multiples(exponent)])
    return np.concatenate([nearest, np.nextafter(nearest, 0.0), np.nextafter(nearest, np.inf), -nearest, closest])


def closest_to_multiples(exponent):
    """Doubles m 2^(exponent - 52) with m / k a convergent of pi/2 2^(52 - exponent): no other k pi/2 is as close."""
    with mpmath.workprec(400):
        rest = mpmath.pi / 2 * mpf(2) ** (52 - exponent)
        before, m = 0, 1
        while True:
            whole = int(mpmath.floor(rest))
            before, m = m, whole * m + before
            if m >= 2**53:
                return
            yield math.ldexp(m, exponent - 52)
            rest = 1 / (rest - whole)


ANGLES = np.concatenate([RNG.uniform(-7, 7, 800), signed(-3, 9, 800), next_to_multiples_of_half_pi(), SMALL, -SMALL])


def points():
    """(y, x) of any size, next to the lines where a reduction changes (axes, a half, the diagonal), and on the axes."""
    sizes, steps = signed(-6, 6, 1500), signed(-16, -1, 1500)
    ratio = RNG.choice([0.0, 0.5, 1.0, 2.0], 1500) + steps
    far = signed(-130, 130, 400)
    y = [signed(-6, 6, 1500), sizes * ratio, far, np.zeros(40), signed(-9, 9, 40)]
    x = [signed(-6, 6, 1500), sizes, signed(-130, 130, 400), signed(-9, 9, 40), np.zeros(40)]
    return np.concatenate(y), np.concatenate(x)


UNIT = np.concatenate(
    [RNG.uniform(-1, 1, 500), signed(-9, 0, 300), 1 - 10.0 ** RNG.uniform(-15, -1, 200), SMALL, [1, -1]]
)
ARGUMENTS = {
    "sin": (ANGLES,),
    "cos": (ANGLES,),
    "tan": (ANGLES,),
    "asin": (UNIT,),
    "acos": (UNIT,),
    "atan": (np.concatenate([signed(-9, 9, 500), RNG.uniform(-3, 3, 500), SMALL, -SMALL, [1e300]]),),
    "atan2": points(),
    "exp": (np.concatenate([RNG.uniform(-708, 709.7, 800), signed(-9, 1, 300), SMALL, [-745.0, -740.0]]),),
    "log": (
        np.concatenate(
            [10.0 ** RNG.uniform(-308, 308, 500), RNG.uniform(0.5, 2, 500), 1 + signed(-15, -3, 300), SMALL]
        ),
    ),
}


def worst_error(found, function, arguments):
    """Largest error [ulp] of the values found."""
    worst = 0.0
    with mpmath.workprec(240):
        for value, *given in zip(found, *arguments, strict=True):
            exact = getattr(mpmath, function)(*[mpf(float(v)) for v in given])
            ulp = mpf(float(np.spacing(abs(float(exact)))))
            error = float(abs(mpf(float(value)) - exact) / ulp)
            assert math.isfinite(error)
            worst = max(worst, error)
    return worst


def program(function, **options):
    names = ("y", "x")[: len(ARGUMENTS[function])]
    graph = g.record(lambda **given: getattr(g, function)(*given.values()), **dict.fromkeys(names, ()))
    compute = Program(graph, **options)
    return lambda *arguments: compute(**dict(zip(names, arguments, strict=True)))


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("function", ULPS)
def test_errors_stay_below_what_is_stated(executor, function):
    arguments = ARGUMENTS[function]
    found = program(function, executor=executor)(*arguments)
    assert worst_error(found, function, arguments) <= ULPS[function]


OWN = [function for function in ULPS if function not in ("exp", "log")]


@pytest.mark.parametrize("function", OWN)
def test_all_executors_give_the_same_bits(function):
    """Also among angles beyond 2^30 and tiny, huge and special points, which the C library computes."""
    edges = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e300, -1e-300, 5e-324, 2.0**30, 1.5, -2.0])
    pairs = np.stack(np.meshgrid(edges, edges), axis=-1).reshape(-1, 2)
    more = pairs.T if function == "atan2" else (np.concatenate([edges, signed(9, 200, 50)]),)
    arguments = [np.concatenate([a, b]) for a, b in zip(ARGUMENTS[function], more, strict=True)]
    expected = program(function, executor="floats")(*arguments)
    for executor in ("blocks", "llvm"):
        assert_same(program(function, executor=executor)(*arguments), expected, executor)


@pytest.mark.parametrize("robot", ["rotary", "delta"])
@pytest.mark.parametrize("what", ["ik", "inverse_dynamics"])
def test_whole_models_have_the_same_bits_on_all_executors(robot, what):
    machine = gough.load(robot)
    graph = gough.bind(machine, what).program.graph
    x = machine.platform.home + RNG.uniform(-0.02, 0.02, (40, machine.dof))
    given = {spec.name: x if spec.name == "x" else RNG.normal(size=x.shape) for spec in graph.inputs}
    expected = Program(graph, "floats")(**given)
    for executor in ("blocks", "llvm"):
        assert_same(Program(graph, executor)(**given), expected, executor)


@pytest.mark.parametrize("function", ["sin", "cos"])
@pytest.mark.parametrize("width", [2, 4, 8])
def test_a_vector_of_small_angles_has_the_bits_of_any_other(function, width):
    """Small angles take a short way if all lanes of a vector are small; one large, infinite or NaN lane ends that."""
    edge = np.array([0.0, -0.0, NEAR, -NEAR, 5e-324, -1e-300])
    small = np.concatenate([edge, RNG.uniform(-NEAR, NEAR, 250)])
    expected = program(function, executor="floats")(small)
    compute = program(function, executor="llvm", width=width)
    assert_same(compute(small), expected)
    for other in (np.nextafter(NEAR, 1.0), -3.0, 1e6, 1e300, np.inf, np.nan):
        mixed = small.copy()
        mixed[::width] = other
        found = compute(mixed)
        assert_same(np.delete(found, np.s_[::width]), np.delete(expected, np.s_[::width]), other)
        if abs(other) < 1e300:
            assert_same(found[::width], np.full(len(found[::width]), program(function, executor="floats")(other)))


@pytest.mark.parametrize("function", OWN)
def test_own_functions_are_the_same_at_every_width_and_level(function):
    arguments = ARGUMENTS[function]
    expected = program(function, executor="llvm")(*arguments)
    for width in (2, 4, 8):
        for opt in (0, 3):
            found = program(function, executor="llvm", width=width, opt=opt)(*arguments)
            assert_same(found, expected, (width, opt))


def test_angles_of_far_and_tiny_points_are_the_c_library_s():
    """Where the quotient or its rest could overflow or vanish; other lanes of the vector keep their own bits."""
    y, x = signed(-320, 308, 400), signed(-320, 308, 400)
    far = (np.maximum(abs(y), abs(x)) > 2.0**400) | (np.minimum(abs(y), abs(x)) < 2.0**-400)
    y, x = y[far], x[far]
    compute, (usual_y, usual_x) = program("atan2", executor="llvm"), points()
    expected = [math.atan2(*map(float, pair)) for pair in zip(y, x, strict=True)]
    assert_same(compute(y, x), expected)
    order = RNG.permutation(len(y) + len(usual_y))
    mixed = compute(np.concatenate([y, usual_y])[order], np.concatenate([x, usual_x])[order])
    assert_same(mixed, np.concatenate([expected, compute(usual_y, usual_x)])[order])


@pytest.mark.parametrize("function", ["sin", "cos"])
def test_large_arguments_are_the_c_library_s(function):
    worst = math.ldexp(6381956970095103, 797)  # of all doubles the closest to a multiple of pi/2
    x = np.concatenate([np.nextafter(2.0**30, np.inf) * 2.0 ** np.arange(0, 990, 7), signed(9.1, 300, 100), [worst]])
    plain = ieee.FUNCTIONS[ops.SIN if function == "sin" else ops.COS]
    expected = [plain(float(v)) for v in x]
    compute = program(function, executor="llvm")
    assert_same(compute(x), expected)
    assert worst_error(expected, function, (x,)) <= LARGE_ANGLES
    mixed = np.concatenate([x, ANGLES])
    order = RNG.permutation(len(mixed))
    assert_same(compute(mixed[order]), np.concatenate([expected, compute(ANGLES)])[order])


INF, NAN = math.inf, math.nan
EDGES = {
    "sin": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (NAN, NAN), (5e-324, 5e-324), (-1e-310, -1e-310)],
    "cos": [(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN), (NAN, NAN), (5e-324, 1.0)],
    "tan": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (NAN, NAN), (5e-324, 5e-324)],
    "asin": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (NAN, NAN), (1.0000000000000002, NAN), (-2.0, NAN)],
    "acos": [(1.0, 0.0), (INF, NAN), (NAN, NAN), (1.0000000000000002, NAN), (-2.0, NAN), (-1.0, math.pi)],
    "atan": [(0.0, 0.0), (-0.0, -0.0), (INF, math.pi / 2), (-INF, -math.pi / 2), (NAN, NAN), (5e-324, 5e-324)],
    "exp": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (NAN, NAN), (710.0, INF), (-746.0, 0.0)],
    "log": [(1.0, 0.0), (0.0, -INF), (-0.0, -INF), (INF, INF), (-1.0, NAN), (-INF, NAN), (NAN, NAN), (-5e-324, NAN)],
    "atan2": [
        ((0.0, 1.0), 0.0),
        ((-0.0, 1.0), -0.0),
        ((0.0, -1.0), math.pi),
        ((-0.0, -1.0), -math.pi),
        ((0.0, 0.0), 0.0),
        ((-0.0, 0.0), -0.0),
        ((0.0, -0.0), math.pi),
        ((-0.0, -0.0), -math.pi),
        ((1.0, 0.0), math.pi / 2),
        ((-1.0, -0.0), -math.pi / 2),
        ((INF, INF), math.pi / 4),
        ((-INF, -INF), -3 * math.pi / 4),
        ((1.0, INF), 0.0),
        ((1.0, -INF), math.pi),
        ((NAN, 1.0), NAN),
        ((1.0, NAN), NAN),
    ],
}


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("function", ULPS)
def test_edges_are_as_ieee_says(executor, function):
    compute = program(function, executor=executor)
    for given, expected in EDGES[function]:
        arguments = given if isinstance(given, tuple) else (given,)
        assert_same(compute(*arguments), expected, arguments)
        assert_same(compute(*[np.full(11, v) for v in arguments]), np.full(11, expected), arguments)


def test_shared_and_constant_arguments_give_the_same_bits():
    """A value is the same whether it comes by row, once for all rows, or from another constant's side."""
    y = RNG.normal(size=9)
    by_row = g.record(lambda a, y: [g.exp(a), g.atan2(a, y), g.atan2(y, 0.75)], a=(), y=())
    shared = g.record(lambda a, y: [g.exp(a), g.atan2(a, y), g.atan2(y, 0.75)], a=g.Input((), shared=True), y=())
    constant = g.record(lambda y: [y * 0.0 + y, g.atan2(0.75, y), g.atan2(y, 0.75)], y=())
    for executor in EXECUTORS:
        expected = Program(by_row, executor)(a=np.full(9, 0.75), y=y)
        assert_same(Program(shared, executor)(a=0.75, y=y), expected)
        assert_same(Program(constant, executor)(y=y)[:, 1:], expected[:, 1:])


@pytest.mark.parametrize("function", OWN)
def test_the_same_bits_on_a_plainer_cpu(function, monkeypatch):
    """Without fused operations products are split instead; without a rounding instruction there is the C library's."""
    arguments = ARGUMENTS[function]
    expected = program(function, executor="llvm", width=2)(*arguments)
    floors = Program(g.record(lambda x: g.floor(x), x=()), "llvm", width=2)(x=ANGLES)
    triple = jit.describe()[0]
    monkeypatch.setattr(jit, "describe", lambda: (triple, "", ""))
    assert_same(program(function, executor="llvm", width=2)(*arguments), expected)
    assert_same(Program(g.record(lambda x: g.floor(x), x=()), "llvm", width=2)(x=ANGLES), floors)
