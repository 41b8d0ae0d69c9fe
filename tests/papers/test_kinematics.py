"""Papers lane: displacements, velocities, accelerations and joint angles of the four companions.

The tables print twelve significant digits, so values agree to 5e-12 of each; `DIGITS` leaves twice that, and 1e-12 for
printed zeros.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from gough import State, load
from gough.kinematics import inverse_kinematics
from gough.kinematics.pose import platform_pose

PAPERS = Path(__file__).parents[1] / "data" / "papers"
DIGITS = {"rtol": 1e-11, "atol": 1e-12}
LEGS = "ABCDEF"


def reference(name):
    return json.loads((PAPERS / f"{name}.json").read_text("utf-8"))


def trig3(t, period):
    """The law of the Stewart companion, A.2: P1 -> P2 -> P1."""
    w = 2 * np.pi / period
    travel = np.array([-0.1, -0.2, 0.5, *np.radians([15, -15, 15])])
    s = 0.5 - 9 / 16 * np.cos(w * t) + 1 / 16 * np.cos(3 * w * t)
    sd = 9 / 16 * w * np.sin(w * t) - 3 / 16 * w * np.sin(3 * w * t)
    sdd = 9 / 16 * w * w * np.cos(w * t) - 9 / 16 * w * w * np.cos(3 * w * t)
    return np.array([0, 0, 2.0, 0, 0, 0]) + s * travel, sd * travel, sdd * travel


def rate_matrix(x):
    """J_A of the companions' z-y'-x'' angles: omega = J_A (psid, thetad, phid)."""
    psi, theta = x[3], x[4]
    c, s = np.cos, np.sin
    return np.array(
        [
            [0, -s(psi), c(theta) * c(psi)],
            [0, c(psi), c(theta) * s(psi)],
            [1, 0, -s(theta)],
        ]
    )


@pytest.mark.parametrize("law", ["trig3", "trig3-fast"])
def test_stewart(law):
    robot = load("stewart")
    case = reference("stewart")[law]
    for sample in case["samples"]:
        x, xd, xdd = trig3(sample["t"], case["T"])
        np.testing.assert_allclose(x, sample["x"], **DIGITS)
        found = inverse_kinematics(robot, State(x, xd, xdd))
        np.testing.assert_allclose(found.q, sample["l"], **DIGITS)
        np.testing.assert_allclose(found.qd, sample["ld"], **DIGITS)
        np.testing.assert_allclose(found.K @ xd, sample["ld"], **DIGITS)
        np.testing.assert_allclose(found.qdd, sample["ldd"], **DIGITS)
        np.testing.assert_allclose(rate_matrix(x) @ xd[3:], sample["omega"], **DIGITS)
        rate = platform_pose(robot.platform, x).twist_rate(xd, xdd)
        np.testing.assert_allclose(rate[1], sample["alpha"], **DIGITS)
        J_C = found.K @ np.linalg.inv(np.block([[np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), rate_matrix(x)]]))
        assert np.linalg.cond(J_C) == pytest.approx(sample["cond_JC"], rel=1e-11)
        assert found.residual.max() < 1e-14


def test_stewart_leg_lengths():
    robot = load("stewart")
    lengths = [3.09743793277, 2.95380071206, 2.73538771766, 2.41626213389, 2.68268997312, 2.64853025997]
    np.testing.assert_allclose(inverse_kinematics(robot, trig3(2.0, 4.0)[0]).q, lengths, **DIGITS)
    np.testing.assert_allclose(inverse_kinematics(robot, trig3(0.0, 4.0)[0]).q, 2.28506230601, **DIGITS)


def test_stewart_extremes():
    robot = load("stewart")
    expected = reference("stewart")["trig3"]["extremes"]["extremes_4001_points"]
    x = np.array([trig3(t, 4.0)[0] for t in np.linspace(0, 4, 4001)])
    found = inverse_kinematics(robot, x).q
    np.testing.assert_allclose(found.min(axis=0), expected["l_min"], **DIGITS)
    np.testing.assert_allclose(found.max(axis=0), expected["l_max"], **DIGITS)


HEXAPOD_TRAVEL = {"vertical": (2, -0.15), "horizontal": (0, 0.10), "rotation": (5, np.pi / 12)}


def hexapod_motion(t, kind):
    """q(t) = q(0) + c (1 - cos(pi t / 3)) in one coordinate; it reaches twice the starred amplitude c at t = 3 s."""
    w = np.pi / 3
    place, c = HEXAPOD_TRAVEL[kind]
    x, xd, xdd = np.zeros((3, 6))
    x[2] = 0.6063787467118873
    x[place] += c * (1 - np.cos(w * t))
    xd[place] = c * w * np.sin(w * t)
    xdd[place] = c * w * w * np.cos(w * t)
    return x, xd, xdd


@pytest.mark.parametrize("kind", sorted(HEXAPOD_TRAVEL))
def test_hexapod(kind):
    robot = load("hexapod")
    for sample in reference("hexapod")["motions"][kind]["samples"]:
        found = inverse_kinematics(robot, State(*hexapod_motion(sample["t"], kind)))
        np.testing.assert_allclose(found.q, sample["displacement"], **DIGITS)
        np.testing.assert_allclose(found.qd, sample["velocity"], **DIGITS)
        np.testing.assert_allclose(found.qdd, sample["acceleration"], **DIGITS)
        assert found.residual.max() < 1e-14


def test_hexapod_geometry():
    robot = load("hexapod")
    geometry = reference("hexapod")
    assert robot.platform.home[2] == pytest.approx(geometry["geometry"]["h"], rel=1e-11)
    for leg in robot.legs:
        joints = geometry["joints"][leg.name]
        np.testing.assert_allclose(leg.end.platform_point, joints["platform_body"], rtol=0, atol=1e-12)
        np.testing.assert_allclose(leg.position, joints["slider_home"], rtol=0, atol=1e-12)
        e = np.array(leg.rotation) @ np.array(leg.joints[0].axis)
        np.testing.assert_allclose(e, joints["guide_dir"], rtol=0, atol=1e-12)


def test_hexapod_horizontal_motion_is_delicate():
    """cond(J) grows from 2.8 to 21, det J stays within 1.59 and 12.6, n.e of B and E falls to 0.145; strokes hold."""
    robot = load("hexapod")
    x = np.array([hexapod_motion(t, "horizontal")[0] for t in np.linspace(0, 3, 601)])
    found = inverse_kinematics(robot, x)
    assert found.condition[0] == pytest.approx(2.8, abs=0.05)
    assert found.condition.max() == pytest.approx(21, abs=0.5)
    assert (np.diff(found.condition) > 0).all()
    determinant = np.abs(np.linalg.det(found.K))
    assert determinant.min() == pytest.approx(1.59, abs=0.01)
    assert determinant.max() == pytest.approx(12.6, abs=0.05)
    assert (np.sign(np.linalg.det(found.K)) == np.sign(np.linalg.det(found.K[0]))).all()
    # a column of K is n_x / n.e, with n_x from the leg's own ends
    leg = robot.legs[1]
    e = np.array(leg.rotation) @ np.array(leg.joints[0].axis)
    for k, along in ((0, 0.620), (-1, 0.145)):
        n = (x[k, :3] + np.array(leg.end.platform_point) - np.array(leg.position) - found.q[k, 1] * e) / 0.5
        assert n @ e == pytest.approx(along, abs=5e-4)
        np.testing.assert_allclose(found.K[k, 1, :3], n / (n @ e), rtol=1e-12, atol=1e-16)
    assert np.abs(found.q).max() == pytest.approx(0.310403110053, rel=1e-11)
    assert np.abs(found.q).max() < 0.34753677920374143


@pytest.mark.parametrize("kind", sorted(HEXAPOD_TRAVEL))
def test_hexapod_legs_that_move_alike(kind):
    """Horizontal: A = F, B = E, C = D; rotation: A = C = E, B = D = F; vertical: all."""
    groups = {"vertical": ["ABCDEF"], "horizontal": ["AF", "BE", "CD"], "rotation": ["ACE", "BDF"]}[kind]
    robot = load("hexapod")
    for t in np.linspace(0, 3, 7):
        q = inverse_kinematics(robot, hexapod_motion(t, kind)[0]).q
        for group in groups:
            own = q[[LEGS.index(name) for name in group]]
            assert np.ptp(own) < 1e-15


def spatial3_motion(t):
    """The companion's trajectory; the motion does not start from rest."""
    w = 4 * np.pi
    x = [-(t**4) + 1.3 * t**3 - 0.3 * t**2, 0.4 * t**4 - 0.2 * t**3 - 0.2 * t**2, 0.4 * np.sin(w * t)]
    xd = [-4 * t**3 + 3.9 * t**2 - 0.6 * t, 1.6 * t**3 - 0.6 * t**2 - 0.4 * t, 0.4 * w * np.cos(w * t)]
    xdd = [-12 * t**2 + 7.8 * t - 0.6, 4.8 * t**2 - 1.2 * t - 0.4, -0.4 * w * w * np.sin(w * t)]
    return np.array(x), np.array(xd), np.array(xdd)


