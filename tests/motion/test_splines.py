"""Splines and Hermite pieces: what they go through, how smooth they are, how near, and with few rows."""

from functools import cache

import numpy as np
import pytest

import gough
from gough import Motion, State
from gough.motion.splines import at_rest


@cache
def stewart():
    return gough.load("stewart")


@cache
def trig3():
    return Motion.named(stewart(), "trig3")


KINDS = ["values", "rates", "accelerations", "waypoints"]


def made(kind, s):
    """The motion through rows as they are: a few of them leave kinks that look like noise."""
    if kind == "waypoints":
        return Motion.through(stewart(), s.t, s.x, smooth="none")
    rows = State(s.x, *[s.xd, s.xdd][: KINDS.index(kind)], t=s.t)
    return Motion.from_samples(stewart(), rows, smooth="none")


def derivatives_at(motion, k, order):
    """Of a derivative of each coordinate just left and just right of inner knot k, from the polynomial coefficients."""
    law = motion.law
    c = np.zeros((6, *law.coefficients.shape[1:]))
    c[: len(law.coefficients)] = law.coefficients
    factor = [np.prod(np.arange(j - order + 1, j + 1)) if j >= order else 0 for j in range(6)]
    h = law.knots[k] - law.knots[k - 1]
    left = sum(factor[j] * c[j, k - 1] * h ** (j - order) for j in range(order, 6))
    return left, factor[order] * c[order, k]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [2, 3, 4, 5, 6, 7, 8, 13, 40])
def test_it_goes_through_its_rows(kind, rows):
    s = trig3().sample(rows)
    motion = made(kind, s)
    at = motion(s.t)
    x, xd, xdd = at.x, at.xd, at.xdd
    np.testing.assert_allclose(x, s.x, rtol=0, atol=5e-14)
    if kind in ("rates", "accelerations"):
        np.testing.assert_allclose(xd, s.xd, rtol=0, atol=2e-13)
    if kind == "accelerations":
        np.testing.assert_allclose(xdd, s.xdd, rtol=0, atol=5e-12)
    assert (motion.start, motion.end) == (0.0, 4.0)


@pytest.mark.parametrize(("kind", "smooth"), [("values", 4), ("rates", 3), ("accelerations", 2), ("waypoints", 4)])
@pytest.mark.parametrize("uneven", [False, True])
def test_derivatives_continuous_at_rows(kind, smooth, uneven):
    t = np.linspace(0, 4, 21)
    motion = made(kind, trig3().sample(4 * (t / 4) ** 1.4 if uneven else t))
    for order in range(smooth + 2):
        jumps = [np.subtract(*derivatives_at(motion, k, order)) for k in range(1, len(motion.law.knots) - 1)]
        size = np.abs([derivatives_at(motion, k, order) for k in range(1, len(motion.law.knots) - 1)]).max()
        jump = np.abs(jumps).max() / size
        assert jump < 1e-8 if order <= smooth else jump > 1e-5


def test_few_rows_give_the_polynomial_through_them():
    for rows in (2, 3, 4, 5, 6):
        t = np.sort(np.random.default_rng(rows).uniform(0, 2, rows))
        c = np.random.default_rng(rows + 10).uniform(-0.1, 0.1, (rows, 6))
        motion = Motion.from_samples(stewart(), State(np.polynomial.polynomial.polyval(t, c).T, t=t))
        u = np.linspace(t[0], t[-1], 9)
        for order, found in enumerate(motion.law(u)):
            expected = np.polynomial.polynomial.polyval(u, np.polynomial.polynomial.polyder(c, order)).T
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8)
        assert motion.breakpoints == (t[0], t[-1])


@pytest.mark.parametrize("rows", [3, 4, 7, 12])
def test_rows_with_rates_reproduce_quintics(rows):
    t = np.sort(np.random.default_rng(rows).uniform(0, 2, rows))
    c = np.random.default_rng(1).uniform(-0.02, 0.02, (6, 6))
    poly = np.polynomial.polynomial
    values, rates = (poly.polyval(t, poly.polyder(c, k)).T for k in (0, 1))
    motion = Motion.from_samples(stewart(), State(values, rates, t=t))
    u = np.linspace(t[0], t[-1], 17)
    np.testing.assert_allclose(motion(u).xdd, poly.polyval(u, poly.polyder(c, 2)).T, rtol=0, atol=1e-8)


def test_two_rows_with_rates_give_the_cubic():
    motion = Motion.from_samples(stewart(), State([[0] * 6, [1] * 6], [[0] * 6, [0] * 6], t=[0, 2]))
    assert motion(1.0).x.tolist() == [0.5] * 6
    np.testing.assert_allclose(motion([0, 2]).xdd[:, 0], [1.5, -1.5], atol=1e-15)


def test_two_waypoints_give_minimum_jerk():
    motion = Motion.through(stewart(), [1, 3], [[0] * 6, [1] * 6])
    np.testing.assert_allclose(motion(1.5).x, 10 / 64 - 15 / 256 + 6 / 1024, atol=1e-15)


def test_waypoints_start_and_end_at_rest():
    motion = Motion.through(stewart(), [0, 1, 3, 3.5], np.random.default_rng(3).uniform(-0.1, 0.1, (4, 6)))
    for t in (0.0, 3.5):
        at = motion(t)
        xd, xdd = at.xd, at.xdd
        assert max(np.abs(xd).max(), np.abs(xdd).max()) < 1e-12


@pytest.mark.parametrize("kind", KINDS)
def test_rates_and_accelerations_are_the_derivatives(kind):
    law, t, step = made(kind, trig3().sample(21)).law, np.array([0.27, 0.7, 1.3, 2.33, 3.1]), 1e-5
    before, at, after = law(t - step), law(t), law(t + step)
    for order in (0, 1):  # central differences leave step^2 of the next but one derivative
        np.testing.assert_allclose((after[order] - before[order]) / (2 * step), at[order + 1], rtol=0, atol=1e-6)


def test_many_waypoints_do_not_oscillate():
    rng = np.random.default_rng(1)
    t = np.cumsum(rng.uniform(0.3, 1.5, 400))
    x = rng.normal(size=(400, 1))
    assert np.abs(at_rest(t, x)(np.linspace(t[0], t[-1], 20001))[0]).max() < 2 * np.abs(x).max()


@pytest.mark.parametrize(
    ("kind", "orders"),
    [("values", (5, 4, 3)), ("rates", (6, 5, 4)), ("accelerations", (6, 5, 4)), ("waypoints", (6, 5, 4))],
)
def test_errors_fall_as_they_should(kind, orders):
    """Halving the spacing divides the error by 2^order; the waypoints' law is at rest at its ends, as they are."""
    u = np.linspace(0, 4, 1001)
    errors = [
        [np.abs(a - b).max() for a, b in zip(made(kind, trig3().sample(n)).law(u), trig3().law(u), strict=True)]
        for n in (81, 161)
    ]
    falls = np.log2(np.array(errors[0]) / errors[1])
    assert (falls > np.array(orders) - 0.4).all()


def test_the_unit_of_time_changes_nothing():
    s = trig3().sample(30)
    for kind in KINDS:
        slow = made(kind, s)
        quick = made(kind, type(s)(s.x, s.xd * 1e6, s.xdd * 1e12, t=s.t * 1e-6 + 5))
        np.testing.assert_allclose(quick(5 + 1.3e-6).xdd * 1e-12, slow(1.3).xdd, rtol=0, atol=3e-6)
