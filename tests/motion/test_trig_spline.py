"""Trigonometric splines of third order through N points, and the named laws on any robot, there and back."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from gough.motion.waypoint_splines import TrigPieces, trig_at_rest

import gough
from gough import MotionError, choose_motion, read_waypoints, through
from gough.motion.curves import trig3
from tests.cli.running import outcome


@cache
def stewart():
    return gough.load("stewart")


T = np.array([0.0, 0.5, 0.9, 2.0, 2.4, 3.5])
X = np.random.default_rng(3).normal(size=(6, 2))


def test_two_points_are_the_law_trig3():
    t = np.linspace(0, 4, 101)
    for found, law in zip(trig_at_rest(np.array([0.0, 4.0]), np.array([[0.0], [1.0]]))(t), trig3(4.0)(t), strict=True):
        np.testing.assert_allclose(found, law, rtol=0, atol=2e-15)


def test_it_goes_through_the_points_at_rest_at_both_ends_with_continuous_acceleration():
    spline = trig_at_rest(T, X)
    x, xd, xdd = spline(T)
    np.testing.assert_allclose(x, X, rtol=0, atol=1e-14)
    np.testing.assert_allclose(xd[[0, -1]], 0, atol=1e-13)
    np.testing.assert_allclose(xdd[[0, -1]], 0, atol=1e-12)
    for k in range(1, 5):  # each piece alone, at the point where two meet
        halves = [TrigPieces(T[j : j + 2].copy(), spline.coefficients[:, j : j + 1].copy()) for j in (k - 1, k)]
        for left, right in zip(*(half(T[k : k + 1]) for half in halves), strict=True):
            np.testing.assert_allclose(left, right, rtol=0, atol=1e-12)


def test_rates_and_accelerations_are_the_derivatives():
    spline, t, step = trig_at_rest(T, X), np.array([0.2, 0.7, 1.3, 2.2, 3.0]), 1e-5
    before, at, after = spline(t - step), spline(t), spline(t + step)
    for order in (0, 1):  # central differences leave step^2 of the next but one derivative
        np.testing.assert_allclose((after[order] - before[order]) / (2 * step), at[order + 1], rtol=0, atol=1e-6)


def test_no_other_rates_at_inner_points_have_less_jerk():
    from gough.motion.waypoint_splines import _COST, _inner

    rates, bends = _inner(T, X)

    def jerk(rates, bends):
        h = np.diff(T) / np.pi
        ends = np.stack([X[:-1], X[1:], rates[:-1] * h[:, None], rates[1:] * h[:, None],
                         bends[:-1] * h[:, None] ** 2, bends[1:] * h[:, None] ** 2])  # fmt: skip
        return np.einsum("kmn,kl,lmn,m->n", ends, _COST, ends, h**-5.0)

    least = jerk(rates, bends)
    fine = np.linspace(0, 3.5, 350_001)
    third = np.gradient(trig_at_rest(T, X)(fine)[2], fine, axis=0)
    np.testing.assert_allclose(np.trapezoid(third**2, fine, axis=0), least, rtol=1e-3)  # jerk jumps at points
    rng = np.random.default_rng(0)
    for _ in range(20):
        off = 1e-3 * rng.normal(size=(2, 4, 2))
        other = [rates.copy(), bends.copy()]
        other[0][1:-1] += off[0]
        other[1][1:-1] += off[1]
        assert (jerk(*other) > least).all()


def test_many_points_do_not_oscillate():
    rng = np.random.default_rng(1)
    t = np.cumsum(rng.uniform(0.3, 1.5, 400))
    x = rng.normal(size=(400, 1))
    assert np.abs(trig_at_rest(t, x)(np.linspace(t[0], t[-1], 20001))[0]).max() < 2 * np.abs(x).max()


def test_waypoints_by_a_law(tmp_path, capsys):
    path = tmp_path / "w.csv"
    path.write_text("t,x,y,z,psi,theta,phi\n0,0,0,2,0,0,0\n1,0.1,0,2.1,0.1,0,0\n2.5,0,0.1,2.2,0,0.1,0\n")
    rows = np.loadtxt(path, delimiter=",", skiprows=1)
    motions = [
        read_waypoints(stewart(), path, law="trig3"),
        choose_motion(stewart(), waypoints=path, law="trig3"),
        through(stewart(), rows[:, 0], rows[:, 1:], law="trig3"),
    ]
    assert isinstance(motions[0].law, TrigPieces)
    for other in motions[1:]:
        np.testing.assert_array_equal(other(1.7).xdd, motions[0](1.7).xdd)
    assert not np.allclose(choose_motion(stewart(), waypoints=path)(1.7).xdd, motions[0](1.7).xdd)
    code, _, _ = outcome(capsys, "check", "stewart", "--waypoints", str(path), "--law", "trig3")
    assert code == 0
    with pytest.raises(MotionError, match=r'--law: "cos": is for straight moves: .* minimum-jerk or trig3'):
        choose_motion(stewart(), waypoints=path, law="cos")
    with pytest.raises(MotionError, match=r'--law: "trig4": no such law \(did you mean trig3'):
        choose_motion(stewart(), waypoints=path, law="trig4")
    with pytest.raises(MotionError, match="--back: cannot go with --waypoints"):
        choose_motion(stewart(), waypoints=path, back=True)
