"""The lecture's companion: misprints without a stated effect, power for those with one, and its count of loops."""

import numpy as np
import pytest

from gough import Motion, State, load
from gough.dynamics import inverse_dynamics
from gough.graph import array, cos, cross, dot, gradient, jvp, record, sin
from gough.kinematics import inverse_kinematics
from gough.kinematics.chain import Turn, chain_twists
from gough.kinematics.leg import build_links
from gough.reports.identity_checks import power_program
from gough.run import Program
from tests.papers.test_kinematics import sru_motion, sru_twist_matrix

TIMES = np.linspace(0.0, 2.0, 21)


def power_lost(tau):
    """Largest failure of phi.qd + w.t = dE/dt along the motion, over the largest power."""
    robot, law = load("sru"), Motion.named(load("sru"), "lecture")
    power = power_program(robot)(**law(TIMES).inputs(robot))
    needed = power["needed"][:, 0]
    return np.abs((tau * power["rates"]).sum(axis=1) - needed).max() / np.abs(needed).max()


@pytest.fixture(scope="module")
def result():
    robot, law = load("sru"), Motion.named(load("sru"), "lecture")
    return inverse_dynamics(robot, law(TIMES), formulation="orthogonal_complement")


def platform_terms():
    """K, the platform's twist [w; v] and its rate, and M_M = diag(I, m 1) in base axes, along the motion."""
    robot = load("sru")
    moments, mass = np.array(robot.platform.body.inertia[:3]), robot.platform.body.mass

    def equations(x, xd, xdd):
        t = array(sru_twist_matrix_of(x)) @ xd
        R = turn(x)
        inertia = R @ np.diag(array(moments)) @ R.T
        return {"t": t, "td": jvp(t, [*x, *xd], [*xd, *xdd]), "I": inertia}

    found = Program(record(equations, x=6, xd=6, xdd=6), "blocks")(
        **Motion.named(robot, "lecture")(TIMES).inputs(robot, "x", "xd", "xdd")
    )
    M = np.zeros((len(TIMES), 6, 6))
    M[:, :3, :3], M[:, 3:, 3:] = found["I"], mass * np.eye(3)
    return found["t"], found["td"], M


def turn(x):
    (cp, sp), (ct, st), (cf, sf) = ((cos(a), sin(a)) for a in x[3:])
    return array(
        [
            [cp * ct, cp * st * sf - sp * cf, cp * st * cf + sp * sf],
            [sp * ct, sp * st * sf + cp * cf, sp * st * cf - cp * sf],
            [-st, ct * sf, ct * cf],
        ]
    )


def sru_twist_matrix_of(x):
    """[omega; cdot] per rates of x y z psi theta phi."""
    (cp, sp), (ct, st) = ((cos(a), sin(a)) for a in x[3:5])
    rows = [[0.0, -sp, ct * cp], [0.0, cp, ct * sp], [1.0, 0.0, -st]]
    return [[0.0, 0.0, 0.0, *row] for row in rows] + [[*unit, 0.0, 0.0, 0.0] for unit in np.eye(3)]


def test_rate_of_the_platforms_twist(result):
    """(*), (**): M t_M is printed where M tdot_M is meant; it loses power."""
    t, td, M = platform_terms()
    x = Motion.named(load("sru"), "lecture")(TIMES).x
    T = np.array([sru_twist_matrix(row) for row in x]) @ np.linalg.inv(inverse_kinematics(load("sru"), x).K)
    change = np.einsum("nji,njk,nk->ni", T, M, t - td)
    assert power_lost(result.force) < 1e-13
    assert power_lost(result.force + change) > 1e-2


