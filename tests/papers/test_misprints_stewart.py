"""Lopes2009: which reading of each misprinted equation balances power, and what the printed one would do.

On the paper's machine, and on one without its coincidences, which hide errors: m_C b_C = m_S b_S, sum p_i = 0,
I_zz = I_xx + I_yy of the platform.
"""

from dataclasses import replace

import numpy as np
import pytest

from gough.dynamics import dynamics_matrices, inverse_dynamics, lopes_matrices
from gough.dynamics.lopes import J_B, J_G, T, machine_of
from gough.graph import jvp, record
from gough.robot import load
from gough.run import Program
from tests.support.papers import assert_printed
from tests.support.readings import power_failure, samples, with_bodies

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
    return replace(robot, legs=tuple(legs))


def solved(matrix, f):
    return np.linalg.solve(matrix, f[..., None])[..., 0]


def turned(matrix):
    return np.swapaxes(matrix, -1, -2)


def parts(robot):
    """Lopes' matrices along the paper's motion, the kinetic force in base axes, and the right forces."""
    x, xd, xdd = samples(robot, "trig3")
    lopes = lopes_matrices(robot, x, xd)
    inertia, velocity = lopes.I_P + sum(lopes.I.values()), lopes.V_P + sum(lopes.V.values())
    kinetic = np.einsum("nij,nj->ni", inertia, xdd) + np.einsum("nij,nj->ni", velocity, xd)
    return lopes, kinetic, lopes.force(xd, xdd)


@pytest.mark.parametrize("robot", [load("stewart"), general()], ids=["paper", "general"])
def test_lopes_matrices_are_the_model(robot):
    """His forces are ours; T^T times his matrices is the contract's M and C; his own are not symmetric."""
    x, xd, xdd = samples(robot, "trig3-fast")
    lopes = lopes_matrices(robot, x, xd)
    tau = lopes.force(xd, xdd)
    assert tau == pytest.approx(inverse_dynamics(robot, x, xd, xdd, formulation="newton_euler").force, abs=1e-12)
    found = dynamics_matrices(robot, x, xd, "generalized_momentum")
    I, V = lopes.I_P + sum(lopes.I.values()), lopes.V_P + sum(lopes.V.values())
    assert turned(lopes.T) @ I == pytest.approx(found.M, abs=1e-14)
    assert turned(lopes.T) @ V == pytest.approx(found.C, abs=1e-14)
    assert np.abs(I - turned(I)).max() > 0.1
    assert power_failure(robot, "trig3-fast", tau) < BALANCED


@pytest.mark.parametrize(("robot", "effect"), [(load("stewart"), 37.5), (general(), None)], ids=["paper", "general"])
def test_equation_25(robot, effect):
    """J_C^-1 is printed: J_C^-T balances power, as in the final formula."""
    lopes, kinetic, right = parts(robot)
    literal = solved(lopes.J_C, kinetic + sum(lopes.f_gra_B.values()))
    assert power_failure(robot, "trig3", right) < BALANCED
    assert power_failure(robot, "trig3", literal) > 0.1
    if effect:
        assert_printed(np.abs(literal - right).max(), effect, digits=3)


def test_equation_83_transposed():
    """T^-1 f_gra is printed: T^-T balances power. Invisible on the paper's machine, where gravity has no moment."""
    for robot, seen in ((load("stewart"), False), (general(), True)):
        lopes, kinetic, right = parts(robot)
        weight = sum(lopes.f_gra.values())
        literal = solved(turned(lopes.J_C), kinetic + solved(lopes.T, weight))
        off = np.abs(literal - right).max()
        assert power_failure(robot, "trig3", right) < BALANCED
        assert bool(power_failure(robot, "trig3", literal) > 1e-4) is seen
        assert off > 1e-3 if seen else off < 1e-13


def test_equation_83_twice():
    """The pistons are printed twice and the cylinders left out."""
    robot = load("stewart")
    lopes, kinetic, right = parts(robot)
    gravity = lopes.f_gra_B
    literal = solved(turned(lopes.J_C), kinetic + gravity["platform"] + 2.0 * gravity["pistons"])
    assert_printed(np.abs(literal - right).max(), 5.7, digits=2)
    assert power_failure(robot, "trig3", literal) > 1e-2


def test_equation_65():
    """J_B is printed where the piston's own J_G is meant."""
    robot = load("stewart")
    machine = machine_of(robot)

    def both(x, xd, xdd):
        right, printed = 0.0, 0.0
        for i in range(6):
            G, B, t = J_G(machine, x, i), J_B(machine, x, i), T(x)
            right = right + G.T @ ((jvp(G @ t, x, xd) @ xd + (G @ t) @ xdd) * machine.m_S)
            printed = printed + G.T @ ((jvp(B @ t, x, xd) @ xd + (B @ t) @ xdd) * machine.m_S)
        return {"right": right, "printed": printed}

    x, xd, xdd = samples(robot, "trig3")
    pistons = Program(record(both, x=6, xd=6, xdd=6))(x=x, xd=xd, xdd=xdd)
    lopes, _, right = parts(robot)
    own = np.einsum("nij,nj->ni", lopes.I["S_tra"], xdd) + np.einsum("nij,nj->ni", lopes.V["S_tra"], xd)
    assert pistons["right"] == pytest.approx(own, abs=1e-13)
    literal = right + solved(turned(lopes.J_C), pistons["printed"] - pistons["right"])
    assert_printed(np.abs(literal - right).max(), 0.88, digits=2)
    assert power_failure(robot, "trig3", literal) > 1e-2