def test_spatial3():
    robot = load("spatial3")
    for sample in reference("spatial3")["table"]:
        x, xd, xdd = spatial3_motion(sample["t"])
        found = inverse_kinematics(robot, State(x, xd, xdd))
        np.testing.assert_allclose(found.q, sample["lam"], **DIGITS)
        np.testing.assert_allclose(found.qd, sample["dlam"], **DIGITS)
        np.testing.assert_allclose(found.qdd, sample["ddlam"], **DIGITS)
        assert np.linalg.det(found.K) == pytest.approx(sample["det_dlam_dq"], rel=1e-11)
        assert found.residual.max() < 1e-14


def test_spatial3_jacobian_and_every_angle():
    """Closed forms of the companion; phi21 and phi32 count from home, where the legs lean by alpha."""
    robot = load("spatial3")
    r, R, L = 0.1, 0.25, 0.4
    alpha = np.arcsin((R - r) / L)
    for t in np.linspace(0, 1, 21):
        x, xd, xdd = spatial3_motion(t)
        y, _, theta = x
        found = inverse_kinematics(robot, State(x, xd, xdd))
        wA, wB = np.sqrt(L**2 - (R - r + y) ** 2), np.sqrt(L**2 - (R - r - y) ** 2)
        wC = np.sqrt(L**2 - y**2 - (R - r * np.cos(theta)) ** 2)
        turn = r * np.cos(theta) - (R - r * np.cos(theta)) * r * np.sin(theta) / wC
        K = [[-(R - r + y) / wA, 1, 0], [(R - r - y) / wB, 1, 0], [-y / wC, 1, turn]]
        np.testing.assert_allclose(found.K, K, rtol=0, atol=1e-13)
        angles = dict(zip(found.joints, found.joint_q, strict=True))
        beta = np.arcsin(y / L)
        psi = np.arcsin((R - r * np.cos(theta)) / (L * np.cos(beta)))
        lean_A, lean_B = np.arcsin((R - r + y) / L) - alpha, np.arcsin((R - r - y) / L) - alpha
        expected = {
            "A.R2": lean_A,
            "A.U1": -lean_A,
            "A.U2": theta,
            "B.R2": -lean_B,
            "B.U1": lean_B,
            "B.U2": theta,
            "C.R2": -(psi - alpha),
            "C.Pa1": beta,
            "C.Pa2": -beta,
            "C.Pa3": beta,
            "C.R3": theta + psi - alpha,
        }
        for name, value in expected.items():
            assert angles[name] == pytest.approx(value, abs=2e-15 + 1e-13 * abs(value)), name


