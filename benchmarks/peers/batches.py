"""What peers that take all samples at once do around their engine: pieces, a row of joints a sample, and forces."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.peers.mechanism import Mechanism, Motion
from benchmarks.peers.vectors import Array

PIECE = 10_000
"""Samples at a time: the quickest of 256 to 10 000."""


def in_pieces(forces: Callable[[Array, Array, Array], Array], piece: int, x: Array, xd: Array, xdd: Array) -> Array:
    """(N, 6) forces at x, xd, xdd (N, 6), by a function of components (6, n) for so many samples at a time."""
    tau = np.empty((len(x), 6))
    for start in range(0, len(x), piece):
        rows = slice(start, start + piece)
        tau[rows] = forces(*(np.ascontiguousarray(values[rows].T) for values in (x, xd, xdd)))
    return tau


def by_sample(values: list[Array]) -> Array:
    """(n, legs * joints) of the joints' (legs, n), leg by leg."""
    legs, n = values[0].shape
    out = np.empty((n, legs, len(values)))
    for k, value in enumerate(values):
        out[:, :, k] = value.T
    return out.reshape(n, -1)


def actuator_forces(mechanism: Mechanism, motion: Motion, efforts: Array) -> Array:
    """(n, 6) forces of the actuators from efforts (n, legs * joints) of the legs cut from the platform."""
    split = efforts.T.reshape(-1, mechanism.joints, len(efforts))
    return mechanism.forces(motion, [np.ascontiguousarray(split[:, k]) for k in range(mechanism.joints)])
