"""All solutions of a robot's closure at random complex displacements, by monodromy.

Real solutions near home, followed to random complex displacements and round loops from there, come back as others. In a
round each of three start systems is led round a loop and over to the next one. The rounds end when several in a row
bring nothing new, and all three have as many.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from gough.assembly.closure_system import ClosureSystem
from gough.assembly.closure_tracker import ClosurePaths, Numbers, closure_paths
from gough.assembly.many_starts import different, from_many_starts, signature
from gough.errors import InputError
from gough.graph import Array
from gough.kinematics.inverse import inverse_kinematics

SYSTEMS = 3
_QUIET = 8
"""Rounds in a row that bring nothing new, after all three have as many, before they count as whole."""
_ROUNDS = 100
_MOST = 256
"""Solutions beyond which it is given up."""
_SEED = 1851
_ASIDE = 0.02
"""How far from home's displacements real solutions are looked for: home itself may be special."""


@dataclass(frozen=True, slots=True)
class ClosureStarts:
    """Start systems of a robot.

    Attributes:
        paths: What follows their solutions.
        q: (3, a) complex displacements.
        z: For each its solutions (k, n), as many as the others have.
    """

    paths: ClosurePaths
    q: Numbers
    z: tuple[Numbers, ...]


@lru_cache(maxsize=32)
def closure_starts(system: ClosureSystem) -> ClosureStarts | None:
    """Start systems of a robot; None where there are none: see `closure_paths`."""
    try:
        paths = closure_paths(system)
    except InputError:
        return None
    if paths is None:
        return None
    random = np.random.default_rng(_SEED)
    joints = system.robot.actuators
    wide = np.array([1.0 if joint.turns else 0.5 * system.size for joint in joints])
    home = inverse_kinematics(system.robot, system.robot.platform.home).q
    aside, seeds = _seeds(system, home, random.uniform(-1.0, 1.0, len(wide)) * wide)
    if not len(seeds):
        return None

    def drawn() -> Numbers:
        shape = (SYSTEMS, len(wide))
        apart = 10.0 ** random.uniform(-0.5, 1.0)
        return home + apart * wide * (random.normal(size=shape) + 1j * random.normal(size=shape))

    q = home + wide * (random.normal(size=(SYSTEMS, len(wide))) + 1j * random.normal(size=(SYSTEMS, len(wide))))
    found = _carried(paths, tuple(seeds.astype(complex) for _ in q), np.tile(aside.astype(complex), (SYSTEMS, 1)), q)
    found = tuple(_distinct(system, z) for z in found)
    quiet = rounds = 0
    while quiet < _QUIET and rounds < _ROUNDS:
        before = [len(z) for z in found]
        found = _joined(system, found, _round(paths, found, (q, drawn(), drawn(), q)))
        onward = _round(paths, found, (q, drawn(), np.roll(q, -1, axis=0)))
        found = _joined(system, found, (onward[-1], *onward[:-1]))
        same = before == [len(z) for z in found] and len({len(z) for z in found}) == 1
        quiet, rounds = quiet + 1 if same else 0, rounds + 1
        if max(map(len, found)) > _MOST:
            return None
    return ClosureStarts(paths, q, found) if quiet >= _QUIET and all(map(len, found)) else None


def _round(paths: ClosurePaths, z: tuple[Numbers, ...], corners: tuple[Numbers, ...]) -> tuple[Numbers, ...]:
    """Where the solutions of each system arrive by way of these displacements."""
    for begin, end in pairwise(corners):
        z = _carried(paths, z, begin, end)
    return z


def _joined(system: ClosureSystem, z: tuple[Numbers, ...], others: tuple[Numbers, ...]) -> tuple[Numbers, ...]:
    """The solutions of each system with those that are new."""
    return tuple(_distinct(system, np.concatenate([own, new])) for own, new in zip(z, others, strict=True))


def _seeds(system: ClosureSystem, home: Array, way: Array) -> tuple[Array, Array]:
    """Displacements near those of home, and real solutions there."""
    found = np.zeros((0, len(system.unknowns)))
    aside = home
    for share in (_ASIDE, 0.1 * _ASIDE, 0.0):
        aside = home + share * way
        found = from_many_starts(system, aside)
        if len(found):
            break
    return aside, found


def _carried(paths: ClosurePaths, z: tuple[Numbers, ...], begin: Numbers, end: Numbers) -> tuple[Numbers, ...]:
    """Where the solutions of each system arrive, from its displacements `begin` to `end`."""
    counts = [len(own) for own in z]
    from_q, to_q = (np.repeat(q, counts, axis=0) for q in (begin, end))
    ends, t = paths.follow(np.concatenate(z), from_q, to_q)
    cuts = np.cumsum(counts)[:-1]
    return tuple(own[arrived == 1.0] for own, arrived in zip(np.split(ends, cuts), np.split(t, cuts), strict=True))


def _distinct(system: ClosureSystem, z: Numbers) -> Numbers:
    return z[different(signature(system, z), np.arange(len(z)))]
