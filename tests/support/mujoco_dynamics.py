"""Actuator forces with MuJoCo's inverse dynamics of the cut tree in place of Pinocchio's.

MuJoCo refuses bodies without mass or inertia: such get `TINY` of either, which is below what is asserted.
"""

import mujoco
import numpy as np
import pinocchio as pin

from tests.support.pinocchio_dynamics import Oracle

TINY = 1e-14
_OFF = ("CONSTRAINT", "CONTACT", "LIMIT", "EQUALITY", "FRICTIONLOSS", "SENSOR", "ACTUATION", "SPRING", "DAMPER")


class MujocoOracle(Oracle):
    """`Oracle` with `mj_inverse`; the loops' equations stay Pinocchio's."""

    def __init__(self, robot):
        super().__init__(robot)
        self.mj = _compiled(self.tree)
        self.data = mujoco.MjData(self.mj)
        model = self.tree.model
        self.shared = []
        for name in list(model.names)[1:]:
            if name != "platform":
                joint = self.mj.joint(name)
                own = model.joints[model.getJointId(name)]
                self.shared.append((own.idx_q, own.idx_v, int(joint.qposadr[0]), int(joint.dofadr[0])))

    def needed(self, q, v, a):
        """(nv,) by `mj_inverse`, whose free body has base axes for its velocity and force, its own for the rest."""
        data, model, tree = self.data, self.tree.model, self.tree
        for q_pin, v_pin, q_mj, v_mj in self.shared:
            data.qpos[q_mj], data.qvel[v_mj], data.qacc[v_mj] = q[q_pin], v[v_pin], a[v_pin]
        at, place = model.joints[tree.platform].idx_q, tree.platform_places()
        own = self.mj.joint("platform")
        q_mj, v_mj = int(own.qposadr[0]), int(own.dofadr[0])
        pose = pin.XYZQUATToSE3(q[at : at + 7])
        x, y, z, w = pin.Quaternion(pose.rotation).coeffs()
        data.qpos[q_mj : q_mj + 7] = [*pose.translation, w, x, y, z]
        (velocity, spin), (spatial, second) = np.split(v[place], 2), np.split(a[place], 2)
        data.qvel[v_mj : v_mj + 6] = np.concatenate([pose.rotation @ velocity, spin])
        data.qacc[v_mj : v_mj + 6] = np.concatenate([pose.rotation @ (spatial + np.cross(spin, velocity)), second])
        mujoco.mj_inverse(self.mj, data)
        effort = np.zeros(model.nv)
        for _, v_pin, _, v_mj_own in self.shared:
            effort[v_pin] = data.qfrc_inverse[v_mj_own]
        force, moment = np.split(data.qfrc_inverse[v_mj : v_mj + 6], 2)
        effort[place] = np.concatenate([pose.rotation.T @ force, moment])
        return effort


def _compiled(tree):
    """The cut tree of a robot, from its values."""
    spec = mujoco.MjSpec()
    spec.option.gravity = tree.robot.gravity
    for name in _OFF:
        spec.option.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}"))
    for leg in tree.robot.legs:
        foot = spec.worldbody.add_body(name=leg.name, pos=leg.position, quat=_quaternion(leg.rotation))
        bodies = {-1: foot}
        for k, joint in enumerate(leg.joints):
            body = bodies[joint.parent].add_body(
                name=f"{leg.name}.{joint.name}", pos=joint.offset, quat=_quaternion(joint.rotation)
            )
            kind = mujoco.mjtJoint.mjJNT_SLIDE if joint.kind == "P" else mujoco.mjtJoint.mjJNT_HINGE
            body.add_joint(name=f"{leg.name}.{joint.name}", type=kind, axis=joint.axis)
            _give(body, joint.body)
            bodies[k] = body
    platform = spec.worldbody.add_body(name="platform")
    platform.add_freejoint(name="platform")
    _give(platform, tree.robot.platform.body)
    return spec.compile()


def _give(body, given):
    xx, yy, zz, xy, xz, yz = given.inertia
    body.explicitinertial = True
    body.mass, body.ipos = max(given.mass, TINY), given.com
    body.fullinertia = (xx + TINY, yy + TINY, zz + TINY, xy, xz, yz)


def _quaternion(rotation):
    x, y, z, w = pin.Quaternion(np.array(rotation)).coeffs()
    return [w, x, y, z]
