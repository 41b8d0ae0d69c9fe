"""The same inverse dynamics for numba: one compiled loop over the samples, vectors as tuples, its own 6 x 6 solve.

Tuples of three floats stay in registers, a 6 x 7 elimination with partial pivoting avoids a LAPACK call per sample (a
microsecond each), everything is inlined into the loop, and `error_model="numpy"` drops the tests for division by zero.
No fastmath: results agree to round-off with the others.
"""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np
from numba import njit
from numpy.typing import NDArray

from benchmarks.stewart_equations import LOPES

Array = NDArray[np.float64]
Vector = tuple[float, float, float]

_B, _P, _I_P = np.array(LOPES.b), np.array(LOPES.p), np.array(LOPES.I_P)
_M_P, _M_C, _M_S, _I_LEG, _G = LOPES.m_P, LOPES.m_C, LOPES.m_S, LOPES.I_C + LOPES.I_S, LOPES.g
_B_C, _B_S = LOPES.b_C, LOPES.b_S

_inlined = njit(error_model="numpy", inline="always")


@_inlined
def _cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@_inlined
def _dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@_inlined
def _add(a: Vector, b: Vector) -> Vector:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@_inlined
def _scale(s: float, a: Vector) -> Vector:
    return s * a[0], s * a[1], s * a[2]


@_inlined
def _leg_load(n: Vector, l: float, v: Vector, a: Vector) -> Vector:
    per_l = 1.0 / l
    ld = _dot(n, v)
    w_l = _scale(per_l, _cross(n, v))
    wd_l = _scale(per_l, _add(_cross(n, a), _scale(-2.0 * ld, w_l)))
    ndd = _add(_cross(wd_l, n), _scale(-_dot(w_l, w_l), n))
    F_C = _M_C * _B_C * ndd[0], _M_C * _B_C * ndd[1], _M_C * (_B_C * ndd[2] + _G)
    F_S = _M_S * (a[0] - _B_S * ndd[0]), _M_S * (a[1] - _B_S * ndd[1]), _M_S * (a[2] - _B_S * ndd[2] + _G)
    M_B = _add(_cross(n, _add(_scale(_B_C, F_C), _scale(l - _B_S, F_S))), _scale(_I_LEG, wd_l))
    return _add(_scale(per_l, _cross(M_B, n)), _scale(_dot(n, F_S), n))


@_inlined
def _solve(A: Array) -> None:
    """Replaces the last column of the 6 x 7 system A by its solution."""
    for k in range(6):
        for i in range(k + 1, 6):
            if abs(A[i, k]) > abs(A[k, k]):
                for j in range(k, 7):
                    A[k, j], A[i, j] = A[i, j], A[k, j]
        A[k, k] = 1.0 / A[k, k]
        for i in range(k + 1, 6):
            m = A[i, k] * A[k, k]
            for j in range(k + 1, 7):
                A[i, j] -= m * A[k, j]
    for k in range(5, -1, -1):
        value = A[k, 6]
        for j in range(k + 1, 6):
            value -= A[k, j] * A[j, 6]
        A[k, 6] = value * A[k, k]


@njit(error_model="numpy")
def inverse_dynamics(x: Array, xd: Array, xdd: Array, out: Array) -> Array:
    """`out` (N, 6), filled with the actuator forces [N]."""
    A = np.empty((6, 7))
    for k in range(len(x)):
        c = x[k, 0], x[k, 1], x[k, 2]
        cd = xd[k, 0], xd[k, 1], xd[k, 2]
        cdd = xdd[k, 0], xdd[k, 1], xdd[k, 2]
        s1, c1, s2, c2, s3, c3 = sin(x[k, 3]), cos(x[k, 3]), sin(x[k, 4]), cos(x[k, 4]), sin(x[k, 5]), cos(x[k, 5])
        R0 = c1 * c2, c1 * s2 * s3 - s1 * c3, c1 * s2 * c3 + s1 * s3
        R1 = s1 * c2, s1 * s2 * s3 + c1 * c3, s1 * s2 * c3 - c1 * s3
        R2 = -s2, c2 * s3, c2 * c3
        psid, thd, phd, psidd, thdd, phdd = xd[k, 3], xd[k, 4], xd[k, 5], xdd[k, 3], xdd[k, 4], xdd[k, 5]
        e3 = c1 * c2, s1 * c2, -s2
        w_2 = -s1 * thd, c1 * thd, psid
        w = _add(w_2, _scale(phd, e3))
        e_acc = -s1 * thdd - c1 * psid * thd, c1 * thdd - s1 * psid * thd, psidd
        wd = _add(e_acc, _add(_scale(phdd, e3), _scale(phd, _cross(w_2, e3))))
        C0, C1, C2 = (R0[0], R1[0], R2[0]), (R0[1], R1[1], R2[1]), (R0[2], R1[2], R2[2])
        w_P = _dot(C0, w), _dot(C1, w), _dot(C2, w)
        wd_P = _dot(C0, wd), _dot(C1, wd), _dot(C2, wd)
        gyro = _cross(w_P, (_I_P[0] * w_P[0], _I_P[1] * w_P[1], _I_P[2] * w_P[2]))
        M_P = _I_P[0] * wd_P[0] + gyro[0], _I_P[1] * wd_P[1] + gyro[1], _I_P[2] * wd_P[2] + gyro[2]
        F = _M_P * cdd[0], _M_P * cdd[1], _M_P * (cdd[2] + _G)
        M = _dot(R0, M_P), _dot(R1, M_P), _dot(R2, M_P)
        for i in range(6):
            p = _P[i, 0], _P[i, 1], _P[i, 2]
            r = _dot(R0, p), _dot(R1, p), _dot(R2, p)
            wxr = _cross(w, r)
            v = _add(cd, wxr)
            a = _add(cdd, _add(_cross(wd, r), _cross(w, wxr)))
            s = c[0] + r[0] - _B[i, 0], c[1] + r[1] - _B[i, 1], c[2] + r[2] - _B[i, 2]
            l = sqrt(_dot(s, s))
            n = _scale(1.0 / l, s)
            load = _leg_load(n, l, v, a)
            F = _add(F, load)
            M = _add(M, _cross(r, load))
            rxn = _cross(r, n)
            A[0, i], A[1, i], A[2, i], A[3, i], A[4, i], A[5, i] = n[0], n[1], n[2], rxn[0], rxn[1], rxn[2]
        A[0, 6], A[1, 6], A[2, 6], A[3, 6], A[4, 6], A[5, 6] = F[0], F[1], F[2], M[0], M[1], M[2]
        _solve(A)
        for i in range(6):
            out[k, i] = A[i, 6]
    return out
