"""Pinocchio as its documentation teaches: sample by sample, the loops closed by constraint rows.

The platform is a chain of its own coordinates beside the legs. Joint angles come from the legs' closed forms, all
samples at once; rates, accelerations and projection from Pinocchio's frame Jacobians by dense linear algebra.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pinocchio as pin

from benchmarks.peers.batches import by_sample
from benchmarks.peers.mechanism import Mechanism
from benchmarks.peers.pinocchio_model import add_leg, add_platform
from benchmarks.peers.vectors import Array
from gough.robot import Robot

WORLD = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


@dataclass(frozen=True)
class PinocchioTextbook:
    """Inverse dynamics of one robot, one sample after the other."""

    robot: Robot

    @cached_property
    def mechanism(self) -> Mechanism:
        return Mechanism(self.robot)

    @cached_property
    def tree(self) -> tuple[Any, Any, list[tuple[int, int]], list[int]]:
        """Model, data, frames (on the leg, on the platform) that coincide, velocity indices of the actuators."""
        model = pin.Model()
        model.gravity.linear = np.array(self.robot.gravity)
        legs = [add_leg(model, leg, self.mechanism.joints, False, leg.name) for leg in self.robot.legs]
        add_platform(model, self.robot)
        frames = []
        for leg, ids in zip(self.robot.legs, legs, strict=True):
            end = leg.end
            places = [(ids[-1], end.point, end.rotation)]
            places.append((model.njoints - 1, end.platform_point, end.platform_rotation))
            frames.append(tuple(_frame(model, leg.name + str(k), *place) for k, place in enumerate(places)))
        driven = [
            model.joints[i].idx_v
            for leg, ids in zip(self.robot.legs, legs, strict=True)
            for joint, i in zip(leg.joints, ids, strict=False)
            if joint.actuated
        ]
        return model, model.createData(), frames, driven

    def __call__(self, x: Array, xd: Array, xdd: Array) -> Array:
        """(N, 6) forces."""
        motion = self.mechanism.motion(np.ascontiguousarray(x.T), np.zeros((6, len(x))), np.zeros((6, len(x))))
        angles = [np.arctan2(a[1], a[0]) if isinstance(a, tuple) else a for a in motion.legs.angles]
        q = np.concatenate([by_sample(angles), x], axis=1)
        one = self._rigid if self.mechanism.kind == "SRU" else self._spherical
        tau = np.empty((len(x), 6))
        for k in range(len(x)):
            tau[k] = one(q[k], xd[k], xdd[k])
        return tau

    def _spherical(self, q: Array, xd: Array, xdd: Array) -> Array:
        """Forces of one sample; three rows a leg."""
        model, data, frames, _ = self.tree
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        C = np.empty((18, model.nv))
        for k, (mine, theirs) in enumerate(frames):
            gap = pin.getFrameJacobian(model, data, mine, WORLD) - pin.getFrameJacobian(model, data, theirs, WORLD)
            C[3 * k : 3 * k + 3] = gap[:3]

        def bias() -> Array:
            a, b = [
                [pin.getFrameClassicalAcceleration(model, data, pair[side], WORLD).linear for pair in frames]
                for side in (0, 1)
            ]
            return np.concatenate(a) - np.concatenate(b)

        return self._finish(q, xd, xdd, C, bias)

    def _rigid(self, q: Array, xd: Array, xdd: Array) -> Array:
        """Forces of one sample; the last, massless turn of each leg is left free: five rows a leg.

        The relative turning has no part along the axes y, z of the end frame, x being the last axis.
        """
        model, data, frames, _ = self.tree
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        turns = [data.oMf[theirs].rotation.T for _, theirs in frames]
        C = np.empty((30, model.nv))
        for k, (mine, theirs) in enumerate(frames):
            gap = pin.getFrameJacobian(model, data, mine, WORLD) - pin.getFrameJacobian(model, data, theirs, WORLD)
            C[5 * k : 5 * k + 3] = gap[:3]
            C[5 * k + 3 : 5 * k + 5] = turns[k][1:] @ gap[3:]

        def bias() -> Array:
            out = np.empty((6, 5))
            for row, (mine, theirs), turn in zip(out, frames, turns, strict=True):
                a, b = (pin.getFrameClassicalAcceleration(model, data, f, WORLD).vector for f in (mine, theirs))
                w_leg, w = (turn @ pin.getFrameVelocity(model, data, f, WORLD).angular for f in (mine, theirs))
                gap, spin = a - b, w_leg[0] - w[0]
                row[:3], row[3:] = gap[:3], turn[1:] @ gap[3:]
                row[3] -= spin * w[2]
                row[4] += spin * w[1]
            return out.ravel()

        return self._finish(q, xd, xdd, C, bias)

    def _finish(self, q: Array, xd: Array, xdd: Array, C: Array, bias: Any) -> Array:
        """Forces from the constraint rows: v = G xd, a = G xdd + g, tau = G_act^-T G^T rnea(q, v, a)."""
        model, data, _, driven = self.tree
        legs = model.nv - 6
        G = np.empty((model.nv, 6))
        G[:legs] = -np.linalg.solve(C[:, :legs], C[:, legs:])
        G[legs:] = np.eye(6)
        v = G @ xd
        pin.forwardKinematics(model, data, q, v, np.zeros(model.nv))
        a = G @ xdd
        a[:legs] -= np.linalg.solve(C[:, :legs], bias())
        tau = pin.rnea(model, data, q, v, a)
        return np.linalg.solve(G[driven].T, G.T @ tau)


def _frame(model: Any, name: str, joint: int, point: Any, rotation: Any) -> int:
    place = pin.SE3(np.array(rotation), np.array(point))
    return model.addFrame(pin.Frame(name, joint, 0, place, pin.FrameType.OP_FRAME))
