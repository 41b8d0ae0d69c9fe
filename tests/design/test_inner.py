"""Exact maxima at a pose against an independent enumeration on 1 000 poses."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from gough import State, inverse_dynamics, load
from gough.design.cases import forces_at, load_cases, with_load
from gough.design.coefficients import payloads
from gough.design.size_result import Requirement, SizeResult
from gough.design.velocity_maxima import ball_maximum, box_maximum
from gough.design.worst import Worst
from tests.design.envelopes import envelope
from tests.support.loaded_robots import loaded


def by_faces(Q, L):
    """Largest v.Q v + L.v over the cube: every stationary point of every face, one by one."""
    n, best = len(L), -np.inf
    for pattern in product((-1.0, 0.0, 1.0), repeat=n):
        v = np.array(pattern)
        free = v == 0.0
        if free.any():
            try:
                v[free] = np.linalg.solve(2 * Q[np.ix_(free, free)], -L[free] - 2 * Q[np.ix_(free, ~free)] @ v[~free])
            except np.linalg.LinAlgError:
                continue
            if (np.abs(v) > 1.0).any():
                continue
        best = max(best, v @ Q @ v + L @ v)
    return best


def by_roots(Q, L):
    """Largest v.Q v + L.v over the ball: every root of the secular polynomial, and the point inside."""
    values, axes = np.linalg.eigh(Q)
    l = axes.T @ L
    polynomial = np.poly1d(np.poly(np.repeat(values, 2)))
    for k in range(len(l)):
        polynomial = polynomial - 0.25 * l[k] ** 2 * np.poly1d(np.poly(np.repeat(np.delete(values, k), 2)))
    found = [0.0]
    for mu in [*polynomial.r[np.abs(polynomial.r.imag) < 1e-5].real, 0.0]:
        if np.abs(mu - values).min() > 1e-9:
            v = 0.5 * l / (mu - values)
            v = v / max(1.0, np.linalg.norm(v)) if np.linalg.norm(v) > 1e-3 else v
            found.append(v @ (values * v) + l @ v)
    if np.abs(l).max() < 1e-12:
        found.append(values[-1])
    return max(found)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_random_forms(n):
    rng = np.random.default_rng(n)
    Q = rng.normal(size=(150, n, n))
    Q, L = Q + np.swapaxes(Q, 1, 2), rng.normal(size=(150, n))
    L[:20] = 0.0
    for maximum, slow in ((box_maximum, by_faces), (ball_maximum, by_roots)):
        best, at = maximum(Q, L)
        np.testing.assert_allclose(best, [slow(*problem) for problem in zip(Q, L, strict=True)], rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(
            np.einsum("bi,bij,bj->b", at, Q, at) + np.einsum("bi,bi->b", at, L), best, atol=1e-12
        )


def forces_of(robot, x, xd, xdd, wrench, payload):
    return inverse_dynamics(
        with_load(robot, payload), State(x, xd, xdd, wrench=wrench), formulation="newton_euler"
    ).force


def enumerated(robot, e, x):
    """(2 m,) largest forces at one pose: states enumerated through another formulation, velocities face by face."""
    n, eye = len(x), np.eye(len(x))
    pairs_of = [(i, j) for i in range(n) for j in range(i)]
    v, a = np.array(e.velocity), np.array(e.acceleration)
    low, high = np.array(e.wrench).T
    best = None
    for payload in payloads(e):
        rest = np.zeros(n)
        states = [(rest, rest)] + [(rest, a * eye[k]) for k in range(n)]
        states += [(s * v * eye[k], rest) for s in (1, -1) for k in range(n)]
        states += [(v * (eye[i] + eye[j]), rest) for i in range(n) for j in range(i)]
        wrenches = [low] * len(states) + [np.where(np.arange(6) == k, high, low) for k in range(6)]
        states += [(rest, rest)] * 6
        xd, xdd = (np.array(column) for column in zip(*states, strict=True))
        f = forces_of(robot, np.tile(x, (len(states), 1)), xd, xdd, np.array(wrenches), payload)
        m, f0 = f.shape[1], f[0]
        A, plus, minus = f[1 : n + 1] - f0, f[n + 1 : 2 * n + 1] - f0, f[2 * n + 1 : 3 * n + 1] - f0
        pairs, W = f[3 * n + 1 : -6] - f0, f[-6:] - f0
        found = []
        for sign, k in product((1.0, -1.0), range(m)):
            Q, L = np.diag(plus[:, k] + minus[:, k]) / 2, (plus[:, k] - minus[:, k]) / 2
            for row, (i, j) in enumerate(pairs_of):
                Q[i, j] = Q[j, i] = (pairs[row, k] - plus[i, k] - plus[j, k]) / 2
            corners = [np.array(c) @ A[:, k] for c in product((-1.0, 1.0), repeat=n)]
            push = np.linalg.norm(A[:, k]) if e.acceleration_ball else max(sign * c for c in corners)
            pull = max(
                sign * (np.array(c) @ W[:, k])
                for c in product((0.0, 1.0), repeat=6)
                if not np.any(W[np.array(c) > 0, k] == 0)
            )
            spin = (by_roots if e.velocity_ball else by_faces)(sign * Q, sign * L)
            found.append(sign * f0[k] + push + pull + spin)
        best = np.array(found) if best is None else np.maximum(best, found)
    return best


@pytest.mark.slow
@pytest.mark.parametrize(("name", "poses"), [("delta", 330), ("planar3rrr", 340), ("spatial3", 330)])
def test_inner_maxima_against_enumeration(name, poses):
    robot = load(name)
    e = envelope(robot)
    rng = np.random.default_rng(5)
    low, high = np.array(e.pose).T
    x = low + (high - low) * rng.uniform(size=(poses, len(low)))
    exact = Worst(robot, e).forces(x)
    slow = np.array([enumerated(robot, e, pose) for pose in x])
    np.testing.assert_allclose(exact, slow, rtol=1e-7, atol=1e-7 * np.abs(slow).max())
    quick = Worst(robot, e).forces(x, quick=True)
    assert (quick <= exact + 1e-9 * np.abs(exact)).all()


def test_six_coordinates_in_a_box():
    robot = load("stewart")
    e = replace(envelope(robot), twist=False, velocity_ball=False, rates=("x", "y", "z", "psi", "theta", "phi"))
    x = np.array(robot.platform.home) + 0.1 * np.random.default_rng(2).uniform(-1, 1, (2, 6))
    slow = np.array([enumerated(robot, e, pose) for pose in x])
    np.testing.assert_allclose(Worst(robot, e).forces(x), slow, rtol=1e-8)


@pytest.mark.parametrize("name", ["delta", "planar3rrr", "spatial3", "stewart"])
def test_cases_give_the_forces_they_stand_for(name):
    robot = loaded(load(name), 4) if name != "spatial3" else load(name)
    e = envelope(robot, name)
    worst = Worst(robot, e)
    x = np.array([sum(ends) / 2 + 0.2 * (ends[1] - ends[0]) for ends in e.pose])
    values = worst.forces(x[None])[0]
    m = len(values) // 2
    requirements = []
    for k in range(2 * m):
        kind = "force+" if k < m else "force-"
        requirements.append(Requirement(kind, k % m, values[k] if k < m else -values[k], x, ()))

    result = SizeResult(
        robot, e, robot.actuator_names, tuple(requirements), 0.0, 1.0, (1,), None, 1, True, None, None, worst
    )
    for requirement, case in result.cases():
        sign = 1.0 if requirement.kind == "force+" else -1.0
        found = forces_at(result, x, case, requirement.actuator, sign)[requirement.actuator]
        assert found == pytest.approx(requirement.value, rel=1e-9)
    header, rows = load_cases(result)
    assert len(rows) == 2 * m
    n = len(x)
    for row in rows:
        assert len(row) == len(header)
        pose, xd, xdd = (np.array(row[2 + k * n : 2 + (k + 1) * n], dtype=float) for k in range(3))
        at = 2 + 3 * n + 12
        wrench, payload = np.array(row[at : at + 6]), np.array(row[at + 6 : at + 16])
        forces = np.array(row[at + 16 : at + 16 + m])
        again = inverse_dynamics(with_load(robot, payload), State(pose, xd, xdd, wrench=wrench)).force
        still = np.abs(inverse_dynamics(robot, State(pose, xd, xdd)).qd) < 1e-9
        np.testing.assert_allclose(forces[~still], again[~still], rtol=1e-8, atol=1e-8 * np.abs(forces).max())
