"""All assembly modes of robots with three distance legs: translational, planar and spherical ones, in closed form.

Translational: the platform's origin is on three spheres; two points. Planar: with leg 0 at angle s and the platform
turned by t, legs 1 and 2 give two equations in these angles; six solutions (Gosselin, Sefrioui & Richard 1992).
Spherical: w_i.R v_i = c_i with w_i of the base; with R = R(w_0, s) C R(v_0, t) again two equations; eight solutions
(Gosselin, Sefrioui & Richard 1994).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gough.assembly.angle_equations import two_angles
from gough.assembly.angle_quadrics import Judged, bilinear, circle, judged
from gough.assembly.leg_spheres import LegSpheres, leg_spheres
from gough.assembly.quadric_certificate import certify_quadrics
from gough.assembly.real_roots import most_real_angles
from gough.assembly.solutions import NO_CLAIM, Solutions, no_other_real, none_missing
from gough.graph import Array
from gough.robot import Mechanism, by_mechanism

_TURNS = 1e-6
"""By how much a matrix may be off a rotation."""


def solutions_of(
    found: Judged,
    p: NDArray[np.inexact],
    R: NDArray[np.inexact],
    most: int,
    T: NDArray[np.inexact] | None = None,
) -> Solutions:
    """Poses p (N, n, 3), R (N, n, 3, 3), complex ones too, of solutions of which there are at most so many.

    Where not all of them are proved, equations T (N, 2, 3, 3) of two angles may prove that all real ones are.
    """
    # What is not proved may be no rotation at all, where equations of two angles say nothing of one of them.
    turns = np.abs(np.swapaxes(R, -1, -2) @ R - np.eye(3)).max(axis=(2, 3)) < _TURNS
    shown, hidden = found.real & found.new & turns, found.proved & found.new & ~found.real
    sample, at = np.nonzero(shown)[0], np.nonzero(hidden)[0]
    complete = found.whole.copy()
    claim = [none_missing(most, most) if good else NO_CLAIM for good in complete]
    if T is not None and not np.iscomplexobj(T):
        for k in np.flatnonzero(~complete):
            proved = int((shown & found.proved)[k].sum())
            if proved == shown[k].sum() and most_real_angles(T[k]) == proved:
                complete[k], claim[k] = True, no_other_real(proved)
    return Solutions(
        sample,
        p[shown].real,
        R[shown].real,
        found.proved[shown],
        np.where(found.proved, found.radius, np.nan)[shown],
        hidden.sum(axis=1),
        at,
        p[hidden].astype(complex),
        complex_quaternions(R[hidden]),
        complete,
        tuple(claim),
        np.zeros(len(shown), dtype=bool),
    )


def complex_quaternions(R: NDArray[np.inexact]) -> NDArray[np.complex128]:
    """(C, 4) unit quaternions of complex rotations, by the largest of the four squares."""
    if not len(R):
        return np.zeros((0, 4), dtype=complex)
    d = np.stack([R[:, 0, 0], R[:, 1, 1], R[:, 2, 2]])
    s, m = R - R.transpose(0, 2, 1), R + R.transpose(0, 2, 1)
    squares = np.stack([1.0 + d.sum(axis=0), *(1.0 + 2.0 * d[k] - d.sum(axis=0) for k in range(3))])
    a, b, c = s[:, 2, 1], s[:, 0, 2], s[:, 1, 0]
    xy, xz, yz = m[:, 0, 1], m[:, 0, 2], m[:, 1, 2]
    w, x, y, z = squares
    rows = np.array([[w, a, b, c], [a, x, xy, xz], [b, xy, y, yz], [c, xz, yz, z]])
    best = np.abs(squares).argmax(axis=0)
    q = rows[best, :, np.arange(len(R))]
    return q / np.sqrt((q * q).sum(axis=1))[:, None]


@dataclass(frozen=True, slots=True)
class Translational:
    """Three spheres about the points where the platform's origin would be if the legs had no length."""

    spheres: LegSpheres
    R: Array

    def solve(self, q: Array, _starts: int) -> Solutions:
        """All poses at displacements q (N, 3)."""
        at = self.spheres.program(q=q)
        c = at["A"] - self.spheres.b @ self.R.T
        size = np.sqrt(at["square"].max(axis=1) + (c * c).sum(axis=2).max(axis=1))[:, None]
        c, squares = c / size[:, :, None], at["square"] / size**2
        Q = np.zeros((len(q), 3, 4, 4))
        Q[:, :, 1:, 1:] = np.eye(3)
        Q[:, :, 0, 1:] = Q[:, :, 1:, 0] = -c
        own = (c * c).sum(axis=2)
        Q[:, :, 0, 0] = own - squares
        sizes = 2.0 + 2.0 * np.sqrt(own) + own + squares
        found = judged(_points(c, squares), Q, sizes)
        p = found.y * size[:, :, None]
        return solutions_of(found, p, np.broadcast_to(self.R, (*p.shape[:2], 3, 3)), 2)


