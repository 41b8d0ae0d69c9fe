"""A platform's pose as other controllers state it: fixed axes, U-V-W about a pivot, a quaternion.

Each states the place of one point of the platform, the pivot, and an orientation R_BP:

    robot       the robot's own coordinates
    fixed-xyz   x y z rx ry rz: turns about the base's x, then y, then z, which stand still: R = Rz Ry Rx
    uvw         x y z u v w: turns about the platform's x, then y, then z, which move along: R = Rx Ry Rz
    quaternion  x y z qw qx qy qz, scalar first
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gough.errors import InputError
from gough.kinematics.orientation import angles_of, matrix_of, quaternion_of, turning_sequence
from gough.kinematics.pose import platform_pose
from gough.robot import Robot
from gough.robot.names import did_you_mean

NAMES = ("robot", "fixed-xyz", "uvw", "quaternion")
_FOUR = ("qw", "qx", "qy", "qz")
_SAME = 1e-9


class Value(NamedTuple):
    """A number of a pose: its name and what it moves: x y z slide, rx ry rz turn, q is part of a quaternion."""

    name: str
    motion: str


_PLACE = (Value("x", "x"), Value("y", "y"), Value("z", "z"))
_TURNS = {
    "fixed-xyz": (Value("rx", "rx"), Value("ry", "ry"), Value("rz", "rz")),
    "uvw": (Value("u", "rx"), Value("v", "ry"), Value("w", "rz")),
    "quaternion": tuple(Value(name, "q") for name in _FOUR),
}


@dataclass(frozen=True, slots=True)
class Convention:
    """How poses are stated: a name of `NAMES`, and the pivot in the platform's frame (3,) [m]."""

    name: str = "robot"
    pivot: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        """Raises InputError for a name that is none."""
        if self.name not in NAMES:
            raise InputError(f"--convention {self.name}: no such convention ({did_you_mean(self.name, NAMES)})")
        if self.name == "robot" and any(self.pivot):
            raise InputError("--pivot: the robot's own coordinates have their own; give --convention too")

    @property
    def text(self) -> str:
        """For people: what the numbers mean; always shown with them."""
        if self.name == "robot":
            return "the robot's own coordinates, each turn about the already turned axis"
        at = f"position of the pivot ({', '.join(f'{1e3 * v:g}' for v in self.pivot)}) mm in platform axes"
        turns = {
            "fixed-xyz": "turns rx, ry, rz about the base's fixed x, then y, then z: R = Rz Ry Rx",
            "uvw": "turns u, v, w about the platform's own x, then y, then z: R = Rx Ry Rz",
            "quaternion": "unit quaternion qw, qx, qy, qz, scalar first",
        }
        return f"{self.name}: {at}; {turns[self.name]}"

    def values(self, robot: Robot) -> tuple[Value, ...]:
        """The numbers that state a pose, in their order."""
        if self.name == "robot":
            return tuple(Value(c.name, c.motion) for c in robot.platform.coordinates)
        return (*_PLACE, *_TURNS[self.name])

    def stated(self, robot: Robot, x: Sequence[float]) -> tuple[float, ...]:
        """The values of a pose given in platform coordinates x (n,) [m and rad]."""
        if self.name == "robot":
            return tuple(float(v) for v in x)
        pose = platform_pose(robot.platform, [float(v) for v in x])
        R = np.asarray(pose.R_BP, dtype=float)
        place = np.asarray(pose.p_BP, dtype=float) + R @ self.pivot
        if self.name == "quaternion":
            turn = quaternion_of(R)
        elif self.name == "uvw":
            turn = angles_of("xyz", R)
        else:
            turn = angles_of("zyx", R)[::-1]
        return tuple(float(v) for v in (*place, *np.asarray(turn, dtype=float)))

    def solved(self, robot: Robot, values: Sequence[float]) -> tuple[float, ...]:
        """Platform coordinates (n,) of a pose given by its values.

        Raises:
            InputError: The robot cannot move there: it has no coordinate for that; or a quaternion is zero.
        """
        if self.name == "robot":
            return tuple(float(v) for v in values)
        place, turn = np.array(values[:3], dtype=float), np.array(values[3:], dtype=float)
        R = self._matrix(turn)
        return _coordinates(robot, place - R @ self.pivot, R, self)

    def _matrix(self, turn: Any) -> Any:
        """(3, 3) R_BP of the turning values."""
        if self.name == "quaternion":
            if not np.linalg.norm(turn) > 0.0:
                raise InputError("--pose: the quaternion qw, qx, qy, qz must not be zero")
            return np.asarray(matrix_of(turn), dtype=float)
        from gough.robot.rotation import turned

        if self.name == "uvw":
            return np.array(turned("xyz", turn.tolist()))
        return np.array(turned("zyx", turn[::-1].tolist()))


OWN = Convention()
"""The robot's own coordinates."""


def _coordinates(robot: Robot, p_BP: Any, R_BP: Any, convention: Convention) -> tuple[float, ...]:
    """The robot's own coordinates of a pose, found to make it up."""
    platform = robot.platform
    origin = np.array(platform.rotation, dtype=float)
    slide = origin.T @ (p_BP - np.array(platform.position, dtype=float))
    sequence = turning_sequence(platform)
    full = sequence + "".join(axis for axis in "xyz" if axis not in sequence) if len(sequence) < 3 else sequence
    angles = iter(np.asarray(angles_of(full, origin.T @ R_BP), dtype=float))
    x = tuple(
        float(next(angles)) if c.motion.startswith("r") else float(slide["xyz".index(c.motion)])
        for c in platform.coordinates
    )
    found = platform_pose(platform, x)
    apart = float(np.linalg.norm(np.asarray(found.p_BP, dtype=float) - p_BP))
    turned = float(np.abs(np.asarray(found.R_BP, dtype=float) - R_BP).max())
    if apart > _SAME or turned > _SAME:
        names = ", ".join(c.name for c in platform.coordinates)
        far = f"{1e3 * apart:.4g} mm off" if apart > _SAME else f"{np.degrees(turned):.4g} deg off"
        raise InputError(
            f"--pose: {robot.name} moves in {names} only and comes no nearer than {far} by {convention.name}; "
            "leave the other values at home"
        )
    return x
