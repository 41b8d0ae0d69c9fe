"""Where one frame is in another: a position and a rotation, with the ways files write rotations."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def _zero() -> Floats:
    return np.zeros(3)


def _one() -> Floats:
    return np.eye(3)


@dataclass(frozen=True, eq=False)
class Placement:
    """A frame F in a frame E: `position` (3,) is p_EF [m], `rotation` (3, 3) is R_EF."""

    position: Floats = field(default_factory=_zero)
    rotation: Floats = field(default_factory=_one)

    def __matmul__(self, other: Placement) -> Placement:
        """X_EG of X_EF (this) and X_FG."""
        return Placement(self.position + self.rotation @ other.position, self.rotation @ other.rotation)

    def inverse(self) -> Placement:
        """X_FE."""
        return Placement(-self.rotation.T @ self.position, self.rotation.T)

    def point(self, p: ArrayLike) -> Floats:
        """(3,) a point of F in E [m]."""
        return self.position + self.rotation @ np.asarray(p, dtype=float)


def placed(position: ArrayLike, rotation: ArrayLike) -> Placement:
    """The placement of plain numbers."""
    return Placement(np.array(position, dtype=float), np.array(rotation, dtype=float))


def moved(kind: str, axis: ArrayLike, q: float) -> Placement:
    """Motion of a joint: "R" turns by q [rad] about the unit vector `axis`, "P" slides by q [m] along it."""
    u = np.asarray(axis, dtype=float)
    return Placement(position=q * u) if kind == "P" else Placement(rotation=about(u, q))


def about(u: Floats, angle: float) -> Floats:
    """(3, 3) rotation by `angle` [rad] about the unit vector u (3,)."""
    K = cross_matrix(u)
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)


def cross_matrix(u: ArrayLike) -> Floats:
    """(3, 3) K with K v = u x v."""
    x, y, z = np.asarray(u, dtype=float)
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def from_rpy(angles: ArrayLike) -> Floats:
    """(3, 3) Rz(yaw) Ry(pitch) Rx(roll) of roll, pitch, yaw [rad], as URDF and SDF count them."""
    x, y, z = np.eye(3)
    roll, pitch, yaw = (float(a) for a in np.asarray(angles, dtype=float))
    return about(z, yaw) @ about(y, pitch) @ about(x, roll)


def to_rpy(R: Floats) -> Floats:
    """(3,) roll, pitch, yaw [rad]; exact also where the pitch is a right angle, since roll is counted behind yaw."""
    yaw = np.arctan2(R[1, 0], R[0, 0])
    c, s = np.cos(yaw), np.sin(yaw)
    pitch = np.arctan2(-R[2, 0], c * R[0, 0] + s * R[1, 0])
    roll = np.arctan2(s * R[0, 2] - c * R[1, 2], c * R[1, 1] - s * R[0, 1])
    return np.array([roll, pitch, yaw]) + 0.0


def from_quaternion(wxyz: ArrayLike) -> Floats:
    """(3, 3) rotation of a quaternion w, x, y, z of any length but zero."""
    q = np.asarray(wxyz, dtype=float)
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def to_quaternion(R: Floats) -> Floats:
    """(4,) w, x, y, z of a rotation, w not negative."""
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(R).as_quat()
    return np.array([w, x, y, z]) * (-1.0 if w < 0 else 1.0) + 0.0
