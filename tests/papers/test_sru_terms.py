"""The lecture's T, L_J, M, N, Lambda against the companion's numbers, and its misprints (companion C.5)."""

from dataclasses import replace

import numpy as np
import pytest

from gough import Motion, State, load
from gough.dynamics import angeles_terms, dynamics_matrices, inverse_dynamics
from gough.dynamics.orthogonal_complement import leg_complement
from gough.graph import array, cos, cross, jvp, record, sin
from gough.kinematics.chain import Turn, chain_twists
from gough.kinematics.leg import build_links
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.run import Program
from tests.support.papers import assert_printed, paper
from tests.support.robots import with_values

SAMPLES = paper("sru")["samples"]
TIMES = np.linspace(0.0, 3.0, 61)
"""Where the companion looked for its peaks."""


def column(key):
    return np.array([sample[key] for sample in SAMPLES])


def motion(times):
    law = replace(Motion.named(load("sru"), "lecture"), end=3.0)
    return *law.law(np.array(times)), law.wrench(times)


@pytest.fixture(scope="module")
def terms():
    x, xd, _, _ = motion(column("t"))
    return angeles_terms(load("sru"), State(x, xd))


def test_T(terms):
    """The lecture's twist is [w; v]."""
    assert_printed(terms.T[:, [3, 4, 5, 0, 1, 2]], column("T"))


def test_L(terms):
    assert_printed(np.stack(list(terms.L.values()), axis=1), column("L"))


def test_M_and_N(terms):
    """N is not unique: the companion's is the lecture's, and so is ours."""
    assert_printed(terms.M, column("M"))
    assert_printed(terms.N, column("N"), zero=1e-11)


def test_gravity_and_lambda(terms):
    assert_printed(terms.tau_G, column("tauG"))
    assert np.abs(terms.Lambda - np.eye(6)).max() < 1e-14


def test_the_model(terms):
    """M qdd + N qd = tau_W + tau_G + Lambda phi."""
    left = np.einsum("nij,nj->ni", terms.M, column("qdd")) + np.einsum("nij,nj->ni", terms.N, column("qd"))
    right = column("tauW") + terms.tau_G + np.einsum("nij,nj->ni", terms.Lambda, column("phi"))
    assert left == pytest.approx(right, abs=2e-10)  # sums of products of 12-digit numbers


def test_matrices_are_those_of_the_contract(terms):
    x, xd, _, _ = motion(column("t"))
    found = dynamics_matrices(load("sru"), State(x, xd), formulation="orthogonal_complement", coordinates="actuator")
    for name, mine in (("M", terms.M), ("C", terms.N), ("G", -terms.tau_G)):
        assert getattr(found, name) == pytest.approx(mine, abs=1e-13)
    assert found.names == found.robot.actuator_names


def leg_terms(times):
    """Along the motion: L_J, Ld_J, I_J, C_J of all legs, stacked (N, 6, 6, 6), by the lecture's formulas."""
    robot = load("sru")
    ways = ways_of(robot)
    x, xd, _, _ = motion(times)

    def complements(x, xd):
        L = np.stack([leg_complement(robot_pose(robot, ways, x), k) for k in range(6)])
        return {"L": L, "Ld": jvp(L, x, xd)}

    def inertias(theta, theta_d):
        I, C = [], []
        for k, leg in enumerate(robot.legs):
            links, _ = build_links(leg, {j: Turn(cos(a), sin(a)) for j, a in enumerate(theta[6 * k : 6 * k + 6])})
            units = [chain_twists(leg, links, list(unit)) for unit in np.eye(6)]
            total_I, total_C = 0.0, 0.0
            for b, joint in enumerate(leg.joints):
                if not joint.body.mass:
                    continue
                R, arm = links[b].R, links[b].R @ array(joint.body.com)
                V = np.stack([u[b].v + cross(u[b].w, arm) for u in units], axis=1)
                W = np.stack([array(u[b].w) for u in units], axis=1)
                own = slice(6 * k, 6 * k + 6)
                Vd, Wd = (jvp(m, theta[own], theta_d[own]) for m in (V, W))
                inertia = R @ joint.body.tensor @ R.T
                w = W @ theta_d[own]
                turned = np.stack([cross(w, (inertia @ W)[:, c]) for c in range(6)], axis=1)
                total_I = total_I + V.T @ V * joint.body.mass + W.T @ inertia @ W
                total_C = total_C + V.T @ Vd * joint.body.mass + W.T @ (inertia @ Wd + turned)
            I.append(total_I)
            C.append(total_C)
        return {"I": np.stack(I), "C": np.stack(C)}

    first = Program(record(complements, x=6, xd=6), "blocks")(x=x, xd=xd)
    from gough.kinematics import inverse_kinematics

    joints = inverse_kinematics(robot, State(x, xd))
    second = Program(record(inertias, theta=36, theta_d=36), "blocks")(theta=joints.joint_q, theta_d=joints.joint_qd)
    return first | second


