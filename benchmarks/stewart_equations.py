"""Inverse dynamics of a 6-UPS Stewart platform by Newton-Euler, leg by leg, in plain equations.

Written once: on floats it computes, on recorded scalars it records. The leg is thin and axisymmetric and does not spin,
so its direction n is all of its attitude that matters.

| symbol | meaning | unit |
|---|---|---|
| x | pose c_x c_y c_z psi theta phi of the platform, R = Rz(psi) Ry(theta) Rx(phi) | m, rad |
| w, wd | angular velocity and acceleration of the platform, in the base frame | rad/s, rad/s^2 |
| b, p | joints of a leg: on the base in its frame, on the platform in its frame | m |
| r | p turned into the base frame | m |
| n, l | unit vector from base joint to platform joint, length of the leg | -, m |
| v, a | velocity and acceleration of the platform joint | m/s, m/s^2 |
| w_l, wd_l | angular velocity and acceleration of the leg | rad/s, rad/s^2 |
| tau | forces of the actuators, positive when they push the platform away | N |

An equal form with fewer operations exists (the piston masses moved to the platform as point masses at its joints, the
rest of the leg condensed into three scalars); this one keeps every body where it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import cos as _cos
from math import pi
from math import sin as _sin
from typing import Any

from gough.graph import Graph, array, cos, cross, dot, jacobian, label, norm, record, sin, solve


@dataclass(frozen=True, slots=True)
class Machine:
    """Geometry and masses of a 6-UPS platform whose frame sits at its centre of mass.

    Cylinder (C) and piston (S) have their transverse central inertia only; b_C is the distance from the base joint to
    the cylinder's centre of mass, b_S from the platform joint back to the piston's.
    """

    b: Sequence[Any]
    p: Sequence[Any]
    m_P: Any
    I_P: Sequence[Any]
    m_C: Any
    m_S: Any
    I_C: Any
    I_S: Any
    b_C: Any
    b_S: Any
    g: Any = 9.81


def circle(radius: float, degrees: Sequence[float]) -> list[list[float]]:
    """Points on a circle around the origin of the plane z = 0."""
    return [[radius * _cos(a * pi / 180), radius * _sin(a * pi / 180), 0.0] for a in degrees]


LOPES = Machine(
    b=circle(1.5, (15, 105, 135, 225, 255, 345)),
    p=circle(0.75, (60, 60, 180, 180, 300, 300)),
    m_P=1.43,
    I_P=(0.2, 0.2, 0.4),
    m_C=0.39,
    m_S=0.39,
    I_C=0.1,
    I_S=0.1,
    b_C=0.5,
    b_S=0.5,
)

GENERAL = Machine(
    b=[[1.44, 0.39, 0.1], [-0.4, 1.45, 0], [-1.05, 1.08, -0.1], [-1.06, -1.02, 0], [-0.37, -1.46, 0], [1.4, -0.4, 0.1]],
    p=[[0.5, 0.6, 0.1], [0.3, 0.7, 0.1], [-0.8, 0.1, 0.1], [-0.7, -0.2, 0.2], [0.2, -0.7, 0.1], [0.4, -0.6, 0.1]],
    m_P=1.43,
    I_P=(0.2, 0.25, 0.3),
    m_C=0.5,
    m_S=0.3,
    I_C=0.12,
    I_S=0.08,
    b_C=0.4,
    b_S=0.6,
)
"""A machine without the coincidences of the paper's (joints in a plane and in pairs, equal masses, a thin platform)."""


