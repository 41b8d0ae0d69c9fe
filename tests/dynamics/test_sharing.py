"""Forces within limits: optimal by the conditions of Karush, Kuhn and Tucker, feasible where a linear program says so.

K and Q are random: (m, n) with 0 to 6 spare actuators, among them pairs of equal rows and rows without internal force.
"""

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linprog, minimize

from gough import Actuation
from gough.dynamics.sharing.margin import _margins, normals
from gough.dynamics.sharing.shares import shares
from gough.dynamics.sharing.within_limits import bounded, centre
from gough.graph import jvp, record
from gough.run import Program
from tests.support import lanes

SHAPES = [(3, 3), (4, 3), (8, 6), (5, 3), (4, 2), (7, 4), (9, 6), (12, 6)]


def limits_of(m, seed=0):
    rng = np.random.default_rng([m, seed])
    low = rng.uniform(-5.0, 5.0, m)
    return low, low + rng.uniform(10.0, 40.0, m)


def samples(m, n, count, seed=0):
    """Jacobians and needs of which a good part is feasible."""
    rng = np.random.default_rng([m, n, seed])
    low, high = limits_of(m)
    K = rng.normal(size=(count, m, n))
    if m >= n + 2:
        K[1::7, 1] = K[1::7, 0]
        K[3::7, :, 0] = 0.0
        K[3::7, 0, 0] = 1.0
    forces = rng.uniform(low - 8.0, high + 8.0, size=(count, m))
    return K, np.einsum("nij,ni->nj", K, forces)


FREE = Actuation()


def program(m, n, criterion=bounded, actuation=FREE):
    low, high = limits_of(m)
    pairs = [(float(a), float(b)) for a, b in zip(low, high, strict=True)]

    def equations(K, Q):
        found = criterion(shares(K, Q, actuation), pairs)
        return {"force": found.force, "feasible": found.feasible}

    graph = record(equations, K=(m, n), Q=n)
    return Program(graph)


def departures(K, Q, low, high, force, weights, reference):
    """Largest failure of balance, limits and stationarity with the right signs, relative to the largest force."""
    size = np.abs(force).max()
    at_low, at_high = force <= low + 1e-9 * size, force >= high - 1e-9 * size
    free = ~(at_low | at_high)
    slope = weights * (force - reference)
    multipliers = np.linalg.lstsq(K[free], slope[free], rcond=None)[0] if free.any() else np.zeros(K.shape[1])
    left = slope - K @ multipliers
    signs = [np.abs(left[free]).max(initial=0.0), (-left[at_low]).max(initial=0.0), left[at_high].max(initial=0.0)]
    return (
        np.array(
            [
                np.abs(K.T @ force - Q).max(),
                max((low - force).max(), (force - high).max(), 0.0),
                max(signs) / weights.max(),
            ]
        )
        / size
    )


@pytest.mark.parametrize(("m", "n"), SHAPES)
@pytest.mark.parametrize("weighted", [False, True])
def test_bounded_forces_are_optimal_and_exist_where_they_can(m, n, weighted):
    rng = np.random.default_rng(m)
    low, high = limits_of(m)
    weights = rng.uniform(0.5, 2.0, m) if weighted else np.ones(m)
    reference = rng.uniform(low, high) if weighted else np.zeros(m)
    actuation = Actuation("bounded", tuple(weights), tuple(reference)) if weighted else Actuation("bounded")
    count = lanes.size(10_000, 400) // len(SHAPES)
    K, Q = samples(m, n, count)
    found = program(m, n, actuation=actuation)(K=K, Q=Q)
    for k in np.flatnonzero(found["feasible"]):
        worst = departures(K[k], Q[k], low, high, found["force"][k], weights, reference)
        assert (worst <= [1e-11, 1e-11, 1e-9]).all(), (k, worst)
    assert found["feasible"].mean() > 0.01