def _points(c: Array, squares: Array) -> NDArray[np.complex128]:
    """(N, 2, 3) complex points on three spheres; NaN where the centres are in a line."""
    u, v = c[:, 1] - c[:, 0], c[:, 2] - c[:, 0]
    across = np.cross(u, v)
    uu, vv, uv = ((a * b).sum(axis=1) for a, b in ((u, u), (v, v), (u, v)))
    d, e = 0.5 * (uu + squares[:, 0] - squares[:, 1]), 0.5 * (vv + squares[:, 0] - squares[:, 2])
    with np.errstate(all="ignore"):
        det = uu * vv - uv * uv
        flat = u * ((d * vv - e * uv) / det)[:, None] + v * ((e * uu - d * uv) / det)[:, None]
        height = np.sqrt((squares[:, 0] - (flat * flat).sum(axis=1)).astype(complex) / det)
        return np.stack([c[:, 0] + flat + sign * height[:, None] * across for sign in (1.0, -1.0)], axis=1)


@dataclass(frozen=True, slots=True)
class Planar:
    """Three circles in a plane.

    Attributes:
        spheres: The legs.
        axes: (3, 3) columns: two directions of the plane and its normal, in B.
        position, rotation: The platform's origin pose.
    """

    spheres: LegSpheres
    axes: Array
    position: Array
    rotation: Array

    def solve(self, q: Array, _starts: int) -> Solutions:
        """All poses at displacements q (N, 3)."""
        at = self.spheres.program(q=q)
        base = (at["A"] - self.position) @ self.axes
        ends = self.spheres.b @ self.rotation.T @ self.axes
        size = float(np.sqrt((base**2).sum(axis=2).max(axis=0).sum() + (ends**2).sum() + at["square"].max()))
        base, ends = base / size, ends / size
        squares = at["square"] / size**2 - (base[:, :, 2] - ends[:, 2]) ** 2
        first = np.sqrt(squares[:, 0].astype(complex))
        first = first if first.imag.any() else first.real
        a, b = base[:, 1:, :2] - base[:, :1, :2], ends[1:, :2] - ends[0, :2]
        T = np.zeros((len(q), 2, 3, 3), dtype=first.dtype)
        turned = np.stack([-b[:, 1], b[:, 0]], axis=1)
        T[:, :, :2, 0], T[:, :, :2, 1] = first[:, None, None] * b, first[:, None, None] * turned
        T[:, :, :2, 2] = -first[:, None, None] * a
        T[:, :, 2, 0], T[:, :, 2, 1] = -(a * b).sum(axis=2), -(a * turned).sum(axis=2)
        own = (a * a).sum(axis=2) + (b * b).sum(axis=1)
        T[:, :, 2, 2] = 0.5 * (squares[:, :1] + own - squares[:, 1:])
        wide = np.sqrt(np.abs(squares[:, :1]))
        reach = np.linalg.norm(a, axis=2) + np.linalg.norm(b, axis=1)
        sizes = 2.0 * wide * reach + 2.0 * reach**2 + 0.5 * (np.abs(squares[:, :1]) + own + np.abs(squares[:, 1:]))
        found = judged(two_angles(T, 3), _two_angle_quadrics(T), np.column_stack([np.full((len(q), 2), 3.0), sizes]))
        c, s, C, S = np.moveaxis(found.y, 2, 0)
        zero = np.zeros_like(C)
        plane = np.stack([first[:, None] * c, first[:, None] * s, zero], axis=2)
        turn = np.array([[C, -S, zero], [S, C, zero], [zero, zero, zero + 1.0]])
        turn = np.moveaxis(turn, (0, 1), (2, 3))
        at_plane = plane + base[:, :1] - np.einsum("nkij,j->nki", turn, ends[0])
        at_plane[:, :, 2] = 0.0
        p = self.position + size * at_plane @ self.axes.T
        R = self.axes @ turn @ (self.axes.T @ self.rotation)
        return solutions_of(found, p, R, 6, T)


