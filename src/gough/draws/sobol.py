"""Points of Sobol's sequence by their number, shifted at random: any stretch of it without those before.

The directions are those of scipy (S. Joe, F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional
projections", 2008), read off its own points: the sequence is linear over bits.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gough.draws.counter import STREAMS, Array, uniforms
from gough.errors import InputError

BITS = 30
MOST_POINTS = 2**BITS
MOST_DIMENSIONS = 1000


@lru_cache(maxsize=8)
def _directions(dimensions: int, bits: int) -> NDArray[np.uint64]:
    """(bits, dimensions) points of numbers 2^b, as whole numbers of `BITS` bits."""
    from scipy.stats import qmc

    found = np.zeros((bits, dimensions), dtype=np.uint64)
    sequence = qmc.Sobol(dimensions, scramble=False, bits=BITS)
    at = 0
    for b in range(bits):
        if 2**b > at:
            sequence.fast_forward(2**b - at)
        found[b] = np.rint(sequence.random(1)[0] * 2.0**BITS).astype(np.uint64)
        at = 2**b + 1
    return found


def sobol(first: int, last: int, dimensions: int, seed: int, replicate: int = 0) -> Array:
    """(last - first, dimensions) points of these numbers in (0, 1), shifted by random bits of seed and replicate.

    Raises:
        InputError: More points or dimensions than there are directions for.
    """
    if last > MOST_POINTS or dimensions > MOST_DIMENSIONS:
        raise InputError(
            f"Sobol points: {last} of {dimensions} dimensions asked for, at most {MOST_POINTS} of {MOST_DIMENSIONS}"
        )
    shifts = uniforms(seed, [replicate], 0, dimensions, STREAMS["poses"])[0] * 2.0**BITS
    whole = np.floor(shifts)
    directions = _directions(dimensions, max(_LOW_BITS, int(last - 1).bit_length()))
    found = np.empty((last - first, dimensions))
    for block in range(first >> _LOW_BITS, -(-last >> _LOW_BITS)):
        at = block << _LOW_BITS
        begin, end = max(first, at), min(last, at + (1 << _LOW_BITS))
        shift = whole.astype(np.uint64)
        for b in range(_LOW_BITS, int(block << _LOW_BITS).bit_length()):
            if at >> b & 1:
                shift ^= directions[b]
        words = _first_points(dimensions)[begin - at : end - at] ^ shift
        found[begin - first : end - first] = words
    found += shifts - whole
    found *= 2.0**-BITS
    return found


_LOW_BITS = 12
"""Points of a block differ in these bits of their numbers alone: the block is the first one, shifted."""


@lru_cache(maxsize=8)
def _first_points(dimensions: int) -> NDArray[np.uint64]:
    """(2^12, dimensions) the first points, as whole numbers of `BITS` bits."""
    numbers = np.arange(1 << _LOW_BITS, dtype=np.uint64)
    found = np.zeros((len(numbers), dimensions), dtype=np.uint64)
    for b, direction in enumerate(_directions(dimensions, _LOW_BITS)):
        found ^= ((numbers >> np.uint64(b)) & np.uint64(1))[:, None] * direction
    return found
