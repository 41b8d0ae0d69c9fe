"""Closed forms of UPS, PUS and SRU legs, for all legs and many samples at once.

From the motion of the leg's end to the joints' cosines, sines, slides, rates and accelerations; from joint efforts to
the wrench at the leg's end that would balance them; and the row of the actuator Jacobian. All in the frame of each leg.
These are what a careful person derives on paper before writing a line for an engine, so that no engine has to factor a
constraint matrix: with perpendicular axes every system of equations is solved by projections.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.peers.vectors import Array, cross, dot
from gough.robot import Leg, Robot

AXES = np.eye(3)


@dataclass(frozen=True, slots=True)
class LegMotion:
    """Joint motion of all legs, and how efforts go to the ends.

    Attributes:
        angles: For each joint (cos, sin), each (legs, n), or the slide (legs, n).
        rates, accelerations: For each joint (legs, n).
        actuator: Index of the driven joint.
        row: (3, legs, n) force at the end, leg frame, that a unit effort of the driven joint balances.
        load: From the efforts of the joints, (legs, n) each, the driven one left out of account, to force and moment
            (None for none) at the end, leg frame.
    """

    angles: list[Array | tuple[Array, Array]]
    rates: list[Array]
    accelerations: list[Array]
    actuator: int
    row: Array
    load: Callable[[list[Array]], tuple[Array, Array | None]]


def kind_of(robot: Robot) -> str:
    """ "UPS", "PUS" or "SRU", if all legs are of that kind with axes as the catalogue's legs have them."""
    kinds = {_kind(leg) for leg in robot.legs}
    if len(kinds) != 1 or "" in kinds:
        raise ValueError(f"{robot.name}: the peers know UPS, PUS and SRU legs with the catalogue's axes")
    return kinds.pop()


def _kind(leg: Leg) -> str:
    names = "".join(joint.kind for joint in leg.joints)
    if not all(np.array_equal(joint.rotation, AXES) for joint in leg.joints):
        return ""
    axes = [int(np.argmax(np.abs(joint.axis))) for joint in leg.joints]
    straight = [np.array_equal(joint.axis, AXES[k]) for joint, k in zip(leg.joints, axes, strict=True)]
    offsets = np.array([joint.offset for joint in leg.joints])
    if names == "RRP" and all(straight) and axes == [1, 2, 0] and not offsets.any():
        return "UPS" if not any(leg.end.point) else ""
    if names == "PRR" and all(straight[1:]) and axes[1:] == [1, 2] and not offsets.any():
        return "PUS" if not any(leg.end.point[1:]) else ""
    if names == "RRRRRR" and all(straight) and axes == [0, 1, 2, 1, 1, 0] and not offsets[[0, 1, 2, 5]].any():
        good = not offsets[3:5, :2].any() and not any(leg.end.point) and np.array_equal(leg.end.rotation, AXES)
        return "SRU" if good and leg.end.kind == "rigid" else ""
    return ""


def ups(d: Array, v: Array, a: Array) -> LegMotion:
    """Turn about y by alpha, about z by beta, slide l along x, to the end d (3, legs, n)."""
    rho2 = d[0] * d[0] + d[2] * d[2]
    rho, h = np.sqrt(rho2), d[1]
    l = np.sqrt(rho2 + h * h)
    ca, sa, cb, sb = d[0] / rho, -d[2] / rho, rho / l, h / l
    rhod, across = ca * v[0] - sa * v[2], sa * v[0] + ca * v[2]
    alphad = -across / rho
    betad, ld = (cb * v[1] - sb * rhod) / l, cb * rhod + sb * v[1]
    rhodd = ca * a[0] - sa * a[2] + rho * alphad * alphad
    alphadd = -(sa * a[0] + ca * a[2] + 2.0 * rhod * alphad) / rho
    betadd = (cb * a[1] - sb * rhodd - 2.0 * ld * betad) / l
    ldd = cb * rhodd + sb * a[1] + l * betad * betad

    def load(efforts: list[Array]) -> tuple[Array, None]:
        return _across(efforts[0], efforts[1], ca, sa, cb, sb, rho, l), None

    return LegMotion([(ca, sa), (cb, sb), l], [alphad, betad, ld], [alphadd, betadd, ldd], 2, d / l, load)


