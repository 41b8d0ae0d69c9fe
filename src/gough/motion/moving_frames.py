"""Where a frame is and how it moves, N states at a time: what all ways to state a pose have in common."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gough.graph import Array
from gough.robot import Platform
from gough.robot.leg_values import IDENTITY


@dataclass(frozen=True, slots=True)
class Frames:
    """A frame P seen from the base B.

    Attributes:
        p: (N, 3) its origin [m].
        R: (N, 3, 3) its orientation R_BP.
        v, w: (N, 3) velocity of the origin, angular velocity, base axes [m/s, rad/s]; None if not known.
        a, wd: (N, 3) their rates [m/s^2, rad/s^2]; None if not known.
    """

    p: Array
    R: Array
    v: Array | None = None
    w: Array | None = None
    a: Array | None = None
    wd: Array | None = None

    def at(self, point: Sequence[float]) -> Frames:
        """The frame with the same axes whose origin is a point (3,) of this one [m]."""
        if not any(point):
            return self
        r = self.R @ np.array(point, dtype=float)
        moved = replace(self, p=self.p + r)
        if self.v is not None and self.w is not None:
            moved = replace(moved, v=self.v + np.cross(self.w, r))
        if self.a is not None and self.w is not None and self.wd is not None:
            bend = np.cross(self.w, np.cross(self.w, r))
            moved = replace(moved, a=self.a + np.cross(self.wd, r) + bend)
        return moved

    def turned(self, rotation: Sequence[Sequence[float]]) -> Frames:
        """The frame with the same origin whose axes are turned by a rotation (3, 3) of this one."""
        return self if rotation == IDENTITY else replace(self, R=self.R @ np.array(rotation, dtype=float))


TURN = 2.0 * math.pi


def about(axis: int, angle: Array) -> Array:
    """(N, 3, 3) turns by angles (N,) [rad] about an axis 0, 1 or 2."""
    out = np.zeros((len(angle), 3, 3))
    j, k = (axis + 1) % 3, (axis + 2) % 3
    c, s = np.cos(angle), np.sin(angle)
    out[:, axis, axis] = 1.0
    out[:, j, j] = out[:, k, k] = c
    out[:, j, k], out[:, k, j] = -s, s
    return out


def both_splits(sequence: str, R: Array) -> tuple[Array, Array]:
    """The two sets of angles (N, 3) that make up R (N, 3, 3) = R_i(a) R_j(b) R_k(c), for "zyx", "zyz" or the like.

    Where the middle angle makes the outer two indistinct, any split of them is as good as another.
    """
    i, j, k = ("xyz".index(letter) for letter in sequence)
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    if i != k:
        a = np.arctan2(-sign * R[:, j, k], R[:, k, k])
        b = np.arctan2(sign * R[:, i, k], np.hypot(R[:, i, i], R[:, i, j]))
        other = math.pi - b
    else:
        last = 3 - i - j
        a = np.arctan2(R[:, j, i], -sign * R[:, last, i])
        b = np.arctan2(np.hypot(R[:, j, i], R[:, last, i]), R[:, i, i])
        other = -b
    splits = [
        np.stack([first, middle, _rest(i, j, k, first, middle, R)], axis=1)
        for first, middle in ((a, b), (a + math.pi, other))
    ]
    return splits[0], splits[1]


def _rest(i: int, j: int, k: int, a: Array, b: Array, R: Array) -> Array:
    """The last angle (N,): what the first two leave of R, so that all three make it up also where a is any."""
    left = np.swapaxes(about(i, a) @ about(j, b), 1, 2) @ R
    u, w = (k + 1) % 3, (k + 2) % 3
    return np.arctan2(left[:, w, u] - left[:, u, w], left[:, u, u] + left[:, w, w])


def continued(first: Array, second: Array, near: Array, separate: bool = False) -> Array:
    """(N, n) of two sets of angles in each row the one nearest to the row before, the first to `near` (n,).

    Whole turns are added where that is nearer. Separate rows all come nearest to `near`.
    """
    out = np.empty_like(first)
    before = near.tolist()
    for row, splits in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        ways = [[v + TURN * round((at - v) / TURN) for v, at in zip(split, before, strict=True)] for split in splits]
        out[row] = found = min(ways, key=lambda way: max(abs(v - at) for v, at in zip(way, before, strict=True)))
        before = before if separate else found
    return out


FLAT = 1e-9
"""Least volume spanned by three turning axes whose rates are independent."""
Rows = tuple[Array, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """What each of the values means, and the pose of the frame where all are zero.

    Attributes:
        motions: Motions of each value: x y z slide, rx ry rz turn.
        order: Places of the turning values in the order of their turns.
        position, rotation: (3,) [m] and (3, 3), of the frame before slides and turns.
    """

    motions: tuple[str, ...]
    order: tuple[int, ...]
    position: Any = (0.0, 0.0, 0.0)
    rotation: Any = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

    def frames(self, x: Array, xd: Array | None = None, xdd: Array | None = None) -> Frames:
        """The frame at values x (N, n), with rates and accelerations as far as they are given."""
        origin = np.array(self.rotation, dtype=float)
        p = np.array(self.position, dtype=float) + self._slides(x) @ origin.T
        R, axes = self._turned(x)
        if xd is None:
            return Frames(p, R)
        v, (w, bend) = self._slides(xd) @ origin.T, self._turning(axes, xd)
        if xdd is None:
            return Frames(p, R, v, w)
        return Frames(p, R, v, w, self._slides(xdd) @ origin.T, self._turning(axes, xdd)[0] + bend)

    def coordinates(self, frames: Frames, near: Array, separate: bool = False) -> Rows:
        """Values (N, n), and their rates and accelerations as far as the frames have them: those that come nearest.

        Args:
            frames: To be met; `self.frames` of the result says how nearly they are.
            near: (n,) values from which turns are continued from row to row.
            separate: Each row is continued from `near` instead.
        Raises:
            ZeroDivisionError: Rates are given where two of three turning axes fall together; its argument is the row.
        """
        origin = np.array(self.rotation, dtype=float)
        x = self._placed((frames.p - np.array(self.position, dtype=float)) @ origin)
        if self.order:
            x[:, self.order] = self._angles(origin.T @ frames.R, near[list(self.order)], separate)
        if frames.v is None or frames.w is None:
            return (x,)
        _, axes = self._turned(x)
        xd = self._placed(frames.v @ origin)
        self._set_turns(xd, axes, frames.w)
        if frames.a is None or frames.wd is None:
            return x, xd
        xdd = self._placed(frames.a @ origin)
        self._set_turns(xdd, axes, frames.wd - self._turning(axes, xd)[1])
        return x, xd, xdd

    def _slides(self, x: Array) -> Array:
        """(N, 3) along the origin's axes."""
        out = np.zeros((len(x), 3))
        for k, motion in enumerate(self.motions):
            if motion[0] != "r":
                out[:, "xyz".index(motion)] = x[:, k]
        return out

    def _placed(self, slides: Array) -> Array:
        """(N, n) values of slides (N, 3); turns zero."""
        out = np.zeros((len(slides), len(self.motions)))
        for k, motion in enumerate(self.motions):
            if motion[0] != "r":
                out[:, k] = slides[:, "xyz".index(motion)]
        return out

    def _turned(self, x: Array) -> tuple[Array, list[Array]]:
        """R (N, 3, 3), and the direction (N, 3) about which each value of `order` turns, base axes."""
        R = np.broadcast_to(np.array(self.rotation, dtype=float), (len(x), 3, 3))
        axes = []
        for k in self.order:
            axis = "xyz".index(self.motions[k][1])
            axes.append(R[:, :, axis])
            R = R @ about(axis, x[:, k])
        return R, axes

    def _turning(self, axes: list[Array], xd: Array) -> tuple[Array, Array]:
        """(N, 3) w of rates, and the part of its rate that the carried axes make."""
        w = bend = np.zeros((len(xd), 3))
        for k, axis in zip(self.order, axes, strict=True):
            turn = axis * xd[:, k, None]
            bend = bend + np.cross(w, turn)
            w = w + turn
        return w, bend

    def _angles(self, R: Array, near: Array, separate: bool) -> Array:
        sequence = "".join(self.motions[k][1] for k in self.order)
        count = len(sequence)
        others = "".join(axis for axis in "xyz" if axis not in sequence)
        first, second = both_splits((sequence + others)[:3], R)
        if count < 3:  # of turns about fewer axes only the split without the others makes up R
            bent = [np.abs(np.sin(split[:, count:] / 2)).max(axis=1)[:, None] for split in (first, second)]
            first = second = np.where(bent[0] <= bent[1], first, second)[:, :count]
        return continued(first, second, near, separate)

    def _set_turns(self, rates: Array, axes: list[Array], w: Array) -> None:
        """Fill in the rates of turns that make up w (N, 3), or come nearest."""
        if not axes:
            return
        E = np.stack(axes, axis=2)
        if len(axes) == 3:
            flat = np.flatnonzero(np.abs(np.linalg.det(E)) < FLAT)
            if len(flat):
                raise ZeroDivisionError(int(flat[0]))
            rates[:, self.order] = np.linalg.solve(E, w[:, :, None])[:, :, 0]
        else:  # one axis, or two at right angles
            rates[:, self.order] = np.einsum("nik,ni->nk", E, w)


def platform_chart(platform: Platform) -> Chart:
    """The chart of a robot's own coordinates."""
    motions = tuple(c.motion for c in platform.coordinates)
    order = tuple(k for k, motion in enumerate(motions) if motion[0] == "r")
    return Chart(motions, order, platform.position, platform.rotation)
