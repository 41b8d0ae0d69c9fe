"""Lopes2009's companion: a thin leg in closed form (A.6), and what whole inverse dynamics costs (B.2)."""

import numpy as np

from gough import Motion, load
from gough.dynamics import FORMULATIONS, lopes_matrices
from gough.dynamics.force_programs import Model, force_graph
from gough.dynamics.lopes import J_C, T, body_matrices, lopes_parameters, potential
from gough.graph import count, factor, gradient, record, solve_transposed
from gough.run import Program
from tests.support.papers import assert_printed, paper

M_S, B_S, M_P, I_T, G = 0.39, 0.5, 1.43, 0.1 + 0.1 + 0.39 * 0.5**2 + 0.39 * 0.5**2, np.array([0.0, 0.0, 9.81])


def leg_load(l, v, a):
    """(3,) force that the leg vector l, moving with v and a, takes at the platform joint."""
    square, lam, mu, nu = l @ l, l @ v, l @ a, v @ v
    e, d = I_T / square, M_S * B_S / np.sqrt(square)
    c1, c2 = e - 2 * d, -2 * (lam / square) * (e - d)
    axial = ((2 * e - 3 * d) * lam**2 / square + d * nu - c1 * mu) / square
    return M_S * (a + G) + c1 * a + c2 * v + axial * l


def platform_motion(x, xd, xdd):
    """R, w, wd of z-y'-x'' angles, from the axes they turn about."""
    (cp, sp), (ct, st), (cf, sf) = ((np.cos(a), np.sin(a)) for a in x[3:])
    Rz, Ry = np.array([[cp, -sp, 0], [sp, cp, 0], [0, 0, 1]]), np.array([[ct, 0, st], [0, 1, 0], [-st, 0, ct]])
    R = Rz @ Ry @ np.array([[1, 0, 0], [0, cf, -sf], [0, sf, cf]])
    axes = [np.array([0.0, 0, 1]), Rz @ [0, 1, 0], Rz @ Ry @ [1, 0, 0]]
    w, wd = np.zeros(3), np.zeros(3)
    for axis, rate, second in zip(axes, xd[3:], xdd[3:], strict=True):
        wd = wd + axis * second + np.cross(w, axis * rate)
        w = w + axis * rate
    return R, w, wd


def test_closed_form_of_a_thin_leg():
    """With the platform's own balance it gives the companion's forces, T = 4 s and T = 1 s."""
    robot = load("stewart")
    for law in ("trig3", "trig3-fast"):
        samples = paper("stewart")[law]["samples"]
        motion = Motion.named(robot, law)([sample["t"] for sample in samples])
        legs = lopes_matrices(robot, motion).J_C
        found = []
        for k, (x, xd, xdd) in enumerate(zip(motion.x, motion.xd, motion.xdd, strict=True)):
            R, w, wd = platform_motion(x, xd, xdd)
            inertia = R @ np.diag([0.2, 0.2, 0.4]) @ R.T
            f, m = M_P * (xdd[:3] + G), inertia @ wd + np.cross(w, inertia @ w)
            for leg in robot.legs:
                p = R @ leg.end.platform_point
                v, a = xd[:3] + np.cross(w, p), xdd[:3] + np.cross(wd, p) + np.cross(w, np.cross(w, p))
                load_on_p = leg_load(x[:3] + p - leg.position, v, a)
                f, m = f + load_on_p, m + np.cross(p, load_on_p)
            found.append(np.linalg.solve(legs[k].T, np.concatenate([f, m])))
        assert_printed(found, [sample["tau"] for sample in samples])


def summed_matrices(x, xd, xdd):
    """Forces by the paper's 6x6 matrices summed over all bodies."""
    machine = lopes_parameters(load("stewart"))
    I, V = 0.0, 0.0
    for i in range(6):
        for name, value in body_matrices(machine, x, xd, i).items():
            if name[2:] != "P" or i == 0:
                I, V = (I + value, V) if name.startswith("I") else (I, V + value)
    weight = gradient(sum(potential(machine, x, -G)), x)
    f = I @ xdd + V @ xd + solve_transposed(factor(T(x)), weight)
    return solve_transposed(factor(J_C(machine, x)), f)


def test_no_formulation_costs_more_than_the_companions():
    """B.2, flops after its own sharing: 1663 textbook Newton-Euler, 6002 and 13980 momentum, 51798 Lagrange."""
    robot = load("stewart")
    bounds = {"newton_euler": 1663, "generalized_momentum": 6002, "lagrange": 51798}
    for formulation in FORMULATIONS:
        if formulation.name in bounds:
            assert count(force_graph(Model(robot, formulation))).flops < bounds[formulation.name]
    graph = record(summed_matrices, x=6, xd=6, xdd=6)
    assert count(graph).flops < 13980
    samples = paper("stewart")["trig3-fast"]["samples"]
    motion = Motion.named(robot, "trig3-fast")([sample["t"] for sample in samples])
    found = Program(graph, "blocks")(**motion.inputs(robot, "x", "xd", "xdd"))
    assert_printed(found, [sample["tau"] for sample in samples])
