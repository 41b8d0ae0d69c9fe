"""All assembly modes of robots on six distance legs: UPS, SPS, PUS, RUS, PSS, RSS, SRU and what mixes them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gough.assembly.followed import FEW, Found, Targets, followed, followed_together, same_solutions, take
from gough.assembly.leg_spheres import LegSpheres, leg_spheres
from gough.assembly.solutions import NO_CLAIM, Solutions, joined, none_missing, regular_agree, systems_agree
from gough.assembly.start_systems import CAREFUL, MOST, RobotStarts, StartSystem, robot_starts
from gough.assembly.study_poses import study_poses
from gough.errors import InputError
from gough.graph import Array, Vector, array, dot, record
from gough.kinematics.programs import actuator_places, actuator_zeros, equations
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.robot import Mechanism, by_mechanism
from gough.run import Program

AT_ONCE = 256
"""Sets of displacements that are solved together: as much as fits into the caches."""
_HELD = 1e-9
"""Share of its largest singular value that the matrix of leg lines has as its smallest one, at any pose, at least."""


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
            here = self.targets(q[k : k + 1])
            points = here.points[0]
            own = replace(self, moves=False, starts=robot_starts(points, np.zeros((len(points), 0)), here.k[0]))
            alone = own._solved(q[k : k + 1], systems) if own.starts.systems else found.of(k)
            better = alone.complete[0] or (alone.claim[0] != NO_CLAIM and found.claim[k] == NO_CLAIM)
            replaced[k] = replace(alone, retried=found.retried[k : k + 1] | True) if better else found.of(k)
        return joined([replaced.get(k) or found.of(k) for k in range(len(q))])

    def targets(self, q: Array) -> Targets:
        """The equations at displacements q (N, 6)."""
        found = _targets(self.spheres.robot, self.size)(q=q)
        points = found["points"] if self.moves else found["points"][0]
        return Targets(found["k"], found["sizes"], points, found["origin"])

    def _solved(self, q: Array, systems: int) -> Solutions:
        targets, starts = self.targets(q), self.starts
        first = starts.systems[:systems]
        together = not self.moves and starts.count < MOST and len(q) * starts.count <= FEW // len(first)
        others: list[Found | None] = [None] * len(first)
        agreed = np.full(len(q), starts.agree)
        confirmed = False
        if together and len({len(system.z) for system in first}) == 1:
            (best, *others[1:]), agree = followed_together(first, targets)
            confirmed = all(found.whole.all() for found in (best, *others[1:]) if found is not None)
            agreed &= agree | (not confirmed)
        else:
            best = followed(starts.systems[0], targets, self.moves)
        retried = ~best.whole
        again = np.flatnonzero(~best.whole)
        if len(again):
            take(best, again, followed(starts.systems[0], targets.rows(again), self.moves, CAREFUL))
        for system, other in () if confirmed else zip(first[1:], others[1:], strict=True):
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
            take(other, again, followed(system, targets.rows(rows[again]), self.moves, CAREFUL))
        agreed[rows] &= same_solutions(best if len(rows) == len(best.whole) else best.rows(rows), other)
        worse = np.flatnonzero(~best.whole[rows] & other.whole)
        if len(worse):
            take(best, rows[worse], other.rows(worse))

    def _claims(
        self, found: Found, whole: NDArray[np.bool_], agreed: NDArray[np.bool_], systems: int
    ) -> tuple[str, ...]:
        """What is said of each set."""
        count, words = self.starts.count, _WORDS[systems]
        complete = none_missing(MOST, MOST) if count == MOST else systems_agree(count, words)
        if whole.all():
            return (complete,) * len(whole)
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
        hidden = found.proved & found.new & ~found.real
        both = shown | hidden
        sample = np.nonzero(both)[0]
        p, e, R = study_poses(found.x[both], targets.origin[sample], self.size, self.spheres.b[0])
        real, proved = found.real[both], found.proved[both]
        return Solutions(
            sample[real],
            p[real].real,
            R[real],
            proved[real],
            np.where(proved, found.radius[both], np.nan)[real],
            hidden.sum(axis=1),
            sample[~real],
            p[~real],
            e[~real],
            complete,
            claims,
            retried,
        )


_WORDS = {1: "one", 2: "two", 3: "three"}


@by_mechanism(32)
def six_legs(robot: Mechanism) -> SixLegs | None:
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
    _check_held(robot, at[0], spheres.b, size)
    changes = (differences[1:] - differences[0]).T / size
    directions, widths, _ = np.linalg.svd(changes, full_matrices=False)
    kept = widths > 1e-9
    spans = np.vstack([directions[:, kept], np.zeros((len(b), int(kept.sum())))])
    solver = SixLegs(spheres, size, bool(kept.any()), RobotStarts((), False))
    home = solver.targets(_home(robot)[None])
    return replace(solver, starts=robot_starts(np.atleast_2d(home.points)[0], spans, home.k[0]))


def _home(robot: Mechanism) -> Array:
    """(6,) displacements at home."""
    at = equations(robot_pose(robot, ways_of(robot), np.array(robot.platform.home)))["joint_q"]
    return np.array(at, dtype=float)[actuator_places(robot)] - actuator_zeros(robot)


@by_mechanism(32)
def _targets(robot: Mechanism, size: float) -> Program:
    """q (6,) -> what `Targets` holds of one set."""
    spheres = leg_spheres(robot)
    assert spheres is not None
    b = (spheres.b[1:] - spheres.b[0]) / size

    def equations(q: Vector) -> dict[str, Vector]:
        at = spheres.program.graph(q=q)
        a = [(end - at["A"][0]) / size for end in at["A"][1:]]
        m, *others = (square / size**2 for square in at["square"])
        own = [dot(p, p) + float(r @ r) for p, r in zip(a, b, strict=True)]
        pairs = list(zip(own, others, strict=True))
        return {
            "k": array([*(0.5 * (both - square + m) for both, square in pairs), m]),
            "sizes": array([*(0.5 * (both + square + m) for both, square in pairs), m]),
            "points": array([*(value for p in a for value in p), *b.ravel()]),
            "origin": array(at["A"][0]),
        }

    return Program(record(equations, q=len(spheres.legs)))


def _spread(spheres: LegSpheres) -> Array:
    """(1 + 3 n, n) displacements: zero, and each actuator at three others that tell the plane its point moves in."""
    n = len(spheres.legs)
    return np.concatenate([np.zeros((1, n)), *(np.eye(n) * value for value in (0.5, 1.5, 2.5))])


def _check_held(robot: Mechanism, A: Array, b: Array, size: float) -> None:
    """Refuses a robot whose leg lines are dependent whatever the pose."""
    random = np.random.default_rng(6)
    worst = []
    for _ in range(8):
        turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
        arm = b @ (turn * np.sign(np.linalg.det(turn)))
        span = random.normal(size=3) * size + arm - A
        lines = np.concatenate([span, np.cross(arm, span) / size], axis=1) / np.linalg.norm(span, axis=1)[:, None]
        values = np.linalg.svd(lines, compute_uv=False)
        worst.append(values[-1] / values[0])
    if max(worst) < _HELD:
        raise InputError(
            f"assembly modes: {robot.name} is architecture-singular: its legs leave the platform a motion at any pose, "
            "so that no displacements fix it; change the legs' points, e.g. off a conic similar to the platform's"
        )
