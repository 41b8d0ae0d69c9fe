"""Orientations as quaternions (scalar first) and as angles of any sequence, on floats or recorded scalars."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.graph import acos, array, asin, atan2, maximum, minimum, where
from gough.robot import Platform


def matrix_of(q: Any) -> Any:
    """(3, 3) rotation of a quaternion (4,), whatever its length."""
    a, b, c, d = q
    s = 2.0 / (a * a + b * b + c * c + d * d)
    return array(
        [
            [1.0 - s * (c * c + d * d), s * (b * c - a * d), s * (b * d + a * c)],
            [s * (b * c + a * d), 1.0 - s * (b * b + d * d), s * (c * d - a * b)],
            [s * (b * d - a * c), s * (c * d + a * b), 1.0 - s * (b * b + c * c)],
        ]
    )


def quaternion_rate(q: Any, w: Any) -> Any:
    """(4,) rate of a quaternion that turns with w (3,) in base axes: half of w times q."""
    a, b, c, d = q
    x, y, z = w
    return (
        array(
            [
                -(x * b + y * c + z * d),
                x * a + y * d - z * c,
                y * a + z * b - x * d,
                z * a + x * c - y * b,
            ]
        )
        * 0.5
    )


def quaternion_of(R: Any) -> Any:
    """(4,) unit quaternion of a rotation matrix, scalar part not negative; on the largest of four pivots."""
    t0, t1, t2 = R[0, 0], R[1, 1], R[2, 2]
    choices = [
        [1.0 + t0 + t1 + t2, R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
        [R[2, 1] - R[1, 2], 1.0 + t0 - t1 - t2, R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
        [R[0, 2] - R[2, 0], R[0, 1] + R[1, 0], 1.0 - t0 + t1 - t2, R[1, 2] + R[2, 1]],
        [R[1, 0] - R[0, 1], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], 1.0 - t0 - t1 + t2],
    ]
    best, size = array(choices[0]), choices[0][0]
    for k in range(1, 4):
        larger = choices[k][k] > size
        best = where(larger, array(choices[k]), best)
        size = where(larger, choices[k][k], size)
    length = (best @ best) ** 0.5
    return best * (where(best[0] < 0.0, -1.0, 1.0) / length)


def angles_of(sequence: str, R: Any) -> Any:
    """(3,) angles with R = R_i(a) R_j(b) R_k(c) for a sequence such as "zyx" or "zyz" [rad].

    Where the middle angle makes the outer two indistinct (at +-pi/2, or at 0 and pi for a repeated axis), any split of
    them is as good as another, and what comes out is one of them only as far as round-off allows.
    """
    i, j, k = ("xyz".index(letter) for letter in sequence)
    if i != k:
        s = _parity(i, j)
        middle = asin(_within(R[i, k] * s))
        return array([atan2(R[j, k] * -s, R[k, k]), middle, atan2(R[i, j] * -s, R[i, i])])
    k = 3 - i - j
    s = _parity(i, j)
    return array([atan2(R[j, i], R[k, i] * -s), acos(_within(R[i, i])), atan2(R[i, j], R[i, k] * s)])


def _parity(i: int, j: int) -> float:
    return 1.0 if (j - i) % 3 == 1 else -1.0


def _within(value: Any) -> Any:
    return maximum(-1.0, minimum(1.0, value))


def turning_sequence(platform: Platform) -> str:
    """Axes of the turning coordinates in their order, e.g. "zyx"."""
    return "".join(c.motion[1] for c in platform.coordinates if c.turns)


def turning_places(platform: Platform) -> list[int]:
    """Places of the turning coordinates."""
    return [k for k, c in enumerate(platform.coordinates) if c.turns]


def free_turns(platform: Platform) -> list[int]:
    """Places of three turning coordinates that w in base axes, or a quaternion, can stand for; empty if there are none.

    Where others depend on them they stay as they are: what follows them is told by their own rates.
    """
    places = turning_places(platform)
    return places if len(places) == 3 and not platform.dependent else []


def relative(platform: Platform, R_BP: Any) -> Any:
    """(3, 3) rotation that the turning coordinates make up: R_origin^T R_BP."""
    origin = array(platform.rotation)
    return R_BP if np.array_equal(np.asarray(platform.rotation, dtype=object), np.eye(3)) else origin.T @ R_BP
