"""Misprints of Staicu's position and velocity equations (001): printed and corrected, and the motion that decides.

Passing matrices c_k,k-1 are the transposes of our R. Angles phi are found from the corrected loop equations (6) alone;
what decides is its gap, and the velocities and accelerations of its sliders, as in the companion's section 2.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import root

from gough import State, load
from gough.kinematics import body_motion, inverse_kinematics
from gough.kinematics.robot_pose import robot_pose, ways_of
from tests.papers.test_kinematics import spatial3_motion
from tests.support.papers import assert_printed

r, R, L = 0.1, 0.25, 0.4
h = np.sqrt(L**2 - (R - r) ** 2)
ALPHA = np.arcsin((R - r) / L)
u1, u2, u3 = np.eye(3)
U3 = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 0]])
A1 = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
A2 = A1.T
A3 = np.diag([-1.0, -1, 1])
A4 = np.array([[0.0, 0, -1], [-1, 0, 0], [0, 1, 0]])
A5 = np.diag([-1.0, 1, -1])
A6 = np.array([[0.0, 0, -1], [0, -1, 0], [-1, 0, 0]])
TIMES = np.linspace(0, 1, 401)


def assert_effect(off, printed, digits):
    """Round-off for the corrected equation, else what the companion prints."""
    if printed == 0.0:
        assert off < 1e-11
    else:
        assert_printed(off, printed, digits=digits)


def about_z(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, s, 0], [-s, c, 0], [0, 0, 1.0]])


def matrices_ab(phi, first):
    return about_z(phi) @ about_z(ALPHA) @ A4 @ first


def matrices_c(phi21, phi32, phi54):
    """c20, c30, c32, c52, c50 of (1), (2)."""
    c20 = about_z(phi21) @ about_z(ALPHA) @ A4 @ A3
    c32 = about_z(phi32) @ A4
    c43 = about_z(phi32) @ A5
    c54 = about_z(phi54) @ about_z(ALPHA) @ A6
    c52 = c54 @ c43 @ c32
    return c20, c32 @ c20, c32, c52, c52 @ c20


def loop_c(lam, phi21, phi32, x, printed=False):
    """Gap of (6), row C; printed with c20 instead of c30 before r43."""
    y, z, theta = x
    c20, c30, _, _, c50 = matrices_c(phi21, phi32, phi21 + theta)
    bar = (c20 if printed else c30).T @ (-L * u2)
    return np.array([-R, 0, lam]) + bar + c50.T @ (r * u1) - np.array([0, y, z - h])


def loop_ab(lam, phi, x, side):
    y, z, _ = x
    a20 = matrices_ab(phi, A1 if side < 0 else A2)
    return np.array([0, side * R, lam]) + a20.T @ (L * u1) - side * r * u2 - np.array([0, y, z - h])


def angles_c(x):
    return root(lambda q: loop_c(*q, x), np.zeros(3), tol=1e-14).x


def angles_ab(x, side):
    return root(lambda q: loop_ab(*q, x, side)[1:], np.zeros(2), tol=1e-14).x


@pytest.fixture(scope="module")
def motion():
    """t, x, xd, xdd, the robot's sliders, and the angles of (6), on the companion's grid."""
    x, xd, xdd = (np.array(rows) for rows in zip(*(spatial3_motion(t) for t in TIMES), strict=True))
    found = inverse_kinematics(load("spatial3"), State(x, xd, xdd))
    C = np.array([angles_c(row) for row in x])
    A = np.array([angles_ab(row, -1) for row in x])
    return x, xd, xdd, found, A, C


def test_loop_equations(motion):
    """(6) row C: c20^T r43 leaves a gap of 0.525 m, c30^T r43 closes."""
    x, _, _, found, A, C = motion
    assert np.abs(C[:, 0] - found.q[:, 2]).max() < 1e-13
    assert np.abs(A[:, 0] - found.q[:, 0]).max() < 1e-13
    right = max(np.abs(loop_c(*c, row)).max() for c, row in zip(C, x, strict=True))
    wrong = [np.abs(loop_c(*c, row, printed=True)).max() for c, row in zip(C, x, strict=True)]
    assert right < 1e-14
    assert max(wrong) == pytest.approx(0.525, abs=5e-4)
    assert_places(x, A, C)
    assert_residual(x)


def assert_places(x, A, C):
    """Sliders and bars of legs A and C are where (6) has them, and turned from home as (1), (2) say."""
    home, found = (body_motion(load("spatial3"), at) for at in (0.0 * x[0], x))
    turned = found.R @ np.swapaxes(home.R, -1, -2)
    c20_home, c30_home, _, _, c50_home = matrices_c(0.0, 0.0, 0.0)
    for k, (row, (height, lean), (lam, phi21, phi32)) in enumerate(zip(x, A, C, strict=True)):
        a20 = matrices_ab(lean, A1)
        c20, c30, _, _, c50 = matrices_c(phi21, phi32, phi21 + row[2])
        a1, c1 = np.array([0, -R, height]), np.array([-R, 0, lam])
        leaning, parallel = a20.T @ matrices_ab(0.0, A1), c20.T @ c20_home
        expected = {
            "A.P": (a1, np.eye(3)),
            "A.R2": (a1, leaning),
            "A.U1": (a1 + a20.T @ (L * u1), np.eye(3)),
            "C.P": (c1, np.eye(3)),
            "C.R2": (c1, parallel),
            "C.Pa1": (c1 + parallel @ [0, 0.05, 0], c30.T @ c30_home),
            "C.R3": (c1 + c30.T @ (-L * u2), c50.T @ c50_home),
            "platform": (np.array([0, row[0], row[1] - h]), c50.T @ c50_home),
        }
        for name, (place, turn) in expected.items():
            body = found.names.index(name)
            assert np.abs(found.p[k, body] - place).max() < 1e-13, name
            assert np.abs(turned[k, body] - turn).max() < 1e-13, name


def assert_residual(x):
    """Nothing is left of (6) where the platform is, and the way to it where it would be elsewhere."""
    robot, aside = load("spatial3"), np.array([0.03, -0.04, 0.12])
    for row in x[::100]:
        pose = robot_pose(robot, ways_of(robot), row)
        elsewhere = replace(pose.platform, p_BP=pose.platform.p_BP + aside)
        for leg in pose.legs:
            assert 0.0 <= leg.residual(pose.platform) < 1e-14
            assert leg.residual(elsewhere) == pytest.approx(0.13, abs=1e-14)


def rates_c(c, x, xd, bar="c52", arm=r):
    """v10, w21, w32 of (14), row C; printed: bar = "c32" (with u2 for u1), arm = L."""
    c20, c30, c32, c52, c50 = matrices_c(c[1], c[2], c[1] + x[2])
    inside = c52.T @ u1 if bar == "c52" else c32.T @ u2
    w21 = -(L * c20.T @ U3 @ c32.T @ u2 - r * c20.T @ U3 @ inside) + arm * c50.T @ U3 @ u1
    columns = np.stack([u3, w21, -L * c30.T @ U3 @ u2], axis=1)
    rhs = np.array([0, xd[0], xd[1]]) - arm * c50.T @ U3 @ u1 * xd[2]
    return np.linalg.solve(columns, rhs)


@pytest.mark.parametrize(
    ("change", "effect"),
    [({}, 0.0), ({"bar": "c32"}, 0.040), ({"arm": L}, 1.56), ({"bar": "c32", "arm": L}, 1.81)],
    ids=["corrected", "c32^T u2", "omega54 L", "both"],
)
def test_velocities(motion, change, effect):
    """(14) row C: v_C off by 0.040, up to 1.56, both 1.81 m/s."""
    x, xd, _, found, _, C = motion
    v = np.array([rates_c(c, row, rate, **change)[0] for c, row, rate in zip(C, x, xd, strict=True)])
    off = np.abs(v - found.qd[:, 2]).max()
    assert_effect(off, effect, 2 if change.get("bar") and "arm" not in change else 3)


def acceleration_a(a, x, xd, xdd, printed=False):
    """Slider acceleration of (15), row A; printed with one u3~ in the centripetal term."""
    a20 = matrices_ab(a[1], A1)
    turning = L * a20.T @ U3 @ u1
    rates = np.linalg.solve(np.stack([u3, turning], axis=1)[1:], [xd[0], xd[1]])
    centripetal = rates[1] ** 2 * L * a20.T @ (U3 @ u1 if printed else U3 @ U3 @ u1)
    return np.linalg.solve(np.stack([u3, turning], axis=1)[1:], np.array([xdd[0], xdd[1]]) - centripetal[1:])[0]


@pytest.mark.parametrize(("printed", "effect"), [(False, 0.0), (True, 1.54)])
def test_acceleration_of_slider_a(motion, printed, effect):
    """(15) rows A, B: omega^2 u3~ u1 instead of omega^2 u3~ u3~ u1: a_A off 1.54 m/s^2."""
    x, xd, xdd, found, A, _ = motion
    rows = zip(A, x, xd, xdd, strict=True)
    off = np.abs([acceleration_a(*row, printed) - a for row, a in zip(rows, found.qdd[:, 0], strict=True)])
    assert_effect(off.max(), effect, 3)


TERMS = {"corrected": 0.0, "w32": 1.32, "w54": 3.69, "w21 w32": 0.31, "w21 w54": 0.36}


def acceleration_c(c, x, xd, xdd, wrong):
    """Slider acceleration of (15), row C, with one of its quadratic terms as printed."""
    c20, c30, c32, c52, c50 = matrices_c(c[1], c[2], c[1] + x[2])
    _, w21, w32 = rates_c(c, x, xd)
    w54 = w21 + xd[2]
    on_bar = U3 @ u2 if wrong == "w32" else U3 @ U3 @ u2
    on_arm = U3 @ u1 if wrong == "w54" else U3 @ U3 @ u1
    mixed_bar = u2 if wrong == "w21 w32" else c32.T @ U3 @ u2
    mixed_arm = c52.T @ u1 if wrong == "w21 w54" else c52.T @ U3 @ u1
    bias = (
        w21**2 * (L * c20.T @ U3 @ U3 @ c32.T @ u2 - r * c20.T @ U3 @ U3 @ c52.T @ u1)
        + w32**2 * L * c30.T @ on_bar
        - w54**2 * r * c50.T @ on_arm
        + 2 * w21 * w32 * L * c20.T @ U3 @ mixed_bar
        - 2 * w21 * w54 * r * c20.T @ U3 @ mixed_arm
    )
    turning = -(L * c20.T @ U3 @ c32.T @ u2 - r * c20.T @ U3 @ c52.T @ u1) + r * c50.T @ U3 @ u1
    columns = np.stack([u3, turning, -L * c30.T @ U3 @ u2], axis=1)
    return np.linalg.solve(columns, np.array([0, xdd[0], xdd[1]]) + bias - r * c50.T @ U3 @ u1 * xdd[2])


@pytest.mark.parametrize("wrong", TERMS)
def test_acceleration_of_slider_c(motion, wrong):
    """(15) row C, term by term: a_C off by 1.32, 3.69, 0.31, 0.36 m/s^2."""
    x, xd, xdd, found, _, C = motion
    a = np.array([acceleration_c(*row, wrong)[0] for row in zip(C, x, xd, xdd, strict=True)])
    off = np.abs(a - found.qdd[:, 2]).max()
    assert_effect(off, TERMS[wrong], 3 if TERMS[wrong] > 1.0 else 2)


def recursion(c, x, xd, xdd, printed=""):
    """(11), (13) along chain C to the platform, in base axes: w, eps of it and gamma of C5; printed: "eps", "gamma"."""
    _, w21, w32 = rates_c(c, x, xd)
    a10, e21, e32 = acceleration_c(c, x, xd, xdd, "corrected")
    steps = [
        (about_z(c[1]) @ about_z(ALPHA) @ A4, w21, e21, 0.0 * u2),
        (about_z(c[2]) @ A4, w32, e32, 0.0 * u2),
        (about_z(c[2]) @ A5, w32, e32, -L * u2),
        (about_z(c[1] + x[2]) @ about_z(ALPHA) @ A6, w21 + xd[2], e21 + xdd[2], 0.0 * u2),
    ]
    w, eps, gamma, total = np.zeros(3), np.zeros(3), a10 * u3, A3
    for m, rate, second, arm in steps:
        gamma = m @ (np.zeros(3) if printed == "gamma" else gamma)  # hinges have no relative acceleration of their own
        gamma = gamma + m @ (np.cross(eps, arm) + np.cross(w, np.cross(w, arm)))
        carried = second * u3 if printed == "eps" else eps
        eps = m @ carried + second * u3 + rate * m @ np.cross(w, m.T @ u3)
        w = m @ w + rate * u3
        total = m @ total
    return total.T @ w, total.T @ eps, total.T @ gamma


@pytest.mark.parametrize("printed", ["", "eps", "gamma"])
def test_recursion_of_accelerations(motion, printed):
    """(13): c eps_(k-1,0) and c gamma_(k-1,0). They must end at the platform's: thetadd about y, and that of C5."""
    x, xd, xdd, _, _, C = motion
    turning, moving = 0.0, 0.0
    for k in range(0, len(x), 20):
        w, eps, gamma = recursion(C[k], x[k], xd[k], xdd[k], printed)
        cos, sin = np.cos(x[k, 2]), np.sin(x[k, 2])
        along_x = xdd[k, 2] * np.array([-sin, 0, -cos]) + xd[k, 2] ** 2 * np.array([-cos, 0, sin])
        assert np.abs(w - [0, xd[k, 2], 0]).max() < 1e-11
        turning = max(turning, np.abs(eps - [0, xdd[k, 2], 0]).max())
        moving = max(moving, np.abs(gamma - [0, xdd[k, 0], xdd[k, 1]] + r * along_x).max())
    assert turning > 1.0 if printed == "eps" else turning < 1e-11
    assert moving > 1.0 if printed else moving < 1e-11
