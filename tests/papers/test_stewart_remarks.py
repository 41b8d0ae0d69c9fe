"""Lopes2009's companion, A.6: a thin leg in closed form, as a force at its platform joint."""

import numpy as np

from gough.dynamics import lopes_matrices
from gough.motion import named
from gough.robot import load
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
        motion = named(robot, law)([sample["t"] for sample in samples])
        J_C = lopes_matrices(robot, *motion[:2]).J_C
        found = []
        for k, (x, xd, xdd) in enumerate(zip(*motion, strict=True)):
            R, w, wd = platform_motion(x, xd, xdd)
            inertia = R @ np.diag([0.2, 0.2, 0.4]) @ R.T
            f, m = M_P * (xdd[:3] + G), inertia @ wd + np.cross(w, inertia @ w)
            for leg in robot.legs:
                p = R @ leg.end.platform_point
                v, a = xd[:3] + np.cross(w, p), xdd[:3] + np.cross(wd, p) + np.cross(w, np.cross(w, p))
                load_on_p = leg_load(x[:3] + p - leg.position, v, a)
                f, m = f + load_on_p, m + np.cross(p, load_on_p)
            found.append(np.linalg.solve(J_C[k].T, np.concatenate([f, m])))
        assert_printed(found, [sample["tau"] for sample in samples])