@dataclass(frozen=True, slots=True)
class Spherical:
    """Directions of base and platform at given angles: w_i(q).R v_i = c_i(q) about a point that stays.

    Attributes:
        directions: q (N, 3) -> w (N, 3, 3), v (3, 3), c (N, 3): unit vectors and cosines.
        p: (3,) the platform's position [m].
    """

    directions: Callable[[Array], tuple[Array, Array, Array]]
    p: Array

    def solve(self, q: Array, _starts: int) -> Solutions:
        """All orientations at displacements q (N, 3)."""
        w, v, c = self.directions(q)
        count = len(q)
        v = np.broadcast_to(v, (count, 3, 3))
        sine = np.sqrt((1.0 - c[:, 0] ** 2).astype(complex))
        sine = sine if sine.imag.any() else sine.real
        C = _between(w[:, 0], v[:, 0], c[:, 0], sine)
        T = np.zeros((count, 2, 3, 3), dtype=C.dtype)
        for k in (1, 2):
            left = _around(w[:, 0], w[:, k], -1.0)
            right = _around(v[:, 0], v[:, k], 1.0)
            T[:, k - 1] = np.einsum("nia,nij,njb->nab", left, C, right)
            T[:, k - 1, 2, 2] -= c[:, k]
        sizes = np.column_stack([np.full((count, 2), 3.0), np.full((count, 2), 40.0) * (1.0 + np.abs(sine[:, None]))])
        found = judged(two_angles(T, 4), _two_angle_quadrics(T), sizes)
        cs, ss, ct, st = np.moveaxis(found.y, 2, 0)
        R = _turn(w[:, 0], cs, ss) @ C[:, None] @ _turn(v[:, 0], ct, st)
        return solutions_of(found, np.broadcast_to(self.p, (*cs.shape, 3)), R, 8, T)

    def certified(self, q: Array, R: Array) -> tuple[NDArray[np.bool_], Array]:
        """Of orientations R (M, 3, 3) at q (M, 3): whether there is one near, and one only; how far it may be [rad].

        In unit quaternions e each leg is a quadric, e.Q e = w.R(e) v - c, without angles that may be free.
        """
        w, v, c = self.directions(q)
        v = np.broadcast_to(v, w.shape)
        along = (w * v).sum(axis=2)
        Q = np.zeros((len(q), 3, 4, 4))
        Q[..., 1:, 1:] = w[..., :, None] * v[..., None, :] + v[..., :, None] * w[..., None, :]
        Q[..., 1:, 1:] -= (along + c)[..., None, None] * np.eye(3)
        Q[..., 0, 0] = along - c
        Q[..., 0, 1:] = Q[..., 1:, 0] = np.cross(v, w)
        found = certify_quadrics(complex_quaternions(R).real, Q, np.full((len(q), 3), 80.0))
        return found.proved, 4.0 * found.radius