def pus(u: Array, L: Array, branch: Array, d: Array, v: Array, a: Array) -> LegMotion:
    """Slide q along u (3, legs, 1), turn about y by alpha, about z by beta, rod L (legs, 1) along x."""
    along = dot(u, d)
    q = along - branch * np.sqrt(L * L - dot(d, d) + along * along)
    rod = d - q * u
    rho, l = np.sqrt(rod[0] * rod[0] + rod[2] * rod[2]), L
    ca, sa, cb, sb = rod[0] / rho, -rod[2] / rho, rho / l, rod[1] / l
    reach = dot(rod, u)
    qd = dot(rod, v) / reach
    vx, vy, vz = v - qd * u
    rhod, across = ca * vx - sa * vz, sa * vx + ca * vz
    alphad, betad = -across / rho, (cb * vy - sb * rhod) / l
    swing = rho * alphad
    qdd = (dot(rod, a) + swing * swing + (l * betad) ** 2) / reach
    ax, ay, az = a - qdd * u
    rhodd = ca * ax - sa * az + swing * alphad
    alphadd = -(sa * ax + ca * az + 2.0 * rhod * alphad) / rho
    betadd = (cb * ay - sb * rhodd) / l
    row = rod / reach

    def load(efforts: list[Array]) -> tuple[Array, None]:
        F = _across(efforts[1], efforts[2], ca, sa, cb, sb, rho, l)
        return F - row * dot(F, u), None

    return LegMotion([q, (ca, sa), (cb, sb)], [qd, alphad, betad], [qdd, alphadd, betadd], 0, row, load)


def _across(first: Array, second: Array, ca: Array, sa: Array, cb: Array, sb: Array, rho: Array, l: Array) -> Array:
    """Force at the end of a rod l on a universal joint that balances the joint's two efforts."""
    t, z = second / l, -first / rho
    x = -sb * t
    F = np.empty((3, *t.shape))
    F[0], F[1], F[2] = ca * x + sa * z, cb * t, ca * z - sa * x
    return F


def sru(
    lower: Array, upper: Array, branch: Array, d: Array, e6: Array, v: Array, w: Array, a: Array, wd: Array
) -> LegMotion:
    """Turns about x, y, z, the knee about y after `lower`, after `upper` y again, then x along e6 (left out: massless).

    The leg's plane holds d, e6 and both links; e4 is its normal.
    """
    d2 = dot(d, d)
    normal = cross(d, e6)
    c6 = np.sqrt(dot(normal, normal))
    e4 = normal / c6
    low = (d2 + (lower * lower - upper * upper)) / (2.0 * lower * d2)
    sine = branch * np.sqrt(1.0 / d2 - low * low)
    z3 = d * low + cross(e4, d) * sine
    shin = d - lower * z3
    z4 = shin / upper
    x3, x4 = cross(e4, z3), cross(e4, z4)
    sb = z3[0]
    cb = np.sqrt(z3[1] * z3[1] + z3[2] * z3[2])
    ca, sa = z3[2] / cb, -z3[1] / cb
    g = dot(e4, cross(d, z3))
    lg = lower * g

    def last_rates(u: Array) -> tuple[Array, Array, Array]:
        return dot(u, d) / lg, -dot(u, z3) / g, dot(u, e4) / c6

    def spherical(W: Array) -> tuple[Array, Array, Array]:
        third = (ca * W[2] - sa * W[1]) / cb
        return W[0] - sb * third, ca * W[1] + sa * W[2], third

    q4, q5, q6 = last_rates(v - cross(w, d))
    q45 = q4 + q5
    W0 = w - q45 * e4 - q6 * e6
    q1, q2, q3 = spherical(W0)
    turn = cross(W0, e4)
    W4 = W0 + q4 * e4
    rest = wd - q45 * turn - q6 * cross(W4 + q5 * e4, e6)
    centripetal = cross(W0, cross(W0, lower * z3)) + cross(W4, cross(W4, shin)) + cross(q4 * turn, shin)
    q4d, q5d, q6d = last_rates(a - cross(rest, d) - centripetal)
    W0d = rest - (q4d + q5d) * e4 - q6d * e6
    tilt = np.empty_like(z3)
    tilt[0], tilt[1], tilt[2] = q1, q2 * ca, q2 * sa
    W0d = W0d - cross(tilt, z3) * q3
    W0d[1] += sa * (q1 * q2)
    W0d[2] -= ca * (q1 * q2)
    q1d, q2d, q3d = spherical(W0d)
    row = d / lg

    def load(efforts: list[Array]) -> tuple[Array, Array]:
        t1, t2, t3, _, t5 = efforts
        along = (t3 - sb * t1) / cb
        m = np.empty_like(d)
        m[0], m[1], m[2] = t1, t2 * ca - along * sa, t2 * sa + along * ca
        F = (-dot(e6, m) / c6) * e4 - ((dot(e4, m) - t5) / lg) * shin - (t5 / lg) * d
        return F, m - cross(d, F)

    angles: list[Array | tuple[Array, Array]] = [
        (ca, sa),
        (cb, sb),
        (x3[0] / cb, -e4[0] / cb),
        (dot(z3, z4), dot(x3, z4)),
        (dot(e6, x4), -dot(e6, z4)),
    ]
    return LegMotion(angles, [q1, q2, q3, q4, q5], [q1d, q2d, q3d, q4d, q5d], 3, row, load)
