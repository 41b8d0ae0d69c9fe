"""Distances of poses of robots some of whose coordinates follow the others, over boxes of the free ones.

A pose is sqrt(way^2 + (length turn)^2) from another one. What is told by the free coordinates alone bounds it from
below: their own ways, and the turn of directions that they fix. With R = R_i(a) R_j(b) R_k(c), R e_k is fixed by a and
b, R^T e_i by b and c; a turn takes no direction farther than its angle. Over a box such a direction is no farther from
that in the middle than the half-widths of its angles together. Where the pose itself is enclosed, its form bounds the
distance too, with the dependent coordinates in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from gough.graph import Array, Vector, array
from gough.kinematics.configuration import turning_sequence
from gough.kinematics.dependent.constraint import home_platform
from gough.kinematics.robot_pose import RobotPose
from gough.robot import Mechanism
from gough.singular.regular import least_size

SAFE = 1.0 - 1e-12
"""What a bound of a distance is multiplied by: more than its round-off."""
_CHORD = np.sqrt(8.0)
"""|R - S| by entries is this times the sine of half the angle of the turn between them."""


def stated(pose: RobotPose) -> Vector:
    """(12,) recorded position and orientation of the platform."""
    at = pose.platform
    return array([*at.p_BP, *array(at.R_BP).reshape(9)])


def enclosed_distance(forms: Array, other: Array, length: float) -> Array:
    """(B,) not above the distance of two poses anywhere in boxes; 0 where nothing is known.

    Args:
        forms, other: (d + 2, 12, B) centres, slopes and rests of poses over the same boxes.
        length: By which turns count [m].
    """
    with np.errstate(all="ignore"):
        off = forms - other
        size = np.abs(off[0]) - np.abs(off[1:-1]).sum(axis=0) - forms[-1] - other[-1]
    return _distance(np.maximum(np.nan_to_num(size, nan=0.0, neginf=0.0, posinf=0.0), 0.0), length) * SAFE


def middle_distance(forms: Array, other: Array, length: float) -> Array:
    """(B,) not below the distance of two poses in the middles of boxes; see `enclosed_distance`."""
    with np.errstate(all="ignore"):
        size = np.abs(forms[0] - other[0]) + forms[-1] + other[-1]
    return _distance(np.nan_to_num(size, nan=np.inf), length) / SAFE


def _distance(off: Array, length: float) -> Array:
    """(B,) distance at sizes (12, B) of differences of a position and a rotation."""
    with np.errstate(all="ignore"):
        turn = 2.0 * np.arcsin(np.minimum(np.linalg.norm(off[3:], axis=0) / _CHORD, 1.0))
        return np.asarray(np.sqrt((off[:3] ** 2).sum(axis=0) + (length * turn) ** 2))


@dataclass(frozen=True)
class FreeCoordinates:
    """What the free coordinates of a robot tell of the distance of two poses.

    Attributes:
        robot: Whose.
        length: By which turns count [m].
    """

    robot: Mechanism
    length: float

    @cached_property
    def sequence(self) -> str:
        """Axes of all turns, also of those that follow others, e.g. "zyx"."""
        return turning_sequence(home_platform(self.robot))

    @cached_property
    def turns(self) -> NDArray[np.bool_]:
        """(n,) which free coordinates turn."""
        return np.array([c.turns for c in self.robot.platform.coordinates])

    @cached_property
    def _places(self) -> list[int | None]:
        """For each turn its place among the free coordinates; None where it follows others."""
        names = self.robot.coordinate_names
        whole = [c.name for c in home_platform(self.robot).coordinates if c.turns]
        return [names.index(name) if name in names else None for name in whole]

    def reach(self, distance: float, low: Array, high: Array) -> Array:
        """(n,) not below the change of any free coordinate between poses within a distance; angles at least this way.

        Slides change by no more than it. Of three turns the middle one is the angle of a direction with an axis, the
        others go about that axis and another: a direction that is an angle t away is asin(sin t / sin b) around it at
        most, b being the angle with the axis.

        Args:
            distance: Of poses [m].
            low, high: (n,) between which the coordinates of one of them are.
        """
        turn = distance / self.length
        found = np.where(self.turns, min(turn, np.pi), distance)
        if len(self.sequence) < 3:
            return found
        middle, spare = self._places[1], 0.0
        if middle is not None and self.sequence[0] == self.sequence[2]:
            spare = float(min(low[middle], np.pi - high[middle]))
        elif middle is not None:
            spare = float(0.5 * np.pi - max(-low[middle], high[middle]))
        if not 0.0 <= turn < min(spare, 0.5 * np.pi):
            return np.where(self.turns, np.pi, distance)
        for place in (self._places[0], self._places[2]):
            if place is not None:
                found[place] = np.arcsin(min(1.0, np.sin(turn) / np.sin(spare)))
        return np.where(self.turns, found * (1.0 + 1e-12), found)

    def distance(self, x: Array, off: Array, half: Array, slack: Array | float = 0.0) -> Array:
        """(B,) not above the distance of poses at free coordinates x + off from those at x, over boxes.

        Args:
            x: (B, n) or (n,) coordinates.
            off, half: (B, n) middles and half-widths.
            slack: (B,) by how much x, summed over what turns, is off at most.
        """
        ways = least_size(off, half)[:, ~self.turns]
        turn = self._turn(np.broadcast_to(x, off.shape), off, half, np.broadcast_to(slack, len(off)))
        return np.asarray(np.sqrt((ways**2).sum(axis=1) + (self.length * turn) ** 2)) * SAFE

    def _turn(self, x: Array, off: Array, half: Array, slack: Array) -> Array:
        """(B,) not above the angle of the turn."""
        found = np.zeros(len(off))
        letters, end = self.sequence.upper(), len(self.sequence)
        axes = {letter: np.eye(3)["XYZ".index(letter)] for letter in letters}
        for first, last in {(0, end), (0, end - 1), (1, end), (1, end - 1)}:
            some = [place for place in self._places[first:last] if place is not None]
            if not some or len(some) < last - first:
                continue
            here, before = (Rotation.from_euler(letters[first:last], at[:, some]) for at in (x + off, x))
            one, other = axes[letters[0]], axes[letters[-1]]
            if (first, last) == (0, end):
                angle = (here * before.inv()).magnitude()
            elif first == 0:
                angle = _between(here.apply(other), before.apply(other))
            elif last == end:
                angle = _between(here.inv().apply(one), before.inv().apply(one))
            else:
                angle = np.abs(_between(here.apply(other), one) - _between(before.apply(other), one))
            found = np.maximum(found, angle - half[:, some].sum(axis=1) - 2.0 * slack)
        return found


def _between(u: Array, v: Array) -> Array:
    """(B,) angles between vectors."""
    v = np.broadcast_to(v, u.shape)
    return np.asarray(np.arctan2(np.linalg.norm(np.cross(u, v), axis=1), (u * v).sum(axis=1)))
