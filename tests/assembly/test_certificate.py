"""The certificate: it holds for solutions, and for nothing else."""

import json

import mpmath
import numpy as np
import pytest

from gough.assembly import make_starts
from gough.assembly.certificate import certify, study_point
from gough.assembly.start_systems import SHIPPED, shipped
from gough.assembly.study_quadrics import CHART, even_matrix, skew_matrix


@pytest.fixture(scope="module")
def proved():
    start = shipped()
    k = np.broadcast_to(start.k, (40, 6))
    return start, k, certify(study_point(start.z), k, start.points, np.abs(k))


def _exact(x, start):
    """(7,) the equations at x (8,) in 50 digits, from quaternion matrices."""
    with mpmath.workdps(50):
        e, g = mpmath.matrix([mpmath.mpc(v) for v in x[:4]]), mpmath.matrix([mpmath.mpc(v) for v in x[4:]])
        found = [(e.T * g)[0], (g.T * g)[0] - mpmath.mpc(start.k[5]) * (e.T * e)[0]]
        for a, b, k in zip(*start.points.reshape(2, 5, 3), start.k, strict=False):
            a, b = [mpmath.mpf(v) for v in a], [mpmath.mpf(v) for v in b]
            skew, even = mpmath.matrix(skew_matrix(a, b)), mpmath.matrix(even_matrix(a, b))
            found.append((e.T * skew * g)[0] + (e.T * even * e)[0] + mpmath.mpc(k) * (e.T * e)[0])
        return found


def test_all_of_the_shipped_system_are_proved(proved):
    _, _, found = proved
    assert found.proved.all()
    assert found.radius.max() < 1e-10
    gram = np.abs(found.x @ np.conj(found.x).T) - np.eye(40)
    assert gram.max() < 1.0 - 1e-6


def test_the_radius_holds_the_solution(proved):
    """Newton's method in 50 digits ends within the radius."""
    start, _, found = proved
    for i in (0, 7, 23):
        x = mpmath.matrix([mpmath.mpc(v) for v in found.x[i]])
        first = x.copy()
        with mpmath.workdps(50):
            for _ in range(4):
                J = mpmath.matrix(8, 8)
                for column in range(8):
                    # Quadrics: a central difference is their derivative.
                    plus, minus = x.copy(), x.copy()
                    plus[column] += 1
                    minus[column] -= 1
                    for row, (u, v) in enumerate(zip(_exact(plus, start), _exact(minus, start), strict=True)):
                        J[row, column] = (u - v) / 2
                    J[7, column] = mpmath.conj(first[column])
                x = x - mpmath.lu_solve(J, mpmath.matrix([*_exact(x, start), 0]))
            assert mpmath.norm(x - first) <= found.radius[i]
            assert mpmath.norm(x - first) < 1e-14


def test_a_shifted_point_is_improved_or_refused(proved):
    start, k, found = proved
    rng = np.random.default_rng(0)
    away = found.x + 0.3 * (rng.normal(size=(40, 8)) + 1j * rng.normal(size=(40, 8)))
    other = certify(away / np.linalg.norm(away, axis=1)[:, None], k, start.points, np.abs(k))
    for x, good in zip(other.x, other.proved, strict=True):
        residual = max(abs(v) for v in _exact(x / np.linalg.norm(x), start))
        assert good == (residual < 1e-13)
    assert not other.proved.all()


def test_a_double_solution_is_not_proved(proved):
    """Where the equations are those of a singular pose: l_0 = 0 makes leg 0 a double one."""
    start, k, found = proved
    other = k.copy()
    other[:, 5] = 0.0
    x = found.x.copy()
    x[:, 4:] = 0.0
    x /= np.linalg.norm(x, axis=1)[:, None]
    assert not certify(x, other, start.points, np.abs(other)).proved.any()


def test_the_shipped_file_names_its_seed():
    """Its script begins at a point that meets Study's condition."""
    assert json.loads(SHIPPED.read_text())["seed"] == make_starts.SEED
    z = make_starts.first_solution(np.random.default_rng(make_starts.SEED))
    x = np.array([1.0 - z @ np.array(CHART), *z])
    assert abs(x[:4] @ x[4:]) < 1e-14
