"""Lopes2009: misprints of which the companion gives no effect: what is printed does not fit, or loses power."""

import numpy as np
import pytest

from gough import State
from gough.dynamics.lopes import J_D, J_G, R_C, T, leg_vector, lopes_parameters, tilde
from gough.graph import array, jvp, record, sqrt
from gough.kinematics import body_motion
from gough.run import Program
from tests.papers.test_misprints_stewart import BALANCED, MACHINES, both, parts, solved, turned
from tests.support.readings import power_failure, samples

LOST = 1e-3


def as_printed_51(machine, x, i):
    """The cylinder's frame with the numerators 1, 1 of the print."""
    l, _ = leg_vector(machine, x, i)
    along, per = R_C(machine, x, i)[:, 0], 1.0 / sqrt(l[0] * l[0] + l[1] * l[1])
    y = array([-per, per, 0.0])
    return np.stack([along, y, tilde(along) @ y], axis=1)


def turning(robot, frame=R_C, last="xdd"):
    """Force on the platform of all turning leg bodies, (56) and (74), with a frame of the leg and a last factor."""
    machine = lopes_parameters(robot)

    def equations(x, xd, xdd):
        total = 0.0
        for i in range(6):
            R, D, t = frame(machine, x, i), J_D(machine, x, i), T(x)
            inertia = R @ np.diag(array(machine.I_C + machine.I_S)) @ R.T
            momentum = inertia @ D @ t
            total = total + D.T @ (jvp(momentum, x, xd) @ xd + momentum @ (xdd if last == "xdd" else xd))
        return total

    x, xd, xdd = samples(robot, "trig3")
    return Program(record(equations, x=6, xd=6, xdd=6))(x=x, xd=xd, xdd=xdd)


@both
@pytest.mark.parametrize("printed", [{"frame": as_printed_51}, {"last": "xd"}], ids=["(51)", "(56)"])
def test_equations_51_and_56(machine, printed):
    """y_C = [-l_y, l_x, 0] / sqrt(...), not [-1, 1, 0]; the last line of (56) has xdd, not xd."""
    robot = MACHINES[machine]()
    lopes, _, right = parts(robot)
    _, xd, xdd = samples(robot, "trig3")
    own = sum(
        np.einsum("nij,nj->ni", lopes.I[name], xdd) + np.einsum("nij,nj->ni", lopes.V[name], xd)
        for name in ("C_rot", "S_rot")
    )
    assert turning(robot) == pytest.approx(own, abs=1e-13)
    literal = right + solved(turned(lopes.J_C), turning(robot, **printed) - own)
    assert power_failure(robot, "trig3", right) < BALANCED
    assert power_failure(robot, "trig3", literal) > LOST


@both
def test_equation_51_is_a_rotation(machine):
    given = lopes_parameters(MACHINES[machine]())
    x = samples(MACHINES[machine](), "trig3", 5)[0][2]
    for i in range(6):
        R, printed = (np.array(frame(given, x, i), float) for frame in (R_C, as_printed_51))
        assert np.abs(R.T @ R - np.eye(3)).max() < 1e-15
        assert np.abs(printed.T @ printed - np.eye(3)).max() > 0.1


def applied(matrix, vector):
    return np.einsum("nij,nj->ni", matrix, vector)


@both
def test_equations_27_and_28(machine):
    """One line is printed for both: d/dt(I_P T). Taken for (27) too, it loses power.

    I_P xd is the platform's momentum, I_P xdd + V_P xd its rate.
    """
    robot = MACHINES[machine]()
    lopes, _, right = parts(robot)
    x, xd, xdd = samples(robot, "trig3")
    moves, body = body_motion(robot, State(x, xd, xdd)), robot.platform.body
    R, w = moves.R[:, 0], moves.w[:, 0]
    inertia = R @ np.diag(body.inertia[:3]) @ turned(R)
    spin = applied(inertia, w)
    momentum = np.concatenate([body.mass * moves.v[:, 0], spin], axis=1)
    rate = np.concatenate([body.mass * moves.a[:, 0], applied(inertia, moves.wd[:, 0]) + np.cross(w, spin)], axis=1)
    assert applied(lopes.I_P, xd) == pytest.approx(momentum, abs=1e-15)
    assert applied(lopes.I_P, xdd) + applied(lopes.V_P, xd) == pytest.approx(rate, abs=1e-14)
    literal = right + solved(turned(lopes.J_C), applied(lopes.V_P - lopes.I_P, xdd))
    assert power_failure(robot, "trig3", literal) > LOST


def test_equations_67_and_76_do_not_fit():
    """m_S J_G^T I takes no xdd, and J_D no d/dt(I J_D T): their shapes need J_G T, and J_D^T."""
    robot = MACHINES["paper"]()
    machine, x = lopes_parameters(robot), np.array(robot.platform.home)
    G, D = np.array(J_G(machine, x, 0), float), np.array(J_D(machine, x, 0), float)
    with pytest.raises(ValueError, match="mismatch"):
        (machine.m_S * G.T @ np.eye(3)) @ np.ones(6)
    with pytest.raises(ValueError, match="mismatch"):
        D @ (D @ np.array(T(x), float))
    assert (machine.m_S * G.T @ G @ np.array(T(x), float) @ np.ones(6)).shape == (6,)
    assert (D.T @ (D @ np.array(T(x), float))).shape == (6, 6)
