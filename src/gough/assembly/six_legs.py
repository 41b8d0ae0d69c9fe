"""All assembly modes of robots on six distance legs: UPS, SPS, PUS, RUS, PSS, RSS, SRU and what mixes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gough.assembly.certificate import Certified, certify, pose_of, rotations, study_point
from gough.assembly.leg_spheres import LegSpheres, leg_spheres
from gough.assembly.separate import apart, by_set, overlaps
from gough.assembly.solutions import NO_CLAIM, Solutions, joined, none_missing, regular_agree, systems_agree
from gough.assembly.start_systems import CAREFUL, MOST, RobotStarts, StartSystem, robot_starts
from gough.assembly.tracker import FEW, polished, track
from gough.errors import InputError
from gough.graph import Array
from gough.robot import Robot

AT_ONCE = 256
"""Sets of displacements that are solved together: as much as fits into the caches."""
_NEARLY_REAL = 1e-3
"""Imaginary parts below this are looked at as if they were round-off."""
_DOUBTFUL = 1e-5
"""Below this a solution that nothing is proved of counts as a pose."""
_HELD = 1e-9
"""Share of its largest singular value that the matrix of leg lines has as its smallest one, at any pose, at least."""


@dataclass(frozen=True, slots=True)
class Targets:
    """The equations of N sets of displacements.

    Attributes:
        k: (N, 6) k_1 .. k_5 and m.
        sizes: (N, 6) sizes of what k is the difference of.
        points: (30,) or, where the actuators move the legs' points, (N, 30).
        origin: (N, 3) A_0 [m].
    """

    k: Array
    sizes: Array
    points: Array
    origin: Array

    def rows(self, chosen: NDArray[np.intp]) -> Targets:
        """Those of some sets."""
        points = self.points if self.points.ndim == 1 else self.points[chosen]
        return Targets(self.k[chosen], self.sizes[chosen], points, self.origin[chosen])

    def repeated(self, count: int) -> tuple[Array, Array, Array]:
        """k, points and sizes, each set `count` times."""
        points = self.points if self.points.ndim == 1 else np.repeat(self.points, count, axis=0)
        return np.repeat(self.k, count, axis=0), points, np.repeat(self.sizes, count, axis=0)


@dataclass(frozen=True, slots=True)
class Found:
    """Solutions of N sets of displacements that n paths each led to.

    Attributes:
        x: (N, n, 8) on Study's quadric.
        real: (N, n) whether it is a pose, or may be.
        proved: (N, n) whether there is one solution near it, and one only.
        radius: (N, n) how far it may be.
        new: (N, n) whether it is none of those before it.
        whole: (N,) whether all n are proved, different, surely real or surely not, and closed under conjugation.
    """

    x: NDArray[np.complex128]
    real: NDArray[np.bool_]
    proved: NDArray[np.bool_]
    radius: Array
    new: NDArray[np.bool_]
    whole: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SixLegs:
    """The solver of a robot.

    Attributes:
        spheres: Its legs.
        size: What lengths are divided by [m].
        moves: Whether the actuators move the legs' points.
        starts: Its start systems.
    """

    spheres: LegSpheres
    size: float
    moves: bool
    starts: RobotStarts

    def solve(self, q: Array, systems: int) -> Solutions:
        """All poses at displacements q (N, 6), each followed from this many start systems unless all 40 are proved."""
        return joined([self._some(q[k : k + AT_ONCE], systems) for k in range(0, len(q), AT_ONCE)])

    def _some(self, q: Array, systems: int) -> Solutions:
        """Where the actuators move the legs' points and these are special, start systems of their own are made."""
        found = self._solved(q, systems)
        special: list[int] = np.flatnonzero(~found.complete).tolist() if self.moves else []
        if not special:
            return found
        replaced = {}
        for k in special:
            points = self.targets(q[k : k + 1]).points[0]
            own = replace(self, moves=False, starts=robot_starts(points, np.zeros((len(points), 0))))
            alone = own._solved(q[k : k + 1], systems) if own.starts.systems else found.of(k)
            better = alone.complete[0] or (alone.claim[0] != NO_CLAIM and found.claim[k] == NO_CLAIM)
            replaced[k] = replace(alone, retried=found.retried[k : k + 1] | True) if better else found.of(k)
        return joined([replaced.get(k) or found.of(k) for k in range(len(q))])

    def targets(self, q: Array) -> Targets:
        """The equations at displacements q (N, 6)."""
        at = self.spheres.program(q=q)
        a = (at["A"][:, 1:] - at["A"][:, :1]) / self.size
        b = (self.spheres.b[1:] - self.spheres.b[0]) / self.size
        squares = at["square"] / self.size**2
        own = (a * a).sum(axis=2) + (b * b).sum(axis=1)
        m, others = squares[:, :1], squares[:, 1:]
        k = np.concatenate([0.5 * (own - others + m), m], axis=1)
        sizes = np.concatenate([0.5 * (own + others + m), m], axis=1)
        points = np.concatenate([a.reshape(len(q), -1), np.broadcast_to(b.ravel(), (len(q), b.size))], axis=1)
        return Targets(k, sizes, points if self.moves else points[0], at["A"][:, 0])

    def _solved(self, q: Array, systems: int) -> Solutions:
        targets, starts = self.targets(q), self.starts
        first = starts.systems[:systems]
        together = not self.moves and starts.count < MOST and len(q) * starts.count <= FEW // len(first)
        others: list[Found | None] = [None] * len(first)
        if together and len({len(system.z) for system in first}) == 1:
            best, *others[1:] = followed_together(first, targets)
        else:
            best = followed(starts.systems[0], targets, self.moves)
        retried = ~best.whole
        again = np.flatnonzero(~best.whole)
        if len(again):
            _take(best, again, followed(starts.systems[0], targets.rows(again), self.moves, CAREFUL))
        agreed = np.full(len(q), starts.agree)
        for system, other in zip(first[1:], others[1:], strict=True):
            rows = np.flatnonzero(~best.whole if starts.count == MOST else np.ones(len(q), dtype=bool))
            if len(rows):
                self._confirm(best, agreed, rows, system, targets, other)
        whole = best.whole if starts.count == MOST else best.whole & agreed
        return self._poses(best, targets, whole, self._claims(best, whole, agreed, systems), retried)

    def _confirm(
        self,
        best: Found,
        agreed: NDArray[np.bool_],
        rows: NDArray[np.intp],
        system: StartSystem,
        targets: Targets,
        other: Found | None,
    ) -> None:
        """Compares some sets with what another start system leads to, and takes that where it is better."""
        other = followed(system, targets.rows(rows), self.moves) if other is None else other
        again = np.flatnonzero(~other.whole)
        if len(again):
            _take(other, again, followed(system, targets.rows(rows[again]), self.moves, CAREFUL))
        agreed[rows] &= _same(best if len(rows) == len(best.whole) else _rows(best, rows), other)
        worse = np.flatnonzero(~best.whole[rows] & other.whole)
        if len(worse):
            _take(best, rows[worse], _rows(other, worse))

    def _claims(
        self, found: Found, whole: NDArray[np.bool_], agreed: NDArray[np.bool_], systems: int
    ) -> tuple[str, ...]:
        """What is said of each set."""
        count, words = self.starts.count, _WORDS[systems]
        complete = none_missing(MOST, MOST) if count == MOST else systems_agree(count, words)
        regular = (found.proved & found.new).sum(axis=1)
        return tuple(
            complete if good else regular_agree(int(n), count, words) if same and n and systems > 1 else NO_CLAIM
            for good, same, n in zip(whole, agreed, regular, strict=True)
        )

    def _poses(
        self,
        found: Found,
        targets: Targets,
        complete: NDArray[np.bool_],
        claims: tuple[str, ...],
        retried: NDArray[np.bool_],
    ) -> Solutions:
        shown = found.real & found.new
        sample = np.nonzero(shown)[0]
        p, e = pose_of(found.x[shown].real)
        R = rotations(e)
        b0 = self.spheres.b[0]
        hidden = found.proved & found.new & ~found.real
        x = found.x[hidden]
        at = np.nonzero(hidden)[0]
        complex_p, complex_e = pose_of(x)
        return Solutions(
            sample,
            p * self.size + targets.origin[sample] - R @ b0,
            R,
            found.proved[shown],
            np.where(found.proved, found.radius, np.nan)[shown],
            hidden.sum(axis=1),
            at,
            complex_p * self.size + targets.origin[at] - rotations(complex_e) @ b0,
            complex_e,
            complete,
            claims,
            retried,
        )


