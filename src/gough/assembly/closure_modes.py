"""Assembly modes of any robot: its closure followed from three start systems, else Newton's method from many starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.assembly.closure_starts import ClosureStarts, closure_starts
from gough.assembly.closure_system import PLATFORM, ClosureSystem, closure_system
from gough.assembly.closure_tracker import Numbers
from gough.assembly.coordinates import coordinates_of, whole
from gough.assembly.krawczyk import proved_solutions
from gough.assembly.many_starts import STARTS, closed, closure_program, different, from_many_starts, signature
from gough.assembly.singular import smallest
from gough.assembly.solutions import NO_CLAIM, Solutions, joined, only_searched, regular_agree, systems_agree
from gough.assembly.three_legs import complex_quaternions
from gough.graph import Array, Vector, array, record
from gough.kinematics.pose import platform_pose
from gough.robot import Mechanism, by_mechanism
from gough.run import Program

_REAL = 1e-6
"""Imaginary parts below this are tried as round-off."""
_MATCH = 1e-6
"""Solutions of start systems that are nearer than this are the same."""
_SPARE = 1e-9
"""What spare legs may miss, in shares of the machine's size: displacements of more actuators are rounded."""


@dataclass(frozen=True, slots=True, eq=False)
class ClosureModes:
    """The solver of a robot.

    Attributes:
        system: Its equations.
        columns: y (coordinates) -> (6, coordinates) twists of their rates.
    """

    system: ClosureSystem
    columns: Program

    def solve(self, q: Array, starts: int) -> Solutions:
        """The poses at displacements q (N, actuators), followed from this many start systems where there are some."""
        return joined([self._one(row, starts) for row in q])

    def _one(self, q: Array, systems: int) -> Solutions:
        system = self.system
        begun = closure_starts(system)
        ends = [] if begun is None else _ends(begun, q, systems)
        same = bool(ends) and _agree(system, ends)
        paths = 0 if begun is None else len(begun.z[0])
        agreed = same and len(ends[0]) == paths
        z = np.concatenate([np.zeros((0, len(system.unknowns)), dtype=complex), *ends])
        marks = signature(system, z)
        real = np.abs(marks.imag).max(axis=1) <= _REAL * (1.0 + np.abs(marks).max(axis=1))
        tried = z[real].real if agreed else np.concatenate([z[real].real, from_many_starts(system, q)])
        asked = np.broadcast_to(q, (len(tried), len(q)))
        tried = _improved(system, tried, asked)
        good = closed(system, tried, asked)
        agreed = agreed and bool(good.all())
        z_real, at = self._different(tried[good], q, closure_program(system))
        hidden = _complex_places(begun, z[~real], q)
        claim = NO_CLAIM if begun is not None else only_searched(STARTS)
        if agreed:
            spare = [system.robot.legs[k].name for k in system.spare]
            claim = systems_agree(len(z_real) + len(hidden["p"]), _WORDS[systems], spare)
        elif same and systems > 1 and 0 < len(ends[0]) < paths:
            claim = regular_agree(len(ends[0]), paths, _WORDS[systems])
        fits = np.abs(at["spares"]).max(axis=1) <= _SPARE
        z_real, at = z_real[fits], {name: values[fits] for name, values in at.items()}
        hidden = {name: values[np.abs(hidden["spares"]).max(axis=1) <= _SPARE] for name, values in hidden.items()}
        asked = np.broadcast_to(q, (len(z_real), len(q)))
        certified, radius = proved_solutions(system.square, np.column_stack([z_real, asked]), z_real.shape[1])
        value, side = self._singular(at)
        return Solutions(
            sample=np.zeros(len(z_real), dtype=int),
            p=at["p"],
            R=at["R"],
            certified=certified,
            radius=radius,
            complex=np.array([len(hidden["p"])]),
            complex_sample=np.zeros(len(hidden["p"]), dtype=int),
            complex_p=hidden["p"],
            complex_e=complex_quaternions(hidden["R"].reshape(-1, 3, 3)),
            complete=np.array([agreed]),
            claim=(claim,),
            retried=np.zeros(1, dtype=bool),
            joints=system.all_joints(z_real, asked),
            singular_value=value,
            side=side,
        )

    def _different(self, z: Array, q: Array, program: Program) -> tuple[Array, dict[str, Array]]:
        """Solutions of different poses, and the equations there."""
        at = program(v=np.column_stack([z, np.broadcast_to(q, (len(z), len(q)))]))
        kept = different(_places(at, self.system.size), np.arange(len(z)))
        return z[kept], {name: values[kept] for name, values in at.items()}

    def _singular(self, at: dict[str, Array]) -> tuple[Array, NDArray[np.int_]]:
        """Smallest singular values of K, and signs of the closure Jacobian's determinant, 0 if it is not square."""
        system, robot = self.system, self.system.robot
        n, count = len(system.unknowns), len(at["p"])
        names = [c.name for c in system.platform.coordinates]
        free = [names.index(name) for name in robot.coordinate_names]
        rest = [k for k in range(len(names)) if k not in free]
        y = coordinates_of(whole(robot), at["p"], at["R"])
        S = self.columns(y=np.ascontiguousarray(y)).reshape(count, 6, len(names))
        moved = at["place_by_v"][:, :, :n]
        spin = np.einsum("nijk,nlj->nilk", moved[:, 3:].reshape(count, 3, 3, n), at["R"])
        by_z = np.concatenate([moved[:, :3], spin[:, [2, 0, 1], [1, 2, 0]]], axis=1)
        equations = np.concatenate([at["by_v"], at["spares_by_v"]], axis=1)
        twist = np.concatenate([S[:, :, rest], -by_z, np.zeros((count, 6, len(robot.actuators)))], axis=2)
        own = np.concatenate([np.zeros((count, equations.shape[1], len(rest))), equations], axis=2)
        wanted = np.concatenate([S[:, :, free], np.zeros((count, equations.shape[1], len(free)))], axis=1)
        K = (np.linalg.pinv(np.concatenate([twist, own], axis=1)) @ -wanted)[:, -len(robot.actuators) :]
        J = at["by_v"][:, :, :n]
        if J.shape[1] != n:
            return smallest(robot, K), np.zeros(count, dtype=int)
        turning = [k for k, c in enumerate(system.platform.coordinates) if c.turns]
        charted = len(turning) == 3 and system.unknowns[0][0] == PLATFORM
        chart = np.linalg.det(S[:, 3:, turning]) if charted else np.ones(count)
        return smallest(robot, K), (np.sign(np.linalg.det(J)) * np.sign(chart)).astype(int)


