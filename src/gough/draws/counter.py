"""Random numbers by counter: those of a robot and a sample depend on nothing but its numbers and the seed.

Philox 4x32 with ten rounds: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as
1, 2, 3", SC11.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

_MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_WEYL = (0x9E3779B9, 0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_ROUNDS = 10
_AT_ONCE = 4096
"""Counters worked on together: their words stay in the processor's cache."""

Array = NDArray[np.float64]
STREAMS = {"noise": 0, "ensemble": 1, "machines": 2, "poses": 3, "resampling": 4}
"""What draws, each apart from the others; below 2^16."""


def philox(counter: NDArray[np.integer], key: tuple[int, int]) -> NDArray[np.uint64]:
    """(N, 4) words of 32 bits for counters (N, 4) of 32 bits and a key of two."""
    found = np.empty((len(counter), 4), dtype=np.uint64)
    for begin in range(0, len(counter), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        _rounds([np.ascontiguousarray(counter[part, k], dtype=np.uint64) for k in range(4)], key, found[part])
    return found


def _rounds(c: list[NDArray[np.uint64]], key: tuple[int, int], out: NDArray[np.uint64]) -> None:
    """The ten rounds on four arrays of words, in place; they end in `out` (N, 4)."""
    c = [np.array(word) for word in c]
    p0, p1 = np.empty_like(c[0]), np.empty_like(c[0])
    k0, k1 = key
    for _ in range(_ROUNDS):
        np.multiply(c[0], _MULTIPLIERS[0], out=p0)
        np.multiply(c[2], _MULTIPLIERS[1], out=p1)
        np.right_shift(p1, _HALF, out=c[0])
        c[0] ^= c[1]
        c[0] ^= np.uint64(k0)
        np.bitwise_and(p1, _LOW, out=c[1])
        np.right_shift(p0, _HALF, out=c[2])
        c[2] ^= c[3]
        c[2] ^= np.uint64(k1)
        np.bitwise_and(p0, _LOW, out=c[3])
        k0, k1 = (k0 + _WEYL[0]) & 0xFFFFFFFF, (k1 + _WEYL[1]) & 0xFFFFFFFF
    for k in range(4):
        out[:, k] = c[k]


def uniforms(seed: int, robots: ArrayLike, sample: int, count: int, stream: int = 0) -> Array:
    """(N, count) numbers in (0, 1) for robots of these numbers (N,) at one sample.

    Args:
        seed: Key, below 2^64.
        robots: (N,) whole numbers.
        sample: Number of the sample.
        count: How many for each.
        stream: Apart from those of other streams.
    """
    robots = np.asarray(robots, dtype=np.uint64)
    blocks = (count + 1) // 2
    found = np.empty((len(robots), blocks, 2))
    together = max(1, _AT_ONCE // max(1, blocks))
    for begin in range(0, len(robots), together):
        some = robots[begin : begin + together]
        counter = np.empty((len(some), blocks, 4), dtype=np.uint64)
        counter[:, :, 0], counter[:, :, 1] = (some & _LOW)[:, None], (some >> _HALF)[:, None]
        counter[:, :, 2], counter[:, :, 3] = np.uint64(sample), np.arange(blocks) + (stream << 16)
        words = philox(counter.reshape(-1, 4), _key(seed)).reshape(len(some), blocks, 4)
        high, low = words[:, :, 0::2] >> np.uint64(5), words[:, :, 1::2] >> np.uint64(6)
        found[begin : begin + together] = (high * 67108864.0 + low + 0.5) / 9007199254740992.0
    return found.reshape(len(robots), 2 * blocks)[:, :count]


def whole_numbers(seed: int, numbers: ArrayLike, sample: int, count: int, below: int, stream: int = 0) -> Any:
    """(N, count) whole numbers from 0 to below `below`, each as likely; arguments as in `uniforms`."""
    return np.minimum((uniforms(seed, numbers, sample, count, stream) * below).astype(np.int64), below - 1)


def _key(seed: int) -> tuple[int, int]:
    return seed & 0xFFFFFFFF, (seed >> 32) & 0xFFFFFFFF