_WORDS = {1: "one", 2: "two", 3: "three"}


def followed(start: StartSystem, targets: Targets, moves: bool, care: dict[str, float] | None = None) -> Found:
    """Where the paths from a start system lead, to the points of each set if these move; with how much `care`."""
    return _led((start,), targets, moves, care)


def followed_together(starts: Sequence[StartSystem], targets: Targets) -> list[Found]:
    """Where the paths from several start systems of as many solutions lead, the points as they are; one after another.

    For few sets of displacements that is quicker than one system at a time. What is found is the same.
    """
    found, sets = _led(starts, targets, False, None), len(targets.k)
    parts = [slice(k * sets, (k + 1) * sets) for k in range(len(starts))]
    return [Found(*(getattr(found, name)[part] for name in Found.__slots__)) for part in parts]


def _led(starts: Sequence[StartSystem], targets: Targets, moves: bool, care: dict[str, float] | None) -> Found:
    """Where paths lead: all sets from the first start system, then all from the next."""
    sets, n = len(targets.k) * len(starts), len(starts[0].z)
    k, points, sizes = targets.repeated(n)
    k, sizes = np.tile(k, (len(starts), 1)), np.tile(sizes, (len(starts), 1))
    begin = np.concatenate([np.tile(start.z, (len(targets.k), 1)) for start in starts])
    k0 = np.repeat([start.k for start in starts], len(targets.k) * n, axis=0)
    at = starts[0].points
    ends = track(begin, k0, k, at, points if moves else None, **(care or {}))
    z, arrived = ends.z, ends.arrived
    lost = np.flatnonzero(~arrived)
    if len(lost) and not care:
        again = track(begin[lost], k0[lost], k[lost], at, points[lost] if moves else None, **CAREFUL)
        z[lost], arrived[lost] = again.z, again.arrived
    z = polished(z, k, points)[0]
    good = arrived & np.isfinite(z).all(axis=1)
    z[~good] = starts[0].z[0]
    return _judged(study_point(z), good, k, points, sizes, (sets, n))


