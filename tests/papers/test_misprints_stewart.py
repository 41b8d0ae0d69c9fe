"""Lopes2009: which reading of each misprinted equation balances power, and what the printed one would do.

On the paper's machine, where the effects are the companion's to its digits, and on one of our own without the
coincidences that hide errors: m_C b_C = m_S b_S, sum p_i = 0, P_1 = P_2, I_zz = I_xx + I_yy of the platform.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from gough import State, load
from gough.dynamics import dynamics_matrices, inverse_dynamics, lopes_matrices
from gough.dynamics.lopes import J_B, J_G, T, lopes_parameters
from gough.graph import jvp, record
from gough.run import Program
from tests.support.papers import assert_printed
from tests.support.readings import power_failure, samples, with_bodies
from tests.support.robots import with_values

BALANCED = 1e-13


def general():
    """The paper's machine with its coincidences removed."""
    changes = {
        "cylinder": lambda b: replace(b, mass=0.5, com=(0.45, 0.0, 0.0)),
        "piston": lambda b: replace(b, mass=0.3),
        "platform": lambda b: replace(b, inertia=(0.2, 0.25, 0.6, 0.0, 0.0, 0.0)),
    }
    robot = with_bodies(load("stewart"), **changes)
    legs = [
        replace(
            leg, end=replace(leg.end, platform_point=tuple(np.array(leg.end.platform_point) + [0.05, 0.02 * k, 0.0]))
        )
        for k, leg in enumerate(robot.legs)
    ]
    return with_values(robot, legs=tuple(legs))


MACHINES = {"paper": cache(lambda: load("stewart")), "general": cache(general)}
both = pytest.mark.parametrize("machine", MACHINES)


def solved(matrix, f):
    return np.linalg.solve(matrix, f[..., None])[..., 0]


def turned(matrix):
    return np.swapaxes(matrix, -1, -2)


def parts(robot):
    """Lopes' matrices along the paper's motion, the kinetic force in base axes, and the right forces."""
    x, xd, xdd = samples(robot, "trig3")
    lopes = lopes_matrices(robot, State(x, xd))
    inertia, velocity = lopes.I_P + sum(lopes.I.values()), lopes.V_P + sum(lopes.V.values())
    kinetic = np.einsum("nij,nj->ni", inertia, xdd) + np.einsum("nij,nj->ni", velocity, xd)
    return lopes, kinetic, lopes.force(xd, xdd)


def assert_decided(machine, literal, right, effect, digits):
    """The right forces balance power, the literal ones lose it; on the paper's machine they differ as printed."""
    robot = MACHINES[machine]()
    off = np.abs(literal - right).max()
    assert power_failure(robot, "trig3", right) < BALANCED
    assert power_failure(robot, "trig3", literal) > 1e-3
    if machine == "paper":
        assert_printed(off, effect, digits=digits)
    else:
        assert off > 1e-2 * np.abs(right).max()


def test_the_general_machine_has_no_coincidence():
    machine = lopes_parameters(general())
    points = np.array(machine.p)
    assert machine.m_C * machine.b_C != machine.m_S * machine.b_S
    assert np.abs(points.sum(axis=0)).max() > 0.1
    assert min(np.linalg.norm(points[a] - points[b]) for a in range(6) for b in range(a)) > 0.01
    assert abs(machine.I_P[2] - machine.I_P[0] - machine.I_P[1]) > 0.1


@both
def test_lopes_matrices_are_the_model(machine):
    """His forces are ours; T^T times his matrices is the contract's M and C; his own are not symmetric."""
    robot = MACHINES[machine]()
    x, xd, xdd = samples(robot, "trig3-fast")
    lopes = lopes_matrices(robot, State(x, xd))
    tau = lopes.force(xd, xdd)
    assert tau == pytest.approx(inverse_dynamics(robot, State(x, xd, xdd), formulation="newton_euler").force, abs=1e-12)
    found = dynamics_matrices(robot, State(x, xd), formulation="generalized_momentum")
    I, V = lopes.I_P + sum(lopes.I.values()), lopes.V_P + sum(lopes.V.values())
    assert turned(lopes.T) @ I == pytest.approx(found.M, abs=1e-14)
    assert turned(lopes.T) @ V == pytest.approx(found.C, abs=1e-14)
    assert np.abs(I - turned(I)).max() > 0.1
    assert power_failure(robot, "trig3-fast", tau) < BALANCED


@both
def test_equation_25(machine):
    """J_C^-1 is printed: J_C^-T balances power, as in the final formula."""
    lopes, kinetic, right = parts(MACHINES[machine]())
    literal = solved(lopes.J_C, kinetic + sum(lopes.f_gra_B.values()))
    assert_decided(machine, literal, right, 37.5, digits=3)


def test_equation_83_transposed_is_invisible_on_the_papers_machine():
    """T^-1 f_gra is printed, T^-T meant: the weight has no moment there (9e-16 N), only its split by body changes."""
    lopes, kinetic, right = parts(load("stewart"))
    literal = solved(turned(lopes.J_C), kinetic + solved(lopes.T, sum(lopes.f_gra.values())))
    assert np.abs(literal - right).max() < 2e-15 * np.abs(right).max()
    for body, f_gra in lopes.f_gra.items():
        change = np.abs(solved(turned(lopes.J_C), solved(lopes.T, f_gra) - lopes.f_gra_B[body])).max()
        assert change < 1e-14 if body == "platform" else change > 0.02


def test_equation_83_transposed_shows_on_another():
    robot = general()
    lopes, kinetic, right = parts(robot)
    literal = solved(turned(lopes.J_C), kinetic + solved(lopes.T, sum(lopes.f_gra.values())))
    assert power_failure(robot, "trig3", right) < BALANCED
    assert power_failure(robot, "trig3", literal) > 1e-3
    assert np.abs(literal - right).max() > 1e-2


@both
def test_equation_83_twice(machine):
    """The pistons are printed twice and the cylinders left out."""
    lopes, kinetic, right = parts(MACHINES[machine]())
    gravity = lopes.f_gra_B
    literal = solved(turned(lopes.J_C), kinetic + gravity["platform"] + 2.0 * gravity["pistons"])
    assert_decided(machine, literal, right, 5.7, digits=2)


@both
def test_equation_65(machine):
    """J_B is printed where the piston's own J_G is meant."""
    robot = MACHINES[machine]()
    given = lopes_parameters(robot)

    def pistons(x, xd, xdd):
        right, printed = 0.0, 0.0
        for i in range(6):
            G, B, t = J_G(given, x, i), J_B(given, x, i), T(x)
            right = right + G.T @ ((jvp(G @ t, x, xd) @ xd + (G @ t) @ xdd) * given.m_S)
            printed = printed + G.T @ ((jvp(B @ t, x, xd) @ xd + (B @ t) @ xdd) * given.m_S)
        return {"right": right, "printed": printed}

    x, xd, xdd = samples(robot, "trig3")
    found = Program(record(pistons, x=6, xd=6, xdd=6))(x=x, xd=xd, xdd=xdd)
    lopes, _, right = parts(robot)
    own = np.einsum("nij,nj->ni", lopes.I["S_tra"], xdd) + np.einsum("nij,nj->ni", lopes.V["S_tra"], xd)
    assert found["right"] == pytest.approx(own, abs=1e-13)
    literal = right + solved(turned(lopes.J_C), found["printed"] - found["right"])
    assert_decided(machine, literal, right, 0.88, digits=2)
