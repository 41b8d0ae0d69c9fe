"""Real solutions of a robot's closure by Newton's method, damped, from many starts, always the same ones."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gough.assembly.closure_system import ClosureSystem
from gough.graph import Array
from gough.run import Program

STARTS = 1000
_STEPS = 60
_CLOSED = 1e-11
_SAME = 1e-6
_SEED = 1686


@lru_cache(maxsize=32)
def closure_program(system: ClosureSystem) -> Program:
    """The equations of a system at real numbers."""
    return Program(system.graph)


def from_many_starts(system: ClosureSystem, q: Array) -> Array:
    """(k, n) different solutions at displacements q (a,) that were found; there may be others."""
    program, n = closure_program(system), len(system.unknowns)
    z = _starts(system)
    asked = np.broadcast_to(q, (len(z), len(q)))
    for _ in range(_STEPS):
        at = program(v=np.column_stack([z, asked]))
        z = z - _damped(at["by_v"][:, :, :n], at["r"])
    return z[different(signature(system, z), np.flatnonzero(closed(system, z, asked)))]


def closed(system: ClosureSystem, z: Array, q: Array) -> NDArray[np.bool_]:
    """(M,) whether real z (M, n) solve the equations at q (M, a), those of spare legs apart."""
    at = closure_program(system)(v=np.column_stack([z, q]))
    return np.asarray(np.maximum(np.abs(at["r"]).max(axis=1), np.abs(at["checks"]).max(axis=1)) <= _CLOSED)


def signature(system: ClosureSystem, z: NDArray[np.inexact]) -> NDArray[np.inexact]:
    """(.., k) the unknowns, angles as cosines and sines: the same of the same solution."""
    turning, sliding = z[..., system.turns], z[..., ~system.turns]
    return np.concatenate([np.cos(turning), np.sin(turning), sliding], axis=-1)


def different(marks: NDArray[np.inexact], rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Those of some rows (k,) of marks (M, m) that are none of those before them."""
    kept: list[int] = []
    for k in rows:
        near = np.abs(marks[kept] - marks[k]).max(axis=1) <= _SAME * (1.0 + np.abs(marks[k]).max())
        if not near.any():
            kept.append(int(k))
    return np.array(kept, dtype=int)


def _starts(system: ClosureSystem) -> Array:
    """(STARTS, n) unknowns to begin with: home, and all around."""
    random = np.random.default_rng(_SEED)
    about = np.where(system.turns, 0.0, system.home)
    wide = np.where(system.turns, np.pi, 1.0)
    z = about + random.uniform(-1.0, 1.0, (STARTS, len(about))) * wide
    z[0] = system.home
    return z


def _damped(J: Array, r: Array) -> Array:
    """(N, n) steps of the Levenberg-Marquardt method, damped by the error itself, so that they end as Newton's."""
    normal = J.transpose(0, 2, 1) @ J
    size = np.linalg.norm(r, axis=1)
    damping = 1e-3 * size**2 + 1e-15 * np.einsum("nii->n", normal)
    normal = normal + damping[:, None, None] * np.eye(J.shape[2])
    return np.linalg.solve(normal, np.einsum("nji,nj->ni", J, r)[:, :, None])[:, :, 0]