def test_terms_of_the_legs(terms):
    """I_J and C_J by the joints' own angles and derivatives; J_J L_J = T; Y T = Z."""
    expected = leg_terms(column("t"))
    for key in ("I", "C"):
        found = np.stack(list(getattr(terms, key).values()), axis=1)
        assert found == pytest.approx(expected[key], abs=1e-13 * np.abs(expected[key]).max())
    for J, L in zip(terms.J.values(), terms.L.values(), strict=True):
        assert pytest.approx(terms.T, abs=1e-13) == J @ L
    assert pytest.approx(terms.Z, abs=1e-14) == terms.Y @ terms.T
    assert np.einsum("nkk->nk", terms.Z) == pytest.approx(terms.zeta, abs=0)
    assert np.array_equal(terms.Y[..., :3], terms.u)


@pytest.fixture(scope="module")
def peaks():
    """Along the companion's times: the legs' terms, qd, and the right forces."""
    x, xd, xdd, wrench = motion(TIMES)
    result = inverse_dynamics(load("sru"), State(x, xd, xdd, wrench=wrench), formulation="orthogonal_complement")
    return leg_terms(TIMES), result


def turned(matrices):
    return np.swapaxes(matrices, -1, -2)


def applied(matrices, values):
    return np.einsum("nkij,nj->ni", matrices, values)


def test_leg_terms_add_up_to_N(peaks):
    """N = T^T (M Td + W M T) of the platform + sum L^T (I Ld + C L): the legs' part, and its skewness with M's rate."""
    legs, _ = peaks
    L, Ld, I, C = (legs[name] for name in ("L", "Ld", "I", "C"))
    robot = load("sru")
    bare = with_values(
        robot, platform=replace(robot.platform, body=replace(robot.platform.body, mass=0.0, inertia=(0.0,) * 6))
    )
    x, xd, _, _ = motion(TIMES)
    alone = angeles_terms(with_values(bare), State(x, xd))
    assert (turned(L) @ I @ L).sum(axis=1) == pytest.approx(alone.M, abs=1e-12)
    assert (turned(L) @ (I @ Ld + C @ L)).sum(axis=1) == pytest.approx(alone.N, abs=1e-11)


def test_sign_of_C(peaks):
    """- C_J theta_d is printed after (***): forces would be off by up to 0.99 N m."""
    legs, result = peaks
    change = applied(2.0 * turned(legs["L"]) @ legs["C"] @ legs["L"], result.qd)
    assert_printed(np.abs(change).max(), 0.99, digits=2)


def test_transpose_in_N(peaks):
    """L_J (I Ld + C L) is printed: off by up to 1.41 N m."""
    legs, result = peaks
    inner = legs["I"] @ legs["Ld"] + legs["C"] @ legs["L"]
    change = applied((legs["L"] - turned(legs["L"])) @ inner, result.qd)
    assert_printed(np.abs(change).max(), 1.41, digits=3)


def test_transpose_in_lambda(peaks):
    """Lambda = [L_J e_J4] is printed: off by up to 106 N m; with the transpose it is the identity."""
    legs, result = peaks
    right = turned(legs["L"])[..., 3]
    assert np.abs(np.swapaxes(right, 1, 2) - np.eye(6)).max() < 1e-13
    printed = np.swapaxes(legs["L"][..., 3], 1, 2)
    literal = np.linalg.solve(printed, result.force[..., None])[..., 0]
    assert_printed(np.abs(literal - result.force).max(), 106.0, digits=3)


def test_gravity_is_missing(peaks):
    """The lecture leaves gravity out: up to 12.8 N m."""
    _, result = peaks
    assert_printed(np.abs(result.parts()["gravity"]).max(), 12.8, digits=3)


@pytest.mark.parametrize("reading", ["right", "sign of C", "transpose in N"])
def test_which_reading_balances_power(peaks, reading):
    """phi.qd + w.t = dE/dt holds for the reading chosen only."""
    from gough.reports.identity_checks import power_program

    legs, result = peaks
    L, C, qd = legs["L"], legs["C"], result.qd
    change = {
        "right": 0.0 * qd,
        "sign of C": applied(2.0 * turned(L) @ C @ L, qd),
        "transpose in N": applied((L - turned(L)) @ (legs["I"] @ legs["Ld"] + C @ L), qd),
    }[reading]
    x, xd, xdd, wrench = motion(TIMES)
    needed = power_program(load("sru"))(x=x, xd=xd, xdd=xdd, wrench=wrench)["needed"][:, 0]
    lost = np.abs(((result.force + change) * qd).sum(axis=1) - needed).max() / np.abs(needed).max()
    assert lost < 1e-13 if reading == "right" else lost > 1e-3
