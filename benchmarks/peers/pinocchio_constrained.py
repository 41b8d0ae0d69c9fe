"""Pinocchio's constraintDynamics, sample by sample from Python: legs cut at their ends, the platform a free body."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin

from benchmarks.peers.pinocchio_model import cut_model, velocity_places
from gough import State
from gough.kinematics import inverse_kinematics
from gough.robot import Robot


class Constrained:
    """Accelerations of the platform from forces."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        model, legs, self.platform = cut_model(robot)
        self.model, self.data = model, model.createData()
        self.contacts = pin.StdVec_RigidConstraintModel()
        for leg, ids in zip(robot.legs, legs, strict=True):
            tip = pin.SE3(np.eye(3), np.array(leg.end.point))
            joint = pin.SE3(np.eye(3), np.array(leg.end.platform_point))
            contact = pin.RigidConstraintModel(
                pin.ContactType.CONTACT_3D, model, ids[-1], tip, self.platform, joint, pin.ReferenceFrame.LOCAL
            )
            self.contacts.append(contact)
        self.datas = pin.StdVec_RigidConstraintData()
        for contact in self.contacts:
            self.datas.append(contact.createData())
        pin.initConstraintDynamics(model, self.data, self.contacts, self.datas)
        self.settings = pin.ProximalSettings(1e-14, 1e-13, 1)
        self.places, self.motors = velocity_places(model, robot, legs)

    def prepared(self, x: Any, xd: Any, R: Any, w: Any, force: Any) -> list[tuple[Any, Any, Any]]:
        """q, v and tau of each sample, made before the clock starts; R (N, 3, 3), w (N, 3) in base axes."""
        found = inverse_kinematics(self.robot, State(x, xd))
        at, first = self.model.joints[self.platform].idx_q, self.model.joints[self.platform].idx_v
        samples = []
        for k in range(len(x)):
            q, v, tau = pin.neutral(self.model), np.zeros(self.model.nv), np.zeros(self.model.nv)
            q[self.places], v[self.places] = found.joint_q[k], found.joint_qd[k]
            q[at : at + 7] = pin.SE3ToXYZQUAT(pin.SE3(R[k], x[k, :3]))
            v[first : first + 6] = np.concatenate([R[k].T @ xd[k, :3], R[k].T @ w[k]])
            tau[self.motors] = force[k]
            samples.append((q, v, tau))
        return samples

    def __call__(self, samples: list[tuple[Any, Any, Any]]) -> Any:
        """(N, 6) accelerations of the platform, its own axes."""
        first = self.model.joints[self.platform].idx_v
        out = np.empty((len(samples), 6))
        dynamics, model, data = pin.constraintDynamics, self.model, self.data
        contacts, datas, settings = self.contacts, self.datas, self.settings
        for k, (q, v, tau) in enumerate(samples):
            out[k] = dynamics(model, data, q, v, tau, contacts, datas, settings)[first:]
        return out