def test_spatial3_peaks():
    """Peak slider speeds 0.8832, 0.3180, 1.1027 m/s and accelerations 4.032, 1.380, 9.430 m/s^2, of 401 samples."""
    robot = load("spatial3")
    motion = [np.array(rows) for rows in zip(*(spatial3_motion(t) for t in np.linspace(0, 1, 401)), strict=True)]
    found = inverse_kinematics(robot, State(*motion))
    np.testing.assert_allclose(np.abs(found.qd).max(axis=0), [0.8832, 0.3180, 1.1027], atol=5e-5)
    np.testing.assert_allclose(np.abs(found.qdd).max(axis=0), [4.032, 1.380, 9.430], atol=5e-4)


def sru_motion(t):
    """y = v0 + A sin(w t + p) of the lecture's companion."""
    v0, A = np.array([0, 0, 0.62, 0, 0, 0]), np.array([0.03, 0.025, 0.03, 0.15, 0.12, 0.10])
    w, p = np.array([6, 7, 8, 5, 6, 7]), np.array([0, 0.5, np.pi / 2, 0, 1, np.pi / 2])
    return v0 + A * np.sin(w * t + p), A * w * np.cos(w * t + p), -A * w * w * np.sin(w * t + p)


def sru_twist_matrix(x):
    """(6, 6) twist [omega; cdot] of the lecture per rates of x y z psi theta phi."""
    return np.block([[np.zeros((3, 3)), rate_matrix(x)], [np.eye(3), np.zeros((3, 3))]])