def test_gravity_and_lambda_by_power(result):
    """Without gravity, or with Lambda as printed, power is lost."""
    assert power_lost(result.force - result.parts()["gravity"]) > 1e-2
    robot, x = load("sru"), Motion.named(load("sru"), "lecture")(TIMES).x
    K = inverse_kinematics(robot, x).K
    printed = []
    for row, inverse in zip(x, np.linalg.inv(K), strict=True):
        L = np.array([inverse_kinematics(robot, State(row, rate)).joint_qd.reshape(6, 6) for rate in inverse.T])
        printed.append([L[3, leg] for leg in range(6)])  # column 4 of L_J: joint rates of leg J per rate of actuator 4
    literal = np.linalg.solve(np.swapaxes(printed, 1, 2), result.force[..., None])[..., 0]
    assert power_lost(literal) > 1.0


def test_loops_and_mobility():
    """36 joints, 32 links: 36 - 32 + 1 = 5 loops, and 6 x 31 - 5 x 36 = 6 degrees of freedom."""
    robot = load("sru")
    joints = sum(len(leg.joints) for leg in robot.legs)
    links = sum(len(leg.joints) - 1 for leg in robot.legs) + 2
    assert (joints, links) == (36, 32)
    assert joints - links + 1 == 5
    assert 6 * (links - 1) - 5 * joints == len(robot.platform.coordinates) == 6


def serial_leg(theta, theta_d, theta_dd):
    """The first part of the lecture on one leg: dT/dtheta_d, its rate, and the terms it is written as."""
    leg = load("sru").legs[0]
    links, _ = build_links(leg, {j: Turn(cos(a), sin(a)) for j, a in enumerate(theta)})
    units = [chain_twists(leg, links, list(unit)) for unit in np.eye(6)]
    energy, terms, printed = 0.0, 0.0, 0.0
    for b, joint in enumerate(leg.joints[:5]):
        arm = links[b].R @ array(joint.body.com)
        Tv = np.stack([u[b].v + cross(u[b].w, arm) for u in units], axis=1)
        Tw = np.stack([array(u[b].w) for u in units], axis=1)
        m, I = joint.body.mass, links[b].R @ joint.body.tensor @ links[b].R.T
        Tv_d, Tw_d = (jvp(each, theta, theta_d) for each in (Tv, Tw))
        v, w = Tv @ theta_d, Tw @ theta_d
        energy = energy + (dot(v, v) * m + dot(w, I @ w)) * 0.5
        shared = (Tv_d.T @ v) * m + Tw_d.T @ (I @ w) + (Tv.T @ (Tv_d @ theta_d)) * m + Tw.T @ (I @ (Tw_d @ theta_d))
        shared = shared + Tw.T @ cross(w, I @ w)
        terms = terms + shared + (Tv.T @ (Tv @ theta_dd)) * m + Tw.T @ (I @ (Tw @ theta_dd))
        printed = printed + shared + (Tv_d.T @ (Tv @ theta_dd)) * m + Tw_d.T @ (I @ (Tw @ theta_dd))
    momentum = gradient(energy, theta_d)
    rate = jvp(momentum, [*theta, *theta_d], [*theta_d, *theta_dd])
    return {"momentum": momentum, "rate": rate, "by_theta": gradient(energy, theta), "terms": terms, "printed": printed}


def test_first_part():
    """dT/dtheta_d = T^T M t (dT/dtheta is printed), and its rate has T^T M T thdd (Td^T is printed)."""
    x, xd, xdd = sru_motion(0.3)
    found = inverse_kinematics(load("sru"), State(x, xd, xdd))
    own = {"theta": found.joint_q[:6], "theta_d": found.joint_qd[:6], "theta_dd": found.joint_qdd[:6]}
    values = Program(record(serial_leg, theta=6, theta_d=6, theta_dd=6), "blocks")(**own)
    size = np.abs(values["rate"]).max()
    assert values["terms"] == pytest.approx(values["rate"], abs=1e-13 * size)
    assert np.abs(values["printed"] - values["rate"]).max() > 0.1 * size
    assert np.abs(values["by_theta"] - values["momentum"]).max() > 0.1 * np.abs(values["momentum"]).max()