def _judged(
    x: NDArray[np.complex128], arrived: NDArray[np.bool_], k: Array, points: Array, sizes: Array, shape: tuple[int, int]
) -> Found:
    """What is proved of points x (N n, 8)."""

    def certified(rows: NDArray[np.intp], at: NDArray[np.inexact]) -> Certified:
        own = points if points.ndim == 1 else points[rows]
        return certify(at, k[rows], own, sizes[rows])

    found = certified(np.arange(len(x)), x)
    proved, radius = found.proved & arrived, found.radius.copy()
    nearly = np.flatnonzero(arrived & (np.abs(x.imag).max(axis=1) < _NEARLY_REAL))
    real = np.zeros(len(x), dtype=bool)
    best = found.x.astype(complex)
    if len(nearly):
        flat = x[nearly].real
        tried = certified(nearly, flat / np.linalg.norm(flat, axis=1)[:, None])
        near = ~apart(tried.x, x[nearly], 0.5 * tried.alone, 0.0)
        sure = tried.proved & near
        real[nearly] = sure | (~proved[nearly] & (np.abs(x[nearly].imag).max(axis=1) < _DOUBTFUL))
        taken = nearly[real[nearly]]
        best[taken] = np.where(sure[:, None], tried.x, flat / np.linalg.norm(flat, axis=1)[:, None])[real[nearly]]
        proved[nearly[sure]] = True
        radius[nearly[sure]] = tried.radius[sure]
    radius = by_set(np.where(proved, radius, 0.0), shape)
    best, real, proved = by_set(best, shape), by_set(real, shape), by_set(proved, shape)
    same = overlaps(best, radius, best, radius)
    used = proved | real
    new = used & ~(same & used[:, None, :] & np.tri(shape[1], k=-1, dtype=bool)).any(axis=2)
    conjugate = overlaps(np.conj(best), radius, best, radius)
    unreal = ~np.einsum("nii->ni", conjugate)
    whole = (proved & new & (real | unreal)).all(axis=1)
    whole &= (real | (conjugate & (proved & ~real)[:, None, :]).any(axis=2)).all(axis=1)
    return Found(best, real, proved, radius, new, whole)