@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_feasible_as_a_linear_program_and_the_facets_say(m, n):
    low, high = limits_of(m)
    count = max(20, lanes.size(1000, 160) // len(SHAPES))
    K, Q = samples(m, n, count, 1)
    found = program(m, n)(K=K, Q=Q)["feasible"]
    margin = _margins(K, Q, low, high, np.array(list(combinations(range(m), n - 1))))
    for k in range(count):
        if abs(margin[k]) < 1e-9 * high.max():
            continue
        program_says = linprog(np.zeros(m), A_eq=K[k].T, b_eq=Q[k], bounds=np.stack([low, high], axis=1)).status == 0
        assert found[k] == program_says == (margin[k] > 0.0), (k, margin[k])


@pytest.mark.parametrize(("m", "n"), SHAPES)
def test_normals_are_orthogonal_to_their_rows(m, n):
    """Also to rows that are equal, nearly so, very long or nothing."""
    K, _ = samples(m, n, 60, 4)
    K[5::7, 1] = K[5::7, 0] + 1e-9 * K[5::7, 2]
    K[6::7, 0] *= 1e6
    K[6::7, 1] = 0.0
    rows = np.array(list(combinations(range(m), n - 1)))
    u = normals(K, rows)
    assert u.shape == (60, len(rows), n)
    assert np.abs(np.linalg.norm(u, axis=2) - 1.0).max() <= 1e-14
    across = np.abs(np.einsum("nfij,nfj->nfi", K[:, rows], u))
    lengths = np.linalg.norm(K[:, rows], axis=3)
    assert (across <= 1e-12 * lengths.max(axis=2, keepdims=True)).all()
    plain = np.arange(60) % 7 == 0
    by_value = np.abs(np.einsum("nfj,nfj->nf", u, np.linalg.svd(K[:, rows])[2][:, :, -1]))[plain]
    assert np.abs(by_value - 1.0).max() <= 1e-12


@pytest.mark.parametrize(("m", "n"), [(4, 3), (8, 6), (9, 6)])
def test_bounded_forces_are_those_of_scipy(m, n):
    low, high = limits_of(m)
    K, Q = samples(m, n, lanes.size(1000, 60), 2)
    found = program(m, n)(K=K, Q=Q)
    for k in np.flatnonzero(found["feasible"]):
        start = found["force"][k] + 0.3 * np.cos(np.arange(m))
        wanted = minimize(
            lambda t: t @ t,
            start,
            jac=lambda t: 2.0 * t,
            bounds=np.stack([low, high], axis=1),
            constraints={"type": "eq", "fun": lambda t, k=k: K[k].T @ t - Q[k], "jac": lambda t, k=k: K[k].T},
            options={"ftol": 1e-14, "maxiter": 300},
        )
        if wanted.success:
            assert np.abs(wanted.x - found["force"][k]).max() <= 1e-5 * np.abs(wanted.x).max(), "what SLSQP leaves"


@pytest.mark.parametrize(("m", "n"), [(4, 3), (8, 6), (9, 6), (12, 6)])
def test_centre_is_stationary_and_exists_where_bounded_does(m, n):
    low, high = limits_of(m)
    K, Q = samples(m, n, 150, 3)
    found, other = program(m, n, centre)(K=K, Q=Q), program(m, n)(K=K, Q=Q)["feasible"]
    margin = _margins(K, Q, low, high, np.array(list(combinations(range(m), n - 1))))
    clear = np.abs(margin) > 1e-6 * high.max()
    assert (found["feasible"] == other)[clear].all()
    for k in np.flatnonzero(found["feasible"]):
        force = found["force"][k]
        assert (force > low).all()
        assert (force < high).all()
        assert np.abs(K[k].T @ force - Q[k]).max() <= 1e-11 * np.abs(force).max()
        slope = 1.0 / (high - force) - 1.0 / (force - low)
        left = slope - K[k] @ np.linalg.lstsq(K[k], slope, rcond=None)[0]
        assert np.abs(left).max() <= 1e-8 * max(1.0, np.abs(slope).max())


@pytest.mark.parametrize("criterion", [bounded, centre])
@pytest.mark.parametrize(("m", "n"), [(4, 3), (8, 6), (9, 6)])
def test_derivatives_and_executors(m, n, criterion):
    low, high = limits_of(m)
    pairs = [(float(a), float(b)) for a, b in zip(low, high, strict=True)]
    K, Q = samples(m, n, 12, 4)

    def equations(K, Q, dK, dQ):
        force, feasible = criterion(shares(K, Q, Actuation()), pairs)
        inputs = np.concatenate([K.ravel(), Q])
        return {"force": force, "feasible": feasible, "slope": jvp(force, inputs, np.concatenate([dK.ravel(), dQ]))}

    graph = record(equations, K=(m, n), Q=n, dK=(m, n), dQ=n)
    rng = np.random.default_rng(m)
    dK, dQ = rng.normal(size=K.shape), 10.0 * rng.normal(size=Q.shape)
    runs = {name: Program(graph, name)(K=K, Q=Q, dK=dK, dQ=dQ) for name in ("blocks", "llvm", "floats")}
    good = runs["llvm"]["feasible"]
    assert good.any()
    for run in runs.values():
        assert (run["feasible"] == good).all()
        assert np.abs(run["force"] - runs["llvm"]["force"])[good].max() <= 1e-9
    h = 1e-6
    plus, minus = (program(m, n, criterion)(K=K + s * h * dK, Q=Q + s * h * dQ) for s in (1.0, -1.0))
    same = good & plus["feasible"] & minus["feasible"]
    second = np.abs(plus["force"] - 2.0 * runs["llvm"]["force"] + minus["force"]).max(axis=1)
    smooth = same & (second < 1e-8)
    slope = (plus["force"] - minus["force"])[smooth] / (2.0 * h)
    assert smooth.any()
    assert np.abs(slope - runs["llvm"]["slope"][smooth]).max() <= 1e-5 * np.abs(slope).max(), "h^2 and round-off / h"
