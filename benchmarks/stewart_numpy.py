"""The same inverse dynamics by hand in batched NumPy: legs and vectors as trailing axes, arrays of shape (N, 6, 3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.stewart_equations import LOPES, Machine

Array = NDArray[np.float64]


def cross(a: Array, b: Array) -> Array:
    """Vector products over the last axis; about twice as quick as `np.cross`, which also handles other axes."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    a0, a1, a2 = a[..., 0], a[..., 1], a[..., 2]
    b0, b1, b2 = b[..., 0], b[..., 1], b[..., 2]
    out[..., 0] = a1 * b2 - a2 * b1
    out[..., 1] = a2 * b0 - a0 * b2
    out[..., 2] = a0 * b1 - a1 * b0
    return out


def dot(a: Array, b: Array) -> Array:
    """Scalar products over the last axis, which is kept with length 1."""
    return np.einsum("...i,...i->...", a, b)[..., None]


def attitude(x: Array, xd: Array, xdd: Array) -> tuple[Array, Array, Array]:
    """R (N, 3, 3), w and wd (N, 3) of the platform."""
    s1, s2, s3 = np.sin(x[:, 3:]).T
    c1, c2, c3 = np.cos(x[:, 3:]).T
    R = np.empty((len(x), 3, 3))
    R[:, 0, 0], R[:, 0, 1], R[:, 0, 2] = c1 * c2, c1 * s2 * s3 - s1 * c3, c1 * s2 * c3 + s1 * s3
    R[:, 1, 0], R[:, 1, 1], R[:, 1, 2] = s1 * c2, s1 * s2 * s3 + c1 * c3, s1 * s2 * c3 - c1 * s3
    R[:, 2, 0], R[:, 2, 1], R[:, 2, 2] = -s2, c2 * s3, c2 * c3
    psid, thetad, phid = xd[:, 3:].T
    psidd, thetadd, phidd = xdd[:, 3:].T
    w, wd = np.empty((len(x), 3)), np.empty((len(x), 3))
    w[:, 0] = -s1 * thetad + c1 * c2 * phid
    w[:, 1] = c1 * thetad + s1 * c2 * phid
    w[:, 2] = psid - s2 * phid
    c2d = -s2 * thetad
    wd[:, 0] = -s1 * thetadd + c1 * c2 * phidd - psid * (c1 * thetad + s1 * c2 * phid) + c1 * c2d * phid
    wd[:, 1] = c1 * thetadd + s1 * c2 * phidd + psid * (c1 * c2 * phid - s1 * thetad) + s1 * c2d * phid
    wd[:, 2] = psidd - s2 * phidd - c2 * thetad * phid
    return R, w, wd


def leg_load(machine: Machine, n: Array, l: Array, v: Array, a: Array) -> Array:
    """(N, 6, 3) force on each leg at its platform joint, the actuator's left out; l is (N, 6, 1)."""
    ld = dot(n, v)
    w_l = cross(n, v) / l
    wd_l = (cross(n, a) - 2.0 * ld * w_l) / l
    ndd = cross(wd_l, n) - dot(w_l, w_l) * n
    g = np.array([0.0, 0.0, -machine.g])
    F_C = machine.m_C * (machine.b_C * ndd - g)
    F_S = machine.m_S * (a - machine.b_S * ndd - g)
    M_B = cross(n, machine.b_C * F_C + (l - machine.b_S) * F_S) + (machine.I_C + machine.I_S) * wd_l
    return cross(M_B, n) / l + dot(n, F_S) * n


def inverse_dynamics(x: Array, xd: Array, xdd: Array, machine: Machine = LOPES) -> Array:
    """(N, 6) actuator forces [N]."""
    b, p, I_P = np.array(machine.b), np.array(machine.p), np.array(machine.I_P)
    R, w, wd = attitude(x, xd, xdd)
    c, cd, cdd = x[:, None, :3], xd[:, None, :3], xdd[:, None, :3]
    w_P, wd_P = np.einsum("nji,nj->ni", R, w), np.einsum("nji,nj->ni", R, wd)
    F = machine.m_P * (xdd[:, :3] + np.array([0.0, 0.0, machine.g]))
    M = np.einsum("nij,nj->ni", R, I_P * wd_P + cross(w_P, I_P * w_P))
    w, wd = w[:, None, :], wd[:, None, :]
    r = p @ R.transpose(0, 2, 1)
    wxr = cross(w, r)
    v = cd + wxr
    a = cdd + cross(wd, r) + cross(w, wxr)
    s = c + r - b
    l = np.sqrt(dot(s, s))
    n = s / l
    load = leg_load(machine, n, l, v, a)
    rhs = np.concatenate([F + load.sum(axis=1), M + cross(r, load).sum(axis=1)], axis=1)
    J_C = np.concatenate([n, cross(r, n)], axis=2)
    return np.linalg.solve(J_C.transpose(0, 2, 1), rhs[..., None])[..., 0]