def _take(best: Found, rows: NDArray[np.intp], other: Found) -> None:
    """Puts other's sets in the place of some, where they are whole, or hold more that is proved."""
    better = other.whole | ((other.proved & other.new).sum(axis=1) > (best.proved & best.new)[rows].sum(axis=1))
    for name in Found.__slots__:
        getattr(best, name)[rows[better]] = getattr(other, name)[better]


def _rows(found: Found, rows: NDArray[np.intp]) -> Found:
    return Found(*(getattr(found, name)[rows] for name in Found.__slots__))


def _same(one: Found, other: Found) -> NDArray[np.bool_]:
    """(N,) whether what is proved in one is the same as what is proved in the other: each may be one of those."""
    matched = overlaps(one.x, one.radius + 1e-9, other.x, other.radius + 1e-9)
    matched &= one.proved[:, :, None] & other.proved[:, None, :]
    return np.all(matched.any(axis=2) | ~one.proved, axis=1) & np.all(matched.any(axis=1) | ~other.proved, axis=1)


@lru_cache(maxsize=32)
def six_legs(robot: Robot) -> SixLegs | None:
    """The solver of a robot; None where it is not one on six distance legs.

    Raises:
        InputError: Its legs hold the platform at no pose.
    """
    spheres = leg_spheres(robot)
    if spheres is None or len(spheres.legs) != 6 or robot.dof != 6:
        return None
    at = spheres.program(q=_spread(spheres))["A"]
    differences = (at[:, 1:] - at[:, :1]).reshape(len(at), -1)
    b = (spheres.b[1:] - spheres.b[0]).ravel()
    size = float(np.sqrt(np.mean(np.concatenate([differences[0], b]) ** 2) * 3.0))
    about = np.concatenate([differences[0], b]) / size
    _check_held(robot, at[0], spheres.b, size)
    changes = (differences[1:] - differences[0]).T / size
    directions, widths, _ = np.linalg.svd(changes, full_matrices=False)
    kept = widths > 1e-9
    spans = np.vstack([directions[:, kept], np.zeros((len(b), int(kept.sum())))])
    return SixLegs(spheres, size, bool(kept.any()), robot_starts(about, spans))


def _spread(spheres: LegSpheres) -> Array:
    """(1 + 3 n, n) displacements: zero, and each actuator at three others that tell the plane its point moves in."""
    n = len(spheres.legs)
    return np.concatenate([np.zeros((1, n)), *(np.eye(n) * value for value in (0.5, 1.5, 2.5))])


def _check_held(robot: Robot, A: Array, b: Array, size: float) -> None:
    """Refuses a robot whose leg lines are dependent whatever the pose."""
    random = np.random.default_rng(6)
    worst = []
    for _ in range(8):
        e = random.normal(size=4)
        arm = b @ rotations(e[None] / np.linalg.norm(e))[0].T
        span = random.normal(size=3) * size + arm - A
        lines = np.concatenate([span, np.cross(arm, span) / size], axis=1) / np.linalg.norm(span, axis=1)[:, None]
        values = np.linalg.svd(lines, compute_uv=False)
        worst.append(values[-1] / values[0])
    if max(worst) < _HELD:
        raise InputError(
            f"assembly modes: {robot.name} is architecture-singular: its legs leave the platform a motion at any pose, "
            "so that no displacements fix it; change the legs' points, e.g. off a conic similar to the platform's"
        )
