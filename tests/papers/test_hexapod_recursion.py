"""Sinatra, Xi, Staicu (9) to (23) written out in the paper's letters and matrices, against what the library gives."""

import numpy as np
import pytest

from gough import State, load
from gough.dynamics import VirtualWork, inverse_dynamics, link_wrenches
from gough.kinematics import body_motion, inverse_kinematics
from tests.papers import test_kinematic_misprints_hexapod as paper
from tests.support.motions import motion_near_home
from tests.support.robots import build

LEGS, u1, u2, u3 = paper.LEGS, *np.eye(3)
MASS = {1: 0.1, 2: 0.05, 3: 0.398, "p": 3.983}
J3 = np.diag([0.0722, 0.0, 0.0722])
"""About A3; the leg is along u2."""
J_P = np.diag([0.068, 0.068, 0.136])
COUNT = 6


def tilde(r):
    """Matrix of r x."""
    return np.cross(np.eye(3), r)


@pytest.fixture(scope="module")
def robot():
    """The catalogue's hexapod with the paper's own axes of the universal joints; they turn frames, not forces."""
    own = load("hexapod")
    legs = []
    for leg, name in zip(own.legs, LEGS, strict=True):
        a10, a20, a30, _ = paper.matrices(name)
        foot = paper.L0 * paper.about_z(paper.ALPHA1[name]).T @ u1
        guide = {"direction": a10.T @ u3, "offset": paper.l1}
        rod = {"name": "leg", "length": 0.5, "mass": 0.398, "com": [0.25, 0, 0], "about": "joint"}
        legs.append(
            {"type": "PUS", "name": name, "base": foot, "platform": leg.end.platform_point, "guide": guide}
            | {"axes": [a20.T @ u3, a30.T @ u3], "slider": {"mass": 0.1}, "cross": {"name": "hooke", "mass": 0.05}}
            | {"rod": rod | {"inertia": [0, 0.0722, 0.0722]}}
        )
    platform = dict(own.spec["platform"])
    return build({"name": "paper", "gravity": [0, 0, 9.81], "platform": platform, "leg": legs})


class Paper:
    """All that the paper computes at one state."""

    def __init__(self, x, xd, xdd):
        self.x = x
        self.R = paper.rotation(x)
        R1 = paper.rotation([0, 0, 0, x[3], 0, 0])
        e1, e2, e3 = u1, R1.T @ u2, self.R.T @ u3
        w12 = xd[3] * e1 + xd[4] * e2
        self.w = w12 + xd[5] * e3  # (9)
        turning = xd[3] * xd[4] * np.cross(e1, e2) + xd[5] * np.cross(w12, e3)
        self.wd = xdd[3] * e1 + xdd[4] * e2 + xdd[5] * e3 + turning
        self.v, self.a = xd[:3], xdd[:3]
        self.legs = {leg: self.leg(leg) for leg in LEGS}

    def leg(self, name):
        """The recursion on one leg."""
        q = paper.closed(name, self.x, np.zeros(3))
        a10, a20, a30, a32 = paper.matrices(name, q[1], q[2])
        a21 = a20 @ a10.T
        columns, _, _ = paper.columns_of(name, q)
        p = self.R.T @ paper.platform_joint(name)
        square = tilde(self.w) @ tilde(self.w) + tilde(self.wd)  # (17)
        v10, w21, w32 = np.linalg.solve(columns, self.v + np.cross(self.w, p))  # (13)
        bias = -paper.l3 * w21**2 * a20.T @ paper.U3 @ paper.U3 @ a32.T @ u2 + paper.l3 * w32**2 * a30.T @ u2
        bias = bias + 2 * paper.l3 * w21 * w32 * a20.T @ paper.U3 @ a32.T @ u1
        g10, e21, e32 = np.linalg.solve(columns, self.a + square @ p + bias)  # (16)
        w, v = {1: np.zeros(3)}, {1: v10 * u3}
        eps, gamma = {1: np.zeros(3)}, {1: g10 * u3}
        for k, a, wk, ek in ((2, a21, w21, e21), (3, a32, w32, e32)):
            w[k] = a @ w[k - 1] + wk * u3  # (11)
            v[k] = a @ v[k - 1]  # (12), r_k,k-1 = 0
            eps[k] = a @ eps[k - 1] + ek * u3 + wk * a @ tilde(w[k - 1]) @ a.T @ u3  # (18)
            gamma[k] = a @ gamma[k - 1]
        to_base = {1: a10, 2: a20, 3: a30}
        foot = paper.L0 * paper.about_z(paper.ALPHA1[name]).T @ u1
        r = dict.fromkeys(to_base, foot + (paper.l1 + q[0]) * a10.T @ u3)  # A1 = A2 = A3
        at_home = dict(zip(to_base, paper.matrices(name), strict=False))
        turned = {k: a.T @ at_home[k] for k, a in to_base.items()}
        F0, M0 = {}, {}
        for k in (1, 2, 3):
            r_C, J = (paper.l3 / 2 * u2, J3) if k == 3 else (np.zeros(3), np.zeros((3, 3)))
            weight = 9.81 * MASS[k] * to_base[k] @ u3  # (19)
            F_in = -MASS[k] * (gamma[k] + (tilde(w[k]) @ tilde(w[k]) + tilde(eps[k])) @ r_C)  # (20)
            M_in = -(MASS[k] * tilde(r_C) @ gamma[k] + J @ eps[k] + tilde(w[k]) @ J @ w[k])
            F0[k], M0[k] = -F_in - weight, -M_in - tilde(r_C) @ weight  # (23)
        F, M = {3: F0[3]}, {3: M0[3]}
        for k, a in ((2, a32), (1, a21)):
            F[k] = F0[k] + a.T @ F[k + 1]  # (22)
            M[k] = M0[k] + a.T @ M[k + 1]
        kept = {"w": w, "v": v, "eps": eps, "gamma": gamma, "F0": F0, "M0": M0, "F": F, "M": M}
        in_base = {key: {k: to_base[k].T @ value for k, value in values.items()} for key, values in kept.items()}
        return in_base | {
            "q": q,
            "r": r,
            "turned": turned,
            "own": kept,
            "columns": columns,
            "rates": (v10, w21, w32),
            "p": p,
        }

    def forces(self, K):
        """f_10 of (21), with the virtual velocities (15) of each actuator."""
        F_P = MASS["p"] * (self.a - 9.81 * u3)
        J = self.R.T @ J_P @ self.R
        M_P = J @ self.wd + np.cross(self.w, J @ self.w)
        found = []
        for k in range(6):
            twist = np.linalg.solve(K, np.eye(6)[k])  # platform velocities of the virtual motion
            v, w = twist[:3], self._turning(twist[3:])
            work = F_P @ v + M_P @ w
            for name in LEGS:
                leg = self.legs[name]
                v10, w21, w32 = np.linalg.solve(leg["columns"], v + np.cross(w, leg["p"]))
                own = leg["own"]
                work += v10 * u3 @ own["F"][1] + w21 * u3 @ own["M"][2] + w32 * u3 @ own["M"][3]
            found.append(work)
        return found

    def _turning(self, rates):
        R1 = paper.rotation([0, 0, 0, self.x[3], 0, 0])
        return rates[0] * u1 + rates[1] * R1.T @ u2 + rates[2] * self.R.T @ u3