def _two_angle_quadrics(T: NDArray[np.inexact]) -> NDArray[np.inexact]:
    circles = np.broadcast_to(np.stack([circle(4, 0), circle(4, 2)]), (len(T), 2, 5, 5))
    return np.concatenate([circles, np.stack([bilinear(T[:, k], 4, 0, 2) for k in (0, 1)], axis=1)], axis=1)


def _around(axis: Array, vector: Array, sign: float) -> Array:
    """(N, 3, 3) columns for cosine, sine and one of vectors turned about an axis by sign times an angle."""
    along = axis * (axis * vector).sum(axis=1)[:, None]
    return np.stack([vector - along, sign * np.cross(axis, vector), along], axis=2)


def _between(w: Array, v: Array, cosine: Array, sine: NDArray[np.inexact]) -> NDArray[np.inexact]:
    """(N, 3, 3) rotations that bring v to an angle of that cosine from w."""
    first, second = _frame(w), _frame(v)
    turn = np.zeros((len(w), 3, 3), dtype=np.result_type(cosine, sine))
    turn[:, 0, 0] = turn[:, 2, 2] = cosine
    turn[:, 0, 2], turn[:, 2, 0], turn[:, 1, 1] = sine, -sine, 1.0
    return first @ turn @ second.transpose(0, 2, 1)


def _frame(z: Array) -> Array:
    """(N, 3, 3) right-handed axes, the third one z."""
    x = np.cross(np.eye(3)[np.abs(z).argmin(axis=1)], z)
    x = x / np.linalg.norm(x, axis=1)[:, None]
    return np.stack([x, np.cross(z, x), z], axis=2)


def _turn(axis: Array, c: NDArray[np.inexact], s: NDArray[np.inexact]) -> NDArray[np.inexact]:
    """(N, n, 3, 3) rotations about axes (N, 3) by angles of cosines and sines (N, n)."""
    x, y, z = axis.T
    zero = np.zeros_like(x)
    K = np.moveaxis(np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]), 2, 0)[:, None]
    outer = (axis[:, :, None] * axis[:, None, :])[:, None]
    return c[..., None, None] * (np.eye(3) - outer) + outer + s[..., None, None] * K


@by_mechanism(32)
def three_legs(robot: Mechanism) -> Translational | Planar | Spherical | None:
    """The solver of a robot with three distance legs; None where it is none of these."""
    spheres = leg_spheres(robot)
    if spheres is None or len(spheres.legs) != 3:
        return None
    platform = robot.platform
    rotation, position = np.array(platform.rotation, dtype=float), np.array(platform.position, dtype=float)
    turning = [c for c in platform.coordinates if c.turns]
    sliding = {c.motion for c in platform.coordinates if not c.turns}
    if not turning:
        return Translational(spheres, rotation)
    if len(turning) == 1 and turning[0].motion[-1] not in sliding:
        k = "xyz".index(turning[0].motion[-1])
        axes = rotation[:, [(k + 1) % 3, (k + 2) % 3, k]]
        return Planar(spheres, axes, position, rotation)
    if len(turning) == 3:
        return Spherical(_Distances(spheres, position), position)
    return None


@dataclass(frozen=True, slots=True)
class _Distances:
    """Legs of known length about a point that stays, as directions at known angles."""

    spheres: LegSpheres
    p: Array

    def __call__(self, q: Array) -> tuple[Array, Array, Array]:
        at = self.spheres.program(q=q)
        base, ends = at["A"] - self.p, self.spheres.b
        far, arm = np.linalg.norm(base, axis=2), np.linalg.norm(ends, axis=1)
        c = (far**2 + arm**2 - at["square"]) / (2.0 * far * arm)
        return base / far[:, :, None], ends / arm[:, None], c
