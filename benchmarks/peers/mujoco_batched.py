"""MuJoCo as an expert drives it from Python: joint motion and projection in NumPy over all samples, the legs' inverse
dynamics sample by sample on views made once.

Contacts, constraints, limits, passive forces and sensors are off. `mj_inverse` is the documented call; the stages it
needs here (kinematics, centres of mass, velocities, recursive Newton-Euler) called one by one are the short way.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import mujoco
import numpy as np

from benchmarks.peers.batches import PIECE, actuator_forces, by_sample, in_pieces
from benchmarks.peers.mechanism import Mechanism
from benchmarks.peers.vectors import Array
from gough.robot import Body, Robot

TINY = 1e-14
"""MuJoCo refuses moving bodies without mass or with a zero principal inertia [kg, kg m^2]."""


def legs_model(robot: Robot, joints: int) -> Any:
    """The legs, cut from the platform, leg by leg; a joint on a massless body shares the body of the next."""
    spec = mujoco.MjSpec()
    spec.option.gravity = robot.gravity
    bits = mujoco.mjtDisableBit
    for name in ("mjDSBL_CONSTRAINT", "mjDSBL_CONTACT", "mjDSBL_LIMIT", "mjDSBL_EQUALITY", "mjDSBL_FRICTIONLOSS"):
        spec.option.disableflags |= int(getattr(bits, name))
    for name in ("mjDSBL_SENSOR", "mjDSBL_ACTUATION", "mjDSBL_SPRING", "mjDSBL_DAMPER"):
        spec.option.disableflags |= int(getattr(bits, name))
    for leg in robot.legs:
        foot = spec.worldbody.add_body(name=leg.name, pos=leg.position, quat=_quaternion(leg.rotation))
        parent, waiting = foot, []
        for joint in leg.joints[:joints]:
            waiting.append(joint)
            if joint.body.mass == 0.0 and not any(joint.body.inertia):
                continue
            first = waiting[0]
            body = parent.add_body(name=f"{leg.name}.{joint.name}", pos=first.offset, quat=_quaternion(first.rotation))
            for each in waiting:
                kind = mujoco.mjtJoint.mjJNT_SLIDE if each.kind == "P" else mujoco.mjtJoint.mjJNT_HINGE
                body.add_joint(name=f"{leg.name}.{each.name}", type=kind, axis=each.axis)
            _give_inertia(body, joint.body)
            parent, waiting = body, []
        if waiting:
            raise ValueError(f"leg {leg.name}: its last body has no mass")
    return spec.compile()


def _give_inertia(body: Any, given: Body) -> None:
    body.explicitinertial = True
    body.mass, body.ipos = given.mass, given.com
    xx, yy, zz, xy, xz, yz = given.inertia
    body.fullinertia = (xx + TINY, yy + TINY, zz + TINY, xy, xz, yz)


def _quaternion(rotation: Any) -> Array:
    quaternion = np.empty(4)
    mujoco.mju_mat2Quat(quaternion, np.array(rotation, dtype=float).ravel())
    return quaternion


@dataclass(frozen=True)
class MujocoBatched:
    """Inverse dynamics of one robot; `stages` chooses the short way instead of mj_inverse."""

    robot: Robot
    stages: bool = False
    piece: int = PIECE

    @cached_property
    def mechanism(self) -> Mechanism:
        return Mechanism(self.robot)

    @cached_property
    def model(self) -> Any:
        return legs_model(self.robot, self.mechanism.joints)

    @cached_property
    def data(self) -> Any:
        return mujoco.MjData(self.model)

    def __call__(self, x: Array, xd: Array, xdd: Array) -> Array:
        """(N, 6) forces."""
        return in_pieces(self._piece, self.piece, x, xd, xdd)

    def _piece(self, x: Array, xd: Array, xdd: Array) -> Array:
        motion = self.mechanism.motion(x, xd, xdd)
        legs = motion.legs
        q = by_sample([np.arctan2(a[1], a[0]) if isinstance(a, tuple) else a for a in legs.angles])
        engine = self._stages if self.stages else self._inverse
        efforts = engine(q, by_sample(legs.rates), by_sample(legs.accelerations))
        return actuator_forces(self.mechanism, motion, efforts)

    def _inverse(self, q: Array, v: Array, a: Array) -> Array:
        model, data, inverse = self.model, self.data, mujoco.mj_inverse
        qpos, qvel, qacc, effort = data.qpos, data.qvel, data.qacc, data.qfrc_inverse
        out = np.empty_like(v)
        for k in range(len(v)):
            qpos[:], qvel[:], qacc[:] = q[k], v[k], a[k]
            inverse(model, data)
            out[k] = effort
        return out

    def _stages(self, q: Array, v: Array, a: Array) -> Array:
        model, data = self.model, self.data
        kinematics, com, velocity, rne = mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_comVel, mujoco.mj_rne
        qpos, qvel, qacc = data.qpos, data.qvel, data.qacc
        out = np.empty_like(v)
        for k in range(len(v)):
            qpos[:], qvel[:], qacc[:] = q[k], v[k], a[k]
            kinematics(model, data)
            com(model, data)
            velocity(model, data)
            rne(model, data, 1, out[k])
        return out
