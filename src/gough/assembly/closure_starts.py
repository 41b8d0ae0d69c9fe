"""All solutions of a robot's closure at random complex displacements, by monodromy.

Real solutions near home, followed to random complex displacements and round loops from there, come back as others,
until loop after loop brings nothing new. Three such start systems must have as many solutions.
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
_QUIET = 5
"""Loops in a row that bring nothing new, after all three have as many, before they count as whole."""
_LOOPS = 60
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
        return home + wide * (random.normal(size=shape) + 1j * random.normal(size=shape))

    q = drawn()
    found = _carried(paths, tuple(seeds.astype(complex) for _ in q), np.tile(aside.astype(complex), (SYSTEMS, 1)), q)
    found = tuple(_distinct(system, z) for z in found)
    quiet = loops = 0
    while quiet < _QUIET and loops < _LOOPS:
        corners = (q, drawn(), drawn(), q)
        back = found
        for begin, end in pairwise(corners):
            back = _carried(paths, back, begin, end)
        grown = tuple(_distinct(system, np.concatenate([old, new])) for old, new in zip(found, back, strict=True))
        same = all(len(old) == len(new) for old, new in zip(found, grown, strict=True))
        level = len({len(z) for z in grown}) == 1
        quiet, loops, found = quiet + 1 if same and level else 0, loops + 1, grown
        if max(map(len, found)) > _MOST:
            return None
    return ClosureStarts(paths, q, found) if quiet >= _QUIET and all(map(len, found)) else None


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