_WORDS = {1: "one", 2: "two", 3: "three"}


def _ends(starts: ClosureStarts, q: Array, systems: int) -> list[Numbers]:
    """Where the solutions of each start system arrive."""
    counts = [len(z) for z in starts.z[:systems]]
    begin = np.repeat(starts.q[:systems], counts, axis=0)
    target = np.broadcast_to(q.astype(complex), begin.shape)
    z, t = starts.paths.follow(np.concatenate(starts.z[:systems]), begin, target)
    cuts = np.cumsum(counts)[:-1]
    return [own[share == 1.0] for own, share in zip(np.split(z, cuts), np.split(t, cuts), strict=True)]


def _agree(system: ClosureSystem, ends: list[Numbers]) -> bool:
    """Whether the paths that arrived did so at different solutions, the same of each start system and conjugate."""
    marks = [signature(system, z) for z in ends]
    if any(len(own) != len(marks[0]) or len(different(own, np.arange(len(own)))) != len(own) for own in marks):
        return False
    return len(marks[0]) == 0 or all(_covers(marks[0], own) for own in (np.conj(marks[0]), *marks[1:]))


def _covers(marks: NDArray[np.inexact], others: NDArray[np.inexact]) -> bool:
    """Whether each of others is one of marks."""
    off = np.abs(others[:, None] - marks).max(axis=2)
    return bool((off.min(axis=1) <= _MATCH * (1.0 + np.abs(others).max(axis=1))).all())


def _improved(system: ClosureSystem, z: Array, q: Array) -> Array:
    """Real solutions after Newton's method has done what it can."""
    program = closure_program(system)
    for _ in range(3):
        at = program(v=np.column_stack([z, q]))
        z = z - np.einsum("nij,nj->ni", np.linalg.pinv(at["by_v"][:, :, : z.shape[1]]), at["r"])
    return z


def _places(at: dict[str, Any], size: float) -> NDArray[np.inexact]:
    return np.concatenate([at["p"] / size, at["R"].reshape(len(at["p"]), 9)], axis=1)


def _complex_places(starts: ClosureStarts | None, z: Numbers, q: Array) -> dict[str, Numbers]:
    """Different poses of complex solutions, and what spare legs miss there."""
    if starts is None or not len(z):
        return {"p": np.zeros((0, 3), complex), "R": np.zeros((0, 9), complex), "spares": np.zeros((0, 1), complex)}
    at = starts.paths.at(z, np.broadcast_to(q.astype(complex), (len(z), len(q))))
    kept = different(_places(at, starts.paths.system.size), np.arange(len(z)))
    return {name: at[name][kept] for name in ("p", "R", "spares")}


@by_mechanism(32)
def closure_modes(robot: Mechanism) -> ClosureModes:
    """The solver of a robot.

    Raises:
        InputError: It has cables.
    """
    system = closure_system(robot)

    def columns(y: Vector) -> Vector:
        return array([[*v, *w] for v, w in platform_pose(system.platform, y).columns]).T

    return ClosureModes(system, Program(record(columns, y=len(system.platform.coordinates))))