def test_sru():
    robot = load("sru")
    for sample in reference("sru")["samples"]:
        x, xd, xdd = sru_motion(sample["t"])
        found = inverse_kinematics(robot, State(x, xd, xdd))
        np.testing.assert_allclose(found.joint_q.reshape(6, 6), sample["theta"], **DIGITS)
        np.testing.assert_allclose(found.joint_qd.reshape(6, 6), sample["theta_d"], **DIGITS)
        np.testing.assert_allclose(found.joint_qdd.reshape(6, 6), sample["theta_dd"], rtol=1e-11, atol=1e-11)
        np.testing.assert_allclose(found.q, sample["q"], **DIGITS)
        np.testing.assert_allclose(found.qd, sample["qd"], **DIGITS)
        np.testing.assert_allclose(found.qdd, sample["qdd"], rtol=1e-11, atol=1e-11)
        S = sru_twist_matrix(x)
        np.testing.assert_allclose(S @ xd, sample["twist"], **DIGITS)
        rate = platform_pose(robot.platform, x).twist_rate(xd, xdd)
        np.testing.assert_allclose(np.concatenate(rate[::-1]), sample["twist_dot"], **DIGITS)
        T = S @ np.linalg.inv(found.K)
        np.testing.assert_allclose(T, sample["T"], rtol=1e-11, atol=1e-11)
        assert np.linalg.cond(T) == pytest.approx(sample["cond_T"], rel=1e-10)
        for k, rate in enumerate(np.linalg.inv(found.K).T):
            column = inverse_kinematics(robot, State(x, rate)).joint_qd.reshape(6, 6)
            np.testing.assert_allclose(column, np.array(sample["L"])[:, :, k], rtol=1e-11, atol=1e-11)
        assert found.residual.max() < 1e-14


def test_sru_condition_on_the_motion():
    robot = load("sru")
    found = [sru_motion(t)[0] for t in np.linspace(0, 2 * np.pi, 401)]
    K = inverse_kinematics(robot, np.array(found)).K
    cond = [np.linalg.cond(sru_twist_matrix(x) @ np.linalg.inv(k)) for x, k in zip(found, K, strict=True)]
    assert min(cond) == pytest.approx(7.5, abs=0.05)
    assert max(cond) == pytest.approx(8.4, abs=0.05)