def attitude(x: Any, xd: Any, xdd: Any) -> tuple[Any, Any, Any]:
    """R, w and wd of the platform from its Euler angles (psi, theta, phi) and their rates."""
    psi, theta, phi = x[3:]
    s1, c1, s2, c2, s3, c3 = sin(psi), cos(psi), sin(theta), cos(theta), sin(phi), cos(phi)
    s2s3, s2c3 = s2 * s3, s2 * c3
    R = array(
        [
            [c1 * c2, c1 * s2s3 - s1 * c3, c1 * s2c3 + s1 * s3],
            [s1 * c2, s1 * s2s3 + c1 * c3, s1 * s2c3 - c1 * s3],
            [-s2, c2 * s3, c2 * c3],
        ]
    )
    psid, thetad, phid = xd[3:]
    psidd, thetadd, phidd = xdd[3:]
    e2 = array([-s1, c1, 0.0])
    e3 = array([c1 * c2, s1 * c2, -s2])
    w_1 = array([0.0, 0.0, psid])
    w_2 = w_1 + e2 * thetad
    w = w_2 + e3 * phid
    wd = array([0.0, 0.0, psidd]) + e2 * thetadd + e3 * phidd + cross(w_1, e2) * thetad + cross(w_2, e3) * phid
    return R, w, wd


def leg_load(machine: Machine, n: Any, l: Any, v: Any, a: Any) -> Any:
    """(3,) force the platform must put on a leg at its joint to move it, the actuator's own force left out [N]."""
    per_l = 1.0 / l
    ld = dot(n, v)
    w_l = cross(n, v) * per_l
    wd_l = (cross(n, a) - w_l * (2.0 * ld)) * per_l
    ndd = cross(wd_l, n) - n * dot(w_l, w_l)
    g = array([0.0, 0.0, -machine.g])
    F_C = (ndd * machine.b_C - g) * machine.m_C
    F_S = (a - ndd * machine.b_S - g) * machine.m_S
    M_B = cross(n, F_C * machine.b_C + F_S * (l - machine.b_S)) + wd_l * (machine.I_C + machine.I_S)
    return cross(M_B, n) * per_l + n * dot(n, F_S)


def inverse_dynamics(x: Any, xd: Any, xdd: Any, machine: Machine = LOPES) -> Any:
    """(6,) actuator forces tau [N] of a motion.

    Args:
        x, xd, xdd: (6,) pose and its derivatives.
    """
    with label("platform"):
        R, w, wd = attitude(x, xd, xdd)
        c, cd, cdd = x[:3], xd[:3], xdd[:3]
        w_P, wd_P = R.T @ w, R.T @ wd
        I_P = array(machine.I_P)
        F = (cdd - array([0.0, 0.0, -machine.g])) * machine.m_P
        M = R @ (I_P * wd_P + cross(w_P, I_P * w_P))
    columns = []
    for i, (b, p) in enumerate(zip(machine.b, machine.p, strict=True)):
        with label(f"leg {i + 1}"):
            r = R @ array(p)
            wxr = cross(w, r)
            v = cd + wxr
            a = cdd + cross(wd, r) + cross(w, wxr)
            s = c + r - array(b)
            l = norm(s)
            n = s * (1.0 / l)
            load = leg_load(machine, n, l, v, a)
            F = F + load
            M = M + cross(r, load)
            columns.append([*n, *cross(r, n)])
    with label("balance"):
        return solve(array(columns).T, array([*F, *M]))


def record_inverse_dynamics(machine: Machine = LOPES) -> Graph:
    """The recorded tau(x, xd, xdd) of a machine."""
    return record(partial(inverse_dynamics, machine=machine), x=6, xd=6, xdd=6)


def record_second_derivatives() -> Graph:
    """(6, 6, 9) second derivatives of tau: by pose, and by pose and turning rates; about 150 000 operations."""

    def equations(x: Any, xd: Any, xdd: Any) -> Any:
        return jacobian(jacobian(inverse_dynamics(x, xd, xdd), x), [*x, *xd[3:]])

    return record(equations, x=6, xd=6, xdd=6)


def record_first_derivatives() -> Graph:
    """(6, 6) derivatives of tau by pose."""
    return record(lambda x, xd, xdd: jacobian(inverse_dynamics(x, xd, xdd), x), x=6, xd=6, xdd=6)