@pytest.fixture(scope="module")
def states():
    return motion_near_home(load("hexapod"), COUNT, 11, 0.1)


@pytest.fixture(scope="module")
def written_out(states):
    return [Paper(*row) for row in zip(*states, strict=True)]


def stacked(written_out, key):
    """(N, 18, ...) in base axes, leg by leg."""
    return np.array([[one.legs[leg][key][k] for leg in LEGS for k in (1, 2, 3)] for one in written_out])


@pytest.mark.parametrize(
    ("ours", "theirs"), [("p", "r"), ("R", "turned"), ("v", "v"), ("w", "w"), ("a", "gamma"), ("wd", "eps")]
)
def test_motion_of_every_body(robot, states, written_out, ours, theirs):
    """(2), (7), (11), (12), (18); frames by how they are turned from home, which does not depend on their axes."""
    found = body_motion(robot, State(*states))
    values = getattr(found, ours)
    if ours == "R":
        values = values @ np.swapaxes(body_motion(robot, paper.HOME).R, -1, -2)
    expected = stacked(written_out, theirs)
    assert found.names[1:4] == ("A.P", "A.U1", "A.U2")
    assert values[:, 1:] == pytest.approx(expected, abs=2e-13 * np.abs(expected).max())
    platform = [
        {"p": one.x[:3], "R": one.R.T, "v": one.v, "w": one.w, "a": one.a, "wd": one.wd}[ours] for one in written_out
    ]
    assert values[:, 0] == pytest.approx(np.array(platform), abs=1e-14)
    if ours == "p":
        sliders = np.array([[one.legs[leg]["q"][0] for leg in LEGS] for one in written_out])
        assert inverse_kinematics(robot, states[0]).q == pytest.approx(sliders, abs=1e-14)
    if ours == "w":
        rates = np.array([[one.legs[leg]["rates"] for leg in LEGS] for one in written_out]).reshape(len(values), -1)
        found = inverse_kinematics(robot, State(*states[:2])).joint_qd
        assert found == pytest.approx(rates, abs=2e-13 * np.abs(rates).max())


@pytest.mark.parametrize("key", ["F0", "M0", "F", "M"])
def test_forces_of_every_link(robot, states, written_out, key):
    """(19), (20), (22), (23), in base axes; the frames of thin legs may spin otherwise."""
    R = body_motion(robot, State(*states)).R
    wrenches = link_wrenches(robot, State(*states))
    assert wrenches.robot is robot
    found = getattr(wrenches, key)
    expected = stacked(written_out, key)
    in_base = np.einsum("nkij,nkj->nki", R, found)[:, 1:]
    assert in_base == pytest.approx(expected, abs=2e-13 * np.abs(expected).max())


@pytest.mark.parametrize("recursion", ["full", "auto"])
def test_forces_of_the_actuators(states, written_out, recursion):
    """(21)."""
    own = load("hexapod")
    K = inverse_kinematics(own, states[0]).K
    expected = np.array([one.forces(k) for one, k in zip(written_out, K, strict=True)])
    found = inverse_dynamics(own, State(*states), formulation=VirtualWork(recursion)).force
    assert found == pytest.approx(expected, abs=1e-13 * np.abs(expected).max() * np.linalg.cond(K).max())


def test_virtual_velocities_are_columns_of_the_inverse_jacobian(states, written_out):
    """(15): the actuator moves with unit speed and the others stand."""
    K = inverse_kinematics(load("hexapod"), states[0]).K
    for one, k in zip(written_out, K, strict=True):
        for number in range(6):
            twist = np.linalg.solve(k, np.eye(6)[number])
            v, w = twist[:3], one._turning(twist[3:])
            speeds = [np.linalg.solve(leg["columns"], v + np.cross(w, leg["p"]))[0] for leg in one.legs.values()]
            assert speeds == pytest.approx(np.eye(6)[number], abs=1e-12)
