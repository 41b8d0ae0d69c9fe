"""Forces within limits at poses of machines: optimal, those of another quadratic program, and where a linear one says.

The quadratic program is the least-distance problem of Lawson and Hanson in the internal forces (chapter 23), by SciPy's
`nnls`: of gough it takes K, what the platform needs and the limits, which are the question.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.linalg import null_space
from scipy.optimize import linprog, nnls

import gough
from gough import Actuation
from gough.dynamics.sharing.margin import margins
from gough.dynamics.sharing.shares import force_limits
from gough.kinematics.status import Status
from tests.support import lanes
from tests.support.robots import build, with_values


def many_cables():
    """Twelve cables from the edges of a hall to a box, fully constrained: six spare ones."""
    rng = np.random.default_rng(12)
    corners = np.array([[sx, sy, sz] for sx in (-1, 1) for sy in (-1, 1) for sz in (0, 1)], dtype=float)
    feet = np.concatenate([corners, [[-1, 0, 1], [1, 0, 1], [0, -1, 0], [0, 1, 0]]])
    ends = np.concatenate([corners * [1, 1, -1] + [0, 0, 1], [[-1, 1, 0], [1, -1, 0], [-1, -1, 1], [1, 1, 1]]])
    legs = [
        {
            "type": "cable",
            "name": f"c{k}",
            "base": [4 * a[0] + 0.1 * rng.normal(), 3 * a[1] + 0.1 * rng.normal(), 4 * a[2]],
            "platform": [0.3 * b[0], 0.3 * b[1], 0.3 * (b[2] - 0.5) + 0.02 * rng.normal()],
            "tension": [20.0, 600.0],
            "reference": 150.0,
        }
        for k, (a, b) in enumerate(zip(feet, ends, strict=True))
    ]
    coordinates = {"x": "x", "y": "y", "z": "z", "yaw": "rz", "pitch": "ry", "roll": "rx"}
    platform = {"coordinates": coordinates, "home": [0, 0, 2, 0, 0, 0], "mass": 30, "inertia": [2, 2.5, 3]}
    return build({"name": "cable12", "platform": platform, "leg": legs})


def cranks():
    """Four cranks for three coordinates, weighted and preloaded."""
    robot = gough.load("planar4rrr")
    limits = replace(robot.actuators[0].limits, force=3.5)
    legs = [
        replace(leg, joints=tuple(replace(j, limits=limits) if j.actuated else j for j in leg.joints))
        for leg in robot.legs
    ]
    sharing = Actuation("bounded", (1.0, 2.0, 0.5, 1.5), (0.3, -0.2, 0.4, 0.0))
    return with_values(robot, legs=tuple(legs), actuation=sharing)


SPREAD = {
    "cable8": [3.0, 2.5, 1.2, 0.2, 0.2, 0.2],
    "cable12": [2.0, 1.5, 1.0, 0.2, 0.2, 0.2],
    "cranks": [0.03, 0.03, 0.3],
}
MAKERS = {"cable8": lambda: gough.load("cable8"), "cable12": many_cables, "cranks": cranks}


@cache
def solved(name, count):
    """The robot, its limits, and at many poses in motion: status, forces, K, what the platform needs, its margin."""
    robot = MAKERS[name]()
    rng = np.random.default_rng([17, len(name)])
    n = robot.dof
    x = np.array(robot.platform.home) + np.array(SPREAD[name]) * rng.uniform(-1, 1, (count, n))
    xd, xdd = 0.5 * rng.normal(size=(count, n)), 2.0 * rng.normal(size=(count, n))
    free = with_values(robot, actuation=Actuation("least-norm"))
    found, K = gough.inverse_dynamics(robot, gough.State(x, xd, xdd)), gough.inverse_kinematics(robot, x).K
    given = gough.inverse_dynamics(free, gough.State(x, xd, xdd)).force
    Q = np.einsum("nij,ni->nj", K, given)
    return robot, np.array(force_limits(robot)).T, found.status, found.force, K, Q, margins(robot, x, given)


def weights_and_reference(robot):
    m = len(robot.actuators)
    given = robot.actuation
    return np.array(given.weights or np.ones(m)), np.array(given.reference or np.zeros(m))


def nearest(K, Q, low, high, weights, reference):
    """Forces (m,) with K^T force = Q in the box, nearest to the reference, or None: a problem of least distance."""
    unit = 1.0 / np.sqrt(weights)
    A = (K * unit[:, None]).T
    low, high = (low - reference) / unit, (high - reference) / unit
    s0 = np.linalg.lstsq(A, Q - K.T @ reference, rcond=None)[0]
    N = null_space(A)
    size = max(np.abs(low).max(), np.abs(high).max())
    G = np.concatenate([N, -N])
    h = np.concatenate([low - s0, s0 - high]) / size
    E, f = np.vstack([G.T, h]), np.zeros(N.shape[1] + 1)
    f[-1] = 1.0
    u, left = nnls(E, f)
    if left < 1e-12:
        return None
    r = E @ u - f
    return reference + unit * (s0 - size * N @ r[:-1] / r[-1])


@pytest.mark.parametrize("name", MAKERS)
def test_forces_are_optimal_at_every_pose(name):
    """Karush, Kuhn and Tucker: balance, limits, and a slope that only limits that are reached hold back."""
    robot, (low, high), status, force, K, Q, _ = solved(name, lanes.size(10_000, 400))
    weights, reference = weights_and_reference(robot)
    good = status == Status.FINE
    assert 0.1 < good.mean() < 0.999
    assert (status[~good] == Status.INFEASIBLE).all()
    size = np.abs(high - low).max()
    for k in np.flatnonzero(good):
        at_low, at_high = force[k] <= low + 1e-9 * size, force[k] >= high - 1e-9 * size
        free = ~(at_low | at_high)
        assert np.abs(K[k].T @ force[k] - Q[k]).max() <= 1e-11 * size
        assert (force[k] >= low - 1e-11 * size).all()
        assert (force[k] <= high + 1e-11 * size).all()
        slope = weights * (force[k] - reference)
        if free.sum() >= K.shape[2]:
            left = slope - K[k] @ np.linalg.lstsq(K[k][free], slope[free], rcond=None)[0]
            assert np.abs(left[free]).max() <= 1e-9 * size
            assert (left[at_low] >= -1e-9 * size).all()
            assert (left[at_high] <= 1e-9 * size).all()
        else:  # so many limits that multipliers are not unique: some must do
            signs = np.concatenate([K[k].T, -K[k].T, np.diag(at_low * 1.0), -np.diag(at_high * 1.0)])
            assert nnls(signs.T, slope / size)[1] <= 1e-9


@pytest.mark.parametrize("name", MAKERS)
def test_forces_are_those_of_another_quadratic_program(name):
    robot, (low, high), status, force, K, Q, margin = solved(name, lanes.size(10_000, 400))
    weights, reference = weights_and_reference(robot)
    size = np.abs(high - low).max()
    compared = 0
    for k in range(lanes.size(1000, 100)):
        wanted = nearest(K[k], Q[k], low, high, weights, reference)
        if abs(margin[k]) < 1e-9 * size:
            continue
        assert (wanted is not None) == (status[k] == Status.FINE), (k, margin[k])
        if wanted is not None:
            assert np.abs(wanted - force[k]).max() <= 1e-9 * size, (k, margin[k])
            compared += 1
    assert compared > 10


@pytest.mark.parametrize("name", MAKERS)
def test_there_are_forces_where_a_linear_program_finds_some(name):
    _, (low, high), status, _, K, Q, margin = solved(name, lanes.size(10_000, 400))
    size = np.abs(high - low).max()
    for k in range(lanes.size(1000, 60)):
        if abs(margin[k]) >= 1e-9 * size:
            some = linprog(np.zeros(len(low)), A_eq=K[k].T, b_eq=Q[k], bounds=np.stack([low, high], axis=1)).status == 0
            assert some == (status[k] == Status.FINE) == (margin[k] > 0.0), (k, margin[k])
