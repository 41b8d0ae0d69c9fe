"""What the legs forbid the platform beside the motions of its coordinates: where they let go, it is loose by itself.

A leg's end moves by its joints, J thetad = A twist. With P the projector on what no joint gives, P A twist = 0: rows of
all legs together forbid 6 - n twists. Where they forbid fewer, with the actuators held or not, the platform has one
motion more: a constraint singularity (Zlatanov, Bonev and Gosselin 2002).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.graph import Array, Vector, array
from gough.kinematics.closure.newton import leg_jacobian
from gough.kinematics.robot_pose import RobotPose
from gough.singular.around import Around

RANK = 1e-9
"""Singular values of a leg's joints below this, of the largest, count as none."""


class Held:
    """How firmly the legs hold the motions that the platform must not have.

    Attributes:
        count: How many those are, 6 - n.
        at_start: The least singular value of what they forbid at the pose; lengths in units of the robot's length.
    """

    def __init__(self, around: Around) -> None:
        """Around a pose."""
        self._around = around
        self.count = 6 - around.robot.dof
        self._legs = [k for k, leg in enumerate(around.robot.legs) if leg.cable is None]
        self.at_start = float(self(around.x[None])[0]) if self.count and self._legs else 0.0

    @property
    def asked(self) -> bool:
        """Whether there is anything to hold, and the legs do so at the pose."""
        return self.at_start > 1e-6

    def __call__(self, x: Array) -> Array:
        """(N,) the least singular value of what the legs forbid at platform coordinates x (N, n); NaN out of reach."""
        W = self._forbidden(x)
        found = np.full(len(W), np.nan)
        good = np.isfinite(W).all(axis=(1, 2))
        found[good] = np.linalg.svd(W[good], compute_uv=False)[:, self.count - 1]
        return found

    def loose(self, x: Array) -> Array:
        """(6,) the twist that the legs forbid least at x (n,), beside the motions of the coordinates; lengths in m."""
        W = self._forbidden(x[None])[0]
        _, _, rows = np.linalg.svd(W)
        twist = rows[self.count - 1] * np.array([self._around.length] * 3 + [1.0] * 3)
        return np.asarray(twist)

    def _forbidden(self, x: Array) -> Array:
        """(N, rows, 6) rows that vanish for all twists that the legs allow."""
        found = self._around.chains(x=x)
        parts = []
        for k in self._legs:
            J, A = found[f"J{k}"], found[f"A{k}"]
            J = np.where(np.isfinite(J).all(axis=(1, 2), keepdims=True), J, 0.0)
            U, s, _ = np.linalg.svd(J, full_matrices=False)
            kept = U * (s > RANK * s[:, :1])[:, None, :]
            parts.append(A - kept @ (np.swapaxes(kept, 1, 2) @ A))
        return np.concatenate(parts, axis=1)


def leg_rows(pose: RobotPose, length: float) -> dict[str, Vector]:
    """J (e, m) and A (e, 6) of each leg that is no cable, lengths in units of `length`."""
    found: dict[str, Any] = {}
    for k, leg_pose in enumerate(pose.legs):
        leg = leg_pose.leg
        if leg.cable is not None:
            continue
        independent = [i for i, joint in enumerate(leg.joints) if joint.mimic is None]
        J = leg_jacobian(leg, independent, leg_pose.links, pose.platform.p_BP + leg_pose.r_end)
        scales = np.where([leg.joints[i].kind == "P" for i in independent], length, 1.0)
        rigid = J.shape[0] == 6
        rows = np.array([1.0 / length] * 3 + [1.0] * (3 if rigid else 0))
        x, y, z = leg_pose.r_end / length
        A = [[1.0, 0.0, 0.0, 0.0, z, -y], [0.0, 1.0, 0.0, -z, 0.0, x], [0.0, 0.0, 1.0, y, -x, 0.0]]
        if rigid:
            A += np.eye(6)[3:].tolist()
        found[f"J{k}"] = J * rows[:, None] * scales
        found[f"A{k}"] = array(A)
    return found
